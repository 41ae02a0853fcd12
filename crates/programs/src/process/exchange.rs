//! What is written to a child process and heard of it: lines, whole outputs, silence without end.

use std::io::{ErrorKind, Read};
use std::time::{Duration, Instant};

use super::ending::ending;
use super::{GLANCE, LONGEST_LINE, Process};
use task::outside::{WorkerError, WorkerErrorKind, seconds};

/// The longest time between two looks at what a program has used of the processor: one of many threads
/// uses more than the time that passes.
const LOOK: Duration = Duration::from_millis(50);

/// The reads that hear out what a program wrote before its end.
const MOST_READS: u32 = 64;

impl Process {
    /// Writes `bytes`, taking in meanwhile what the program writes.
    ///
    /// # Errors
    /// If it reads nothing for `patience`, or closes its input before it could do `what`, or
    /// writes a line without end.
    pub fn send(
        &mut self,
        bytes: &[u8],
        patience: Duration,
        what: &str,
    ) -> Result<(), WorkerError> {
        self.output.forget_last();
        let is_sent = self.write(bytes, |process, last| {
            let left = process.left(last, patience);
            if left.is_zero() {
                let waited = seconds(patience);
                let problem =
                    format_args!("read nothing in {waited}: does it read its input line by line?");
                return Err(process.error(WorkerErrorKind::Silent, problem));
            }
            process.wait(left, true).map(drop)
        })?;
        if is_sent {
            Ok(())
        } else {
            Err(self.ended("input", what))
        }
    }

    /// Writes `bytes`, and lets `wait` pass the time where there is no room, with the time at which it read
    /// last. Returns whether the program has read until the end.
    fn write(
        &mut self,
        mut bytes: &[u8],
        mut wait: impl FnMut(&mut Self, Instant) -> Result<(), WorkerError>,
    ) -> Result<bool, WorkerError> {
        let mut last = Instant::now();
        while !bytes.is_empty() {
            match self.pipes.write(bytes) {
                Ok(Some(count)) => {
                    bytes = &bytes[count..];
                    last = Instant::now();
                }
                Ok(None) => wait(self, last)?,
                Err(_) => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The next line that is not blank, without its end.
    ///
    /// # Errors
    /// If no whole line comes within `patience`, or the program ends before it could do `what`, or the
    /// line has no end.
    pub fn receive(&mut self, patience: Duration, what: &str) -> Result<&[u8], WorkerError> {
        let (begun, mut blank) = (Instant::now(), 0);
        loop {
            if let Some(range) = self.output.next_line() {
                if !self.output.buffer[range.clone()].trim_ascii().is_empty() {
                    return Ok(&self.output.buffer[range]);
                }
                blank += 1;
                if blank > LONGEST_LINE {
                    return Err(self.endless());
                }
                continue;
            }
            if self.output.is_endless() {
                return Err(self.endless());
            }
            if self.pipes.output.is_none() {
                return Err(self.ended("output", what));
            }
            self.hear(patience, begun, false)?;
        }
    }

    /// Returns all bytes that the program writes until it closes its output; of more than
    /// [`LONGEST_LINE`] the end, unless the output is received as a whole.
    ///
    /// # Errors
    /// If the end does not come within `patience`, or the whole is too large.
    pub(crate) fn receive_all(&mut self, patience: Duration) -> Result<&[u8], WorkerError> {
        let begun = Instant::now();
        while self.pipes.output.is_some() && !self.has_answered_and_ended() {
            self.hear(patience, begun, false)?;
            match self.limits.whole {
                None => self.output.keep_end(LONGEST_LINE),
                Some(most) if self.output.rest().len() > most => {
                    let (name, most) = (&self.name, most >> 20);
                    return Err(WorkerError::fault(format!(
                        "{name} wrote more than {most} MiB to standard output"
                    )));
                }
                Some(_) => {}
            }
        }
        Ok(self.output.rest())
    }

    /// Returns whether it has ended with an answer, whatever it left behind, if that is enough.
    fn has_answered_and_ended(&mut self) -> bool {
        if !self.limits.ends_alone || self.status().is_none() {
            return false;
        }
        // What it wrote is there already; what goes on writing is not heard out.
        let mut reads = 0;
        while reads < MOST_READS && self.pipes.readable(Duration::ZERO, false)[0] {
            self.output.read(&mut self.pipes.output);
            self.output.keep_end(LONGEST_LINE);
            reads += 1;
        }
        !self.output.rest().trim_ascii().is_empty()
    }

    /// Returns whether something keeps its standard output open after its end.
    pub(crate) fn is_outlived(&self) -> bool {
        self.tree.process.known_end().is_some() && self.pipes.output.is_some()
    }

    /// Writes all of its input, taking in meanwhile what it writes, and closes it. It need not read it.
    ///
    /// # Errors
    /// If it reads nothing for `patience`.
    pub(crate) fn feed(&mut self, input: &[u8], patience: Duration) -> Result<(), WorkerError> {
        self.write(input, |process, last| {
            process.hear(patience, last, true)?;
            process.output.keep_end(LONGEST_LINE);
            Ok(())
        })?;
        self.pipes.input = None;
        Ok(())
    }

    /// Waits for anything to read, or with `to_write` for room to write, at most until `patience` has
    /// passed since its answer `begun`: a byte now and then is none.
    fn hear(
        &mut self,
        patience: Duration,
        begun: Instant,
        to_write: bool,
    ) -> Result<(), WorkerError> {
        let left = self.left(begun, patience);
        if left.is_zero() {
            return Err(self.silent(patience));
        }
        let left = if self.limits.ends_alone {
            left.min(LOOK)
        } else {
            left
        };
        // Most answers come before a look at what was used is worth its time.
        let first = self.limits.allowance.map_or(left, |_| left.min(GLANCE));
        let is_heard = self.wait(first, to_write)?;
        if let Some(allowance) = self.limits.allowance.filter(|_| !is_heard) {
            let Some(until) = self.left_of_processor(allowance) else {
                let told = "used all the time of the processor that it may";
                return Err(self.error(WorkerErrorKind::Capped, told));
            };
            self.wait(left.min(until), to_write)?;
        }
        Ok(())
    }

    /// The error of a program that gave no answer within `patience`.
    fn silent(&mut self, patience: Duration) -> WorkerError {
        // At its deadline a program may just have ended.
        let is_late = self
            .limits
            .deadline
            .is_some_and(|end| Instant::now() >= end);
        let status = self.status().filter(|_| !is_late);
        if let Some(status) = status {
            return self.fault(format_args!(
                "ended ({}), but a process that it started keeps its standard output open: it must \
                 wait for what it starts",
                ending(status)
            ));
        }
        let waited = seconds(patience);
        let said = match self.output.rest() {
            [] => "said nothing",
            _ => "gave no whole answer",
        };
        let problem = format_args!("{said} in {waited}: does it flush its output?");
        self.error(WorkerErrorKind::Silent, problem)
    }

    fn endless(&self) -> WorkerError {
        self.fault(format_args!(
            "wrote a line longer than {LONGEST_LINE} bytes: end each answer with a newline"
        ))
    }

    /// Waits for anything to read, or with `to_write` for room to write; takes in what there is.
    /// Returns whether standard output had any.
    fn wait(&mut self, patience: Duration, to_write: bool) -> Result<bool, WorkerError> {
        let [output, errors] = self.pipes.readable(patience, to_write);
        if errors {
            self.hear_errors();
        }
        if output {
            if to_write && self.output.is_endless() {
                return Err(self.endless());
            }
            self.output.read(&mut self.pipes.output);
        }
        Ok(output)
    }

    pub(super) fn hear_errors(&mut self) {
        let mut bytes = [0; 1 << 14];
        match self.pipes.errors.as_mut().map(|pipe| pipe.read(&mut bytes)) {
            Some(Ok(count)) if count > 0 => self.tail.push(&bytes[..count]),
            Some(Err(error)) if error.kind() == ErrorKind::Interrupted => {}
            _ => self.pipes.errors = None,
        }
    }

    /// The time that is left of a patience that began at `last`.
    fn left(&self, last: Instant, patience: Duration) -> Duration {
        let left = patience.saturating_sub(last.elapsed());
        let until = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let deadline = self.limits.deadline;
        deadline.map_or(left, |deadline| left.min(until(deadline)))
    }

    /// The time before it can have used all that it is allowed; `None` of one that has.
    fn left_of_processor(&self, allowance: f64) -> Option<Duration> {
        let left = allowance - self.seconds().unwrap_or(0.0);
        (left > 0.0).then(|| Duration::from_secs_f64(left.min(1.0)).clamp(GLANCE, LOOK))
    }
}
