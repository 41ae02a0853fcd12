//! The built-in tasks of a program as a worker: protocol 1, one JSON object a line.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

use kit::rng::Streams;
use kit::search::Budget;
use task::outside::PROTOCOL;
use task::{
    Application, Metric, MetricKind, ParamValue, Params, Row, SampleSource, TaskSpec, Value,
    Workspace,
};

/// The worker that draws samples of built-in tasks for another program.
pub struct TaskServer<'a> {
    app: &'a Application,
    task: Option<&'static TaskSpec>,
    /// The last question with what answers it: the next is mostly the same.
    asked: Option<(String, Arc<SampleSource>)>,
    workspace: Workspace,
}

fn find(app: &Application, name: &str) -> Result<&'static TaskSpec, String> {
    let unknown = || format!("there is no task `{name}`; `etude list tasks` has them");
    app.task(name).ok_or_else(unknown)
}

/// Samples that one request may ask for.
const MOST_SAMPLES: u64 = 4096;

/// The sample at fault, where it is one, and what went wrong.
type Refusal = (Option<u64>, String);

impl<'a> TaskServer<'a> {
    /// A server of a task, or of every task where each request names its own.
    ///
    /// # Errors
    /// If the program has no such task.
    pub fn new(app: &'a Application, task: Option<&str>) -> Result<Self, String> {
        let task = task.map(|name| find(app, name)).transpose()?;
        Ok(Self {
            app,
            task,
            asked: None,
            workspace: Workspace::new(),
        })
    }

    /// The answer to a line.
    pub fn answer(&mut self, line: &str) -> Json {
        let Ok(request) = serde_json::from_str::<Json>(line) else {
            return json!({"id": null, "error": "this is no JSON object"});
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

    fn hello(&self) -> Json {
        json!({
            "protocol": PROTOCOL,
            "name": self.app.name,
            "version": self.app.version,
            "can": ["replay"],
        })
    }

    fn draw(&mut self, request: &Json) -> Result<Vec<Json>, Refusal> {
        let count = whole_or(request, "count", 1..=MOST_SAMPLES, 1)?;
        // The last sample has a number, too.
        let first = whole(request, "first", 0..=u64::MAX - (count - 1))?;
        let sample = |offset| self.sample(request, first + offset, offset);
        (0..count).map(sample).collect()
    }

    fn sample(&mut self, request: &Json, index: u64, offset: u64) -> Result<Json, Refusal> {
        let source = self.asked(request, offset)?;
        let mut rows = [Row::new()];
        let drawn = source.draw(&mut self.workspace, index, &mut rows);
        drawn.map_err(|error| (Some(index), error.to_string()))?;
        let values = source.metrics().iter().zip(rows[0].values());
        Ok(values.map(|(metric, &one)| value(metric, one)).collect())
    }

    fn replay(&mut self, request: &Json) -> Result<Json, Refusal> {
        let index = whole(request, "first", 0..=u64::MAX)?;
        let row = self.sample(request, index, 0)?;
        let story = self.asked(request, 0)?.replay(index);
        let story = story.map_err(|error| (Some(index), error.to_string()))?;
        Ok(json!({"row": row, "story": story}))
    }

    /// Returns what answers a request: mostly that of the last one.
    fn asked(&mut self, request: &Json, offset: u64) -> Result<Arc<SampleSource>, Refusal> {
        let seed = seed_of(request, offset)?;
        let key = format!("{} {seed} {}", request["params"], request["nodes"]);
        if let Some((known, source)) = &self.asked
            && *known == key
        {
            return Ok(Arc::clone(source));
        }
        let source = Arc::new(self.source(request, seed)?);
        self.asked = Some((key, Arc::clone(&source)));
        Ok(source)
    }

    /// The task that a request names, with its parameters and its seed.
    fn source(&self, request: &Json, seed: u64) -> Result<SampleSource, Refusal> {
        let nodes = whole_or(request, "nodes", 0..=u64::MAX, u64::MAX)?;
        let params = &request["params"];
        let empty = Map::new();
        let given = match params.as_object() {
            Some(given) => given,
            None if params.is_null() => &empty,
            None => {
                let error = format!("`params` is {params}, and should be an object");
                return Err(of_request(error));
            }
        };
        let task = match (self.task, given.get("task").and_then(Json::as_str)) {
            (Some(task), _) => task,
            (None, Some(name)) => find(self.app, name).map_err(of_request)?,
            (None, None) => {
                let help = "give the parameter `task`, or start `etude worker TASK`";
                return Err(of_request(format!("the request names no task: {help}")));
            }
        };
        let params = params_of(task, given).map_err(of_request)?;
        let built = task.build(&params);
        let built = built.map_err(|error| of_request(format!("{error}; {}", error.help)))?;
        let (streams, budgets) = (Streams::new(seed), [Budget::nodes(nodes)].into());
        Ok(SampleSource::new(
            built,
            task.metrics[..].into(),
            streams,
            budgets,
        ))
    }
}

/// The parameters of a task, as a request gives them.
fn params_of(task: &TaskSpec, given: &Map<String, Json>) -> Result<Params, String> {
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
    Ok(params)
}

/// The root of a sample's streams: the parameter `seed`, or the beginning of the first of its own seeds.
fn seed_of(request: &Json, offset: u64) -> Result<u64, Refusal> {
    if !request["params"]["seed"].is_null() {
        return whole(&request["params"], "seed", 0..=u64::MAX);
    }
    let seeds = request["seeds"]
        .as_object()
        .and_then(|seeds| seeds.values().next());
    let seeds =
        seeds.ok_or_else(|| of_request("the request has neither a seed nor seeds".into()))?;
    let text = seeds.get(offset as usize).and_then(Json::as_str);
    let seed = text.and_then(|text| u64::from_str_radix(text.get(..16)?, 16).ok());
    let expected = "should have 64 hexadecimal digits for every sample";
    seed.ok_or_else(|| {
        of_request(format!(
            "`seeds` {expected}, and have none for sample {offset}"
        ))
    })
}

/// A whole number within a range, which may stand as a text, or another where there is none.
fn whole_or(
    object: &Json,
    key: &str,
    range: RangeInclusive<u64>,
    otherwise: u64,
) -> Result<u64, Refusal> {
    if object[key].is_null() {
        return Ok(otherwise);
    }
    whole(object, key, range)
}

/// A whole number within a range, which may stand as a text.
fn whole(object: &Json, key: &str, range: RangeInclusive<u64>) -> Result<u64, Refusal> {
    let value = &object[key];
    let number = value.as_u64();
    let number = number.or_else(|| value.as_str()?.parse().ok());
    let expected = || {
        let (least, most) = (range.start(), range.end());
        let said = if value.is_null() {
            "missing".to_owned()
        } else {
            value.to_string()
        };
        of_request(format!(
            "`{key}` is {said}, and should be a whole number from {least} to {most}"
        ))
    };
    let number = number.filter(|number| range.contains(number));
    number.ok_or_else(expected)
}

/// The refusal of a whole request.
fn of_request(error: String) -> Refusal {
    (None, error)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;

    fn answer(draw: &str) -> Json {
        let app = Application {
            games: coin::GAMES,
            ..Application::LIBRARY
        };
        let mut server = TaskServer::new(&app, Some("coin/flip")).unwrap();
        server.answer(&format!("{{\"id\":7,\"draw\":{draw}}}"))
    }

    #[test]
    fn requests_that_make_no_sense_are_refused_with_what_was_expected() {
        let last = "18446744073709551615";
        let cases = [
            ("\"first\":-1", "`first` is -1", last),
            ("\"first\":0.5", "`first` is 0.5", "a whole number from 0"),
            ("\"count\":1", "`first` is missing", "a whole number from 0"),
            (
                "\"first\":18446744073709551615,\"count\":2",
                "`first` is 18446744073709551615",
                "to 18446744073709551614",
            ),
            (
                "\"first\":0,\"count\":99999999999",
                "`count` is 99999999999",
                "1 to 4096",
            ),
            ("\"first\":0,\"count\":0", "`count` is 0", "1 to 4096"),
            (
                "\"first\":0,\"count\":\"all\"",
                "`count` is \"all\"",
                "1 to 4096",
            ),
            ("\"first\":0,\"nodes\":-4", "`nodes` is -4", last),
            (
                "\"first\":0,\"nodes\":\"many\"",
                "`nodes` is \"many\"",
                last,
            ),
        ];
        for (request, what, expected) in cases {
            let refused = answer(&format!("{{{request},\"params\":{{\"seed\":1}}}}"));
            let error = refused["error"].as_str().unwrap_or_default();
            assert!(
                error.contains(what) && error.contains(expected),
                "{request}: {refused}"
            );
            assert!(
                refused["id"] == 7 && refused.get("rows").is_none(),
                "{refused}"
            );
        }
    }

    #[test]
    fn seeds_and_parameters_that_are_none_are_refused() {
        let cases = [
            (
                "\"params\":5,\"seeds\":{\"s\":[\"00000000000000000000\"]}",
                "should be an object",
            ),
            (
                "\"params\":{\"seed\":\"x\"}",
                "`seed` is \"x\", and should be a whole number",
            ),
            ("\"seeds\":{\"s\":[\"zz\"]}", "64 hexadecimal digits"),
            ("\"params\":{}", "neither a seed nor seeds"),
        ];
        for (request, expected) in cases {
            let refused = answer(&format!("{{\"first\":0,{request}}}"));
            let error = refused["error"].as_str().unwrap_or_default();
            assert!(error.contains(expected) && refused["id"] == 7, "{refused}");
        }
        let drawn =
            answer("{\"first\":\"3\",\"count\":2,\"params\":{\"seed\":\"1\"},\"nodes\":null}");
        assert_eq!(drawn["rows"].as_array().map(Vec::len), Some(2), "{drawn}");
    }
}
