//! `etude schema`: the JSON Schema of experiment files, for completion in editors.

use clap::Args;
use experiment::schema;

use super::Application;
use super::failure::Failure;
use super::table::write_stdout;

/// Print the JSON Schema of an experiment file
#[derive(Debug, Args)]
#[command(after_help = "Example:
  etude schema > experiments/schema.json")]
pub(crate) struct SchemaArguments {}

impl SchemaArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let schema = schema(app.games);
        let mut bytes = serde_json::to_vec_pretty(&schema).map_err(Failure::failed)?;
        bytes.push(b'\n');
        write_stdout(&bytes)
    }
}
