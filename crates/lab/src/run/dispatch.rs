//! Hands blocks to threads in index order and returns the finished ones.
//!
//! A shared counter inside a broadcast keeps the finished blocks close to a prefix. A parallel
//! iterator would scatter them, and counting whatever has finished would favour quick samples.

use std::any::Any;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::cell_limits::CellLimits;
use super::compiled_experiment::CompiledExperiment;
use super::fault::{Cause, Fault};
use super::finished_block::FinishedBlock;
use super::known::{KnownBlock, KnownCells};
use super::plan::{Block, Plan};
use super::race::{RaceLane, TimedRace};
use super::tally::{BlockTally, Timeouts};
use base::threads;
use task::{Row, Workspace};

/// Samples of one cell between two switches to the next cell, at most.
const CHUNK: u64 = 512;
/// Samples of all cells that a thread holds at once, about.
const HELD: u64 = 1 << 13;
/// Finished blocks that may wait for an earlier one, for each thread.
const WAITING: usize = 16;
/// The bytes that the tallies of blocks that wait may take together, about.
const WAITING_BYTES: u64 = 16 << 20;

/// Blocks being worked on by a pool of threads.
pub(super) struct Dispatch {
    queue: Arc<Queue>,
    results: Receiver<Result<FinishedBlock, Fault>>,
}

/// Blocks to be handed out, in index order.
pub(super) type Blocks = Box<dyn Iterator<Item = Block> + Send>;

struct Queue {
    compiled: Arc<CompiledExperiment>,
    keep_samples: bool,
    known: Option<Arc<dyn KnownCells>>,
    race: Option<Arc<TimedRace>>,
    /// Blocks that may be handed out and not stored yet.
    window: usize,
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    blocks: Blocks,
    /// The cells that draw no more.
    limits: Arc<CellLimits>,
    /// Handed out and not stored yet.
    in_flight: BTreeSet<Block>,
    closed: bool,
}

impl Dispatch {
    /// Starts the threads on `blocks`. In a race nothing else happens while a thread measures, so no
    /// finished block waits.
    pub(crate) fn start(
        compiled: Arc<CompiledExperiment>,
        (blocks, limits): (Blocks, CellLimits),
        (plan, threads): (&Plan, usize),
        (keep_samples, known): (bool, Option<Arc<dyn KnownCells>>),
        race: Option<Arc<TimedRace>>,
    ) -> std::io::Result<Self> {
        let waiting = race.is_none().then(|| waiting(&compiled, plan, threads));
        let queue = Arc::new(Queue {
            compiled,
            keep_samples,
            known,
            race,
            window: threads + waiting.unwrap_or(0),
            state: Mutex::new(QueueState {
                blocks,
                limits: Arc::new(limits),
                in_flight: BTreeSet::new(),
                closed: false,
            }),
            changed: Condvar::new(),
        });
        let pool = threads::pool(threads)?;
        let (sender, results) = sync_channel(queue.window);
        let shared = Arc::clone(&queue);
        threads::spawn("dispatch", move || {
            pool.broadcast(|_| shared.work(&sender));
        })?;
        Ok(Self { queue, results })
    }

    /// Hands out no further block.
    pub(crate) fn close(&self) {
        self.queue.close();
    }

    /// The next finished block or fault; `Ok(None)` when the wait was in vain, `Err` when all
    /// threads have ended.
    pub(crate) fn next(&self, wait: Duration) -> Result<Option<Result<FinishedBlock, Fault>>, ()> {
        use std::sync::mpsc::RecvTimeoutError;
        match self.results.recv_timeout(wait) {
            Ok(result) => Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    /// Notes that `block` is stored, which makes room for another.
    pub(crate) fn stored(&self, block: Block) {
        self.queue.state().in_flight.remove(&block);
        self.queue.changed.notify_all();
    }

    /// Notes the cells that draw no more, in blocks that are handed out from now on.
    pub(crate) fn limit(&self, limits: &CellLimits) {
        let mut state = self.queue.state();
        if *state.limits != *limits {
            state.limits = Arc::new(limits.clone());
        }
    }

    /// The blocks handed out and not stored yet, finished or not.
    pub(crate) fn in_flight(&self) -> Vec<Block> {
        self.queue.state().in_flight.iter().copied().collect()
    }
}

impl Queue {
    fn work(&self, results: &SyncSender<Result<FinishedBlock, Fault>>) {
        let mut workspace = Workspace::new();
        let mut rows = vec![Vec::new(); self.compiled.cells()];
        let mut lane = None;
        while let Some((block, limits)) = self.take() {
            let mut draw = |limits: Arc<CellLimits>| {
                self.run_block(&mut workspace, &mut rows, (block, &limits))
            };
            let result = match &self.race {
                Some(race) => race_block(race, &mut lane, block),
                None => {
                    draw(limits).or_else(|fault| draw(self.excused(&fault, block).ok_or(fault)?))
                }
            };
            if result.is_err() {
                self.close();
            }
            if results.send(result).is_err() {
                return;
            }
        }
    }

    /// The state; a thread that panicked while it held it has left nothing half done.
    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// The next block, as soon as there is room for it, and the cells that draw no more.
    fn take(&self) -> Option<(Block, Arc<CellLimits>)> {
        let full = |state: &mut QueueState| !state.closed && state.in_flight.len() >= self.window;
        let waited = self.changed.wait_while(self.state(), full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return None;
        }
        let block = state.blocks.next()?;
        state.in_flight.insert(block);
        Some((block, Arc::clone(&state.limits)))
    }

    /// The cells that draw no more once all blocks before `block` are stored, if one of them is that of a fault in it:
    /// on one thread, the sample would not have been drawn.
    fn excused(&self, fault: &Fault, block: Block) -> Option<Arc<CellLimits>> {
        let waits = |state: &mut QueueState| {
            !state.closed && state.in_flight.first().is_some_and(|first| *first < block)
        };
        let waited = self.changed.wait_while(self.state(), waits);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        let is_settled = state.limits.is_settled(fault.cell, block.first);
        is_settled.then(|| Arc::clone(&state.limits))
    }

    /// Runs a block chunk by chunk, all cells on the same samples, so that memory does not grow
    /// with the block.
    fn run_block(
        &self,
        workspace: &mut Workspace,
        rows: &mut [Vec<Row>],
        (block, limits): (Block, &CellLimits),
    ) -> Result<FinishedBlock, Fault> {
        let known = self.known(block)?;
        let mut finished = self.begin(block, known.as_ref());
        let cells = (0..).zip(&mut finished.seconds);
        let left_out = cells.filter(|(cell, _)| limits.is_settled(*cell, block.first));
        left_out.for_each(|(_, seconds)| *seconds = None);
        let checked = self.compiled.checked(block);
        let step = chunk(&self.compiled) as usize;
        for first in block.range().step_by(step) {
            let count = (block.range().end - first).min(step as u64) as usize;
            for (cell, rows) in rows.iter_mut().enumerate() {
                let Some(seconds) = &mut finished.seconds[cell] else {
                    let offset = (first - block.first) as usize;
                    let kept = known
                        .as_ref()
                        .map(|known| known.samples(cell, offset, count));
                    rows.clear();
                    rows.extend_from_slice(kept.unwrap_or_default());
                    continue;
                };
                let started = Instant::now();
                rows.reserve_exact(count.saturating_sub(rows.len()));
                rows.resize_with(count, Row::new);
                self.run_cell(cell, workspace, (first, rows), known.as_ref())?;
                *seconds += started.elapsed().as_secs_f64();
                self.check_cell(cell, (first, rows), &checked)?;
            }
            finished.take_in(&self.compiled, rows, first);
        }
        if !checked.is_empty() {
            self.compiled.programs().end_second();
        }
        known.map_or(Ok(()), |known| finished.complete(&self.compiled, known))?;
        Ok(finished)
    }

    /// A block without samples, of whose cells those are to be drawn that are not `known`.
    fn begin(&self, block: Block, known: Option<&KnownBlock>) -> FinishedBlock {
        let cells = self.compiled.cells();
        let drawn = known.map_or_else(
            || vec![true; cells],
            |known| known.drawn(&self.compiled, self.keep_samples),
        );
        FinishedBlock {
            block,
            tally: BlockTally::new(&self.compiled),
            seconds: drawn.iter().map(|drawn| drawn.then_some(0.0)).collect(),
            samples: self.keep_samples.then(|| vec![Vec::new(); cells]),
            timings: Vec::new(),
            troubles: Vec::new(),
        }
    }

    /// The cells of a block that need not be drawn.
    fn known(&self, block: Block) -> Result<Option<KnownBlock>, Fault> {
        let known = self.known.as_ref().map(|known| known.of_block(&block));
        let known = known.transpose().map_err(|error| {
            let told = format!("what is stored of it cannot be read: {error}");
            Fault::new(0, block.first, Cause::Error(told))
        });
        known.map(Option::flatten)
    }

    fn run_cell(
        &self,
        cell: usize,
        workspace: &mut Workspace,
        (first, rows): (u64, &mut [Row]),
        known: Option<&KnownBlock>,
    ) -> Result<(), Fault> {
        let none = Timeouts::new();
        let timeouts = known.map_or(&none, |known| known.tally.timeouts());
        match self.attempt(cell, workspace, (first, rows), timeouts) {
            Err(fault) if matches!(fault.cause, Cause::Panic(_)) => {
                Err(self.alone(fault, first, rows))
            }
            result => result,
        }
    }

    /// Draws those samples of `checked` that are among the rows from `first` on once more, the last
    /// first and by second processes: a program that keeps to its seeds only at the start of a run is found.
    fn check_cell(
        &self,
        cell: usize,
        (first, rows): (u64, &mut [Row]),
        checked: &Range<u64>,
    ) -> Result<(), Fault> {
        let drawn = (first..).zip(rows);
        let mut chosen: Vec<_> = drawn
            .filter(|(sample, _)| checked.contains(sample))
            .collect();
        if chosen.is_empty() {
            return Ok(());
        }
        chosen.reverse();
        let redraw = |(sample, row)| {
            let redrawn = self.compiled.source(cell).redraw(sample, row);
            redrawn.map_err(|error| Fault::new(cell, error.sample, Cause::Error(error.message)))
        };
        let programs = self.compiled.programs();
        programs.by_second(|| chosen.into_iter().try_for_each(redraw))
    }

    fn attempt(
        &self,
        cell: usize,
        workspace: &mut Workspace,
        (first, rows): (u64, &mut [Row]),
        timeouts: &Timeouts,
    ) -> Result<(), Fault> {
        let draw = || (self.compiled).draw_again(cell, workspace, (first, rows), timeouts);
        let draw = AssertUnwindSafe(draw);
        let (sample, cause) = match catch_unwind(draw) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => (error.sample, Cause::Error(error.message)),
            Err(panic) => (first, Cause::Panic(panic_message(panic.as_ref()))),
        };
        Err(Fault::new(cell, sample, cause))
    }

    /// The fault of the first sample that panics alone, too, for a fault of the samples from
    /// `first` on. Those whose rows are whole did not.
    fn alone(&self, fault: Fault, first: u64, rows: &[Row]) -> Fault {
        let metrics = self.compiled.metrics().len();
        let whole = rows.iter().take_while(|row| row.values().len() == metrics);
        let from = first + whole.count() as u64;
        let retried = (from..first + rows.len() as u64).find_map(|sample| {
            let (mut workspace, mut row) = (Workspace::new(), [Row::new()]);
            let row = (sample, row.as_mut_slice());
            self.attempt(fault.cell, &mut workspace, row, &Timeouts::new())
                .err()
        });
        retried.unwrap_or(fault)
    }
}

/// Races a block by the entrants of a thread, which are made before the first one.
fn race_block(
    race: &Arc<TimedRace>,
    lane: &mut Option<RaceLane>,
    block: Block,
) -> Result<FinishedBlock, Fault> {
    let raced = catch_unwind(AssertUnwindSafe(|| {
        let own = match lane.take() {
            Some(own) => own,
            None => RaceLane::of(race)?,
        };
        lane.insert(own).run(block)
    }));
    raced.unwrap_or_else(|panic| {
        let cause = Cause::Panic(panic_message(panic.as_ref()));
        Err(Fault::new(0, block.first, cause))
    })
}

/// The finished blocks that may wait for an earlier one, as many as their memory allows: none in a very wide sweep.
fn waiting(compiled: &CompiledExperiment, plan: &Plan, threads: usize) -> usize {
    let tally = BlockTally::text_size(compiled, plan.block_size()).max(1);
    let room = usize::try_from(WAITING_BYTES / tally).unwrap_or(usize::MAX);
    room.min(WAITING * threads)
}

/// Samples of one cell between two switches to the next.
fn chunk(compiled: &CompiledExperiment) -> u64 {
    let cells = compiled.cells().max(1) as u64;
    (HELD / cells).clamp(1, CHUNK).next_power_of_two()
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use experiment::{Experiment, Overrides};
    use task::coin;

    /// Sixteen for each thread, and of very many threads as many as fit into the memory.
    #[test]
    fn finished_blocks_wait_as_far_as_their_threads_and_the_memory_allow() {
        let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 1\n[stop]\nsamples = 1000\n\
                    [sweep]\np = [0.5, 0.75]\n";
        let experiment = Experiment::parse(text, "x.toml", coin::GAMES, &Overrides::default());
        let compiled = CompiledExperiment::of_experiment(&experiment.unwrap()).unwrap();
        let plan = Plan::new(1_000);
        assert_eq!(waiting(&compiled, &plan, 1), 16);
        assert_eq!(waiting(&compiled, &plan, 3), 48);
        let most = (16 << 20) / BlockTally::text_size(&compiled, plan.block_size());
        assert_eq!(waiting(&compiled, &plan, 1 << 20), most as usize);
    }
}
