//! Turns requests of the operating system to stop into requests to a run.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::run::Interrupt;

use super::failure::{Failure, FailureKind};

/// The exit code of a run that a person stopped and can continue.
const INTERRUPTED: i32 = FailureKind::Interrupted as i32;

/// Makes a file that grows beyond the limit (`ulimit -f`) an error of its write, instead of the end
/// of the program. Programs that it starts keep the usual end, for a signal that is handled, other
/// than one that is ignored, is not inherited.
pub(crate) fn survive_large_files() {
    // A program that cannot handle signals dies as it would have.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// Listens for requests to stop: they end the program until the flag is set that samples are being
/// drawn, and are told to the run from then on.
pub(crate) fn listen_for_signals(interrupt: &Interrupt) -> Result<Arc<AtomicBool>, Failure> {
    let interrupt = interrupt.clone();
    let drawing = Arc::new(AtomicBool::new(false));
    let is_drawing = Arc::clone(&drawing);
    let listens = at_every_stop(move || {
        if !is_drawing.load(Ordering::SeqCst) {
            note!("interrupted before the first sample: type the same command to run it");
            std::process::exit(INTERRUPTED);
        }
        interrupt.request();
    });
    listens.map_err(|error| Failure::failed(format!("cannot listen for signals: {error}")))?;
    Ok(drawing)
}

/// Listens for requests to stop: the flag is set once one came, and the second ends the program.
pub(crate) fn listen_for_stop() -> io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    let is_asked = Arc::clone(&asked);
    at_every_stop(move || {
        if is_asked.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
    })?;
    Ok(asked)
}

/// Has a thread call `hear` for every SIGINT and SIGTERM.
#[cfg(unix)]
fn at_every_stop(hear: impl Fn() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    base::threads::spawn("signals", move || signals.forever().for_each(|_| hear()))?;
    Ok(())
}

/// Has a thread call `hear` for every Ctrl-C and Ctrl-Break, and when the console closes.
#[cfg(windows)]
fn at_every_stop(hear: impl Fn() + Send + 'static) -> io::Result<()> {
    ctrlc::set_handler(hear).map_err(io::Error::other)
}
