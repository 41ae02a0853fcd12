//! The index of a site: its pages by game, each with its question, one number in a sentence and its verdicts.
//! Featured pages come first, then the game with the most pages; demonstrations come last. In a section the
//! runs come in the order of their folders, then the proofs and benchmarks.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use super::section::Section;
use super::{STYLE, StatedPage, filled};
use crate::answer::FoundFigure;
use crate::results::Results;
use crate::verdicts::{tally, verdict};
use figures::capitalized;
use figures::plot::Plot;

/// The title of the first section.
const FEATURED: &str = "Start here";

/// A page, as the index shows it.
#[derive(Debug, Default, Serialize)]
struct IndexEntry {
    /// The rank and the title of the section that it stands in.
    #[serde(skip)]
    section: (u8, String),
    game: String,
    name: String,
    question: String,
    number: String,
    /// The words beside the number.
    sentence: String,
    /// The number as a picture; may be empty.
    picture: String,
    /// The verdicts that its claims have, each once.
    verdicts: Vec<String>,
    /// The numbers of claims by verdict.
    tally: String,
}

/// The page of a site that leads to all others.
///
/// # Errors
/// If the template cannot be filled, which no results should cause.
pub(super) fn index(
    environment: &Environment<'_>,
    runs: &[(&Results, &Section)],
    stated: &[StatedPage],
) -> Result<String, minijinja::Error> {
    let stated = stated.iter().map(IndexEntry::of_stated);
    let mut entries: Vec<IndexEntry> = runs.iter().map(IndexEntry::of_run).chain(stated).collect();
    let sections: Vec<(u8, String)> = entries.iter().map(|entry| entry.section.clone()).collect();
    entries.sort_by_cached_key(|entry| {
        let pages = sections
            .iter()
            .filter(|section| **section == entry.section)
            .count();
        (entry.section.0, Reverse(pages), entry.section.1.clone())
    });
    let games: BTreeSet<String> = entries.iter().map(|entry| entry.game.clone()).collect();
    let sections = entries.chunk_by(|one, next| one.section == next.section);
    let sections = sections.map(|entries| {
        let (rank, title) = &entries[0].section;
        context! { rank, title, entries => Value::from(Serde(entries)) }
    });
    let sections: Vec<Value> = sections.collect();
    let style = [STYLE, include_str!("index.css")].concat();
    let pages = entries.len();
    let context = context! { style, sections, games, pages };
    filled(environment, "index.html", context)
}

impl IndexEntry {
    fn of_stated(page: &StatedPage) -> Self {
        let verdicts = page.claims.iter().map(|card| card.class.clone());
        let game = capitalized(&page.game);
        Self {
            section: if page.featured {
                (0, FEATURED.to_owned())
            } else {
                (1, game.clone())
            },
            game,
            name: page.name.clone(),
            question: page.question.clone(),
            number: page.number.clone(),
            sentence: page.statement.clone(),
            picture: (page.card.as_ref())
                .or(page.pictures.first())
                .map_or(String::new(), Plot::at_a_glance),
            ..Self::default()
        }
        .with_verdicts(verdicts.collect())
    }

    /// The entry of a run: the number of its page and the words beside it.
    fn of_run((results, page): &(&Results, &Section)) -> Self {
        let config = &results.config;
        let found = FoundFigure::first(results);
        // Demonstrations show how other programs take part.
        let is_placed = config.page.as_ref().is_some_and(|page| page.game.is_some());
        let is_demonstration =
            !is_placed && (config.command.is_some() || !config.players.is_empty());
        let game = capitalized(results.game());
        let verdicts = results.rows_by_claim().map(verdict);
        let is_featured = config.page.as_ref().is_some_and(|page| page.featured);
        let section = match (is_featured, is_demonstration) {
            (true, _) => (0, FEATURED.to_owned()),
            (false, true) => (2, "Demonstrations".to_owned()),
            (false, false) => (1, game.clone()),
        };
        Self {
            section,
            game,
            name: results.manifest.experiment.clone(),
            question: config.question.clone(),
            number: found.as_ref().map_or(String::new(), FoundFigure::phrase),
            sentence: page.top.sentence.clone(),
            picture: page.top.card.clone(),
            ..Self::default()
        }
        .with_verdicts(verdicts.map(str::to_owned).collect())
    }

    fn with_verdicts(self, mut verdicts: Vec<String>) -> Self {
        let tally = tally(verdicts.iter().map(String::as_str));
        verdicts.sort();
        verdicts.dedup();
        Self {
            verdicts,
            tally,
            ..self
        }
    }
}
