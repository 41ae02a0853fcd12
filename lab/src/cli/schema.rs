//! `etude schema`: the JSON Schema of experiment files, for completion in editors.

use crate::config::schema;
use clap::Args;

use super::failure::Failure;
use super::program::Program;

/// Print the JSON Schema of an experiment file
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude schema > experiments/schema.json")]
pub struct Schema {}

impl Schema {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut bytes =
            serde_json::to_vec_pretty(&schema(program.games)).map_err(Failure::failed)?;
        bytes.push(b'\n');
        super::table::write_stdout(&bytes)
    }
}
