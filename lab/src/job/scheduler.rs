//! The shard of an experiment that this process runs: given by the user, or read from the variables
//! that a scheduler sets for the tasks of an array and the ranks of a parallel job.
//!
//! The variables are those that each scheduler documents. Nothing is guessed where a count is
//! missing.

use serde::Deserialize;

use crate::run::Shard;

/// The value of `--shard`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardChoice {
    /// This shard.
    Fixed(Shard),
    /// The shard that the scheduler's variables name, of an array of this many tasks where they
    /// do not say.
    Scheduled(Option<u64>),
}

impl ShardChoice {
    /// Reads `I/K` with I counted from 1, `auto`, or `auto/K`.
    ///
    /// # Errors
    /// The forms that were expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let choice = match text.strip_prefix("auto") {
            Some("") => Some(ShardChoice::Scheduled(None)),
            Some(rest) => rest
                .strip_prefix('/')
                .and_then(|count| count.parse().ok())
                .filter(|&count| count > 0)
                .map(|count| ShardChoice::Scheduled(Some(count))),
            None => text.parse().ok().map(ShardChoice::Fixed),
        };
        choice.ok_or_else(|| {
            "expected I/K with 1 <= I <= K, such as 2/8, or auto, or auto/K".to_owned()
        })
    }

    /// The shard, given the environment.
    ///
    /// # Errors
    /// If no scheduler names a shard.
    pub fn resolve(self, environment: &dyn Fn(&str) -> Option<String>) -> Result<Shard, String> {
        match self {
            ShardChoice::Fixed(shard) => Ok(shard),
            ShardChoice::Scheduled(count) => scheduled(environment, count),
        }
    }
}

/// The schedulers, in the order in which they are looked for. The ranks of the launcher come before
/// those of the job it runs in.
const SCHEDULERS: &str = include_str!("schedulers.csv");

/// The variables of one scheduler. Only `index` must be set; a variable left out is one that the
/// scheduler does not have.
#[derive(Debug, Deserialize)]
struct SchedulerVariables {
    /// The tasks that it counts: those of a job `array`, or the `rank`s of a parallel job.
    kind: String,
    name: String,
    index: String,
    /// The index of the first task, unless a variable says it.
    first: u64,
    first_variable: Option<String>,
    /// The index of the last task.
    last: Option<String>,
    /// The number of tasks.
    count: Option<String>,
    step: Option<String>,
}

/// The shard of a task of an array, of a rank, or of a rank within a task of an array.
fn scheduled(
    environment: &dyn Fn(&str) -> Option<String>,
    count: Option<u64>,
) -> Result<Shard, String> {
    let mut table = csv::Reader::from_reader(SCHEDULERS.as_bytes());
    let known: Result<Vec<SchedulerVariables>, _> = table.deserialize().collect();
    let known = known.map_err(|error| error.to_string())?;
    let of_kind = |kind: &str| {
        let mut of_kind = known.iter().filter(|known| known.kind == kind);
        of_kind.find_map(|known| known.read(environment))
    };
    match (of_kind("array"), of_kind("rank")) {
        (None, None) => {
            Err("no variables of a job array or of an MPI rank are set; use --shard I/K".into())
        }
        (Some(place), None) | (None, Some(place)) => shard(place, count),
        (Some(array), Some(rank)) => {
            let (rank, array) = (shard(rank, None)?, shard(array, count)?);
            let index = array.index() * rank.count() + rank.index();
            Shard::new(index, array.count() * rank.count())
                .ok_or_else(|| "there are too many ranks".into())
        }
    }
}

/// The index of a task in its scheduler's array, counted from 0, and the number of tasks.
type ArrayPlace<'table> = (&'table SchedulerVariables, Option<u64>, Option<u64>);

impl SchedulerVariables {
    /// `None` if the scheduler is not at work.
    fn read(&self, environment: &dyn Fn(&str) -> Option<String>) -> Option<ArrayPlace<'_>> {
        let index = environment(&self.index)?;
        let is_idle = match &*self.name {
            // Words for jobs that are no array.
            "Grid Engine" => index == "undefined",
            "LSF" => index == "0",
            // The batch shell of a Slurm job has a rank too, but no step.
            "srun" => environment("SLURM_STEP_ID").is_none(),
            _ => false,
        };
        let integer = |name: &Option<String>| {
            let text = environment(name.as_deref()?)?;
            text.trim().parse::<u64>().ok()
        };
        let first = integer(&self.first_variable).unwrap_or(self.first);
        let step = integer(&self.step).unwrap_or(1).max(1);
        let steps = |index: u64| Some(index.checked_sub(first)? / step);
        let last = || integer(&self.last).and_then(steps).map(|last| last + 1);
        let index = index.trim().parse().ok().and_then(steps);
        (!is_idle).then(|| (self, index, integer(&self.count).or_else(last)))
    }
}

/// The shard of a place, of `asked` shards where that many were asked for.
fn shard((scheduler, index, count): ArrayPlace, asked: Option<u64>) -> Result<Shard, String> {
    let (name, first) = (&scheduler.name, scheduler.first);
    let count = asked.or(count).ok_or_else(|| {
        format!("{name} does not say how many tasks there are; use --shard auto/K")
    })?;
    let place = index.and_then(|index| Shard::new(index, count));
    place.ok_or_else(|| {
        let last = first.saturating_add(count).saturating_sub(1);
        format!(
            "{name} sets {} to a task outside the array; number its tasks from {first} to {last}",
            scheduler.index
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn auto(count: Option<u64>, variables: &[(&str, &str)]) -> Result<String, String> {
        let environment = |name: &str| {
            let variable = variables.iter().find(|(known, _)| *known == name);
            variable.map(|(_, value)| (*value).to_owned())
        };
        ShardChoice::Scheduled(count)
            .resolve(&environment)
            .map(|shard| shard.to_string())
    }

    #[test]
    fn every_scheduler_says_its_place() {
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_MAX", "9"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_PROCID", "0"),
        ];
        assert_eq!(auto(None, &slurm), Ok("3/4".into()));
        let engine = [
            ("SGE_TASK_ID", "1"),
            ("SGE_TASK_FIRST", "1"),
            ("SGE_TASK_LAST", "5"),
        ];
        assert_eq!(auto(None, &engine), Ok("1/5".into()));
        let lsf = [("LSB_JOBINDEX", "5"), ("LSB_JOBINDEX_END", "5")];
        assert_eq!(auto(None, &lsf), Ok("5/5".into()));
        let aws = [
            ("AWS_BATCH_JOB_ARRAY_INDEX", "0"),
            ("AWS_BATCH_JOB_ARRAY_SIZE", "12"),
        ];
        assert_eq!(auto(None, &aws), Ok("1/12".into()));
        assert_eq!(auto(Some(4), &[("PBS_ARRAY_INDEX", "2")]), Ok("2/4".into()));
        assert_eq!(auto(Some(4), &[("PBS_ARRAYID", "4")]), Ok("4/4".into()));
        assert_eq!(auto(Some(4), &[("HQ_TASK_ID", "1")]), Ok("1/4".into()));
        assert_eq!(
            auto(Some(4), &[("JOB_COMPLETION_INDEX", "3")]),
            Ok("4/4".into())
        );
        let mpi = [("OMPI_COMM_WORLD_RANK", "2"), ("OMPI_COMM_WORLD_SIZE", "3")];
        assert_eq!(auto(None, &mpi), Ok("3/3".into()));
        assert_eq!(
            auto(None, &[("PMI_RANK", "0"), ("PMI_SIZE", "2")]),
            Ok("1/2".into())
        );
    }

    #[test]
    fn ranks_within_a_task_of_an_array_share_its_share() {
        let both = [
            ("SLURM_ARRAY_TASK_ID", "2"),
            ("SLURM_ARRAY_TASK_MIN", "1"),
            ("SLURM_ARRAY_TASK_MAX", "3"),
            ("SLURM_STEP_ID", "0"),
            ("SLURM_PROCID", "1"),
            ("SLURM_STEP_NUM_TASKS", "4"),
        ];
        assert_eq!(auto(None, &both), Ok("6/12".into()));
    }

    #[test]
    fn missing_scheduler_variables_are_requested() {
        assert!(auto(None, &[]).unwrap_err().contains("--shard I/K"));
        let kubernetes = [("JOB_COMPLETION_INDEX", "3")];
        assert!(auto(None, &kubernetes).unwrap_err().contains("auto/K"));
        let from_zero = auto(Some(4), &[("HQ_TASK_ID", "0")]).unwrap_err();
        assert!(from_zero.contains("from 1 to 4"), "{from_zero}");
        let past = auto(Some(3), &kubernetes).unwrap_err();
        assert!(past.contains("from 0 to 2"), "{past}");
        let nonsense = auto(Some(4), &[("HQ_TASK_ID", "x")]);
        assert!(nonsense.is_err());
        let alone = [("SGE_TASK_ID", "undefined"), ("LSB_JOBINDEX", "0")];
        assert!(auto(Some(4), &alone).is_err());
    }

    #[test]
    fn shares_are_counted_from_one() {
        assert_eq!(
            ShardChoice::parse("2/8"),
            Ok(ShardChoice::Fixed(Shard::new(1, 8).unwrap()))
        );
        assert_eq!(
            ShardChoice::parse("auto/8"),
            Ok(ShardChoice::Scheduled(Some(8)))
        );
        assert_eq!(ShardChoice::parse("auto"), Ok(ShardChoice::Scheduled(None)));
        for wrong in ["0/8", "9/8", "auto/0", "auto8", "1", "/", "-1/2", ""] {
            assert!(ShardChoice::parse(wrong).is_err(), "{wrong}");
        }
    }
}
