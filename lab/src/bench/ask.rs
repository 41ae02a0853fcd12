//! The making of what answers for a contender: the task in this process, or a program with the
//! question that it is asked.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::each_time::{EachTime, Writer};
use super::runner::{Asked, ContenderRunner, Inside, Persistent};
use super::setting::{BenchContender, Setting};
use crate::experiment::{ContenderTable, program_folders};
use crate::job::Failure;
use crate::programs::command::{Asker, ExternalCommand};
use crate::programs::declaration::{Declaration, DeclaredProgram};
use crate::rng::Streams;
use crate::run::CompiledExperiment;
use crate::task::{MetricKind, ParamValue, Task, Value};

/// The time that a program without a cap may take for an answer.
const PATIENCE: Duration = Duration::from_secs(3600);

impl Setting {
    /// Makes what answers for a contender.
    ///
    /// # Errors
    /// If the program is not there, or the task refuses the parameters.
    pub fn runner(&self, contender: usize) -> Result<Box<dyn ContenderRunner>, Failure> {
        let contender = &self.contenders[contender];
        let named =
            |fault: String| Failure::usage(format!("contender `{}`: {fault}", contender.name));
        let streams = self.streams();
        let Some(program) = &contender.program else {
            let (task, metrics) = (self.task_of(contender)?, self.metrics());
            let compiled = CompiledExperiment::new(vec![task], metrics, streams, self.budget);
            return Ok(Box::new(Inside::new(compiled)));
        };
        let question = self.asked_of(contender, program).map_err(named)?;
        if program.once.is_none() {
            return Ok(Box::new(Persistent::new(question)));
        }
        let (task, words) = (self.task_of(contender)?, self.words(program));
        let writer: Writer = Box::new(move |index, form| task.instance(&streams, index, form));
        let runner = words.and_then(|words| EachTime::new(question, writer, words));
        Ok(Box::new(runner.map_err(named)?))
    }

    fn task_of(&self, contender: &BenchContender) -> Result<Box<dyn Task>, Failure> {
        let built = self.experiment.task.build(&contender.params);
        built.map_err(|error| {
            Failure::usage(format!("contender `{}`: {error}", contender.name)).with_help(error.help)
        })
    }

    fn streams(&self) -> Streams {
        Streams::new(self.experiment.file.seed)
    }

    /// Returns whether the program of a contender is there.
    pub fn has_program(&self, contender: &BenchContender) -> bool {
        let program = contender.program.as_ref();
        program.is_none_or(|program| self.program(program).locate().is_ok())
    }

    /// The folders that a program may be in.
    pub fn program_folders(&self) -> Vec<PathBuf> {
        program_folders(&self.experiment.source.0)
    }

    fn asked_of(
        &self,
        contender: &BenchContender,
        program: &ContenderTable,
    ) -> Result<Asked, String> {
        let is_command = self.experiment.command.is_some();
        let positions = if is_command || program.once.is_none() {
            (0..self.metrics().len()).collect()
        } else {
            self.answers.clone()
        };
        let mut params = contender.params.clone();
        if !is_command && program.once.is_none() {
            // A worker for any task is told which one it is asked for.
            let seed = self.experiment.file.seed.to_string();
            params.set("task", ParamValue::Text(self.experiment.task.name.clone()));
            params.set("seed", ParamValue::Text(seed.into()));
        }
        let declaration = self.declaration(program, &positions);
        let executable = declaration.program.locate()?;
        let command = Arc::new(ExternalCommand::new(declaration));
        Ok(Asked {
            asker: Asker::new(&command, &params, &self.streams()),
            command,
            executable,
            budget: self.budget,
            cap: self.cap(),
            positions,
            metrics: self.metrics().len(),
        })
    }

    /// The program of a table.
    pub fn program(&self, program: &ContenderTable) -> DeclaredProgram {
        let command = self.experiment.command.as_ref();
        let plain = || DeclaredProgram {
            folders: self.program_folders(),
            ..DeclaredProgram::default()
        };
        DeclaredProgram {
            argv: program.argv().cloned().unwrap_or_default(),
            patience: self.cap().map_or(PATIENCE, Duration::from_secs_f64),
            ..command.map_or_else(plain, |command| command.declaration().program.clone())
        }
    }

    /// The declaration of a program: that of the command, or of one that answers these metrics.
    fn declaration(&self, program: &ContenderTable, positions: &[usize]) -> Declaration {
        let own = self.program(program);
        let metrics = positions.iter().map(|&at| self.metrics()[at].clone());
        let plain = || Declaration {
            batch: 1,
            columns: metrics.collect(),
            ..Declaration::default()
        };
        let command = self.experiment.command.as_ref();
        Declaration {
            once: program.once.is_some(),
            timeout: Some(own.patience),
            program: own,
            ..command.map_or_else(plain, |command| command.declaration().clone())
        }
    }

    /// The words of a program's output with the values of the first answer that they mean.
    fn words(&self, program: &ContenderTable) -> Result<Vec<(String, Value)>, String> {
        let Some(&position) = self.answers.first().filter(|_| !program.answers.is_empty()) else {
            return Ok(Vec::new());
        };
        let metric = &self.metrics()[position];
        let read = |(word, answer): (&String, &ParamValue)| {
            let value = match (metric.kind, answer) {
                (MetricKind::Flag, ParamValue::Flag(flag)) => Some(Value::flag(*flag)),
                (_, answer) => metric.read(&answer.to_string()).ok(),
            };
            let fits = value.filter(|&value| metric.admits(value));
            let fault = || format!("`{answer}` is no value of `{}`", metric.name);
            Ok((word.clone(), fits.ok_or_else(fault)?))
        };
        program.answers.iter().map(read).collect()
    }
}
