//! `prove foxes`: solve a small board completely in memory, or prove the hens' win on the full
//! board layer by layer on disk.

mod layers;
mod opinion;
mod small;

use std::path::{Path, PathBuf};

use super::RuleOptions;
use crate::foxes::proof::{DEFAULT_FOLDER, ProofFolderError};
use crate::input::integer_within;
use base::{Failure, parse_integer};
use clap::Args;
use foxes::board::CROSS;
use foxes::rules::Rules;
use foxes::solved::OtherRule;
use task::{Console, TableCell, VerbOptions};

/// `etude prove foxes`.
#[derive(Debug, Args)]
#[command(
    about = "Prove that the hens win the full board, or solve every position of a small one",
    after_help = "Examples:
  etude prove foxes --sacrifices 1 --dir proof
      can the hens force a win while losing at most one hen? 16 GB of disk
  etude prove foxes --board small-cross
      every position of a cross with arms of length 1; endless play is a draw"
)]
pub struct ProveFoxes {
    /// The most hens that may be lost, 0 to 3 [default: 1]
    #[arg(long, value_name = "S", value_parser = parse_integer)]
    sacrifices: Option<u64>,
    /// The folder of the proof's tables; an unfinished proof there continues [default: foxes-proof]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The most memory to use, such as 500M
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = layers::read_size)]
    memory: u64,
    /// Check N random positions of a finished proof with the baseline engine
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    check: Option<u64>,
    /// Seed of the random positions that --check examines
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_integer)]
    seed: u64,
    #[command(flatten)]
    rules: RuleOptions,
    /// Plies without a step up or a capture that make a draw, 0 for no rule: refused where a draw may come first
    #[arg(
        long,
        value_name = "N",
        default_value = "200",
        value_parser = integer_within(0..=Rules::MOST_QUIET.into())
    )]
    quiet: u64,
    /// Occurrences of a position that make a draw, 0 for no rule
    #[arg(
        long,
        value_name = "N",
        default_value = "3",
        value_parser = integer_within(0..=Rules::MOST_REPETITION.into())
    )]
    repetition: u64,
}

impl VerbOptions for ProveFoxes {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let rules = Rules {
            quiet: self.quiet as u32,
            repetition: self.repetition as u32,
            ..self.rules.rules()
        };
        if let Some(count) = self.check {
            return opinion::examine(self.folder(), &rules, self.seed, count, console);
        }
        let asks_for_proof = self.sacrifices.is_some() || self.dir.is_some();
        if *rules.board == CROSS || asks_for_proof {
            layers::prove(&self, &rules, console)
        } else {
            small::solve(&rules, console)
        }
    }
}

impl ProveFoxes {
    fn folder(&self) -> &Path {
        self.dir.as_deref().unwrap_or(Path::new(DEFAULT_FOLDER))
    }
}

fn broken(error: ProofFolderError) -> Failure {
    // A folder of something else, or of nothing, is one that was not meant.
    let failure = match error {
        ProofFolderError::Missing(_) | ProofFolderError::Other { .. } => Failure::usage,
        _ => Failure::failed,
    };
    failure(error.to_string()).with_help(error.help())
}

/// The failure of rules that a proof is not about.
fn not_proved(other: OtherRule) -> Failure {
    let OtherRule { name, known } = other;
    let help = match name {
        "quiet" => "with fewer quiet plies a draw may come before the win",
        "repetition" => "every position occurs once",
        _ => {
            "leave the option out; small boards are solved under every rule without --sacrifices and --dir"
        }
    };
    let message = format!("the proof is for {name} = {known}");
    Failure::input(format!("--{name}"), message, help)
}

fn integers<const N: usize>(counts: [u64; N]) -> [TableCell; N] {
    counts.map(TableCell::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use task::{Script, Verb};

    pub fn prove(options: &[&str]) -> Result<Script, Failure> {
        Script::default().run(&Verb::new::<ProveFoxes>("prove"), options)
    }

    #[test]
    fn a_proof_foretells_its_size_and_judges_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        let options = ["--board=strip", "--sacrifices=2", "--dir", dir];
        let console = prove(&options).unwrap();
        assert!(console.heard("of disk"));
        assert!(console.heard("strip: "));
        let stored = std::fs::read_to_string(folder.path().join("layers.csv")).unwrap();
        assert_eq!(stored.lines().count(), console.rows.len() + 1);
        let again = prove(&options).unwrap();
        assert_eq!(again.rows, console.rows);
        assert!(!again.heard("of disk"), "nothing is left to prove");
        let checked = prove(&[&options[..], &["--check=500"]].concat()).unwrap();
        assert_eq!(checked.columns, ["seed", "positions", "won", "wrong"]);
        let row = &checked.rows[0];
        assert_eq!(
            [&row[1], &row[3]],
            [&TableCell::Integer(500), &TableCell::Integer(0)]
        );
    }

    #[test]
    fn wrong_terms_are_named() {
        for (option, value) in [
            ("--sacrifices", "4"),
            ("--capture", "any"),
            ("--stuck", "pass"),
            ("--memory", "plenty"),
            ("--quiet", "1"),
            ("--repetition", "1"),
        ] {
            let error = prove(&["--dir=/nonexistent/proof", option, value]);
            let error = error.err().unwrap();
            assert_eq!(error.place, option);
            assert_eq!(error.kind, base::FailureKind::Usage);
            assert!(!error.message.is_empty());
        }
        assert_eq!(layers::read_size("8G"), Ok(8_000_000_000));
        assert_eq!(layers::read_size("500 MB"), Ok(500_000_000));
    }

    /// The win of a proof, and of the exact solution, needs longer quiet play than some rules allow.
    #[test]
    fn limits_for_draws_under_which_it_does_not_hold_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        let proof = ["--board=low-cross", "--sacrifices=3", "--dir", dir];
        let refused = |options: &[&str]| {
            let error = prove(options).err().unwrap();
            assert_eq!(error.place, "--quiet", "{options:?}");
            error.message
        };
        refused(&[&proof[..], &["--quiet=4"]].concat());
        let console = prove(&proof).unwrap();
        let stated = std::fs::read_to_string(folder.path().join("proof.toml")).unwrap();
        let (_, least) = stated.split_once("quiet_at_least = \"").unwrap();
        let least: u32 = least.split('"').next().unwrap().parse().unwrap();
        assert!(console.heard(&format!("no fewer than {least} quiet plies are a draw")));
        let (enough, few) = (format!("--quiet={least}"), format!("--quiet={}", least - 1));
        let check = ["--dir", dir, "--check=50"];
        for options in [&proof[..], &check[..]] {
            let message = refused(&[options, &[few.as_str()]].concat());
            assert!(message.contains(&format!("at least {least}")), "{message}");
            for quiet in [enough.as_str(), "--quiet=0"] {
                prove(&[options, &[quiet, "--repetition=2"]].concat()).unwrap();
            }
        }
        let small = ["--board=strip", "--quiet=37"];
        assert!(refused(&small).contains("at least 38"));
        prove(&["--board=strip", "--quiet=38"]).unwrap();
    }

    #[test]
    fn a_proof_that_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().to_str().unwrap();
        let error = prove(&["--dir", dir, "--memory=100M"]).err().unwrap();
        assert_eq!(error.place, "--memory");
    }
}
