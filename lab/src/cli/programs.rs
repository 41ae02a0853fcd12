//! The external programs of an experiment: checked before a run, compared with their files, and
//! reported at its end.

use std::fmt::Display;
use std::path::Path;

use crate::config::Experiment;
use crate::external::declaration::DeclaredProgram as Declared;
use crate::external::trouble::Trouble;
use crate::harness::Laboratory;
use crate::output::ProgramRecord;

use super::failure::Failure;
use super::program::Program;
use super::terminal::MOST_WARNINGS;

/// Starts each program once and hears its hello, so that what is wrong with it is said before
/// anything is written.
pub fn meet(experiment: &Experiment) -> Result<(), Failure> {
    if let Some(part) = &experiment.command {
        part.command.meet().map_err(|trouble| match trouble {
            Trouble::Disagreement(found) => {
                let (name, text) = &experiment.source;
                part.explain(name, text, &found).into()
            }
            other => Failure::failed(other),
        })?;
    }
    for player in &experiment.players {
        player.meet().map_err(Failure::failed)?;
    }
    Ok(())
}

/// Draws some samples twice; see [`Laboratory::rehearse`].
pub fn rehearse(
    program: &Program,
    experiment: &Experiment,
    laboratory: &Laboratory,
    quiet: bool,
) -> Result<(), Failure> {
    if !laboratory.is_external() {
        return Ok(());
    }
    if !quiet {
        note!("drawing some samples twice to check that they repeat");
    }
    laboratory.rehearse().map_err(|(cell, error)| {
        let name = &experiment.cells[cell].name;
        let replay = program.replay_line(&experiment.source.0, name, error.sample);
        Failure::failed(format!("cell {name}, sample {}: {error}", error.sample))
            .with_help(format!("to see it alone: {replay}"))
    })
}

/// Refuses to go on with a run whose programs have changed since.
pub fn check_unchanged(
    stored: &Experiment,
    now: &Experiment,
    folder: &impl Display,
) -> Result<(), Failure> {
    let pairs = declared(stored).into_iter().zip(declared(now));
    for (old, new) in pairs {
        let files = old.files.iter().zip(&new.files);
        for (old, new) in files {
            if old.path == new.path && old.hash != new.hash {
                return Err(Failure::usage(format!(
                    "{folder}: {} has changed since the run began: its hash was {}, and is {}",
                    old.path, old.hash, new.hash
                ))
                .with_help("choose another folder with --out, start over with --force, or restore the file"));
            }
        }
    }
    Ok(())
}

fn declared(experiment: &Experiment) -> Vec<&Declared> {
    let command = experiment.command.iter();
    let command = command.map(|part| &part.command.declaration().program);
    let players = experiment.players.iter();
    command
        .chain(players.map(|player| &player.declaration().program))
        .collect()
}

/// The folders that the programs may be in: where they ran, and that as it was given.
pub fn folders(experiment: &Experiment) -> Vec<String> {
    let declared = declared(experiment);
    let Some(program) = declared.first() else {
        return Vec::new();
    };
    let folder = program.home();
    let verbatim = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let absolute = std::path::absolute(verbatim).unwrap_or_else(|_| verbatim.to_owned());
    [absolute.as_path(), verbatim]
        .map(|path| path.to_string_lossy().into_owned())
        .into()
}

/// Ends the processes that are not under way.
pub fn close(experiment: &Experiment) {
    experiment
        .command
        .iter()
        .for_each(|part| part.command.close());
    experiment.players.iter().for_each(|player| player.close());
}

/// What happened to each program, with what is known of earlier sessions.
pub fn records(experiment: &Experiment, earlier: &[ProgramRecord]) -> Vec<ProgramRecord> {
    let command = experiment.command.iter().map(|part| {
        let diary = part.command.diary();
        let hello = diary.hello.unwrap_or_default();
        ProgramRecord {
            argv: part.command.declaration().program.argv.clone(),
            executable: shown(part.command.executable().map(|found| found.path.as_path())),
            name: hello.name,
            version: hello.version,
            started: diary.started,
            crashes: diary.crashes,
            remarks: diary.remarks,
        }
    });
    let players = experiment.players.iter().map(|player| {
        let diary = player.diary();
        ProgramRecord {
            argv: player.declaration().program.argv.clone(),
            executable: shown(player.executable().map(|found| found.path.as_path())),
            name: diary.name,
            version: String::new(),
            started: diary.started,
            crashes: diary.crashes,
            remarks: diary.remarks,
        }
    });
    let records = command.chain(players).enumerate();
    records
        .map(|(place, now)| match earlier.get(place) {
            Some(before) => joined(before, now),
            None => now,
        })
        .collect()
}

fn shown(path: Option<&Path>) -> String {
    path.map_or_else(String::new, |path| path.display().to_string())
}

/// The sessions of one run together.
fn joined(before: &ProgramRecord, now: ProgramRecord) -> ProgramRecord {
    let either = |now: String, before: &String| if now.is_empty() { before.clone() } else { now };
    ProgramRecord {
        executable: either(now.executable, &before.executable),
        name: either(now.name, &before.name),
        version: either(now.version, &before.version),
        started: before.started + now.started,
        crashes: [before.crashes.clone(), now.crashes].concat(),
        remarks: [before.remarks.clone(), now.remarks].concat(),
        ..now
    }
}

/// Says what went wrong with the programs, and did no harm.
pub fn warn(experiment: &Experiment) {
    let command = experiment.command.iter().map(|part| {
        let diary = part.command.diary();
        (diary.crashes, diary.remarks)
    });
    let players = experiment.players.iter().map(|player| {
        let diary = player.diary();
        (diary.crashes, diary.remarks)
    });
    for (crashes, remarks) in command.chain(players) {
        for crash in crashes.iter().take(MOST_WARNINGS) {
            warning!("{crash}; drawn again and counted");
        }
        if let Some(more @ 1..) = crashes.len().checked_sub(MOST_WARNINGS) {
            warning!("{more} more such crashes; manifest.json lists them");
        }
        for remark in &remarks {
            warning!("{remark}");
        }
    }
}

/// Writes what was said before each fault of a player.
pub fn write_transcripts(experiment: &Experiment, folder: &Path) -> Result<(), Failure> {
    let mut players = experiment.players.iter();
    let written = players.try_for_each(|player| player.write_transcripts(folder));
    written.map_err(|error| Failure::failed(format!("{}: {error}", folder.display())))
}
