//! The smallest task: a function of one stream, without parameters or search.

use crate::rng::{Stream, StreamKey, Streams};

use super::{Draw, Replay, Row, SampleError, Task, Value, Worker, Workspace};

/// A task whose samples are a function of one stream of chance, which pushes a value for each
/// metric. The front page of this crate makes a game of it.
#[derive(Clone, Copy, Debug)]
pub struct Simple(pub fn(&mut Stream, &mut Row));

/// The purpose of the only stream.
const PURPOSE: &str = "sample";

impl Task for Simple {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        Box::new(SimpleWorker(self.0, streams.key(PURPOSE)))
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut row = Row::new();
        SimpleWorker(self.0, streams.key(PURPOSE)).sample(draw, &mut row)?;
        let text = |value: &Value| match value {
            Value::Exact(value) => value.to_string(),
            other => format!("{other:?}"),
        };
        let values: Vec<String> = row.values().iter().map(text).collect();
        Ok(Replay {
            instance: format!("sample {}", draw.index),
            frames: Vec::new(),
            outcome: values.join(", "),
        })
    }
}

struct SimpleWorker(fn(&mut Stream, &mut Row), StreamKey);

impl Worker for SimpleWorker {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        (self.0)(&mut self.1.stream(draw.index), row);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow::Borrowed;

    use super::super::{Build, GameSpec, Metric, TaskSpec};
    use super::*;
    use crate::rng::below;

    static DIE: GameSpec = GameSpec {
        name: "die",
        summary: "A die",
        tasks: &[TaskSpec {
            name: Borrowed("die/roll"),
            summary: Borrowed("What a die shows"),
            sample: Borrowed("one roll"),
            chance: true,
            params: Borrowed(&[]),
            metrics: Borrowed(&[Metric::integer("pips", "pips", (1, 6), "What it shows.")]),
            contest: None,
            build: Build::By(|_| {
                Ok(Box::new(Simple(|stream, row| {
                    row.push(Value::Exact(below(stream, 6) as i64 + 1));
                })))
            }),
        }],
        verbs: &[],
        players: &[],
    };

    #[test]
    fn a_function_of_a_stream_keeps_the_laws() {
        assert_eq!(crate::laws::check(&DIE), Ok(()));
    }
}
