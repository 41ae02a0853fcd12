//! The findings of a race, for people: sentences, sheets and pictures of its times.

mod cautions;
mod compared;
mod numbers;
mod overview;
mod page;
mod plots;
mod words;

use std::path::PathBuf;

use base::visible;
use experiment::Experiment;
use indexmap::IndexMap;
use lab::job::StoredRace;
use lab::run::Ended;
use lab::run::RaceCosts;
use lab::store::MachineFacts;
use lab::tables::{BenchClaimRow, GrowthRow, SpeedRow, swept_series};

use crate::cells::Sweep;
use crate::export::{Export, ExportedFigure};
use crate::html::{Citation, cited};
use crate::rows::{plain_ends, text};
use crate::sheet::{Sheet, SheetText};

use cautions::cut_short;
pub use compared::{ComparedSpeeds, compared, compared_sheet, conclusion};
pub use numbers::told as speed_text;
use numbers::{ends_text, times_text, told};
pub(crate) use words::SpeedTable;

/// The findings of a race.
pub struct RaceResults {
    /// The folder that they were read from.
    pub(crate) folder: PathBuf,
    /// The race.
    pub experiment: Experiment,
    /// A sentence on a race that stopped before its end, and how to go on.
    cut_short: Option<String>,
    /// The ratios.
    speed: SpeedTable,
    /// The growth along swept numbers.
    growth: Vec<GrowthRow>,
    /// The claims of ratios.
    pub(crate) claims: Vec<BenchClaimRow>,
    /// The machine that took the time, and how.
    machine: MachineFacts,
    /// The machine's operating system and processor family.
    pub(crate) platform: String,
    /// The race as a citation names it.
    pub(crate) cite: Citation,
    /// The single times.
    costs: RaceCosts,
}

/// The title of a table of ratios and shares.
const TIMES: &str = "Times as fast (median, total); share of instances (faster, decided)";

/// The reason for which a ratio has another interval in a claim.
const JOINT: &str = "hold together (Holm), so they can be wider than that of the same ratio alone";

/// The contenders of a race as cells of a sweep; the first axis, without a name, are tables of their own, where all are.
fn sweep(experiment: &Experiment) -> Sweep {
    let cells = experiment.cells.iter();
    let has_tables = cells.clone().all(|cell| cell.table().is_some());
    let cells = cells.filter(|cell| has_tables || cell.table().is_none());
    let cells = cells.map(|cell| {
        let values = cell.swept.iter().map(|(_, value)| value.to_string());
        let values = cell.table().into_iter().cloned().chain(values);
        (cell.name.clone(), values.collect())
    });
    let own = has_tables.then(String::new);
    let axes = own.into_iter().chain(experiment.axes().keys().cloned());
    Sweep::new(axes.collect(), cells.collect())
}

/// A contender as people read it, but for its values of a swept parameter and of those that change together with it;
/// `None` of what is no cell.
fn without(experiment: &Experiment, sweep: &Sweep, (cell, axis): (&str, &str)) -> Option<String> {
    let swept = &experiment.file.sweep;
    sweep.without(cell, |other| swept.is_together(other, axis))
}

impl RaceResults {
    /// The findings in the folder of a race.
    pub fn of(race: StoredRace) -> Self {
        let (experiment, manifest) = (&race.experiment, race.stored.manifest);
        let exit = &manifest.exit_reason;
        let name = |at: usize| experiment.cells[at].name.clone();
        Self {
            cut_short: cut_short(exit, race.costs.instances(), experiment.stop.max_samples),
            speed: SpeedTable {
                rows: race.speed,
                sweep: sweep(experiment).in_words(&experiment.file.labels),
                asked: (experiment.asked()).map(|(first, second)| [name(first), name(second)]),
                differing: matches!(exit, Ended::Failed(_)),
                baseline: experiment.file.bench.baseline.clone(),
                compared: !experiment.agreed().is_empty(),
                is_capped: experiment.answer_cap().cpu.is_some(),
                tolerant: (experiment.tolerances().iter()).any(|&(_, most)| most > 0.0),
            },
            growth: race.growth,
            claims: race.claims,
            platform: manifest.platform.clone(),
            cite: cited(&manifest, &experiment.file),
            machine: race.machine,
            costs: race.costs,
            folder: race.stored.folder,
            experiment: race.experiment,
        }
    }

    /// Has the sentences tell of two contenders, if both race.
    pub fn ask(&mut self, pair: [&str; 2]) {
        if let [Ok(first), Ok(second)] = pair.map(|name| self.experiment.find_contender(name)) {
            self.speed.asked =
                Some([first, second].map(|at| self.experiment.cells[at].name.clone()));
        }
    }

    /// Every pair of contenders one way round, a later contender beside an earlier one, with all that is known of
    /// a pair in rows that follow one another.
    fn one_way<'a, R>(&self, rows: &'a [R], row: impl Fn(&R) -> &SpeedRow) -> Vec<&'a R> {
        let at = |name: &str| self.experiment.find_contender(name).ok();
        let mut pairs = IndexMap::<_, Vec<&R>>::new();
        for found in rows {
            let pair = words::subject(row(found)).map(at);
            pairs.entry(pair).or_default().push(found);
        }
        pairs.retain(|[own, other], _| own >= other);
        pairs.into_values().flatten().collect()
    }

    /// The contender of a row of growth as people read it.
    fn along(&self, row: &GrowthRow) -> String {
        let sweep = &self.speed.sweep;
        let mut series = swept_series(&self.experiment, &row.parameter);
        let members = series.swap_remove(&row.contender).unwrap_or_default();
        let cell = members
            .first()
            .map(|&(_, at)| &self.experiment.cells[at].name);
        let told = cell.and_then(|cell| without(&self.experiment, sweep, (cell, &row.parameter)));
        told.unwrap_or_else(|| sweep.word(&row.contender).to_owned())
    }

    /// The ratios, the growth and the claims, as far as there are any.
    pub(crate) fn sheets(&self) -> Vec<Sheet> {
        let ratios: [SheetText<'_, &SpeedRow>; 7] = [
            ("contenders", &|row| words::label(row, &self.speed.sweep)),
            ("statistic", &|row| row.statistic.as_ref().to_owned()),
            ("=times as fast", &|row| text(row.speed.value, ratio)),
            ("=interval", &|row| ends_text(&row.speed, 4)),
            ("=n", &|row| row.speed.n.to_string()),
            ("=censored", &|row| row.speed.censored.to_string()),
            ("verdict", &|row| row.verdict.as_ref().to_owned()),
        ];
        let growth: [SheetText<'_, &GrowthRow>; 6] = [
            ("parameter", &|row| {
                self.speed.sweep.word(&row.parameter).to_owned()
            }),
            ("contender", &|row| self.along(row)),
            ("statistic", &|row| row.statistic.as_ref().to_owned()),
            ("=estimate", &|row| ratio(row.estimate)),
            ("=interval", &|row| {
                let ends = row.interval.map(|found| (found.lo, found.hi));
                ends.map_or_else(String::new, |(lo, hi)| plain_ends((Some(lo), Some(hi)), 4))
            }),
            ("straight", &|row| {
                let is_straight = row.straight == Some(true);
                if is_straight { "yes" } else { "no" }.to_owned()
            }),
        ];
        let less = (self.speed).without_baseline(|name| self.speed.sweep.label(name));
        let title = TIMES.to_owned() + &less;
        let mut sheets = vec![
            overview::standings(&self.experiment, &self.costs, &self.speed),
            Sheet::of(&title, self.one_way(&self.speed.rows, |row| row), &ratios),
        ];
        sheets.extend(overview::matrices(&self.experiment, &self.speed));
        sheets.push(Sheet::of("Growth", &self.growth, &growth));
        sheets.push(self.claims_sheet());
        sheets.retain(Sheet::is_filled);
        sheets
    }

    /// The claims with the ratios that they were decided by.
    fn claims_sheet(&self) -> Sheet {
        let claims: [SheetText<'_, &BenchClaimRow>; 5] = [
            ("claim", &|row| row.text.clone()),
            ("holds", &|row| row.holds.clone()),
            ("verdict", &|row| row.verdict.as_ref().to_owned()),
            ("=ratio", &|row| text(row.speed.value, ratio)),
            ("=interval", &|row| ends_text(&row.speed, 4)),
        ];
        let mut sheet = Sheet::of("Claims", &self.claims, &claims);
        if self.claims.len() > 1 {
            sheet.note = format!("The intervals of claims {JOINT}.");
        }
        sheet
    }

    /// The machine and the way in which it took the time, in a sentence.
    fn taken(&self) -> String {
        let machine = &self.machine;
        let sessions = machine.sessions.iter();
        let loads = sessions.filter_map(|session| session.load_before);
        let row = match machine.repeats {
            0 | 1 => String::new(),
            repeats => format!(", {repeats} answers in a row"),
        };
        let timed = format!("timed twice an instance{row}, in ABBA order");
        let answered = match self.costs.last_start() {
            0 => "no instance has been answered by all".to_owned(),
            1 => format!("every contender was started once and {timed}"),
            starts => format!("every contender was started {starts} times and {timed}"),
        };
        let cap = self.experiment.answer_cap().memory;
        let cap = cap.zip(machine.memory_by.as_ref());
        let memory = cap.map_or_else(String::new, |(most, means)| {
            format!(" Programs may have {most} of memory, by {means}.")
        });
        format!(
            "Times are of the processor; a program's include those of the processes that it waited for.{memory} The \
             machine: {} ({} cores, {}), load up to {:.1}; {answered}. Reading the clock takes {:.1} microseconds.",
            machine.model,
            machine.cores,
            self.platform,
            loads.fold(0.0, f64::max),
            1e6 * machine.grain
        )
    }

    /// The benchmark for papers, documents and dashboards.
    pub(crate) fn to_export(&self) -> Export {
        let file = &self.experiment.file;
        let figure = |row: &SpeedRow| ExportedFigure {
            metric: match row.second.as_str() {
                "" => format!("{}.{}", row.first, row.statistic.as_ref()),
                second => format!("ratio({}, {second}).{}", row.first, row.statistic.as_ref()),
            },
            value: row.speed.value,
            n: row.speed.n,
            n_unresolved: row.speed.censored,
            text: if row.statistic.is_ratio() {
                times_text(&row.speed)
            } else {
                told(&row.speed)
            },
            ..ExportedFigure::default()
        };
        let figures = self.speed.rows.iter();
        let figures = figures.map(|row| figure(row).with(row.speed.interval));
        Export {
            experiment: file.name.clone(),
            question: file.question.clone(),
            answer: self.speed.sentences().join(" "),
            cautions: self.cautions(),
            figures: figures.collect(),
            tables: self.sheets(),
        }
    }

    /// The text for a terminal of this width.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let file = &self.experiment.file;
        let mut text = format!("{}: {}\n\n", file.name, file.question);
        for sentence in self.speed.sentences() {
            text += &format!("{sentence}\n");
        }
        for caution in self.cautions() {
            text += &format!("Caution: {caution}.\n");
        }
        text.push('\n');
        for sheet in self.sheets() {
            text += &(sheet.to_text(width) + "\n");
        }
        visible(&format!("{text}{}\n", self.taken()))
    }
}

fn ratio(value: f64) -> String {
    format!("{value:.4}")
}
