//! Searches by halving.

/// The first whole number in `from..=last` that passes a test which never fails again after it passed;
/// `last + 1` if none does.
pub(super) fn first(from: u64, last: u64, passes: impl Fn(u64) -> bool) -> u64 {
    let (mut failed, mut end) = (from, last + 1);
    while failed < end {
        let middle = failed + (end - failed - 1) / 2;
        if passes(middle) {
            end = middle;
        } else {
            failed = middle + 1;
        }
    }
    end
}

/// A number that passes a test, and one that does not.
pub(super) struct Bracket {
    pub kept: f64,
    pub(crate) given_up: f64,
}

/// The ends of the range from `kept` to `given_up` after so many halvings, of which the first keeps to
/// what `is_kept` accepts.
pub(super) fn halved(
    mut kept: f64,
    mut given_up: f64,
    halvings: u32,
    is_kept: impl Fn(f64) -> bool,
) -> Bracket {
    for _ in 0..halvings {
        let middle = (kept + given_up) / 2.0;
        if is_kept(middle) {
            kept = middle;
        } else {
            given_up = middle;
        }
    }
    Bracket { kept, given_up }
}
