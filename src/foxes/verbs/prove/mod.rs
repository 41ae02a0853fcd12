//! `prove foxes`: solve a small board completely in memory, or prove the hens' win on the full
//! board layer by layer on disk.

mod layers;
mod opinion;
mod small;

use std::path::Path;

use super::{BOARD, CAPTURE, STUCK, read_rules};
use crate::foxes::board::CROSS;
use crate::foxes::solved::proof::{DEFAULT_FOLDER, ProofFolderError};
use lab::task::{Arguments, Console, TableCell, Verb, VerbError, VerbOption};

pub(super) const PROVE: Verb = Verb {
    name: "prove",
    summary: "prove that the hens win the full board, or solve every position of a small one",
    examples: &[
        (
            "etude prove foxes --sacrifices 1 --dir proof",
            "can the hens force a win while losing at most one hen? 16 GB of disk",
        ),
        (
            "etude prove foxes --board small-cross",
            "every position of a cross with arms of length 1; endless play is a draw",
        ),
    ],
    options: &[
        VerbOption::integer(
            "sacrifices",
            "S",
            "the most hens that may be lost, 0 to 3 (default: 1)",
        ),
        VerbOption::text(
            "dir",
            "DIR",
            "the folder of the proof's tables; an unfinished proof there continues (default: foxes-proof)",
        ),
        VerbOption::text("memory", "SIZE", "the most memory to use, such as 500M").or_text("8G"),
        VerbOption::integer(
            "check",
            "N",
            "check N random positions of a finished proof with the baseline engine",
        ),
        VerbOption::integer(
            "seed",
            "N",
            "seed of the random positions that --check examines",
        )
        .or_integer(1),
        BOARD,
        CAPTURE,
        STUCK,
    ],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let rules = read_rules(arguments)?;
    if let Some(count) = arguments.integer("check") {
        return opinion::examine(arguments, count, console);
    }
    let asks_for_proof =
        arguments.integer("sacrifices").is_some() || arguments.text("dir").is_some();
    if *rules.board == CROSS || asks_for_proof {
        layers::prove(arguments, &rules, console)
    } else {
        small::solve(&rules, console)
    }
}

fn folder(arguments: &Arguments) -> &Path {
    Path::new(arguments.text("dir").unwrap_or(DEFAULT_FOLDER))
}

fn broken(error: ProofFolderError) -> VerbError {
    VerbError::failed(error.to_string(), error.help())
}

fn integers<const N: usize>(counts: [u64; N]) -> [TableCell; N] {
    counts.map(TableCell::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use lab::task::Script;

    #[test]
    fn a_proof_foretells_its_size_and_judges_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = Arguments::defaults(PROVE.options)
            .with_text("board", "strip")
            .with_text("dir", folder.path().to_str().unwrap())
            .with_integer("sacrifices", 2);
        let mut console = Script::default();
        run(&arguments, &mut console).unwrap();
        assert!(console.heard("of disk"));
        assert!(console.heard("strip: "));
        let stored = std::fs::read_to_string(folder.path().join("layers.csv")).unwrap();
        assert_eq!(stored.lines().count(), console.rows.len() + 1);
        let again = &mut Script::default();
        run(&arguments, again).unwrap();
        assert_eq!(again.rows, console.rows);
        assert!(!again.heard("of disk"), "nothing is left to prove");
        let checked = &mut Script::default();
        run(&arguments.with_integer("check", 500), checked).unwrap();
        assert_eq!(checked.columns, ["seed", "positions", "won", "wrong"]);
        let row = &checked.rows[0];
        assert_eq!(
            [&row[1], &row[3]],
            [&TableCell::Integer(500), &TableCell::Integer(0)]
        );
    }

    #[test]
    fn wrong_terms_are_named() {
        let proof = || Arguments::defaults(PROVE.options).with_text("dir", "/nonexistent/proof");
        let cases = [
            (proof().with_integer("sacrifices", 4), "--sacrifices"),
            (proof().with_text("capture", "any"), "--capture"),
            (proof().with_text("stuck", "pass"), "--stuck"),
            (proof().with_text("memory", "plenty"), "--memory"),
        ];
        for (arguments, place) in cases {
            let error = run(&arguments, &mut Script::default()).unwrap_err();
            assert_eq!(error.place, place);
            assert!(error.usage && !error.help.is_empty());
        }
        assert_eq!(layers::read_size("8G").unwrap(), 8_000_000_000);
        assert_eq!(layers::read_size("500 MB").unwrap(), 500_000_000);
    }

    #[test]
    fn a_proof_that_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = Arguments::defaults(PROVE.options)
            .with_text("dir", folder.path().to_str().unwrap())
            .with_text("memory", "100M");
        let error = run(&arguments, &mut Script::default()).unwrap_err();
        assert_eq!(error.place, "--memory");
    }
}
