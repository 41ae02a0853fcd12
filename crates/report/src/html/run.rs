//! The page on one run.

use std::collections::BTreeMap;

use super::Citation;
use super::claims;
use super::exhibit::Shown;
use super::gallery::{self, Album};
use super::page::ResultPage;
use super::played::ShownSample;
use super::top;
use crate::abridged::abridged;
use crate::answer::FoundFigure;
use crate::contents;
use crate::format::paragraphs;
use crate::results::Results;
use crate::standing::{outs, standing};
use crate::verdicts;
use base::{count, counted, files::folder_name};
use experiment::ExperimentFile;
use figures::duration;
use lab::store::Manifest;
use task::Origin;

impl ResultPage {
    /// The page on a run, or on its first cells where they are many.
    pub(crate) fn of(results: &Results) -> Self {
        let (short, note) = abridged(results).unzip();
        let page = Self::of_shown(short.as_ref().unwrap_or(results));
        let verdicts = results.rows_by_claim().map(verdicts::verdict);
        let figure = FoundFigure::first(results).map(|found| found.phrase());
        Self {
            notes: note.into_iter().chain(page.notes).collect(),
            verdicts: verdicts.map(str::to_owned).collect(),
            figure: figure.unwrap_or_default(),
            ..page
        }
    }

    fn of_shown(results: &Results) -> Self {
        let config = &results.config;
        let claims = claims::cards(results);
        let album = Album::of(results);
        let (top, shown) = top::top(results, &album);
        // Demonstrations show how other programs take part.
        let is_placed = config.page.as_ref().is_some_and(|page| page.game.is_some());
        let is_played = config.command.is_some() || !config.players.is_empty();
        Self {
            name: results.manifest.experiment.clone(),
            folder: folder_name(&results.folder),
            game: results.game().to_owned(),
            question: config.question.clone(),
            answer: results.answer(),
            notes: paragraphs(config.analysis.as_deref()),
            claims_note: claims::note(results, &claims),
            claims,
            galleries: gallery::all(&album, &shown),
            meanings: results.metrics.clone(),
            standing: standing(results).filter(|_| config.page.is_none()),
            tables: contents::all(results),
            labels: labels(results),
            exhibit: results.exhibit.as_ref().and_then(|exhibit| {
                let cell = results.in_words(&exhibit.cell);
                Shown::of(exhibit, &cell, &results.manifest.noun)
            }),
            shown: ShownSample::of(results),
            facts: facts(results),
            commands: commands(results),
            cite: cited(&results.manifest, &results.config),
            source: results.source.clone(),
            featured: config.page.as_ref().is_some_and(|page| page.featured),
            demonstration: !is_placed && is_played,
            ..top
        }
    }
}

/// The words for the names of cells, differences and metrics that have some.
fn labels(results: &Results) -> BTreeMap<String, String> {
    let (codes, labels) = (&results.sweep, &results.config.labels);
    let words = codes.in_words(labels);
    let cells = (results.cells().into_iter()).map(|cell| (codes.label(cell), words.label(cell)));
    let pairs = results.pairs.iter().map(|pair| {
        let [code, label] =
            [codes, &words].map(|sweep| sweep.difference(&pair.first, &pair.second));
        (code, label)
    });
    let metrics = results.metric_names().into_iter();
    let metrics = metrics.filter_map(|name| labels.get_key_value(name));
    let metrics = metrics.map(|(code, label)| (code.clone(), label.clone()));
    let all = cells.chain(pairs).chain(metrics);
    all.filter(|(code, label)| code != label).collect()
}

fn facts(results: &Results) -> Vec<(&'static str, String)> {
    let manifest = &results.manifest;
    let revision = manifest.git_revision.as_deref().unwrap_or("not known");
    let threads = counted(manifest.threads as u64, "thread");
    let (seconds, sessions) = (manifest.wall_seconds, u64::from(manifest.sessions));
    let drawn = |cell: &str| manifest.settled.get(cell).unwrap_or(&manifest.samples_done);
    let cells = results.cells();
    let drawn = cells.iter().map(|cell| *drawn(cell));
    let samples = drawn.fold(0, u64::saturating_add).max(1);
    let each = duration(seconds * manifest.threads as f64 / samples as f64);
    let hash: String = manifest.config_hash.chars().take(16).collect();
    let mut facts = vec![
        ("Task", results.config.task.clone()),
        ("Seed", results.config.seed.to_string()),
        ("Samples", of_each_cell(results)),
        ("Status", manifest.exit_reason.to_string()),
        (
            "Program",
            format!("{}, revision {revision}", manifest.versions()),
        ),
        ("Streams", manifest.stream_scheme.clone()),
        ("Platform", format!("{}, {threads}", manifest.platform)),
        (
            "Time",
            format!(
                "{} in {}: {each} of a thread for each {}",
                duration(seconds),
                counted(sessions, "session"),
                manifest.noun
            ),
        ),
        ("Configuration", format!("BLAKE3 {hash}…")),
    ];
    if manifest.tables_by.is_some() {
        facts.push(("Tables", format!("made anew by {}", manifest.tables_by())));
    }
    let notes = manifest.program_notes().into_iter();
    // A page of its own has no standing.
    let outs = outs(results).filter(|_| results.config.page.is_some());
    facts.extend(outs.chain(notes).map(|note| ("Programs", note)));
    facts
}

/// A run or a race as a citation names it.
pub(crate) fn cited(manifest: &Manifest, config: &ExperimentFile) -> Citation {
    let (name, seed) = (&manifest.experiment, config.seed);
    let origin = Origin {
        program: manifest.versions(),
        revision: manifest.git_revision.clone(),
        date: Origin::day_of(manifest.finished_unix),
    };
    let mark = format!("experiment {name}, seed {seed}");
    Citation::new(name, &config.question, Some(&origin), &mark)
}

fn of_each_cell(results: &Results) -> String {
    let manifest = &results.manifest;
    let (done, planned) = (manifest.drawn(), count(manifest.samples_planned));
    match results.cells().len() {
        1 => format!("{done} of {planned}"),
        cells => format!("{done} of {planned} for each of {cells} cells"),
    }
}

/// Returns the commands that give the same numbers, and that check the stored ones.
fn commands(results: &Results) -> Vec<String> {
    let (name, folder) = (results.manifest.program_name(), results.folder.display());
    vec![
        format!("{name} run {folder}/config.toml --out again"),
        format!("{name} verify {folder}"),
    ]
}
