//! The number of pips that two dice show: a run in a folder of its own, which can be resumed, reported and
//! verified.

use etude_lab::Job;
use etude_lab::job::ChosenBlocks;
use etude_lab::run::{Interrupt, Silent};
use experiment::Experiment;
use kit::rng::below;
use task::{Metric, TaskSpec, Value};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let metrics = vec![Metric::integer("sum", "pips", (2, 12), "Pips together.")];
    let dice = TaskSpec::simple("dice/sum", "What two dice show", metrics, |stream, row| {
        let pips = 2 + below(stream, 6) + below(stream, 6);
        row.push(Value::Exact(pips as i64));
    });
    let text = "question = 'How many pips?'\ntask = 'dice/sum'\nseed = 1\n[stop]\nsamples = 10_000";
    let folder = tempfile::tempdir()?.keep();
    let job = Job::new(Experiment::of_task(dice, text)?)?.in_folder(&folder);
    let mut finished = job.run(&Interrupt::new(), &mut Silent)?;
    finished.verdict()?;
    let again = ChosenBlocks::AtRandom { samples: 1_000 };
    let check = finished.job.verify(&again, &mut Silent)?;
    println!("{}: {} faults", folder.display(), check.faults.len());
    Ok(())
}
