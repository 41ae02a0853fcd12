//! The rows of a run folder's tables as people read them.

use base::count;
use figures::{EXPONENT_FROM, Figure, MOST_DECIMALS, level_text, of_difference, quantity, step};
use lab::tables::{EloRow, Exact, PairRow, PurseRow, RatingMethod, RatingRow, TruthRow, WeightRow};
use stats::{Concentration, Level, Outward, Span, outward, outward_ends, rounded};
use task::UNITLESS;

/// The difference as people read it.
pub(super) fn pair_figure(row: &PairRow) -> Figure<'_> {
    Figure::of(&row.estimate, of_difference(&row.unit))
}

/// The estimate as people read it.
pub(super) fn truth_figure(row: &TruthRow) -> Figure<'_> {
    Figure::of(&row.estimate, &row.unit)
}

/// The exact value, as precise as the estimate beside it.
pub(super) fn exact_value(row: &TruthRow) -> String {
    text(row.truth, |truth| truth_figure(row).beside(truth))
}

/// Returns whether the interval covers the exact value, in a word.
pub(super) fn coverage(row: &TruthRow) -> &'static str {
    match row.covered {
        _ if row.contradicted == Some(true) => "contradicted",
        Some(true) => "covered",
        Some(false) => "missed",
        None => "no interval",
    }
}

/// Returns the number of intervals that cover the exact value: `19 of 20 intervals cover them`.
pub(super) fn coverage_tally(rows: &[TruthRow]) -> String {
    let contradicted = rows
        .iter()
        .filter(|row| row.contradicted == Some(true))
        .count();
    if contradicted > 0 {
        return format!("the samples contradict {contradicted} of {}", rows.len());
    }
    let decided = rows.iter().filter_map(|row| row.covered);
    let covering = decided.clone().filter(|covered| *covered).count();
    match (covering, decided.count()) {
        (1, 1) => "the interval covers the exact value".to_owned(),
        (_, 1) => "the interval misses the exact value".to_owned(),
        (some, all) => format!("{some} of {all} intervals cover them"),
    }
}

/// The interval of a gap, one-sided where a bound does not exist: `at most -512.0`.
pub(super) fn elo_interval(row: &EloRow) -> String {
    ends((row.elo_lo, row.elo_hi), 1, signed_to)
}

/// A difference of ratings: `+12.3`.
pub(super) fn signed(elo: f64) -> String {
    signed_to(elo, 1)
}

fn signed_to(elo: f64, digits: usize) -> String {
    format!("{elo:+.digits$}")
}

/// A number as a text that is empty where there is none.
pub(super) fn text(number: Option<impl Into<f64>>, write: impl Fn(f64) -> String) -> String {
    number.map_or(String::new(), |number| write(number.into()))
}

/// An interval of which either end may be missing, with these digits after the point or as many more as show
/// that an end is not 0. The ends are rounded outward.
fn ends<N: Into<f64>>(
    (lo, hi): (Option<N>, Option<N>),
    digits: usize,
    write: impl Fn(f64, usize) -> String,
) -> String {
    let end = |side| {
        let write = &write;
        move |limit: N| {
            let limit = limit.into();
            let rounded = |digits| outward(limit, step(digits, UNITLESS), side);
            let mut enough = digits..MOST_DECIMALS;
            let digits = enough.find(|digits| limit == 0.0 || rounded(*digits) != 0.0);
            let digits = digits.unwrap_or(MOST_DECIMALS);
            write(rounded(digits), digits)
        }
    };
    match (lo.map(end(Outward::Below)), hi.map(end(Outward::Above))) {
        (Some(lo), Some(hi)) => format!("{lo} to {hi}"),
        (Some(lo), None) => format!("at least {lo}"),
        (None, Some(hi)) => format!("at most {hi}"),
        (None, None) => String::new(),
    }
}

/// An interval of numbers without a sign or a unit: [`ends`] as they are.
pub(crate) fn plain_ends<N: Into<f64>>(limits: (Option<N>, Option<N>), digits: usize) -> String {
    ends(limits, digits, |end, digits| format!("{end:.digits$}"))
}

/// The player with the side it plays and what else was swept: `arsac as hens (rule=strict)`.
pub(super) fn player_label(row: &RatingRow) -> String {
    let mut player = row.player.clone();
    if !row.side.is_empty() {
        player += &format!(" as {}", row.side);
    }
    if !row.group.is_empty() {
        player += &format!(" ({})", row.group);
    }
    player
}

/// Returns the reason for which it has no limits, where they are withheld.
pub(super) fn unlimited(row: &RatingRow) -> Option<&'static str> {
    match row.ci_method? {
        RatingMethod::OneSample => Some("some players play the same game again and again"),
        RatingMethod::OpeningsUncounted => {
            Some("games of one opening were not counted together, as with more than 200 players")
        }
        RatingMethod::PointsSandwich => None,
    }
}

/// The interval of a rating, one-sided where too few games set a bound: `at least 120`.
pub(super) fn rating_interval(row: &RatingRow) -> String {
    plain_ends((row.elo_lo, row.elo_hi), 0)
}

/// The rating above the reference's with its interval: `+120 (+80 to +160)`; empty of the
/// reference itself.
pub(super) fn rating_gap(row: &RatingRow) -> String {
    let write = |elo: f64| signed_to(elo, 0);
    let (lo, hi) = (row.difference_lo, row.difference_hi);
    match (row.difference, ends((lo, hi), 0, signed_to)) {
        (None, interval) => interval,
        (Some(Exact(0.0)), _) if lo == hi => String::new(),
        (Some(Exact(elo)), interval) if interval.is_empty() => write(elo),
        (Some(Exact(elo)), interval) => format!("{} ({interval})", write(elo)),
    }
}

/// The effective sample size: `12.3`.
pub(super) fn effective_size(row: &WeightRow) -> String {
    text(row.effective_n, |size| format!("{size:.1}"))
}

/// Describes the bound that the true value exceeds, with its level: `more than 2.04e15 (95 %)`.
pub(super) fn weight_bound(row: &WeightRow) -> String {
    let bound = row.at_least.map(f64::from).filter(|&bound| bound > 0.0);
    let Some((bound, level)) = bound.zip(row.at_least_level) else {
        return String::new();
    };
    // Rounded down: more than 0.6 is not more than 1.
    let (digits, step) = match bound {
        ..10.0 if bound.fract() > 0.0 => (2, 0.01),
        EXPONENT_FROM.. => (0, 10_f64.powi(libm::log10(bound).floor() as i32 - 3)),
        _ => (0, 1.0),
    };
    let mut below = (bound / step).floor() * step;
    if below >= EXPONENT_FROM {
        below = rounded(below, 4);
    }
    let bound = quantity(below, digits, &row.unit);
    format!("more than {bound} ({})", level_text(level))
}

/// Returns a warning if the estimate is not trusted.
pub(super) fn weight_warning(row: &WeightRow) -> Option<String> {
    let (cell, metric) = (&row.cell, &row.metric);
    (!row.trusted).then(|| format!("{cell}, {metric}: {}", weight_reason(row)))
}

/// The reason not to trust the estimate.
fn weight_reason(row: &WeightRow) -> String {
    if looks_even(row) {
        return "the weights look even, and yet most of the mean may be missed: by this estimator, or \
                because those beyond many equal ones are too few to tell how they grow; take more \
                samples or another estimator"
            .to_owned();
    }
    if row.largest_share.is_some() && row.spread_share.is_none() {
        return format!(
            "all {} weights are equal, so they do not tell how far their mean may be off",
            count(row.n)
        );
    }
    if concentration(row).is_even() {
        return long_tail(row);
    }
    let sample = match row.largest_share {
        Some(_) => format!(
            "an effective sample size of {}, and one of them makes {} of the variance",
            effective_size(row),
            text(row.spread_share, percent)
        ),
        None => "no sample has any".to_owned(),
    };
    format!(
        "the weights are too concentrated for an interval ({sample}); take more samples or \
         another estimator"
    )
}

/// The reason not to trust weights that are even as far as they were met.
fn long_tail(row: &WeightRow) -> String {
    let index = text(row.tail_index, |index| format!("{index:.2}"));
    format!(
        "the largest weights grow so fast that most of the mean may lie in some that no sample \
         met (tail index {index}; at most {:.2} can be trusted with {} weights); take more \
         samples or another estimator",
        concentration(row).most_trusted_index(),
        count(row.n)
    )
}

/// Returns whether the sample alone is no reason not to trust the estimate.
fn looks_even(row: &WeightRow) -> bool {
    let level = row.at_least_level.and_then(Level::new);
    level.is_some_and(|level| concentration(row).allows(level))
}

/// The concentration of the weights.
fn concentration(row: &WeightRow) -> Concentration {
    Concentration {
        n: row.n,
        effective_size: row.effective_n.unwrap_or(0.0),
        largest_share: row.largest_share,
        spread_share: row.spread_share,
        tail_index: row.tail_index,
        tail_count: None,
    }
}

/// A share with one decimal: `41.2 %`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The chance to be ahead with its interval: `16.2 % (15.5 to 17.0)`, `1 in 66,000 (40,000 to
/// 100,000)`; `between 0.8 and 98.0 %` where games are not resolved.
pub(super) fn chance_ahead(row: &PurseRow) -> String {
    let [lo, hi] = [row.ahead_lo, row.ahead_hi].map(|end| end.map(f64::from));
    match (row.ahead, Span::between(lo, hi)) {
        (None, None) => String::new(),
        (None, Some(ends)) => {
            let Span { lo, hi } = outward_ends(ends.map(|end| 100.0 * end), 0.1);
            format!("between {lo:.1} and {hi:.1} %")
        }
        (Some(ahead), Some(Span { hi, .. })) if ahead < LEAST && hi >= LEAST => {
            format!("at most 1 in {}", one_in(hi, Some(Outward::Below)))
        }
        (Some(ahead), _) if ahead < LEAST => "less than 1 in 10¹²".to_owned(),
        (Some(ahead), Some(Span { lo, hi })) if ahead < RARE => {
            let [few, many] = [(hi, Outward::Below), (lo, Outward::Above)]
                .map(|(chance, side)| one_in(chance, Some(side)));
            format!("1 in {} ({few} to {many})", one_in(ahead, None))
        }
        (Some(ahead), ends) => Figure::plain(ahead, ends, "").phrase(),
    }
}

/// The median gain with its interval, unless that is the median alone: gains come in steps. The interval alone where games
/// are not resolved.
pub(super) fn median_gain(row: &PurseRow) -> String {
    let ends = row.q50_lo.zip(row.q50_hi);
    if let (None, Some((lo, hi))) = (row.q50, ends) {
        return format!(
            "between {} and {}",
            money(row, Some(lo)),
            money(row, Some(hi))
        );
    }
    let wide = ends.filter(|(lo, hi)| lo != hi);
    let ends = wide.map_or(String::new(), |(lo, hi)| {
        format!(" ({} to {})", money(row, Some(lo)), money(row, Some(hi)))
    });
    money(row, row.q50) + &ends
}

/// The gains between which the middle 90 % of the players end.
pub(super) fn middle_gains(row: &PurseRow) -> String {
    let ends = row.q05.zip(row.q95);
    ends.map_or(String::new(), |(low, high)| {
        format!("{} to {}", money(row, Some(low)), money(row, Some(high)))
    })
}

/// An amount of money as text.
fn money(row: &PurseRow, amount: Option<Exact>) -> String {
    let digits = |amount: f64| if amount.fract() == 0.0 { 0 } else { 2 };
    text(amount, |amount| quantity(amount, digits(amount), &row.unit))
}

/// Rarer chances are written as `1 in 800`.
const RARE: f64 = 0.005;
/// Rarer ones are not distinguished.
const LEAST: f64 = 1e-12;

/// The number of players of whom one has this chance, to two digits, rounded to this side if it is an end.
fn one_in(chance: f64, side: Option<Outward>) -> String {
    let players = chance.max(LEAST).recip();
    let unit = 10_f64
        .powi(libm::log10(players).floor() as i32 - 1)
        .max(1.0);
    let nearest = || (players / unit).round() * unit;
    count(
        side.map_or_else(nearest, |side| outward(players, unit, side))
            .round() as u64,
    )
}

#[cfg(test)]
mod tests {
    use csv::StringRecord;

    use super::*;
    use lab::tables::{RecordFields, TableRow};

    #[test]
    fn ratings_name_side_and_group_where_there_are_any() {
        let rated = |values: [&str; 3]| {
            let header = StringRecord::from(vec!["player", "side", "group", "elo"]);
            let mut record = StringRecord::from(values.to_vec());
            record.push_field("12.5");
            let fields = RecordFields::new(&header, &record);
            let row = RatingRow::read(&fields);
            assert_eq!((row.elo, row.elo_lo), (Some(Exact(12.5)), None));
            let half = RatingRow {
                elo_lo: Some(Exact(-3.2)),
                difference: Some(Exact(12.5)),
                difference_lo: Some(Exact(-3.2)),
                difference_hi: Some(Exact(28.2)),
                ..row.clone()
            };
            let below = RatingRow {
                difference: Some(Exact(-22.1)),
                difference_lo: Some(Exact(-42.8)),
                difference_hi: Some(Exact(-0.25)),
                ..half.clone()
            };
            assert_eq!(rating_gap(&below), "-22 (-43 to -0.2)");
            assert_eq!(
                (rating_gap(&row), rating_gap(&half)),
                ("".into(), "+12 (-4 to +29)".into())
            );
            assert_eq!(
                (rating_interval(&row), rating_interval(&half)),
                ("".into(), "at least -4".into())
            );
            player_label(&row)
        };
        assert_eq!(rated(["arsac", "", ""]), "arsac");
        assert_eq!(
            rated(["arsac", "hens", "rule=strict"]),
            "arsac as hens (rule=strict)"
        );
    }

    #[test]
    fn equal_weights_are_not_called_concentrated() {
        let header =
            StringRecord::from(vec!["cell", "metric", "n", "effective_n", "largest_share"]);
        let record = StringRecord::from(vec!["all", "nodes", "20", "20", "0.05"]);
        let row = WeightRow::read(&RecordFields::new(&header, &record));
        assert_eq!(
            weight_warning(&row).unwrap(),
            "all, nodes: all 20 weights are equal, so they do not tell how far their mean may be off"
        );
        let spread = WeightRow {
            spread_share: Some(0.75),
            ..row
        };
        let warning = weight_warning(&spread).unwrap();
        assert!(
            warning.contains("too concentrated") && warning.contains("75.0 %"),
            "{warning}"
        );
    }

    #[test]
    fn weights_that_grow_too_fast_are_called_so() {
        let header = StringRecord::from(vec![
            "n",
            "effective_n",
            "largest_share",
            "spread_share",
            "tail_index",
            "at_least_level",
        ]);
        let record = StringRecord::from(vec!["220", "60", "0.1", "0.4", "0.832", "0.95"]);
        let row = WeightRow::read(&RecordFields::new(&header, &record));
        let warning = weight_warning(&row).unwrap();
        assert!(
            warning.contains("(tail index 0.83; at most 0.57 can be trusted with 220 weights)"),
            "{warning}"
        );
        let short = WeightRow {
            tail_index: Some(0.2),
            ..row
        };
        assert!(
            weight_warning(&short)
                .unwrap()
                .contains("look even, and yet")
        );
    }

    #[test]
    fn a_bound_beyond_10_to_the_16_is_rounded_down() {
        let header = StringRecord::from(vec!["unit", "at_least", "at_least_level"]);
        let told = |bound: &str| {
            let record = StringRecord::from(vec!["nodes", bound, "0.95"]);
            weight_bound(&WeightRow::read(&RecordFields::new(&header, &record)))
        };
        assert_eq!(told("2.0459e18"), "more than 2.045e18 nodes (95 %)");
        assert_eq!(told("9.9999e40"), "more than 9.999e40 nodes (95 %)");
        assert_eq!(told("1234.5"), "more than 1,234 nodes (95 %)");
    }

    fn chance(ahead: f64, ends: Option<Span>) -> String {
        let header = StringRecord::from(vec![
            "unit", "games", "q05", "q50", "q95", "q50_lo", "q50_hi",
        ]);
        let record = StringRecord::from(vec!["$", "10", "-5", "0", "7.5", "-1", "1"]);
        let row = PurseRow {
            ahead: Some(ahead),
            ahead_lo: ends.map(|ends| Exact(ends.lo)),
            ahead_hi: ends.map(|ends| Exact(ends.hi)),
            ..PurseRow::read(&RecordFields::new(&header, &record))
        };
        assert_eq!(median_gain(&row), "$0 (-$1 to $1)");
        assert_eq!(middle_gains(&row), "-$5 to $7.50");
        let open = PurseRow {
            ahead: None,
            q50: None,
            ..row
        };
        assert_eq!(median_gain(&open), "between -$1 and $1");
        assert_eq!(chance_ahead(&open).is_empty(), ends.is_none());
        chance_ahead(&PurseRow {
            ahead: Some(ahead),
            ..open
        })
    }

    #[test]
    fn chances_are_told_as_people_tell_them() {
        assert_eq!(
            chance(0.162, Some(Span::new(0.155, 0.17))),
            "16.2 % (15.5 to 17.0)"
        );
        let narrow = chance(0.10662, Some(Span::new(0.10649, 0.10676)));
        assert_eq!(narrow, "10.66 % (10.64 to 10.68)");
        assert_eq!(
            chance(1.5e-5, Some(Span::new(1e-5, 2.5e-5))),
            "1 in 67,000 (40,000 to 100,000)"
        );
        assert_eq!(
            chance(1e-15, Some(Span::new(1e-16, 1e-14))),
            "less than 1 in 10¹²"
        );
        assert_eq!(chance(0.0, Some(Span::new(0.0, 0.02))), "at most 1 in 50");
        assert_eq!(chance(0.0, None), "less than 1 in 10¹²");
    }

    #[test]
    fn chances_of_games_that_are_not_resolved_lie_between_two() {
        let header = StringRecord::from(vec!["unit", "ahead_lo", "ahead_hi"]);
        let record = StringRecord::from(vec!["$", "0.00816", "0.97999"]);
        let row = PurseRow::read(&RecordFields::new(&header, &record));
        assert_eq!(chance_ahead(&row), "between 0.8 and 98.0 %");
    }
}
