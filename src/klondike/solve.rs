//! The verb `solve`: the optimal score of one deal or of a file of them.

use super::card::Card;
use super::deal::Deal;
use super::draw;
use super::engine::ExactEngine;
use super::hidden_value;
use super::outcome::SearchOutcome;
use super::play::layout;
use super::position::Position;
use super::pruned::PrunedEngine;
use super::seat::CasinoSeat;
use crate::cards::solve::{Chosen, SolvedCards, chosen_deals, solve_all};
use crate::cards::tabletop::{DEAL, HIDDEN, PLAYER, SEED, refuse};
use crate::cards::{WrittenTable, advice};
use lab::rng::Streams;
use lab::search::Budget;
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

/// `etude solve klondike`.
pub const SOLVE: Verb = Verb {
    name: "solve",
    summary: "the optimal score of a deal, or of a file of deals",
    examples: &[
        (
            "etude solve klondike --seed 1978 --index 0",
            "the first deal of a seed, with its solution",
        ),
        (
            "etude solve klondike --deals deals.csv --format csv",
            "every deal of a file's column `deal`",
        ),
        (
            "etude solve klondike --seed 7 --index 3 --layout open",
            "a deal with all cards face up",
        ),
        (
            "etude solve klondike --hidden --seed 1978 --moves AH",
            "advice for a player who cannot see the face-down cards, after a first move",
        ),
        (
            "etude solve klondike --hidden --deal \"foundations: 2C | KD | ?? 5C QS | ...\"",
            "advice in the middle of a game",
        ),
        (
            "etude solve klondike --hidden --deck 2x5 --layout 0:1,2:2,3:2",
            "what a small deck is worth to a player who cannot see the face-down cards",
        ),
    ],
    options: OPTIONS,
    run: solve,
};

const OPTIONS: &[VerbOption] = &[
    VerbOption::file("deals", "FILE", "a CSV file with a column `deal`"),
    DEAL,
    SEED,
    VerbOption::integer("index", "I", "the sample to deal with --seed [default: 0]"),
    VerbOption::text(
        "layout",
        "LAYOUT",
        "the layout to deal with --seed [default: yukon]",
    ),
    VerbOption::choice(
        "algorithm",
        ExactEngine::NAMES,
        "the search [default: pruned]",
    ),
    VerbOption::integer(
        "budget-nodes",
        "N",
        "nodes allowed per deal [default: unlimited]",
    ),
    HIDDEN,
    VerbOption::text(
        "moves",
        "CARDS",
        "the moves made before, each by its card: \"2C KD\" (with --hidden)",
    ),
    PLAYER,
    VerbOption::text(
        "deck",
        "SxR",
        "with --hidden: all orders of a small deck, suits x ranks, in --layout; at most 11 cards, \
         which take minutes where 10 take seconds",
    ),
    VerbOption::flag("svg", "add a column `svg` with a picture of the deal"),
];

const LEAVE_OUT: &str = "leave it out";

fn solve(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    if arguments.flag("hidden") {
        return solve_hidden(arguments, console);
    }
    let unseen = ["moves", "player", "deck"];
    arguments.refuse(&unseen, "does nothing without --hidden", "add --hidden")?;
    refuse_layout(arguments)?;
    let algorithm = algorithm(arguments)?;
    let limit = arguments.integer("budget-nodes");
    let budget = limit.map_or(Budget::UNLIMITED, Budget::nodes);
    let problems = deals(arguments, |place, text| {
        let table = Deal::read_table(text).and_then(WrittenTable::all_known);
        written_deal(place, &table.map_err(refuse(place))?)
    })?;
    let mut engine = PrunedEngine::new();
    solve_all(arguments, console, &COLUMNS, problems, |deal| SolvedDeal {
        outcome: algorithm.solve(&mut engine, &deal, budget),
        deal,
    });
    Ok(())
}

const COLUMNS: [&str; 6] = [
    "index",
    "optimal_score",
    "upper_bound",
    "proved",
    "positions",
    "nodes",
];

/// What `--hidden` asks for: the totals of a small deck, or advice on one deal.
fn solve_hidden(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let seen = ["deals", "algorithm", "budget-nodes", "svg"];
    arguments.refuse(&seen, "does nothing with --hidden", LEAVE_OUT)?;
    if arguments.text("deck").is_some() {
        let one = ["deal", "seed", "index", "moves", "player"];
        let reason = "does nothing with --deck, which takes all orders of the deck";
        arguments.refuse(&one, reason, LEAVE_OUT)?;
        return hidden_value::solve(arguments, console);
    }
    refuse_layout(arguments)?;
    let chosen = deals(arguments, |place, text| {
        written_deal(place, &Deal::read_table(text).map_err(refuse(place))?)
    })?;
    let seats = chosen
        .into_iter()
        .map(|chosen| CasinoSeat::new(chosen.deal));
    seats
        .take(1)
        .try_for_each(|seat| advice::advise(arguments, &seat, console))
}

/// The deals that the options name.
fn deals(
    arguments: &Arguments,
    read: impl Fn(&str, &str) -> Result<Deal, VerbError>,
) -> Result<Vec<Chosen<Deal>>, VerbError> {
    chosen_deals(arguments, read, |seed, index| {
        let mut stream = Streams::new(seed).key("deal").stream(index);
        Ok(Deal::draw(&layout(arguments)?, &mut stream))
    })
}

/// A mere list of cards is dealt as an experiment does where it says nothing.
fn written_deal(place: &str, table: &WrittenTable) -> Result<Deal, VerbError> {
    Deal::of(table, &layout(&Arguments::default())?).map_err(refuse(place))
}

/// A deal that is written out has its own layout.
fn refuse_layout(arguments: &Arguments) -> Result<(), VerbError> {
    if arguments.integer("seed").is_some() {
        return Ok(());
    }
    let help = "give --seed S, or leave it out: a written deal shows its columns";
    arguments.refuse(&["layout"], "goes with --seed alone", help)
}

fn algorithm(arguments: &Arguments) -> Result<ExactEngine, VerbError> {
    let name = arguments.text("algorithm").unwrap_or("pruned");
    ExactEngine::from_name(name).ok_or_else(|| {
        let message = format!("there is no algorithm `{name}`");
        VerbError::usage("--algorithm", message, "give `pruned` or `etude`")
    })
}

/// A deal with what an exact search found.
struct SolvedDeal {
    deal: Deal,
    outcome: SearchOutcome,
}

impl SolvedCards for SolvedDeal {
    fn cells(&self) -> Vec<TableCell> {
        let outcome = &self.outcome;
        vec![
            outcome.score.lower().into(),
            outcome.score.upper().into(),
            outcome.score.is_proved().into(),
            outcome.positions.into(),
            outcome.nodes.into(),
        ]
    }

    fn moves(&self) -> String {
        let symbols: Vec<String> = self.outcome.moves.iter().map(Card::to_string).collect();
        symbols.join(" ")
    }

    fn picture(&self) -> String {
        draw::svg(&Position::new(&self.deal), None)
    }

    fn story(&self) -> (String, Vec<String>, String) {
        let mut position = Position::new(&self.deal);
        let start = format!("{}\n\n{}", self.deal, draw::board(&position));
        let moves = self.outcome.moves.iter();
        let moves = moves.map(|&card| {
            position.play(card);
            draw::caption(card)
        });
        let moves = moves.collect();
        (start, moves, draw::board(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::{InputFile, Script};

    fn run(arguments: &Arguments) -> Result<Script, VerbError> {
        let mut console = Script::default();
        solve(arguments, &mut console).map(|()| console)
    }

    fn deals(text: &str) -> Arguments {
        let file = InputFile {
            path: "deals.csv".into(),
            text: text.into(),
        };
        Arguments::defaults(OPTIONS).with_file("deals", file)
    }

    /// `tests/data/klondike_deals.csv`: the third deal is won.
    #[test]
    fn a_file_of_deals_gives_a_row_each_whatever_the_algorithm() {
        let golden = include_str!("../../tests/data/klondike_deals.csv");
        let text: String = golden
            .lines()
            .take(4)
            .map(|line| format!("{line}\n"))
            .collect();
        for algorithm in ExactEngine::NAMES {
            let console = run(&deals(&text).with_text("algorithm", algorithm)).unwrap();
            assert_eq!(
                console.columns[..3],
                ["index", "optimal_score", "upper_bound"]
            );
            let scores: Vec<&TableCell> = console.rows.iter().map(|row| &row[1]).collect();
            assert_eq!(
                scores,
                [
                    &TableCell::Integer(0),
                    &TableCell::Integer(1),
                    &TableCell::Integer(52)
                ]
            );
            assert_eq!(console.rows[2][3], TableCell::Flag(true));
            assert!(console.drawings.is_empty());
        }
    }

    /// Seed 1978, sample 0, drawn as the text of its deal and as a sample.
    #[test]
    fn a_single_deal_is_drawn_with_its_solution() {
        let sample = Arguments::defaults(OPTIONS)
            .with_integer("seed", 1978)
            .with_integer("index", 2);
        let drawn = run(&sample).unwrap();
        let deal = drawn.drawings[0].lines().next().unwrap();
        let read = run(&Arguments::defaults(OPTIONS).with_text("deal", deal)).unwrap();
        assert_eq!(read.drawings, drawn.drawings);
        assert_eq!(read.rows[0][1..], drawn.rows[0][1..]);
    }

    #[test]
    fn a_budget_bounds_what_it_does_not_solve() {
        let golden = include_str!("../../tests/data/klondike_deals.csv");
        let console = run(&deals(golden).with_integer("budget-nodes", 1)).unwrap();
        assert_eq!(console.rows.len(), 200);
        assert!(
            console
                .rows
                .iter()
                .any(|row| row[3] == TableCell::Flag(false))
        );
    }

    /// Options as `name=value`, or `name` for a flag.
    fn given(options: &[&str]) -> Arguments {
        let give = |arguments: Arguments, option: &&str| match option.split_once('=') {
            None => arguments.with_flag(option),
            Some((name, value)) => match value.parse() {
                Ok(integer) => arguments.with_integer(name, integer),
                Err(_) => arguments.with_text(name, value),
            },
        };
        options.iter().fold(Arguments::defaults(OPTIONS), give)
    }

    #[test]
    fn options_that_would_do_nothing_are_refused() {
        let small = ["hidden", "deck=2x4", "layout=0:1,2:1,3:1"];
        let plain = ["seed=1"];
        let advice = ["hidden", "seed=1"];
        let written = ["deal=AC"];
        for (mode, option) in [
            (&plain[..], "moves=AH"),
            (&plain, "player=greedy"),
            (&plain, "deck=2x4"),
            (&advice, "budget-nodes=1"),
            (&advice, "algorithm=etude"),
            (&advice, "svg"),
            (&small, "seed=1"),
            (&small, "index=3"),
            (&small, "moves=AH"),
            (&written, "index=3"),
            (&written, "layout=open"),
            (&["hidden", "deal=AC"], "index=3"),
            (&["hidden", "deal=AC"], "layout=open"),
        ] {
            let error = run(&given(&[mode, &[option]].concat())).err().unwrap();
            let name = option.split('=').next().unwrap();
            assert_eq!(error.place, format!("--{name}"), "{mode:?} {option}");
            let said = [" goes with ", " does nothing "];
            assert!(said.iter().any(|said| error.message.contains(said)));
        }
        let file = deals("deal\nAC\n").with_integer("index", 3);
        assert_eq!(run(&file).err().unwrap().place, "--index");
    }

    #[test]
    fn a_picture_of_the_deal_is_a_column() {
        let console = run(&given(&["seed=1978", "svg"])).unwrap();
        assert_eq!(console.columns[6..], ["moves", "svg"]);
        assert!(console.column(7)[0].starts_with("<svg "));
    }

    #[test]
    fn faults_are_shown_at_their_place() {
        let place = |arguments: &Arguments| run(arguments).err().unwrap().place;
        assert_eq!(place(&deals("deal\nAC\n")), "deals.csv:2");
        assert_eq!(place(&deals("x\nAC\n")), "deals.csv:1");
        assert_eq!(
            place(&Arguments::defaults(OPTIONS).with_text("deal", "XX")),
            "--deal"
        );
        let seed = || Arguments::defaults(OPTIONS).with_integer("seed", 1);
        assert_eq!(place(&seed().with_text("layout", "52")), "--layout");
        assert_eq!(
            place(&seed().with_text("algorithm", "magic")),
            "--algorithm"
        );
        let none = run(&Arguments::defaults(OPTIONS)).err().unwrap();
        assert_eq!((none.usage, none.message.as_str()), (true, "no deal given"));
        assert!(run(&seed().with_text("deal", "XX")).err().unwrap().usage);
    }

    const DEALT: &str = "7H | 2s 3C QH 5S 8D QS | 5c Ts 4S AD TH 9H AS | 5d 7s Jh KS 7C 2D 2C 2H | \
        8h 5h 6s 3h TD 8S QD AC 6C | Jd Kh 6d Qc 3s 7D 9C 6H JC 9S | \
        3d 4d Js 4c 8c Kd AH KC 4H 9D TC";

    fn advised(options: &[&str], deal: &str) -> Result<Script, VerbError> {
        run(&given(&[&["hidden"], options].concat()).with_text("deal", deal))
    }

    /// What lies face down, named or not, changes nothing.
    #[test]
    fn advice_does_not_depend_on_hidden_cards() {
        let options = ["player=hindsight(40)"];
        let known = advised(&options, DEALT).unwrap();
        let is_hidden = |symbol: &str| symbol.ends_with(|letter: char| letter.is_ascii_lowercase());
        let unknown = DEALT
            .split_whitespace()
            .map(|symbol| if is_hidden(symbol) { "??" } else { symbol });
        let unknown: Vec<&str> = unknown.collect();
        let same = advised(&options, &unknown.join(" ")).unwrap();
        assert_eq!(known.rows, same.rows);
        assert_eq!(known.drawings, same.drawings);
        assert!(known.drawings[0].contains("??") && !known.drawings[0].contains("2s"));
        assert!(known.rows.len() > 1);
    }

    #[test]
    fn the_best_move_comes_first_with_its_interval_around_it() {
        let console = advised(&[], DEALT).unwrap();
        let number = |cell: &TableCell| match cell {
            TableCell::Number(number) => *number,
            _ => panic!("{cell:?} is no number"),
        };
        let means: Vec<f64> = console.rows.iter().map(|row| number(&row[1])).collect();
        assert!(means.is_sorted_by(|one, other| one >= other));
        for row in &console.rows {
            assert!(number(&row[2]) < number(&row[1]) && number(&row[1]) < number(&row[3]));
            assert_eq!(row[4], TableCell::Integer(1_000));
        }
    }

    #[test]
    fn faults_of_advice_are_shown_at_their_place() {
        let place = |options: &[&str], deal| advised(options, deal).err().unwrap().place;
        assert_eq!(place(&[], "7H | ??"), "--deal");
        for player in ["greedy", "peek", "ismcts(9)", "race(1000, rollout(2))"] {
            let player = format!("player={player}");
            assert_eq!(place(&[&player], DEALT), "--player", "{player}");
        }
        assert_eq!(place(&["moves=1C"], DEALT), "--moves");
        assert_eq!(place(&["moves=KH"], DEALT), "--moves");
    }

    /// Seed 1978, samples 0 to 5: the moves of the table reach its score.
    #[test]
    fn a_table_has_the_moves_of_each_solution() {
        for index in 0..6 {
            let console = run(&given(&["seed=1978", &format!("index={index}")])).unwrap();
            let deal: Deal = console.drawings[0].lines().next().unwrap().parse().unwrap();
            let mut position = Position::new(&deal);
            for symbol in console.column(6)[0].split_whitespace() {
                let card = Card::read(symbol).unwrap();
                assert!(position.moves().contains(&card));
                position.play(card);
            }
            assert_eq!(position.score().to_string(), console.column(1)[0]);
        }
    }

    #[test]
    fn unknown_cards_are_for_advice_alone_and_a_list_is_dealt_to_the_usual_columns() {
        let unknown = DEALT.replacen("2s", "??", 1);
        let error = run(&given(&[]).with_text("deal", &unknown)).err().unwrap();
        assert_eq!(error.message, "1 of the cards are unknown");
        assert!(error.help.contains("--hidden"));
        let list = DEALT.replace('|', ",");
        let drawn = |text: &str| run(&given(&[]).with_text("deal", text)).unwrap().drawings;
        assert_eq!(drawn(&list), drawn(DEALT));
        assert_eq!(drawn(&list.to_lowercase().replace('t', "10")), drawn(DEALT));
    }
}
