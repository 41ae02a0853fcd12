//! The contents of a benchmark's folder, for people: sentences and sheets, made of its files alone.

use super::folder::{BenchFolder, MACHINE};
use super::machine::MachineFacts;
use super::rows::{BenchClaimRow, GrowthRow, SpeedRow};
use super::setting::Setting;
use super::speed::Speed;
use super::words::{cautions, headline, sentences, times};
use crate::job::Failure;
use crate::report::{Sheet, SheetText, Sweep};
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
    /// If a file cannot be read.
    pub fn read(folder: &BenchFolder, setting: &Setting) -> Result<Self, Failure> {
        let speed: Vec<SpeedRow> = folder.rows()?;
        let machine: MachineFacts = folder.json(MACHINE)?;
        let name = |at: usize| setting.contenders[at].name.as_str();
        let (asked, sweep) = (setting.asked(), setting.sweep());
        let asked = asked.map(|(first, second)| (name(first), name(second)));
        let sheets = [
            ratio_sheet(&speed, &sweep),
            growth_sheet(&folder.rows()?),
            claim_sheet(&folder.rows()?),
        ];
        let is_filled = |sheet: &Sheet| !sheet.rows.is_empty();
        let file = &setting.experiment.file;
        Ok(Self {
            heading: format!("{}: {}", file.name, file.question),
            cautions: cautions(&speed, &sweep)
                .chain(of_machine(&machine))
                .collect(),
            headline: headline(&speed, &sweep, asked).unwrap_or_default(),
            sentences: sentences(&speed, &sweep, asked),
            sheets: sheets.into_iter().filter(is_filled).collect(),
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
        Ok(times(&row.speed))
    }

    /// The text for a terminal of this width.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let mut text = format!("{}\n\n", self.heading);
        for caution in &self.cautions {
            text += &format!("Caution: {caution}.\n");
        }
        for sentence in &self.sentences {
            text += &format!("{sentence}\n");
        }
        text.push('\n');
        for sheet in &self.sheets {
            text += &(sheet.to_text(width) + "\n");
        }
        visible(&format!("{text}{}\n", self.taken))
    }
}

/// Reasons that lie in how the time was taken.
fn of_machine(machine: &MachineFacts) -> impl Iterator<Item = String> {
    let threads = machine.threads;
    let beside =
        format!("{threads} threads measured side by side, and may have hindered each other");
    let parts = machine.sessions.iter();
    let parts = parts.map(|one| format!("{} to {}", one.first, one.end.saturating_sub(1)));
    let parts: Vec<String> = parts.collect();
    let apart = format!(
        "it was interrupted: instances {} were measured apart",
        parts.join(", ")
    );
    let told = [(threads > 1, beside), (parts.len() > 1, apart)];
    told.into_iter()
        .filter_map(|(is_so, text)| is_so.then_some(text))
}

fn taken(machine: &MachineFacts) -> String {
    let sessions = machine.sessions.iter();
    let loads = sessions.filter_map(|session| session.load_before);
    format!(
        "Processor time on {} ({} cores, {}), load up to {:.1}; every contender answered each instance \
         {} times, in ABBA order. Reading the clock takes {:.1} microseconds.",
        machine.model,
        machine.cores,
        machine.platform,
        loads.fold(0.0, f64::max),
        2 * machine.rounds,
        1e6 * machine.grain
    )
}

fn ratio_sheet(rows: &[SpeedRow], sweep: &Sweep) -> Sheet {
    let shown = rows.iter().enumerate();
    let shown = shown.filter(|(at, row)| !rows[at + 1..].iter().any(|other| row.is_turned(other)));
    let columns: [SheetText<'_, &SpeedRow>; 7] = [
        ("contenders", &|row| row.label(sweep)),
        ("statistic", &|row| row.statistic.clone()),
        ("=ratio", &|row| ratio(&row.speed)),
        ("=interval", &|row| interval(&row.speed)),
        ("=n", &|row| row.speed.n.to_string()),
        ("=censored", &|row| row.speed.censored.to_string()),
        ("verdict", &|row| row.verdict.clone()),
    ];
    Sheet::of("Ratios", shown.map(|(_, row)| row), &columns)
}

fn growth_sheet(rows: &[GrowthRow]) -> Sheet {
    let columns: [SheetText<'_, &GrowthRow>; 6] = [
        ("parameter", &|row| row.parameter.clone()),
        ("contender", &|row| row.contender.clone()),
        ("statistic", &|row| row.statistic.clone()),
        ("=estimate", &|row| format!("{:.4}", row.estimate)),
        ("=interval", &|row| {
            format!("{:.4} to {:.4}", row.ci_lo, row.ci_hi)
        }),
        ("straight", &|row| match row.straight {
            Some(true) => "yes".to_owned(),
            _ => "no".to_owned(),
        }),
    ];
    Sheet::of("Growth", rows, &columns)
}

fn claim_sheet(rows: &[BenchClaimRow]) -> Sheet {
    let columns: [SheetText<'_, &BenchClaimRow>; 5] = [
        ("claim", &|row| row.text.clone()),
        ("holds", &|row| row.holds.clone()),
        ("verdict", &|row| row.verdict.clone()),
        ("=ratio", &|row| ratio(&row.speed)),
        ("=interval", &|row| interval(&row.speed)),
    ];
    Sheet::of("Claims", rows, &columns)
}

fn ratio(speed: &Speed) -> String {
    let text = speed.value.map(|value| format!("{value:.4}"));
    text.unwrap_or_default()
}

fn interval(speed: &Speed) -> String {
    match (speed.lo, speed.hi) {
        (Some(lo), Some(hi)) => format!("{lo:.4} to {hi:.4}"),
        (Some(lo), None) => format!("at least {lo:.4}"),
        (None, Some(hi)) => format!("at most {hi:.4}"),
        (None, None) => String::new(),
    }
}

/// The rows of two benchmarks about the same pairs. Times of different sessions cannot be compared,
/// ratios can: each has both of its contenders in one session.
pub type ComparedSpeeds = [SpeedRow; 2];

/// Returns what is found about the ratios of two benchmarks: whether their intervals lie apart.
pub fn conclusion([first, second]: &ComparedSpeeds) -> &'static str {
    let below = |a: &Speed, b: &Speed| a.hi.zip(b.lo).is_some_and(|(hi, lo)| hi < lo);
    let (one, other) = (&first.speed, &second.speed);
    if below(one, other) || below(other, one) {
        "the intervals lie apart"
    } else {
        "no difference found"
    }
}

/// The ratios of two benchmarks side by side, each pair one way round.
pub fn compared_sheet(rows: &[ComparedSpeeds], sweep: &Sweep) -> Sheet {
    let is_turned = |at: usize| {
        rows[at + 1..]
            .iter()
            .any(|[other, _]| rows[at][0].is_turned(other))
    };
    let shown = (0..rows.len()).filter(|&at| !is_turned(at));
    let columns: [SheetText<'_, &ComparedSpeeds>; 5] = [
        ("contenders", &|[row, _]| row.label(sweep)),
        ("statistic", &|[row, _]| row.statistic.clone()),
        ("=A", &|[row, _]| row.speed.to_string()),
        ("=B", &|[_, row]| row.speed.to_string()),
        ("result", &|rows| conclusion(rows).to_owned()),
    ];
    Sheet::of("Ratios", shown.map(|at| &rows[at]), &columns)
}

/// Reads the rows of two benchmarks that are about the same pairs.
///
/// # Errors
/// If a table cannot be read.
pub fn compared(first: &BenchFolder, second: &BenchFolder) -> Result<Vec<ComparedSpeeds>, Failure> {
    let others: Vec<SpeedRow> = second.rows()?;
    let key = |row: &SpeedRow| (row.first.clone(), row.second.clone(), row.statistic.clone());
    let beside = |one: SpeedRow| {
        let other = others.iter().find(|row| key(row) == key(&one))?.clone();
        Some([one, other])
    };
    Ok(first.rows()?.into_iter().filter_map(beside).collect())
}
