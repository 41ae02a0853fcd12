//! The hens' win proved layer by layer, on disk.

use std::path::Path;
use std::time::{Duration, Instant};

use super::{ProveFoxes, broken, integers, not_proved};
use crate::foxes::proof::{Forecast, LayerRecord, Proof, Terms};
use base::{Failure, files};
use foxes::board::Board;
use foxes::rules::Rules;
use foxes::solved::DrawLimits;
use foxes::solved::proof::ground::MAX_EATEN;
use foxes::solved::retrograde::Shape;
use task::{Console, Origin};

pub(super) fn prove(
    options: &ProveFoxes,
    rules: &Rules,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    let usual = || u64::from(most_sacrifices(rules.board).unwrap_or(0).min(1));
    let terms = read_terms(options.sacrifices.unwrap_or_else(usual), rules)?;
    let path = options.folder();
    let mut proof = Proof::open(path, terms).map_err(broken)?;
    proof.draws().check(rules).map_err(not_proved)?;
    announce(&proof, path, options.memory, console)?;
    let started = Instant::now();
    let first = proof.done().len();
    console.stop_when_asked();
    while let Some(record) = proof.solve_next().map_err(broken)? {
        console.note(&progress(record, started.elapsed()));
        // Each layer may need longer quiet play than those before.
        proof.draws().check(rules).map_err(not_proved)?;
        if console.is_interrupted() && proof.done().len() < proof.layers() {
            return Err(interrupted(&proof));
        }
    }
    if first < proof.layers() {
        console.note(&format!("proved in {}", spoken(started.elapsed())));
    }
    report(&proof, console)?;
    let file = path.join(Origin::FILE);
    if first < proof.layers() || !matches!(Origin::read(path), Ok(Some(_))) {
        // Whole or not at all: one that can be read is not written again.
        let origin = Origin::now(&crate::PROGRAM).write();
        let written = files::write_named(&file, origin.as_bytes());
        return written.map_err(|error| Failure::failed(format!("{}: {error}", file.display())));
    }
    Ok(())
}

/// The most hens that a proof on a board may give up; `None` of a board that is too large.
fn most_sacrifices(board: &'static Board) -> Option<u32> {
    let mut all = (0..=MAX_EATEN as u32).rev();
    all.find(|&most| Terms::new(board, most).is_some())
}

fn read_terms(sacrifices: u64, rules: &Rules) -> Result<Terms, Failure> {
    let terms = u32::try_from(sacrifices)
        .ok()
        .and_then(|most| Terms::new(rules.board, most));
    let terms = terms.ok_or_else(|| {
        let board = rules.board;
        let help = match most_sacrifices(board) {
            Some(most) => format!("give a number of hens from 0 to {most}"),
            None => "choose a smaller board".to_owned(),
        };
        let message = format!(
            "{sacrifices} hens lost on board {} are too many",
            board.name
        );
        Failure::input("--sacrifices", message, help)
    })?;
    terms.check_moves(rules).map_err(not_proved)?;
    let least = DrawLimits::of_passes(0);
    least.check(rules).map_err(not_proved)?;
    Ok(terms)
}

/// Reads `8G`, `500M`, `1000000`: bytes, decimal multiples.
pub(super) fn read_size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().find(|(_, c)| c.is_ascii_alphabetic()) {
        Some((index, _)) => text.split_at(index),
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
    size.ok_or_else(|| "expected bytes, or a number with K, M or G: 8G".to_owned())
}

/// The time of one configuration, in nanoseconds of one thread, where hens may still be lost: measured (see the
/// book's page on foxes and hens), a guide for the person who waits.
const DEAR: f64 = 1_000.0;
/// The same where none may be lost.
const CHEAP: f64 = 700.0;

/// Announces the cost of a proof; refuses one that needs more memory than it may use.
fn announce(
    proof: &Proof,
    path: &Path,
    memory: u64,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    if let Some(Shape { hens, height }) = proof.damaged() {
        console.note(&format!(
            "the layer of {hens} hens at height {height} differs from what was written: the \
             proof continues from there"
        ));
    }
    if proof.done().len() == proof.layers() {
        return Ok(());
    }
    let forecast = proof.forecast();
    if forecast.memory > memory {
        let message = format!("the proof takes {} of memory", sized(forecast.memory));
        return Err(Failure::input(
            "--memory",
            message,
            "allow more, or use fewer threads: RAYON_NUM_THREADS=1",
        ));
    }
    console.note(&foretold(proof, &forecast, path));
    Ok(())
}

fn foretold(proof: &Proof, forecast: &Forecast, path: &Path) -> String {
    let threads = proof.threads() as f64;
    let [cheap, dear] = forecast
        .configurations
        .map(|count| count as f64 / threads / 1e9);
    let time = Duration::from_secs_f64(cheap * CHEAP + dear * DEAR);
    format!(
        "{} of {} layers to prove in {}: {} positions, about {} on {threads} threads, {} of disk, \
         {} of memory at most",
        proof.layers() - proof.done().len(),
        proof.layers(),
        path.display(),
        forecast.positions,
        spoken(time),
        sized(forecast.disk),
        sized(forecast.memory),
    )
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

fn progress(record: &LayerRecord, elapsed: Duration) -> String {
    let Shape { hens, height } = record.shape;
    format!(
        "{hens} hens, height {height}: {} of {} positions won, {} passes ({} so far)",
        record.won,
        record.positions,
        record.passes,
        spoken(elapsed)
    )
}

fn interrupted(proof: &Proof) -> Failure {
    Failure::interrupted(format!(
        "interrupted after {} of {} layers",
        proof.done().len(),
        proof.layers()
    ))
    .with_help("run the same command again: it continues with the next layer")
}

fn report(proof: &Proof, console: &mut dyn Console) -> Result<(), Failure> {
    console.columns(&["hens", "height", "positions", "won", "passes", "blake3"]);
    for record in proof.done() {
        let counts = [
            u64::from(record.shape.hens),
            u64::from(record.shape.height),
            record.positions,
            record.won,
            u64::from(record.passes),
        ];
        let mut row = integers(counts).to_vec();
        row.push(record.blake3.as_str().into());
        console.row(&row);
    }
    let verdict = proof.conclude().map_err(broken)?;
    console.note(&verdict.sentence(proof.terms()));
    Ok(())
}
