//! `exhibit.json`: one sample step by step, so that reports can show a board without knowing the
//! game.

use std::io;
use std::path::Path;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use super::packed::{pack_well, unpack};
use crate::files::{self, LARGEST};
use crate::task::{Frame, Replay};

/// Steps kept at most: the first, the last, and others evenly between them.
const MOST_STEPS: usize = 48;

/// A sample as a story, small enough to travel with the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Exhibit {
    /// The cell it belongs to.
    pub cell: String,
    /// The sample's index.
    pub sample: u64,
    /// The instance in the game's own one-line notation.
    pub instance: String,
    /// Steps of the whole story.
    pub length: usize,
    /// The steps kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<ExhibitStep>,
    /// The outcome in one sentence.
    pub outcome: String,
    /// The steps of an archived folder, packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
}

/// One step of an exhibit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExhibitStep {
    /// Its place in the whole story, from 1.
    pub number: usize,
    /// The action.
    pub caption: String,
    /// The board afterwards, in text.
    pub board: String,
    /// The board afterwards as an SVG picture, where the game draws one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub svg: Option<String>,
}

impl Exhibit {
    /// The file's name.
    pub const FILE: &str = "exhibit.json";

    /// The exhibit of a sample, at most 48 of its steps.
    pub fn of(cell: &str, sample: u64, replay: Replay) -> Self {
        let length = replay.frames.len();
        let frames = replay.frames.into_iter().enumerate();
        Self {
            cell: cell.to_owned(),
            sample,
            instance: replay.instance,
            length,
            steps: frames
                .filter(|(place, _)| is_kept(*place, length))
                .map(|(place, frame)| ExhibitStep::of(place, frame))
                .collect(),
            outcome: replay.outcome,
            packed: None,
        }
    }

    /// Returns the exhibit with its steps compressed: boards look much alike.
    pub fn into_packed(self) -> Self {
        let text = serde_json::to_string(&PackedSteps::of(self.steps)).unwrap_or_default();
        Self {
            steps: Vec::new(),
            packed: Some(pack_well(&text)),
            ..self
        }
    }

    fn into_unpacked(mut self) -> Option<Self> {
        if let Some(packed) = self.packed.take() {
            let text = unpack(&packed, LARGEST)?;
            self.steps = match serde_json::from_str(&text).ok()? {
                PackedSteps::Plain(steps) => steps,
                PackedSteps::Shared { lines, steps } => {
                    let steps = steps.into_iter().map(|step| step.whole(&lines));
                    steps.collect::<Option<_>>()?
                }
            };
        }
        Some(self)
    }

    /// The exhibit in a file's bytes.
    ///
    /// # Errors
    /// If they hold none.
    pub fn parse(bytes: &[u8]) -> io::Result<Self> {
        let exhibit: Self = serde_json::from_slice(bytes).map_err(io::Error::other)?;
        let damaged = || io::Error::other("its steps cannot be unpacked");
        exhibit.into_unpacked().ok_or_else(damaged)
    }

    /// The file's bytes.
    pub fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Reads the exhibit of a run folder; none where there is none.
    ///
    /// # Errors
    /// Where the file cannot be read or is no exhibit.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match files::read(path) {
            Ok(bytes) => Self::parse(&bytes).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl ExhibitStep {
    fn of(place: usize, frame: Frame) -> Self {
        Self {
            number: place + 1,
            caption: frame.caption,
            board: frame.board,
            svg: frame.svg,
        }
    }
}

/// The steps of an archived folder.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum PackedSteps {
    /// As they are; folders that were archived earlier have them so.
    Plain(Vec<ExhibitStep>),
    /// Their pictures by the numbers of their lines, of which most are those of others.
    Shared {
        lines: Vec<String>,
        steps: Vec<PackedStep>,
    },
}

#[derive(Serialize, Deserialize)]
struct PackedStep {
    number: usize,
    caption: String,
    board: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    svg: Option<Vec<usize>>,
}

impl PackedSteps {
    fn of(steps: Vec<ExhibitStep>) -> Self {
        let mut lines: IndexSet<String> = IndexSet::new();
        let mut numbers = |svg: String| -> Vec<usize> {
            let all = svg.split('\n');
            all.map(|line| lines.insert_full(line.to_owned()).0)
                .collect()
        };
        let packed = |step: ExhibitStep| PackedStep {
            number: step.number,
            caption: step.caption,
            board: step.board,
            svg: step.svg.map(&mut numbers),
        };
        let steps = steps.into_iter().map(packed).collect();
        Self::Shared {
            steps,
            lines: lines.into_iter().collect(),
        }
    }
}

impl PackedStep {
    /// The step with its picture; `None` if that has a line that is not there.
    fn whole(self, lines: &[String]) -> Option<ExhibitStep> {
        let text = |numbers: Vec<usize>| {
            let all = numbers.into_iter().map(|number| lines.get(number));
            let all: Option<Vec<&str>> = all.map(|line| line.map(String::as_str)).collect();
            all.map(|lines| lines.join("\n"))
        };
        let svg = match self.svg {
            Some(numbers) => Some(text(numbers)?),
            None => None,
        };
        Some(ExhibitStep {
            number: self.number,
            caption: self.caption,
            board: self.board,
            svg,
        })
    }
}

/// Returns whether step `place` of `length` is one of those that divide the story evenly.
fn is_kept(place: usize, length: usize) -> bool {
    let gaps = MOST_STEPS - 1;
    length <= MOST_STEPS || {
        let last = length - 1;
        (place * gaps).div_ceil(last) * last / gaps == place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story(length: usize) -> Exhibit {
        let frames = (0..length).map(|step| Frame::text(format!("step {step}"), "."));
        let replay = Replay {
            frames: frames.collect(),
            ..Replay::default()
        };
        Exhibit::of("all", 0, replay)
    }

    /// A story with pictures.
    fn drawn() -> Exhibit {
        let mut story = story(3);
        for (step, place) in story.steps.iter_mut().zip(0..) {
            step.svg = Some(format!("<svg>\n<circle r=\"{place}\"/>\n</svg>\n"));
        }
        story
    }

    /// A folder's file as earlier versions packed it.
    fn earlier(story: &Exhibit) -> Exhibit {
        Exhibit {
            steps: Vec::new(),
            packed: Some(pack_well(&serde_json::to_string(&story.steps).unwrap())),
            ..story.clone()
        }
    }

    #[test]
    fn long_stories_keep_their_first_and_last_step_and_are_short() {
        for length in 1..400 {
            let exhibit = story(length);
            assert_eq!(exhibit.steps.len(), length.min(MOST_STEPS), "{length}");
            assert_eq!(exhibit.steps.first().unwrap().number, 1);
            assert_eq!(exhibit.steps.last().unwrap().number, length);
            assert_eq!(exhibit.length, length);
        }
        assert!(story(0).steps.is_empty());
    }

    #[test]
    fn exhibits_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(Exhibit::FILE);
        assert_eq!(Exhibit::read(&path).unwrap(), None);
        std::fs::write(&path, story(3).to_json()).unwrap();
        assert_eq!(Exhibit::read(&path).unwrap(), Some(story(3)));
        std::fs::write(&path, story(3).into_packed().to_json()).unwrap();
        assert_eq!(Exhibit::read(&path).unwrap(), Some(story(3)));
        std::fs::write(&path, drawn().into_packed().to_json()).unwrap();
        assert_eq!(Exhibit::read(&path).unwrap(), Some(drawn()));
        std::fs::write(&path, earlier(&drawn()).to_json()).unwrap();
        assert_eq!(Exhibit::read(&path).unwrap(), Some(drawn()));
        let damaged = Exhibit {
            packed: Some(pack_well(
                r#"{"lines":[],"steps":[{"number":1,"caption":"","board":"","svg":[0]}]}"#,
            )),
            ..story(0)
        };
        assert!(Exhibit::parse(&damaged.to_json()).is_err());
        std::fs::write(&path, "{").unwrap();
        assert!(Exhibit::read(&path).is_err());
    }
}
