//! A benchmark in words: the sentences, and reasons to trust them less. The ratio of the times of a slower and a
//! faster contender tells how many times as fast the second is, and everything is told that way.

use indexmap::IndexMap;
use lab::tables::SpeedRow;
use stats::speed::{Speed, SpeedVerdict};
use stats::{Outward, PairStatistic};

use super::numbers::{end_text, ends_text, interval_text, is_vague, times_text, told, value_text};
use crate::cells::Sweep;
use base::counted;
use figures::level_text;

/// Returns whether a row is the control's: its two names are the same.
fn is_control(row: &SpeedRow) -> bool {
    row.first == row.second
}

/// Returns whether another row has the same pair the other way round: every one stands in the
/// table in both ways.
pub(crate) fn is_turned(row: &SpeedRow, other: &SpeedRow) -> bool {
    let own = (&row.second, &row.first, &row.statistic);
    own == (&other.first, &other.second, &other.statistic)
}

/// The contenders of a row as people read them: `greedy vs optimal (layout=open)`. The one that a ratio or a
/// share speaks of comes first.
pub(crate) fn label(row: &SpeedRow, sweep: &Sweep) -> String {
    let [own, other] = subject(row);
    match other {
        "" => sweep.label(own),
        _ if is_control(row) => format!("{} vs itself", sweep.label(own)),
        other => sweep.versus(own, other),
    }
}

/// The contender that a row speaks of, and the one that it is compared with: a ratio of times tells how many
/// times as fast the second is, and a share on how many instances the first is faster.
pub(super) fn subject(row: &SpeedRow) -> [&str; 2] {
    let both = [row.first.as_str(), row.second.as_str()];
    if row.statistic.is_ratio() {
        [both[1], both[0]]
    } else {
        both
    }
}

/// Returns whether a row is the median of two contenders.
pub(crate) fn is_median(row: &SpeedRow) -> bool {
    row.statistic == PairStatistic::Median && !is_control(row)
}

/// Returns whether a difference was found, also one within the margin.
fn is_found(row: &SpeedRow) -> bool {
    matches!(
        row.verdict,
        SpeedVerdict::Different | SpeedVerdict::Slightly
    )
}

/// Returns whether the first of a row's contenders is the faster one.
fn is_below_one(row: &SpeedRow) -> bool {
    let known = row.speed.value.or(row.speed.hi()).or(row.speed.lo());
    known.is_some_and(|ratio| ratio < 1.0)
}

/// The rows of `speed.csv`, to be told in words.
pub(crate) struct SpeedTable {
    /// The rows.
    pub(crate) rows: Vec<SpeedRow>,
    /// The contenders that are cells of a sweep.
    pub(crate) sweep: Sweep,
    /// The pair that the benchmark is about.
    pub(crate) asked: Option<[String; 2]>,
    /// True if it was stopped by a fault, such as answers that differ.
    pub(crate) differing: bool,
    /// True if there are answers on which all must agree.
    pub(crate) compared: bool,
    /// True if answers may differ by a tolerance.
    pub(crate) tolerant: bool,
    /// True if the race has a cap in processor time.
    pub(crate) is_capped: bool,
    /// The contender whose time is subtracted.
    pub(crate) baseline: Option<String>,
}

impl SpeedTable {
    /// The sentences of a benchmark: of the pair that is asked about or of at most three with the largest
    /// differences that were found.
    pub(crate) fn sentences(&self) -> Vec<String> {
        let chosen = self.chosen().into_iter();
        chosen.map(|row| self.sentence(row)).collect()
    }

    /// A contender in a sentence: in words, or else by its name as code.
    pub(crate) fn name(&self, contender: &str) -> String {
        told_or_code(self.sweep.label(contender), &self.codes().label(contender))
    }

    /// Two contenders by what parts them, and what they share.
    fn apart(&self, [one, other]: [&str; 2]) -> [String; 3] {
        let codes = self.codes().apart(one, other);
        let [one, other, shared] = self.sweep.apart(one, other);
        [
            told_or_code(one, &codes[0]),
            told_or_code(other, &codes[1]),
            shared,
        ]
    }

    /// The contenders by the names that claims are written with.
    fn codes(&self) -> Sweep {
        self.sweep.in_words(&IndexMap::new())
    }

    /// The first of the sentences in parts: a number, the sentence that it begins, and its certainty.
    pub(crate) fn headline(&self) -> Option<[String; 3]> {
        let row = *self.chosen().first()?;
        let speed = row.speed;
        let [winner, loser, shared] = self.apart([&row.second, &row.first]);
        let (number, statement) = match row.verdict {
            SpeedVerdict::Different => (
                match (speed.value, speed.lo()) {
                    (Some(value), _) => format!("{} ×", value_text(value, &speed)),
                    (None, Some(lo)) => format!("> {} ×", end_text(lo, Outward::Below)),
                    _ => "faster".to_owned(),
                },
                format!("as fast on the typical instance: {winner} compared with {loser}{shared}."),
            ),
            SpeedVerdict::Slightly => (
                "nearly equal".to_owned(),
                format!(
                    "{winner} is faster than {loser} on the typical instance{shared}, within the margin."
                ),
            ),
            SpeedVerdict::Equal => (
                "equal".to_owned(),
                format!(
                    "{winner} and {loser} take the same time on the typical instance{shared}, \
                     within the margin."
                ),
            ),
            _ => (
                "no difference found".to_owned(),
                format!("between {winner} and {loser} on the typical instance{shared}."),
            ),
        };
        let interval = speed.interval.map_or_else(String::new, |found| {
            let level = level_text(found.level.get());
            format!("{level}: {} · ", interval_text(&speed))
        });
        Some([number, statement, interval + &self.control()])
    }

    /// The rows of the pairs that the sentences are about, each with the slower contender first: the pair that
    /// is asked about, or the largest differences that were found before all others.
    pub(crate) fn chosen(&self) -> Vec<&SpeedRow> {
        let is_asked = |row: &&SpeedRow| {
            let asked = self.asked.as_ref();
            asked.is_none_or(|[one, other]| row.first == *one && row.second == *other)
        };
        let mut shown = self.slower_first(is_asked);
        let found = |row: &SpeedRow| {
            let ratio = row.speed.value.or(row.speed.lo());
            let is_found = is_found(row);
            (is_found, ratio.filter(|_| is_found).unwrap_or(1.0))
        };
        shown.sort_by(|a, b| {
            let ([a, b], is_larger) = ([found(a), found(b)], f64::total_cmp);
            b.0.cmp(&a.0).then(is_larger(&b.1, &a.1))
        });
        shown.truncate(3);
        shown
    }

    /// The medians of all pairs, each with the slower contender first.
    pub(crate) fn medians(&self) -> Vec<&SpeedRow> {
        self.slower_first(|_| true)
    }

    fn slower_first<'a>(&'a self, is_asked: impl Fn(&&'a SpeedRow) -> bool) -> Vec<&'a SpeedRow> {
        let slower_first = |row: &'a SpeedRow| {
            let turned = || self.rows.iter().find(|other| is_turned(other, row));
            let turned = is_below_one(row).then(turned);
            turned.flatten().unwrap_or(row)
        };
        let medians = self.rows.iter().filter(|row| is_median(row));
        let mut shown: Vec<&SpeedRow> = Vec::new();
        for row in medians.filter(is_asked).map(slower_first) {
            let is_known = |known: &&SpeedRow| std::ptr::eq(*known, row) || is_turned(known, row);
            if !shown.iter().any(is_known) {
                shown.push(row);
            }
        }
        shown
    }

    /// The row of a statistic of two contenders.
    pub(crate) fn find(
        &self,
        first: &str,
        second: &str,
        statistic: PairStatistic,
    ) -> Option<&SpeedRow> {
        let key = (first, second, statistic);
        let mut rows = self.rows.iter();
        rows.find(|row| (&*row.first, &*row.second, row.statistic) == key)
    }

    /// Returns whether one contender is faster than another on the typical instance.
    pub(crate) fn is_faster(&self, one: &str, other: &str) -> bool {
        self.find(one, other, PairStatistic::Median)
            .is_some_and(is_below_one)
    }

    fn sentence(&self, row: &SpeedRow) -> String {
        let speed = row.speed;
        let [winner, loser, shared] = self.apart([&row.second, &row.first]);
        let times = times_text(&speed);
        let typical = match row.verdict {
            SpeedVerdict::Equal => format!(
                "{winner} and {loser}{shared} are equal within the margin: the first is {times} as fast"
            ),
            SpeedVerdict::Different => format!("{winner} is {times} as fast as {loser}{shared}"),
            SpeedVerdict::Slightly => format!(
                "{winner} is {times} as fast as {loser}{shared}, which is within the margin"
            ),
            _ => format!(
                "no difference was found between {winner} and {loser}{shared}: the first is {times} as fast"
            ),
        };
        let (batch, control) = (self.batch(row), self.control());
        format!("On the typical instance {typical}{batch}; {control}.")
    }

    /// The part of a sentence on the total of the pair of a row. Answers that were stopped count up to
    /// where they were, so the ratio of what they would have taken is another.
    fn batch(&self, SpeedRow { first, second, .. }: &SpeedRow) -> String {
        let Some(SpeedRow { speed, .. }) = self.find(first, second, PairStatistic::Total) else {
            return String::new();
        };
        if speed.interval.is_none() {
            let median = self.find(first, second, PairStatistic::Median);
            let lacks_starts = median.is_some_and(|row| lacks_starts(&row.speed));
            let reason = match speed.censored {
                _ if !self.is_capped => "the race has no cap in processor time",
                0 if lacks_starts => "there were too few starts",
                0 => "too few instances were measured for a cap so high",
                _ => "stopped answers leave it open",
            };
            return format!("; no ratio is given for the whole batch, as {reason}");
        }
        if is_vague(speed) {
            return "; the ratio for the whole batch is unknown".to_owned();
        }
        let is_cut = |row: &SpeedRow| row.speed.censored > 0;
        let is_stopped = |name| {
            self.find(name, "", PairStatistic::Decided)
                .is_some_and(is_cut)
        };
        let counted = if [first, second].into_iter().any(|name| is_stopped(name)) {
            " if answers count up to where they were stopped"
        } else {
            ""
        };
        format!(", on the whole batch {}{counted}", times_text(speed))
    }

    /// The part of a sentence on the instances and the control.
    fn control(&self) -> String {
        let control = self.rows.iter().find(|row| is_control(row));
        let instances = counted(control.map_or(0, |row| row.speed.n), "instance");
        let shown = control.map_or_else(String::new, |row| told(&row.speed));
        let equal = match (self.differing, self.compared, self.tolerant) {
            (true, ..) => "then it was stopped",
            (_, false, _) => "no answers compared",
            (_, _, true) => "all answers equal within the tolerance",
            _ if self.rows.iter().any(|row| row.speed.censored > 0) => {
                "all answers that were reached agree"
            }
            _ => "all answers equal",
        };
        let less = self.without_baseline(|name| self.name(name));
        format!("{instances}, {equal}; control {shown}{less}")
    }

    /// The contender whose time is subtracted, under the name that is given to it, as the end of a line; empty where
    /// there is none.
    pub(crate) fn without_baseline(&self, named: impl Fn(&str) -> String) -> String {
        let less = |name| format!("; times without those of {}", named(name));
        self.baseline.as_deref().map_or_else(String::new, less)
    }

    /// Reasons to trust the sentences less: the control does not contain 1, or it is so wide that it
    /// could make a difference that was found of these rows.
    pub(crate) fn cautions(&self, is_about: impl Fn(&SpeedRow) -> bool) -> Vec<String> {
        let Some(control) = self.rows.iter().find(|row| is_control(row)) else {
            return Vec::new();
        };
        let control = &control.speed;
        let Some((lo, hi)) = control.lo().zip(control.hi()) else {
            let few = if lacks_starts(control) {
                "starts"
            } else {
                "instances"
            };
            return vec![format!(
                "there are too few {few} for an interval of the control, and so for any other"
            )];
        };
        let missed = (lo > 1.0 || hi < 1.0).then(|| {
            format!(
                "the control's interval ({}) does not contain 1: on this machine, equal contenders seem different",
                ends_text(control, 4)
            )
        });
        missed
            .into_iter()
            .chain(self.wide(control, is_about))
            .collect()
    }

    /// The pairs among these rows whose difference this control could make half of.
    fn wide(&self, control: &Speed, is_about: impl Fn(&SpeedRow) -> bool) -> Option<String> {
        let width = control.hi()? - control.lo()?;
        let is_small = |row: &SpeedRow| {
            let distance = row.speed.value.map(|ratio| ratio.max(ratio.recip()) - 1.0);
            is_found(row) && distance.is_some_and(|distance| width > distance / 2.0)
        };
        let rows = self.rows.iter().enumerate();
        let is_new =
            |at: usize, row: &SpeedRow| !self.rows[..at].iter().any(|other| is_turned(row, other));
        let mut small = rows.filter(|(at, row)| {
            is_median(row) && is_about(row) && is_new(*at, row) && is_small(row)
        });
        let (_, SpeedRow { first, second, .. }) = small.next()?;
        let others = match small.count() {
            0 => String::new(),
            1 => ", and another pair".to_owned(),
            others => format!(", and {others} other pairs"),
        };
        let ends = interval_text(control);
        let [first, second, shared] = self.apart([first, second]);
        Some(format!(
            "timing noise on this machine (control {ends}) may be half of the difference between {first} \
             and {second}{shared}{others}; more instances narrow both"
        ))
    }
}

/// A contender in words; one without words as code.
fn told_or_code(told: String, code: &str) -> String {
    if told == code {
        format!("`{code}`")
    } else {
        told
    }
}

/// Instances below which each has a start of its own, so that there are too few of both.
const FEW: u64 = 10;

/// Returns whether a median is known over instances and has no interval for want of starts alone.
pub(crate) fn lacks_starts(median: &Speed) -> bool {
    median.n >= FEW && median.value.is_some() && median.interval.is_none()
}

#[cfg(test)]
mod tests {
    use super::super::numbers::tests::between;
    use super::*;

    fn row(names: (&str, &str), statistic: &str, ratio: [f64; 3], verdict: &str) -> SpeedRow {
        SpeedRow {
            first: names.0.into(),
            second: names.1.into(),
            statistic: statistic.parse().unwrap(),
            speed: Speed {
                value: Some(ratio[1]),
                interval: between(ratio[0], ratio[2]),
                ..Speed::none(2000, 0)
            },
            verdict: verdict.parse().unwrap(),
        }
    }

    fn table(rows: &[SpeedRow], sweep: Sweep) -> SpeedTable {
        SpeedTable {
            rows: rows.to_vec(),
            sweep,
            asked: None,
            differing: false,
            compared: true,
            tolerant: false,
            is_capped: true,
            baseline: None,
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
        let told = table(&rows, Sweep::default()).sentences();
        assert_eq!(
            told,
            [
                "On the typical instance `exact` is 2.30 times (2.10 to 2.50) as fast as `lonelybot`, on \
                 the whole batch 2.6 times (1.4 to 4.9); 2,000 instances, all answers equal; control \
                 1.001 (0.996 to 1.006)."
            ]
        );
    }

    /// A ratio of times above 1 tells how many times as fast the second is; a share, on how many instances the first is.
    #[test]
    fn a_ratio_tells_of_the_second_contender_and_a_share_of_the_first() {
        for (statistic, told) in [
            ("median", ["fast", "slow"]),
            ("total", ["fast", "slow"]),
            ("faster", ["slow", "fast"]),
            ("decided", ["slow", "fast"]),
        ] {
            let row = self::row(("slow", "fast"), statistic, [2.0, 3.0, 4.0], "different");
            assert_eq!(subject(&row), told, "{statistic}");
            let is_shown = statistic == "median";
            assert_eq!(is_median(&row), is_shown);
            let turned = self::row(("fast", "slow"), statistic, [0.2, 0.3, 0.5], "different");
            let table = table(&[row, turned], Sweep::default());
            assert_eq!(table.is_faster("fast", "slow"), is_shown);
            assert!(!table.is_faster("slow", "fast"));
        }
        let of = |value, interval| SpeedRow {
            speed: Speed {
                value,
                interval,
                ..Speed::none(9, 1)
            },
            ..row(("a", "b"), "median", [0.0; 3], "open")
        };
        assert!(is_below_one(&of(Some(0.9), between(0.5, 2.0))));
        assert!(!is_below_one(&of(Some(1.1), between(0.5, 2.0))));
        assert!(is_below_one(&of(None, between(0.5, 0.9))));
        assert!(!is_below_one(&of(None, between(0.5, 1.9))));
        assert!(is_below_one(&of(None, between(0.5, f64::INFINITY))));
        assert!(!is_below_one(&of(None, between(1.5, f64::INFINITY))));
    }

    /// Every verdict has the faster contender first, in the headline and in the sentence.
    #[test]
    fn every_verdict_names_the_faster_one_first() {
        let verdicts = [
            (
                "different",
                "as fast on the typical instance: `fast` compared with `slow`.",
                "`fast` is 2.30 times (2.10 to 2.50) as fast as `slow`, on the whole batch 3.1 times",
            ),
            (
                "different within the margin",
                "`fast` is faster than `slow` on the typical instance, within the margin.",
                "`fast` is 2.30 times (2.10 to 2.50) as fast as `slow`, which is within the margin",
            ),
            (
                "equal",
                "`fast` and `slow` take the same time on the typical instance, within the margin.",
                "`fast` and `slow` are equal within the margin: the first is 2.30 times",
            ),
            (
                "open",
                "between `fast` and `slow` on the typical instance.",
                "no difference was found between `fast` and `slow`: the first is 2.30 times",
            ),
        ];
        for (verdict, headline, sentence) in verdicts {
            let rows = [
                row(("slow", "fast"), "median", [2.1, 2.3, 2.5], verdict),
                row(("fast", "slow"), "median", [0.4, 0.43, 0.48], verdict),
                row(("fast", "slow"), "total", [0.2, 0.32, 0.5], verdict),
                row(("slow", "fast"), "total", [2.0, 3.1, 5.0], verdict),
            ];
            let table = table(&rows, Sweep::default());
            assert_eq!(table.headline().unwrap()[1], headline);
            let told = table.sentences().remove(0);
            assert!(told.contains(sentence), "{told}");
            assert!(
                told.contains("whole batch 3.1 times (2.0 to 5.0)"),
                "{told}"
            );
        }
    }

    #[test]
    fn the_headline_is_the_largest_difference_that_was_found() {
        let rows = [
            row(("a", "b"), "median", [0.7, 1.4, 2.8], "open"),
            row(("a", "c"), "median", [1.1, 1.2, 1.3], "different"),
            row(("d", "b"), "median", [0.8, 9.0, 99.0], "open"),
            row(("c", "d"), "median", [0.3, 0.4, 0.5], "different"),
            row(("d", "c"), "median", [2.0, 2.5, 3.3], "different"),
        ];
        let mut table = table(&rows, Sweep::default());
        let chosen = |table: &SpeedTable| {
            let rows = table.chosen().into_iter();
            rows.map(|row| format!("{} {}", row.first, row.second))
                .collect::<Vec<_>>()
        };
        assert_eq!(chosen(&table), ["d c", "a c", "a b"]);
        assert_eq!(table.headline().unwrap()[0], "2.5 ×");
        table.asked = Some(["a", "b"].map(str::to_owned));
        assert_eq!(chosen(&table), ["a b"]);
        let told = table.sentences().remove(0);
        let expected = "no difference was found between `b` and `a`: the first is 1.4 times (0.7 to 2.8) as fast";
        assert!(told.contains(expected), "{told}");
    }

    /// The estimate says how large a difference is, and the lower end where stopped answers leave the estimate open.
    #[test]
    fn a_difference_without_an_estimate_is_as_large_as_it_is_at_least() {
        let mut open = row(
            ("e", "f"),
            "median",
            [4.125, 0.0, f64::INFINITY],
            "different",
        );
        open.speed.value = None;
        let rows = [
            row(("a", "b"), "median", [1.6, 2.0, 2.4], "different"),
            row(("c", "d"), "median", [1.5, 3.0, 6.0], "different"),
            open,
        ];
        let table = table(&rows, Sweep::default());
        let firsts: Vec<&str> = table.chosen().iter().map(|row| &*row.first).collect();
        assert_eq!(firsts, ["e", "c", "a"]);
        assert_eq!(table.headline().unwrap()[0], "> 4.12 ×");
    }

    /// The rows of both directions are told as they are, and neither is turned.
    #[test]
    fn the_sentence_has_the_interval_of_the_row_that_it_tells() {
        let rows = [
            row(("fast", "slow"), "median", [0.4, 0.5, 0.6], "different"),
            row(("fast", "slow"), "total", [0.1, 0.5, 0.9], "different"),
            row(("slow", "fast"), "median", [1.7, 2.0, 2.4], "different"),
            row(("slow", "fast"), "total", [1.2, 2.1, 3.1], "different"),
        ];
        let mut table = table(&rows, Sweep::default());
        table.asked = Some(["fast", "slow"].map(str::to_owned));
        let told = table.sentences().remove(0);
        let expected = "`fast` is 2.00 times (1.70 to 2.40) as fast as `slow`, on the whole batch 2.1 times \
                        (1.2 to 3.1);";
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn a_total_says_how_stopped_answers_count() {
        let told = |stopped: [u64; 2]| {
            let decided = ["a", "b"]
                .into_iter()
                .zip(stopped)
                .map(|(name, censored)| SpeedRow {
                    speed: Speed::none(30, censored),
                    ..row((name, ""), "decided", [0.0; 3], "")
                });
            let ratios = [
                row(("b", "a"), "median", [2.1, 2.3, 2.5], "different"),
                row(("b", "a"), "total", [2.1, 2.3, 2.5], "different"),
            ];
            let rows: Vec<SpeedRow> = ratios.into_iter().chain(decided).collect();
            let told = table(&rows, Sweep::default()).sentences().remove(0);
            told.split_once("on the whole batch ").unwrap().1.to_owned()
        };
        assert!(told([0, 0]).starts_with("2.30 times (2.10 to 2.50);"));
        let counted = "2.30 times (2.10 to 2.50) if answers count up to where they were stopped;";
        for stopped in [[0, 9], [9, 0], [9, 9]] {
            assert!(told(stopped).starts_with(counted));
        }
    }

    #[test]
    fn a_few_stopped_answers_leave_the_estimate_its_place() {
        let mut pair = row(("ok", "x"), "median", [0.0, 1.000_68, 1.031_2], "open");
        pair.speed.interval = between(f64::NEG_INFINITY, 1.031_2);
        pair.speed.censored = 2;
        let table = table(&[pair.clone()], Sweep::default());
        let told = table.sentences().remove(0);
        assert!(told.contains("1.00 times (at most 1.04) as fast"), "{told}");
        assert!(table.headline().unwrap()[2].starts_with("95 %: at most 1.04 · "));
        assert_eq!(super::told(&pair.speed), "1.00 (at most 1.04)");
    }

    #[test]
    fn a_total_without_an_interval_has_its_reason_and_a_vague_one_is_unknown() {
        let median = row(("b", "a"), "median", [2.1, 2.3, 2.5], "different");
        let total = row(("b", "a"), "total", [0.1, 11.6, 76_853_500.1], "open");
        let told = |total: &SpeedRow, is_capped| {
            let table = table(&[median.clone(), total.clone()], Sweep::default());
            SpeedTable { is_capped, ..table }.sentences().remove(0)
        };
        assert!(told(&total, true).contains("; the ratio for the whole batch is unknown;"));
        assert_eq!(super::told(&total.speed), "11.6 (interval unknown)");
        let none = SpeedRow {
            speed: Speed {
                value: Some(2.0),
                ..Speed::none(100, 0)
            },
            ..total
        };
        assert!(told(&none, false).contains("as the race has no cap in processor time;"));
        assert!(
            told(&none, true).contains("as too few instances were measured for a cap so high;")
        );
        let alone = |n| Speed {
            value: Some(2.0),
            ..Speed::none(n, 0)
        };
        assert!(lacks_starts(&alone(10)) && !lacks_starts(&alone(9)));
        assert!(
            !lacks_starts(&Speed::none(10, 0)),
            "stopped answers leave it open"
        );
        assert!(!lacks_starts(&median.speed));
    }

    /// Stopped answers before all, then starts, where the median of the same pair lacks them too.
    #[test]
    fn a_total_lacks_what_its_own_median_lacks() {
        let alone = |statistic: &str, censored| SpeedRow {
            speed: Speed {
                value: Some(2.0),
                ..Speed::none(100, censored)
            },
            ..row(("b", "a"), statistic, [0.0; 3], "open")
        };
        for (censored, reason) in [
            (0, "as there were too few starts;"),
            (3, "as stopped answers leave it open;"),
        ] {
            let rows = [alone("median", 0), alone("total", censored)];
            let told = table(&rows, Sweep::default()).sentences().remove(0);
            assert!(told.contains(reason), "{told}");
        }
    }

    #[test]
    fn a_sentence_tells_what_is_known_of_the_answers() {
        let control = row(("a", "a"), "median", [0.99, 1.0, 1.01], "equal");
        let pair = row(("b", "a"), "median", [2.1, 2.3, 2.5], "different");
        let stopped = SpeedRow {
            speed: Speed {
                censored: 4,
                ..pair.speed
            },
            ..pair.clone()
        };
        for (pair, differing, compared, tolerant, expected) in [
            (&pair, true, true, true, "then it was stopped"),
            (&pair, true, false, false, "then it was stopped"),
            (&pair, false, false, true, "no answers compared"),
            (
                &stopped,
                false,
                true,
                true,
                "all answers equal within the tolerance",
            ),
            (
                &stopped,
                false,
                true,
                false,
                "all answers that were reached agree",
            ),
            (&pair, false, true, false, "all answers equal"),
        ] {
            let told = SpeedTable {
                differing,
                compared,
                tolerant,
                ..table(&[control.clone(), pair.clone()], Sweep::default())
            };
            let told = told.sentences().remove(0);
            let expected = format!("; 2,000 instances, {expected}; control ");
            assert!(told.contains(&expected), "{told}");
        }
    }

    /// Pairs whose difference was found, each counted once though it stands in the table both ways round.
    #[test]
    fn a_wide_control_counts_the_pairs_that_it_could_explain() {
        let pair = |one, other, verdict| {
            [
                row((one, other), "median", [1.01, 1.02, 1.03], verdict),
                row((other, one), "median", [0.97, 0.98, 0.99], verdict),
            ]
        };
        let mut rows = vec![row(("a", "a"), "median", [0.99, 1.0, 1.01], "")];
        rows.extend(pair("c", "d", "open"));
        for (first, expected) in [
            ("b", "`b` and `a`; more"),
            ("c", "`b` and `a`, and another pair; more"),
            ("d", "`b` and `a`, and 2 other pairs; more"),
        ] {
            rows.extend(pair(first, "a", "different"));
            let cautions = table(&rows, Sweep::default()).cautions(|_| true);
            assert!(cautions[0].contains(expected), "{cautions:?}");
        }
    }

    #[test]
    fn cells_are_named_by_what_parts_them() {
        let names = ["n=8,version=slow", "n=8,version=fast"];
        let values = |version: &str| vec!["8".to_owned(), version.to_owned()];
        let cells = names
            .map(str::to_owned)
            .into_iter()
            .zip(["slow", "fast"].map(values));
        let sweep = Sweep::new(vec!["n".into(), "version".into()], cells.collect());
        let rows = [row(
            (names[0], names[1]),
            "median",
            [2.1, 2.3, 2.5],
            "different",
        )];
        let table = table(&rows, sweep);
        let told = table.sentences().remove(0);
        let expected = "`fast` is 2.30 times (2.10 to 2.50) as fast as `slow` (n=8);";
        assert!(told.contains(expected), "{told}");
        let [_, statement, _] = table.headline().unwrap();
        assert!(
            statement.ends_with("`fast` compared with `slow` (n=8)."),
            "{statement}"
        );
    }

    #[test]
    fn contenders_are_told_in_words_where_there_are_any() {
        let rows = [row(
            ("book", "pruned"),
            "median",
            [2.1, 2.3, 2.5],
            "different",
        )];
        let words = [("book", "the book's program"), ("pruned", "pruned search")];
        let words = words.map(|(name, word)| (name.to_owned(), word.to_owned()));
        let table = table(&rows, Sweep::default().in_words(&words.into()));
        let told = table.sentences().remove(0);
        let expected = "pruned search is 2.30 times (2.10 to 2.50) as fast as the book's program;";
        assert!(told.contains(expected), "{told}");
    }

    #[test]
    fn a_control_that_misses_one_or_is_wide_is_told() {
        let control = |lo, hi| row(("a", "a"), "median", [lo, 1.0, hi], "");
        let pair = row(("b", "a"), "median", [1.01, 1.02, 1.03], "different");
        let cautions = |rows: &[SpeedRow]| table(rows, Sweep::default()).cautions(|_| true);
        assert!(cautions(&[control(1.001, 1.002), pair.clone()])[0].contains("does not contain 1"));
        assert!(cautions(&[control(0.998, 0.999), pair.clone()])[0].contains("does not contain 1"));
        // A ratio is as far from 1 as the same one turned.
        let turned = row(("a", "b"), "median", [0.97, 0.98, 0.99], "different");
        assert_eq!(cautions(&[control(0.99, 1.01), turned]).len(), 1);
        let far = row(("a", "b"), "median", [0.19, 0.2, 0.21], "different");
        assert!(cautions(&[control(0.99, 1.01), far]).is_empty());
        let others =
            |rows: &[SpeedRow]| table(rows, Sweep::default()).cautions(|row| row.first != "b");
        assert!(others(&[control(0.99, 1.01), pair.clone()]).is_empty());
        let wide = cautions(&[control(0.99, 1.01), pair.clone()]);
        let told = "timing noise on this machine (control 0.990 to 1.010) may be half of the difference between `b`";
        assert!(wide[0].starts_with(told), "{wide:?}");
        assert!(cautions(&[control(0.999, 1.001), pair]).is_empty());
    }
}
