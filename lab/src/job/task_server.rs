//! The built-in tasks of a program as a worker: protocol 1, one JSON object a line.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use crate::programs::wire::PROTOCOL;
use crate::rng::Streams;
use crate::run::CompiledExperiment;
use crate::search::Budget;
use crate::task::{
    Metric, MetricKind, ParamSpec, ParamValue, Params, Row, TaskSpec, Value, Workspace,
};

use super::Program;

/// The worker that draws samples of built-in tasks for another program.
pub struct TaskServer<'a> {
    program: &'a Program,
    task: Option<&'static TaskSpec>,
    /// The last question with what answers it: the next is mostly the same.
    asked: Option<(String, Arc<CompiledExperiment>)>,
    workspace: Workspace,
}

fn find(program: &Program, name: &str) -> Result<&'static TaskSpec, String> {
    let unknown = || format!("there is no task `{name}`; `etude list tasks` has them");
    program.task(name).ok_or_else(unknown)
}

/// The sample at fault, where it is one, and what went wrong.
type Refusal = (Option<u64>, String);

impl<'a> TaskServer<'a> {
    /// A server of a task, or of every task where each request names its own.
    ///
    /// # Errors
    /// If the program has no such task.
    pub fn new(program: &'a Program, task: Option<&str>) -> Result<Self, String> {
        let task = task.map(|name| find(program, name)).transpose()?;
        Ok(Self {
            program,
            task,
            asked: None,
            workspace: Workspace::new(),
        })
    }

    /// The answer to a line.
    pub fn answer(&mut self, line: &str) -> Json {
        let Ok(request) = serde_json::from_str::<Json>(line) else {
            return json!({"error": "this is no JSON object"});
        };
        if request.get("hello").is_some() {
            return json!({ "hello": self.hello() });
        }
        let result = match (request.get("draw"), request.get("replay")) {
            (Some(draw), _) => self.draw(draw).map(|rows| json!({"rows": rows})),
            (None, Some(replay)) => self.replay(replay),
            (None, None) => Err((None, "expected `hello`, `draw` or `replay`".to_owned())),
        };
        let mut answer = result.unwrap_or_else(|(at, error)| match at {
            Some(at) => json!({"at": at, "error": error}),
            None => json!({"error": error}),
        });
        answer["id"] = request["id"].clone();
        answer
    }

    /// The facts of the program and of its task, if it has one for all requests.
    fn hello(&self) -> Json {
        let mut hello = json!({
            "protocol": PROTOCOL,
            "name": self.program.name,
            "version": self.program.version,
            "can": ["replay"],
        });
        if let Some(task) = self.task {
            let param = |spec: &ParamSpec| {
                let table = spec.table();
                let facts = json!({"kind": table.kind, "default": table.default});
                (spec.name.to_string(), facts)
            };
            let metric = |one: &Metric| {
                let facts = json!({"kind": one.kind, "unit": one.unit});
                (one.name.to_string(), facts)
            };
            hello["streams"] = json!(["seed"]);
            hello["params"] = Json::Object(task.params.iter().map(param).collect());
            hello["metrics"] = Json::Object(task.metrics.iter().map(metric).collect());
        }
        hello
    }

    fn draw(&mut self, request: &Json) -> Result<Vec<Json>, Refusal> {
        let first = number(request, "first").unwrap_or(0);
        let count = number(request, "count").unwrap_or(1).min(4096);
        let sample = |offset| self.sample(request, first.wrapping_add(offset), offset);
        (0..count).map(sample).collect()
    }

    fn sample(&mut self, request: &Json, index: u64, offset: u64) -> Result<Json, Refusal> {
        let compiled = self.asked(request, offset);
        let compiled = compiled.map_err(|error| (Some(index), error))?;
        let mut rows = [Row::new()];
        let drawn = compiled.draw(0, &mut self.workspace, index, &mut rows);
        drawn.map_err(|error| (Some(index), error.to_string()))?;
        let values = compiled.metrics().iter().zip(rows[0].values());
        Ok(values.map(|(metric, &one)| value(metric, one)).collect())
    }

    fn replay(&mut self, request: &Json) -> Result<Json, Refusal> {
        let index = number(request, "first").unwrap_or(0);
        let row = self.sample(request, index, 0)?;
        let at_fault = |error: String| (Some(index), error);
        let compiled = self.asked(request, 0).map_err(at_fault)?;
        let story = compiled.replay(0, index);
        let story = story.map_err(|error| at_fault(error.to_string()))?;
        Ok(json!({"row": row, "story": story}))
    }

    /// Returns what answers a request: mostly that of the last one.
    fn asked(&mut self, request: &Json, offset: u64) -> Result<Arc<CompiledExperiment>, String> {
        let seed = seed_of(request, offset).ok_or("the request has neither a seed nor seeds")?;
        let key = format!("{} {seed} {}", request["params"], request["nodes"]);
        if let Some((known, compiled)) = &self.asked
            && *known == key
        {
            return Ok(Arc::clone(compiled));
        }
        let compiled = Arc::new(self.compiled(request, seed)?);
        self.asked = Some((key, Arc::clone(&compiled)));
        Ok(compiled)
    }

    /// The task that a request names, with its parameters and its seed.
    fn compiled(&self, request: &Json, seed: u64) -> Result<CompiledExperiment, String> {
        let empty = Map::new();
        let given = request["params"].as_object().unwrap_or(&empty);
        let task = match (self.task, given.get("task").and_then(Json::as_str)) {
            (Some(task), _) => task,
            (None, Some(name)) => find(self.program, name)?,
            (None, None) => {
                let help = "give the parameter `task`, or start `etude worker TASK`";
                return Err(format!("the request names no task: {help}"));
            }
        };
        let mut params = Params::defaults(&task.params);
        for (name, json) in given {
            let Some(spec) = task.params.iter().find(|spec| spec.name == *name) else {
                if ["task", "seed"].contains(&name.as_str()) {
                    continue;
                }
                return Err(format!("`{}` has no parameter `{name}`", task.name));
            };
            let given = ParamValue::deserialize(json).ok();
            let read = given.and_then(|given| spec.kind.read(&given));
            let read = read.ok_or_else(|| format!("`{name}` cannot be {json}"))?;
            params.set(name, read);
        }
        let built = task
            .build(&params)
            .map_err(|error| format!("{error}; {}", error.help))?;
        let budget = number(request, "nodes").map_or(Budget::UNLIMITED, Budget::nodes);
        let (streams, metrics) = (Streams::new(seed), &task.metrics);
        Ok(CompiledExperiment::new(
            vec![built],
            metrics,
            streams,
            budget,
        ))
    }
}

/// The root of a sample's streams: the parameter `seed`, or the beginning of the first of its own seeds.
fn seed_of(request: &Json, offset: u64) -> Option<u64> {
    number(&request["params"], "seed").or_else(|| {
        let seeds = request["seeds"].as_object()?.values().next()?.as_array()?;
        let text = seeds.get(usize::try_from(offset).ok()?)?.as_str()?;
        u64::from_str_radix(text.get(..16)?, 16).ok()
    })
}

/// A whole number, which may stand as a text.
fn number(object: &Json, key: &str) -> Option<u64> {
    let value = object.get(key)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

/// A value as protocol 1 writes it; large integers go as text.
fn value(metric: &Metric, value: Value) -> Json {
    let whole = |value: i64| match metric.kind {
        MetricKind::Flag => Json::from(value == 1),
        MetricKind::Number => Json::from(metric.write(value)),
        _ if value.unsigned_abs() < 1 << 53 => Json::from(value),
        _ => Json::from(value.to_string()),
    };
    match value {
        Value::Exact(value) => whole(value),
        Value::Bounds { lower, upper } => json!({"lo": whole(lower), "hi": whole(upper)}),
        Value::Ratio {
            numerator,
            denominator,
        } => json!({"ratio": [numerator.to_string(), denominator.to_string()]}),
        Value::Weight(weight) => {
            let (mantissa, exponent) = weight.parts();
            json!({"weight": [mantissa, exponent]})
        }
        Value::Missing => Json::Null,
    }
}
