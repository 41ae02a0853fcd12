//! `proof.toml`: the statement of a finished proof with the hashes of its tables, in the form in which
//! reports read any proof; and the table of its check.

use super::check::CheckFinding;
use super::folder::{JOURNAL, LayerRecord, ProofFolderError};
use super::tables::ProofTables;
use super::{CHECK, DEFAULT_FOLDER, ProofVerdict, ProvedWin, VALUE, most_moves, passes};
use foxes::position::Position;
use foxes::solved::DrawLimits;
use foxes::solved::retrograde::Shape;

const FILE: &str = "proof.toml";

/// The part of a statement with its check.
const CHECKED: &str = r#"
[check]
file = "check.csv"
key = "seed"
sums = ["positions", "won"]
wrong = "wrong"
"#;

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

    /// Keeps what a check found, in the place of an earlier one, and names it in the statement.
    ///
    /// # Errors
    /// If the folder cannot be read or written.
    pub fn keep(&self, seed: u64, finding: &CheckFinding) -> Result<(), ProofFolderError> {
        let (positions, won, wrong) = (finding.positions, finding.won, finding.wrong.len());
        let table = format!("seed,positions,won,wrong\n{seed},{positions},{won},{wrong}\n");
        self.folder.write(CHECK, table.as_bytes())?;
        self.state(self.verdict(&self.folder.journal()?)?)
    }

    /// Writes the statement of a verdict; the value is written.
    pub(super) fn state(&self, verdict: ProofVerdict) -> Result<(), ProofFolderError> {
        let is_checked = self.folder.file(CHECK).exists();
        let mut text = self.stated(verdict, is_checked);
        text += "\n[files]\n";
        let tables = [JOURNAL, VALUE].into_iter();
        for table in tables.chain(is_checked.then_some(CHECK)) {
            text += &format!("\"{table}\" = \"{}\"\n", self.folder.digest(table)?);
        }
        self.folder.write(FILE, text.as_bytes())
    }

    fn stated(&self, verdict: ProofVerdict, is_checked: bool) -> String {
        let (board, sacrifices) = (self.terms.board.name, self.terms.sacrifices);
        let (sentence, rows) = (verdict.sentence(&self.terms), self.plan.len());
        let (value, number) = match verdict.win {
            Some(_) => ("hens-win", "Proved: the hens win"),
            None => ("not-won", "Proved: no forced win"),
        };
        let (checked, check) = if is_checked {
            (AGREED, CHECKED)
        } else {
            Default::default()
        };
        format!(
            r#"# Read by `etude report` and `etude verify`.
game = "foxes"
question = "Can the hens force a win on board {board}?"
statement = "{sentence}."
number = "{number}"
checked = [{checked}]
commands = [
    "etude prove foxes --board {board} --sacrifices {sacrifices} --dir {DEFAULT_FOLDER}",
    "etude prove foxes --dir {DEFAULT_FOLDER} --check 10000",
]

[counts]
file = "{JOURNAL}"
group = "hens"
layer = "height"
rows = {rows}
sums = ["positions", "won"]
title = "Positions that the hens can win, by the hens left"
layers = {{ name = "hens-{{hens}}-height-{{height}}.pairs", hash = "blake3" }}

[value]
file = "{VALUE}"
holds = {{ board = "{board}", sacrifices = "{sacrifices}", value = "{value}" }}
{check}"#
        )
    }
}

/// The sentence on a check, quoted.
const AGREED: &str = "\"The baseline engine judged random positions, and agreed with the tables on all \
                      of them (check.csv).\"";
