//! Locks, the time of a thread, and the one door through which threads are started: where the system has none left, that is an error
//! like any other.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};

/// Starts a thread with a name.
///
/// # Errors
/// If the system has no thread left.
pub fn spawn<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map_err(none_left)
}

/// Starts a thread that ends before its scope does.
///
/// # Errors
/// If the system has no thread left.
pub fn spawn_scoped<'scope, 'env, T: Send + 'scope>(
    scope: &'scope Scope<'scope, 'env>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    Builder::new().spawn_scoped(scope, work).map_err(none_left)
}

/// Starts a pool of threads, named `worker-0` and so on; 0 is one for each core, or as many as
/// `RAYON_NUM_THREADS` says.
///
/// # Errors
/// If the system has fewer threads left.
pub fn pool(threads: usize) -> io::Result<ThreadPool> {
    let named = ThreadPoolBuilder::new().thread_name(|index| format!("worker-{index}"));
    let built = named.num_threads(threads).build();
    built.map_err(none_left)
}

fn none_left(error: impl std::fmt::Display) -> io::Error {
    io::Error::other(format!(
        "the system starts no further thread ({error}): use fewer with --threads or \
         RAYON_NUM_THREADS, or raise the limits on processes and memory (ulimit -u, ulimit -v)"
    ))
}

/// The contents of a lock, also after a panic elsewhere.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the processor time of this thread so far; waiting for a busy machine does not count.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Returns the time on the wall since it was first asked for: the clock of a thread goes by steps of
/// 16 ms on Windows.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    static FIRST: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    FIRST.get_or_init(std::time::Instant::now).elapsed()
}
