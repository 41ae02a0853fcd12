//! The work of every instance: `cumulative.csv`, `ratios.csv` and `points.csv`, from kept samples.
//!
//! Totals such as nodes span powers of ten, and their mean says little about a usual instance.
//! These tables hold what solvers are compared by: the share of instances solved within so much
//! work, the geometric mean of the ratio on the same instances, and the first instances one by one.
//! The mean of ratios is geometric: Fleming and Wallace 1986, <https://doi.org/10.1145/5666.5673>.

mod tables;

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use csv::{ByteRecord, ReaderBuilder};

use crate::files::{self, LONGEST_LINE, Lines};
use crate::run::{CellPair, CompiledExperiment, Tally, estimate};
use crate::stats::{Bounded, Confidence, Estimate, Interval, Moments};
use crate::task::{Metric, MetricKind};

use super::samples::SampleTable;

pub use tables::{CumulativeRow, PointRow, RatioRow, WORK_TABLES};

/// Instances that `points.csv` holds one by one, and what it holds at most in all cells together.
const INSTANCES: usize = 200;
const POINTS: usize = 400;

/// Logarithms to base 2 are summed in units of one part in this, so sums are exact in any order.
const PARTS: u64 = 1 << 30;

/// Bytes of rows that are counted together.
const READ_AT_ONCE: usize = 1 << 16;

/// The work of a run's samples, by cell and total, and by compared pair and total.
#[derive(Clone, Debug)]
pub struct Work {
    totals: Vec<Total>,
    /// The columns that bound each value; they differ where the sample is unresolved.
    ends: Vec<(usize, usize)>,
    pairs: Vec<CellPair>,
    /// The work by cell and total.
    spreads: Vec<Vec<SolvedWithin>>,
    /// The ratios by pair and total.
    ratios: Vec<Vec<Ratio>>,
    /// The first samples with their indices, all cells of each.
    points: Vec<(u64, Vec<Vec<Effort>>)>,
    /// The cells of the sample under way.
    cells: Vec<Vec<Effort>>,
}

/// A metric of kind total: its place among the metrics, and the column of its value.
#[derive(Clone, Copy, Debug)]
struct Total {
    metric: usize,
    column: usize,
}

/// The work of an instance, if it is defined, and whether the instance was solved.
#[derive(Clone, Copy, Debug)]
struct Effort {
    value: Option<u64>,
    solved: bool,
}

impl Effort {
    /// Returns the work of the instance, if it was solved and took any.
    fn counted(self) -> Option<u64> {
        self.value.filter(|&value| self.solved && value > 0)
    }
}

impl Work {
    /// Returns the work of no samples yet.
    pub fn of(compiled: &CompiledExperiment, table: &SampleTable) -> Self {
        let metrics = compiled.metrics();
        let columns = table.columns(&table.no_singles());
        let position = |name: String| columns.iter().position(|column| column.name == name);
        let total = |(metric, one): (usize, &Metric)| {
            let is_total = one.kind == MetricKind::Total && one.denominator == 1;
            let column = position(format!("{}_lo", one.name)).filter(|_| is_total)?;
            Some(Total { metric, column })
        };
        let ends = |one: &Metric| position(format!("{}_lo", one.name)).map(|lo| (lo, lo + 1));
        let totals: Vec<Total> = metrics.iter().enumerate().filter_map(total).collect();
        Self {
            ends: metrics.iter().filter_map(ends).collect(),
            pairs: compiled.pairs().to_vec(),
            spreads: vec![vec![SolvedWithin::default(); totals.len()]; compiled.cells()],
            ratios: vec![vec![Ratio::default(); totals.len()]; compiled.pairs().len()],
            points: Vec::new(),
            cells: Vec::with_capacity(compiled.cells()),
            totals,
        }
    }

    /// Reads the work of all samples in a `samples.csv`. Half a line at its end, as a full disk
    /// leaves, does not count.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn read(
        path: &Path,
        compiled: &CompiledExperiment,
        table: &SampleTable,
    ) -> io::Result<Self> {
        let mut work = Self::of(compiled, table);
        let mut lines = Lines::new(files::open(path)?, 0, LONGEST_LINE);
        lines.advance()?;
        let (both, singles) = (table.no_singles(), table.singles_in(&lines.line));
        let singles = singles.unwrap_or_else(|| both.clone());
        let mut rows = Vec::new();
        while lines.advance()? && lines.is_whole() {
            let row = table.parse(&lines.line, &singles);
            rows.extend(row.map_or_else(Vec::new, |row| table.line(&row, &both)));
            if rows.len() >= READ_AT_ONCE {
                work.push_rows(&rows)?;
                rows.clear();
            }
        }
        work.push_rows(&rows)?;
        Ok(work)
    }

    /// Counts lines of a `samples.csv`, all cells of each sample.
    ///
    /// # Errors
    /// If they are not CSV.
    pub fn push_rows(&mut self, rows: &[u8]) -> io::Result<()> {
        let mut reader = ReaderBuilder::new().has_headers(false).from_reader(rows);
        for record in reader.byte_records() {
            self.push(&record?);
        }
        Ok(())
    }

    fn push(&mut self, record: &ByteRecord) {
        let mut ends = self.ends.iter();
        let solved = ends.all(|&(lo, hi)| record.get(lo) == record.get(hi));
        let effort = |total: &Total| Effort {
            value: whole(record.get(total.column)),
            solved,
        };
        self.cells.push(self.totals.iter().map(effort).collect());
        if self.cells.len() == self.spreads.len() {
            self.count(whole(record.get(0)).unwrap_or_default());
        }
    }

    /// Counts the sample under way, of which all cells are known now.
    fn count(&mut self, sample: u64) {
        let cells = std::mem::take(&mut self.cells);
        for (spreads, efforts) in self.spreads.iter_mut().zip(&cells) {
            let both = spreads.iter_mut().zip(efforts);
            both.for_each(|(spread, effort)| spread.push(*effort));
        }
        for (ratios, pair) in self.ratios.iter_mut().zip(&self.pairs) {
            let efforts = cells[pair.first].iter().zip(&cells[pair.second]);
            let both = ratios.iter_mut().zip(efforts);
            both.for_each(|(ratio, (first, second))| ratio.push(*first, *second));
        }
        if self.points.len() < INSTANCES.min(POINTS / self.spreads.len().max(1)) {
            self.points.push((sample, cells));
        }
    }
}

fn whole(field: Option<&[u8]>) -> Option<u64> {
    std::str::from_utf8(field?).ok()?.parse().ok()
}

/// The numbers of instances that were solved within growing amounts of work.
#[derive(Clone, Debug, Default)]
struct SolvedWithin {
    /// All instances for which it is defined.
    n: u64,
    /// The greatest value and the number of solved instances, for values with the same leading
    /// bits.
    steps: BTreeMap<u64, (u64, u64)>,
}

impl SolvedWithin {
    fn push(&mut self, effort: Effort) {
        let Some(value) = effort.value else { return };
        self.n += 1;
        if effort.solved {
            let (greatest, count) = self.steps.entry(step(value)).or_default();
            *greatest = value.max(*greatest);
            *count += 1;
        }
    }

    fn has_positive(&self) -> bool {
        self.steps.values().any(|&(greatest, _)| greatest > 0)
    }

    /// Values with the number of instances solved within each; exact at these values.
    fn steps(&self) -> impl Iterator<Item = (u64, u64)> {
        let steps = self.steps.values();
        steps.scan(0, |within, &(greatest, count)| {
            *within += count;
            Some((greatest, *within))
        })
    }
}

/// Returns one number for all values that share their four leading bits: eight steps for each
/// doubling.
fn step(value: u64) -> u64 {
    match 64 - value.leading_zeros() {
        0..=4 => value,
        bits => u64::from(bits) << 4 | value >> (bits - 4),
    }
}

/// First over second on the same instances, where both were solved.
#[derive(Clone, Debug, Default)]
struct Ratio {
    /// Logarithms to base 2, in [`PARTS`].
    logs: Bounded<Moments>,
    /// Instances that either did not solve, or solved without any work.
    left_out: u64,
    less: u64,
    more: u64,
}

impl Ratio {
    fn push(&mut self, first: Effort, second: Effort) {
        let Some((a, b)) = first.counted().zip(second.counted()) else {
            self.left_out += 1;
            return;
        };
        self.less += u64::from(a < b);
        self.more += u64::from(a > b);
        let log = (a as f64).log2() - (b as f64).log2();
        self.logs.push((log * PARTS as f64).round() as i64);
    }

    /// The geometric mean, from the mean of the logarithms.
    fn estimate(&self, confidence: Confidence) -> Estimate {
        let metric = Metric::total("log-ratio", "", "")
            .signed()
            .with_denominator(PARTS);
        let logs = estimate(
            &metric,
            &Tally::Sums(Box::new(self.logs.clone())),
            confidence,
        );
        let interval = logs.interval.map(|interval| Interval {
            lo: interval.lo.exp2(),
            hi: interval.hi.exp2(),
            ..interval
        });
        Estimate {
            value: logs.value.map(f64::exp2),
            interval,
            ..logs
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::stats::Level;

    use super::*;

    fn solved(value: u64) -> Effort {
        Effort {
            value: Some(value),
            solved: true,
        }
    }

    const OPEN: Effort = Effort {
        value: Some(9),
        solved: false,
    };

    #[test]
    fn a_spread_counts_unsolved_instances_in_n_alone_and_is_exact_at_its_steps() {
        let mut spread = SolvedWithin::default();
        let values = [0, 1, 3, 3, 100, 101, 5000];
        values.iter().for_each(|&value| spread.push(solved(value)));
        spread.push(OPEN);
        assert_eq!(spread.n, 8);
        for (value, within) in spread.steps() {
            let counted = values.iter().filter(|&&one| one <= value).count();
            assert_eq!(within, counted as u64, "{value}");
        }
        assert_eq!(spread.steps().last(), Some((5000, 7)));
        assert!(SolvedWithin::default().steps().next().is_none());
    }

    #[test]
    fn steps_keep_the_order_of_values() {
        let values = (0..5000)
            .chain((1..64).map(|bits| 1 << bits))
            .chain([u64::MAX]);
        let mut values: Vec<u64> = values.collect();
        values.sort_unstable();
        assert!(values.windows(2).all(|pair| step(pair[0]) <= step(pair[1])));
        assert!(step(15) < step(16) && step(127) < step(128));
    }

    #[test]
    fn the_ratio_is_the_geometric_mean_and_leaves_unsolved_instances_out() {
        let mut ratio = Ratio::default();
        for nodes in [2, 8, 4].repeat(4) {
            ratio.push(solved(nodes), solved(1));
        }
        ratio.push(OPEN, solved(1));
        ratio.push(solved(0), solved(1));
        let estimate = ratio.estimate(Confidence::from(Level::DEFAULT));
        assert_eq!((estimate.n, ratio.left_out), (12, 2));
        assert!((estimate.value.unwrap() - 4.0).abs() < 1e-9);
        // The interval is symmetric on the scale of logarithms, about 2.
        let interval = estimate.interval.unwrap();
        let (lo, hi) = (interval.lo.log2(), interval.hi.log2());
        assert!(lo < 2.0 && (lo + hi - 4.0).abs() < 1e-9, "{estimate:?}");
        assert_eq!(interval.level, Level::DEFAULT);
        assert_eq!(interval.validity.name(), "fixed-n");
        assert_eq!((ratio.less, ratio.more), (0, 12));
    }
}
