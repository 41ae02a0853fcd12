//! What a program and its tasks are without being told, and how they are called.

use std::sync::Arc;

use clap::Args;
use strum::VariantNames;

use super::*;
use base::{Failure, FailureKind, parse_integer};

const OWN: Application = Application {
    name: "dice",
    about: "Dice",
    version: "1.2",
    revision: None,
    games: coin::GAMES,
    experiments: &[
        BuiltIn {
            name: "fair",
            file: "fair.toml",
            text: "a",
            seconds: None,
        },
        BuiltIn {
            name: "loaded",
            file: "loaded.toml",
            text: "b",
            seconds: None,
        },
    ],
    examples: "",
};

#[test]
fn a_program_of_somebody_else_is_called_by_its_own_name() {
    let etude = Application::LIBRARY;
    let laboratory = Application::LABORATORY;
    assert_eq!(OWN.versions(), format!("1.2 (etude {laboratory})"));
    assert_eq!(
        (etude.versions(), etude.own()),
        (laboratory.to_owned(), None)
    );
    assert_eq!(OWN.own().as_deref(), Some("dice 1.2"));
    let text = "etude run x; `etude plan`, etude 3, my-etude run, an etude, etude/etude run; the etude run";
    let own =
        "dice run x; `dice plan`, etude 3, my-etude run, an etude, etude/etude run; the dice run";
    assert_eq!(etude.spelled(text), text);
    assert_eq!(OWN.spelled(text), own);
    let line = OWN.replay_line("a b.toml", "p = 1", 7);
    assert_eq!(line, "dice replay 'a b.toml' --cell 'p = 1' --sample 7");
}

#[test]
fn a_program_finds_its_tasks_and_experiments_by_name() {
    assert_eq!(OWN.task("coin/spin").unwrap().name, "coin/spin");
    assert!(OWN.task("coin").is_none());
    assert_eq!(OWN.experiment("loaded").unwrap().text, "b");
    assert!(OWN.experiment("unfair").is_none());
    assert_eq!(
        OWN.experiment_names().collect::<Vec<_>>(),
        ["fair", "loaded"]
    );
}

/// A task that says nothing but how it is drawn: sample i of a budget of n nodes is 10 n + i.
struct Plain;

impl Task for Plain {
    fn worker<'a>(&'a self, _: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
        worker_of(|draw, row| {
            if draw.index == 9 {
                return Err(SampleError::new(draw.index, "nine"));
            }
            let value = 10 * draw.budget.limit() + draw.index;
            row.push(Value::Exact(value as i64));
            Ok(())
        })
    }

    fn replay(&self, _: &Streams, _: Draw) -> Result<Replay, SampleError> {
        Ok(Replay::default())
    }
}

#[test]
fn a_task_that_says_nothing_promises_nothing() {
    let (streams, budget) = (Streams::new(1), Budget::nodes(5));
    let draw = Draw { index: 2, budget };
    let mut row = Row::new();
    assert_eq!(Plain.instance(&streams, 0, None), None);
    assert_eq!(Plain.check_repeatable(&streams, budget), Ok(()));
    assert!(!Plain.has_unchecked() && !Plain.is_external() && !Plain.time_out(&mut row));
    assert!(Plain.rules().is_empty() && Plain.ignores_budget().unwrap().contains("exact search"));
    assert_eq!(Plain.judge(&streams, draw, [&row, &row]), Ok(None));
    assert_eq!((Plain.truth("a"), Plain.support("a")), (None, None));
    assert_eq!((Plain.awaited_truth(), Plain.control()), (None, None));
    assert!(!Plain.mean_untrustworthy("a"));
}

#[test]
fn a_batch_holds_the_samples_from_the_first_on_up_to_one_that_fails() {
    let mut workspace = Workspace::new();
    let mut worker = Plain.worker(&Streams::new(1), &mut workspace);
    let budget = Budget::nodes(5);
    let mut rows = vec![Row::new(); 3];
    let first = Draw { index: 6, budget };
    assert_eq!(worker.batch(first, &mut rows), Ok(()));
    let values: Vec<_> = rows.iter().map(|row| row.values()[0]).collect();
    assert_eq!(values, [56, 57, 58].map(Value::Exact));
    let failed = worker.batch(Draw { index: 7, budget }, &mut vec![Row::new(); 3]);
    assert_eq!(failed.unwrap_err().sample, 9);
    assert_eq!(worker.control(3), None);
}

#[test]
fn the_forfeits_of_a_contest_are_counted_by_side() {
    let contest = Contest {
        first: "fox",
        second: "hens",
        win: "win",
        draw: "draw",
    };
    assert_eq!(contest.forfeits(), ["fox-forfeits", "hens-forfeits"]);
}

#[test]
fn cells_of_a_table_keep_what_they_are_made_of() {
    let cells: [TableCell; 8] = [
        "a".into(),
        "b".to_owned().into(),
        2.5.into(),
        true.into(),
        7_u8.into(),
        (-3_i64).into(),
        Some(1.5).into(),
        None::<f64>.into(),
    ];
    use TableCell::{Empty, Exact, Flag, Integer, Number, Text};
    let expected = [
        Text("a".to_owned()),
        Text("b".to_owned()),
        Number(2.5),
        Flag(true),
        Integer(7),
        Integer(-3),
        Number(1.5),
        Empty,
    ];
    assert_eq!(cells, expected);
    assert_eq!([Some(0.1), None].map(TableCell::exact), [Exact(0.1), Empty]);
}

#[test]
fn a_frame_has_the_picture_that_it_is_given() {
    let frame = Frame::text("e4", "board").with_svg("<svg/>".to_owned());
    let expected = Frame {
        caption: "e4".to_owned(),
        board: "board".to_owned(),
        svg: Some("<svg/>".to_owned()),
    };
    assert_eq!(frame, expected);
}

#[derive(Clone, Copy, Debug, PartialEq, strum::EnumString, strum::VariantNames)]
#[strum(serialize_all = "kebab-case")]
enum Metal {
    Gold,
    WhiteGold,
}

#[derive(Args)]
struct Toss {
    #[arg(long, default_value = "10", value_parser = parse_integer)]
    tosses: u64,
    #[arg(long, default_value = "gold", value_parser = by_name::<Metal>())]
    metal: Metal,
    #[arg(long)]
    twice: bool,
}

impl VerbOptions for Toss {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        console.totals(&[("n", 1_u8.into())]);
        console.progress("half");
        console.answer(&format!("{} {:?} {}", self.tosses, self.metal, self.twice));
        Ok(())
    }
}

#[test]
fn a_verb_is_called_with_its_options_or_says_which_is_wrong() {
    let verb = Verb::new::<Toss>("toss");
    let said = |options: &[&str]| Script::default().run(&verb, options).map(|said| said.notes);
    assert_eq!(said(&[]).unwrap(), ["10 Gold false"]);
    let given = ["--tosses", "1e3", "--metal", "white-gold", "--twice"];
    assert_eq!(said(&given).unwrap(), ["1000 WhiteGold true"]);
    for (options, place) in [
        (&["--tosses", "-3"][..], "--tosses"),
        (&["--metal", "tin"], "--metal"),
        (&["--edge"], "--edge"),
    ] {
        let error = said(options).unwrap_err();
        assert_eq!((error.kind, &*error.place), (FailureKind::Usage, place));
        assert!(!error.message.is_empty());
    }
    assert_eq!(Metal::VARIANTS, ["gold", "white-gold"]);
}

#[test]
fn a_console_that_says_nothing_shows_no_drawings_and_starts_no_engine() {
    let mut console = Script::answering(&["a"]);
    let declaration = outside::PlayerDeclaration {
        name: "x".to_owned(),
        program: outside::DeclaredProgram::default(),
        go: outside::Go::Nodes,
        loses: false,
    };
    assert!(!console.shows_drawings() && !console.is_interrupted());
    assert!(console.engines(&declaration).is_none());
    console.stop_when_asked();
    assert_eq!(
        (console.ask("?"), console.ask("?")),
        (Some("a".to_owned()), None)
    );
}

#[test]
fn a_parameter_at_fault_is_an_option_at_fault() {
    let failure = Failure::from(ParamError::new("side", "it is 0", "give 1"));
    assert_eq!(failure.kind, FailureKind::Usage);
    let told = [&*failure.place, &failure.message, &failure.help];
    assert_eq!(told, ["--side", "it is 0", "give 1"]);
}

#[test]
fn a_workspace_keeps_one_value_of_each_type() {
    let mut workspace = Workspace::new();
    *workspace.borrow::<u8>() = 3;
    workspace.borrow::<String>().push('a');
    assert_eq!(
        (
            *workspace.borrow::<u8>(),
            workspace.borrow::<String>().as_str()
        ),
        (3, "a")
    );
    assert_eq!(format!("{workspace:?}"), "Workspace of 2 parts");
}

#[test]
fn a_simple_task_tells_the_values_that_it_draws() {
    let metrics = vec![Metric::flag("a", ""), Metric::rate("b", "", "")];
    let spec = TaskSpec::simple("a/b", "", metrics, |_, row| {
        row.push(Value::flag(true));
        row.push(Value::ratio(1, 2));
    });
    let task = spec.build(&Params::new()).unwrap();
    let draw = Draw {
        index: 4,
        budget: Budget::UNLIMITED,
    };
    let told = task.replay(&Streams::new(1), draw).unwrap();
    assert_eq!(told.instance, "sample 4");
    assert_eq!(told.outcome, "1, Ratio { numerator: 1, denominator: 2 }");
    assert!(spec == spec.clone() && format!("{:?}", spec.build) == "Build");
    let with: Arc<Builder> = Arc::new(|_| Ok(Box::new(Plain)));
    assert!(Build::With(with).clone() == spec.build);
}
