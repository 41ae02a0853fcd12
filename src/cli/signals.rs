//! Signals of the operating system as requests to stop.

use etude::harness::Interrupt;

use super::failure::Failure;

/// Turns SIGINT and SIGTERM into requests to stop.
pub fn listen_for_signals(interrupt: &Interrupt) -> Result<(), Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
        .map_err(|error| Failure::failed(format!("signals cannot be listened for: {error}")))?;
    let interrupt = interrupt.clone();
    std::thread::spawn(move || {
        for _ in signals.forever() {
            interrupt.request();
        }
    });
    Ok(())
}
