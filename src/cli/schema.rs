//! `etude schema`: the JSON Schema of experiment files, for completion in editors.

use clap::Args;
use etude::config::schema;
use etude::games::GAMES;

use super::failure::Failure;

/// Print the JSON Schema of an experiment file
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude schema > experiments/schema.json")]
pub struct Schema {}

impl Schema {
    pub fn run(self) -> Result<(), Failure> {
        let mut bytes = serde_json::to_vec_pretty(&schema(GAMES)).map_err(Failure::failed)?;
        bytes.push(b'\n');
        super::table::write_stdout(&bytes)
    }
}
