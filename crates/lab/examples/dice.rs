//! The number of pips that two dice show: an experiment made in Rust and run in memory.

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
    let experiment = Experiment::of_task(dice, text)?;
    let outcome = etude_lab::run(&experiment, 2)?;
    let sum = outcome.cells[0][0];
    let (mean, interval) = sum.value.zip(sum.interval).ok_or("no estimate")?;
    println!("{mean:.2} pips, {:.2} to {:.2}", interval.lo, interval.hi);
    Ok(())
}
