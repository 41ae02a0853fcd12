//! What others see of a page before they open it: a description, and a picture of the question and its number.

use super::page::ResultPage;
use super::plain;
use crate::plot::escaped;
use figures::folded;

/// The letters of a line of the question and of the sentence, in their sizes.
const QUESTION: usize = 38;
const SENTENCE: usize = 62;

/// A page in two sentences: its number with the words beside it, and how certain that is.
pub(super) fn description(page: &ResultPage) -> String {
    let parts = [&page.number, &page.sentence, &page.certainty];
    let parts: Vec<String> = parts.map(|part| plain(part)).into();
    parts.join(" ").trim().to_owned()
}

/// The question and its number as a picture of 1200 by 630, which nothing beside it is needed to read. Like a page it
/// names its maker, by whom it may be replaced.
pub(super) fn picture(page: &ResultPage) -> String {
    let question = lines(&plain(&page.question), QUESTION, 3);
    let sentence = lines(&plain(&page.sentence), SENTENCE, 3);
    let mut texts = Vec::new();
    let mut write = |lines: &[String], top: usize, size: usize, ink: &str, weight: usize| {
        for (place, line) in lines.iter().enumerate() {
            let y = top + place * size * 5 / 4;
            let line = escaped(line);
            texts.push(format!(
                "<text x=\"70\" y=\"{y}\" font-size=\"{size}\" font-weight=\"{weight}\" fill=\"{ink}\">{line}</text>"
            ));
        }
    };
    write(&question, 120, 50, "#1c2127", 700);
    let number = plain(&page.number);
    let size = (2200 / number.chars().count().max(1)).clamp(48, 130);
    write(&[number], 420, size, "#2563a8", 700);
    write(&sentence, 490, 32, "#59626d", 400);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1200 630\" font-family=\"system-ui, sans-serif\">\
         <!-- <meta name=\"generator\" content=\"etude\"> -->\
         <rect width=\"1200\" height=\"630\" fill=\"#fdfcf9\"/>{}\
         <text x=\"70\" y=\"610\" font-size=\"26\" fill=\"#59626d\">etude</text></svg>\n",
        texts.concat()
    )
}

/// A text in lines of at most so many letters; what does not fit into so many lines is left out.
fn lines(text: &str, width: usize, most: usize) -> Vec<String> {
    let folded = folded(text, width);
    let mut lines: Vec<String> = folded.lines().map(str::to_owned).collect();
    if let Some(last) = lines.get_mut(most - 1)
        && folded.lines().count() > most
    {
        last.push('…');
    }
    lines.truncate(most);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_holds_question_and_number_in_lines_that_fit() {
        let page = ResultPage {
            question: "How often can a person <win> who cannot see any of the cards below?"
                .to_owned(),
            number: "52.8 %".to_owned(),
            sentence: "of the deals are won. ".repeat(20),
            certainty: "95 %: 52.4 to 53.3".to_owned(),
            ..ResultPage::default()
        };
        let picture = picture(&page);
        assert!(picture.contains("&lt;win&gt;") && !picture.contains("<win>"));
        assert_eq!(picture.matches("<text").count(), 2 + 1 + 3 + 1);
        assert!(picture.contains("…</text>"));
        assert!(picture.contains("<meta name=\"generator\" content=\"etude\">"));
        assert!(description(&page).starts_with("52.8\u{a0}% of the deals are won."));
        assert!(description(&page).ends_with("52.4 to 53.3"));
    }
}
