//! The folders of races, for the other verbs.

use std::path::Path;

use crate::Application;
use crate::failure::Failure;
use crate::progress::Display;
use crate::table::{Format, Printed};
use ::report::RaceResults;
use base::counted;
use figures::duration;

use experiment::Experiment;
use lab::job::StoredRace;

/// The findings in a race's folder.
pub(crate) fn read(app: &Application, folder: &Path) -> Result<RaceResults, Failure> {
    StoredRace::read(app, folder, &mut Display::default()).map(RaceResults::of)
}

/// Shows who would race, and starts nothing.
pub(crate) fn plan(experiment: Experiment, format: Format) -> Result<(), Failure> {
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
