//! A request to stop, shared between the signal handler and the run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of times that the person asked to stop.
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    requests: Arc<AtomicUsize>,
}

/// The urgency of a person's requests to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Urgency {
    /// Go on.
    None,
    /// Start nothing new, finish what is under way.
    Drain,
    /// Stop at once.
    Abort,
}

impl Interrupt {
    /// Nobody has asked yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks once more. Safe to call from a signal handler.
    pub fn request(&self) {
        self.requests.fetch_add(1, Ordering::SeqCst);
    }

    /// Returns the urgency of the requests so far.
    pub(crate) fn urgency(&self) -> Urgency {
        match self.requests.load(Ordering::SeqCst) {
            0 => Urgency::None,
            1 => Urgency::Drain,
            _ => Urgency::Abort,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_request_drains_and_the_second_aborts() {
        let interrupt = Interrupt::new();
        assert_eq!(interrupt.urgency(), Urgency::None);
        interrupt.clone().request();
        assert_eq!(interrupt.urgency(), Urgency::Drain);
        interrupt.request();
        assert_eq!(interrupt.urgency(), Urgency::Abort);
    }
}
