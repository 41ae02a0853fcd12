//! The parts that a thread needs to draw any sample of an experiment; shared, immutable.

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use base::Failure;
use experiment::{CellPair, Experiment, VarianceTable};
use kit::rng::{Streams, below};
use kit::search::Budget;
use programs::ProgramSet;
use task::outside::Values;
use task::{Metric, ParamError, Row, SampleError, SampleSource, Task, Workspace};

use super::plan::Block;
use super::rated::RatedFields;
use super::tally::Timeouts;

/// Samples of a block that are drawn twice, at most.
const CHECKED: u64 = 64;

/// The tasks of all cells with their streams and budget, and which cells are compared.
pub struct CompiledExperiment {
    sources: Vec<SampleSource>,
    metrics: Arc<[Metric]>,
    streams: Streams,
    pairs: Vec<CellPair>,
    control: Option<VarianceTable>,
    rated: RatedFields,
    programs: ProgramSet,
    /// The parameters of each cell, which the instances of programs may depend on.
    values: Vec<Values>,
}

impl CompiledExperiment {
    /// The compiled experiment, with the pairs of cells that are worth comparing: those
    /// its claims name, and along every swept parameter each value with the first.
    ///
    /// # Errors
    /// The fault of the first cell whose task cannot be built.
    pub fn of_experiment(experiment: &Experiment) -> Result<Self, Failure> {
        let streams = Streams::new(experiment.seed());
        let metrics: Arc<[Metric]> = experiment.task.metrics[..].into();
        let budgets: Arc<[Budget]> = if experiment.is_race() {
            [experiment.answer_budget()].into()
        } else {
            experiment.file.budgets().into()
        };
        let control = experiment.file.variance.clone();
        let command = experiment.command.as_ref();
        let programs = ProgramSet::new(command, &experiment.players, &streams);
        let source = |cell: usize| {
            let task = programs.task(&experiment.task, &experiment.cells[cell].params)?;
            Ok(
                SampleSource::new(task, metrics.clone(), streams, budgets.clone())
                    .with_control(control.is_some())
                    .drawn_until(experiment.drawn_until(cell)),
            )
        };
        let sources = (0..experiment.cells.len())
            .map(source)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error: ParamError| Failure::usage(&error).with_help(error.help))?;
        Ok(Self {
            sources,
            streams,
            pairs: experiment.compared_pairs(),
            control,
            rated: RatedFields::of(experiment),
            values: experiment.values_of_cells(),
            programs,
            metrics,
        })
    }

    /// A compiled experiment with one task per cell, all with the same metrics.
    #[cfg(test)]
    pub(crate) fn new(
        tasks: Vec<Box<dyn Task>>,
        metrics: &[Metric],
        streams: Streams,
        budget: Budget,
    ) -> Self {
        let (metrics, budgets): (Arc<[Metric]>, Arc<[Budget]>) = (metrics.into(), [budget].into());
        let source = |task| SampleSource::new(task, metrics.clone(), streams, budgets.clone());
        Self {
            sources: tasks.into_iter().map(source).collect(),
            metrics: metrics.clone(),
            streams,
            pairs: Vec::new(),
            control: None,
            rated: RatedFields::default(),
            programs: ProgramSet::default(),
            values: Vec::new(),
        }
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.sources.len()
    }

    /// The task of one cell.
    pub fn task(&self, cell: usize) -> &dyn Task {
        self.sources[cell].task()
    }

    /// The metrics every cell reports.
    pub fn metrics(&self) -> &[Metric] {
        &self.metrics
    }

    /// The programs that draw its samples or play, which nothing lets be started yet.
    pub fn programs(&self) -> &ProgramSet {
        &self.programs
    }

    /// The instance of a sample in a cell as messages name it: by its number, and its name if it has one.
    pub(crate) fn instance_title(&self, sample: u64, cell: usize) -> String {
        let instances = self.programs.instances.as_ref();
        let name = instances.map(|all| all.name(sample, &self.values[cell]));
        match name.and_then(Result::ok) {
            Some(name) => format!("instance {sample} ({name})"),
            None => format!("instance {sample}"),
        }
    }

    /// The file of a sample's instance in a cell, which is made unless it is there; `None` where there are none.
    ///
    /// # Errors
    /// A sentence: it cannot be made.
    pub(crate) fn instance_file(
        &self,
        sample: u64,
        cell: usize,
    ) -> Result<Option<PathBuf>, String> {
        let instances = self.programs.instances.as_ref();
        let path = instances.map(|all| all.path(sample, &self.values[cell]));
        path.transpose()
    }

    /// Holds the instances against what is known of them.
    ///
    /// # Errors
    /// A sentence: one is another by now.
    pub(crate) fn check_instances(&self) -> Result<(), String> {
        let instances = self.programs.instances.as_ref();
        instances.map_or(Ok(()), |all| all.check(&self.values))
    }

    /// The compared cells.
    pub(crate) fn pairs(&self) -> &[CellPair] {
        &self.pairs
    }

    /// The players that are rated, if the task is a contest.
    pub(crate) fn rated(&self) -> &RatedFields {
        &self.rated
    }

    /// The control variate that the estimates are adjusted by, if they are.
    pub(crate) fn control(&self) -> Option<&VarianceTable> {
        self.control.as_ref()
    }

    /// The source of the samples of one cell.
    pub fn source(&self, cell: usize) -> &SampleSource {
        &self.sources[cell]
    }

    /// Draws the samples from `first` on of one cell again, one for each of `rows`, but for those that
    /// had timed out and are known by that: the clock decided that, so they cannot be drawn again.
    ///
    /// # Errors
    /// The errors of [`SampleSource::draw`].
    pub(crate) fn draw_again(
        &self,
        cell: usize,
        workspace: &mut Workspace,
        (mut first, mut rows): (u64, &mut [Row]),
        timeouts: &Timeouts,
    ) -> Result<(), SampleError> {
        let source = self.source(cell);
        while !rows.is_empty() {
            let end = first + rows.len() as u64;
            let late = timeouts.range((cell, first)..(cell, end)).next();
            let before = late.map_or(rows.len(), |(_, sample)| (sample - first) as usize);
            let (now, rest) = std::mem::take(&mut rows).split_at_mut(before);
            source.draw(workspace, first, now)?;
            first += before as u64 + 1;
            let Some((row, later)) = rest.split_first_mut() else {
                break;
            };
            if !source.task().time_out(row) {
                source.draw(workspace, first - 1, std::slice::from_mut(row))?;
            }
            rows = later;
        }
        Ok(())
    }

    /// Draws some samples of the first and of the last cell twice, where other programs draw them, and
    /// of each cell with a program that none before it had.
    ///
    /// # Errors
    /// The cell and the [`SampleError`] of a sample that cannot be drawn, or that differs.
    pub(crate) fn check_repeatable(&self) -> Result<(), (usize, SampleError)> {
        let last = self.cells().saturating_sub(1);
        let is_met = |cell| cell == 0 || cell == last;
        let mut cells =
            (0..self.cells()).filter(|&cell| is_met(cell) || self.task(cell).has_unchecked());
        cells.try_for_each(|cell| {
            let checked = self.sources[cell].check_repeatable();
            checked.map_err(|error| (cell, error))
        })
    }

    /// The samples of a block that are drawn twice: in the second half of all blocks so far, each
    /// time their number doubles, up to 64 samples of one of them. The seed decides which,
    /// and only programs are checked.
    pub(crate) fn checked(&self, block: Block) -> Range<u64> {
        let none = block.first..block.first;
        let Some(octave) = block.index.checked_ilog2().filter(|_| self.is_external()) else {
            return none;
        };
        let mut stream = self.streams.key("second draw").stream(octave.into());
        let begin = 1 << octave;
        if begin + below(&mut stream, begin) != block.index {
            return none;
        }
        let samples = block.samples.min(CHECKED);
        let first = block.first + below(&mut stream, block.samples - samples + 1);
        first..first + samples
    }

    /// Returns whether other programs draw its samples.
    pub fn is_external(&self) -> bool {
        self.sources
            .iter()
            .any(|source| source.task().is_external())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Plan;
    use experiment::Overrides;
    use task::{Draw, Replay, Value, Worker, coin};

    /// A task whose samples a program draws, sound or not, and which may have players that nobody has met.
    struct Program {
        is_sound: bool,
        has_unchecked: bool,
    }

    impl Task for Program {
        fn worker<'task>(
            &'task self,
            _: &Streams,
            _: &'task mut Workspace,
        ) -> Box<dyn Worker + 'task> {
            unreachable!("no sample is drawn")
        }

        fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
            Err(SampleError::new(draw.index, "nobody saw it"))
        }

        fn is_external(&self) -> bool {
            true
        }

        fn has_unchecked(&self) -> bool {
            self.has_unchecked
        }

        fn check_repeatable(&self, _: &Streams, _: Budget) -> Result<(), SampleError> {
            let differs = SampleError::new(7, "it differs");
            if self.is_sound { Ok(()) } else { Err(differs) }
        }
    }

    fn programs(programs: &[(bool, bool)], seed: u64) -> CompiledExperiment {
        let program = |&(is_sound, has_unchecked): &(bool, bool)| -> Box<dyn Task> {
            Box::new(Program {
                is_sound,
                has_unchecked,
            })
        };
        let tasks = programs.iter().map(program).collect();
        CompiledExperiment::new(tasks, &[], Streams::new(seed), Budget::UNLIMITED)
    }

    #[test]
    fn the_first_and_the_last_cell_and_those_with_other_players_are_checked() {
        let (sound, wrong, other) = ((true, false), (false, false), (false, true));
        let first = |cells: &[(bool, bool)]| {
            let checked = programs(cells, 1).check_repeatable();
            checked.err().map(|(cell, _)| cell)
        };
        assert_eq!(first(&[sound, wrong, sound]), None);
        assert_eq!(first(&[sound, sound, wrong]), Some(2));
        assert_eq!(first(&[wrong, sound, wrong]), Some(0));
        assert_eq!(first(&[sound, other, wrong]), Some(1));
    }

    /// Seeds 1 to 20: from each block of which as many came before as there are after it to twice its number, one is
    /// checked, at most 64 samples of it.
    #[test]
    fn a_part_of_one_block_is_drawn_twice_whenever_their_number_has_doubled() {
        for seed in 1..=20 {
            let compiled = programs(&[(true, false)], seed);
            for samples in [300, 40_000] {
                let plan = Plan::new(samples);
                let mut octaves = Vec::new();
                for block in plan.blocks() {
                    let checked = compiled.checked(block);
                    if checked.is_empty() {
                        continue;
                    }
                    octaves.push(block.index.ilog2());
                    let own = block.range();
                    assert!(own.start <= checked.start && checked.end <= own.end);
                    let expected = block.samples.min(CHECKED);
                    assert_eq!(checked.end - checked.start, expected);
                }
                let doublings = (plan.total_blocks() - 1).ilog2();
                octaves.retain(|&octave| octave < doublings);
                assert!(octaves.into_iter().eq(0..doublings), "seed {seed}");
            }
        }
        let inside = CompiledExperiment::new(Vec::new(), &[], Streams::new(1), Budget::UNLIMITED);
        assert!((Plan::new(300).blocks()).all(|block| inside.checked(block).is_empty()));
    }

    /// A task whose samples are their own numbers, and the number of none that was late.
    struct Numbers;

    impl Task for Numbers {
        fn worker<'task>(
            &'task self,
            _: &Streams,
            _: &'task mut Workspace,
        ) -> Box<dyn Worker + 'task> {
            task::worker_of(|draw, row| {
                row.push(Value::Exact(draw.index as i64));
                Ok(())
            })
        }

        fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
            Err(SampleError::new(draw.index, "nobody saw it"))
        }

        fn time_out(&self, row: &mut Row) -> bool {
            row.push(Value::Missing);
            true
        }
    }

    /// Of samples 5 to 14 of the second cell some were late, and some of the first one, which is not drawn.
    #[test]
    fn late_samples_and_no_others_are_what_their_task_makes_of_them() {
        let tasks: Vec<Box<dyn Task>> = vec![Box::new(Numbers), Box::new(Numbers)];
        let metrics = [Metric::total("number", "", "")];
        let compiled = CompiledExperiment::new(tasks, &metrics, Streams::new(1), Budget::UNLIMITED);
        for late in [&[][..], &[9], &[5, 6, 11], &[14], &[4, 8, 15]] {
            let of_first = [(0, 7), (0, 10)].into_iter();
            let timeouts = of_first
                .chain(late.iter().map(|&sample| (1, sample)))
                .collect();
            let mut rows = vec![Row::new(); 10];
            let place = (5, rows.as_mut_slice());
            compiled
                .draw_again(1, &mut Workspace::new(), place, &timeouts)
                .unwrap();
            for (sample, row) in (5..).zip(&rows) {
                let expected = if late.contains(&sample) {
                    Value::Missing
                } else {
                    Value::Exact(sample as i64)
                };
                assert_eq!(row.values(), [expected], "{sample} {late:?}");
            }
        }
    }

    /// A task without a limit on time draws a sample that was late once more, and all others as before.
    #[test]
    fn samples_between_late_ones_are_those_that_they_are() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 6\n[stop]\nsamples = 30\n\
                    [sweep]\np = [0.5, 0.75]\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let compiled = CompiledExperiment::of_experiment(&experiment.unwrap()).unwrap();
        let drawn = |late: &[(usize, u64)]| {
            let mut rows = vec![Row::new(); 20];
            let late = late.iter().copied().collect();
            let place = (5, rows.as_mut_slice());
            compiled
                .draw_again(1, &mut Workspace::new(), place, &late)
                .unwrap();
            rows
        };
        let all = drawn(&[]);
        assert!((0..all.len() - 1).any(|at| all[at] != all[at + 1]));
        for late in [
            &[(1, 5)][..],
            &[(1, 9)],
            &[(1, 24)],
            &[(0, 7), (1, 8), (1, 9), (1, 30)],
        ] {
            assert!(drawn(late) == all, "{late:?}");
        }
    }
}
