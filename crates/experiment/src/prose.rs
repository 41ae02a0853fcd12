//! The texts of an experiment file that are shown with its numbers: answer, analysis, page, labels.

use super::checked::Experiment;
use super::document::{Document, KeyPath};
use super::error::{Checked, position_of};
use super::file::{ExperimentFile, PageTable, places};
use super::pairs::CellPair;
use super::relation::Scope;
use super::suggest;
use task::TaskSpec;

/// The beginning of the name of a picture of the differences of a metric.
pub const DIFFERENCES_OF: &str = "differences of ";

/// The beginning of the name of a picture of a metric's differences from the first cell.
pub const EFFECTS_OF: &str = "effects of ";

/// The beginning of the name of a picture of a metric's estimates, each over its exact value.
pub const RATIOS_OF: &str = "ratios of ";

/// Most pictures that a page names.
const MOST_PICTURES: usize = 3;

/// The forms in which a text names a figure.
const FIGURES: &str = "expected `{METRIC}`, `{CELL:METRIC}` or `{CELL - CELL:METRIC}`";

/// Compiles all that names figures and cells for people: answer, page and labels.
pub(super) fn compile(
    file: &mut ExperimentFile,
    document: &Document,
    task: &TaskSpec,
    scope: Scope,
) -> Checked {
    fill(
        file.answer.as_mut(),
        "answer",
        &document.at("answer"),
        scope,
    )?;
    if let Some(page) = &mut file.page {
        compile_page(page, &document.at("page"), scope)?;
    }
    check_labels(file, &document.at("labels"), task)
}

/// Checks that every place for a figure in a text is a metric's, and gives cells their names there,
/// however the file names them.
fn fill(text: Option<&mut String>, name: &str, at: &KeyPath, scope: Scope) -> Checked {
    let Some(text) = text else {
        return Ok(());
    };
    let mut parts = text.split('{');
    let mut filled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find('}').ok_or_else(|| {
            let fault = at.fault(format!("the {name} has a `{{` without its `}}`"));
            fault.expected(FIGURES)
        })?;
        let (place, after) = part.split_at(end);
        let named = named(place, scope).map_err(|help| {
            (at.fault(format!("the {name} asks for `{place}`")))
                .expected(FIGURES)
                .help(help)
        })?;
        filled.push_str(&format!("{{{named}{after}"));
    }
    *text = filled;
    Ok(())
}

/// Checks the places and pictures of a page.
fn compile_page(page: &mut PageTable, place: &KeyPath, scope: Scope) -> Checked {
    let headline = place.at("headline");
    if page
        .headline
        .as_ref()
        .is_some_and(|text| !text.contains('{'))
    {
        let fault = headline.fault("the headline names no figure");
        return Err(fault.expected(FIGURES));
    }
    fill(page.headline.as_mut(), "headline", &headline, scope)?;
    fill(
        page.sentence.as_mut(),
        "sentence",
        &place.at("sentence"),
        scope,
    )?;
    let pictures = place.at("pictures");
    if page.pictures.len() > MOST_PICTURES {
        let problem = pictures.fault("too many pictures");
        return Err(problem.expected("expected one to three; the others are in the fold"));
    }
    let metrics = scope.metrics.iter().map(|metric| &*metric.name);
    let known = metrics.chain(["wager", "ratings"]);
    for name in &page.pictures {
        let kinds = [DIFFERENCES_OF, EFFECTS_OF, RATIOS_OF];
        let wanted = kinds.iter().find_map(|kind| name.strip_prefix(kind));
        let wanted = wanted.unwrap_or(name);
        let fault = || pictures.fault(format!("there is no picture `{name}`"));
        position_of(wanted, known.clone(), fault)?;
    }
    Ok(())
}

/// Checks that every label is that of a metric, a parameter, a swept value or a contender.
fn check_labels(file: &ExperimentFile, place: &KeyPath, task: &TaskSpec) -> Checked {
    let metrics = task.metrics.iter().map(|metric| metric.name.to_string());
    let params = task.params.iter().map(|param| param.name.to_string());
    let values = file.sweep.values().flatten().map(ToString::to_string);
    let others = params.chain(values).chain(file.contenders.keys().cloned());
    let known: Vec<String> = metrics.chain(others).collect();
    for label in file.labels.keys() {
        let fault = || place.fault(format!("nothing here is called `{label}`"));
        position_of(label, known.iter().map(String::as_str), fault)?;
    }
    Ok(())
}

/// A place with its cell's name, if it has a cell, or with those of the two cells of a difference.
///
/// # Errors
/// The places that it may have meant, if no figure has this name.
fn named(place: &str, scope: Scope) -> Result<String, String> {
    let (cell, metric) = match place.rsplit_once(':') {
        Some((cell, metric)) => (Some(cell), metric),
        None => (None, place),
    };
    let metrics = scope.metrics.iter().map(|metric| &*metric.name);
    if !metrics.clone().any(|name| name == metric) {
        return Err(suggest::help(metric, metrics));
    }
    let Some(cell) = cell else {
        return Ok(metric.to_owned());
    };
    let known = |cell: &str| Some(scope.cells[scope.cell(cell)?].name.as_str());
    if let Some(name) = known(cell) {
        return Ok(format!("{name}:{metric}"));
    }
    let pair = cell.split_once(" - ");
    let pair = pair.and_then(|(second, first)| Some((known(second)?, known(first)?)));
    pair.map(|(second, first)| format!("{second} - {first}:{metric}"))
        .ok_or_else(|| suggest::help(cell, scope.cells.iter().map(|cell| cell.name.as_str())))
}

/// Checks that every difference that a text asks for is of two cells that are compared.
pub(super) fn check_differences(experiment: &Experiment, document: &Document) -> Checked {
    let page = experiment.file.page.as_ref();
    let texts = [
        ("answer", experiment.file.answer.as_deref()),
        (
            "page.headline",
            page.and_then(|page| page.headline.as_deref()),
        ),
        (
            "page.sentence",
            page.and_then(|page| page.sentence.as_deref()),
        ),
    ];
    let compared = experiment.compared_pairs();
    let is_compared = |(second, first): (usize, usize)| {
        let pair = CellPair { first, second };
        compared.contains(&pair) || compared.contains(&pair.mirrored())
    };
    for (key, text) in texts {
        for place in text.into_iter().flat_map(places) {
            let cells = place
                .rsplit_once(':')
                .and_then(|(cells, _)| cells.split_once(" - "));
            let position = |name: &str| experiment.cell_names().position(|cell| cell == name);
            let pair =
                cells.and_then(|(second, first)| Some((position(second)?, position(first)?)));
            if pair.is_some_and(|pair| !is_compared(pair)) {
                let fault = document.at(key).fault(format!("`{place}` is not compared"));
                let help = "a claim `diff(CELL, CELL).METRIC` compares any two cells; otherwise each is \
                            compared with the first value of one swept parameter";
                let expected = "expected two cells that are compared";
                return Err(fault.expected(expected).help(help));
            }
        }
    }
    Ok(())
}

/// Moves an analysis from below the last claim to the top of the file.
pub(super) fn compile_analysis(file: &mut ExperimentFile, document: &Document) -> Checked {
    let last = file.claims.len().saturating_sub(1);
    for (index, claim) in file.claims.iter_mut().enumerate() {
        let Some(analysis) = claim.analysis.take() else {
            continue;
        };
        let place = document.at("claims").at(index).at("analysis");
        if index < last {
            let problem = place.fault("an analysis is between claims");
            return Err(problem.help("move it above the first [table] or below the last claim"));
        }
        if file.analysis.replace(analysis).is_some() {
            let problem = place.fault("a second analysis");
            return Err(problem.expected("expected one analysis; there is one above already"));
        }
    }
    Ok(())
}
