//! The variables by which schedulers tell a task of an array which one it is.

use std::ops::RangeInclusive;

use lab::run::Shard;

use super::failure::Failure;
use super::shard::Tasks;

/// A scheduler's variables for a task of an array.
struct Scheduler {
    name: &'static str,
    /// The variable with the number of the task.
    index: &'static str,
    /// The number of the first task.
    first: First,
    /// The number of tasks.
    count: ShardCount,
    /// The variable with the difference between the numbers of two tasks, where that may be more than one.
    step: Option<&'static str>,
}

/// The number of the first task of an array.
enum First {
    /// Always this.
    Always(u64),
    /// The value of a variable.
    In(&'static str),
    /// Whoever submits the array chooses it.
    Chosen,
}

/// The number of tasks of an array.
enum ShardCount {
    /// The value of a variable.
    In(&'static str),
    /// By the variable with the number of the last task.
    UpTo(&'static str),
    /// No variable says it.
    Unsaid,
}

/// Every scheduler whose variables are known; the book has the same table.
const SCHEDULERS: [Scheduler; 8] = [
    Scheduler {
        name: "Slurm",
        index: "SLURM_ARRAY_TASK_ID",
        first: First::In("SLURM_ARRAY_TASK_MIN"),
        count: ShardCount::In("SLURM_ARRAY_TASK_COUNT"),
        step: Some("SLURM_ARRAY_TASK_STEP"),
    },
    Scheduler {
        name: "Kubernetes",
        index: "JOB_COMPLETION_INDEX",
        first: First::Always(0),
        count: ShardCount::Unsaid,
        step: None,
    },
    Scheduler {
        name: "AWS Batch",
        index: "AWS_BATCH_JOB_ARRAY_INDEX",
        first: First::Always(0),
        count: ShardCount::In("AWS_BATCH_JOB_ARRAY_SIZE"),
        step: None,
    },
    Scheduler {
        name: "Cloud Run",
        index: "CLOUD_RUN_TASK_INDEX",
        first: First::Always(0),
        count: ShardCount::In("CLOUD_RUN_TASK_COUNT"),
        step: None,
    },
    Scheduler {
        name: "Google Batch",
        index: "BATCH_TASK_INDEX",
        first: First::Always(0),
        count: ShardCount::In("BATCH_TASK_COUNT"),
        step: None,
    },
    Scheduler {
        name: "PBS",
        index: "PBS_ARRAY_INDEX",
        first: First::Chosen,
        count: ShardCount::Unsaid,
        step: None,
    },
    Scheduler {
        name: "Grid Engine",
        index: "SGE_TASK_ID",
        first: First::In("SGE_TASK_FIRST"),
        count: ShardCount::UpTo("SGE_TASK_LAST"),
        step: Some("SGE_TASK_STEPSIZE"),
    },
    Scheduler {
        name: "LSF",
        index: "LSB_JOBINDEX",
        first: First::Chosen,
        count: ShardCount::UpTo("LSB_JOBINDEX_END"),
        step: Some("LSB_JOBINDEX_STEP"),
    },
];

/// A shard that a scheduler's variables say, and how.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Taken {
    /// The shard.
    pub(crate) shard: Shard,
    /// The variables, in a sentence.
    pub(crate) told: String,
}

/// The shard of the task that the environment says this is.
pub(crate) fn taken(
    tasks: &Tasks,
    read: &dyn Fn(&str) -> Option<String>,
) -> Result<Taken, Failure> {
    let is_set = |scheduler: &&Scheduler| scheduler.task(read).is_some();
    let found: Vec<&Scheduler> = SCHEDULERS.iter().filter(is_set).collect();
    match found.as_slice() {
        [] => {
            let names = SCHEDULERS.map(|scheduler| scheduler.index).join(", ");
            Err(
                Failure::usage(format!("--shard auto: none of {names} is set"))
                    .with_help("run it as a task of an array, or give the shard: --shard 2/8"),
            )
        }
        [scheduler] => scheduler.shard(tasks, read),
        [one, other, ..] => {
            let (one, other) = (one.index, other.index);
            Err(
                Failure::usage(format!("--shard auto: {one} and {other} are both set")).with_help(
                    format!(
                        "give the shard: --shard I/K, or unset one: env -u {one} etude run ..."
                    ),
                ),
            )
        }
    }
}

impl Scheduler {
    /// The number of the task; `None` outside an array, where Grid Engine says `undefined` and LSF 0.
    fn task(&self, read: &dyn Fn(&str) -> Option<String>) -> Option<u64> {
        let task: u64 = read(self.index)?.trim().parse().ok()?;
        (self.index != "LSB_JOBINDEX" || task > 0).then_some(task)
    }

    fn shard(
        &self,
        tasks: &Tasks,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Taken, Failure> {
        let number = |name: &str| read(name).and_then(|text| text.trim().parse::<u64>().ok());
        let task = self.task(read).unwrap_or_default();
        let numbers = self.numbers(tasks, &number)?;
        let (first, last) = (*numbers.start(), *numbers.end());
        let index = task.checked_sub(first);
        let count = (last - first).saturating_add(1);
        let shard = index.and_then(|index| Shard::new(index, count)).ok_or_else(|| {
            let (name, index) = (self.name, self.index);
            Failure::usage(format!(
                "--shard auto: {index} is {task}, which is none of the tasks {first} to {last} of this {name} array"
            ))
            .with_help("give all numbers of the array: --shard auto/FIRST-LAST")
        })?;
        let (name, variable) = (self.name, self.index);
        Ok(Taken {
            shard,
            told: format!(
                "shard {shard}: {name} says {variable}={task}, and the tasks are {first} to {last}"
            ),
        })
    }

    /// The numbers of all tasks.
    fn numbers(
        &self,
        tasks: &Tasks,
        number: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<RangeInclusive<u64>, Failure> {
        if let Tasks::Numbers(numbers) = tasks {
            return Ok(numbers.clone());
        }
        self.check_step(number)?;
        let first = match self.first {
            First::Always(first) => Some(first),
            // An array of which only some tasks are submitted again begins anywhere.
            First::In(name) => number(name).filter(|&first| first <= 1),
            First::Chosen => None,
        };
        let said = |first: u64| match self.count {
            ShardCount::In(name) => number(name)?.checked_sub(1)?.checked_add(first),
            ShardCount::UpTo(name) => number(name),
            ShardCount::Unsaid => None,
        };
        let last = |first: u64| match tasks {
            Tasks::Count(count) => (count - 1).checked_add(first),
            _ => said(first),
        };
        let numbers = first.and_then(|first| Some(first..=last(first)?));
        numbers.ok_or_else(|| self.open(first, tasks))
    }

    /// Refuses an array whose numbers have gaps.
    fn check_step(&self, number: &dyn Fn(&str) -> Option<u64>) -> Result<(), Failure> {
        let step = self
            .step
            .and_then(|variable| Some((variable, number(variable)?)));
        let Some((variable, step)) = step.filter(|&(_, step)| step > 1) else {
            return Ok(());
        };
        let name = self.name;
        Err(Failure::usage(format!(
            "--shard auto: {name} says {variable}={step}, so the numbers of the tasks have gaps"
        ))
        .with_help("number them one after the other, or give the shard: --shard I/K"))
    }

    /// The failure of an array whose numbers are not known.
    fn open(&self, first: Option<u64>, tasks: &Tasks) -> Failure {
        let (name, index) = (self.name, self.index);
        let (what, example) = match (first, tasks) {
            (None, Tasks::Count(count)) => (
                "whether tasks are counted from 0 or from 1",
                format!("auto/0-{} or auto/1-{count}", count - 1),
            ),
            (None, _) => (
                "which numbers the tasks of the whole array have",
                "auto/0-7 or auto/1-8".to_owned(),
            ),
            (Some(_), _) => ("how many tasks there are", "auto/8".to_owned()),
        };
        Failure::usage(format!(
            "--shard auto: {name} sets {index}, but does not say {what}"
        ))
        .with_help(format!("say it: --shard {example}"))
    }
}
