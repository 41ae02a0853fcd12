//! The execution of a run: blocks go out, tallies come in and are merged in index order, until the run is done,
//! stopped or at fault.

use std::collections::BTreeMap;
use std::io;
use std::iter::Peekable;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use experiment::Experiment;

use super::cell_limits::CellLimits;
use super::compiled_experiment::CompiledExperiment;
use super::dispatch::{Blocks, Dispatch};
use super::ended::Ended;
use super::finished_block::FinishedBlock;
use super::interrupt::{Interrupt, Urgency};
use super::known::KnownCells;
use super::observer::{Observer, Progress};
use super::plan::Plan;
use super::race::{RatioWatch, TimedRace};
use super::stop::{StopReason, is_look, settled};
use super::stored_blocks::StoredBlocks;
use super::tally::BlockTally;

/// A store of finished blocks, in index order.
pub(crate) trait Sink {
    /// Stores a block for good before the run counts it.
    ///
    /// # Errors
    /// If it cannot be stored; the run then ends.
    fn store(&mut self, block: &FinishedBlock) -> io::Result<()>;
}

/// A run to be made.
pub(crate) struct Run<'run> {
    /// The cells, their tasks and their metrics.
    pub compiled: Arc<CompiledExperiment>,
    /// The samples, in blocks.
    pub plan: Plan,
    /// The sample from which on a block may begin only in a later session.
    pub to: u64,
    /// Worker threads, at least 1.
    pub threads: usize,
    /// True if finished blocks carry their samples.
    pub keep_samples: bool,
    /// The blocks that an earlier run stored.
    pub stored: StoredBlocks,
    /// The cells that a run of other cells has stored of the other blocks.
    pub known: Option<Arc<dyn KnownCells>>,
    /// The experiment whose stop rule may end the run at a look; `None` to run all samples.
    pub looks: Option<&'run Experiment>,
    /// The race whose times are measured beside the samples; `None` of any other run.
    pub race: Option<Arc<TimedRace>>,
    /// A person's wish to stop.
    pub interrupt: &'run Interrupt,
}

/// The time after which a run looks for requests to stop while no block finishes.
const PATIENCE: Duration = Duration::from_millis(50);

impl Run<'_> {
    /// Makes the run. Returns how it ended, the samples done and their tally, or why it could not
    /// start.
    ///
    /// # Errors
    /// If its threads cannot be started.
    pub(crate) fn execute(
        mut self,
        sink: &mut dyn Sink,
        observer: &mut dyn Observer,
    ) -> io::Result<(Ended, u64, BlockTally)> {
        let [missing, expected] = [(); 2].map(|()| self.missing(0..self.to));
        let waits = self.missing(self.to..u64::MAX).next().is_some();
        let resumed = self.stored.samples(&self.plan);
        let limits = std::mem::take(&mut self.stored.limits);
        let stored = std::mem::take(&mut self.stored).into_tally();
        let mut state = Merger {
            run: &self,
            sink,
            observer,
            expected: expected.peekable(),
            waits,
            pending: BTreeMap::new(),
            merged: stored.unwrap_or_else(|| BlockTally::new(&self.compiled)),
            limits,
            done: resumed,
            resumed,
            planned: self.plan.shard_samples(),
            watch: (self.race.as_ref())
                .map(|race| RatioWatch::new(&race.experiment, race.costs.clone())),
        };
        state.report();
        if let Some(reason) = state.settled() {
            return Ok(state.end(Ended::Complete(reason)));
        }
        if state.expected.peek().is_none() {
            let ended = state.last_end();
            return Ok(state.end(ended));
        }
        let dispatch = Dispatch::start(
            Arc::clone(&self.compiled),
            (missing, state.limits.clone()),
            (&self.plan, self.threads.max(1)),
            (self.keep_samples, self.known.clone()),
            self.race.clone(),
        )?;
        let ended = state.collect(&dispatch);
        dispatch.close();
        Ok(state.end(ended))
    }

    /// The reason for which a run of all its samples does not go on.
    fn last_reason(&self) -> StopReason {
        let raced = self.race.as_ref().map(|race| &race.experiment);
        if self.looks.or(raced).is_some_and(Experiment::has_rule) {
            StopReason::MaxSamples
        } else {
            StopReason::Samples
        }
    }

    /// The blocks to be run that begin with one of these samples, in index order.
    fn missing(&self, firsts: Range<u64>) -> Blocks {
        let stored = self.stored.indices();
        let blocks = self.plan.blocks();
        let blocks = blocks.skip_while(move |block| block.first < firsts.start);
        let blocks = blocks.take_while(move |block| block.first < firsts.end);
        Box::new(blocks.filter(move |block| !stored.contains(&block.index)))
    }
}

/// The merging side of a run.
struct Merger<'run> {
    run: &'run Run<'run>,
    sink: &'run mut dyn Sink,
    observer: &'run mut dyn Observer,
    /// Blocks to be stored, in index order.
    expected: Peekable<Blocks>,
    /// True if a later session is to draw more.
    waits: bool,
    /// Finished blocks that wait for an earlier one.
    pending: BTreeMap<u64, FinishedBlock>,
    merged: BlockTally,
    /// The cells that draw no more.
    limits: CellLimits,
    done: u64,
    resumed: u64,
    planned: u64,
    /// The times of a race so far.
    watch: Option<RatioWatch<'run>>,
}

impl Merger<'_> {
    fn collect(&mut self, dispatch: &Dispatch) -> Ended {
        let mut draining = false;
        let mut fault = None;
        loop {
            match self.run.interrupt.urgency() {
                Urgency::Abort => {
                    let under_way = dispatch.in_flight();
                    return Ended::Aborted(under_way.iter().map(|block| block.samples).sum());
                }
                Urgency::Drain if !draining => {
                    draining = true;
                    dispatch.close();
                    self.observer.draining();
                }
                _ => {}
            }
            match dispatch.next(PATIENCE) {
                Ok(None) => {}
                Ok(Some(Err(earlier))) => fault = Some(fault.unwrap_or(earlier)),
                Ok(Some(Ok(block))) => match self.accept(block, dispatch) {
                    Ok(None) => {}
                    Ok(Some(reason)) => return Ended::Complete(reason),
                    Err(error) => return Ended::Unstored(error.to_string()),
                },
                Err(()) => break,
            }
        }
        match fault {
            Some(fault) => Ended::Fault(fault),
            None if self.expected.peek().is_none() => self.last_end(),
            None => Ended::Interrupted,
        }
    }

    /// The end of a session that has drawn all that it may.
    fn last_end(&self) -> Ended {
        if self.waits {
            return Ended::Waiting;
        }
        Ended::Complete(self.run.last_reason())
    }

    /// Stores and merges what has become the next block. Nothing after the look that settles
    /// the question is stored.
    fn accept(
        &mut self,
        finished: FinishedBlock,
        dispatch: &Dispatch,
    ) -> io::Result<Option<StopReason>> {
        self.pending.insert(finished.block.index, finished);
        while let Some(next) = self.expected.peek()
            && let Some(mut block) = self.pending.remove(&next.index)
        {
            block.cut(&self.run.compiled, &self.limits);
            self.sink.store(&block)?;
            self.merged.merge(&block.tally);
            let drawn = block.block;
            let is_content = self.watch_times(&block);
            // Its memory is free before another is handed out.
            drop(block);
            self.done += drawn.samples;
            self.expected.next();
            self.report();
            let reason = is_content.then_some(StopReason::Ratio);
            let reason = reason.or_else(|| self.settled());
            if reason.is_some() {
                return Ok(reason);
            }
            dispatch.limit(&self.limits);
            dispatch.stored(drawn);
        }
        Ok(None)
    }

    /// Takes in the times of a block; returns whether the rule of a race is content with them.
    fn watch_times(&mut self, block: &FinishedBlock) -> bool {
        let troubles = block.troubles.iter();
        troubles.for_each(|trouble| self.observer.trouble(trouble));
        let watch = self.watch.as_mut();
        watch.is_some_and(|watch| watch.is_content_with(&block.timings))
    }

    /// Returns whether the run may stop here: only at a look, with all samples before it. Cells may draw no more from
    /// there on.
    fn settled(&mut self) -> Option<StopReason> {
        let experiment = self.run.looks?;
        let next = self.expected.peek();
        let prefix = next.map_or(self.planned, |block| block.first);
        if prefix != self.done || !is_look(self.done, self.planned) {
            return None;
        }
        let (compiled, plan) = (&self.run.compiled, &self.run.plan);
        let seen = (self.done, &self.merged);
        self.limits.look(experiment, (compiled, plan), seen);
        settled(experiment, compiled, &self.merged)
    }

    fn report(&mut self) {
        self.observer.progress(Progress {
            done: self.done,
            resumed: self.resumed,
            planned: self.planned,
            tally: &self.merged,
            limits: &self.limits,
            watch: self.watch.as_ref(),
        });
    }

    fn end(self, ended: Ended) -> (Ended, u64, BlockTally) {
        self.observer.ended();
        (ended, self.done, self.merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::below;
    use std::sync::atomic::{AtomicU64, Ordering};
    use task::{Metric, TaskSpec, Value};

    /// Asks to stop while the second block is drawn, and counts how often it is told that nothing new begins.
    struct Stopper<'run> {
        interrupt: &'run Interrupt,
        drawn: Arc<AtomicU64>,
        told: usize,
    }

    impl Observer for Stopper<'_> {
        fn progress(&mut self, progress: Progress<'_>) {
            if progress.done > 0 && self.interrupt.urgency() == Urgency::None {
                while self.drawn.load(Ordering::SeqCst) <= progress.done {
                    std::thread::yield_now();
                }
                self.interrupt.request();
            }
        }

        fn draining(&mut self) {
            self.told += 1;
        }
    }

    struct Nowhere;

    impl Sink for Nowhere {
        fn store(&mut self, _: &FinishedBlock) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_run_that_is_asked_to_stop_says_once_that_it_only_ends_what_is_under_way() {
        let drawn = Arc::new(AtomicU64::new(0));
        let count = Arc::clone(&drawn);
        let metrics = vec![Metric::flag("heads", "")];
        let coin = TaskSpec::simple("coin/toss", "A coin", metrics, move |stream, row| {
            count.fetch_add(1, Ordering::SeqCst);
            row.push(Value::flag(below(stream, 2) == 1));
        });
        let text = "question = \"?\"\ntask = \"coin/toss\"\nseed = 1\n[stop]\nsamples = 100000";
        let experiment = Experiment::of_task(coin, text);
        let experiment = experiment.unwrap_or_else(|error| panic!("{}", error.render(false)));
        let compiled = Arc::new(CompiledExperiment::of_experiment(&experiment).unwrap());
        let interrupt = Interrupt::new();
        let mut stopper = Stopper {
            interrupt: &interrupt,
            drawn,
            told: 0,
        };
        let run = Run {
            compiled,
            plan: Plan::of(&experiment),
            to: u64::MAX,
            threads: 1,
            keep_samples: false,
            stored: StoredBlocks::default(),
            known: None,
            looks: None,
            race: None,
            interrupt: &interrupt,
        };
        let (ended, done, tally) = run.execute(&mut Nowhere, &mut stopper).unwrap();
        assert_eq!((ended, stopper.told), (Ended::Interrupted, 1));
        assert!(done < 100_000 && tally.cell(0)[0].count() == done);
    }
}
