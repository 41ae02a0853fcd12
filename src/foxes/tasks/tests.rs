//! Laws of every task of the game, whatever its players.

use super::TASKS;
use foxes::decided::first_decided;
use foxes::game::Game;
use foxes::moves::Move;
use foxes::notation::read_position;
use foxes::position::Position;
use foxes::rules::Rules;
use foxes::typed::told;
use kit::rng::Streams;
use kit::search::Budget;
use task::{Draw, Params, Row, Task, TaskSpec, Value, Workspace};

fn params(spec: &TaskSpec, settings: &[(&str, &str)]) -> Params {
    settings
        .iter()
        .fold(Params::defaults(&spec.params), |params, (key, value)| {
            params.with_text(key, value)
        })
}

fn matches(fox: &str, hens: &str) -> Box<dyn Task> {
    let spec = &TASKS[0];
    spec.build(&params(spec, &[("fox", fox), ("hens", hens)]))
        .unwrap()
}

fn duel(first: &str, second: &str) -> Box<dyn Task> {
    let spec = &TASKS[2];
    spec.build(&params(spec, &[("first", first), ("second", second)]))
        .unwrap()
}

fn draw(index: u64) -> Draw {
    let budget = Budget::nodes(2_000);
    Draw { index, budget }
}

/// Seed 21. One worker for all samples: it must not remember earlier ones.
fn rows(task: &dyn Task, indices: impl Iterator<Item = u64>) -> Vec<Row> {
    let mut workspace = Workspace::new();
    let mut worker = task.worker(&Streams::new(21), &mut workspace);
    let sample = |index| {
        let mut row = Row::new();
        worker.sample(draw(index), &mut row).unwrap();
        row
    };
    indices.map(sample).collect()
}

fn exact(row: &Row, metric: &str) -> i64 {
    let specs = &TASKS[0].metrics;
    let index = specs.iter().position(|spec| spec.name == metric).unwrap();
    match row.values()[index] {
        Value::Exact(value) => value,
        other => panic!("{metric} is {other:?}"),
    }
}

const PAIRS: [(&str, &str); 5] = [
    ("random", "random"),
    ("arsac", "safe"),
    ("search(3)", "safe-advance"),
    ("mcts(8)", "search(2)"),
    ("arsac", "mcts(8)"),
];

#[test]
fn a_sample_does_not_depend_on_what_was_drawn_before() {
    for (fox, hens) in PAIRS {
        let task = matches(fox, hens);
        let forwards = rows(&*task, 0..8);
        let mut backwards = rows(&*task, (0..8).rev());
        backwards.reverse();
        assert_eq!(forwards, backwards, "{fox} against {hens}");
        assert!(
            forwards
                .iter()
                .all(|row| row.values().len() == TASKS[0].metrics.len())
        );
    }
}

#[test]
fn every_match_ends_in_one_way_and_is_scored_accordingly() {
    for (fox, hens) in PAIRS {
        for row in rows(&*matches(fox, hens), 0..20) {
            let value = |metric| exact(&row, metric);
            let foxes = value("eaten-enough") + value("stuck");
            let hens = value("square") + value("block");
            let nobody = value("repeated") + value("quiet-draw");
            assert_eq!(foxes + hens + nobody, 1);
            assert_eq!(value("foxes-win"), foxes);
            assert_eq!(value("hens-win"), hens);
            assert_eq!(value("unfinished"), nobody);
            assert_eq!(value("score"), 2 * foxes + nobody);
            assert!(value("eaten") >= 12 * value("eaten-enough"));
        }
    }
}

#[test]
fn a_replay_tells_the_match_that_was_counted() {
    let task = matches("arsac", "safe");
    let story = task.replay(&Streams::new(21), draw(3)).unwrap();
    let row = &rows(&*task, 3..4)[0];
    assert_eq!(story.frames.len() as i64, 1 + exact(row, "plies"));
    let rules = Rules::ARSAC;
    let mut position = read_position(&story.instance, rules.board).unwrap();
    for frame in &story.frames[1..] {
        let mut legal = Vec::new();
        rules.moves(&position, &mut legal);
        let drawn = |position: Position| foxes::draw::text(&position, rules.board, false);
        let caption = frame.caption.split(": from here on").next().unwrap();
        legal.retain(|&play| told(play, position.side) == caption);
        legal.retain(|&play| drawn(rules.after(&position, play)) == frame.board);
        let [play] = legal[..] else {
            panic!("{} moves are told so: {}", legal.len(), frame.caption)
        };
        position = rules.after(&position, play);
    }
    let ending = rules.ending(&position).map(|ending| ending.sentence());
    assert_eq!(ending.unwrap_or(&story.outcome), story.outcome);
}

/// Seed 21, the first matches of Arsac's fox that hens looking four plies ahead win: the mark stands where the search
/// says so, and names the winner.
#[test]
fn a_replay_marks_where_the_match_was_decided() {
    let task = matches("arsac", "search(4)");
    let rules = Rules::ARSAC;
    let mut marked = 0;
    for index in 0..6 {
        let story = task.replay(&Streams::new(21), draw(index)).unwrap();
        let words = ": from here on the hens win, whatever the foxes do";
        let marks = story.frames.iter().enumerate();
        let marks = marks.filter(|(_, frame)| frame.caption.contains("from here on"));
        let marks: Vec<usize> = marks.map(|(at, _)| at).collect();
        assert!(marks.len() <= 1, "{marks:?}");
        let mut game = Game::from(rules, read_position(&story.instance, rules.board).unwrap());
        let mut course = vec![game.clone()];
        for frame in &story.frames[1..] {
            let caption = frame.caption.trim_end_matches(words);
            let mut legal = Vec::new();
            rules.moves(game.position(), &mut legal);
            let side = game.position().side;
            let is_it = |play: &&Move| {
                let after = rules.after(game.position(), **play);
                told(**play, side) == caption
                    && foxes::draw::text(&after, rules.board, false) == frame.board
            };
            let play = *legal.iter().find(is_it).unwrap();
            game.play(play);
            course.push(game.clone());
        }
        let winner = game.ending().and_then(|ending| ending.winner());
        let expected = winner.and_then(|winner| first_decided(&course, winner));
        assert_eq!(marks.first().copied(), expected, "match {index}");
        marked += marks
            .iter()
            .filter(|&&at| story.frames[at].caption.ends_with(words))
            .count();
    }
    assert!(marked > 0);
}

#[test]
fn swapped_engines_swap_their_points_on_average() {
    let total = |first, second| -> i64 {
        let rows = rows(&*duel(first, second), 0..150);
        rows.iter()
            .map(|row| match row.values()[0] {
                Value::Exact(points) => points,
                other => panic!("the pair is {other:?}"),
            })
            .sum()
    };
    let (there, back) = (total("arsac/safe", "random"), total("random", "arsac/safe"));
    assert!(there > 330, "careful play beats chance: {there} of 600");
    assert!((there + back - 600).abs() < 90, "{there} and {back}");
}

#[test]
fn foxes_meet_the_same_openings() {
    let spec = &TASKS[1];
    let instance = |fox| {
        let task = spec
            .build(&params(spec, &[("fox", fox), ("hens", "safe")]))
            .unwrap();
        task.replay(&Streams::new(22), draw(5)).unwrap().instance
    };
    assert_eq!(instance("random"), instance("arsac"));
    assert_ne!(instance("random"), "3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0");
}

#[test]
fn bad_parameters_fail_when_the_task_is_built() {
    let spec = &TASKS[0];
    let good = params(spec, &[("fox", "arsac"), ("hens", "safe")]);
    let cases = [
        (good.clone().with_text("fox", "safe"), "fox"),
        (good.clone().with_text("hens", "search"), "hens"),
        (good.clone().with_text("position", "3/3"), "position"),
        (good.clone().with_integer("missing", 12), "missing"),
        (good.clone().with_integer("repetition", 1), "repetition"),
        (good.clone().with_text("board", "moon"), "board"),
    ];
    for (params, name) in cases {
        let Err(error) = spec.build(&params) else {
            panic!("{name} was accepted");
        };
        assert_eq!(error.name, name);
        assert!(!error.help.is_empty());
    }
}

/// On a solved board best play from the opening and the outcome differ only by faults.
#[test]
fn regret_accounts_for_every_lost_point() {
    let spec = &TASKS[3];
    for (fox, hens) in [
        ("random", "random"),
        ("arsac", "safe"),
        ("search(8)", "search(2)"),
    ] {
        let settings = [("fox", fox), ("hens", hens), ("board", "strip")];
        let params = params(spec, &settings).with_integer("opening", 2);
        let task = spec.build(&params).unwrap();
        for row in rows(&*task, 0..60) {
            let value = |index: usize| match row.values()[index] {
                Value::Exact(value) => value,
                other => panic!("metric {index} is {other:?}"),
            };
            let (score, best) = (value(0), value(1));
            let (fox_faultless, hens_faultless) = (value(6) == 1, value(7) == 1);
            assert!(score >= best || !fox_faultless || score == 1);
            assert!(score <= best || !hens_faultless || score == 1);
        }
    }
}
