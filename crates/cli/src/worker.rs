//! `etude worker`: any built-in task over protocol 1, on standard input and output.

use std::io::{BufRead, Write};

use clap::Args;
use programs::TaskServer;

use super::Application;
use super::failure::Failure;

/// Answer any built-in task over protocol 1, one JSON object a line
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  run = [\"../old/etude\", \"worker\"]                  a contender in an experiment of `etude bench`
  run = [\"etude\", \"worker\", \"klondike/score\"]       a simulation of the task `command`

Without TASK each request names it: the parameters `task` and `seed` stand beside those of the task.")]
pub(crate) struct WorkerArguments {
    /// The task, where requests do not name it
    #[arg(value_name = "TASK")]
    task: Option<String>,
}

impl WorkerArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let server = TaskServer::new(app, self.task.as_deref());
        let mut server = server.map_err(Failure::usage)?;
        let mut output = std::io::stdout().lock();
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| Failure::failed(format!("standard input: {error}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let answer = server.answer(&line);
            // Whoever asked and listens no more has ended the conversation.
            if writeln!(output, "{answer}")
                .and_then(|()| output.flush())
                .is_err()
            {
                break;
            }
        }
        Ok(())
    }
}
