//! `etude report`: shows run folders as tables on the terminal or as a page.

use std::io::Read;
use std::path::{Path, PathBuf};

use crate::files;
use crate::output::write_named;
use crate::report::{Results, counted, to_html, to_site, to_text};
use clap::Args;

use super::experiment::no_run;
use super::failure::Failure;
use super::table::write_stdout;
use super::terminal;

/// Show the results in run folders
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude report results/klondike-casino
  etude report results/klondike-casino --html casino.html
  etude report results/* --html all.html           one page for all runs
  etude report results/* --html site/              a page for each run, and a searchable index

Pages need no network and no other files; they work from a disk and on any web server.")]
pub struct ReportArguments {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write pages with plots and boards instead: one to a FILE (`-` for standard output), or a
    /// site into a FOLDER/
    #[arg(long, value_name = "FILE|FOLDER/")]
    html: Option<PathBuf>,
}

impl ReportArguments {
    pub fn run(self) -> Result<(), Failure> {
        match &self.html {
            Some(folder) if is_folder(folder) => return write_site(&self.folders, folder),
            Some(file) => return write_page(&self.folders, file),
            None => {}
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
    write_stdout(to_text(&results, terminal::colours_on_stdout(), terminal::width()).as_bytes())?;
    warn(&results);
    Ok(())
}

/// Says on standard error which tables are left out, and which estimates cannot be trusted: the
/// first, and how many more.
pub fn warn(results: &Results) {
    warn_of_foreign(results);
    terminal::warn_of_many(results.warnings(), "such estimates; weights.csv lists them");
}

/// Says on standard error which tables are left out.
fn warn_of_foreign(results: &Results) {
    for name in &results.foreign {
        let path = results.folder.join(name);
        warning!(
            "{} is left out: manifest.json does not list it, so the run did not write it",
            path.display()
        );
    }
}

/// The results in a run folder.
pub fn read(folder: &Path) -> Result<Results, Failure> {
    if !folder.join("config.toml").is_file() {
        return Err(no_run(folder));
    }
    Results::read(folder).map_err(|error| {
        Failure::usage(error).with_help(
            "a run folder contains the files that `etude run` wrote; `etude verify` says what was \
             changed",
        )
    })
}

/// Returns whether pages go into a folder: it is one, or its name ends like one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', '\\'])
}

/// The results in all folders. Those that hold no run, such as files beside the runs in
/// `results/*`, are passed over, if any holds one.
fn read_all(folders: &[PathBuf]) -> Result<Vec<Results>, Failure> {
    let holds_run = |folder: &&PathBuf| folder.join("config.toml").is_file();
    let mut runs: Vec<&PathBuf> = folders.iter().filter(holds_run).collect();
    if runs.is_empty() {
        runs = folders.iter().collect();
    }
    runs.into_iter().map(|folder| read(folder)).collect()
}

/// Writes one page for all folders.
fn write_page(folders: &[PathBuf], file: &Path) -> Result<(), Failure> {
    let parent = file.parent().unwrap_or(Path::new(""));
    if !(parent.as_os_str().is_empty() || parent.is_dir()) {
        let message = format!(
            "{}: there is no folder {}",
            file.display(),
            parent.display()
        );
        return Err(Failure::usage(message).with_help("create the folder, or give another file"));
    }
    let results = read_all(folders)?;
    results.iter().for_each(warn_of_foreign);
    let page = to_html(&results).map_err(unmade)?;
    if file == Path::new("-") {
        return write_stdout(page.as_bytes());
    }
    write_file(file, &page)?;
    let experiments = counted(results.len() as u64, "experiment");
    note!("{}: {experiments}", file.display());
    Ok(())
}

/// Writes a page for each folder and an index.
fn write_site(folders: &[PathBuf], folder: &Path) -> Result<(), Failure> {
    let results = read_all(folders)?;
    results.iter().for_each(warn_of_foreign);
    let site = to_site(&results).map_err(unmade)?;
    for (name, _) in &site.pages {
        refuse_foreign(&folder.join(name))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for (name, page) in &site.pages {
        write_file(&folder.join(name), page)?;
    }
    let index = folder.join("index.html");
    let experiments = counted(results.len() as u64, "experiment");
    note!("{}: {experiments}", index.display());
    Ok(())
}

/// The tag near the start of every page of a report, by which a page is recognized.
const MARK: &str = "<meta name=\"generator\" content=\"etude\">";

/// A page of somebody else's is not written over: only the folder was named, not the page.
fn refuse_foreign(file: &Path) -> Result<(), Failure> {
    let is_own = |bytes: &[u8]| {
        bytes
            .windows(MARK.len())
            .any(|found| found == MARK.as_bytes())
    };
    let mut start = Vec::new();
    let opened = files::open(file).map(|file| file.take(1000).read_to_end(&mut start));
    match opened {
        Ok(_) if !is_own(&start) => {
            let message = format!("{} is no page of a report", file.display());
            Err(Failure::usage(message)
                .with_help("give another folder, or move the file if the site shall be here"))
        }
        _ => Ok(()),
    }
}

fn write_file(file: &Path, page: &str) -> Result<(), Failure> {
    write_named(file, page.as_bytes()).map_err(|error| unwritable(file, &error))
}

fn unmade(error: impl std::fmt::Display) -> Failure {
    Failure::failed(format!("the page cannot be made: {error}"))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    let reason = match error.kind() {
        std::io::ErrorKind::Other => error.to_string(),
        kind => kind.to_string(),
    };
    Failure::failed(format!("{} cannot be written: {reason}", path.display()))
        .with_help("check that you may write there, or choose another place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_replaces_its_own_pages_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let index = folder.path().join("index.html");
        assert!(refuse_foreign(&index).is_ok());
        std::fs::write(&index, "<html>mine</html>").unwrap();
        assert!(refuse_foreign(&index).is_err());
        let site = to_site(&[]).unwrap();
        std::fs::write(&index, &site.pages[0].1).unwrap();
        assert!(refuse_foreign(&index).is_ok());
    }
}
