//! Games that a player plays to their ends, one for each deal, with perfect sight beside them.

use super::solve::SolvedCards;
use base::counted;
use cards::DECK;
use cards::advice::CardPlayer;
use cards::tabletop::{Dealer, PlayedOut, Tabletop, draws};
use stats::{Interval, Level, Proportion, Span, outward_ends};
use task::{Console, TableCell};

const COLUMNS: [&str; 5] = ["index", "result", "cards", "length", "sight"];

/// A player, and the seed of its draws.
pub struct Plays<'a> {
    /// The player.
    pub player: &'a CardPlayer,
    /// The seed: on a deal of an experiment with this seed it plays the same game as there.
    pub seed: u64,
}

/// The deals so far, and how they ended.
#[derive(Default)]
struct GameTally {
    deals: u64,
    won: u64,
    /// The games that are won if every card is seen.
    winnable: u64,
    /// The games that the budget leaves undecided.
    undecided: u64,
}

impl Plays<'_> {
    /// Plays each deal, drawing as sample `index` of an experiment, and solves it.
    pub fn run<D: Dealer<Dealt: Clone>, S: SolvedCards>(
        &self,
        chosen: Vec<(u64, D::Dealt)>,
        console: &mut dyn Console,
        mut solve: impl FnMut(D::Dealt) -> S,
    ) {
        let has_moves = !console.shows_drawings();
        let columns = COLUMNS.into_iter().chain(has_moves.then_some("moves"));
        console.columns(&columns.collect::<Vec<_>>());
        let draws = draws(self.seed, self.player);
        let mut tally = GameTally::default();
        for (index, dealt) in chosen {
            let game = D::seat(dealt.clone()).play_out(self.player, (&draws, index));
            // Who wins without sight can win with it.
            let sight = if is_won(&game) {
                Some(true)
            } else {
                solve(dealt).is_win()
            };
            tally.add(&game, sight);
            let moves = has_moves.then(|| game.moves.clone().into());
            console.row(
                &row(index, &game, sight)
                    .into_iter()
                    .chain(moves)
                    .collect::<Vec<_>>(),
            );
        }
        console.totals(&tally.totals());
        console.note(&tally.told(self.player));
    }
}

fn row(index: u64, game: &PlayedOut, sight: Option<bool>) -> [TableCell; 5] {
    [
        index.into(),
        result(Some(is_won(game))).into(),
        game.score.into(),
        game.length.into(),
        result(sight).into(),
    ]
}

/// The end of a game in a word.
pub fn result(is_win: Option<bool>) -> &'static str {
    match is_win {
        Some(true) => "win",
        Some(false) => "lose",
        None => "unknown",
    }
}

fn is_won(game: &PlayedOut) -> bool {
    game.score >= u32::from(DECK)
}

impl GameTally {
    fn add(&mut self, game: &PlayedOut, sight: Option<bool>) {
        self.deals += 1;
        self.won += u64::from(is_won(game));
        self.winnable += u64::from(sight == Some(true));
        self.undecided += u64::from(sight.is_none());
    }

    fn interval(&self, won: u64, undecided: u64) -> Option<Interval> {
        Proportion::new(won, undecided, self.deals)?.clopper_pearson(Level::DEFAULT)
    }

    fn won(&self) -> Option<Interval> {
        self.interval(self.won, 0)
    }

    fn winnable(&self) -> Option<Interval> {
        self.interval(self.winnable, self.undecided)
    }

    fn totals(&self) -> [(&'static str, TableCell); 9] {
        let ends = |interval: Option<Interval>| {
            let ends = interval
                .map(Interval::written)
                .map(|interval| [interval.lo, interval.hi]);
            [0, 1].map(|end| TableCell::exact(ends.map(|ends| ends[end])))
        };
        let ([lo, hi], [sight_lo, sight_hi]) = (ends(self.won()), ends(self.winnable()));
        [
            ("deals", self.deals.into()),
            ("wins", self.won.into()),
            ("wins_lo", lo),
            ("wins_hi", hi),
            ("winnable", self.winnable.into()),
            ("winnable_lo", sight_lo),
            ("winnable_hi", sight_hi),
            ("undecided", self.undecided.into()),
            ("level", Level::DEFAULT.get().into()),
        ]
    }

    fn told(&self, player: &CardPlayer) -> String {
        let (Some(won), Some(winnable)) = (self.won(), self.winnable()) else {
            return "There are no deals.".to_owned();
        };
        let (deals, decided) = (counted(self.deals, "deal"), self.deals - self.undecided);
        format!(
            "{player} won {} of {deals} ({}); with every card in sight {} can be won ({}), as far as the budget \
             decided: {decided} of {}. The intervals are for deals such as these, at {} %.",
            self.won,
            percent(won),
            self.winnable,
            percent(winnable),
            self.deals,
            100.0 * Level::DEFAULT.get(),
        )
    }
}

/// The limits of a share, outwards.
fn percent(interval: Interval) -> String {
    let Span { lo, hi } = outward_ends(interval.ends().map(|end| 100.0 * end), 0.1);
    format!("{lo:.1} to {hi:.1} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(score: u32) -> PlayedOut {
        PlayedOut {
            score,
            moves: String::new(),
            length: 0,
        }
    }

    /// The limits are those of `stats ci` for 1 and 2 to 3 of 4.
    #[test]
    fn wins_are_told_with_their_interval_and_what_was_not_decided() {
        let mut tally = GameTally::default();
        let player: CardPlayer = "greedy".parse().unwrap();
        assert_eq!(tally.told(&player), "There are no deals.");
        for (score, sight) in [
            (52, Some(true)),
            (51, Some(true)),
            (3, None),
            (0, Some(false)),
        ] {
            tally.add(&game(score), sight);
        }
        assert_eq!(
            tally.told(&player),
            "greedy won 1 of 4 deals (0.6 to 80.6 %); with every card in sight 2 can be won (6.7 to 99.4 %), as \
             far as the budget decided: 3 of 4. The intervals are for deals such as these, at 95 %."
        );
        let totals = tally
            .totals()
            .map(|(name, cell)| format!("{name} {cell:?}"));
        assert_eq!(totals[4], "winnable Integer(2)");
        assert_eq!(totals[7], "undecided Integer(1)");
    }
}
