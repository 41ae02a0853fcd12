//! The check of a benchmark's folder: the files are as they were written, the ratios follow from the times,
//! and some instances are answered again.

use std::collections::{BTreeMap, BTreeSet};

use super::folder::{BenchFolder, BenchManifest, CONFIG, GO_ON, MACHINE, WORK};
use super::rows::{AnswerRow, answer_rows, work_lines};
use kit::rng::{Streams, below};
use lab::experiment::Setting;
use lab::files;
use lab::job::Failure;
use lab::run::{RaceCosts, entrant};
use lab::store::MachineFacts;
use lab::tables::{Comparison, Table, TableRow};
use programs::SUPERVISOR;

/// Returns what differs in a folder from what its manifest says, from what follows from its times, or from what `samples` of its
/// instances give when they are answered again; programs only on request.
///
/// # Errors
/// If a file cannot be read, or a contender cannot be made.
pub fn faults(
    folder: &BenchFolder,
    setting: &Setting,
    samples: u64,
    with_programs: bool,
) -> Result<Vec<String>, Failure> {
    let manifest = folder.manifest()?;
    if manifest.end().is_none() {
        let told = "it has not ended, or was killed, and has nothing to verify";
        let failure = Failure::failed(format!("{}: {told}", folder.path.display()));
        return Err(failure.with_help(GO_ON));
    }
    let is_changed = |(name, hash): &(&String, &String)| {
        files::digest(&folder.path.join(name)).ok().as_ref() != Some(hash)
    };
    let changed = manifest.files.iter().filter(is_changed);
    let changed = changed.map(|(name, _)| name);
    let told = "is not as it was written: its hash differs from manifest.json";
    let mut faults: Vec<String> = changed.map(|name| format!("{name} {told}")).collect();
    let config = files::read(&folder.path.join(CONFIG)).unwrap_or_default();
    if setting.experiment.resolved_toml().into_bytes() != config {
        faults.push("config.toml changes when it is read and written again".to_owned());
    }
    faults.extend(unfounded(folder, setting, &manifest)?);
    let seed = setting.experiment.file.seed;
    let instances = chosen(manifest.instances, samples, seed);
    let rows = folder.rows::<AnswerRow>()?.into_iter();
    let answers = rows.map(|row| (key(&row), row.value)).collect();
    let work = std::fs::read_to_string(folder.path.join(WORK)).unwrap_or_default();
    let stored = (&answers, &work.lines().collect());
    for (at, contender) in setting.contenders.iter().enumerate() {
        if contender.program.is_none() || with_programs {
            faults.extend(differences(stored, setting, at, &instances)?);
        }
    }
    Ok(faults)
}

/// The tables that do not follow from the times that are stored.
fn unfounded(
    folder: &BenchFolder,
    setting: &Setting,
    manifest: &BenchManifest,
) -> Result<Vec<String>, Failure> {
    let costs = RaceCosts::of(setting, &folder.timings(setting)?.0);
    if costs.instances() == 0 {
        return Ok(Vec::new());
    }
    let machine: MachineFacts = folder.json(MACHINE)?;
    let comparison = Comparison {
        setting,
        costs: &costs,
        confidence: manifest.confidence(setting),
        grain: machine.grain,
    };
    let checked = [
        unfounded_table(folder, comparison.rows()),
        unfounded_table(folder, comparison.growth()),
        unfounded_table(folder, comparison.claims()),
    ];
    Ok(checked.into_iter().flatten().collect())
}

/// A sentence on a table that has other rows than these.
fn unfounded_table<R: TableRow>(folder: &BenchFolder, rows: Vec<R>) -> Option<String> {
    let name = format!("{}.csv", R::TABLE);
    let stored = files::read(&folder.path.join(&name)).unwrap_or_default();
    let is_founded = stored == Table::of(rows).to_csv();
    (!is_founded).then(|| format!("{name} does not follow from clock.csv"))
}

/// The instance, the contender and the metric of an answer.
type AnswerKey = (u64, String, String);

fn key(row: &AnswerRow) -> AnswerKey {
    (row.instance, row.contender.clone(), row.metric.clone())
}

/// The stored answers and lines of work that come out differently when a contender answers again; a
/// program that was stopped by the clock may have none.
fn differences(
    (answers, work): (&BTreeMap<AnswerKey, String>, &BTreeSet<&str>),
    setting: &Setting,
    at: usize,
    instances: &[u64],
) -> Result<Vec<String>, Failure> {
    let contender = &setting.contenders[at];
    let is_inside = contender.program.is_none();
    let differing = |row: AnswerRow| {
        let stored = answers.get(&key(&row));
        let is_same = stored.map_or(!is_inside, |stored| *stored == row.value);
        let stored = stored.map_or("missing", String::as_str);
        let message = format!(
            "answers.csv: `{}` of instance {} by `{}` is {stored}, and {} when it is answered again",
            row.metric, row.instance, row.contender, row.value
        );
        (!is_same).then_some(message)
    };
    let mut runner = entrant(setting, at, &SUPERVISOR)?;
    let mut faults = Vec::new();
    for &instance in instances {
        let mut values = vec![vec![None; setting.metrics().len()]; setting.contenders.len()];
        values[at] = runner.answer(instance).values;
        let rows = answer_rows(setting, instance, &values).into_iter();
        faults.extend(rows.filter_map(differing));
        let lines = work_lines(setting, instance, &values);
        let lines = String::from_utf8_lossy(&lines);
        let own = lines.lines().nth(at).unwrap_or_default();
        if is_inside && !work.contains(own) {
            let name = &contender.name;
            faults.push(format!(
                "{WORK}: instance {instance} of `{name}` gives {own}"
            ));
        }
    }
    Ok(faults)
}

/// Some of the instances, drawn from the seed; all where there are no more.
fn chosen(instances: u64, samples: u64, seed: u64) -> Vec<u64> {
    if instances <= samples {
        return (0..instances).collect();
    }
    let mut stream = Streams::new(seed).key("bench verify").stream(0);
    let drawn: BTreeSet<u64> = (0..samples)
        .map(|_| below(&mut stream, instances))
        .collect();
    drawn.into_iter().collect()
}
