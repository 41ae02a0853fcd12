//! The canonical file of an experiment, and the hashes that identify it.

use std::fmt::{self, Write};

use crate::search::Budget;
use crate::stats::Hypotheses;
use crate::task::{ParamValue, Params};

use super::{Axis, ClaimSpec, Experiment, Selector, StopRule, TruthSpec};

/// Separates these hashes from all others; a change of meaning changes it.
const CONTEXT: &str = "etude v1 experiment fingerprint";

impl Experiment {
    /// The canonical file of this experiment, with every default written out: it parses back to
    /// the same experiment.
    pub fn resolved_toml(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text);
        text
    }

    /// All that determines the value of a sample, one fact a line: task, seed, every cell's
    /// parameters and budget, and what is tallied with it to reduce variance; neither the number
    /// of samples nor the prose.
    pub fn sample_facts(&self) -> String {
        let mut text = String::new();
        let _ = self.write_samples(&mut text);
        text
    }

    /// A hash in hex of all that determines the value of a sample.
    pub fn fingerprint(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
        hasher.update(self.sample_facts().as_bytes());
        hasher.finalize().to_hex().to_string()
    }

    /// A hash in hex of the whole resolved experiment.
    pub fn digest(&self) -> String {
        let text = self.resolved_toml();
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "name = {}", quoted(&self.name))?;
        writeln!(out, "question = {}", quoted(&self.question))?;
        writeln!(out, "task = {}", quoted(&self.task.name))?;
        writeln!(out, "seed = {}", self.seed)?;
        writeln!(out, "level = {:?}", self.level.get())?;
        if !self.extended_from.is_empty() {
            let seen: Vec<String> = self.extended_from.iter().map(u64::to_string).collect();
            writeln!(out, "extended-from = [{}]", seen.join(", "))?;
        }
        if let Some(answer) = &self.answer {
            writeln!(out, "answer = {}", quoted(answer))?;
        }
        if let Some(analysis) = &self.analysis {
            writeln!(out, "analysis = {}", quoted(analysis))?;
        }
        self.write_params(out)?;
        self.write_programs(out)?;
        if self.budgets != [Budget::UNLIMITED] {
            writeln!(out, "\n[budget]\nnodes = {}", self.nodes())?;
        }
        self.write_variance(out)?;
        self.write_stop(out)?;
        write_sweep(out, &self.axes)?;
        writeln!(out, "\n[output]\nsamples = {}", self.keep_samples)?;
        writeln!(out, "exhibit = {}", self.exhibit)?;
        self.write_wager(out)?;
        self.claims
            .iter()
            .try_for_each(|claim| self.write_claim(out, claim))?;
        self.truths
            .iter()
            .try_for_each(|truth| self.write_truth(out, truth))
    }

    /// The budget as a number, several as a list.
    fn nodes(&self) -> String {
        let limits: Vec<String> = (self.budgets.iter())
            .map(|budget| budget.limit().to_string())
            .collect();
        match limits.as_slice() {
            [one] => one.clone(),
            several => format!("[{}]", several.join(", ")),
        }
    }

    /// Writes the `[variance]` table; nothing if the experiment has no control.
    fn write_variance(&self, out: &mut String) -> fmt::Result {
        let Some(control) = &self.variance else {
            return Ok(());
        };
        writeln!(out, "\n[variance]\ncontrol = {}", quoted(&control.name))?;
        writeln!(
            out,
            "mean = {:?}\nerror = {:?}",
            control.mean, control.error
        )
    }

    fn write_stop(&self, out: &mut String) -> fmt::Result {
        let name = |metric: usize| quoted(&self.task.metrics[metric].name);
        match self.stop {
            StopRule::Samples(samples) => return writeln!(out, "\n[stop]\nsamples = {samples}"),
            StopRule::HalfWidth { metric, target, .. } => {
                writeln!(out, "\n[stop.half-width]\nmetric = {}", name(metric))?;
                writeln!(out, "target = {target:?}")?;
            }
            StopRule::Sprt { metric, test, .. } => {
                writeln!(out, "\n[stop.sprt]\nmetric = {}", name(metric))?;
                let (key, [low, high]) = match test.hypotheses {
                    Hypotheses::Elo(pair) => ("elo", pair),
                    Hypotheses::NormalisedElo(pair) => ("nelo", pair),
                    Hypotheses::Rate(pair) => ("rate", pair),
                };
                writeln!(out, "{key} = [{low:?}, {high:?}]")?;
                writeln!(out, "alpha = {:?}\nbeta = {:?}", test.alpha, test.beta)?;
            }
            StopRule::Claims { .. } => writeln!(out, "\n[stop.claims]")?,
        }
        writeln!(out, "max-samples = {}", self.stop.max_samples())
    }

    fn write_wager(&self, out: &mut String) -> fmt::Result {
        let Some(wager) = &self.wager else {
            return Ok(());
        };
        let metric = quoted(&self.task.metrics[wager.metric].name);
        writeln!(out, "\n[wager]\nmetric = {metric}")?;
        writeln!(out, "stake = {:?}\ngames = {}", wager.stake, wager.games)?;
        let cell = wager.cell.map(|cell| &self.cells[cell].name);
        cell.map_or(Ok(()), |name| writeln!(out, "cell = {}", quoted(name)))
    }

    /// The parameters that all cells share.
    fn write_params(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n[params]")?;
        let is_swept = |name: &str| self.axes.iter().any(|axis| axis.name == name);
        let params = self
            .cells
            .iter()
            .take(1)
            .flat_map(|cell| cell.params.iter());
        params
            .filter(|(name, _)| !is_swept(name))
            .try_for_each(|(name, value)| writeln!(out, "{} = {}", key(name), literal(value)))
    }

    fn write_claim(&self, out: &mut String, claim: &ClaimSpec) -> fmt::Result {
        writeln!(out, "\n[[claims]]")?;
        writeln!(out, "source = {}", quoted(&claim.source))?;
        writeln!(out, "text = {}", quoted(&claim.text))?;
        writeln!(out, "holds = {}", quoted(&claim.holds))?;
        if claim.post_hoc {
            writeln!(out, "post-hoc = true")?;
        }
        self.write_selector(out, &claim.selector)
    }

    fn write_truth(&self, out: &mut String, truth: &TruthSpec) -> fmt::Result {
        let metric = quoted(&self.task.metrics[truth.metric].name);
        writeln!(out, "\n[[truths]]\nmetric = {metric}")?;
        writeln!(out, "value = {:?}", truth.value)?;
        if !truth.source.is_empty() {
            writeln!(out, "source = {}", quoted(&truth.source))?;
        }
        self.write_selector(out, &truth.selector)
    }

    fn write_selector(&self, out: &mut String, selector: &Selector) -> fmt::Result {
        let terms: Vec<String> = (selector.terms.iter())
            .map(|&(axis, value)| {
                let axis = &self.axes[axis];
                format!("{}={}", axis.name, axis.values[value])
            })
            .collect();
        if terms.is_empty() {
            return Ok(());
        }
        writeln!(out, "where = {}", quoted(&terms.join(",")))
    }

    fn write_samples(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "task = {}", quoted(&self.task.name))?;
        self.write_fingerprints(out)?;
        writeln!(out, "seed = {}", self.seed)?;
        writeln!(out, "nodes = {}", self.nodes())?;
        self.write_variance(out)?;
        self.cells
            .iter()
            .try_for_each(|cell| write_cell(out, &cell.params))
    }
}

fn write_sweep(out: &mut String, axes: &[Axis]) -> fmt::Result {
    if axes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n[sweep]")?;
    axes.iter().try_for_each(|axis| {
        let values: Vec<String> = axis.values.iter().map(literal).collect();
        writeln!(out, "{} = [{}]", key(&axis.name), values.join(", "))
    })
}

fn write_cell(out: &mut String, params: &Params) -> fmt::Result {
    writeln!(out, "[[cells]]")?;
    params
        .iter()
        .try_for_each(|(name, value)| writeln!(out, "{} = {}", key(name), literal(value)))
}

pub(super) fn key(name: &str) -> String {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

pub(super) fn literal(value: &ParamValue) -> String {
    match value {
        ParamValue::Text(text) => quoted(text),
        // Shortest digits that read back to the same number, always with a point or exponent.
        ParamValue::Number(number) => format!("{number:?}"),
        ParamValue::Integer(integer) => integer.to_string(),
        ParamValue::Flag(flag) => flag.to_string(),
    }
}

/// A text as a TOML string.
pub(super) fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
