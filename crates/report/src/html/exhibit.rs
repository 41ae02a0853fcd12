//! A sample shown step by step.

use serde::Serialize;

use super::boards::Pictures;
use base::count;
use figures::sentence;
use lab::store::{Exhibit, ExhibitStep};

/// A sample shown step by step.
#[derive(Debug, Serialize)]
pub(crate) struct Shown {
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
    /// The address of the first picture of each layer: the second has the cards that the player cannot see.
    images: [Option<String>; 2],
    /// The elements that pictures are made of, as JSON.
    elements: String,
    steps: Vec<Diagram>,
}

/// A board, as text or as a picture.
#[derive(Debug, Serialize)]
struct Diagram {
    number: usize,
    caption: String,
    text: String,
    /// The change of each layer of the picture since the step before that has it.
    layers: [Option<String>; 2],
    /// True of the step that brought the last hidden card to light: it decides most games.
    turns_last: bool,
}

/// The most bytes that a page spends on its replay, about.
const LARGEST_REPLAY: usize = 250_000;

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
        let steps: usize = self.steps.iter().map(Diagram::size).sum();
        self.elements.len() + steps
    }

    fn whole(exhibit: &Exhibit, cell: &str, noun: &str) -> Self {
        let left_out = exhibit.length - exhibit.steps.len().min(exhibit.length);
        let all = count(exhibit.length as u64);
        let is_again = |one: &ExhibitStep, next: &ExhibitStep| {
            one.caption == next.caption && one.number + 1 == next.number
        };
        let runs = exhibit.steps.chunk_by(is_again);
        let mut pictures = Pictures::default();
        let mut steps: Vec<Diagram> = runs
            .filter_map(|run| Diagram::of(run, &mut pictures))
            .collect();
        let last = steps.iter().rposition(|step| step.layers[1].is_some());
        if let Some(step) = last.and_then(|last| steps.get_mut(last + 1)) {
            step.turns_last = true;
        }
        Self {
            title: match steps.len() {
                1 => format!("One {noun}"),
                _ => format!("One {noun}, step by step"),
            },
            length: exhibit.length,
            elements: pictures.to_json(),
            images: pictures.first,
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
        let changes = self.layers.iter().flatten().map(String::len);
        let board = match &self.layers[0] {
            Some(_) => changes.sum(),
            None => self.text.len(),
        };
        STEP + self.caption.len() + board
    }

    /// The board after the last of several steps of one caption.
    fn of(steps: &[ExhibitStep], pictures: &mut Pictures) -> Option<Self> {
        let step = steps.last()?;
        let layers = step.svg.as_deref().map(|svg| pictures.tell(svg));
        Some(Self {
            number: step.number,
            caption: match steps.len() {
                1 => step.caption.clone(),
                2 => format!("{} twice", step.caption),
                times => format!("{} {} times", step.caption, in_words(times)),
            },
            text: step.board.trim_end().to_owned(),
            layers: layers.unwrap_or_default(),
            turns_last: false,
        })
    }
}
