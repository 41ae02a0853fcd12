//! The external programs of an experiment: checked before a run, compared with their files, and
//! reported at its end.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use crate::run::{CompiledExperiment, Observer};
use crate::store::{Manifest, holds_run};
use base::{Failure, count, files};
use experiment::{Experiment, folder_of};
use indexmap::{IndexMap, IndexSet};
use task::outside::{Consent, DeclaredProgram as Declared, ProgramLog, ProgramRecord};

/// Asks for leave to start the programs of an experiment, which a run folder names if it came from there,
/// or goes on in one; notes their commands. Nothing can be started without what it returns.
///
/// # Errors
/// If this user has not allowed that: neither made the folder here nor has `given` leave.
pub fn ask(
    experiment: &Experiment,
    resumed: Option<&Path>,
    given: bool,
    observer: &mut dyn Observer,
) -> Result<Consent, Failure> {
    let source = &experiment.source;
    let around = runs_around(experiment);
    let folders = source
        .folder()
        .into_iter()
        .chain(around.iter().map(PathBuf::as_path));
    let folders: Vec<&Path> = folders.chain(resumed).collect();
    let written = source.folder().is_none().then(|| folder_of(source.path()));
    let consent = Consent::ask(programs(experiment), &folders, written, given)?;
    if let (Some(folder), false) = (folders.last(), commands(experiment).is_empty()) {
        let commands = commands(experiment).join("; ");
        observer.note(&format!("{}: starting {commands}", folder.display()));
    }
    Ok(consent)
}

/// The folders of runs in which the file of an experiment that starts programs lies, at any depth and behind any link:
/// whoever made them may have made the file.
fn runs_around(experiment: &Experiment) -> Vec<PathBuf> {
    let source = &experiment.source;
    let is_asked = source.folder().is_none() && programs(experiment).next().is_some();
    let file = is_asked.then(|| source.path());
    let file = file.and_then(|path| files::canonicalize(path).ok());
    let folders = file.iter().flat_map(|file| file.ancestors().skip(1));
    folders
        .filter(|folder| holds_run(folder))
        .map(Path::to_owned)
        .collect()
}

/// Other people's programs that an experiment starts.
pub(super) fn programs(experiment: &Experiment) -> impl Iterator<Item = &Declared> {
    experiment
        .programs()
        .into_iter()
        .map(|(_, program)| program)
}

/// The commands of an experiment as messages name them, each once, with the folder that it runs in.
pub fn commands(experiment: &Experiment) -> Vec<String> {
    let commands: IndexSet<String> = programs(experiment).map(Declared::command_line).collect();
    commands.into_iter().collect()
}

/// Returns warnings of the players that are not there, and would be out.
pub fn missing(experiment: &Experiment) -> Vec<String> {
    let warning = |(name, program): (&str, &Declared)| {
        let fault = program.locate().err()?;
        Some(format!(
            "{name} would be out, and none of its matches played: {fault}"
        ))
    };
    drawn(experiment).filter_map(warning).collect()
}

/// Starts each program once and hears its hello, so that what is wrong with it is said before
/// anything is written. Of a run with `earlier` sessions, players that were out stay out, and all
/// others must be there.
///
/// # Errors
/// If a program cannot be started, or says something else than the file.
pub fn handshake(
    compiled: &CompiledExperiment,
    experiment: &Experiment,
    earlier: &[ProgramRecord],
) -> Result<(), Failure> {
    compiled.check_instances().map_err(Failure::failed)?;
    if experiment.is_race() {
        return Ok(());
    }
    let programs = compiled.programs();
    if let Some(command) = &programs.command {
        command.handshake().map_err(Failure::failed)?;
    }
    let of_command = programs.command.iter().len();
    let mut earlier: Vec<ProgramRecord> = earlier.iter().skip(of_command).cloned().collect();
    programs.players().iter().try_for_each(|player| {
        let record = take_record(&mut earlier, &player.declaration().program.argv);
        if let Some(record) = record.as_ref().filter(|record| !record.out.is_empty()) {
            player.recall_out(&record.out);
        }
        let is_there = player.handshake(record.is_some());
        is_there.map_err(Failure::failed)
    })
}

/// Forgets the players of a `stored` run that were out and are not there `now`, or stand for another program: nobody
/// played their matches. Returns a remark on each of the latter.
pub(super) fn forget_outs(
    (stored, now): (&mut Experiment, &Experiment),
    manifest: &mut Manifest,
) -> Vec<String> {
    let facts = |experiment: &Experiment| -> BTreeMap<String, String> {
        let facts = experiment.player_facts();
        facts
            .map(|(name, facts)| (name.to_owned(), facts))
            .collect()
    };
    let (before, now) = (facts(stored), facts(now));
    let mut joining = Vec::new();
    for (name, known) in before {
        let argv = &stored.file.players[&name].run;
        let was_out = |record: &ProgramRecord| record.argv == *argv && !record.out.is_empty();
        let record = manifest.programs.iter().position(was_out);
        let record = record.filter(|_| now.get(&name) != Some(&known));
        if let Some(record) = record.filter(|_| stored.remove_player(&name)) {
            manifest.programs.remove(record);
            let remark =
                format!("{name} was out, and is another program now: it joins like a new player");
            joining.extend(now.contains_key(&name).then_some(remark));
        }
    }
    joining
}

/// Refuses to go on with a run whose programs have changed since.
///
/// # Errors
/// If a program is another one now.
pub(crate) fn check_unchanged(
    stored: &Experiment,
    now: &Experiment,
    folder: &impl Display,
) -> Result<(), Failure> {
    let both = drawn(now).filter_map(|(name, new)| {
        let (_, old) = drawn(stored).find(|(known, _)| *known == name)?;
        Some((name, old, new))
    });
    for (name, old, new) in both {
        for (old, new) in old.files.iter().zip(&new.files) {
            if old.path == new.path && old.hash != new.hash {
                let is_player = now.players.iter().any(|one| one.name == name);
                return Err(Failure::usage(format!(
                    "{folder}: {} has changed since the run began: its hash was {}, and is {}",
                    old.path, old.hash, new.hash
                ))
                .with_help(help_of_changed(is_player.then_some(name), &new.path)));
            }
        }
    }
    Ok(())
}

/// The ways on after a file has changed; of a player's file also the one that loses no match.
fn help_of_changed(player: Option<&str>, path: &str) -> String {
    let others = "choose another folder with --out, start over with --force";
    let Some(player) = player else {
        return format!(
            "--resume goes on if stored samples, drawn again, come out the same; otherwise {others}, or restore \
             the file"
        );
    };
    format!(
        "to lose nobody's matches: save the corrected program under another name, restore {path}, and add the \
         corrected one as a new player: the table [players.{player}-2] and \"{player}-2\" in [sweep]; then \
         --resume plays its matches alone. Otherwise {others}"
    )
}

/// The programs that draw samples or play, in file order, with the name of each. A race has programs of its own.
fn drawn(experiment: &Experiment) -> impl Iterator<Item = (&str, &Declared)> {
    let command = experiment.drawing().into_iter();
    let command = command.map(|command| ("command", &command.program));
    let players = experiment.players.iter();
    command.chain(players.map(|player| (&*player.name, &player.program)))
}

/// The logs of those programs, under the same names.
fn logs(compiled: &CompiledExperiment) -> impl Iterator<Item = (&str, &ProgramLog)> {
    let command = compiled.programs().command.iter();
    let command = command.map(|command| ("command", command.log()));
    let players = compiled.programs().players().iter();
    command.chain(players.map(|player| (&*player.declaration().name, player.log())))
}

/// The folders that the programs may be in: where they ran, and that as it was given.
pub(crate) fn folders(experiment: &Experiment) -> Vec<String> {
    let Some(program) = programs(experiment).next() else {
        return Vec::new();
    };
    let verbatim = match program.home() {
        home if home.as_os_str().is_empty() => Path::new("."),
        home => home,
    };
    let absolute = std::path::absolute(verbatim).unwrap_or_else(|_| verbatim.to_owned());
    [absolute.as_path(), verbatim]
        .map(|path| path.to_string_lossy().into_owned())
        .into()
}

/// Ends the processes that are not under way, and holds the files of programs against their hashes a
/// last time.
///
/// # Errors
/// A sentence that denies what a program drew: its files are others by now, or it draws other
/// values when it is asked again after it ended with an error.
pub(crate) fn close(compiled: &CompiledExperiment, consent: &Consent) -> Result<(), String> {
    compiled.check_instances()?;
    let programs = compiled.programs();
    let command = programs.command.as_ref();
    let finished = command.map_or(Ok(()), |command| command.finish());
    let engines = programs
        .players()
        .iter()
        .filter_map(|player| player.engines());
    engines.for_each(|engines| engines.close());
    consent.check_again()?;
    finished.map_err(|error| error.to_string())
}

/// Returns the history of each program, with what earlier sessions recorded; of a race its name and the
/// hashes of its files as they were at the start.
pub(crate) fn records(
    (experiment, compiled): (&Experiment, &CompiledExperiment),
    consent: &Consent,
    earlier: &[ProgramRecord],
) -> Vec<ProgramRecord> {
    if experiment.is_race() {
        return raced_records(experiment, consent);
    }
    let mut earlier = earlier.to_vec();
    let mut of = |now: ProgramRecord| {
        let before = take_record(&mut earlier, &now.argv).unwrap_or_default();
        joined(before, now)
    };
    session_records(compiled).map(&mut of).collect()
}

/// The records of the programs of a race.
fn raced_records(experiment: &Experiment, consent: &Consent) -> Vec<ProgramRecord> {
    let record = |(name, program): (&str, &Declared)| {
        let files = program.files.iter();
        let hash = consent.of(program).map(|granted| granted.hash().to_owned());
        ProgramRecord {
            argv: program.argv.clone(),
            executable: hash.unwrap_or_default(),
            name: name.to_owned(),
            remarks: files
                .map(|file| format!("{} {}", file.path, file.hash))
                .collect(),
            ..ProgramRecord::default()
        }
    };
    experiment.programs().into_iter().map(record).collect()
}

/// Refuses to go on with a race whose programs are others than those that its manifest names.
///
/// # Errors
/// If a program has changed.
pub(crate) fn check_raced(
    experiment: &Experiment,
    consent: &Consent,
    earlier: &[ProgramRecord],
) -> Result<(), Failure> {
    let is_known = |now: &ProgramRecord| {
        earlier.iter().all(|known| {
            let is_same = known.name == now.name && known.argv == now.argv;
            !is_same || (&known.executable, &known.remarks) == (&now.executable, &now.remarks)
        })
    };
    let records = raced_records(experiment, consent);
    let changed = records.iter().find(|now| !is_known(now));
    changed.map_or(Ok(()), |changed| {
        let (name, title) = (&changed.name, changed.argv.join(" "));
        Err(Failure::usage(format!(
            "the program of `{name}`, `{title}`, has changed since the race began: times of two programs are \
             not one contender's"
        ))
        .with_help(
            "restore the program, choose another folder with --out, or start over with --force",
        ))
    })
}

/// Takes the record of the program with these arguments out of those of earlier sessions, which may
/// have had other players.
fn take_record(earlier: &mut Vec<ProgramRecord>, argv: &[String]) -> Option<ProgramRecord> {
    let known = earlier.iter().position(|known| known.argv == argv)?;
    Some(earlier.remove(known))
}

/// The history of each program, over all shards of a run.
pub(crate) fn united<'a>(shards: impl Iterator<Item = &'a [ProgramRecord]>) -> Vec<ProgramRecord> {
    let unite = |one: Vec<ProgramRecord>, other: Vec<ProgramRecord>| {
        let pairs = one.into_iter().zip(other);
        pairs.map(|(one, other)| joined(one, other)).collect()
    };
    let shards = shards.map(<[_]>::to_vec);
    shards.reduce(unite).unwrap_or_default()
}

/// The history of each program in this session.
fn session_records(compiled: &CompiledExperiment) -> impl Iterator<Item = ProgramRecord> {
    logs(compiled).map(|(_, log)| log.record())
}

/// The sessions of one run together.
fn joined(before: ProgramRecord, now: ProgramRecord) -> ProgramRecord {
    let either = |now: String, before: String| if now.is_empty() { before } else { now };
    ProgramRecord {
        argv: now.argv,
        executable: either(now.executable, before.executable),
        name: either(now.name, before.name),
        version: either(now.version, before.version),
        started: before.started + now.started,
        crashes: [before.crashes, now.crashes].concat(),
        out: either(now.out, before.out),
        timeouts: [before.timeouts, now.timeouts].concat(),
        varied: either(before.varied, now.varied),
        remarks: [before.remarks, now.remarks].concat(),
    }
}

/// Warns of the players that are out.
pub(crate) fn warn_of_outs(compiled: &CompiledExperiment, observer: &mut dyn Observer) {
    for player in compiled.programs().players() {
        if let Some(reason) = player.out() {
            let name = &player.declaration().name;
            observer.warning(&format!(
                "{name} is out, and none of its matches is played: {reason}"
            ));
        }
    }
}

/// Warns of what went wrong with the programs, and did no harm.
pub(crate) fn warn(compiled: &CompiledExperiment, observer: &mut dyn Observer) {
    let clock = "the clock decides which samples are, so another run may differ";
    for record in session_records(compiled) {
        let timeouts = record.timeouts.iter();
        let timeouts = abridged(
            timeouts.map(|timeout| format!("{timeout}; {clock}")),
            "such samples; manifest.json and the journal list them",
        );
        let crashes = record.crashes.iter();
        let crashes = abridged(
            crashes.map(|crash| format!("{crash}; drawn again and counted")),
            "such crashes; manifest.json lists them",
        );
        let remarks = abridged(
            told_once(record.remarks),
            "such remarks; manifest.json lists them",
        );
        let all = timeouts.into_iter().chain(crashes).chain(remarks);
        all.for_each(|warning| observer.warning(&warning));
    }
}

/// Remarks, each once with the number of times that it was made.
fn told_once(remarks: Vec<String>) -> impl Iterator<Item = String> {
    let mut times = IndexMap::<String, u64>::new();
    for remark in remarks {
        *times.entry(remark).or_default() += 1;
    }
    times.into_iter().map(|(remark, times)| match times {
        1 => remark,
        _ => format!("{remark} ({} times)", count(times)),
    })
}

/// Warnings of one kind before the rest is only counted.
const MOST_WARNINGS: usize = 10;

/// Returns the first of many warnings of one kind, and how many more there are: `rest` follows
/// their number.
pub fn abridged(mut warnings: impl Iterator<Item = String>, rest: &str) -> Vec<String> {
    let mut told: Vec<String> = warnings.by_ref().take(MOST_WARNINGS).collect();
    match warnings.count() {
        0 => {}
        more => told.push(format!("{more} more {rest}")),
    }
    told
}

/// Writes what was said before each fault of a program to a folder, where one is given.
///
/// # Errors
/// If a file cannot be written.
pub(crate) fn write_transcripts(
    compiled: &CompiledExperiment,
    folder: Option<&Path>,
) -> Result<(), Failure> {
    folder.map_or(Ok(()), |folder| {
        logs(compiled)
            .try_for_each(|(name, log)| log.write_transcripts(folder, name))
            .map_err(|error| Failure::of_file(folder, error))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_remark_that_is_made_again_is_counted() {
        let remarks = ["a", "b", "a", "a"].map(str::to_owned).to_vec();
        let told: Vec<String> = told_once(remarks).collect();
        assert_eq!(told, ["a (3 times)", "b"]);
        let many = (0..13).map(|at| at.to_string()).collect();
        let told = abridged(told_once(many), "such remarks");
        assert_eq!((told.len(), &*told[10]), (11, "3 more such remarks"));
    }
}
