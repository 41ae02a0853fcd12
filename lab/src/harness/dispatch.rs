//! Hands blocks to threads in index order and sends the finished ones back.
//!
//! A shared counter inside a broadcast keeps the finished blocks near a prefix; a parallel
//! iterator would scatter them, and counting whatever has finished favours quick samples.

use std::any::Any;
use std::collections::BTreeSet;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::laboratory::Laboratory;
use super::plan::Block;
use super::run::FinishedBlock;
use super::tally::BlockTally;
use crate::task::{Row, Worker};

/// Samples of one cell between two switches to the next cell, at most.
const CHUNK: u64 = 256;
/// Samples of all cells that a thread holds at once, about.
const HELD: u64 = 1 << 15;
/// Finished blocks that may wait for an earlier one, for each thread.
const WAITING: usize = 16;
/// Cells from which on only one block may wait, for each takes much memory.
const WIDE: usize = 1024;

/// A sample whose task panicked, or gave values that its metrics do not allow. It is recorded and
/// never counted as a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell}, sample {sample}: {message}")]
pub struct Fault {
    /// The cell's number.
    pub cell: usize,
    /// The sample's index.
    pub sample: u64,
    /// What happened.
    pub message: String,
}

/// Blocks being worked on by a pool of threads.
pub(super) struct Dispatch {
    queue: Arc<Queue>,
    results: Receiver<Result<FinishedBlock, Fault>>,
}

/// Blocks to be handed out, in index order.
pub(super) type Blocks = Box<dyn Iterator<Item = Block> + Send>;

struct Queue {
    laboratory: Arc<Laboratory>,
    keep_samples: bool,
    /// Blocks that may be handed out and not stored yet.
    window: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    blocks: Blocks,
    /// Handed out and not stored yet.
    in_flight: BTreeSet<Block>,
    closed: bool,
}

impl Dispatch {
    /// Starts `threads` threads on `blocks`.
    pub fn start(
        laboratory: Arc<Laboratory>,
        blocks: Blocks,
        threads: usize,
        keep_samples: bool,
    ) -> std::io::Result<Self> {
        let waiting = match laboratory.cells() > WIDE {
            true => 1,
            false => WAITING * threads,
        };
        let queue = Arc::new(Queue {
            laboratory,
            keep_samples,
            window: threads + waiting,
            state: Mutex::new(State {
                blocks,
                in_flight: BTreeSet::new(),
                closed: false,
            }),
            changed: Condvar::new(),
        });
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("worker-{i}"))
            .build()
            .map_err(std::io::Error::other)?;
        let (sender, results) = sync_channel(queue.window);
        let shared = Arc::clone(&queue);
        std::thread::Builder::new()
            .name("dispatch".into())
            .spawn(move || pool.broadcast(|_| shared.work(&sender)))?;
        Ok(Self { queue, results })
    }

    /// Hands out no further block.
    pub fn close(&self) {
        self.queue.close();
    }

    /// The next finished block or fault; `Ok(None)` when the wait was in vain, `Err` when all
    /// threads have ended.
    pub fn next(&self, wait: Duration) -> Result<Option<Result<FinishedBlock, Fault>>, ()> {
        use std::sync::mpsc::RecvTimeoutError;
        match self.results.recv_timeout(wait) {
            Ok(result) => Ok(Some(result)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(()),
        }
    }

    /// Notes that `block` is stored, which makes room for another.
    pub fn stored(&self, block: Block) {
        self.queue.state().in_flight.remove(&block);
        self.queue.changed.notify_all();
    }

    /// The blocks handed out and not stored yet, finished or not.
    pub fn in_flight(&self) -> Vec<Block> {
        self.queue.state().in_flight.iter().copied().collect()
    }
}

impl Queue {
    fn work(&self, results: &SyncSender<Result<FinishedBlock, Fault>>) {
        let mut workers = self.laboratory.workers();
        let mut scratch = vec![vec![Row::new(); self.chunk() as usize]; workers.len()];
        while let Some(block) = self.take() {
            let result = self.run_block(&mut workers, &mut scratch, block);
            if result.is_err() {
                self.close();
            }
            if results.send(result).is_err() {
                return;
            }
        }
    }

    /// Samples of one cell between two switches to the next, whole groups of them.
    fn chunk(&self) -> u64 {
        let cells = self.laboratory.cells().max(1) as u64;
        let groups = self
            .laboratory
            .reduction()
            .map_or(1, |reduction| reduction.strata());
        let chunk = (HELD / cells).clamp(1, CHUNK).next_power_of_two();
        chunk.max(groups)
    }

    /// The state; a thread that panicked while it held it has left nothing half done.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        self.state().closed = true;
        self.changed.notify_all();
    }

    /// The next block, as soon as there is room for it.
    fn take(&self) -> Option<Block> {
        let full = |state: &mut State| !state.closed && state.in_flight.len() >= self.window;
        let waited = self.changed.wait_while(self.state(), full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if state.closed {
            return None;
        }
        let block = state.blocks.next()?;
        state.in_flight.insert(block);
        Some(block)
    }

    /// Runs a block chunk by chunk, all cells on the same samples, so that memory does not grow
    /// with the block.
    fn run_block(
        &self,
        workers: &mut [Box<dyn Worker + '_>],
        scratch: &mut [Vec<Row>],
        block: Block,
    ) -> Result<FinishedBlock, Fault> {
        let mut finished = FinishedBlock {
            block,
            tally: BlockTally::new(&self.laboratory),
            seconds: vec![0.0; workers.len()],
            samples: self.keep_samples.then(|| vec![Vec::new(); workers.len()]),
        };
        let (mut first, step) = (block.first, self.chunk());
        while first < block.range().end {
            let chunk = first..block.range().end.min(first + step);
            for (cell, worker) in workers.iter_mut().enumerate() {
                let started = Instant::now();
                self.run_cell(cell, worker.as_mut(), chunk.clone(), &mut scratch[cell])?;
                finished.seconds[cell] += started.elapsed().as_secs_f64();
            }
            finished.take_in(&self.laboratory, scratch, chunk.clone());
            first = chunk.end;
        }
        Ok(finished)
    }

    fn run_cell(
        &self,
        cell: usize,
        worker: &mut (dyn Worker + '_),
        samples: Range<u64>,
        rows: &mut [Row],
    ) -> Result<(), Fault> {
        for (row, sample) in rows.iter_mut().zip(samples) {
            let laboratory = &self.laboratory;
            let fault = |message| Fault {
                cell,
                sample,
                message,
            };
            catch_unwind(AssertUnwindSafe(|| {
                laboratory.draw_with(cell, worker, sample, row)
            }))
            .map_err(|panic| fault(panic_message(panic.as_ref())))?;
            row.check(laboratory.metrics())
                .map_err(|error| fault(error.to_string()))?;
        }
        Ok(())
    }
}

impl FinishedBlock {
    /// Tallies these samples, the first rows of every cell.
    fn take_in(&mut self, laboratory: &Laboratory, rows: &[Vec<Row>], samples: Range<u64>) {
        let count = (samples.end - samples.start) as usize;
        let rows: Vec<&[Row]> = rows.iter().map(|rows| &rows[..count]).collect();
        self.tally.push(laboratory, samples.start, &rows);
        for (kept, rows) in self.samples.iter_mut().flatten().zip(rows) {
            kept.extend_from_slice(rows);
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    format!(
        "the task panicked: {}",
        message.as_deref().unwrap_or("no message")
    )
}
