//! The answer: the experiment's own sentence with its figures filled in.

use super::results::Results;
use crate::tables::PairRow;
use crate::task::visible;

/// A place in an answer that no figure fits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the answer asks for `{place}`, and there is no such figure")]
pub struct AnswerError {
    /// The text between the braces.
    pub place: String,
}

/// Replaces every `{metric}` in `text` by the figure of the first cell with its interval, and
/// every `{cell:metric}` by that of another cell, `{cell - cell:metric}` by the paired difference
/// of two. The answer is safe to show.
///
/// # Errors
/// Where a place names no figure of the results.
pub fn filled(text: &str, results: &Results) -> Result<String, AnswerError> {
    let mut answer = String::new();
    let mut rest = text;
    while let Some((before, place, after)) = next_place(rest) {
        answer.push_str(&visible(before));
        answer.push_str(&figure(place, results)?);
        rest = after;
    }
    answer.push_str(&visible(rest));
    Ok(answer)
}

/// The text before the first `{...}`, what is between its braces, and the text after it.
fn next_place(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once('{')?;
    let (place, after) = rest.split_once('}')?;
    Some((before, place, after))
}

/// The places of an answer, in order.
pub(super) fn places(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (_, place, rest) = next_place(text)?;
        text = rest;
        Some(place)
    })
}

/// The figure that a place asks for, with its interval.
pub(super) fn figure(place: &str, results: &Results) -> Result<String, AnswerError> {
    let (cell, metric) = match place.rsplit_once(':') {
        Some((cell, metric)) => (Some(cell), metric),
        None => (results.cells().first().copied(), place),
    };
    let row = cell.and_then(|cell| results.row(cell, metric));
    let figure = row.map(|row| results.figure(row).phrase());
    let difference = || {
        let mut pairs = results.pairs.iter();
        let is_asked = |row: &&PairRow| {
            row.metric == metric && cell == Some(&*format!("{} - {}", row.first, row.second))
        };
        pairs.find(is_asked).map(|row| row.figure().phrase())
    };
    figure.or_else(difference).ok_or_else(|| AnswerError {
        place: visible(place),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::sample::results;

    /// A coin with a second and a third cell, whose heads are rarer.
    fn swept() -> Results {
        let mut results = results();
        for (cell, mean) in [("bent", 0.25), ("worn", 0.125)] {
            let mut row = results.summary[0].clone();
            row.cell = cell.into();
            row.estimate.value = Some(mean);
            results.summary.push(row);
        }
        results
    }

    #[test]
    fn a_metric_alone_is_the_first_cells_and_one_after_a_cell_is_that_cells() {
        let results = swept();
        assert_eq!(results.cells(), ["all", "bent", "worn"]);
        let text = "{heads}, then {bent:heads} and {worn:heads}; again {all:heads}";
        let expected = "50 % (40 to 60), then 25 % (40 to 60) and 12 % (40 to 60); \
                        again 50 % (40 to 60)";
        assert_eq!(filled(text, &results).as_deref(), Ok(expected));
    }

    #[test]
    fn a_place_without_a_figure_is_named() {
        for place in ["tails", "tossed:heads", "bent:run"] {
            let missing = filled(&format!("{{heads}} {{{place}}}"), &swept());
            assert_eq!(missing.unwrap_err().place, place);
        }
    }
}
