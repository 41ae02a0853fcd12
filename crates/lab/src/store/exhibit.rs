//! `exhibit.json`: one sample step by step, so that reports can show a board without knowing the
//! game.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::packed::{pack_well, unpack};
use crate::run::CompiledExperiment;
use base::files::{self, LARGEST};
use experiment::Experiment;
use task::{Frame, Replay, SampleError};

/// Steps kept at most.
const MOST_STEPS: usize = 500;

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
    /// The game's rules in a few short lines, for whoever reads the steps; empty of a task without.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rules: String,
    /// The steps of an archived folder, packed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    packed: Option<String>,
}

/// A step of an exhibit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExhibitStep {
    /// The step's place in the whole story, from 1.
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

    /// Draws a sample of a cell as an exhibit, with the rules of its game.
    ///
    /// # Errors
    /// If the sample cannot be drawn.
    pub fn draw(
        experiment: &Experiment,
        compiled: &CompiledExperiment,
        (cell, sample): (usize, u64),
    ) -> Result<Self, SampleError> {
        let replay = compiled.source(cell).replay(sample)?;
        Ok(Self {
            rules: compiled.task(cell).rules(),
            ..Self::of(&experiment.cells[cell].name, sample, replay)
        })
    }

    /// The exhibit of a sample, at most 500 of its steps.
    fn of(cell: &str, sample: u64, replay: Replay) -> Self {
        let length = replay.frames.len();
        let frames = replay.frames.into_iter().enumerate();
        let steps = frames.map(|(index, frame)| ExhibitStep::of(index, frame));
        Self {
            cell: cell.to_owned(),
            sample,
            instance: replay.instance,
            length,
            steps: evenly(steps, length, MOST_STEPS),
            outcome: replay.outcome,
            rules: String::new(),
            packed: None,
        }
    }

    /// Returns the exhibit with at most so many of its steps, two or more.
    pub fn with_most(&self, most: usize) -> Self {
        Self {
            steps: evenly(self.steps.iter().cloned(), self.steps.len(), most),
            ..self.clone()
        }
    }

    /// Returns the exhibit with its steps compressed, for an archive: boards look much alike.
    pub(crate) fn into_packed(self) -> Self {
        let text = serde_json::to_string(&self.steps).unwrap_or_default();
        Self {
            steps: Vec::new(),
            packed: Some(pack_well(text.as_bytes())),
            ..self
        }
    }

    fn into_unpacked(mut self) -> Option<Self> {
        if let Some(packed) = self.packed.take() {
            let text = String::from_utf8(unpack(&packed, LARGEST)?).ok()?;
            self.steps = serde_json::from_str(&text).ok()?;
        }
        Some(self)
    }

    /// The exhibit in a file's bytes.
    ///
    /// # Errors
    /// If they hold none.
    pub(crate) fn parse(bytes: &[u8]) -> io::Result<Self> {
        let exhibit: Self = serde_json::from_slice(bytes).map_err(io::Error::other)?;
        let damaged = || io::Error::other("its steps cannot be unpacked");
        exhibit.into_unpacked().ok_or_else(damaged)
    }

    /// The file's bytes.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).unwrap_or_default();
        bytes.push(b'\n');
        bytes
    }

    /// Reads the exhibit of a run folder; none where there is none.
    ///
    /// # Errors
    /// If the file cannot be read or is no exhibit.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        match files::read(path) {
            Ok(bytes) => Self::parse(&bytes).map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl ExhibitStep {
    fn of(index: usize, frame: Frame) -> Self {
        Self {
            number: index + 1,
            caption: frame.caption,
            board: frame.board,
            svg: frame.svg,
        }
    }
}

/// The first and the last of `length` steps and others evenly between them, at most so many.
fn evenly<T>(steps: impl Iterator<Item = T>, length: usize, most: usize) -> Vec<T> {
    let (gaps, last) = (most.max(2) - 1, length.saturating_sub(1));
    let is_kept =
        |index: usize| last <= gaps || (index * gaps).div_ceil(last) * last / gaps == index;
    let steps = steps.enumerate().filter(|(index, _)| is_kept(*index));
    steps.map(|(_, step)| step).collect()
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
        for (step, index) in story.steps.iter_mut().zip(0..) {
            step.svg = Some(format!("<svg>\n<circle r=\"{index}\"/>\n</svg>\n"));
        }
        story
    }

    #[test]
    fn long_stories_keep_their_first_and_last_step_and_are_short() {
        for length in (1..60).chain([MOST_STEPS, MOST_STEPS + 1, 3 * MOST_STEPS + 7]) {
            for (exhibit, most) in [
                (story(length), MOST_STEPS),
                (story(length).with_most(12), 12),
            ] {
                assert_eq!(exhibit.steps.len(), length.min(most), "{length}");
                assert_eq!(exhibit.steps.first().unwrap().number, 1);
                assert_eq!(exhibit.steps.last().unwrap().number, length);
                assert_eq!(exhibit.length, length);
            }
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
        let damaged = Exhibit {
            packed: Some(pack_well(br#"[{"number":1,"caption":""}]"#)),
            ..story(0)
        };
        assert!(Exhibit::parse(&damaged.to_json()).is_err());
        std::fs::write(&path, "{").unwrap();
        assert!(Exhibit::read(&path).is_err());
    }
}
