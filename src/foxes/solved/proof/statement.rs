//! `proof.toml`: the words and facts of a finished proof's page, in the form in which reports read any proof.

use super::super::DrawLimits;
use super::check::CheckFinding;
use super::folder::{JOURNAL, LayerRecord, ProofFolderError};
use super::tables::ProofTables;
use super::{ProofVerdict, ProvedWin, most_moves, passes};
use crate::foxes::position::Position;
use crate::foxes::solved::retrograde::Shape;

const FILE: &str = "proof.toml";

impl ProofTables {
    /// The verdict on the start position, all layers being done.
    pub(super) fn verdict(&self, done: &[LayerRecord]) -> Result<ProofVerdict, ProofFolderError> {
        let board = self.terms.board;
        let start = Position::start(board);
        let bound = most_moves(done, Shape::of(start.hens), board.rows as u32 - 1);
        let is_won = self.is_won(&start)?;
        Ok(ProofVerdict {
            win: is_won.then_some(ProvedWin {
                moves: bound,
                draws: DrawLimits::of_passes(passes(done)),
            }),
        })
    }

    /// Keeps what a check found, in the place of an earlier one, in the statement.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn keep(&self, seed: u64, finding: &CheckFinding) -> Result<(), ProofFolderError> {
        let (positions, won, wrong) = (finding.positions, finding.won, finding.wrong.len());
        let check = format!(
            "{CHECK}\nseed = \"{seed}\"\npositions = \"{positions}\"\nwon = \"{won}\"\nwrong = \"{wrong}\"\n"
        );
        self.state(self.verdict(&self.folder.journal()?)?, &check)
    }

    /// Writes the statement of a verdict, with the check that an earlier statement had.
    pub(super) fn conclude(&self, verdict: ProofVerdict) -> Result<(), ProofFolderError> {
        let earlier = if self.folder.file(FILE).exists() {
            self.folder.read_text(FILE)?
        } else {
            String::new()
        };
        let check = earlier.find(CHECK).map_or("", |start| &earlier[start..]);
        self.state(verdict, check)
    }

    fn state(&self, verdict: ProofVerdict, check: &str) -> Result<(), ProofFolderError> {
        let hash = self.folder.digest(JOURNAL)?;
        let text = self.stated(verdict, &hash, check);
        self.folder.write(FILE, text.as_bytes())
    }

    fn stated(&self, verdict: ProofVerdict, hash: &str, check: &str) -> String {
        let (board, sacrifices) = (self.terms.board.name, self.terms.sacrifices);
        let (sentence, layers) = (verdict.template(&self.terms), self.plan.len());
        let (number, proved) = match verdict.win {
            Some(ProvedWin { moves, draws }) => (
                "Proved: the hens win",
                format!(
                    "value = \"hens-win\"\nquiet_at_least = \"{}\"\nmoves_at_most = \"{moves}\"",
                    draws.quiet()
                ),
            ),
            None => ("Proved: no forced win", "value = \"not-won\"".to_owned()),
        };
        let checked = if check.is_empty() { "" } else { AGREED };
        format!(
            r#"# Read by `etude report` and `etude verify`.
game = "foxes"
question = "Can the hens force a win on board {board}?"
statement = "{sentence}."
number = "{number}"
checked = [{checked}]
picture = "Positions that the hens can win, by the hens left"
layers = {layers}
hash = "{hash}"

[options]
board = "{board}"
sacrifices = "{sacrifices}"

[proved]
{proved}

{check}"#
        )
    }
}

/// The table of a statement with its check, which is the last.
const CHECK: &str = "[check]";

/// The sentence on a check, quoted, with its numbers named.
const AGREED: &str = "\"The baseline engine judged {positions} random positions, and agreed with the tables on \
                      all of them.\"";
