//! Searches by halving.

/// The ends of the range from `kept` to `given_up` after so many halvings, of which the first keeps to
/// what `is_kept` accepts.
pub(super) fn halved(
    (mut kept, mut given_up): (f64, f64),
    halvings: u32,
    is_kept: impl Fn(f64) -> bool,
) -> (f64, f64) {
    for _ in 0..halvings {
        let middle = (kept + given_up) / 2.0;
        if is_kept(middle) {
            kept = middle;
        } else {
            given_up = middle;
        }
    }
    (kept, given_up)
}
