//! `prove foxes`: solve a small board completely in memory, or prove the hens' win on the full
//! board layer by layer on disk.

use std::path::Path;
use std::time::{Duration, Instant};

use super::super::board::CROSS;
use super::super::notation::write_position;
use super::super::proof::{
    DEFAULT_FOLDER, Finding, FolderError, MAX_EATEN, Proof, Record, Tables, Terms, Verdict, check,
};
use super::super::retrograde::{Census, Shape, Tablebase, Worth};
use super::super::rules::{Capture, Rules, Stuck};
use super::{BOARD, CAPTURE, STUCK, read_rules};
use crate::task::{Arguments, Cell, Console, OptionKind, Verb, VerbError, VerbOption};

pub(super) const PROVE: Verb = Verb {
    name: "prove",
    summary: "prove that the hens win the full board, or solve every position of a small one",
    examples: &[
        (
            "etude prove foxes --sacrifices 1 --dir proof",
            "can the hens force a win while losing one hen at most? 16 GB of disk",
        ),
        (
            "etude prove foxes --board small-cross",
            "every position of a cross with arms of length 1; endless play is a draw",
        ),
    ],
    options: &[
        VerbOption {
            name: "sacrifices",
            value: "S",
            summary: "most hens the hens may lose, 0 to 3 (default: 1)",
            kind: OptionKind::Integer,
        },
        VerbOption {
            name: "dir",
            value: "DIR",
            summary: "the folder of the proof's tables; one begun there goes on (default: foxes-proof)",
            kind: OptionKind::Text,
        },
        VerbOption {
            name: "memory",
            value: "SIZE",
            summary: "the most memory it may take, such as 8G (default) or 500M",
            kind: OptionKind::Text,
        },
        VerbOption {
            name: "check",
            value: "N",
            summary: "judge N random positions of a finished proof by the baseline rules engine",
            kind: OptionKind::Integer,
        },
        VerbOption {
            name: "seed",
            value: "N",
            summary: "which random positions --check judges (default: 1)",
            kind: OptionKind::Integer,
        },
        BOARD,
        CAPTURE,
        STUCK,
    ],
    run,
};

fn run(arguments: &Arguments, console: &mut dyn Console) -> Result<(), VerbError> {
    let rules = read_rules(arguments)?;
    if let Some(count) = arguments.integer("check") {
        return examine(arguments, count, console);
    }
    let asks_for_proof =
        arguments.integer("sacrifices").is_some() || arguments.text("dir").is_some();
    if *rules.board == CROSS || asks_for_proof {
        prove(arguments, &rules, console)
    } else {
        solve(&rules, console)
    }
}

// The hens' win, on disk.

fn prove(arguments: &Arguments, rules: &Rules, console: &mut dyn Console) -> Result<(), VerbError> {
    let terms = read_terms(arguments, rules)?;
    let memory = read_size(arguments.text("memory").unwrap_or("8G"))?;
    let path = folder(arguments);
    let mut proof = Proof::open(path, terms).map_err(broken)?;
    announce(&proof, path, memory, console)?;
    let started = Instant::now();
    let first = proof.done().len();
    while let Some(record) = proof.solve_next().map_err(broken)? {
        console.note(&progress(record, started.elapsed()));
        if console.is_interrupted() && proof.done().len() < proof.layers() {
            return Err(interrupted(&proof));
        }
    }
    if first < proof.layers() {
        console.note(&format!("proved in {}", spoken(started.elapsed())));
    }
    report(&proof, console)
}

fn folder(arguments: &Arguments) -> &Path {
    Path::new(arguments.text("dir").unwrap_or(DEFAULT_FOLDER))
}

fn read_terms(arguments: &Arguments, rules: &Rules) -> Result<Terms, VerbError> {
    let only = |place, rule| {
        let message = format!("the proof is for the rule `{rule}`");
        let help = "leave the option out; small boards are solved under every rule without --sacrifices and --dir";
        VerbError::usage(place, message, help)
    };
    if rules.capture != Capture::Longest {
        return Err(only("--capture", Capture::Longest.name()));
    }
    if rules.stuck != Stuck::FoxesWin {
        return Err(only("--stuck", Stuck::FoxesWin.name()));
    }
    let sacrifices = arguments.integer("sacrifices").unwrap_or(1);
    let terms = u32::try_from(sacrifices)
        .ok()
        .and_then(|most| Terms::new(rules.board, most));
    terms.ok_or_else(|| {
        let board = rules.board;
        let most = (0..=MAX_EATEN as u32)
            .rev()
            .find(|&most| Terms::new(board, most).is_some());
        let help = match most {
            Some(most) => format!("give a number of hens from 0 to {most}"),
            None => "choose a smaller board".to_owned(),
        };
        let message = format!(
            "{sacrifices} hens lost on board {} are too many",
            board.name
        );
        VerbError::usage("--sacrifices", message, help)
    })
}

/// Reads `8G`, `500M`, `1000000`: bytes, decimal multiples.
fn read_size(text: &str) -> Result<u64, VerbError> {
    let (number, unit) = match text.char_indices().find(|(_, c)| c.is_ascii_alphabetic()) {
        Some((place, _)) => text.split_at(place),
        None => (text, ""),
    };
    let factor = match unit.to_ascii_uppercase().trim_end_matches('B') {
        "" => Some(1),
        "K" => Some(1_000),
        "M" => Some(1_000_000),
        "G" => Some(1_000_000_000),
        _ => None,
    };
    let number = number.trim().parse::<u64>().ok();
    let size = number
        .zip(factor)
        .and_then(|(number, factor)| number.checked_mul(factor));
    size.ok_or_else(|| {
        let message = format!("`{text}` is not a size");
        VerbError::usage(
            "--memory",
            message,
            "give bytes, or a number with K, M or G: 8G",
        )
    })
}

/// What a configuration takes, in nanoseconds of one thread, where hens may still be lost and where
/// not: measured (see METHODOLOGY.md), a guide for the person who waits.
const COST: (f64, f64) = (1_000.0, 700.0);

fn announce(
    proof: &Proof,
    path: &Path,
    memory: u64,
    console: &mut dyn Console,
) -> Result<(), VerbError> {
    if let Some(Shape { hens, height }) = proof.damaged() {
        console.note(&format!(
            "the layer of {hens} hens at height {height} is not as it was written: the proof goes on from there"
        ));
    }
    if proof.done().len() == proof.layers() {
        return Ok(());
    }
    let forecast = proof.forecast();
    if forecast.memory > memory {
        let message = format!("the proof takes {} of memory", sized(forecast.memory));
        return Err(VerbError::usage(
            "--memory",
            message,
            "allow more, or use fewer threads: RAYON_NUM_THREADS=1",
        ));
    }
    let threads = rayon::current_num_threads() as f64;
    let [cheap, dear] = forecast
        .configurations
        .map(|count| count as f64 / threads / 1e9);
    let time = Duration::from_secs_f64(cheap * COST.1 + dear * COST.0);
    console.note(&format!(
        "{} of {} layers to prove in {}: {} positions, about {} on {threads} threads, {} of disk, {} of memory at most",
        proof.layers() - proof.done().len(),
        proof.layers(),
        path.display(),
        forecast.positions,
        spoken(time),
        sized(forecast.disk),
        sized(forecast.memory),
    ));
    Ok(())
}

fn sized(bytes: u64) -> String {
    match bytes {
        0..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

fn spoken(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{seconds} s"),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

fn progress(record: &Record, elapsed: Duration) -> String {
    let Shape { hens, height } = record.shape;
    format!(
        "{hens} hens, height {height}: {} of {} positions won, {} passes ({} so far)",
        record.won,
        record.positions,
        record.passes,
        spoken(elapsed)
    )
}

fn interrupted(proof: &Proof) -> VerbError {
    VerbError::interrupted(
        format!(
            "interrupted after {} of {} layers",
            proof.done().len(),
            proof.layers()
        ),
        "run the same command again: it goes on with the next layer",
    )
}

fn broken(error: FolderError) -> VerbError {
    VerbError::failed(error.to_string(), error.help())
}

fn report(proof: &Proof, console: &mut dyn Console) -> Result<(), VerbError> {
    console.columns(&["hens", "height", "positions", "won", "passes", "blake3"]);
    for record in proof.done() {
        let counts = [
            u64::from(record.shape.hens),
            u64::from(record.shape.height),
            record.positions,
            record.won,
            u64::from(record.passes),
        ];
        let mut row = counts
            .map(|count| Cell::Integer(i128::from(count)))
            .to_vec();
        row.push(Cell::Text(record.blake3.clone()));
        console.row(&row);
    }
    console.note(&judged(proof, proof.conclude().map_err(broken)?));
    Ok(())
}

fn judged(proof: &Proof, verdict: Verdict) -> String {
    let (board, most) = (proof.terms().board().name, proof.terms().sacrifices());
    match verdict.moves {
        Some(moves) => format!(
            "{board}: the hens win the start position, losing {} at most, in at most {moves} moves of theirs",
            spoken_hens(most)
        ),
        None => format!(
            "{board}: losing {} at most the hens cannot force a win; nothing is said of losing more",
            spoken_hens(most)
        ),
    }
}

fn spoken_hens(count: u32) -> String {
    match count {
        0 => "no hen".to_owned(),
        1 => "one hen".to_owned(),
        count => format!("{count} hens"),
    }
}

// A second opinion.

/// Positions judged between two looks at whether to go on.
const ROUND: u64 = 100_000;

fn examine(arguments: &Arguments, count: u64, console: &mut dyn Console) -> Result<(), VerbError> {
    let tables = Tables::open(folder(arguments)).map_err(broken)?;
    let seed = arguments.integer("seed").unwrap_or(1);
    let mut finding = Finding::default();
    while finding.positions < count {
        let round = finding.positions..count.min(finding.positions + ROUND);
        finding.add(check(&tables, seed, round).map_err(broken)?);
        if console.is_interrupted() {
            console.note("interrupted: the rest is not judged");
            break;
        }
    }
    console.columns(&["seed", "positions", "won", "wrong"]);
    let counts = [
        seed,
        finding.positions,
        finding.won,
        finding.wrong.len() as u64,
    ];
    console.row(&counts.map(|count| Cell::Integer(i128::from(count))));
    match finding.wrong.first() {
        None => Ok(()),
        Some(position) => Err(VerbError::failed(
            format!(
                "the tables are wrong about {}",
                write_position(position, tables.terms().board())
            ),
            "prove the layers again in a new folder, and report this",
        )),
    }
}

// A small board, in memory.

const COLUMNS: [&str; 8] = [
    "hens",
    "height",
    "configurations",
    "positions",
    "hens_win",
    "draws",
    "foxes_win",
    "longest",
];

fn solve(rules: &Rules, console: &mut dyn Console) -> Result<(), VerbError> {
    let mut tablebase = Tablebase::new(*rules);
    console.columns(&COLUMNS);
    for shape in tablebase.plan() {
        let census = tablebase.solve(shape);
        console.row(&row(shape, tablebase.configurations(shape), &census));
        if console.is_interrupted() {
            return Err(VerbError::failed(
                "interrupted before the last layer",
                "nothing is kept: start again",
            ));
        }
    }
    console.note(&verdict(rules, tablebase.worth(&rules.start())));
    Ok(())
}

fn row(shape: Shape, configurations: u64, census: &Census) -> [Cell; 8] {
    [
        u64::from(shape.hens),
        u64::from(shape.height),
        configurations,
        census.positions,
        census.hens_win,
        census.draws,
        census.foxes_win,
        u64::from(census.longest),
    ]
    .map(|count| Cell::Integer(i128::from(count)))
}

fn verdict(rules: &Rules, start: Worth) -> String {
    let name = rules.board.name;
    match start {
        Worth::Draw => format!("{name}: the start position is a draw"),
        Worth::Won { winner, plies } => {
            let winner = winner.name();
            format!("{name}: the {winner} win the start position in {plies} plies")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Script;

    #[test]
    fn a_small_board_lists_every_layer_and_judges_the_start() {
        let mut console = Script::default();
        let arguments = Arguments::new().with_text("board", "strip");
        run(&arguments, &mut console).unwrap();
        assert_eq!(console.columns, COLUMNS);
        let total = |column: usize| -> i128 {
            let cells = console.rows.iter().map(|row| &row[column]);
            cells
                .map(|cell| match cell {
                    Cell::Integer(count) => *count,
                    other => panic!("{other:?} is not a count"),
                })
                .sum()
        };
        assert_eq!(total(2), 220 + 495 + 792, "sets of 3, 4 and 5 hens");
        assert_eq!(total(3), total(4) + total(5) + total(6));
        assert!(console.heard("strip: the"));
    }

    #[test]
    fn a_proof_foretells_its_size_and_judges_the_start() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = Arguments::new()
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
        assert_eq!([&row[1], &row[3]], [&Cell::Integer(500), &Cell::Integer(0)]);
    }

    #[test]
    fn wrong_terms_are_named() {
        let proof = || Arguments::new().with_text("dir", "/nonexistent/proof");
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
        assert_eq!(read_size("8G").unwrap(), 8_000_000_000);
        assert_eq!(read_size("500 MB").unwrap(), 500_000_000);
    }

    #[test]
    fn a_proof_that_does_not_fit_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let arguments = Arguments::new()
            .with_text("dir", folder.path().to_str().unwrap())
            .with_text("memory", "100M");
        let error = run(&arguments, &mut Script::default()).unwrap_err();
        assert_eq!(error.place, "--memory");
    }
}
