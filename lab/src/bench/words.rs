//! A benchmark in words: the sentence, and what is to be said before it.

use super::table::SpeedRow;

/// The control's row: its two names are the same.
pub fn is_control(row: &SpeedRow) -> bool {
    row.first == row.second
}

/// The sentences of a benchmark: of the pair that is asked about or of the first contender beside
/// each of the others, at most three.
pub fn sentences(rows: &[SpeedRow], asked: Option<(&str, &str)>) -> Vec<String> {
    let medians = || {
        rows.iter()
            .filter(|row| row.statistic == "median" && !is_control(row))
    };
    let first = rows.first().map_or("", |row| row.first.as_str());
    let is_asked = |row: &&SpeedRow| match asked {
        Some((one, other)) => row.first == one && row.second == other,
        None => row.second == first,
    };
    let mut found: Vec<&SpeedRow> = medians().filter(is_asked).collect();
    if found.is_empty() {
        found = medians().take(1).collect();
    }
    found
        .into_iter()
        .take(3)
        .map(|row| sentence(rows, row))
        .collect()
}

fn sentence(rows: &[SpeedRow], median: &SpeedRow) -> String {
    let (slow, fast) = (&median.first, &median.second);
    let total = rows
        .iter()
        .find(|row| row.statistic == "total" && row.first == *slow && row.second == *fast);
    let turned = median
        .estimate
        .or(median.ci_hi)
        .or(median.ci_lo)
        .is_some_and(|ratio| ratio < 1.0);
    let (winner, loser) = if turned { (slow, fast) } else { (fast, slow) };
    let typical = match median.verdict.as_str() {
        "equal" => format!(
            "`{winner}` and `{loser}` are equal within the margin: the ratio is {}",
            figure(median, turned)
        ),
        "different" => format!(
            "`{winner}` is {} as fast as `{loser}`",
            times(median, turned)
        ),
        _ => format!(
            "no difference was found between `{winner}` and `{loser}`: the ratio is {}",
            figure(median, turned)
        ),
    };
    let batch = total.map_or_else(String::new, |total| match total.verdict.as_str() {
        "dominated" => {
            ", on the whole batch nothing can be said, as a few instances make most of it"
                .to_owned()
        }
        _ => format!(", on the whole batch {}", times(total, turned)),
    });
    format!(
        "On the typical instance {typical}{batch}; {}",
        control(rows)
    )
}

/// The part of a sentence on the instances and the control.
fn control(rows: &[SpeedRow]) -> String {
    let control = rows.iter().find(|row| is_control(row));
    let n = control.map_or(0, |row| row.n);
    let shown = control.map_or_else(String::new, |row| figure(row, false));
    let instances = crate::report::counted(n, "instance");
    format!("{instances}, all answers equal; control {shown}.")
}

/// `2.3 times (2.1 to 2.5)`.
fn times(row: &SpeedRow, turned: bool) -> String {
    let (value, lo, hi) = numbers(row, turned);
    match (value, lo, hi) {
        (Some(value), Some(lo), Some(hi)) => {
            let digits = digits(lo, hi);
            format!("{value:.digits$} times ({lo:.digits$} to {hi:.digits$})")
        }
        (_, Some(lo), None) => format!("more than {lo:.2} times"),
        (Some(value), None, None) => format!("{value:.2} times (no interval)"),
        _ => "an unknown number of times".to_owned(),
    }
}

/// `1.001 (0.996 to 1.006)`.
fn figure(row: &SpeedRow, turned: bool) -> String {
    let (value, lo, hi) = numbers(row, turned);
    match (value, lo, hi) {
        (Some(value), Some(lo), Some(hi)) => {
            let digits = digits(lo, hi);
            format!("{value:.digits$} ({lo:.digits$} to {hi:.digits$})")
        }
        (_, Some(lo), None) => format!("more than {lo:.3}"),
        (_, None, Some(hi)) => format!("less than {hi:.3}"),
        (Some(value), None, None) => format!("{value:.3} (no interval)"),
        (None, _, _) => "open".to_owned(),
    }
}

/// The ratio and its interval, or those of the ratio turned round.
fn numbers(row: &SpeedRow, turned: bool) -> (Option<f64>, Option<f64>, Option<f64>) {
    let inverse = |number: Option<f64>| number.map(f64::recip);
    if turned {
        (
            inverse(row.estimate),
            inverse(row.ci_hi),
            inverse(row.ci_lo),
        )
    } else {
        (row.estimate, row.ci_lo, row.ci_hi)
    }
}

/// The digits after the point that tell the limits apart, with one to spare.
fn digits(lo: f64, hi: f64) -> usize {
    let width = (hi - lo).max(1e-4);
    (1.0 - width.log10()).ceil().clamp(1.0, 4.0) as usize
}

/// What is to be said first: the control does not hold 1, or it is so wide that it could make a
/// difference that was found.
pub fn cautions(rows: &[SpeedRow]) -> Vec<String> {
    let Some(control) = rows.iter().find(|row| is_control(row)) else {
        return Vec::new();
    };
    let (Some(lo), Some(hi)) = (control.ci_lo, control.ci_hi) else {
        return vec![
            "there are too few instances for an interval of the control, and so for any other"
                .to_owned(),
        ];
    };
    let mut found = Vec::new();
    if lo > 1.0 || hi < 1.0 {
        found.push(format!(
            "the control's interval ({lo:.4} to {hi:.4}) does not hold 1: this machine makes differences \
             where there are none"
        ));
    }
    let medians = rows
        .iter()
        .filter(|row| row.statistic == "median" && !is_control(row));
    let small = medians.filter(|row| {
        let distance = row.estimate.map(|ratio| ratio.max(ratio.recip()) - 1.0);
        row.verdict == "different" && distance.is_some_and(|distance| hi - lo > distance / 2.0)
    });
    found.extend(small.map(|row| {
        format!(
            "the control is as wide as half of what parts `{}` from `{}`: draw more instances",
            row.first, row.second
        )
    }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(names: (&str, &str), statistic: &str, ratio: [f64; 3], verdict: &str) -> SpeedRow {
        SpeedRow {
            first: names.0.into(),
            second: names.1.into(),
            statistic: statistic.into(),
            estimate: Some(ratio[1]),
            ci_lo: Some(ratio[0]),
            ci_hi: Some(ratio[2]),
            ci_level: Some(0.95),
            ci_method: "order-statistics".into(),
            valid_under: "fixed-n".into(),
            n: 2000,
            n_censored: 0,
            verdict: verdict.into(),
        }
    }

    #[test]
    fn the_sentence_names_the_faster_one() {
        let rows = [
            row(("exact", "exact"), "median", [0.996, 1.001, 1.006], "equal"),
            row(
                ("lonelybot", "exact"),
                "median",
                [2.1, 2.3, 2.5],
                "different",
            ),
            row(
                ("lonelybot", "exact"),
                "total",
                [1.4, 2.6, 4.9],
                "different",
            ),
        ];
        let told = sentences(&rows, None);
        assert_eq!(
            told,
            [
                "On the typical instance `exact` is 2.30 times (2.10 to 2.50) as fast as `lonelybot`, on \
                 the whole batch 2.6 times (1.4 to 4.9); 2,000 instances, all answers equal; control \
                 1.001 (0.996 to 1.006)."
            ]
        );
    }

    #[test]
    fn a_control_that_misses_one_or_is_wide_is_told_first() {
        let control = |lo, hi| row(("a", "a"), "median", [lo, 1.0, hi], "");
        let pair = row(("b", "a"), "median", [1.01, 1.02, 1.03], "different");
        assert!(cautions(&[control(1.001, 1.002), pair.clone()])[0].contains("does not hold 1"));
        assert!(cautions(&[control(0.99, 1.01), pair.clone()])[0].contains("half of what parts"));
        assert!(cautions(&[control(0.999, 1.001), pair]).is_empty());
    }
}
