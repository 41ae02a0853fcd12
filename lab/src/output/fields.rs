//! Fields shared by many tables: the place of a number, and everything about an estimate.
//!
//! Every interval names its level, its method and when it is valid.

use crate::config::Experiment;
use crate::stats::Estimate;
use crate::task::Metric;

use super::number::number;

/// The columns that say which metric of which cell a row is about.
pub(super) const PLACE: [&str; 4] = ["experiment", "cell", "metric", "unit"];

/// The fields of [`PLACE`].
pub(super) fn place_fields(experiment: &Experiment, cell: usize, metric: &Metric) -> Vec<String> {
    let cell = &experiment.cells[cell].name;
    let names = [&*experiment.name, cell, &metric.name, &metric.unit];
    names.map(str::to_owned).into()
}

/// The columns of an estimate.
pub(super) const ESTIMATE: [&str; 12] = [
    "n:integer",
    "n_unresolved:integer",
    "mean:number",
    "mean_lo:number",
    "mean_hi:number",
    "sd:number",
    "mcse:number",
    "ci_lo:number",
    "ci_hi:number",
    "ci_level:number",
    "ci_method",
    "valid_under",
];

/// What `ci_method` says of weights that cannot be trusted.
pub const UNTRUSTED: &str = "untrusted";

/// The fields of [`ESTIMATE`].
pub(super) fn estimate_fields(estimate: &Estimate) -> Vec<String> {
    let interval = estimate.interval;
    let no_method = if estimate.untrusted { UNTRUSTED } else { "" };
    vec![
        estimate.n.to_string(),
        estimate.unresolved.to_string(),
        number(estimate.value),
        number(estimate.lower),
        number(estimate.upper),
        number(estimate.sd),
        number(estimate.mcse),
        number(interval.map(|interval| interval.lo)),
        number(interval.map(|interval| interval.hi)),
        number(interval.map(|interval| interval.level.get())),
        interval
            .map_or(no_method, |interval| interval.method.name())
            .into(),
        interval
            .map_or("", |interval| interval.validity.name())
            .into(),
    ]
}
