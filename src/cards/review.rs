//! The verb `review` of the card games: was it you or the cards?

use super::deals::refuse;
use base::{Failure, parse_integer, threads};
use cards::review::{
    Finisher, Inquiry, REPLAYS, Record, ReviewAnswer, ReviewReport, ReviewWork, ReviewedGame,
    Workers,
};
use cards::tabletop::{Dealer, MoveOf, Tabletop, deal_stream, read_moves};
use cards::text::FORMAT;
use clap::{ArgGroup, Args};
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use stats::Span;
use task::{Console, TableCell};

/// The game to review, and how exactly.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("source").required(true).args(["deal", "seed"])))]
pub struct ReviewOptions {
    #[arg(long, value_name = "DEAL", allow_hyphen_values = true, help = format!("The cards, all of them: {FORMAT}"))]
    deal: Option<String>,
    /// Deal sample I of this seed, as an experiment would
    #[arg(long, value_name = "S", value_parser = parse_integer)]
    seed: Option<u64>,
    /// The sample to deal with --seed
    #[arg(long, value_name = "I", default_value = "0", value_parser = parse_integer, conflicts_with = "deal")]
    index: u64,
    /// The moves of the game, as `play` takes them and `solve` writes them, with `;` between them
    #[arg(long, value_name = "MOVES")]
    moves: String,
    /// Imagined worlds in which each decision is measured: four times as many make intervals half as wide
    #[arg(long, value_name = "N", default_value = "400", value_parser = playouts)]
    playouts: u64,
    /// The seed of the imagined worlds
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_integer)]
    review_seed: u64,
}

fn playouts(text: &str) -> Result<u64, String> {
    let number = parse_integer(text)?;
    let is_meant = (2..=1_000_000).contains(&number);
    is_meant
        .then_some(number)
        .ok_or_else(|| "give a number from 2 to 1000000".to_owned())
}

/// The refusal of a game that is given from its middle.
pub fn refuse_middle() -> Failure {
    Failure::input(
        "--deal",
        "a review begins with the deal, and this is a game in progress",
        "give the deal as it was before the first move, and all moves",
    )
}

impl ReviewOptions {
    /// A deal under some rules.
    ///
    /// # Errors
    /// If the deal cannot be read, or has unknown cards.
    pub fn dealt<D: Dealer>(&self, dealer: &D) -> Result<D::Dealt, Failure> {
        let Some(text) = &self.deal else {
            let number = (self.seed.unwrap_or_default(), self.index);
            return Ok(dealer.deal(&mut deal_stream(number)));
        };
        let table = dealer.read(text).and_then(|table| table.all_known());
        let dealt = table.and_then(|table| dealer.lay_out(&table));
        dealt.map_err(refuse("--deal"))
    }

    /// The moves of the game.
    ///
    /// # Errors
    /// If one cannot be played.
    pub fn plays<T: Tabletop>(&self, seat: &T) -> Result<Vec<MoveOf<T>>, Failure> {
        read_moves(seat, &self.moves).map_err(|unplayable| {
            let help = "give the moves from the deal on, written as `play` takes them, with `;` between them";
            Failure::input("--moves", unplayable.to_string(), help)
        })
    }

    /// Reviews a game, and tells what was found.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn review<F>(
        &self,
        record: &Record<F::Game>,
        finisher: &F,
        console: &mut dyn Console,
    ) -> Result<(), Failure>
    where
        F: Finisher + Sync,
        Record<F::Game>: Sync,
        <F::Game as ReviewedGame>::Single: Send,
    {
        let inquiry = Inquiry {
            record,
            finisher,
            playouts: self.playouts,
            seed: self.review_seed,
        };
        console.progress("reviewing the game");
        let mut workers = Threads(threads::pool(0).map_err(Failure::failed)?);
        if let Some(report) = inquiry.answer(&mut workers) {
            tell(&report, console);
        }
        Ok(())
    }
}

/// Threads share the work.
struct Threads(ThreadPool);

impl<F> Workers<F> for Threads
where
    F: Finisher + Sync,
    Record<F::Game>: Sync,
    <F::Game as ReviewedGame>::Single: Send,
{
    fn answers(
        &mut self,
        inquiry: &Inquiry<'_, F>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer<<F::Game as ReviewedGame>::Single>> {
        let numbers = (0..count).into_par_iter();
        let answers = numbers.map_init(F::Memory::default, |memory, number| {
            inquiry.measure(work, number, memory)
        });
        self.0.install(|| answers.collect())
    }
}

/// Steps of the table's numbers, of a point or dollar.
const STEPS: u32 = 100;

fn tell(report: &ReviewReport, console: &mut dyn Console) {
    console.columns(&["part", "value", "lo", "hi", "played", "better"]);
    let exact = |steps: i64| TableCell::Exact(steps as f64 / f64::from(STEPS));
    let scaled = |value: f64| exact((value * report.scale() * f64::from(STEPS)).round() as i64);
    let ends = |ends: Span| ends.to_array().map(scaled);
    let empty = || [TableCell::Empty, TableCell::Empty];
    let mut row = |part: String, value, ends: [TableCell; 2], moves: [TableCell; 2]| {
        let cells = [part.into(), value].into_iter().chain(ends).chain(moves);
        console.row(&cells.collect::<Vec<_>>());
    };
    let parts = report.parts(STEPS);
    for (name, value, ends) in [
        ("start", parts.start, ends(report.start.interval)),
        ("cards", parts.cards, ends(report.luck.interval)),
        ("play", parts.play, ends(report.play.interval)),
        ("result", parts.result, empty()),
    ] {
        row(name.to_owned(), exact(value), ends, empty());
    }
    for mistake in &report.mistakes {
        let moves = [mistake.played.clone().into(), mistake.better.clone().into()];
        let gain = mistake.gain;
        let part = format!("move {}", mistake.number);
        row(part, scaled(gain.mean), ends(gain.interval), moves);
    }
    console.totals(&[
        ("foundation", report.cards.into()),
        ("par", scaled(report.replays as f64 / REPLAYS as f64)),
        ("decisions", report.decisions.into()),
        ("playouts", report.playouts.into()),
    ]);
    for line in report.lines() {
        console.note(&line);
    }
}
