//! The top of a page: one number, one sentence, one line of certainty, one picture.

use super::gallery::{Album, Picture};
use super::page::ResultPage;
use super::story::story;
use crate::answer::{FoundFigure, with_figures};
use crate::results::Results;
use crate::standing::leader;
use base::{count, counted};
use experiment::DIFFERENCES_OF;
use experiment::PageTable;
use figures::level_text;

/// Pictures above the fold and right below it, at most.
const MOST_PICTURES: usize = 3;

/// The top of a page on one run, as its experiment asks for it or as suits its first figure, and the names of
/// the pictures there.
pub(super) fn top(results: &Results, album: &Album<'_>) -> (ResultPage, Vec<String>) {
    let page = results.config.page.clone().unwrap_or_default();
    let top = ResultPage {
        seed: format!("Seed {}", results.config.seed),
        assumes: page.assumes.clone().unwrap_or_default(),
        ..ResultPage::default()
    };
    let Some(found) = FoundFigure::first(results) else {
        return (top, Vec::new());
    };
    let story = story(results);
    let named = named_pictures(&found, results, &page, story.is_some());
    let is_wagered = named.first().is_some_and(|name| name == "wager");
    let wagered = story.iter().flatten().next().filter(|_| is_wagered);
    let wagered = wagered.map(|tab| tab.plot.clone());
    let led = leading(results);
    let certainty = certainty(&found, results, led.is_some());
    let (number, sentence) = led.unwrap_or_else(|| headline(&found, results));
    let find = |name: &String| match name.as_str() {
        "wager" => {
            let tabs = story.clone().filter(|tabs| !tabs.is_empty())?;
            let name = format!("games-{}", results.manifest.experiment);
            Some(Picture::Tabs { name, tabs })
        }
        name => album.picture(name, found.cell),
    };
    let top = ResultPage {
        number,
        sentence,
        card: wagered.or_else(|| album.card(&found)),
        certainty,
        pictures: if found.is_one_sample() {
            Vec::new()
        } else {
            named.iter().filter_map(find).collect()
        },
        ..top
    };
    (top, named)
}

/// The one large number, and the words beside it.
fn headline(found: &FoundFigure<'_>, results: &Results) -> (String, String) {
    let contradictions: Vec<String> = results.contradictions().collect();
    if !contradictions.is_empty() {
        return (
            "Contradicted".to_owned(),
            format!("{}.", contradictions.join(". ")),
        );
    }
    let Some(page) = results.config.page.as_ref() else {
        return own_headline(found, results);
    };
    let asked = page.headline.as_deref();
    let headline = with_values(asked, results);
    let sentence = with_values(page.sentence.as_deref(), results);
    let sentence = sentence.filter(|_| headline.is_some() || asked.is_none());
    (
        headline.unwrap_or_else(|| found.figure.value()),
        sentence.unwrap_or_else(|| meaning(found, results)),
    )
}

/// The headline of a file without a page: the first sentence of the answer under its first figure, or else the
/// range over the cells.
fn own_headline(found: &FoundFigure<'_>, results: &Results) -> (String, String) {
    let answer = results.config.answer.as_deref();
    let first = answer.map(|text| text.split_inclusive(". ").next().unwrap_or(text).trim_end());
    let named = first.filter(|text| text.contains('{'));
    if let Some(told) = with_values(named, results) {
        return (found.figure.value(), told);
    }
    let of_metric = results
        .summary
        .iter()
        .filter(|row| row.metric == found.metric);
    let known: Vec<_> = of_metric
        .filter_map(|row| Some((row.estimate.value?, row)))
        .collect();
    let least = known.iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = known.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let range = least.zip(most).filter(|(least, most)| least.0 < most.0);
    match range.filter(|_| answer.is_none()) {
        None => (found.figure.value(), meaning(found, results)),
        Some(ends) => {
            let [least, most] = [ends.0, ends.1].map(|(_, row)| results.figure(row).value());
            let over = format!(", over {} cells", results.cells().len());
            let told = results
                .meaning(found.metric)
                .trim_end_matches('.')
                .to_owned();
            (format!("{least} to {most}"), told + &over)
        }
    }
}

/// The leader of a contest whose file names neither a headline nor an answer, and whose samples contradict nothing:
/// the standing above has the intervals.
fn leading(results: &Results) -> Option<(String, String)> {
    let config = &results.config;
    let is_asked = config.page.is_some() || config.answer.is_some();
    let is_contradicted = results.contradictions().next().is_some();
    leader(results).filter(|_| !is_asked && !is_contradicted)
}

/// The text with the estimates alone in its places: their certainty has a line of its own. `None`
/// where a place names none.
fn with_values(text: Option<&str>, results: &Results) -> Option<String> {
    let value = |place: &str| Some(FoundFigure::at(place, results)?.figure.value());
    with_figures(text?, value).ok()
}

/// The meaning of a metric, and where it was found.
fn meaning(found: &FoundFigure<'_>, results: &Results) -> String {
    let meaning = results.meaning(found.metric);
    let sentence = match meaning {
        "" => found.metric,
        meaning => meaning,
    };
    let place = match results.cells().len() {
        0 | 1 => String::new(),
        _ => format!(" ({})", results.in_words(found.cell)),
    };
    format!("{}{place}", sentence.trim_end_matches('.'))
}

/// The interval of the figure and the samples behind it; of a contest that is `led` by somebody, the samples.
fn certainty(found: &FoundFigure<'_>, results: &Results, led: bool) -> String {
    let (figure, estimate) = (&found.figure, &found.figure.estimate);
    let samples = counted(estimate.n, &results.manifest.noun);
    if found.is_one_sample() {
        return format!("{samples}: no interval");
    }
    if led {
        return format!("{samples} of each pair; the ratings stand above with their intervals");
    }
    let interval = estimate.interval.zip(figure.interval());
    let first = match interval {
        _ if figure.is_exact() => "Exact: every case is counted".to_owned(),
        Some((interval, text)) => format!("{}: {text}", level_text(interval.level.get())),
        None => estimate.withheld.map_or_else(
            || "No interval".to_owned(),
            |reason| format!("No interval: {}", reason.in_words()),
        ),
    };
    let left = match estimate.unresolved {
        0 if results.config.budget.is_some() && !figure.is_exact() => ", all resolved".to_owned(),
        0 => String::new(),
        some => format!(", {} unresolved", count(some)),
    };
    format!("{first} · {samples}{left}")
}

/// The pictures that the page names, or the one that suits its number.
fn named_pictures(
    found: &FoundFigure<'_>,
    results: &Results,
    page: &PageTable,
    has_story: bool,
) -> Vec<String> {
    if !page.pictures.is_empty() {
        return page.pictures.iter().take(MOST_PICTURES).cloned().collect();
    }
    let row = results.row(found.cell, found.metric);
    let is_money = row.is_some_and(|row| row.unit == "$");
    vec![match has_story && is_money {
        _ if found.is_difference => format!("{DIFFERENCES_OF}{}", found.metric),
        true => "wager".to_owned(),
        false => found.metric.to_owned(),
    }]
}
