//! `etude schema`: the JSON Schema of experiment files, for completion in editors.

use crate::experiment::{reference, schema};
use clap::Args;

use super::Program;
use super::failure::Failure;
use super::table::write_stdout;

/// Print the JSON Schema of an experiment file
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude schema > experiments/schema.json
  etude schema --markdown > experiment-file.md     the same as a reference to read")]
pub struct SchemaArguments {
    /// Print a reference in Markdown instead
    #[arg(long)]
    markdown: bool,
}

impl SchemaArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let schema = schema(program.games);
        if self.markdown {
            return write_stdout(reference(&schema).as_bytes());
        }
        let mut bytes = serde_json::to_vec_pretty(&schema).map_err(Failure::failed)?;
        bytes.push(b'\n');
        write_stdout(&bytes)
    }
}
