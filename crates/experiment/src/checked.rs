//! The checked experiment, as it is run.

use std::collections::BTreeMap;

use stats::{Confidence, Level, Looks};
use task::outside::{Declaration, DeclaredInstances, DeclaredProgram, PlayerDeclaration, Values};
use task::{TaskSpec, Truth};

use super::claim::{Claim, ClaimSpec, ClaimTarget, Meaning, Subject};
use super::file::ExperimentFile;
use super::grid::Cell;
use super::relation::Scope;
use super::sweep::Axes;
use super::{CellPair, RatioRelation, Setting, Source, StopQuestion, StopRule, Wager};

/// The source of an expectation that the file gives.
const DECLARED: &str = "declared in the experiment file";

/// A question, and all that determines the numbers that answer it: the file, and what its names
/// stand for. It holds values only: what draws and what plays are made of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The file in its canonical form: with every default, the overrides of the command line, and
    /// the hashes of programs; without its claims.
    pub file: ExperimentFile,
    /// The source of the file.
    pub source: Source,
    /// The random experiment.
    pub task: TaskSpec,
    /// The confidence level of its intervals.
    pub level: Level,
    /// The stop rule.
    pub stop: StopRule,
    /// The points of the sweep, first axis slowest, or the contenders of a race; at least one.
    pub cells: Vec<Cell>,
    /// The stake and the payments of the game, if it is a game for money.
    pub wager: Option<Wager>,
    /// The claims, in the order of the file.
    pub claims: Vec<Claim>,
    /// The simulation in another program, for the task `command`.
    pub command: Option<Declaration>,
    /// The players in other programs, in file order.
    pub players: Vec<PlayerDeclaration>,
}

/// The values that stand in for those of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Samples of each cell.
    pub samples: Option<u64>,
    /// The seed.
    pub seed: Option<u64>,
    /// Values of other keys.
    pub set: Vec<Setting>,
    /// True if the file is raced, so that a task without chance is asked as often as the file says.
    pub is_raced: bool,
    /// True if it is raced against another program, which is one more contender.
    pub is_against: bool,
}

impl Experiment {
    /// The experiment's name.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// The seed of all samples.
    pub fn seed(&self) -> u64 {
        self.file.seed
    }

    /// The noun for a sample, in the singular.
    pub fn noun(&self) -> &str {
        let page = self.file.page.as_ref();
        page.and_then(|page| page.noun.as_deref())
            .unwrap_or(&self.task.noun)
    }

    /// The swept parameters with their values, first axis slowest.
    pub fn axes(&self) -> &Axes {
        &self.file.sweep
    }

    /// The instances of its samples, where they are files.
    pub fn instances(&self) -> Option<&DeclaredInstances> {
        self.command.as_ref()?.instances.as_ref()
    }

    /// The simulation in another program that draws its samples; `None` of a race, whose contenders each have their
    /// own.
    pub fn drawing(&self) -> Option<&Declaration> {
        self.command.as_ref().filter(|_| !self.is_race())
    }

    /// Other people's programs that it starts, each with a name: those that draw, or in a race the
    /// contenders', those that play, and that which makes instances.
    pub fn programs(&self) -> Vec<(&str, &DeclaredProgram)> {
        let command = self.drawing().into_iter();
        let command = command.map(|command| ("command", &command.program));
        let raced = self.cells.iter();
        let raced = raced.filter_map(|cell| Some((&*cell.name, &cell.program()?.program)));
        let chores = self.cells.iter().flat_map(|cell| {
            let contender = cell.contender.iter();
            let chores = contender.flat_map(|one| [&one.setup, &one.prepare]);
            let chores = chores.flatten();
            chores.map(|declared| (&*cell.name, &declared.program))
        });
        let players = self.players.iter();
        let players = players.map(|player| (&*player.name, &player.program));
        let generator = self.instances().and_then(|all| all.program());
        let generator = generator.map(|program| ("generate", program));
        let drawing = command.chain(raced).chain(chores);
        drawing.chain(players).chain(generator).collect()
    }

    /// The parameters of every cell, as programs are told them.
    pub fn values_of_cells(&self) -> Vec<Values> {
        let cells = self.cells.iter();
        cells.map(|cell| cell.params.values()).collect()
    }

    /// Returns whether every sample is written to `samples.csv`. Matches of other people's players are: for a late
    /// participant none is played again.
    pub fn keeps_samples(&self) -> bool {
        let is_tournament = self.task.contest.is_some() && !self.players.is_empty();
        self.file.output.samples || is_tournament
    }

    /// The sample that reports show step by step.
    pub fn exhibited_sample(&self) -> u64 {
        self.file.output.exhibit
    }

    /// Returns whether a run was given more samples after its numbers could be seen.
    pub fn is_extended(&self) -> bool {
        !self.file.extended_from.is_empty()
    }

    /// Remembers that it goes on with an `earlier` run of the same samples, whose numbers may have
    /// been seen: every number of samples that run was extended from, and its own if this one asks
    /// for more, or has a rule that looks where that run had none, or none where it had one. From one rule that looks to
    /// another no such memory is needed: its intervals hold anyway. A claim that it did not make was written after those
    /// numbers, one that speaks of further cells was widened after them, those that are left of more claims were chosen
    /// by them, and a lower level may have been.
    pub fn go_on_from(&mut self, earlier: &Experiment) {
        self.file.extended_from.extend(&earlier.file.extended_from);
        let samples = earlier.stop.max_samples;
        let is_remembered = match (earlier.stop.looks(), self.stop.looks()) {
            (false, false) => samples < self.stop.max_samples,
            (before, now) => before != now,
        };
        if is_remembered {
            self.file.extended_from.push(samples);
        }
        self.file.extended_from.sort_unstable();
        self.file.extended_from.dedup();
        let known: BTreeMap<String, &Claim> = earlier
            .meanings()
            .into_iter()
            .zip(&earlier.claims)
            .collect();
        let targets = |experiment: &Self, claim: &Claim| {
            claim
                .spec()
                .map(|spec| experiment.target_hashes(spec))
                .unwrap_or_default()
        };
        let meanings = self.meanings();
        // Claims that are left of more were chosen, and a level that asks for less was chosen too.
        let is_chosen = known.keys().any(|meaning| !meanings.contains(meaning));
        let is_lower = self.level.get() < earlier.level.get();
        let is_late = |(meaning, claim): (&String, &Claim)| {
            is_chosen
                || is_lower
                || known.get(meaning).is_none_or(|before| {
                    let has_grown = !targets(self, claim).is_subset(&targets(earlier, before));
                    before.written.post_hoc || has_grown
                })
        };
        let late: Vec<bool> = meanings.iter().zip(&self.claims).map(is_late).collect();
        for (claim, late) in self.claims.iter_mut().zip(late) {
            claim.written.post_hoc |= late;
        }
    }

    /// The claims of metrics, with their positions among all.
    pub fn metric_claims(&self) -> impl Iterator<Item = (usize, &Claim, &ClaimSpec)> {
        let claims = self.claims.iter().enumerate();
        claims.filter_map(|(index, claim)| Some((index, claim, claim.spec()?)))
    }

    /// The claims of ratios of times.
    pub fn ratio_claims(&self) -> impl Iterator<Item = (&Claim, &RatioRelation)> {
        let claims = self.claims.iter();
        claims.filter_map(|claim| Some((claim, claim.ratio()?)))
    }

    /// The meaning of each claim in words that do not depend on the positions of swept values.
    fn meanings(&self) -> Vec<String> {
        let value = |&(axis, index): &(usize, usize)| {
            let (name, values) = self.file.sweep.get_index(axis)?;
            Some(format!("{name}={}", values.get(index)?))
        };
        let in_words = |spec: &ClaimSpec| {
            let selected: Vec<_> = spec.selector.terms.iter().map(value).collect();
            let subject = match &spec.subject {
                Subject::Difference {
                    axis,
                    first,
                    second,
                    metric,
                } => format!(
                    "{:?} {metric}",
                    [(*axis, *first), (*axis, *second)].map(|v| value(&v))
                ),
                subject => format!("{subject:?}"),
            };
            format!("{subject} {:?} {selected:?}", spec.test)
        };
        let meanings = self.claims.iter().map(|claim| match &claim.meaning {
            Meaning::Metric(spec) => in_words(spec),
            Meaning::Ratio(relation) => format!("{relation:?}"),
        });
        meanings.collect()
    }

    /// The names of its cells, in order.
    pub fn cell_names(&self) -> impl Iterator<Item = &str> + Clone {
        self.cells.iter().map(|cell| cell.name.as_str())
    }

    /// Returns the confidence of the results: the level of their intervals, which hold however
    /// often the stop rule looked, or a person who then asked for more samples. Without chance the
    /// results are exact.
    pub fn confidence(&self) -> Confidence {
        let watched = self.watched();
        let looks = self.stop.looks() || self.is_extended();
        match (self.task.is_random, looks) {
            (true, false) => watched.level.into(),
            _ => watched,
        }
    }

    /// The rule by which each cell stops by itself, with the confidence of the intervals that it looks at: which samples
    /// a cell has follows from both. `None` where the run stops as a whole.
    pub fn cell_rule(&self) -> Option<(StopQuestion, Confidence)> {
        let question = self.stop.question.filter(|_| self.stop.stops_each_cell());
        Some((question?, self.confidence()))
    }

    /// Returns the confidence for someone who looks again and again while the samples come in. Of
    /// an extended run only the first plan was made before a sample was seen.
    pub fn watched(&self) -> Confidence {
        let first = self.file.extended_from.first().copied();
        let planned = first.unwrap_or_else(|| self.stop.planned(&self.task.metrics, self.level));
        Confidence {
            level: self.level,
            looks: if self.task.is_random {
                Looks::Many { planned }
            } else {
                Looks::Exhaustive
            },
        }
    }

    /// The cells or pairs of cells a claim speaks of, in order of cells; at least one.
    pub fn targets(&self, claim: &ClaimSpec) -> Vec<ClaimTarget> {
        let scope = self.scope();
        let selected =
            (0..self.cells.len()).filter(|&cell| scope.selects(&claim.selector, &self.cells[cell]));
        match claim.subject {
            Subject::Metric { .. } => selected.map(ClaimTarget::Cell).collect(),
            Subject::Difference {
                axis,
                first,
                second,
                ..
            } => {
                let stride = self.file.sweep.stride(axis);
                let value = &self.file.sweep[axis][first];
                selected
                    .filter(|&cell| self.cells[cell].swept[axis].1 == *value)
                    .map(|cell| CellPair {
                        first: cell,
                        second: cell + second * stride - first * stride,
                    })
                    .map(ClaimTarget::Pair)
                    .collect()
            }
        }
    }

    /// The cell that reports show a sample of: that of the first figure of the page's headline, or of
    /// the answer.
    pub fn exhibited_cell(&self) -> usize {
        let cell = |place: &str| match place.rsplit_once(':') {
            Some((name, _)) => self.cell_names().position(|cell| cell == name),
            None => Some(0),
        };
        self.file.places().find_map(cell).unwrap_or(0)
    }

    /// The only cell that a text names: by its name, or by values such as `load=0.5,servers=2`.
    pub fn cell_of(&self, text: &str) -> Option<usize> {
        self.scope().cell(text)
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            metrics: &self.task.metrics,
            axes: &self.file.sweep,
            cells: &self.cells,
        }
    }

    /// Returns the expectation that the file declares beside a metric. Estimates are compared with it;
    /// it decides no claim, for it may be wrong.
    pub fn declared_truth(&self, metric: &str) -> Option<Truth> {
        let value = self.file.command.as_ref()?.metrics.get(metric)?.truth?;
        let source = DECLARED.to_owned();
        Some(Truth { value, source })
    }
}
