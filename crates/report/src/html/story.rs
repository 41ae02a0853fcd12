//! The story of a game for money, as a player meets it.

use super::gallery::Tab;
use crate::plot;
use crate::results::Results;
use crate::rows::chance_ahead;
use base::counted;
use experiment::WagerTable;
use figures::quantity;
use lab::tables::PurseRow;
use stats::{GainShare, PayoffDistribution};

/// Games between one and many.
const FEW: u64 = 10;

/// The plots of one game, of a few and of many in the cell that the wager names, if a game costs something.
pub(super) fn story(results: &Results) -> Option<Vec<Tab>> {
    let wager = results.config.wager.as_ref()?;
    let first = results.cells().first().copied();
    let cell = wager.cell.as_deref().or(first)?;
    let unit = results.row(cell, &wager.metric)?.unit.as_str();
    let payments = results.least_counts(cell, &wager.metric);
    let game = PayoffDistribution::of(payments, wager.stake)?;
    let told = |games: u64| {
        let mut purses = results.purses.iter();
        let purse = purses.find(|row| row.cell == cell && row.games == games);
        tab(&game, (games, wager, unit), purse)
    };
    let mut numbers = vec![1, FEW.min(wager.games), wager.games];
    numbers.dedup();
    Some(numbers.into_iter().filter_map(told).collect())
}

/// The plot of a number of games with a sentence on them.
fn tab(
    game: &PayoffDistribution,
    (games, wager, unit): (u64, &WagerTable, &str),
    purse: Option<&PurseRow>,
) -> Option<Tab> {
    let (title, caption, gains) = match games {
        1 => (one_title(wager, unit), one_game(game), game.clone()),
        games => {
            let caption = purse.and_then(|purse| after(purse, wager, unit));
            let title = format!("Net result of {games} games");
            (title, caption.unwrap_or_default(), game.after(games)?)
        }
    };
    let points: Vec<GainShare> = gains.points().collect();
    let plot = plot::gains(&title, &points, unit)?;
    Some(Tab {
        label: counted(games, "game"),
        plot: plot::Plot { caption, ..plot },
    })
}

fn one_title(wager: &WagerTable, unit: &str) -> String {
    match wager.stake {
        0.0 => "Net result of one game".to_owned(),
        stake => format!("Net result of one {} game", quantity(stake, 0, unit)),
    }
}

fn one_game(game: &PayoffDistribution) -> String {
    match of_a_hundred(game.outcomes()) {
        [lost, 0, won] => format!("Of 100 games, you lose money in {lost} and win money in {won}."),
        [lost, even, won] => format!(
            "Of 100 games, you lose money in {lost}, get your stake back in {even} and win money \
             in {won}."
        ),
    }
}

/// Converts shares to whole parts of a hundred that sum to a hundred: largest remainders first.
fn of_a_hundred(shares: [f64; 3]) -> [u32; 3] {
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

/// The sentence on many games, with the chance's interval; `None` where there is none.
fn after(purse: &PurseRow, wager: &WagerTable, unit: &str) -> Option<String> {
    let money = |amount: f64| quantity(amount, 0, unit);
    let (median, chance) = (purse.q50?.0, purse.ahead.map(|_| chance_ahead(purse))?);
    let cost = match wager.stake * purse.games as f64 {
        0.0 => String::new(),
        cost => format!(", which cost {},", money(cost)),
    };
    let half = if median < 0.0 {
        format!("half of all players have lost {} or more", money(-median))
    } else {
        format!("half of all players have won {} or less", money(median))
    };
    Some(format!(
        "After {} games{cost} {half}. The middle 90 % of players end between {} and {}; the chance to be ahead is {chance}.",
        purse.games,
        money(purse.q05?.0),
        money(purse.q95?.0),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::results;
    use lab::tables::HistogramRow;

    /// Two cells of which the wager is about the second, where every flip pays.
    #[test]
    fn the_player_is_the_one_of_the_cell_that_the_wager_names() {
        let mut results = results();
        let mut other = results.row("all", "run").unwrap().clone();
        other.cell = "bent".into();
        results.summary.push(other);
        let bent = |bin: &HistogramRow| HistogramRow {
            cell: "bent".into(),
            unresolved_from: 0,
            ..bin.clone()
        };
        let bent: Vec<HistogramRow> = results.histograms[1..].iter().map(bent).collect();
        results.histograms.extend(bent);
        results.config.wager = Some(WagerTable {
            metric: "run".into(),
            stake: 0.5,
            games: 7,
            cell: Some("bent".into()),
        });
        let told = |results: &Results| story(results).unwrap().remove(0).plot.caption;
        assert!(told(&results).starts_with("Of 100 games, you lose money in 0"));
        results.config.wager.as_mut().unwrap().cell = None;
        assert!(told(&results).starts_with("Of 100 games, you lose money in 53"));
    }

    #[test]
    fn outcomes_sum_to_a_hundred() {
        assert_eq!(of_a_hundred([0.8867, 0.0065, 0.1068]), [89, 0, 11]);
        assert_eq!(of_a_hundred([1.0 / 3.0; 3]).iter().sum::<u32>(), 100);
    }
}
