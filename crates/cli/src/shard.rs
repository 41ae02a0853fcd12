//! Which shard to draw: as it is given, or as a scheduler's variables say.

use std::ops::RangeInclusive;
use std::str::FromStr;

use lab::run::Shard;

use super::failure::Failure;
use super::schedulers::taken;

/// The shard of the command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ShardChoice {
    /// This one.
    Given(Shard),
    /// That of the task of an array in which the process runs.
    Auto(Tasks),
}

/// The numbers of the tasks of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Tasks {
    /// As the scheduler's variables say.
    Said,
    /// So many, from the number on with which the scheduler begins.
    Count(u64),
    /// These.
    Numbers(RangeInclusive<u64>),
}

impl FromStr for ShardChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(tasks) = text.strip_prefix("auto") else {
            let shard = text.parse().ok().filter(|_| text.bytes().all(is_plain));
            return shard.map(Self::Given).ok_or_else(|| {
                format!("expected I/K with 1 <= I <= K, such as 2/8, or auto, not `{text}`")
            });
        };
        let tasks = if tasks.is_empty() {
            Some(Tasks::Said)
        } else {
            tasks.strip_prefix('/').and_then(Tasks::parse)
        };
        tasks.map(Self::Auto).ok_or_else(|| {
            format!("expected auto, auto/K or auto/FIRST-LAST, such as auto/0-7, not `{text}`")
        })
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_digit() || byte == b'/'
}

impl Tasks {
    fn parse(text: &str) -> Option<Self> {
        let Some((first, last)) = text.split_once('-') else {
            return text
                .parse()
                .ok()
                .filter(|&count| count > 0)
                .map(Self::Count);
        };
        let numbers = first.parse().ok()?..=last.parse().ok()?;
        (!numbers.is_empty()).then_some(Self::Numbers(numbers))
    }
}

impl ShardChoice {
    /// The shard; `read` gives the variables of the environment.
    ///
    /// # Errors
    /// If no scheduler's variables say it, or those of several do, or they leave it open.
    pub(crate) fn shard(
        &self,
        read: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(Shard, Option<String>), Failure> {
        match self {
            Self::Given(shard) => Ok((*shard, None)),
            Self::Auto(tasks) => {
                let taken = taken(tasks, read)?;
                Ok((taken.shard, Some(taken.told)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The shard, or the failure with its advice, under these variables.
    fn shard(choice: &str, variables: &[(&str, &str)]) -> Result<(String, String), String> {
        let read = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let choice: ShardChoice = choice.parse().unwrap();
        let taken = choice.shard(&read);
        taken
            .map(|(shard, told)| (shard.to_string(), told.unwrap_or_default()))
            .map_err(|failure| format!("{failure}; {}", failure.help))
    }

    #[test]
    fn every_scheduler_says_its_shard() {
        for (choice, variables, expected) in [
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "4"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "8"),
                    ("SLURM_ARRAY_TASK_STEP", "1"),
                ][..],
                "4/8",
            ),
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "4"),
                    ("SLURM_ARRAY_TASK_MIN", "0"),
                    ("SLURM_ARRAY_TASK_COUNT", "8"),
                ],
                "5/8",
            ),
            ("auto/8", &[("JOB_COMPLETION_INDEX", "0")], "1/8"),
            (
                "auto",
                &[
                    ("AWS_BATCH_JOB_ARRAY_INDEX", "7"),
                    ("AWS_BATCH_JOB_ARRAY_SIZE", "8"),
                ],
                "8/8",
            ),
            (
                "auto",
                &[("CLOUD_RUN_TASK_INDEX", "2"), ("CLOUD_RUN_TASK_COUNT", "5")],
                "3/5",
            ),
            (
                "auto",
                &[("BATCH_TASK_INDEX", "2"), ("BATCH_TASK_COUNT", "5")],
                "3/5",
            ),
            ("auto/0-7", &[("PBS_ARRAY_INDEX", "3")], "4/8"),
            ("auto/1-8", &[("PBS_ARRAY_INDEX", "3")], "3/8"),
            (
                "auto",
                &[
                    ("SGE_TASK_ID", "3"),
                    ("SGE_TASK_FIRST", "1"),
                    ("SGE_TASK_LAST", "8"),
                ],
                "3/8",
            ),
            (
                "auto/1-8",
                &[("LSB_JOBINDEX", "3"), ("LSB_JOBINDEX_END", "8")],
                "3/8",
            ),
            ("2/8", &[("JOB_COMPLETION_INDEX", "0")], "2/8"),
        ] {
            let (found, told) = shard(choice, variables).unwrap();
            assert_eq!(found, expected, "{choice} {variables:?}");
            if choice.starts_with("auto") {
                assert!(told.contains(variables[0].0), "{told}");
            }
        }
    }

    #[test]
    fn what_is_not_said_is_not_guessed() {
        for (choice, variables, expected) in [
            ("auto", &[][..], "none of"),
            ("auto", &[("JOB_COMPLETION_INDEX", "0")], "auto/8"),
            (
                "auto/8",
                &[("PBS_ARRAY_INDEX", "3")],
                "auto/0-7 or auto/1-8",
            ),
            (
                "auto",
                &[("LSB_JOBINDEX", "3"), ("LSB_JOBINDEX_END", "8")],
                "auto/1-8",
            ),
            ("auto", &[("SGE_TASK_ID", "undefined")], "none of"),
            ("auto/8", &[("JOB_COMPLETION_INDEX", "8")], "is 8"),
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "5"),
                    ("SLURM_ARRAY_TASK_MIN", "5"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                ],
                "whole array",
            ),
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "7"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "2"),
                ],
                "none of the tasks 1 to 2",
            ),
            (
                "auto",
                &[("SLURM_ARRAY_TASK_ID", "1"), ("JOB_COMPLETION_INDEX", "0")],
                "both set",
            ),
            // --array=1-7:2
            (
                "auto",
                &[
                    ("SLURM_ARRAY_TASK_ID", "3"),
                    ("SLURM_ARRAY_TASK_MIN", "1"),
                    ("SLURM_ARRAY_TASK_COUNT", "4"),
                    ("SLURM_ARRAY_TASK_STEP", "2"),
                ],
                "SLURM_ARRAY_TASK_STEP=2, so the numbers of the tasks have gaps",
            ),
            (
                "auto/4",
                &[
                    ("SGE_TASK_ID", "3"),
                    ("SGE_TASK_FIRST", "1"),
                    ("SGE_TASK_LAST", "7"),
                    ("SGE_TASK_STEPSIZE", "2"),
                ],
                "have gaps",
            ),
        ] {
            let told = shard(choice, variables).unwrap_err();
            assert!(told.contains(expected), "{choice} {variables:?}: {told}");
        }
        for wrong in [
            "",
            "auto/",
            "auto/0",
            "auto/3-1",
            "auto8",
            "0/3",
            "1/1 in part",
            "2/8 from 7",
        ] {
            assert!(wrong.parse::<ShardChoice>().is_err(), "{wrong}");
        }
    }
}
