//! The players of an experiment file, each tested against the interface of its game, in one table.

use std::sync::Arc;

use ::programs::UgiEngines;
use base::count;
use experiment::Overrides;
use lab::job::{programs, read_experiment};
use task::outside::{Engines, PlayerDeclaration, in_short};
use task::{Console, TableCell};

use super::Application;
use super::failure::Failure;
use super::game_verbs::examine;
use super::progress::Display;
use super::table::{Format, Printed};

/// Tests every player of an experiment file, with the folder for transcripts if there is one.
pub(crate) fn check_players(
    app: &Application,
    file: &str,
    log: Option<&str>,
) -> Result<(), Failure> {
    let mut display = Display::default();
    let experiment = read_experiment(app, file, &Overrides::default(), &mut display)?;
    programs::ask(&experiment, None, false, &mut display)?;
    let (game, _) = experiment.task.name.split_once('/').unwrap_or_default();
    let mut table = Printed::new(&["player", "passed", "failed", "first fault"]);
    let mut wrong = 0;
    for declared in &experiment.players {
        let steps = steps_of(app, game, declared, log);
        wrong += u64::from(steps.fault.is_some());
        let name = declared.name.as_str();
        let [passed, failed] = [steps.passed, steps.failed].map(TableCell::from);
        table.push([
            name.into(),
            passed,
            failed,
            steps.fault.unwrap_or_default().into(),
        ]);
    }
    if experiment.players.is_empty() {
        return Err(
            Failure::usage(format!("{file}: the experiment names no players")).with_help(
                "add a table for each, [players.NAME], with run = [\"python3\", \"NAME.py\"]",
            ),
        );
    }
    table.print_lines(Format::Text)?;
    match wrong {
        0 => Ok(()),
        wrong => Err(Failure::failed(format!(
            "{} of {} players failed",
            count(wrong),
            count(experiment.players.len() as u64)
        ))
        .with_help(
            "`etude check --player \"...\"` shows every step of one; --log DIR keeps what was said",
        )),
    }
}

/// Tests a player of a game, with a folder below `log` for its transcripts.
fn steps_of(
    app: &Application,
    game: &str,
    player: &PlayerDeclaration,
    log: Option<&str>,
) -> ExaminedSteps {
    let program = &player.program;
    let argv: Vec<String> = program.argv.iter().map(|word| quoted(word)).collect();
    let (argv, folder) = (argv.join(" "), program.place());
    let patience = program.patience.as_secs_f64().to_string();
    let mut options = vec![
        "--player",
        &argv,
        "--folder",
        &folder,
        "--patience",
        &patience,
    ];
    let log = log.map(|log| format!("{log}/{}", player.name));
    options.extend(log.iter().flat_map(|folder| ["--log", folder]));
    let mut steps = ExaminedSteps::default();
    let examined = examine(app.games, Some(game), &options, &mut steps);
    if let Err(failure) = examined {
        steps.fault.get_or_insert(failure.to_string());
    }
    steps
}

/// A word as part of the text of an option that holds a command line.
fn quoted(word: &str) -> String {
    match word {
        word if word.contains('\'') => format!("\"{word}\""),
        word => format!("'{word}'"),
    }
}

/// The console of one player's test: steps are counted, and the first that failed is kept.
#[derive(Default)]
struct ExaminedSteps {
    passed: u64,
    failed: u64,
    fault: Option<String>,
}

impl Console for ExaminedSteps {
    fn engines(&self, player: &PlayerDeclaration) -> Option<Arc<dyn Engines>> {
        Some(Arc::new(UgiEngines::new(player.clone())))
    }

    fn columns(&mut self, _: &[&str]) {}

    fn row(&mut self, _: &[TableCell]) {}

    fn note(&mut self, _: &str) {}

    fn draw(&mut self, _: &str) {}

    fn answer(&mut self, line: &str) {
        let Some((_, what)) = line.split_once(". failed: ") else {
            self.passed += 1;
            return;
        };
        self.failed += 1;
        let (what, message) = what.split_once('\n').unwrap_or((what, ""));
        self.fault
            .get_or_insert(format!("{what}: {}", in_short(message)));
    }

    fn ask(&mut self, _: &str) -> Option<String> {
        None
    }

    fn colour(&self) -> bool {
        false
    }
}
