//! The index of a site: its pages by game, each with its question, one number in a sentence and its verdicts.
//! Featured pages come first, then the game with the most pages; demonstrations come last. In a section the
//! runs come in the order of their folders, then the proofs and benchmarks.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use minijinja::{Environment, Value, context};

use super::page::ResultPage;
use super::{STYLE, filled};
use crate::plot::Plot;
use crate::verdicts::VERDICTS;
use figures::capitalized;

/// The title of the first section.
const FEATURED: &str = "Start here";

/// The page of a site that leads to all others.
///
/// # Errors
/// If the template cannot be filled, which no results should cause.
pub(super) fn index(
    environment: &Environment<'_>,
    pages: &[ResultPage],
) -> Result<String, minijinja::Error> {
    let mut entries: Vec<((u8, String), &ResultPage)> =
        pages.iter().map(|page| (section(page), page)).collect();
    let sections: Vec<(u8, String)> = entries.iter().map(|(section, _)| section.clone()).collect();
    entries.sort_by_cached_key(|(own, _)| {
        let pages = sections.iter().filter(|section| *section == own).count();
        (own.0, Reverse(pages), own.1.clone())
    });
    let games: BTreeSet<String> = pages.iter().map(|page| capitalized(&page.game)).collect();
    let sections = entries.chunk_by(|(one, _), (next, _)| one == next);
    let sections = sections.map(|entries| {
        let (rank, title) = &entries[0].0;
        let entries: Vec<Value> = entries.iter().map(|(_, page)| entry(page)).collect();
        context! { rank, title, entries }
    });
    let sections: Vec<Value> = sections.collect();
    let style = [STYLE, include_str!("index.css")].concat();
    let pages = entries.len();
    let verdicts = VERDICTS.map(|verdict| verdict.word);
    let context = context! { style, sections, games, pages, verdicts };
    filled(environment, "index.html", context)
}

/// The rank and the title of the section that a page stands in.
fn section(page: &ResultPage) -> (u8, String) {
    match (page.featured, page.demonstration) {
        (true, _) => (0, FEATURED.to_owned()),
        (false, true) => (2, "Demonstrations".to_owned()),
        (false, false) => (1, capitalized(&page.game)),
    }
}

/// A page, as the index shows it: its question, its number with the words beside it and as a picture, and
/// the verdicts on its claims.
fn entry(page: &ResultPage) -> Value {
    context! {
        game => capitalized(&page.game),
        name => &page.name,
        question => &page.question,
        number => if page.figure.is_empty() { &page.number } else { &page.figure },
        sentence => &page.sentence,
        picture => page.card.as_ref().map(Plot::at_a_glance),
        verdicts => &page.verdicts,
    }
}
