//! The verb `make`: deals with a proven result, and graded by what a player without sight wins.
//!
//! Deal `i` of a seed is sample `i` of an experiment with this seed. Threads examine the deals one after the other,
//! and what they find is taken in that order: the result does not depend on them.

use super::settings::GivenRules;
use crate::cards::games::result;
use base::{Failure, count, counted, parse_integer, threads};
use cards::tabletop::deal_stream;
use clap::Args;
use kit::search::Budget;
use rayon::ThreadPool;
use solitaire::deal::Deal;
use solitaire::exact::Solver;
use solitaire::grade::{self, DealGrade, GradedDeal, play_until_graded};
use solitaire::players::PlayerMemory;
use solitaire::rules::{DeckShape, Rules};
use solitaire::table::CardTable;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use strum::{EnumCount, IntoEnumIterator};
use task::{Console, TableCell, VerbOptions, by_name};

/// `etude make solitaire`.
#[derive(Debug, Args)]
#[command(
    about = "Make deals that are proved to be winnable, or to be lost",
    long_about = long_about(),
    after_help = EXAMPLES
)]
pub struct MakeSolitaire {
    /// Deals that can be won with every card known; without this and --lost, any that is proved
    #[arg(long)]
    winnable: bool,
    /// Deals that cannot be won
    #[arg(long, conflicts_with = "winnable")]
    lost: bool,
    #[arg(long, value_parser = by_name::<DealGrade>(), help = grade_help())]
    grade: Option<DealGrade>,
    /// The number of deals
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer)]
    count: u64,
    /// The seed of the deals: the samples of an experiment, one after the other
    #[arg(long, value_name = "S", default_value = "1", value_parser = parse_integer)]
    seed: u64,
    /// Nodes allowed for the proof of a deal
    #[arg(long, value_name = "N", default_value = "1e7", value_parser = parse_integer)]
    budget_nodes: u64,
    #[command(flatten)]
    rules: GivenRules,
}

const EXAMPLES: &str = "Examples:
  etude make solitaire --winnable --count 20 --format csv > deals.csv
      twenty deals that can be won; `etude solve solitaire --deals deals.csv` solves them
  etude make solitaire --winnable --grade hard --rules draw-1 --seed 7
      a deal that is seldom won without sight; `etude play solitaire --rules draw-1 --seed 7 --index I` plays deal I
  etude make solitaire --lost --count 5 --format json
      five deals that nobody can win, as data";

fn long_about() -> String {
    format!(
        "Make deals that are proved to be winnable, or to be lost

The exact search proves each result. A deal that it does not decide within --budget-nodes is passed over, \
and standard error says how many were.

The grade of a deal is the share of its games that {player} wins. That player sees only what you see \
and guesses the hidden cards at random, so it wins one and the same deal in some games and not in others. It plays \
the deal until an interval of that share at {level} % lies within the grade or beside it. A deal of which {most} games \
do not tell is passed over.",
        player = grade::PLAYER,
        level = 100.0 * grade::LEVEL.get(),
        most = grade::MOST_GAMES,
    )
}

fn grade_help() -> String {
    let grades = grade::grades_in_words();
    format!(
        "Winnable deals by the share of their games that a player without sight wins ({grades})"
    )
}

/// The columns of graded deals.
const GRADE_COLUMNS: [&str; 6] = ["grade", "games", "won", "rate", "lower", "upper"];

impl VerbOptions for MakeSolitaire {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let wanted = self.wanted()?;
        let threads = threads::pool(0).map_err(Failure::failed)?;
        wanted.make(self.count, &threads, console)
    }
}

impl MakeSolitaire {
    fn wanted(&self) -> Result<Wanted, Failure> {
        if self.grade.is_some() && !self.winnable {
            let message = "a grade is the share of games that are won, and only a deal that can be won has games to win";
            return Err(Failure::input(
                "--grade",
                message,
                "add --winnable, without --lost",
            ));
        }
        Ok(Wanted {
            seed: self.seed,
            rules: self.rules.rules()?,
            is_win: (self.winnable || self.lost).then_some(self.winnable),
            grade: self.grade,
            nodes: self.budget_nodes,
        })
    }
}

/// The deals that are wanted.
struct Wanted {
    seed: u64,
    rules: Rules,
    /// The result; `None` if it may be either.
    is_win: Option<bool>,
    grade: Option<DealGrade>,
    /// The nodes that the proof of a deal may cost.
    nodes: u64,
}

/// The memory of a thread.
#[derive(Default)]
struct ExaminerMemory {
    solver: Solver,
    player: PlayerMemory,
}

/// A deal as it is wanted.
struct MadeDeal {
    deal: Deal,
    is_win: bool,
    graded: Option<GradedDeal>,
}

/// The reasons for which a deal is passed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumCount, strum::EnumIter)]
enum PassedOver {
    /// The other result is proved.
    OtherResult,
    /// Neither result is proved.
    Undecided,
    /// The share of games won lies outside the grade.
    OtherGrade,
    /// The share of games won may lie inside the grade or outside it.
    Ungraded,
}

/// The deals that are passed over one after the other until no further one is tried.
const MOST_IN_VAIN: u64 = 10_000;

impl Wanted {
    /// A reason to pass deals over, after their number.
    fn told(&self, reason: PassedOver) -> String {
        match reason {
            PassedOver::OtherResult if self.is_win == Some(true) => "cannot be won".to_owned(),
            PassedOver::OtherResult => "can be won".to_owned(),
            PassedOver::Undecided => format!("not decided within {}", counted(self.nodes, "node")),
            PassedOver::OtherGrade => "of another grade".to_owned(),
            PassedOver::Ungraded => format!(
                "too close to another grade to tell after {} games",
                count(grade::MOST_GAMES)
            ),
        }
    }

    /// Makes so many deals, a row for each, and says how many were tried.
    ///
    /// # Errors
    /// If they are so rare that [`MOST_IN_VAIN`] in a row are passed over.
    fn make(
        &self,
        most: u64,
        threads: &ThreadPool,
        console: &mut dyn Console,
    ) -> Result<(), Failure> {
        let mut tried = ExaminedDeals::default();
        console.columns(&self.columns());
        let examine = |memory: &mut ExaminerMemory, index| self.examine(memory, index);
        let take = |index, found: Result<MadeDeal, PassedOver>| {
            tried.count(&found);
            if let Ok(made) = found {
                console.row(&self.row(index, &made));
            }
            console.progress(&tried.in_words(self));
            if tried.made < most && tried.in_vain < MOST_IN_VAIN {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        if most > 0 {
            in_order(threads, examine, take);
        }
        console.note(&format!("{}.", tried.in_words(self)));
        if tried.made < most {
            let message = format!(
                "none of {} in a row is wanted",
                counted(MOST_IN_VAIN, "deal")
            );
            let help = "ask for another result or grade, for other rules or another seed, or allow more --budget-nodes";
            return Err(Failure::capped(message).with_help(help));
        }
        Ok(())
    }

    /// Finds out whether a deal is as it is wanted.
    fn examine(&self, memory: &mut ExaminerMemory, index: u64) -> Result<MadeDeal, PassedOver> {
        let deal = Deal::draw(DeckShape::FULL, &mut deal_stream((self.seed, index)));
        let table = CardTable::new(&deal, self.rules);
        let solution = memory.solver.decide(&table, Budget::nodes(self.nodes));
        let is_win = solution.is_win().ok_or(PassedOver::Undecided)?;
        if self.is_win.is_some_and(|wanted| wanted != is_win) {
            return Err(PassedOver::OtherResult);
        }
        let play = |grade| play_until_graded(&deal, self.rules, grade, &mut memory.player);
        let graded = self.grade.and_then(play);
        match graded.map(|graded| graded.is_of_grade) {
            Some(None) => Err(PassedOver::Ungraded),
            Some(Some(false)) => Err(PassedOver::OtherGrade),
            None | Some(Some(true)) => Ok(MadeDeal {
                deal,
                is_win,
                graded,
            }),
        }
    }

    fn columns(&self) -> Vec<&'static str> {
        let grades = self.grade.map_or(&[][..], |_| &GRADE_COLUMNS);
        [&["index", "result"], grades, &["deal"]].concat()
    }

    fn row(&self, index: u64, made: &MadeDeal) -> Vec<TableCell> {
        let mut row = vec![index.into(), result(Some(made.is_win)).into()];
        if let (Some(grade), Some(graded)) = (self.grade, made.graded) {
            let share = graded.share.written();
            row.extend([
                grade.as_ref().into(),
                graded.games.into(),
                graded.won.into(),
                (graded.won as f64 / graded.games as f64).into(),
                TableCell::Exact(share.lo),
                TableCell::Exact(share.hi),
            ]);
        }
        row.push(made.deal.to_string().into());
        row
    }
}

/// The deals that were examined.
#[derive(Default)]
struct ExaminedDeals {
    made: u64,
    passed_over: [u64; PassedOver::COUNT],
    /// The deals since the last one that was made.
    in_vain: u64,
}

impl ExaminedDeals {
    fn count(&mut self, found: &Result<MadeDeal, PassedOver>) {
        match found {
            Ok(_) => (self.made, self.in_vain) = (self.made + 1, 0),
            Err(reason) => {
                self.passed_over[*reason as usize] += 1;
                self.in_vain += 1;
            }
        }
    }

    /// The deals that were made and those that were passed over, with the reasons.
    fn in_words(&self, wanted: &Wanted) -> String {
        let tried = self.made + self.passed_over.iter().sum::<u64>();
        let reasons = PassedOver::iter().zip(self.passed_over);
        let reasons = reasons.filter(|&(_, deals)| deals > 0);
        let told =
            reasons.map(|(reason, deals)| format!("{} {}", count(deals), wanted.told(reason)));
        let told = told.collect::<Vec<_>>().join(", ");
        let passed_over = if told.is_empty() {
            String::new()
        } else {
            format!("; passed over: {told}")
        };
        format!(
            "{} made of {} tried{passed_over}",
            counted(self.made, "deal"),
            count(tried)
        )
    }
}

/// Finds something out about the numbers from 0 on, each on the next thread that is free, and hands it over in
/// their order until enough is there.
fn in_order<M: Default, T: Send>(
    threads: &ThreadPool,
    find: impl Fn(&mut M, u64) -> T + Sync,
    mut take: impl FnMut(u64, T) -> ControlFlow<()>,
) {
    let next = AtomicU64::new(0);
    threads.in_place_scope(|scope| {
        let (sender, found) = channel();
        for _ in 0..threads.current_num_threads() {
            let (sender, next, find) = (sender.clone(), &next, &find);
            scope.spawn(move |_| {
                let mut memory = M::default();
                let mut work = || {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    sender.send((number, find(&mut memory, number)))
                };
                // Once enough is there nobody listens any more.
                while work().is_ok() {}
            });
        }
        drop(sender);
        let mut early = BTreeMap::new();
        let mut number = 0;
        for (found_number, thing) in found {
            early.insert(found_number, thing);
            while let Some(thing) = early.remove(&number) {
                if take(number, thing).is_break() {
                    return;
                }
                number += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::solve::SolveSolitaire;
    use super::*;
    use base::FailureKind;
    use solitaire::grade::MOST_GAMES;
    use task::{Script, Verb};

    fn run(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<MakeSolitaire>("make"), options)
    }

    fn made(options: &[&str]) -> Script {
        run(options).unwrap()
    }

    fn column(console: &Script, name: &str) -> Vec<String> {
        let place = console.columns.iter().position(|column| column == name);
        console.column(place.unwrap())
    }

    /// The results of the deals of a seed, one after the other.
    fn results(rules: Rules, deals: u64, nodes: u64) -> Vec<Option<bool>> {
        let wanted = |index| {
            let deal = Deal::draw(DeckShape::FULL, &mut deal_stream((3, index)));
            let table = CardTable::new(&deal, rules);
            Solver::default()
                .solve(&table, Budget::nodes(nodes))
                .is_win()
        };
        (0..deals).map(wanted).collect()
    }

    /// Seed 3, the deals 0 to 39 by Vegas rules: those that are won or lost, in order, and none that is not
    /// decided, of which there are some.
    #[test]
    fn the_deals_made_are_those_of_the_seed_whose_result_is_proved() {
        let nodes = 20_000;
        let results = results(Rules::VEGAS_3, 40, nodes);
        assert!(
            [Some(true), Some(false), None]
                .iter()
                .all(|one| results.contains(one))
        );
        for (option, kept) in [
            (&["--winnable"][..], &[Some(true)][..]),
            (&["--lost"], &[Some(false)]),
            (&[], &[Some(true), Some(false)]),
        ] {
            let found = (0..)
                .zip(&results)
                .filter(|(_, result)| kept.contains(result));
            let found: Vec<(u64, Option<bool>)> =
                found.map(|(index, result)| (index, *result)).collect();
            let count = format!("--count={}", found.len());
            let nodes = format!("--budget-nodes={nodes}");
            let common = ["--rules=vegas-3", "--seed=3", &count, &nodes];
            let console = made(&[&common, option].concat());
            let indices: Vec<String> = found.iter().map(|(index, _)| index.to_string()).collect();
            assert_eq!(column(&console, "index"), indices, "{option:?}");
            let told: Vec<&str> = found.iter().map(|(_, win)| result(*win)).collect();
            assert_eq!(column(&console, "result"), told, "{option:?}");
            let (last, _) = found[found.len() - 1];
            let undecided = results[..=last as usize].iter().filter(|one| one.is_none());
            let undecided = format!("{} not decided within 20,000 nodes", undecided.count());
            let tried = format!(
                "{} made of {} tried",
                counted(found.len() as u64, "deal"),
                last + 1
            );
            assert!(
                console.heard(&tried) && console.heard(&undecided),
                "{:?}",
                console.notes
            );
        }
    }

    /// Seed 1, three deals of each result, read by `solve` as CSV and in JSON.
    #[test]
    fn deals_that_are_made_are_solved_to_their_results() {
        for (option, expected) in [("--winnable", "win"), ("--lost", "lose")] {
            let deals = column(&made(&["--rules=vegas-1", option, "--count=3"]), "deal");
            let json: Vec<_> = deals
                .iter()
                .map(|deal| serde_json::json!({ "deal": deal }))
                .collect();
            let folder = tempfile::tempdir().unwrap();
            for text in [
                format!("deal\n{}\n", deals.join("\n")),
                serde_json::json!(json).to_string(),
            ] {
                let path = folder.path().join("deals");
                std::fs::write(&path, text).unwrap();
                let options = ["--rules=vegas-1", "--deals", path.to_str().unwrap()];
                let solve = Verb::new::<SolveSolitaire>("solve");
                let solved = Script::default().run(&solve, &options).unwrap();
                assert_eq!(column(&solved, "result"), [expected; 3]);
            }
        }
    }

    /// Seed 2: an easy deal and a hard one, played again here.
    #[test]
    fn graded_deals_tell_the_games_that_decided() {
        for (grade, least, most) in [("easy", 0.75, 1.0), ("hard", 0.0, 0.25)] {
            let options = [
                "--winnable",
                "--budget-nodes=20_000",
                "--seed=2",
                "--grade",
                grade,
            ];
            let console = made(&options);
            let deal: Deal = column(&console, "deal")[0].parse().unwrap();
            let (grade, memory) = (grade.parse().unwrap(), &mut PlayerMemory::default());
            let again = play_until_graded(&deal, Rules::DRAW_3, grade, memory).unwrap();
            let number = |name| column(&console, name)[0].parse::<f64>().unwrap();
            assert_eq!(number("games"), again.games as f64);
            assert_eq!(number("won"), again.won as f64);
            assert_eq!(number("rate"), number("won") / number("games"));
            assert!(least <= number("lower") && number("lower") <= number("rate"));
            assert!(number("rate") <= number("upper") && number("upper") <= most);
            assert_eq!(column(&console, "grade"), [grade.as_ref()]);
            assert!(again.games < MOST_GAMES);
        }
    }

    /// Seed 23: the second deal is easy, and the first is lost; on one thread and on several.
    #[test]
    fn threads_change_nothing() {
        let wanted = Wanted {
            seed: 23,
            rules: Rules::DRAW_3,
            is_win: Some(true),
            grade: Some(DealGrade::Easy),
            nodes: 20_000,
        };
        let [one, four] = [1, 4].map(|number| {
            let mut console = Script::default();
            let threads = threads::pool(number).unwrap();
            wanted.make(1, &threads, &mut console).unwrap();
            (console.rows, console.notes)
        });
        assert_eq!(one, four);
    }

    #[test]
    fn a_grade_without_winnable_deals_is_refused_with_the_reason() {
        for options in [&["--grade=hard"][..], &["--lost", "--grade=easy"]] {
            let error = run(options).err().unwrap();
            assert_eq!(
                (error.kind, error.place.as_str()),
                (FailureKind::Usage, "--grade")
            );
            assert!(
                error.message.contains("only a deal that can be won"),
                "{error}"
            );
        }
        for options in [
            &["--winnable", "--grade=fiendish"][..],
            &["--winnable", "--lost"],
            &["--count=-1"],
            &["--rules=whist"],
        ] {
            assert_eq!(
                run(options).err().unwrap().kind,
                FailureKind::Usage,
                "{options:?}"
            );
        }
    }

    #[test]
    fn no_deals_are_a_table_without_rows() {
        let console = made(&["--count=0", "--winnable", "--grade=easy"]);
        assert!(console.rows.is_empty() && console.heard("0 deals made of 0 tried."));
        assert_eq!(console.columns[2..8], GRADE_COLUMNS);
    }

    /// A node is not enough to prove anything, and any number of deals would be tried.
    #[test]
    fn what_is_never_found_is_given_up() {
        let error = run(&["--winnable", "--budget-nodes=0", "--count=1e18"]);
        let error = error.err().unwrap();
        assert_eq!(error.kind, FailureKind::Capped);
        assert!(
            error.message.contains("none of 10,000 deals in a row"),
            "{error}"
        );
    }
}
