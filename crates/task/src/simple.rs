//! The smallest task: a function of a random stream.

use std::borrow::Cow;
use std::sync::Arc;

use kit::rng::{Stream, Streams};

use super::{
    Build, Draw, Metric, Replay, Row, SampleError, Task, TaskSpec, Value, Worker, Workspace,
};

/// A task whose samples a function draws.
struct Simple<F>(Arc<F>);

impl TaskSpec {
    /// A task without parameters, memory or search whose samples `draw` draws, each from a stream of
    /// its own. It pushes one value for each metric. The name is `game/task`.
    ///
    /// ```
    /// use kit::rng::below;
    /// use etude_task::{Metric, TaskSpec, Value};
    ///
    /// let metrics = vec![Metric::flag("heads", "It shows heads.")];
    /// let coin = TaskSpec::simple("coin/toss", "A fair coin", metrics, |stream, row| {
    ///     row.push(Value::flag(below(stream, 2) == 1));
    /// });
    /// assert_eq!(etude_task::laws::check_task(&coin, &Default::default()), Ok(()));
    /// ```
    pub fn simple<F>(
        name: impl Into<Cow<'static, str>>,
        summary: impl Into<Cow<'static, str>>,
        metrics: Vec<Metric>,
        draw: F,
    ) -> Self
    where
        F: Fn(&mut Stream, &mut Row) + Send + Sync + 'static,
    {
        let draw = Arc::new(draw);
        Self {
            name: name.into(),
            summary: summary.into(),
            sample: Cow::Borrowed("one draw"),
            noun: Cow::Borrowed("draw"),
            is_random: true,
            params: Cow::Borrowed(&[]),
            metrics: metrics.into(),
            contest: None,
            build: Build::With(Arc::new(move |_| Ok(Box::new(Simple(Arc::clone(&draw)))))),
        }
    }
}

/// The worker of a task that keeps nothing from one sample to the next: a function that draws sample
/// `draw.index` and pushes one value for each metric.
pub fn worker_of<'task, F>(sample: F) -> Box<dyn Worker + 'task>
where
    F: FnMut(Draw, &mut Row) -> Result<(), SampleError> + 'task,
{
    Box::new(FunctionWorker(sample))
}

struct FunctionWorker<F>(F);

impl<F: FnMut(Draw, &mut Row) -> Result<(), SampleError>> Worker for FunctionWorker<F> {
    fn sample(&mut self, draw: Draw, row: &mut Row) -> Result<(), SampleError> {
        (self.0)(draw, row)
    }
}

impl<F: Fn(&mut Stream, &mut Row) + Send + Sync> Task for Simple<F> {
    fn worker<'task>(
        &'task self,
        streams: &Streams,
        _: &'task mut Workspace,
    ) -> Box<dyn Worker + 'task> {
        let key = streams.key("sample");
        worker_of(move |draw, row| {
            (self.0)(&mut key.stream(draw.index), row);
            Ok(())
        })
    }

    fn replay(&self, streams: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        let mut row = Row::new();
        let mut workspace = Workspace::new();
        self.worker(streams, &mut workspace)
            .sample(draw, &mut row)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use kit::rng::below;

    #[test]
    fn a_function_of_a_stream_keeps_the_laws() {
        let sides = 6;
        let metrics = vec![Metric::integer("pips", "pips", (1, 6), "What it shows.")];
        let die = TaskSpec::simple("die/roll", "A die", metrics, move |stream, row| {
            row.push(Value::Exact(below(stream, sides) as i64 + 1));
        });
        assert_eq!(crate::laws::check_task(&die, &Params::new()), Ok(()));
    }
}
