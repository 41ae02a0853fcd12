//! `etude splice`: copies figures from results into Markdown documents. It is a tool for maintainers of
//! such documents, so help, completions and man pages leave it out.

use std::path::{Path, PathBuf};

use ::bench::BenchFolder;
use ::report::{Results, place_text, splice_markdown};
use clap::Args;
use lab::files;
use lab::files::write_named;

use super::Program;
use super::bench;
use super::failure::Failure;

/// Put figures from run folders into Markdown documents
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude splice README.md              update the figures
  etude splice README.md --check      only check whether they are up to date

The text between <!-- etude: FOLDER PLACE --> and <!-- /etude --> is replaced. FOLDER is relative \
to the document; PLACE is METRIC or CELL:METRIC for a figure with its interval, or answer, \
samples, claims, figures, or figures METRIC METRIC ...; of a benchmark it is answer, or a ratio such as
ratio(new, before).median")]
pub struct SpliceArguments {
    /// The documents
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Change nothing; exit with 1 if a figure differs
    #[arg(long)]
    check: bool,
}

impl SpliceArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut stale = Vec::new();
        for file in &self.files {
            let old = read(file)?;
            let new = fresh(program, file, &old)?;
            if old == new {
                continue;
            }
            if self.check {
                stale.push(difference(file, &old, &new))
            } else {
                write(file, &new)?
            }
        }
        if stale.is_empty() {
            return Ok(());
        }
        Err(Failure::failed(stale.join("\n"))
            .with_help("update the figures with the same command without --check"))
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    files::read_text(file).map_err(|error| {
        Failure::usage(format!("{}: {error}", file.display()))
            .with_help("give the path of a Markdown document")
    })
}

fn fresh(program: &Program, file: &Path, document: &str) -> Result<String, Failure> {
    let root = file.parent().unwrap_or(Path::new(""));
    let text = |folder: &str, place: &str| {
        let path = root.join(folder);
        if let Some(bench) = BenchFolder::find(&path) {
            let text = bench::read(program, &bench).and_then(|results| results.place_text(place));
            return text.map_err(|failure| failure.to_string());
        }
        let results = Results::read(&path).map_err(|error| error.to_string())?;
        place_text(place, &results)
    };
    splice_markdown(document, text).map_err(|error| {
        Failure::usage(format!("{}, {error}", file.display()))
            .with_help("see `etude splice --help` for what a marker may ask for")
    })
}

fn write(file: &Path, document: &str) -> Result<(), Failure> {
    let written = write_named(file, document.as_bytes());
    written.map_err(|error| Failure::of_file(file, error))?;
    note!("{}: figures updated", file.display());
    Ok(())
}

/// The first line that differs, old and new.
fn difference(file: &Path, old: &str, new: &str) -> String {
    let mut pairs = (1..).zip(old.lines().zip(new.lines()));
    let first = pairs.find(|(_, (old, new))| old != new);
    let (line, (old, new)) = first.unwrap_or((1, ("", "")));
    let file = file.display();
    format!(
        "{file}, line {line}: the figures differ from the results\n  is:     {old}\n  should: {new}"
    )
}
