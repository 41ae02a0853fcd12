//! The streams of a process where nothing but a thread can wait for them: one reads each of what
//! the program writes, one writes, and all tell it in one channel of bounded size.

use std::io::{self, ErrorKind, Read, Write};
use std::process::Child;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use base::threads;

/// Bytes that are read or written at once.
const CHUNK: usize = 1 << 16;

/// Chunks that wait to be taken in.
const WAITING: usize = 8;

/// The shortest wait: what has been written is heard of by then.
const LEAST: Duration = Duration::from_millis(10);

/// The ends of a process's streams.
#[derive(Debug)]
pub(super) struct Pipes {
    pub(crate) input: Option<Input>,
    pub(crate) output: Option<Heard>,
    pub(crate) errors: Option<Heard>,
    events: Receiver<Event>,
}

/// The way to the thread that writes.
#[derive(Debug)]
pub(super) struct Input {
    chunks: SyncSender<Vec<u8>>,
    /// True while a chunk is written.
    is_busy: bool,
}

/// The bytes of a stream that were heard and not yet taken in.
#[derive(Debug, Default)]
pub(super) struct Heard {
    bytes: Vec<u8>,
    has_ended: bool,
}

#[derive(Debug)]
enum Event {
    /// Bytes of standard output, or of standard error; none at the end.
    Read {
        errors: bool,
        bytes: Vec<u8>,
    },
    Written(io::Result<()>),
}

impl Pipes {
    /// The streams of a child, which are piped.
    pub(crate) fn of(child: &mut Child) -> io::Result<Self> {
        let (sender, events) = sync_channel(WAITING);
        let mut pipes = Self {
            input: None,
            output: None,
            errors: None,
            events,
        };
        if let Some(output) = child.stdout.take() {
            pipes.output = Some(hear(output, false, sender.clone())?);
        }
        if let Some(errors) = child.stderr.take() {
            pipes.errors = Some(hear(errors, true, sender.clone())?);
        }
        if let Some(input) = child.stdin.take() {
            pipes.input = Some(Input::of(input, sender)?);
        }
        Ok(pipes)
    }

    /// Writes what there is room for at once; `None` where there is none now.
    ///
    /// # Errors
    /// If nobody reads any more.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        let input = self.input.as_mut().ok_or(ErrorKind::BrokenPipe)?;
        if input.is_busy {
            return Ok(None);
        }
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        let sent = input.chunks.send(chunk.to_vec());
        sent.map_err(|_| ErrorKind::BrokenPipe)?;
        input.is_busy = true;
        Ok(Some(chunk.len()))
    }

    /// Returns whether standard output and standard error can be read, once one of them can, there
    /// is room to write, or the time is over.
    pub(crate) fn readable(&mut self, patience: Duration, to_write: bool) -> [bool; 2] {
        let until = Instant::now().checked_add(patience.max(LEAST));
        loop {
            let readable = [&self.output, &self.errors].map(|heard| {
                let can = |heard: &Heard| heard.has_ended || !heard.bytes.is_empty();
                heard.as_ref().is_some_and(can)
            });
            let can_write = to_write && self.input.as_ref().is_none_or(|input| !input.is_busy);
            let left = until.map_or(Duration::MAX, |until| {
                until.saturating_duration_since(Instant::now())
            });
            if readable.contains(&true) || can_write {
                return readable;
            }
            match self.events.recv_timeout(left) {
                Ok(event) => self.take(event),
                Err(RecvTimeoutError::Timeout) => return readable,
                // All threads have ended.
                Err(RecvTimeoutError::Disconnected) => {
                    std::thread::sleep(patience.min(LEAST));
                    return readable;
                }
            }
        }
    }

    fn take(&mut self, event: Event) {
        match event {
            Event::Read { errors, bytes } => {
                let heard = if errors {
                    &mut self.errors
                } else {
                    &mut self.output
                };
                if let Some(heard) = heard {
                    heard.has_ended |= bytes.is_empty();
                    heard.bytes.extend(bytes);
                }
            }
            Event::Written(Ok(())) => {
                if let Some(input) = &mut self.input {
                    input.is_busy = false;
                }
            }
            Event::Written(Err(_)) => self.input = None,
        }
    }
}

impl Input {
    fn of(mut pipe: impl Write + Send + 'static, sender: SyncSender<Event>) -> io::Result<Self> {
        let (chunks, to_write) = sync_channel::<Vec<u8>>(1);
        threads::spawn("writes", move || {
            for chunk in to_write {
                let written = pipe.write_all(&chunk).and_then(|()| pipe.flush());
                let has_failed = written.is_err();
                if sender.send(Event::Written(written)).is_err() || has_failed {
                    return;
                }
            }
        })?;
        Ok(Self {
            chunks,
            is_busy: false,
        })
    }
}

impl Read for Heard {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let count = self.bytes.len().min(room.len());
        room[..count].copy_from_slice(&self.bytes[..count]);
        self.bytes.drain(..count);
        Ok(count)
    }
}

/// Starts the thread that reads a stream.
fn hear(
    mut pipe: impl Read + Send + 'static,
    errors: bool,
    sender: SyncSender<Event>,
) -> io::Result<Heard> {
    threads::spawn("reads", move || {
        loop {
            let mut bytes = vec![0; CHUNK];
            let count = match pipe.read(&mut bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                read => read.unwrap_or(0),
            };
            bytes.truncate(count);
            if sender.send(Event::Read { errors, bytes }).is_err() || count == 0 {
                return;
            }
        }
    })?;
    Ok(Heard::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    const LATE: Duration = Duration::from_secs(20);

    #[test]
    fn what_is_written_comes_back_however_large_and_ends() {
        let mut child = Command::new(if cfg!(windows) { "sort" } else { "cat" })
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipes = Pipes::of(&mut child).unwrap();
        let text = "line\n".repeat(100_000);
        let (mut rest, mut said) = (text.as_bytes(), Vec::<u8>::new());
        loop {
            if rest.is_empty() {
                pipes.input = None;
            } else if let Some(count) = pipes.write(rest).unwrap() {
                rest = &rest[count..];
                continue;
            }
            let [output, errors] = pipes.readable(LATE, !rest.is_empty());
            if errors {
                // It writes none: this is their end.
                pipes.errors = None;
            }
            let mut room = [0; 1000];
            match pipes.output.as_mut().unwrap().read(&mut room).unwrap() {
                0 if output => break,
                count => said.extend(&room[..count]),
            }
        }
        assert_eq!(said.iter().filter(|&&byte| byte == b'\n').count(), 100_000);
        assert!(child.wait().unwrap().success());
    }
}
