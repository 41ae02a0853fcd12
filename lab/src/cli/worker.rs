//! `etude worker`: any built-in task over protocol 1, on standard input and output.

use std::io::{BufRead, Write};

use crate::programs::wire::PROTOCOL;
use crate::rng::Streams;
use crate::run::CompiledExperiment;
use crate::search::Budget;
use crate::task::{
    Metric, MetricKind, ParamKind, ParamSpec, ParamValue, Params, Row, TaskSpec, Value, Workspace,
};
use clap::Args;
use serde_json::{Map, Value as Json, json};

use super::Program;
use super::failure::Failure;

/// Answer any built-in task over protocol 1, one JSON object a line
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  run = [\"../old/etude\", \"worker\"]                  a contender in an experiment of `etude bench`
  run = [\"etude\", \"worker\", \"klondike/score\"]       a simulation of the task `command`

Without TASK each request names it: the parameters `task` and `seed` stand beside those of the task.")]
pub struct WorkerArguments {
    /// The task, where requests do not name it
    #[arg(value_name = "TASK")]
    task: Option<String>,
}

impl WorkerArguments {
    pub fn run(self, program: &Program) -> Result<(), Failure> {
        let mut worker = BuiltIn {
            program,
            task: self
                .task
                .as_deref()
                .map(|name| find(program, name))
                .transpose()
                .map_err(Failure::usage)?,
            asked: None,
            workspace: Workspace::new(),
        };
        let mut output = std::io::stdout().lock();
        for line in std::io::stdin().lock().lines() {
            let line = line.map_err(|error| Failure::failed(format!("standard input: {error}")))?;
            if line.trim().is_empty() {
                continue;
            }
            let answer = worker.answer(&line);
            // Whoever asked and listens no more has ended the conversation.
            if writeln!(output, "{answer}")
                .and_then(|()| output.flush())
                .is_err()
            {
                break;
            }
        }
        Ok(())
    }
}

/// The built-in tasks, as a worker.
struct BuiltIn<'a> {
    program: &'a Program,
    task: Option<&'static TaskSpec>,
    /// The last question with what answers it: the next is mostly the same.
    asked: Option<(String, CompiledExperiment)>,
    workspace: Workspace,
}

fn find(program: &Program, name: &str) -> Result<&'static TaskSpec, String> {
    let mut tasks = program.games.iter().flat_map(|game| game.tasks);
    tasks
        .find(|task| task.name == name)
        .ok_or_else(|| format!("there is no task `{name}`; `etude list tasks` has them"))
}

impl BuiltIn<'_> {
    fn answer(&mut self, line: &str) -> Json {
        let Ok(request) = serde_json::from_str::<Json>(line) else {
            return json!({"error": "this is no JSON object"});
        };
        if request.get("hello").is_some() {
            return self.hello();
        }
        let id = request["id"].clone();
        let answer = ["draw", "replay"]
            .iter()
            .find_map(|verb| Some((*verb, request.get(verb)?.clone())));
        let result = match answer {
            Some(("draw", request)) => self.draw(&request).map(|rows| json!({"rows": rows})),
            Some((_, request)) => self.replay(&request),
            None => Err((None, "expected `hello`, `draw` or `replay`".to_owned())),
        };
        let mut answer = match result {
            Ok(answer) => answer,
            Err((at, error)) => match at {
                Some(at) => json!({"at": at, "error": error}),
                None => json!({"error": error}),
            },
        };
        if let Some(answer) = answer.as_object_mut() {
            answer.insert("id".to_owned(), id);
        }
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
        if let (Some(task), Some(hello)) = (self.task, hello.as_object_mut()) {
            hello.insert("streams".to_owned(), json!(["seed"]));
            let params: Map<String, Json> = task
                .params
                .iter()
                .map(|spec| (spec.name.to_string(), param(spec)))
                .collect();
            let metrics: Map<String, Json> = task
                .metrics
                .iter()
                .map(|one| (one.name.to_string(), metric(one)))
                .collect();
            hello.insert("params".to_owned(), params.into());
            hello.insert("metrics".to_owned(), metrics.into());
        }
        json!({ "hello": hello })
    }

    fn draw(&mut self, request: &Json) -> Result<Vec<Json>, (Option<u64>, String)> {
        let first = number(request, "first").unwrap_or(0);
        let count = number(request, "count").unwrap_or(1).min(4096);
        (0..count)
            .map(|offset| self.sample(request, first.wrapping_add(offset), offset))
            .collect()
    }

    fn sample(
        &mut self,
        request: &Json,
        index: u64,
        offset: u64,
    ) -> Result<Json, (Option<u64>, String)> {
        let laboratory = self
            .laboratory(request, offset)
            .map_err(|error| (Some(index), error))?;
        let mut rows = [Row::new()];
        let drawn = laboratory.draw(0, &mut self.workspace, index, &mut rows);
        let metrics = laboratory.metrics().to_vec();
        self.keep(request, offset, laboratory);
        drawn.map_err(|error| (Some(index), error.to_string()))?;
        let values = metrics.iter().zip(rows[0].values());
        Ok(values.map(|(metric, &one)| value(metric, one)).collect())
    }

    fn replay(&mut self, request: &Json) -> Result<Json, (Option<u64>, String)> {
        let index = number(request, "first").unwrap_or(0);
        let row = self.sample(request, index, 0)?;
        let laboratory = self
            .laboratory(request, 0)
            .map_err(|error| (Some(index), error))?;
        let told = laboratory
            .replay(0, index)
            .map_err(|error| (Some(index), error.to_string()))?;
        let frames: Vec<Json> = told
            .frames
            .iter()
            .map(|frame| json!({"caption": frame.caption, "board": frame.board}))
            .collect();
        Ok(
            json!({"row": row, "story": {"instance": told.instance, "frames": frames, "outcome": told.outcome}}),
        )
    }

    fn key(request: &Json, offset: u64) -> String {
        let seeds = seed_of(request, offset);
        format!("{} {:?} {}", request["params"], seeds, request["nodes"])
    }

    fn keep(&mut self, request: &Json, offset: u64, laboratory: CompiledExperiment) {
        self.asked = Some((Self::key(request, offset), laboratory));
    }

    /// What answers a request: the task that it names, with its parameters and its seed.
    fn laboratory(&mut self, request: &Json, offset: u64) -> Result<CompiledExperiment, String> {
        if let Some((known, laboratory)) = self.asked.take()
            && known == Self::key(request, offset)
        {
            return Ok(laboratory);
        }
        let empty = Map::new();
        let given = request["params"].as_object().unwrap_or(&empty);
        let task = match (self.task, given.get("task").and_then(Json::as_str)) {
            (Some(task), _) => task,
            (None, Some(name)) => find(self.program, name)?,
            (None, None) => return Err("the request names no task: give the parameter `task`, or start `etude worker TASK`".to_owned()),
        };
        let mut params = Params::defaults(&task.params);
        for (name, json) in given {
            let spec = task.params.iter().find(|spec| spec.name == *name);
            match spec {
                Some(spec) => params.set(
                    name,
                    read(&spec.kind, json).ok_or_else(|| format!("`{name}` cannot be {json}"))?,
                ),
                None if ["task", "seed"].contains(&name.as_str()) => {}
                None => return Err(format!("`{}` has no parameter `{name}`", task.name)),
            }
        }
        let built = task
            .build(&params)
            .map_err(|error| format!("{error}; {}", error.help))?;
        let budget = number(request, "nodes").map_or(Budget::UNLIMITED, Budget::nodes);
        let seed = seed_of(request, offset).ok_or("the request has neither a seed nor seeds")?;
        Ok(CompiledExperiment::new(
            vec![built],
            &task.metrics,
            Streams::new(seed),
            budget,
        ))
    }
}

/// The root of a sample's streams: the parameter `seed`, or the beginning of the first of its own seeds.
fn seed_of(request: &Json, offset: u64) -> Option<u64> {
    if let Some(seed) = request
        .get("params")
        .and_then(|params| number(params, "seed"))
    {
        return Some(seed);
    }
    let seeds = request["seeds"].as_object()?.values().next()?.as_array()?;
    let text = seeds.get(usize::try_from(offset).ok()?)?.as_str()?;
    u64::from_str_radix(text.get(..16)?, 16).ok()
}

/// A whole number, which may stand as a text.
fn number(object: &Json, key: &str) -> Option<u64> {
    let value = object.get(key)?;
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

fn read(kind: &ParamKind, json: &Json) -> Option<ParamValue> {
    match (kind, json) {
        (ParamKind::Text | ParamKind::Choice(_), Json::String(text)) => {
            Some(ParamValue::Text(text.clone().into()))
        }
        (ParamKind::Integer { .. }, json) => json.as_i64().map(ParamValue::Integer),
        (ParamKind::Number { .. }, json) => json.as_f64().map(ParamValue::Number),
        (ParamKind::Flag, json) => json.as_bool().map(ParamValue::Flag),
        _ => None,
    }
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

fn param(spec: &ParamSpec) -> Json {
    let kind = match &spec.kind {
        ParamKind::Text => "text",
        ParamKind::Choice(_) => "choice",
        ParamKind::Integer { .. } => "integer",
        ParamKind::Number { .. } => "number",
        ParamKind::Flag => "flag",
    };
    json!({"kind": kind, "default": spec.default})
}

fn metric(metric: &Metric) -> Json {
    let kind = match metric.kind {
        MetricKind::Flag => "flag",
        MetricKind::Integer => "integer",
        MetricKind::Number => "number",
        MetricKind::Total => "total",
        MetricKind::Ratio => "ratio",
        MetricKind::Weight => "weight",
        MetricKind::Pair => "pair",
    };
    json!({"kind": kind, "unit": metric.unit})
}
