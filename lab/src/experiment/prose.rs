//! The texts of an experiment file that are shown with its numbers: answer, analysis, page, labels.

use indexmap::IndexMap;

use crate::task::TaskSpec;

use super::document::Document;
use super::error::Problem;
use super::file::{ExperimentFile, PageTable};
use super::grid::Grid;
use super::suggest;

/// Most pictures that a page names.
const MOST_PICTURES: usize = 3;

/// All that a text with places for figures may name.
pub(super) struct Places<'a> {
    pub document: &'a Document<'a>,
    pub task: &'a TaskSpec,
    pub grid: &'a Grid,
}

impl Places<'_> {
    /// Checks that every place of a text is a metric's, and gives cells their names there, however
    /// the file names them.
    pub fn compile(&self, text: Option<&mut String>, key: &str) -> Result<(), Problem> {
        let Some(text) = text else {
            return Ok(());
        };
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (place, after) = part.split_at(part.find('}').unwrap_or(part.len()));
            let named = named(place, self.task, self.grid).map_err(|help| {
                let name = key.trim_start_matches("page.");
                self.document
                    .fault(key, format!("the {name} asks for `{place}`"))
                    .expected("expected `{METRIC}`, `{CELL:METRIC}` or `{CELL - CELL:METRIC}`")
                    .help(help)
            })?;
            filled.push_str(&format!("{{{named}{after}"));
        }
        *text = filled;
        Ok(())
    }

    /// Checks the places and pictures of a page.
    pub fn compile_page(&self, page: Option<&mut PageTable>) -> Result<(), Problem> {
        let Some(page) = page else {
            return Ok(());
        };
        self.compile(page.headline.as_mut(), "page.headline")?;
        self.compile(page.sentence.as_mut(), "page.sentence")?;
        if page.pictures.len() > MOST_PICTURES {
            let problem = self.document.fault("page.pictures", "too many pictures");
            return Err(problem.expected("expected one to three; the others are in the fold"));
        }
        page.pictures.iter().try_for_each(|name| self.picture(name))
    }

    /// Checks the name of a picture.
    fn picture(&self, name: &str) -> Result<(), Problem> {
        let metrics = self.task.metrics.iter().map(|metric| &*metric.name);
        let known = metrics.chain(["wager", "ratings"]);
        let wanted = name.strip_prefix("differences of ").unwrap_or(name);
        if known.clone().any(|one| one == wanted) {
            return Ok(());
        }
        let fault = self
            .document
            .fault("page.pictures", format!("there is no picture `{name}`"));
        Err(fault.help(suggest::help(wanted, known)))
    }

    /// Checks that every label is that of a metric, a parameter, a swept value or a contender.
    pub fn check_labels<'name>(
        &self,
        labels: &IndexMap<String, String>,
        contenders: impl Iterator<Item = &'name String>,
    ) -> Result<(), Problem> {
        let metrics = self
            .task
            .metrics
            .iter()
            .map(|metric| metric.name.to_string());
        let params = self.task.params.iter().map(|param| param.name.to_string());
        let axes = self.grid.axes.iter();
        let values = axes.flat_map(|axis| axis.values.iter().map(ToString::to_string));
        let others = params.chain(values).chain(contenders.cloned());
        let known: Vec<String> = metrics.chain(others).collect();
        let stranger = labels.keys().find(|label| !known.contains(label));
        stranger.map_or(Ok(()), |label| {
            let message = format!("nothing here is called `{label}`");
            let help = suggest::help(label, known.iter().map(String::as_str));
            Err(self.document.fault("labels", message).help(help))
        })
    }
}

/// A place with its cell's name, if it has a cell, or with those of the two cells of a difference.
///
/// # Errors
/// The places that it may have meant, if no figure has this name.
fn named(place: &str, task: &TaskSpec, grid: &Grid) -> Result<String, String> {
    let (cell, metric) = match place.rsplit_once(':') {
        Some((cell, metric)) => (Some(cell), metric),
        None => (None, place),
    };
    let metrics = task.metrics.iter().map(|metric| &*metric.name);
    if !metrics.clone().any(|name| name == metric) {
        return Err(suggest::help(metric, metrics));
    }
    let Some(cell) = cell else {
        return Ok(metric.to_owned());
    };
    let known = |cell: &str| {
        let at = grid.scope(&task.metrics).cell(&grid.cells, cell);
        at.map(|at| grid.cells[at].name.as_str())
    };
    if let Some(name) = known(cell) {
        return Ok(format!("{name}:{metric}"));
    }
    let pair = cell.split_once(" - ");
    let pair = pair.and_then(|(second, first)| Some((known(second)?, known(first)?)));
    if let Some((second, first)) = pair {
        return Ok(format!("{second} - {first}:{metric}"));
    }
    let names = grid.cells.iter().map(|cell| cell.name.as_str());
    Err(suggest::help(cell, names))
}

/// Moves an analysis from below the last claim to the top of the file.
pub(super) fn compile_analysis(
    file: &mut ExperimentFile,
    document: &Document,
) -> Result<(), Problem> {
    let last = file.claims.len().saturating_sub(1);
    for (index, claim) in file.claims.iter_mut().enumerate() {
        let Some(analysis) = claim.analysis.take() else {
            continue;
        };
        let fault = |message| document.fault(&format!("claims.{index}.analysis"), message);
        if index < last {
            return Err(fault("an analysis is between claims")
                .help("move it above the first [table] or below the last claim"));
        }
        if file.analysis.replace(analysis).is_some() {
            return Err(fault("a second analysis")
                .expected("expected one analysis; there is one above already"));
        }
    }
    Ok(())
}
