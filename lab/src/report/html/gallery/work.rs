//! Pictures of work: curves of solved instances, and the same instances in two cells.

use std::collections::BTreeMap;

use super::Album;
use crate::report::format::counted;
use crate::report::plot::{self, Both, Curve, Plot};
use crate::tables::{CumulativeRow, PointRow, RatioRow};

/// Scatters of one metric at most: one for each of the first compared pairs.
const MOST_SCATTERS: usize = 3;

impl Album<'_> {
    /// Draws the shares of instances solved within growing amounts of work, and the instances in
    /// two cells.
    pub(super) fn work(&self, metric: &str) -> Vec<Plot> {
        let cells = self.cells.iter().take(plot::MOST_CURVES);
        let curves: Vec<Curve> = cells.map(|cell| self.curve(cell, metric)).collect();
        let title = self.title(metric);
        let ratios = self.results.ratios.iter();
        let ratios = ratios.filter(|row| row.metric == metric);
        let scatters = ratios.take(MOST_SCATTERS);
        let scatters = scatters.filter_map(|row| self.scatter(row));
        let curves = plot::cumulative(&title, &title, &curves);
        curves.into_iter().chain(scatters).collect()
    }

    fn curve(&self, cell: &str, metric: &str) -> Curve {
        let rows = self.results.cumulative.iter();
        let rows = rows.filter(|row| row.cell == cell && row.metric == metric);
        let share = |row: &CumulativeRow| (row.value as f64, row.solved as f64 / row.n as f64);
        Curve {
            label: self.results.sweep.label(cell),
            points: rows.map(share).collect(),
        }
    }

    fn scatter(&self, row: &RatioRow) -> Option<Plot> {
        let of = |cell: &str| -> BTreeMap<u64, &PointRow> {
            let points = self.results.points.iter();
            let points = points.filter(|point| point.cell == cell && point.metric == row.metric);
            points.map(|point| (point.sample, point)).collect()
        };
        let others = of(&row.second);
        let both = |(sample, first): (u64, &PointRow)| {
            let second = others.get(&sample)?;
            Some(Both {
                first: first.value? as f64,
                second: second.value? as f64,
                solved: [first, second].map(|one| one.solved) == [Some(true); 2],
            })
        };
        let instances: Vec<Both> = of(&row.first).into_iter().filter_map(both).collect();
        let ratio = self.results.sweep.ratio(&row.first, &row.second);
        let labels = [&row.first, &row.second].map(|cell| self.results.sweep.label(cell));
        plot::scatter(
            &format!("{}: {ratio}", self.title(&row.metric)),
            &scatter_caption(row, &ratio, &instances),
            labels.each_ref().map(String::as_str),
            &instances,
        )
    }
}

fn scatter_caption(row: &RatioRow, label: &str, instances: &[Both]) -> String {
    let hollow = if instances.iter().all(|both| both.solved) {
        ""
    } else {
        " Hollow dots are unresolved in one of them."
    };
    let ratio = match row.ratio {
        Some(_) => format!(
            " The geometric mean of {label} is {}, over {}.",
            row.figure().phrase(),
            counted(row.n, "sample"),
        ),
        None => String::new(),
    };
    format!(
        "Each dot is one of the first {} samples; on the dashed line both take the same. Both scales are logarithmic.{hollow}{ratio}",
        instances.len()
    )
}
