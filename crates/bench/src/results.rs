//! The contents of a benchmark's folder, read for reports.

use super::folder::{BenchFolder, GO_ON, MACHINE, RaceEnd};
use lab::experiment::Setting;
use lab::job::Failure;
use lab::run::RaceCosts;
use lab::store::MachineFacts;
use lab::tables::Comparison;
use report::{RaceResults, SpeedTable, count, sweep};

/// Reads a folder of this setting. The tables of a benchmark that did not say how it ended are
/// computed from the times that it stored.
///
/// # Errors
/// If a file cannot be read.
pub fn read(folder: &BenchFolder, setting: Setting) -> Result<RaceResults, Failure> {
    let manifest = folder.manifest()?;
    let end = manifest.end();
    let name = |at: usize| setting.name(at).to_owned();
    let (timings, instances) = folder.timings(&setting)?;
    let measured = end.map_or(instances, |_| manifest.instances);
    let mut machine: MachineFacts = folder.json(MACHINE)?;
    if end.is_none() {
        machine.end_session(&timings, instances);
    }
    let mut results = RaceResults {
        instances: measured,
        cut_short: cut_short(end, measured, setting.instances),
        speed: SpeedTable {
            rows: folder.rows()?,
            sweep: sweep(&setting),
            asked: setting
                .asked()
                .map(|(first, second)| [name(first), name(second)]),
            differing: end == Some(RaceEnd::Differing),
        },
        growth: folder.rows()?,
        claims: folder.rows()?,
        machine,
        waits: Vec::new(),
        setting,
    };
    let costs = RaceCosts::of(&results.setting, &timings);
    if end.is_none() {
        let (setting, grain) = (results.setting.clone(), results.machine.grain);
        results.compute(&Comparison {
            setting: &setting,
            costs: &costs,
            confidence: manifest.confidence(&setting),
            grain,
        });
    }
    results.waits = results.waiting(&costs);
    Ok(results)
}

/// A sentence on a benchmark that stopped before its end, and how to go on.
fn cut_short(end: Option<RaceEnd>, done: u64, planned: u64) -> Option<String> {
    let (done, planned) = (count(done), count(planned));
    let so_far = format!("{done} of {planned} instances are measured");
    match end {
        None => Some(format!(
            "it has not ended, or was killed: {so_far}; if it is not running any more, {GO_ON}"
        )),
        Some(RaceEnd::Interrupted) => Some(format!("it was stopped early: {so_far}; {GO_ON}")),
        Some(RaceEnd::Differing) => Some(format!(
            "it was stopped, as the answers to instance {done} differ; answers.csv has them"
        )),
        Some(RaceEnd::Complete | RaceEnd::Capped) => None,
    }
}
