//! The check of a benchmark's folder: the reproducible files are as they were written, and some
//! instances are answered again.

use std::collections::{BTreeMap, BTreeSet};

use super::folder::{BenchFolder, BenchManifest, CONFIG, MANIFEST, REPRODUCIBLE, WORK};
use super::rows::{AnswerRow, answer_rows, work_lines};
use super::setting::Setting;
use crate::files;
use crate::job::Failure;
use crate::rng::{Streams, below};

/// Returns what differs in a folder from what its manifest says, or from what `samples` of its
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
    let manifest: BenchManifest = folder.json(MANIFEST)?;
    let is_changed = |name: &&&str| {
        let hash = files::digest(&folder.path.join(name)).ok();
        manifest.files.get(**name) != hash.as_ref()
    };
    let changed = REPRODUCIBLE.iter().filter(is_changed);
    let told = "is not as it was written: its hash differs from manifest.json";
    let mut faults: Vec<String> = changed.map(|name| format!("{name} {told}")).collect();
    let config = files::read(&folder.path.join(CONFIG)).unwrap_or_default();
    if setting.experiment.resolved_toml().into_bytes() != config {
        faults.push("config.toml changes when it is read and written again".to_owned());
    }
    let seed = setting.experiment.file.seed;
    let instances = chosen(manifest.instances, samples, seed);
    let stored = StoredAnswers::read(folder)?;
    for (at, contender) in setting.contenders.iter().enumerate() {
        if contender.program.is_none() || with_programs {
            faults.extend(stored.faults(setting, at, &instances)?);
        }
    }
    Ok(faults)
}

/// The answers and the work in a folder.
struct StoredAnswers {
    answers: BTreeMap<(u64, String, String), String>,
    work: String,
}

impl StoredAnswers {
    fn read(folder: &BenchFolder) -> Result<Self, Failure> {
        let rows: Vec<AnswerRow> = folder.rows()?;
        Ok(Self {
            answers: rows.into_iter().map(|row| (key(&row), row.value)).collect(),
            work: std::fs::read_to_string(folder.path.join(WORK)).unwrap_or_default(),
        })
    }

    /// The rows of instances that come out differently when a contender answers them again.
    fn faults(
        &self,
        setting: &Setting,
        at: usize,
        instances: &[u64],
    ) -> Result<Vec<String>, Failure> {
        let contender = &setting.contenders[at];
        let is_inside = contender.program.is_none();
        let lines: BTreeSet<&str> = self.work.lines().collect();
        let mut runner = setting.runner(at)?;
        let mut faults = Vec::new();
        for &instance in instances {
            let mut values = vec![vec![None; setting.metrics().len()]; setting.contenders.len()];
            values[at] = runner.answer(instance).values;
            let rows = answer_rows(setting, instance, &values).into_iter();
            let stored = |row: &AnswerRow| self.answers.get(&key(row));
            faults.extend(rows.filter_map(|row| differing(&row, stored(&row), is_inside)));
            let work = work_lines(setting, instance, &values);
            let work = String::from_utf8_lossy(&work);
            let own = work.lines().nth(at).unwrap_or_default();
            if is_inside && !lines.contains(own) {
                let name = &contender.name;
                faults.push(format!(
                    "{WORK}: instance {instance} of `{name}` gives {own}"
                ));
            }
        }
        Ok(faults)
    }
}

/// The place of an answer.
fn key(row: &AnswerRow) -> (u64, String, String) {
    (row.instance, row.contender.clone(), row.metric.clone())
}

/// A stored value that another takes the place of; a program that was stopped by the clock may have none.
fn differing(row: &AnswerRow, stored: Option<&String>, is_inside: bool) -> Option<String> {
    if stored.map_or(!is_inside, |stored| *stored == row.value) {
        return None;
    }
    Some(format!(
        "answers.csv: `{}` of instance {} by `{}` is {}, and {} when it is answered again",
        row.metric,
        row.instance,
        row.contender,
        stored.map_or("missing", String::as_str),
        row.value
    ))
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
