//! The check of a benchmark's folder: the reproducible files are as they were written, and some
//! instances are answered again.

use std::collections::{BTreeMap, BTreeSet};

use super::folder::{BenchFolder, BenchManifest, CONFIG, MANIFEST, REPRODUCIBLE, WORK};
use super::race::Raced;
use super::rows::{AnswerRow, answer_rows, work_lines};
use super::setting::Setting;
use crate::files;
use crate::job::Failure;
use crate::rng::{Streams, below};

/// Returns what differs in a folder from what its manifest says, or from what `samples` of its
/// instances give when they are answered again; programs only on request.
///
/// # Errors
/// Where a file cannot be read, or a contender cannot be made.
pub fn faults(
    folder: &BenchFolder,
    setting: &Setting,
    samples: u64,
    with_programs: bool,
) -> Result<Vec<String>, Failure> {
    let manifest: BenchManifest = folder.json(MANIFEST)?;
    let mut found = changed(folder, &manifest);
    if setting.experiment.resolved_toml().as_bytes()
        != files::read(&folder.path.join(CONFIG)).unwrap_or_default()
    {
        found.push("config.toml is not what it says when it is written again".to_owned());
    }
    found.extend(unanswered(
        folder,
        setting,
        &manifest,
        (samples, with_programs),
    )?);
    Ok(found)
}

fn changed(folder: &BenchFolder, manifest: &BenchManifest) -> Vec<String> {
    let names = REPRODUCIBLE.iter().filter(|name| {
        let hash = files::digest(&folder.path.join(name)).ok();
        manifest.files.get(**name) != hash.as_ref()
    });
    names
        .map(|name| format!("{name} is not as it was written: its hash differs from manifest.json"))
        .collect()
}

/// The rows of instances that come out differently when they are answered again.
fn unanswered(
    folder: &BenchFolder,
    setting: &Setting,
    manifest: &BenchManifest,
    (samples, with_programs): (u64, bool),
) -> Result<Vec<String>, Failure> {
    let rows: Vec<AnswerRow> = folder.rows()?;
    let stored: BTreeMap<_, _> = rows.into_iter().map(|row| (key(&row), row.value)).collect();
    let text = std::fs::read_to_string(folder.path.join(WORK)).unwrap_or_default();
    let lines: BTreeSet<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, contender) in setting.contenders.iter().enumerate() {
        let is_inside = contender.program.is_none();
        if !(is_inside || with_programs) {
            continue;
        }
        let mut runner = setting.runner(at)?;
        for instance in chosen(manifest.instances, samples, setting.experiment.file.seed) {
            let mut again = Raced {
                values: vec![vec![None; setting.metrics().len()]; setting.contenders.len()],
                ..Raced::default()
            };
            again.values[at] = runner.answer(instance).values;
            let rows = answer_rows(setting, instance, &again.values).into_iter();
            found.extend(rows.filter_map(|row| differing(&row, stored.get(&key(&row)), is_inside)));
            let work = work_lines(setting, instance, &again.values);
            let work = String::from_utf8_lossy(&work);
            let own = work.lines().nth(at).unwrap_or_default();
            if is_inside && !lines.contains(own) {
                let name = &contender.name;
                found.push(format!(
                    "{WORK}: instance {instance} of `{name}` gives {own}"
                ));
            }
        }
    }
    Ok(found)
}

/// The place of an answer.
fn key(row: &AnswerRow) -> (u64, String, String) {
    (row.instance, row.contender.clone(), row.metric.clone())
}

/// A stored value that another takes the place of; a program that was stopped by the clock may have none.
fn differing(row: &AnswerRow, stored: Option<&String>, is_inside: bool) -> Option<String> {
    let AnswerRow {
        instance,
        contender,
        metric,
        value,
    } = row;
    match stored {
        Some(stored) if stored == value => None,
        None if !is_inside => None,
        stored => Some(format!(
            "answers.csv: `{metric}` of instance {instance} by `{contender}` is {}, and {value} when it \
             is answered again",
            stored.map_or("missing", String::as_str)
        )),
    }
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
