//! The index of a site: its pages by game, each with its question, one number in a sentence and its verdicts.
//! The game with the most pages comes first, demonstrations last.

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;
use std::cmp::Reverse;

use super::boards::layers;
use super::{STYLE, StatedPage, claims, filled, top};
use crate::answer::FoundFigure;
use crate::format::capitalized;
use crate::results::Results;
use crate::verdicts::verdict;

/// A page, as the index shows it.
#[derive(Debug, Default, Serialize)]
struct IndexEntry {
    /// The game, after all others of demonstrations.
    #[serde(skip)]
    group: (bool, String),
    name: String,
    question: String,
    number: String,
    /// The sentence that goes with the number, or its metric in words for people.
    of: String,
    /// The address of a board in the middle of its game.
    board: Option<String>,
    /// The verdicts on its claims, with how many have each.
    verdicts: Vec<(&'static str, usize)>,
}

/// The page of a site that leads to all others.
///
/// # Errors
/// If the template cannot be filled, which no results should cause.
pub(super) fn index(
    environment: &Environment<'_>,
    runs: &[Results],
    stated: &[StatedPage],
) -> Result<String, minijinja::Error> {
    let stated = stated.iter().map(IndexEntry::of_stated);
    let mut entries: Vec<IndexEntry> = stated.chain(runs.iter().map(IndexEntry::of_run)).collect();
    let groups: Vec<(bool, String)> = entries.iter().map(|entry| entry.group.clone()).collect();
    entries.sort_by_cached_key(|entry| {
        let pages = groups.iter().filter(|group| **group == entry.group).count();
        (entry.group.0, Reverse(pages), entry.group.1.clone())
    });
    let groups = entries.chunk_by(|one, next| one.group == next.group);
    let groups = groups.map(|entries| {
        let game = &entries[0].group.1;
        context! { game, entries => Value::from(Serde(entries)) }
    });
    let groups: Vec<Value> = groups.collect();
    let style = [STYLE, include_str!("index.css")].concat();
    let pages = entries.len();
    filled(environment, "index.html", context! { style, groups, pages })
}

impl IndexEntry {
    fn of_stated(page: &StatedPage) -> Self {
        let verdicts = page.claims.iter().map(|card| &*card.class);
        Self {
            group: (false, capitalized(&page.game)),
            name: page.name.clone(),
            question: page.question.clone(),
            number: page.number.clone(),
            of: page.statement.clone(),
            verdicts: claims::counts(verdicts),
            ..Self::default()
        }
    }

    /// The first figure of the page's headline, of the answer, or of the first metric, with its
    /// interval; and its metric.
    fn of_run(results: &Results) -> Self {
        let config = &results.config;
        let found = FoundFigure::first(results);
        let metric = found.as_ref().map_or("", |found| found.metric);
        // Demonstrations show how other programs take part.
        let is_demonstration = config.command.is_some() || !config.players.is_empty();
        let game = if is_demonstration {
            "demonstrations"
        } else {
            results.game()
        };
        Self {
            group: (is_demonstration, capitalized(game)),
            name: results.manifest.experiment.clone(),
            question: config.question.clone(),
            number: found.map_or(String::new(), |found| found.phrase()),
            of: top::sentence(results).unwrap_or_else(|| {
                let label = config.labels.get(metric).map_or(metric, String::as_str);
                label.to_owned()
            }),
            board: middle_board(results).map(|svg| layers(svg).0),
            verdicts: claims::counts(results.rows_by_claim().map(verdict)),
        }
    }
}

/// The board in the middle of the game that a run shows.
fn middle_board(results: &Results) -> Option<&str> {
    let steps = &results.exhibit.as_ref()?.steps;
    steps.get(steps.len() / 2)?.svg.as_deref()
}
