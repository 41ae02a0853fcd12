//! The section of a page on one run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::boards::{address, layers};
use super::claims::{self, ClaimCard};
use super::gallery::{self, Album, Gallery};
use super::story::{self, WagerStory};
use super::top::{self, Top};
use crate::abridged::abridged;
use crate::contents;
use crate::results::Results;
use crate::verdicts;
use figures::Sheet;
use figures::{count, counted, duration, paragraphs, sentence};
use lab::store::{Exhibit, ExhibitStep};
use lab::tables::MetricRow;

/// A run, as the template shows it.
#[derive(Debug, Serialize)]
pub(super) struct Section {
    pub id: String,
    pub name: String,
    /// The name of the game that the task is about.
    pub game: String,
    pub question: String,
    pub answer: String,
    pub analysis: Vec<String>,
    pub story: Option<WagerStory>,
    pub claims: Vec<ClaimCard>,
    pub claims_note: String,
    pub tally: String,
    pub top: Top,
    pub meanings: Vec<MetricRow>,
    pub sheets: Vec<Sheet>,
    /// The words for names in the sheets: of cells, differences and metrics.
    pub labels: BTreeMap<String, String>,
    pub galleries: Vec<Gallery>,
    pub exhibit: Option<Shown>,
    /// Names and their meanings.
    pub facts: Vec<(&'static str, String)>,
    pub commands: Vec<String>,
    pub file: String,
}

/// A sample shown step by step.
#[derive(Debug, Serialize)]
pub struct Shown {
    /// The heading: what is shown, and whether in several steps.
    title: String,
    sample: u64,
    cell: String,
    instance: String,
    outcome: String,
    remark: String,
    /// The game's rules, a line each.
    rules: Vec<String>,
    /// Steps of the whole story.
    length: usize,
    /// True if the pictures have cards that the player cannot see.
    has_hidden: bool,
    steps: Vec<Diagram>,
}

/// A board, as text or as the address of an embedded picture.
#[derive(Debug, Serialize)]
struct Diagram {
    number: usize,
    caption: String,
    text: String,
    image: Option<String>,
    /// The address of the layer that the player cannot see in the picture.
    hidden: Option<String>,
    /// True of the step that brought the last hidden card to light: it decides most games.
    turns_last: bool,
}

impl Section {
    /// The section of a run, the `number`th of the page.
    pub fn of((results, number): (&Results, usize)) -> Self {
        let Some((short, note)) = abridged(results) else {
            return Self::of_all((results, number));
        };
        let mut section = Self::of_all((&short, number));
        section.tally = tally(&claims::cards(results));
        section.analysis.insert(0, note);
        section
    }

    fn of_all((results, number): (&Results, usize)) -> Self {
        let config = &results.config;
        let claims = claims::cards(results);
        let (album, story) = (Album::of(results), story::story(results));
        let top = top::top(results, &album, story.as_ref());
        Self {
            id: format!("run-{number}"),
            name: results.manifest.experiment.clone(),
            game: results.game().to_owned(),
            question: config.question.clone(),
            answer: results.answer(),
            analysis: paragraphs(config.analysis.as_deref()),
            galleries: gallery::all(&album, &top.shown),
            story,
            top,
            tally: tally(&claims),
            claims_note: claims::note(results, &claims),
            claims,
            meanings: results.metrics.clone(),
            sheets: contents::all(results),
            labels: labels(results),
            exhibit: (results.exhibit.as_ref()).and_then(|exhibit| {
                Shown::of(
                    exhibit,
                    &results.in_words(&exhibit.cell),
                    &results.manifest.noun,
                )
            }),
            facts: facts(results),
            commands: commands(results),
            file: address("text/plain", &results.source),
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

fn tally(cards: &[ClaimCard]) -> String {
    verdicts::tally(cards.iter().map(|card| &*card.class))
}

/// The most bytes that a page spends on its replay, about.
const LARGEST_REPLAY: usize = 3_500_000;

/// Bytes of a step's markup, about, beside its caption and its board.
const STEP: usize = 220;

impl Shown {
    /// An exhibit with all its steps, or with as many as make no page too large; `None` of one without
    /// steps. `cell` is its cell in words, `noun` a word for a sample.
    pub(crate) fn of(exhibit: &Exhibit, cell: &str, noun: &str) -> Option<Self> {
        let shown = Self::whole(exhibit, cell, noun);
        match exhibit.steps.len() / 2 {
            _ if exhibit.steps.is_empty() => None,
            0 | 1 => Some(shown),
            _ if shown.size() <= LARGEST_REPLAY => Some(shown),
            half => Self::of(&exhibit.with_most(half), cell, noun),
        }
    }

    /// The bytes in the page, about.
    fn size(&self) -> usize {
        self.steps.iter().map(Diagram::size).sum()
    }

    fn whole(exhibit: &Exhibit, cell: &str, noun: &str) -> Self {
        let left_out = exhibit.length - exhibit.steps.len().min(exhibit.length);
        let all = count(exhibit.length as u64);
        let is_again = |one: &ExhibitStep, next: &ExhibitStep| {
            one.caption == next.caption && one.number + 1 == next.number
        };
        let runs = exhibit.steps.chunk_by(is_again);
        let mut steps: Vec<Diagram> = runs.filter_map(Diagram::of).collect();
        let last = steps.iter().rposition(|step| step.hidden.is_some());
        if let Some(step) = last.and_then(|last| steps.get_mut(last + 1)) {
            step.turns_last = true;
        }
        Self {
            title: match steps.len() {
                1 => format!("One {noun}"),
                _ => format!("One {noun}, step by step"),
            },
            length: exhibit.length,
            has_hidden: steps.iter().any(|step| step.hidden.is_some()),
            sample: exhibit.sample,
            cell: match cell {
                "all" => String::new(),
                cell => cell.replace(" = ", " ").replace('=', " "),
            },
            instance: exhibit.instance.clone(),
            outcome: sentence(&exhibit.outcome),
            rules: exhibit.rules.lines().map(str::to_owned).collect(),
            remark: match left_out {
                0 => String::new(),
                1 => format!("1 of {all} steps is not shown."),
                others => format!("{} of {all} steps are not shown.", count(others as u64)),
            },
            steps,
        }
    }
}

/// A small number in words, as in a sentence.
fn in_words(number: usize) -> String {
    const WORDS: [&str; 13] = [
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let word = WORDS.get(number).copied();
    word.map_or_else(|| number.to_string(), str::to_owned)
}

impl Diagram {
    /// The bytes in the page, about: the caption is the picture's alternative text as well.
    fn size(&self) -> usize {
        let images = [&self.image, &self.hidden].into_iter().flatten();
        let board = match &self.image {
            Some(_) => images.map(String::len).sum(),
            None => self.text.len(),
        };
        STEP + 2 * self.caption.len() + board
    }

    /// The board after the last of several steps of one caption.
    fn of(steps: &[ExhibitStep]) -> Option<Self> {
        let step = steps.last()?;
        let (image, hidden) = step.svg.as_deref().map(layers).unzip();
        Some(Self {
            number: step.number,
            caption: match steps.len() {
                1 => step.caption.clone(),
                2 => format!("{} twice", step.caption),
                times => format!("{} {} times", step.caption, in_words(times)),
            },
            text: step.board.trim_end().to_owned(),
            image,
            hidden: hidden.flatten(),
            turns_last: false,
        })
    }
}

fn facts(results: &Results) -> Vec<(&'static str, String)> {
    let manifest = &results.manifest;
    let revision = manifest.git_revision.as_deref().unwrap_or("not known");
    let threads = counted(manifest.threads as u64, "thread");
    let (seconds, sessions) = (manifest.wall_seconds, u64::from(manifest.sessions));
    let samples = manifest.samples_done.max(1) * results.cells().len().max(1) as u64;
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
    let notes = manifest.program_notes().into_iter();
    facts.extend(notes.map(|note| ("Programs", note)));
    facts
}

fn of_each_cell(results: &Results) -> String {
    let manifest = &results.manifest;
    let [done, planned] = [manifest.samples_done, manifest.samples_planned].map(count);
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
