//! The verb `review`: was it you or the cards?

use super::review_task::finisher;
use super::settings::GivenRules;
use crate::cards::advise::player;
use crate::cards::deals::refuse;
use base::{Failure, parse_integer, threads};
use cards::advice::CardPlayer;
use cards::tabletop::{Dealer, Tabletop, deal_stream};
use cards::text::FORMAT;
use clap::{ArgGroup, Args};
use kit::search::hidden::HiddenGame;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use solitaire::players::{PlayerMemory, single_moves};
use solitaire::review::{
    Finisher, Inquiry, Record, ReviewAnswer, ReviewReport, ReviewWork, Workers,
};
use solitaire::round::Round;
use solitaire::rules::Rules;
use solitaire::seat::SolitaireSeat;
use stats::Span;
use task::{Console, TableCell, VerbOptions};

/// `etude review solitaire`.
#[derive(Debug, Args)]
#[command(
    about = "Was it you or the cards? What your moves and what luck did to the result of a game",
    group(ArgGroup::new("source").required(true).args(["deal", "seed"])),
    after_help = "Examples:
  etude review solitaire --seed 7 --index 3 --moves \"d; d; w 5; 4 f\"
      a game on the deal that `etude play solitaire --seed 7 --index 3` deals
  etude review solitaire --deal \"...\" --moves \"...\" --playouts 100 --format json
      sooner and with wider intervals, as data"
)]
pub struct ReviewSolitaire {
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
    /// The player that the game is measured against: `turns(PLAYER)` or `macros(PLAYER)`
    #[arg(long, value_name = "PLAYER", value_parser = player, default_value_t = Finisher::FOR_PEOPLE.player().clone())]
    finisher: CardPlayer,
    /// The seed of the imagined worlds
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_integer)]
    review_seed: u64,
    #[command(flatten)]
    rules: GivenRules,
}

fn playouts(text: &str) -> Result<u64, String> {
    let number = parse_integer(text)?;
    let is_meant = (2..=1_000_000).contains(&number);
    is_meant
        .then_some(number)
        .ok_or_else(|| "give a number from 2 to 1000000".to_owned())
}

impl VerbOptions for ReviewSolitaire {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let record = self.record()?;
        let finisher = finisher("finisher", self.finisher.clone())?;
        let inquiry = Inquiry {
            record: &record,
            finisher: &finisher,
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

impl ReviewSolitaire {
    fn record(&self) -> Result<Record, Failure> {
        let seat = SolitaireSeat(self.start(self.rules.rules()?)?);
        let (mut round, mut plays) = (seat.0, Vec::new());
        let lines = self.moves.split(SolitaireSeat::BETWEEN_MOVES);
        let lines = lines.map(|line| line.trim().to_lowercase());
        for (line, number) in lines.filter(|line| !line.is_empty()).zip(1..) {
            let play = seat.read(&round, &line).ok_or_else(|| {
                let message = format!("move {number}, `{line}`, cannot be played there");
                let help = "give the moves from the deal on, written as `play` takes them, with `;` between them";
                Failure::input("--moves", message, help)
            })?;
            seat.game().play(&mut round, play);
            plays.push(play);
        }
        Ok(Record::cut(seat.0, &single_moves(seat.0, &plays)))
    }

    /// The round that the game began with.
    fn start(&self, rules: Rules) -> Result<Round, Failure> {
        let Some(text) = &self.deal else {
            let number = (self.seed.unwrap_or_default(), self.index);
            return Ok(rules.deal(&mut deal_stream(number)).round);
        };
        let table = rules.read(text).and_then(|table| table.all_known());
        let dealt = table.and_then(|table| rules.lay_out(&table));
        let written = dealt.map_err(refuse("--deal"))?;
        match written.deal {
            Some(_) => Ok(written.round),
            None => Err(Failure::input(
                "--deal",
                "a review begins with the deal, and this is a game in progress",
                "give the deal as it was before the first move, and all moves",
            )),
        }
    }
}

/// Threads share the work.
struct Threads(ThreadPool);

impl Workers for Threads {
    fn answers(
        &mut self,
        inquiry: &Inquiry<'_>,
        work: ReviewWork,
        count: u64,
    ) -> Vec<ReviewAnswer> {
        let numbers = (0..count).into_par_iter();
        let answers = numbers.map_init(PlayerMemory::default, |memory, number| {
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
        ("par", report.replays.into()),
        ("decisions", report.decisions.into()),
        ("playouts", report.playouts.into()),
    ]);
    for line in report.lines() {
        console.note(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solitaire::play::PlaySolitaire;
    use base::FailureKind;
    use task::{Script, Verb};

    fn review(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<ReviewSolitaire>("review"), options)
    }

    /// Seed 3, sample 0: three draws, and then the person stops.
    #[test]
    fn a_review_is_the_same_after_the_game_and_by_itself_and_adds_up() {
        let verb = Verb::new::<PlaySolitaire>("play");
        let script = Script::answering(&["d", "d", "d", "quit"]);
        let played = script.run(&verb, &["--seed=3"]).unwrap();
        let options = [
            "--seed=3",
            "--moves=draw; d;d",
            "--playouts=50",
            "--review-seed=3",
        ];
        let reviewed = review(&options).unwrap();
        assert!(
            played.notes.ends_with(&reviewed.notes),
            "{:?}",
            played.notes
        );
        assert_eq!(
            reviewed.column(0)[..4],
            ["start", "cards", "play", "result"]
        );
        let hundredths = |text: &String| (100.0 * text.parse::<f64>().unwrap()).round() as i64;
        let values: Vec<i64> = reviewed.column(1)[..4].iter().map(hundredths).collect();
        assert_eq!(values[0] + values[1] + values[2], values[3]);
        assert!(reviewed.heard("You lost: 0 of 52 cards on the foundations."));
        let par = "par of this deal: a player who sees what you see wins it ";
        assert!(reviewed.heard(par));
    }

    #[test]
    fn a_game_that_cannot_be_reviewed_is_refused_at_its_place() {
        let refused = |options: &[&str]| {
            let error = review(options).err().unwrap();
            (error.place, error.message)
        };
        let (place, message) = refused(&["--seed=3", "--moves=d; 1 7; d"]);
        assert_eq!(place, "--moves");
        assert_eq!(message, "move 2, `1 7`, cannot be played there");
        let begun = "foundations: KH KD JC JS | KC | KS | -- | -- | -- | -- | -- | QC QS";
        assert_eq!(refused(&["--moves=d", "--deal", begun]).0, "--deal");
        let hidden = "--deal=foundations: KH KD JC JS | KC | KS | -- | -- | -- | -- | -- | ?? ??";
        assert_eq!(refused(&["--moves=d", hidden]).0, "--deal");
        let finisher = refused(&["--seed=3", "--moves=d", "--finisher=greedy"]);
        assert_eq!(finisher.0, "--finisher");
        for options in [
            &["--moves=d"][..],
            &["--seed=3", "--moves=d", "--playouts=1"],
        ] {
            assert_eq!(review(options).err().unwrap().kind, FailureKind::Usage);
        }
    }
}
