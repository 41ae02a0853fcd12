//! `etude report`: run folders as tables on the terminal or as a page.

use std::path::{Path, PathBuf};

use crate::output::write_atomically;
use crate::report::{Results, to_html, to_text};
use clap::Args;

use super::failure::Failure;

use super::table::write_stdout;
use super::terminal;

/// Show the results in run folders
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude report results/klondike-casino
  etude report results/klondike-casino --html casino.html
  etude report results/* --html results/index.html          a page with an index

The page is one file: it needs neither network nor scripts.")]
pub struct Report {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write a page with plots and boards to FILE instead
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Report {
    pub fn run(self) -> Result<(), Failure> {
        if let Some(file) = &self.html {
            return write_page(&self.folders, file);
        }
        for (number, folder) in self.folders.iter().enumerate() {
            if number > 0 {
                write_stdout(b"\n")?;
            }
            print(folder)?;
        }
        Ok(())
    }
}

/// Prints the results in one folder, and warns of estimates that cannot be trusted.
pub fn print(folder: &Path) -> Result<(), Failure> {
    let results = read(folder)?;
    write_stdout(to_text(&results, terminal::colours_on_stdout()).as_bytes())?;
    warn(&results);
    Ok(())
}

/// Says on standard error which estimates cannot be trusted.
pub fn warn(results: &Results) {
    for warning in results.warnings() {
        eprintln!("{}{warning}", terminal::paint_warning("warning: "));
    }
}

/// The results in a run folder.
pub fn read(folder: &Path) -> Result<Results, Failure> {
    Results::read(folder).map_err(|error| {
        Failure::usage(error).with_help("a run folder holds the files that `etude run` wrote")
    })
}

/// Writes one page for all folders. Those that hold no run, such as files beside the runs in
/// `results/*`, are passed over, if any holds one.
fn write_page(folders: &[PathBuf], file: &Path) -> Result<(), Failure> {
    let holds_run = |folder: &&PathBuf| folder.join("config.toml").is_file();
    let mut runs: Vec<&PathBuf> = folders.iter().filter(holds_run).collect();
    if runs.is_empty() {
        runs = folders.iter().collect();
    }
    let results = runs.into_iter().map(|folder| read(folder));
    let results = results.collect::<Result<Vec<_>, _>>()?;
    let page = to_html(&results)
        .map_err(|error| Failure::failed(format!("the page cannot be made: {error}")))?;
    write_atomically(file, page.as_bytes()).map_err(|error| {
        Failure::failed(format!("{}: {error}", file.display()))
            .with_help("check that the folder exists and can be written")
    })?;
    let experiments = match results.len() {
        1 => "one experiment".to_owned(),
        more => format!("{more} experiments"),
    };
    eprintln!("{}: {experiments}", file.display());
    Ok(())
}
