//! Shares of players as people say them.

/// Converts shares to whole parts of a hundred that sum to a hundred: largest remainders first.
pub(super) fn of_a_hundred(shares: [f64; 3]) -> [u32; 3] {
    let mut parts = shares.map(|share| (share * 100.0).floor() as u32);
    let mut order = [0, 1, 2];
    let remainder = |index: usize| shares[index] * 100.0 - (shares[index] * 100.0).floor();
    order.sort_by(|&a, &b| remainder(b).total_cmp(&remainder(a)));
    let missing = 100 - parts.iter().sum::<u32>().min(100);
    for index in order.into_iter().cycle().take(missing as usize) {
        parts[index] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_sum_to_a_hundred() {
        assert_eq!(of_a_hundred([0.8867, 0.0065, 0.1068]), [89, 0, 11]);
        assert_eq!(of_a_hundred([1.0 / 3.0; 3]).iter().sum::<u32>(), 100);
    }
}
