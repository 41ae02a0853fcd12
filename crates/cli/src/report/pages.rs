//! The pages of a report, in a file or as a site in a folder.

use std::io::Read;
use std::path::{Path, PathBuf};

use ::report::{PlayableDeal, PlayableGame, Report, to_html, to_site};
use base::counted;
use base::files::{self, write_named};
use memchr::memmem;
use task::Application;

use super::{read_all, together};
use crate::failure::Failure;
use crate::table::write_stdout;

/// Writes one page for all folders.
pub(super) fn write_page(
    folders: &[PathBuf],
    file: &Path,
    app: &Application,
) -> Result<(), Failure> {
    let parent = file.parent().unwrap_or(Path::new(""));
    if !(parent.as_os_str().is_empty() || parent.is_dir()) {
        let (file, parent) = (file.display(), parent.display());
        let message = format!("{file}: there is no folder {parent}");
        return Err(Failure::usage(message).with_help("create the folder, or give another file"));
    }
    refuse_other(file)?;
    let reports = read_all(app, folders)?;
    let runs = reports
        .iter()
        .filter(|report| matches!(report, Report::Run(_)));
    let runs = runs.count();
    let pages = reports.iter().map(|report| report.to_page(app));
    let pages = together(pages.collect(), runs);
    let page = to_html(&pages).map_err(unmade)?;
    if file == Path::new("-") {
        return write_stdout(page.as_bytes());
    }
    write_file(file, &page)?;
    let experiments = counted(pages.len() as u64, "experiment");
    note!("{}: {experiments}", file.display());
    Ok(())
}

/// Refuses to write a page over a file that is none. Whoever names a page may write over somebody else's; a link is
/// left to the writer.
fn refuse_other(file: &Path) -> Result<(), Failure> {
    let there = file.symlink_metadata();
    let is_there = there.is_ok_and(|there| there.is_file() && there.len() > 0);
    if !is_there || start_of(file).is_some_and(|start| start.starts_with(b"<!DOCTYPE html")) {
        return Ok(());
    }
    let message = format!("{}: the file is no page", file.display());
    Err(Failure::usage(message).with_help("give another file, or delete this one first"))
}

/// The games that have a page beside the folder of a site to play them in, `../play/GAME/index.html`, with the deals
/// that its `deals.json` lists.
fn played_beside(folder: &Path) -> Vec<PlayableGame> {
    let play = folder.parent().unwrap_or(Path::new("")).join("play");
    let games = std::fs::read_dir(play).into_iter().flatten().flatten();
    let games = games.filter(|game| game.path().join("index.html").is_file());
    let mut games: Vec<PlayableGame> = games
        .map(|game| PlayableGame {
            name: game.file_name().to_string_lossy().into_owned(),
            deals: deals_of(&game.path().join("deals.json")),
        })
        .collect();
    games.sort_by(|one, other| one.name.cmp(&other.name));
    games
}

/// The deals that a game's page lists; none of a page without a list.
fn deals_of(list: &Path) -> Vec<PlayableDeal> {
    let Ok(text) = files::read_text(list) else {
        return Vec::new();
    };
    serde_json::from_str(&text).unwrap_or_else(|error| {
        warning!("{} is left out: {error}", list.display());
        Vec::new()
    })
}

/// Writes a page for each folder and an index.
pub(super) fn write_site(
    folders: &[PathBuf],
    folder: &Path,
    app: &Application,
) -> Result<(), Failure> {
    let reports = read_all(app, folders)?;
    let pages = reports.iter().map(|report| report.to_page(app));
    let site = to_site(pages.collect(), &played_beside(folder)).map_err(unmade)?;
    for (name, _) in &site {
        refuse_foreign(&folder.join(name))?;
    }
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    for (name, page) in &site {
        write_file(&folder.join(name), page)?;
    }
    let index = folder.join("index.html");
    let pages = site.iter().filter(|(name, _)| name.ends_with(".html"));
    let pages = counted(pages.count() as u64, "page");
    note!("{}: {pages}", index.display());
    Ok(())
}

/// The tag near the start of every page of a report, by which a page is recognized.
const MARK: &str = "<meta name=\"generator\" content=\"etude\">";

/// A page of somebody else's is not written over: only the folder was named, not the page.
fn refuse_foreign(file: &Path) -> Result<(), Failure> {
    if start_of(file).is_none_or(|start| memmem::find(&start, MARK.as_bytes()).is_some()) {
        return Ok(());
    }
    let message = format!("{} is no page of a report", file.display());
    Err(Failure::usage(message)
        .with_help("give another folder, or move the file if the site should be here"))
}

/// The start of a file, as far as it can be read; `None` of one that cannot be opened.
fn start_of(file: &Path) -> Option<Vec<u8>> {
    let mut start = Vec::new();
    let _ = files::open(file).ok()?.take(1000).read_to_end(&mut start);
    Some(start)
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
        let site = to_site(Vec::new(), &[]).unwrap();
        std::fs::write(&index, &site[0].1).unwrap();
        assert!(refuse_foreign(&index).is_ok());
    }
}
