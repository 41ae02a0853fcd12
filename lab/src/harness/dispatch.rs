//! Hands blocks to threads in index order and sends the finished ones back.
//!
//! A shared counter inside a broadcast keeps the finished blocks near a prefix; a parallel
//! iterator would scatter them, and counting whatever has finished favours quick samples.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use super::laboratory::{Laboratory, Reduction};
use super::plan::Block;
use super::run::FinishedBlock;
use super::tally::BlockTally;
use crate::task::{Row, Scratch};

/// Most samples of one cell between two switches to the next cell.
const CHUNK: usize = 512;

/// Rows of all cells that a thread holds, unless its cells are very many.
const ROWS: usize = 1 << 16;

/// A sample that could not be drawn. It is recorded and never counted as a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell}, sample {sample}: {cause}")]
pub struct Fault {
    /// The cell's number.
    pub cell: usize,
    /// The sample's index.
    pub sample: u64,
    /// What went wrong.
    pub cause: Cause,
}

/// What went wrong with a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The task has a mistake: what its panic said.
    #[error("the task panicked: {0}")]
    Panic(String),
    /// The task could not draw it, or drew what it does not declare: why.
    #[error("{0}")]
    Error(String),
}

/// Blocks being worked on by a pool of threads.
pub(super) struct Dispatch {
    queue: Arc<Queue>,
    results: Receiver<Result<FinishedBlock, Fault>>,
}

struct Queue {
    laboratory: Arc<Laboratory>,
    blocks: Vec<Block>,
    keep_samples: bool,
    next: AtomicUsize,
    closed: AtomicBool,
}

impl Dispatch {
    /// Starts `threads` threads on `blocks`.
    pub fn start(
        laboratory: Arc<Laboratory>,
        blocks: Vec<Block>,
        threads: usize,
        keep_samples: bool,
    ) -> std::io::Result<Self> {
        let queue = Arc::new(Queue {
            laboratory,
            blocks,
            keep_samples,
            next: AtomicUsize::new(0),
            closed: AtomicBool::new(false),
        });
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|i| format!("worker-{i}"))
            .build()
            .map_err(std::io::Error::other)?;
        let (sender, results) = sync_channel(4 * threads.max(1));
        let shared = Arc::clone(&queue);
        std::thread::Builder::new()
            .name("dispatch".into())
            .spawn(move || pool.broadcast(|_| shared.work(&sender)))?;
        Ok(Self { queue, results })
    }

    /// Hands out no further block.
    pub fn close(&self) {
        self.queue.closed.store(true, Ordering::SeqCst);
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

    /// The blocks handed out so far, finished or not.
    pub fn handed_out(&self) -> &[Block] {
        let taken = self.queue.next.load(Ordering::SeqCst);
        &self.queue.blocks[..taken.min(self.queue.blocks.len())]
    }
}

impl Queue {
    fn work(&self, results: &SyncSender<Result<FinishedBlock, Fault>>) {
        let mut scratch = Scratch::new();
        let mut rows = vec![Vec::new(); self.laboratory.cells()];
        while let Some(block) = self.take() {
            let result = self.run_block(&mut scratch, &mut rows, block);
            if result.is_err() {
                self.closed.store(true, Ordering::SeqCst);
            }
            if results.send(result).is_err() {
                return;
            }
        }
    }

    fn take(&self) -> Option<Block> {
        if self.closed.load(Ordering::SeqCst) {
            return None;
        }
        let position = self.next.fetch_add(1, Ordering::SeqCst);
        self.blocks.get(position).copied()
    }

    /// Runs a block chunk by chunk, all cells on the same samples, so that memory does not grow
    /// with the block.
    fn run_block(
        &self,
        scratch: &mut Scratch,
        rows: &mut [Vec<Row>],
        block: Block,
    ) -> Result<FinishedBlock, Fault> {
        let cells = rows.len();
        let mut finished = FinishedBlock {
            block,
            tally: BlockTally::new(&self.laboratory),
            seconds: vec![0.0; cells],
            samples: self.keep_samples.then(|| vec![Vec::new(); cells]),
        };
        let step = self.chunk() as usize;
        for first in block.range().step_by(step) {
            let count = (block.range().end - first).min(step as u64) as usize;
            for (cell, rows) in rows.iter_mut().enumerate() {
                let started = Instant::now();
                rows.resize_with(count, Row::new);
                self.run_cell(cell, scratch, first, rows)?;
                finished.seconds[cell] += started.elapsed().as_secs_f64();
            }
            finished.take_in(&self.laboratory, rows, first);
        }
        Ok(finished)
    }

    /// Samples of one cell between two switches: whole groups of strata, few where cells are many.
    fn chunk(&self) -> u64 {
        let strata = self.laboratory.reduction().map_or(1, Reduction::strata);
        let share = ROWS / self.laboratory.cells().max(1);
        let fitting = 1_u64 << share.clamp(8, CHUNK).ilog2();
        fitting.max(strata)
    }

    fn run_cell(
        &self,
        cell: usize,
        scratch: &mut Scratch,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), Fault> {
        match self.attempt(cell, scratch, first, rows) {
            Err(fault) if matches!(fault.cause, Cause::Panic(_)) => {
                Err(self.alone(fault, first, rows))
            }
            result => result,
        }
    }

    fn attempt(
        &self,
        cell: usize,
        scratch: &mut Scratch,
        first: u64,
        rows: &mut [Row],
    ) -> Result<(), Fault> {
        let draw = AssertUnwindSafe(|| self.laboratory.draw(cell, scratch, first, rows));
        let (sample, cause) = match catch_unwind(draw) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(error)) => (error.sample, Cause::Error(error.message)),
            Err(panic) => (first, Cause::Panic(panic_message(panic.as_ref()))),
        };
        Err(Fault {
            cell,
            sample,
            cause,
        })
    }

    /// The fault of the first sample that panics alone, too, for a fault of the samples from
    /// `first` on. Those whose rows are whole did not.
    fn alone(&self, fault: Fault, first: u64, rows: &[Row]) -> Fault {
        let metrics = self.laboratory.metrics().len();
        let whole = rows.iter().take_while(|row| row.values().len() == metrics);
        let from = first + whole.count() as u64;
        let retried = (from..first + rows.len() as u64).find_map(|sample| {
            let (mut scratch, mut row) = (Scratch::new(), [Row::new()]);
            self.attempt(fault.cell, &mut scratch, sample, &mut row)
                .err()
        });
        retried.unwrap_or(fault)
    }
}

impl FinishedBlock {
    /// Tallies the samples from `first` on of every cell.
    fn take_in(&mut self, laboratory: &Laboratory, rows: &[Vec<Row>], first: u64) {
        let rows: Vec<&[Row]> = rows.iter().map(Vec::as_slice).collect();
        self.tally.push(laboratory, first, &rows);
        for (kept, rows) in self.samples.iter_mut().flatten().zip(rows) {
            kept.extend_from_slice(rows);
        }
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "no message".to_owned())
}
