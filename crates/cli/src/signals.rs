//! Turns signals of the operating system into requests to stop.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lab::run::Interrupt;
use lab::threads;
use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};

use super::failure::{Failure, FailureKind};

/// The exit code of what a person stopped and can go on with.
const INTERRUPTED: i32 = FailureKind::Interrupted as i32;

/// Makes a file that grows beyond the limit (`ulimit -f`) an error of its write, instead of the end
/// of the program. Programs that it starts keep the usual end, for a signal that is handled, other
/// than one that is ignored, is not inherited.
pub fn survive_large_files() {
    // A program that cannot handle signals dies as it would have.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
}

/// Listens for SIGINT and SIGTERM: they end the program until the flag is set that samples are being
/// drawn, and are requests to stop from then on.
pub fn listen_for_signals(interrupt: &Interrupt) -> Result<Arc<AtomicBool>, Failure> {
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])
        .map_err(|error| Failure::failed(format!("cannot listen for signals: {error}")))?;
    let interrupt = interrupt.clone();
    let drawing = Arc::new(AtomicBool::new(false));
    let is_drawing = Arc::clone(&drawing);
    let listens = threads::spawn("signals", move || {
        for _ in signals.forever() {
            if !is_drawing.load(Ordering::SeqCst) {
                note!("interrupted before the first sample: type the same command to run it");
                std::process::exit(INTERRUPTED);
            }
            interrupt.request();
        }
    });
    listens.map_err(Failure::failed)?;
    Ok(drawing)
}

/// Listens for SIGINT and SIGTERM: the flag is set once one came, and the second ends the program.
pub fn listen_for_stop() -> io::Result<Arc<AtomicBool>> {
    let asked = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        // In this order: the first request finds the flag not set yet.
        signal_hook::flag::register_conditional_shutdown(signal, INTERRUPTED, Arc::clone(&asked))?;
        signal_hook::flag::register(signal, Arc::clone(&asked))?;
    }
    Ok(asked)
}
