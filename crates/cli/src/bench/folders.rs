//! The folders of races, for the other verbs.

use std::path::Path;

use crate::failure::Failure;
use crate::progress::Display;
use crate::table::{Format, Printed, write_stdout};
use crate::{Application, terminal};
use ::report::{ComparedSpeeds, RaceResults, compared, compared_sheet, conclusion};
use figures::{counted, duration};

use experiment::Experiment;
use lab::job::Job;
use lab::store::CLOCK;
use task::TableCell;

/// Returns whether a folder is that of a race.
pub fn is_race(folder: &Path) -> bool {
    folder.join(CLOCK).is_file()
}

/// The contents of a race's folder.
pub fn read(app: &Application, folder: &Path) -> Result<RaceResults, Failure> {
    RaceResults::read(&Job::of_folder(app, folder, &mut Display::default())?)
}

/// Shows the ratios of two races side by side.
pub fn compare(
    app: &Application,
    [first, second]: [&Path; 2],
    format: Format,
) -> Result<(), Failure> {
    let (one, other) = (read(app, first)?, read(app, second)?);
    let tasks = [&one, &other].map(|results| &results.experiment.task.name);
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
    let heading = format!("A: {}\nB: {}\n\n", first.display(), second.display());
    let sheet = compared_sheet(&rows, &one).to_text(terminal::width());
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
    let race = experiment.into_race()?;
    let mut table = Printed::new(&["contender", "instances", "answers_by"]);
    for cell in &race.cells {
        let by = cell.command();
        let by = by.unwrap_or_else(|| race.task.name.to_string());
        table.push([
            cell.name.as_str().into(),
            race.stop.max_samples.into(),
            by.into(),
        ]);
    }
    table.print(format)?;
    note!("{}", rule(&race));
    let entrants = race.entrants().count() as u64;
    let timings = 2 * entrants * race.stop.max_samples;
    note!(
        "{} of {}, the control included, two an instance each, beside the first answers after each start{}",
        counted(timings, "timing"),
        counted(entrants, "entrant"),
        time_at_cap(&race, timings)
    );
    let agreed = race.agreed();
    let agreed: Vec<&str> = (agreed.iter().map(|&at| &*race.task.metrics[at].name)).collect();
    let compared = match agreed.as_slice() {
        [] => "no answers are compared".to_owned(),
        names => format!("all must agree on {}", names.join(", ")),
    };
    note!("a benchmark: `etude bench` runs it; {compared}");
    Ok(())
}

/// Describes when a race ends.
fn rule(race: &Experiment) -> String {
    let most = counted(race.stop.max_samples, "instance");
    race.ratio_rule().map_or_else(
        || format!("ends after {most}"),
        |rule| {
            let (first, second, within) = (&rule.first, &rule.second, rule.within);
            format!(
                "ends when the interval of ratio({first}, {second}).median is within a factor of {within}, or after {most}"
            )
        },
    )
}

/// The processor time of so many timings of single answers, each as long as the cap allows; nothing where there is
/// none.
fn time_at_cap(race: &Experiment, timings: u64) -> String {
    let cap = race.answer_cap().cpu;
    cap.map_or_else(String::new, |cap| {
        format!(
            "; {} of processor time if each timing is of one answer that takes the cap",
            duration(cap * timings as f64)
        )
    })
}
