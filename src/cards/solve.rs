//! The verb `solve`: the deals that its options name, and the table of their solutions.

use super::advise::AdviceOptions;
use super::deals::{self, refuse};
use crate::input::{InputFile, integer_within};
use base::{Failure, parse_integer};
use cards::tabletop::{Dealer, deal_stream};
use cards::text::FORMAT;
use clap::{ArgGroup, Args};
use kit::search::Budget;
use task::{Console, TableCell};

/// The options of the verb `solve` that the games of cards share: the deals, and what to tell of
/// them.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("source").required(true).args(["deals", "deal", "seed"])))]
pub struct SolveCards {
    /// A file of deals: a column `deal` in CSV or JSON, or one a line
    #[arg(long, value_name = "FILE", value_parser = InputFile::read)]
    deals: Option<InputFile>,
    #[arg(long, value_name = "DEAL", allow_hyphen_values = true, help = format!("The cards: {FORMAT}"))]
    deal: Option<String>,
    /// Deal sample I of this seed, as an experiment would
    #[arg(long, value_name = "S", value_parser = parse_integer)]
    seed: Option<u64>,
    /// The sample to deal with --seed
    #[arg(
        long,
        value_name = "I",
        default_value = "0",
        value_parser = parse_integer,
        conflicts_with_all = ["deals", "deal"]
    )]
    index: u64,
    /// Nodes allowed per deal [default: unlimited; with --play 10 million for perfect sight]
    #[arg(long, value_name = "N", value_parser = integer_within(1..=u64::MAX))]
    budget_nodes: Option<u64>,
    #[command(flatten)]
    advice: AdviceOptions,
    /// Add a column `svg` with a picture of the deal
    #[arg(long)]
    svg: bool,
}

/// The nodes that perfect sight of a deal that is played may cost.
const SIGHT: Budget = Budget::nodes(10_000_000);

impl SolveCards {
    /// The nodes that the solution of a deal may cost.
    pub fn budget(&self) -> Budget {
        let usual = match self.advice.play {
            Some(_) => SIGHT,
            None => Budget::UNLIMITED,
        };
        self.budget_nodes.map_or(usual, Budget::nodes)
    }

    /// Solves the deals that the options name, lets a player play them, or advises on the only one.
    ///
    /// # Errors
    /// If a deal or a move cannot be read.
    pub fn run<D: Dealer<Dealt: Clone>, S: SolvedCards>(
        &self,
        dealer: &D,
        console: &mut dyn Console,
        columns: &[&str],
        solve: impl FnMut(D::Dealt) -> S,
    ) -> Result<(), Failure> {
        self.check()?;
        let chosen = self.chosen(dealer)?;
        let seed = self.seed.unwrap_or(1);
        if let Some(plays) = self.advice.plays::<D::Seat>(seed)? {
            plays.run::<D, S>(chosen, console, solve);
            return Ok(());
        }
        if self.advice.is_asked() {
            let otherwise = self.guessed_otherwise(dealer)?.map(D::seat);
            let mut seats = chosen.into_iter().map(|(_, dealt)| D::seat(dealt));
            return seats.try_for_each(|seat| {
                let game = self.advice.replay(&seat, otherwise.as_ref())?;
                self.advice
                    .advise(&seat, &game, (seed, self.index), console)
            });
        }
        self.solve_all(console, columns, chosen, solve);
        Ok(())
    }

    /// The game of `--deal` with its guessed cards in other places, if it has any.
    fn guessed_otherwise<D: Dealer>(&self, dealer: &D) -> Result<Option<D::Dealt>, Failure> {
        let Some(text) = &self.deal else {
            return Ok(None);
        };
        let table = dealer.read(text).map_err(refuse("--deal"))?;
        let other = table.guessed_otherwise();
        let dealt = other.map(|other| dealer.lay_out(&other));
        dealt.transpose().map_err(refuse("--deal"))
    }

    /// Refuses options that advice on one deal cannot use.
    fn check(&self) -> Result<(), Failure> {
        let idle = [
            ("--deals", self.deals.is_some()),
            ("--budget-nodes", self.budget_nodes.is_some()),
        ];
        match idle
            .into_iter()
            .find(|&(_, is_given)| is_given && self.advice.is_asked())
        {
            Some((option, _)) => {
                let message = format!("{option} cannot be used with advice on one deal");
                let help = "add --play PLAYER to have each deal played to its end";
                Err(Failure::input(option, message, help))
            }
            None => Ok(()),
        }
    }

    /// The deals of `--deals FILE`, `--deal DEAL`, or `--seed S` with
    /// `--index I`, each with its place in the file or the index of its sample.
    fn chosen<D: Dealer>(&self, dealer: &D) -> Result<Vec<(u64, D::Dealt)>, Failure> {
        let read = |place: &str, text: &str| {
            let table = match dealer.read(text) {
                Ok(table) if !self.advice.is_asked() => table.all_known(),
                table => table,
            };
            let dealt = table.and_then(|table| dealer.lay_out(&table));
            dealt.map_err(refuse(place))
        };
        match (&self.deals, &self.deal) {
            (Some(file), _) => {
                let texts = deals::read(file, |line| dealer.read(line).is_ok())?;
                let dealt = |(index, (line, text)): (u64, (u64, String))| {
                    let place = format!("{}:{line}", file.path);
                    Ok((index, read(&place, &text)?))
                };
                (0..).zip(texts).map(dealt).collect()
            }
            (_, Some(text)) => Ok(vec![(self.index, read("--deal", text)?)]),
            (None, None) => {
                let seed = self.seed.unwrap_or_default();
                let dealt = dealer.deal(&mut deal_stream((seed, self.index)));
                Ok(vec![(self.index, dealt)])
            }
        }
    }

    /// Writes the table of solutions; a deal that is not from a file is drawn with its moves.
    fn solve_all<D, S: SolvedCards>(
        &self,
        console: &mut dyn Console,
        columns: &[&str],
        chosen: Vec<(u64, D)>,
        mut solve: impl FnMut(D) -> S,
    ) {
        // Drawings show the moves.
        let moves = !console.shows_drawings();
        let more = [moves.then_some("moves"), self.svg.then_some("svg")];
        let more = more.iter().flatten();
        console.columns(&columns.iter().chain(more).copied().collect::<Vec<_>>());
        for (index, dealt) in chosen {
            let solution = solve(dealt);
            let more = [
                moves.then(|| solution.moves().into()),
                self.svg.then(|| solution.picture().into()),
            ];
            let cells = [index.into()].into_iter().chain(solution.cells());
            console.row(&cells.chain(more.into_iter().flatten()).collect::<Vec<_>>());
            if self.deals.is_none() {
                show(&solution, console);
            }
        }
    }
}

/// The solution of a deal, and how a person is told of it.
pub trait SolvedCards {
    /// The numbers of the table, but for the index.
    fn cells(&self) -> Vec<TableCell>;

    /// Returns whether the deal can be won, if it is decided.
    fn is_win(&self) -> Option<bool>;

    /// Returns whether it is proved that no moves score more than these.
    fn is_best(&self) -> bool;

    /// The moves as they are typed.
    fn moves(&self) -> String;

    /// The deal as a picture.
    fn picture(&self) -> String;

    /// The deal, its moves in words, and the board at their end.
    fn story(&self) -> (String, Vec<String>, String);
}

fn show(solution: &impl SolvedCards, console: &mut dyn Console) {
    let (deal, moves, end) = solution.story();
    console.draw(&deal);
    let moves = moves.join(", ");
    console.draw(&match (moves.is_empty(), solution.is_best()) {
        (true, true) => "No sequence of moves improves the score.".to_owned(),
        (true, false) => {
            "No moves were found that improve the score, but there may be some.".to_owned()
        }
        (false, true) => format!("{moves}\n\n{end}"),
        (false, false) => {
            format!("{moves}\n\n{end}\n\nIt is not proved that no other moves score more.")
        }
    });
}
