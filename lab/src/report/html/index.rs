//! The index of a site: its pages by game, each with its question, one number and its verdicts.
//! Demonstrations come last.

use std::collections::BTreeMap;

use minijinja::value::Serde;
use minijinja::{Environment, Value, context};
use serde::Serialize;

use super::boards::boards;
use super::claims::{self, ClaimCard};
use super::{STYLE, StatedPage};
use crate::report::answer;
use crate::report::results::Results;
use crate::task::visible;

const INDEX_STYLE: &str = include_str!("index.css");

/// The pages of one game.
#[derive(Debug, Serialize)]
struct Group {
    game: String,
    entries: Vec<IndexEntry>,
}

/// A page, as the index shows it.
#[derive(Debug, Serialize)]
struct IndexEntry {
    name: String,
    question: String,
    number: String,
    /// The metric of the number, in words for people.
    of: String,
    /// A board in the middle of its game, as a file has it.
    #[serde(skip)]
    svg: Option<String>,
    /// The attributes and the contents of its picture.
    board: Option<(String, String)>,
    /// The verdicts on its claims, with how many have each.
    verdicts: Vec<(String, usize)>,
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
    let stated_pages = stated
        .iter()
        .map(|page| (&*page.game, false, IndexEntry::of_stated(page)));
    let run = runs
        .iter()
        .map(|run| (game(run), is_demonstration(run), IndexEntry::of_run(run)));
    let mut games: BTreeMap<(bool, String), Vec<IndexEntry>> = BTreeMap::new();
    for (game, is_demonstration, entry) in stated_pages.chain(run) {
        let game = if is_demonstration {
            DEMONSTRATIONS
        } else {
            game
        };
        let key = (is_demonstration, capitalized(game));
        games.entry(key).or_default().push(entry);
    }
    let groups = games.into_iter();
    let mut groups: Vec<Group> = groups
        .map(|((_, game), entries)| Group { game, entries })
        .collect();
    let parts = draw_boards(&mut groups);
    let pages = runs.len() + stated.len();
    let groups = Value::from(Serde(groups));
    let template = environment.get_template("index.html")?;
    let style = [STYLE, INDEX_STYLE].concat();
    let page = template.render(context! { style, groups, pages, parts });
    page.map(|page| visible(&page))
}

const DEMONSTRATIONS: &str = "demonstrations";

/// The game of a run's task.
fn game(results: &Results) -> &str {
    let task = results.config.task.as_str();
    task.split_once('/').map_or(task, |(game, _)| game)
}

/// Returns whether a run shows how other programs take part.
fn is_demonstration(results: &Results) -> bool {
    results.config.command.is_some() || !results.config.players.is_empty()
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}

impl IndexEntry {
    fn of_stated(page: &StatedPage) -> Self {
        Self {
            name: page.name.clone(),
            question: page.question.clone(),
            number: page.number.clone(),
            of: String::new(),
            svg: None,
            board: None,
            verdicts: claims::counts(page.claims.iter().map(ClaimCard::class)),
        }
    }

    fn of_run(results: &Results) -> Self {
        let (number, of) = first_figure(results);
        let claims = results.claims.chunk_by(|one, next| one.is_of_claim(next));
        Self {
            name: results.manifest.experiment.clone(),
            question: results.config.question.clone(),
            number,
            of,
            svg: middle_board(results),
            board: None,
            verdicts: claims::counts(claims.map(claims::class)),
        }
    }
}

/// Draws the boards of all entries, and returns the parts that they share.
fn draw_boards(groups: &mut [Group]) -> String {
    let svgs: Vec<Option<String>> = (groups.iter())
        .flat_map(|group| group.entries.iter().map(|entry| entry.svg.clone()))
        .collect();
    let texts: Vec<Option<&str>> = svgs.iter().map(Option::as_deref).collect();
    let drawn = boards(&texts, "b");
    let entries = groups.iter_mut().flat_map(|group| &mut group.entries);
    for (entry, picture) in entries.zip(drawn.pictures) {
        entry.board = picture;
    }
    drawn.parts
}

/// The board in the middle of the game that a run shows.
fn middle_board(results: &Results) -> Option<String> {
    let steps = &results.exhibit.as_ref()?.steps;
    steps.get(steps.len() / 2)?.svg.clone()
}

/// The first figure of the page's headline, of the answer, or of the first metric, with its
/// interval; and its metric.
fn first_figure(results: &Results) -> (String, String) {
    let named = results.config.places().find_map(|place| {
        let metric = place.rsplit(':').next().unwrap_or(place);
        Some((answer::figure(place, results)?, metric.to_owned()))
    });
    let first = || {
        let row = results.summary.first()?;
        Some((results.figure(row).phrase(), row.metric.clone()))
    };
    let (figure, metric) = named.or_else(first).unwrap_or_default();
    let words = results.config.labels.get(&metric).cloned();
    (figure, words.unwrap_or(metric))
}
