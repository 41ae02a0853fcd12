//! The contents of a benchmark's folder, for people: sentences and sheets, made of its files alone.

use super::folder::{BenchFolder, MACHINE};
use super::machine::MachineFacts;
use super::rows::{BenchClaimRow, GrowthRow, SpeedRow};
use super::setting::Setting;
use super::speed::Speed;
use super::words::{cautions, headline, sentences, times};
use crate::job::Failure;
use crate::report::{Sheet, sheet_text};
use crate::task::visible;

/// The contents of a benchmark's folder.
pub struct BenchResults {
    /// The name of the benchmark and its question.
    pub heading: String,
    /// Sentences that come first: reasons to trust the others less.
    pub cautions: Vec<String>,
    /// A number, the sentence that it begins, and its certainty.
    pub headline: [String; 3],
    /// The sentences.
    pub sentences: Vec<String>,
    /// The rows of `speed.csv`.
    pub speed: Vec<SpeedRow>,
    /// The ratios, the growth and the claims.
    pub sheets: Vec<Sheet>,
    /// The machine and the way in which it took the time, in a sentence.
    pub taken: String,
}

impl BenchResults {
    /// Reads a folder.
    ///
    /// # Errors
    /// Where a file cannot be read.
    pub fn read(folder: &BenchFolder, setting: &Setting) -> Result<Self, Failure> {
        let speed: Vec<SpeedRow> = folder.rows()?;
        let machine: MachineFacts = folder.json(MACHINE)?;
        let name = |at: usize| setting.contenders[at].name.as_str();
        let asked = setting
            .asked()
            .map(|(first, second)| (name(first), name(second)));
        let sheets = [
            ratio_sheet(&speed),
            growth_sheet(&folder.rows()?),
            claim_sheet(&folder.rows()?),
        ];
        let file = &setting.experiment.file;
        Ok(Self {
            heading: format!("{}: {}", file.name, file.question),
            cautions: [cautions(&speed), of_machine(&machine)].concat(),
            headline: headline(&speed, asked).unwrap_or_default(),
            sentences: sentences(&speed, asked),
            sheets: sheets
                .into_iter()
                .filter(|sheet| !sheet.rows.is_empty())
                .collect(),
            taken: taken(&machine),
            speed,
        })
    }

    /// The text of a place in a document: `answer`, or a ratio such as `ratio(new, before).median`.
    ///
    /// # Errors
    /// A sentence: there is no such place.
    pub fn place_text(&self, place: &str) -> Result<String, String> {
        if place == "answer" {
            return Ok(self.sentences.join(" "));
        }
        let key =
            |row: &SpeedRow| format!("ratio({}, {}).{}", row.first, row.second, row.statistic);
        let row = self.speed.iter().find(|row| key(row) == place);
        let row = row.ok_or_else(|| {
            format!(
                "there is no `{place}` in this benchmark: write `answer`, or `ratio(A, B).median`"
            )
        })?;
        Ok(times(&row.found))
    }

    /// The text for a terminal of this width.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let cautions = self
            .cautions
            .iter()
            .map(|caution| format!("Caution: {caution}.\n"));
        let sentences = self
            .sentences
            .iter()
            .map(|sentence| format!("{sentence}\n"));
        let told: String = cautions.chain(sentences).collect();
        let sheets = self
            .sheets
            .iter()
            .map(|sheet| sheet_text(sheet, width) + "\n");
        let sheets: String = sheets.collect();
        visible(&format!(
            "{}\n\n{told}\n{sheets}{}\n",
            self.heading, self.taken
        ))
    }
}

fn of_machine(machine: &MachineFacts) -> Vec<String> {
    let threads = (machine.threads > 1).then(|| {
        format!(
            "{} threads measured side by side, and may have hindered each other",
            machine.threads
        )
    });
    let parts = machine.sessions.iter();
    let parts = parts.map(|one| format!("{} to {}", one.first, one.end.saturating_sub(1)));
    let parts: Vec<String> = parts.collect();
    let interrupted = (parts.len() > 1).then(|| {
        format!(
            "it was interrupted: instances {} were measured apart",
            parts.join(", ")
        )
    });
    threads.into_iter().chain(interrupted).collect()
}

fn taken(machine: &MachineFacts) -> String {
    let loads = machine
        .sessions
        .iter()
        .filter_map(|session| session.load_before);
    format!(
        "Processor time on {} ({} cores, {}), load up to {:.1}; every contender answered each instance \
         {} times, in ABBA order. To look at the clock takes {:.1} microseconds.",
        machine.model,
        machine.cores,
        machine.platform,
        loads.fold(0.0, f64::max),
        2 * machine.rounds,
        1e6 * machine.grain
    )
}

fn ratio_sheet(rows: &[SpeedRow]) -> Sheet {
    let columns = [
        "first",
        "second",
        "statistic",
        "=ratio",
        "=interval",
        "=n",
        "=censored",
        "verdict",
    ];
    let row = |row: &SpeedRow| {
        let Speed { n, censored, .. } = row.found;
        let [ratio, interval] = figures(&row.found);
        let [first, second, statistic] =
            [&row.first, &row.second, &row.statistic].map(String::clone);
        let (n, censored) = (n.to_string(), censored.to_string());
        [
            first,
            second,
            statistic,
            ratio,
            interval,
            n,
            censored,
            row.verdict.clone(),
        ]
    };
    // Every pair stands in the table both ways round, and is shown once.
    let is_shown = |(at, row): &(usize, &SpeedRow)| {
        let mirror = (&row.second, &row.first, &row.statistic);
        let mut later = rows[at + 1..].iter();
        !later.any(|other| (&other.first, &other.second, &other.statistic) == mirror)
    };
    let shown = rows.iter().enumerate().filter(is_shown);
    Sheet::of("Ratios", columns, shown.map(|(_, one)| row(one)))
}

fn growth_sheet(rows: &[GrowthRow]) -> Sheet {
    let columns = [
        "parameter",
        "contender",
        "statistic",
        "=estimate",
        "=interval",
        "straight",
    ];
    let row = |row: &GrowthRow| {
        let ends = format!("{:.4} to {:.4}", row.ci_lo, row.ci_hi);
        let straight = if row.straight == Some(true) {
            "yes"
        } else {
            "no"
        };
        let names = [&row.parameter, &row.contender, &row.statistic].map(String::clone);
        let [parameter, contender, statistic] = names;
        [
            parameter,
            contender,
            statistic,
            format!("{:.4}", row.estimate),
            ends,
            straight.to_owned(),
        ]
    };
    Sheet::of("Growth", columns, rows.iter().map(row))
}

fn claim_sheet(rows: &[BenchClaimRow]) -> Sheet {
    let columns = ["claim", "holds", "verdict", "=ratio", "=interval"];
    let row = |row: &BenchClaimRow| {
        let [ratio, interval] = figures(&row.found);
        [
            row.text.clone(),
            row.holds.clone(),
            row.verdict.clone(),
            ratio,
            interval,
        ]
    };
    Sheet::of("Claims", columns, rows.iter().map(row))
}

/// A ratio and its interval.
fn figures(found: &Speed) -> [String; 2] {
    let value = found
        .value
        .map_or_else(String::new, |value| format!("{value:.4}"));
    let interval = match (found.lo, found.hi) {
        (Some(lo), Some(hi)) => format!("{lo:.4} to {hi:.4}"),
        (Some(lo), None) => format!("at least {lo:.4}"),
        (None, Some(hi)) => format!("at most {hi:.4}"),
        (None, None) => String::new(),
    };
    [value, interval]
}

/// The rows of two benchmarks about the same pairs, and whether their intervals lie apart. Times of
/// different sessions cannot be compared, ratios can: each has both of its contenders in one session.
///
/// # Errors
/// Where a table cannot be read.
pub fn compared(
    first: &BenchFolder,
    second: &BenchFolder,
) -> Result<Vec<(SpeedRow, SpeedRow, bool)>, Failure> {
    let others: Vec<SpeedRow> = second.rows()?;
    let key = |row: &SpeedRow| (row.first.clone(), row.second.clone(), row.statistic.clone());
    let below = |a: &Speed, b: &Speed| a.hi.zip(b.lo).is_some_and(|(hi, lo)| hi < lo);
    let beside = |one: SpeedRow| {
        let other = others.iter().find(|row| key(row) == key(&one))?.clone();
        let is_apart = below(&one.found, &other.found) || below(&other.found, &one.found);
        Some((one, other, is_apart))
    };
    Ok(first.rows()?.into_iter().filter_map(beside).collect())
}
