//! The folders of benchmarks, and their files, for the other verbs.

use crate::failure::Failure;
use crate::progress::Display;
use crate::table::{Format, Printed, write_stdout};
use crate::{Program, terminal};
use ::bench::{BenchFolder, faults};
use ::report::{ComparedSpeeds, RaceResults, compared, compared_sheet, conclusion};

use lab::experiment::{Experiment, Setting};
use lab::task::TableCell;

/// Checks the folder of a benchmark, for `etude verify`.
pub fn verify(
    program: &Program,
    folder: &BenchFolder,
    samples: u64,
    with_programs: bool,
) -> Result<(), Failure> {
    let setting = folder.setting(program, &mut Display::default())?;
    let faults = faults(folder, &setting, samples, with_programs)?;
    let path = folder.path.display();
    if !faults.is_empty() {
        return Err(Failure::failed(format!("{path}: {}", faults.join("\n"))));
    }
    note!(
        "{path}: sound; the answers match their hashes and were reproduced; the ratios follow from the times, which cannot be reproduced"
    );
    Ok(())
}

/// The contents of a benchmark's folder.
pub fn read(program: &Program, folder: &BenchFolder) -> Result<RaceResults, Failure> {
    ::bench::read(folder, folder.setting(program, &mut Display::default())?)
}

/// Shows the ratios of two benchmarks side by side.
pub fn compare(
    program: &Program,
    [first, second]: [&BenchFolder; 2],
    format: Format,
) -> Result<(), Failure> {
    let (one, other) = (read(program, first)?, read(program, second)?);
    let tasks = [&one, &other].map(|results| &results.setting.experiment.task.name);
    let rows = compared(&one, &other);
    if tasks[0] != tasks[1] || rows.is_empty() {
        return Err(
            Failure::usage("these benchmarks have no pair of contenders in common")
                .with_help("compare two folders of one benchmark file"),
        );
    }
    note!(
        "times of different sessions cannot be compared: `etude bench FILE --against PROGRAM` races two builds in one"
    );
    if format != Format::Text {
        return compared_table(&rows).print(format);
    }
    let heading = format!(
        "A: {}\nB: {}\n\n",
        first.path.display(),
        second.path.display()
    );
    let sheet = compared_sheet(&rows, &one.speed.sweep).to_text(terminal::width());
    write_stdout((heading + &sheet).as_bytes())
}

fn compared_table(rows: &[ComparedSpeeds]) -> Printed {
    let mut table = Printed::new(&[
        "first",
        "second",
        "statistic",
        "ratio",
        "ci_lo",
        "ci_hi",
        "other_ratio",
        "other_ci_lo",
        "other_ci_hi",
        "conclusion",
    ]);
    for both in rows {
        let names = [&both[0].first, &both[0].second, &both[0].statistic];
        let names = names.map(|name| name.as_str().into()).into_iter();
        let speeds = both.iter().map(|row| row.speed);
        let numbers = speeds.flat_map(|speed| [speed.value, speed.lo, speed.hi]);
        let fields = names.chain(numbers.map(TableCell::from));
        table.push(fields.chain([conclusion(both).into()]));
    }
    table
}

/// Shows who would race, and starts nothing.
pub fn plan(experiment: Experiment, format: Format) -> Result<(), Failure> {
    let setting = Setting::of(experiment)?;
    let mut table = Printed::new(&["contender", "instances", "answers_by"]);
    for contender in &setting.contenders {
        let task = || setting.experiment.task.name.to_string();
        let by = contender.command().unwrap_or_else(task);
        let name = contender.name.as_str().into();
        table.push([name, setting.instances.into(), by.into()]);
    }
    table.print(format)?;
    let answers = setting.answers.iter();
    let agreed: Vec<&str> = answers.map(|&at| &*setting.metrics()[at].name).collect();
    note!(
        "a benchmark: `etude bench` runs it; all must agree on {}",
        agreed.join(", ")
    );
    Ok(())
}
