//! The contents of a benchmark's folder, for people: sentences and sheets, made of its files alone.

use super::folder::{BenchFolder, MACHINE};
use super::machine::MachineFacts;
use super::rows::{BenchClaimRow, GrowthRow, SpeedRow};
use super::setting::Setting;
use super::speed::Speed;
use super::words::SpeedTable;
use crate::job::Failure;
use crate::report::{Sheet, SheetText, Sweep};
use crate::task::visible;

/// The contents of a benchmark's folder.
pub struct BenchResults {
    /// The benchmark.
    pub setting: Setting,
    /// The ratios.
    pub speed: SpeedTable,
    /// The growth along swept numbers.
    pub growth: Vec<GrowthRow>,
    /// The claims of ratios.
    pub claims: Vec<BenchClaimRow>,
    /// The machine that took the time, and how.
    pub machine: MachineFacts,
}

impl BenchResults {
    /// Reads a folder of this setting.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn read(folder: &BenchFolder, setting: Setting) -> Result<Self, Failure> {
        let name = |at: usize| setting.contenders[at].name.clone();
        let asked = setting.asked();
        Ok(Self {
            speed: SpeedTable {
                rows: folder.rows()?,
                sweep: setting.sweep(),
                asked: asked.map(|(first, second)| [name(first), name(second)]),
            },
            growth: folder.rows()?,
            claims: folder.rows()?,
            machine: folder.json(MACHINE)?,
            setting,
        })
    }

    /// Sentences that come first: reasons to trust the others less.
    pub fn cautions(&self) -> Vec<String> {
        let (mut cautions, machine) = (self.speed.cautions(), &self.machine);
        if machine.threads > 1 {
            cautions.push(format!(
                "{} threads measured side by side, and may have hindered each other",
                machine.threads
            ));
        }
        if machine.sessions.len() > 1 {
            let parts = machine.sessions.iter();
            let parts = parts.map(|one| format!("{} to {}", one.first, one.end.saturating_sub(1)));
            let parts = parts.collect::<Vec<_>>().join(", ");
            cautions.push(format!(
                "it was interrupted: instances {parts} were measured apart"
            ));
        }
        cautions
    }

    /// The ratios, the growth and the claims, as far as there are any.
    pub fn sheets(&self) -> Vec<Sheet> {
        let ratios: [SheetText<'_, &SpeedRow>; 7] = [
            ("contenders", &|row| row.label(&self.speed.sweep)),
            ("statistic", &|row| row.statistic.clone()),
            ("=ratio", &|row| ratio(&row.speed)),
            ("=interval", &|row| row.speed.ends_text(4)),
            ("=n", &|row| row.speed.n.to_string()),
            ("=censored", &|row| row.speed.censored.to_string()),
            ("verdict", &|row| row.verdict.clone()),
        ];
        let growth: [SheetText<'_, &GrowthRow>; 6] = [
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
        let claims: [SheetText<'_, &BenchClaimRow>; 5] = [
            ("claim", &|row| row.text.clone()),
            ("holds", &|row| row.holds.clone()),
            ("verdict", &|row| row.verdict.clone()),
            ("=ratio", &|row| ratio(&row.speed)),
            ("=interval", &|row| row.speed.ends_text(4)),
        ];
        let sheets = [
            Sheet::of("Ratios", one_way(&self.speed.rows, |row| row), &ratios),
            Sheet::of("Growth", &self.growth, &growth),
            Sheet::of("Claims", &self.claims, &claims),
        ];
        let is_filled = |sheet: &Sheet| !sheet.rows.is_empty();
        sheets.into_iter().filter(is_filled).collect()
    }

    /// The machine and the way in which it took the time, in a sentence.
    pub fn taken(&self) -> String {
        let machine = &self.machine;
        let sessions = machine.sessions.iter();
        let loads = sessions.filter_map(|session| session.load_before);
        format!(
            "Processor time on {} ({} cores, {}), load up to {:.1}; every contender answered each \
             instance {} times, in ABBA order. Reading the clock takes {:.1} microseconds.",
            machine.model,
            machine.cores,
            machine.platform,
            loads.fold(0.0, f64::max),
            2 * machine.rounds,
            1e6 * machine.grain
        )
    }

    /// The text of a place in a document: `answer`, or a ratio such as `ratio(new, before).median`.
    ///
    /// # Errors
    /// There is no such place.
    pub fn place_text(&self, place: &str) -> Result<String, Failure> {
        if place == "answer" {
            return Ok(self.speed.sentences().join(" "));
        }
        let key =
            |row: &SpeedRow| format!("ratio({}, {}).{}", row.first, row.second, row.statistic);
        let row = self.speed.rows.iter().find(|row| key(row) == place);
        let row = row.ok_or_else(|| {
            Failure::usage(format!(
                "there is no `{place}` in this benchmark: write `answer`, or `ratio(A, B).median`"
            ))
        })?;
        Ok(row.speed.times())
    }

    /// The text for a terminal of this width.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let file = &self.setting.experiment.file;
        let mut text = format!("{}: {}\n\n", file.name, file.question);
        for caution in self.cautions() {
            text += &format!("Caution: {caution}.\n");
        }
        for sentence in self.speed.sentences() {
            text += &format!("{sentence}\n");
        }
        text.push('\n');
        for sheet in self.sheets() {
            text += &(sheet.to_text(width) + "\n");
        }
        visible(&format!("{text}{}\n", self.taken()))
    }
}

/// Every pair of contenders one way round.
fn one_way<R>(rows: &[R], row: impl Fn(&R) -> &SpeedRow) -> impl Iterator<Item = &R> {
    let is_last = move |at: usize| {
        !rows[at + 1..]
            .iter()
            .any(|other| row(&rows[at]).is_turned(row(other)))
    };
    (0..rows.len())
        .filter(move |&at| is_last(at))
        .map(|at| &rows[at])
}

fn ratio(speed: &Speed) -> String {
    let text = speed.value.map(|value| format!("{value:.4}"));
    text.unwrap_or_default()
}

/// The rows of two benchmarks about the same pairs. Times of different sessions cannot be compared,
/// ratios can: each has both of its contenders in one session.
pub type ComparedSpeeds = [SpeedRow; 2];

/// Returns what is found about the ratios of two benchmarks: whether their intervals lie apart.
pub fn conclusion([first, second]: &ComparedSpeeds) -> &'static str {
    let below =
        |a: &SpeedRow, b: &SpeedRow| a.speed.hi.zip(b.speed.lo).is_some_and(|(hi, lo)| hi < lo);
    if below(first, second) || below(second, first) {
        "the intervals lie apart"
    } else {
        "no difference found"
    }
}

/// The ratios of two benchmarks side by side, each pair one way round.
pub fn compared_sheet(rows: &[ComparedSpeeds], sweep: &Sweep) -> Sheet {
    let columns: [SheetText<'_, &ComparedSpeeds>; 5] = [
        ("contenders", &|[row, _]| row.label(sweep)),
        ("statistic", &|[row, _]| row.statistic.clone()),
        ("=A", &|[row, _]| row.speed.to_string()),
        ("=B", &|[_, row]| row.speed.to_string()),
        ("result", &|rows| conclusion(rows).to_owned()),
    ];
    Sheet::of("Ratios", one_way(rows, |[row, _]| row), &columns)
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
