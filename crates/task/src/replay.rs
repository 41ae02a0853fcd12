//! A sample shown step by step.

use serde::{Deserialize, Serialize};

/// A sample as a story: what was drawn, what happened, what came out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Replay {
    /// The instance in the game's own one-line notation.
    pub instance: String,
    /// The steps, in order.
    pub frames: Vec<Frame>,
    /// The outcome in one sentence.
    pub outcome: String,
}

/// A step of a replay.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// The move in the game's notation, or a remark.
    pub caption: String,
    /// The board afterwards, drawn in text (Unicode allowed, no colour codes).
    pub board: String,
    /// The board afterwards as a stand-alone SVG picture, where the game can draw one.
    #[serde(skip)]
    pub svg: Option<String>,
}

impl Frame {
    /// A step with a board drawn in text only.
    pub fn text(caption: impl Into<String>, board: impl Into<String>) -> Self {
        Self {
            caption: caption.into(),
            board: board.into(),
            svg: None,
        }
    }

    /// Returns the frame with a drawing.
    pub fn with_svg(self, svg: String) -> Self {
        Self {
            svg: Some(svg),
            ..self
        }
    }
}
