//! Protocol 1: one JSON object in each line, requests written and answers read.
//!
//! Requests are written by hand because they contain a seed for every sample. Answers are read
//! value by value into rows, so a batch of samples needs no tree of values.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::declaration::{Declaration, DeclaredMetric};
use super::value;
use crate::rng::StreamKey;
use crate::task::{Frame, Replay, Row, decimal};

/// The version of the protocol, its own and not the program's.
pub const PROTOCOL: u64 = 1;

/// Returns etude's first line: its hello.
pub fn hello(version: &str) -> String {
    format!("{{\"hello\":{{\"protocol\":[{PROTOCOL}],\"etude\":\"{version}\"}}}}\n")
}

/// Consecutive samples asked for in one line.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The number that the answer repeats.
    pub id: u64,
    /// `draw` or `replay`.
    pub verb: &'a str,
    /// The first sample.
    pub first: u64,
    /// The number of games.
    pub count: u64,
    /// The cell's parameters, a JSON object.
    pub params: &'a str,
    /// The streams, by name.
    pub streams: &'a [(String, StreamKey)],
    /// The nodes a sample may cost; `None` for any number.
    pub nodes: Option<u64>,
}

impl Request<'_> {
    /// The request's line, appended to `out`.
    pub fn write(&self, out: &mut Vec<u8>) {
        let Self {
            id,
            verb,
            first,
            count,
            params,
            ..
        } = self;
        // Writing to memory cannot fail.
        let _ = write!(
            out,
            "{{\"id\":{id},\"{verb}\":{{\"first\":{first},\"count\":{count},\"params\":{params},\"seeds\":{{"
        );
        for (place, (name, key)) in self.streams.iter().enumerate() {
            let comma = if place > 0 { "," } else { "" };
            let _ = write!(out, "{comma}{}:[", quoted(name));
            self.write_seeds(key, out);
            out.push(b']');
        }
        let _ = match self.nodes {
            Some(nodes) => writeln!(out, "}},\"nodes\":{nodes}}}}}"),
            None => writeln!(out, "}},\"nodes\":null}}}}"),
        };
    }

    fn write_seeds(&self, key: &StreamKey, out: &mut Vec<u8>) {
        for offset in 0..self.count {
            let sample = self.first.wrapping_add(offset);
            if offset > 0 {
                out.push(b',');
            }
            out.push(b'"');
            out.extend_from_slice(
                blake3::Hash::from_bytes(key.seed(sample))
                    .to_hex()
                    .as_bytes(),
            );
            out.push(b'"');
        }
    }
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The answer of a program, without its rows.
#[derive(Debug, Default)]
pub struct ProgramAnswer {
    /// The request's number.
    pub id: Option<u64>,
    /// The rows that were read, if there were any.
    pub rows: Option<usize>,
    /// The sample that went wrong.
    pub at: Option<u64>,
    /// The error that the program reports.
    pub error: Option<String>,
    /// The story of a replay.
    pub story: Option<Replay>,
}

/// An error: a line is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// The line is not one object of JSON.
    NotJson,
    /// The line is not text in UTF-8.
    NotText,
    /// The line is JSON with something else in the place of an answer's parts: this message.
    Shape(String),
    /// A row has the wrong number of values.
    Width {
        /// The row, from 0.
        row: usize,
        /// Values it has.
        found: usize,
    },
    /// A value is not one of its metric.
    Value {
        /// The row, from 0.
        row: usize,
        /// The metric's place.
        metric: usize,
        /// The problem, as it follows the metric's name: "is `NaN`, which is not a number".
        problem: String,
    },
}

impl Unfit {
    /// The row at fault, and a sentence on it; `None` for a line that is no answer at all.
    pub fn of_row(&self, name: &str, declaration: &Declaration) -> Option<(usize, String)> {
        match self {
            Self::NotJson | Self::NotText | Self::Shape(_) => None,
            Self::Width { row, found } => {
                let plural = if *found == 1 { "" } else { "s" };
                let (width, names) = (declaration.columns.len(), declaration.metric_names());
                let message = format!(
                    "{name} answered {found} value{plural} where the file declares {width}: {names}"
                );
                Some((*row, message))
            }
            Self::Value {
                row,
                metric,
                problem,
            } => {
                let metric = &declaration.columns[*metric].metric.name;
                Some((*row, format!("{name}: `{metric}` {problem}")))
            }
        }
    }
}

/// Reads an answer's line, its values into `rows`, which are emptied first.
///
/// # Errors
/// Where the line is no JSON object or a value does not fit its metric.
pub fn read(
    line: &[u8],
    columns: &[DeclaredMetric],
    rows: &mut [Row],
) -> Result<ProgramAnswer, Unfit> {
    let mut target = RowTarget {
        columns,
        rows,
        row: 0,
        unfit: None,
        metric: None,
    };
    // Values that are skipped are not decoded, so the line is checked as a whole.
    let text = std::str::from_utf8(line).map_err(|_| Unfit::NotText)?;
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = AnswerSeed(&mut target).deserialize(&mut deserializer);
    match (read, deserializer.end()) {
        (Ok(answer), Ok(())) => Ok(answer),
        (Ok(_), Err(_)) => Err(Unfit::NotJson),
        (Err(error), _) => Err(target.explain(line, &error)),
    }
}

/// The rows that the values go to, and the position of the reader in them.
struct RowTarget<'a> {
    columns: &'a [DeclaredMetric],
    rows: &'a mut [Row],
    row: usize,
    metric: Option<usize>,
    unfit: Option<Unfit>,
}

impl RowTarget<'_> {
    /// Returns the error of a line: a value that was found unfit, or a token such as NaN that JSON
    /// does not have.
    fn explain(self, line: &[u8], error: &serde_json::Error) -> Unfit {
        let (Some(metric), None) = (self.metric, &self.unfit) else {
            let problem = error.is_data().then(|| Unfit::Shape(of_shape(error)));
            return self.unfit.or(problem).unwrap_or(Unfit::NotJson);
        };
        let from = error.column().saturating_sub(2);
        let rest = String::from_utf8_lossy(line.get(from..).unwrap_or_default());
        let names = ["-Infinity", "Infinity", "NaN", "-inf", "inf", "nan"];
        let found = names.iter().find(|name| {
            rest.get(..12.min(rest.len()))
                .is_some_and(|start| start.contains(*name))
        });
        found.map_or(Unfit::NotJson, |name| Unfit::Value {
            row: self.row,
            metric,
            problem: format!("is {name}, which is not a number"),
        })
    }

    fn refuse<E: Error>(&mut self, unfit: Unfit) -> E {
        self.unfit = Some(unfit);
        E::custom("unfit")
    }
}

/// Returns the message of an error without its position in the line.
fn of_shape(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

struct AnswerSeed<'t, 'a>(&'t mut RowTarget<'a>);

impl<'de> DeserializeSeed<'de> for AnswerSeed<'_, '_> {
    type Value = ProgramAnswer;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<ProgramAnswer, D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for AnswerSeed<'_, '_> {
    type Value = ProgramAnswer;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an answer")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ProgramAnswer, A::Error> {
        let mut answer = ProgramAnswer::default();
        let mut found = Vec::new();
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            let is_second_row = answer.rows.is_some() && ["row", "rows"].contains(&&*key);
            if is_second_row || found.contains(&key) {
                return Err(A::Error::custom(format_args!(
                    "the key `{key}` is there twice"
                )));
            }
            match key.as_ref() {
                "id" => answer.id = map.next_value::<Whole>()?.0,
                "rows" => answer.rows = Some(map.next_value_seed(RowsSeed(self.0))?),
                "row" => {
                    self.0.row = 0;
                    map.next_value_seed(RowSeed(self.0))?;
                    answer.rows = Some(1);
                }
                "at" => answer.at = map.next_value::<Whole>()?.0,
                "error" => answer.error = Some(map.next_value::<Text>()?.0),
                "story" => answer.story = Some(map.next_value::<ToldReplay>()?.into()),
                _ => drop(map.next_value::<IgnoredAny>()?),
            }
            found.push(key);
        }
        Ok(answer)
    }
}

/// The members of a JSON object, none of them there twice.
pub struct Members<'a>(pub HashMap<String, &'a RawValue>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(MembersVisitor)
    }
}

struct MembersVisitor;

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Members<'de>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
        let mut members = HashMap::new();
        while let Some((key, value)) = map.next_entry::<String, &RawValue>()? {
            if members.insert(key, value).is_some() {
                return Err(A::Error::custom("a key is there twice"));
            }
        }
        Ok(Members(members))
    }
}

struct RowsSeed<'t, 'a>(&'t mut RowTarget<'a>);

impl<'de> DeserializeSeed<'de> for RowsSeed<'_, '_> {
    type Value = usize;

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowsSeed<'_, '_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<usize, A::Error> {
        self.0.row = 0;
        while self.0.row < self.0.rows.len() {
            if rows.next_element_seed(RowSeed(self.0))?.is_none() {
                return Ok(self.0.row);
            }
            self.0.row += 1;
        }
        let mut count = self.0.row;
        while rows.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(count)
    }
}

struct RowSeed<'t, 'a>(&'t mut RowTarget<'a>);

impl<'de> DeserializeSeed<'de> for RowSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for RowSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut values: A) -> Result<(), A::Error> {
        let target = self.0;
        let row = target.row;
        if let Some(row) = target.rows.get_mut(row) {
            row.clear();
        }
        for (place, column) in target.columns.iter().enumerate() {
            target.metric = Some(place);
            let Some(raw) = values.next_element::<&RawValue>()? else {
                return Err(target.refuse(Unfit::Width { row, found: place }));
            };
            match (value::read(column, raw.get()), target.rows.get_mut(row)) {
                (Ok(value), Some(row)) => row.push(value),
                (Ok(_), None) => {}
                (Err(problem), _) => {
                    return Err(target.refuse(Unfit::Value {
                        row,
                        metric: place,
                        problem,
                    }));
                }
            }
        }
        target.metric = None;
        let mut found = target.columns.len();
        while values.next_element::<IgnoredAny>()?.is_some() {
            found += 1;
        }
        if found == target.columns.len() {
            Ok(())
        } else {
            Err(target.refuse(Unfit::Width { row, found }))
        }
    }
}

/// A whole number, however a language writes it: `17`, `17.0`, `"17"`. `None` of anything else.
struct Whole(Option<u64>);

impl<'de> Deserialize<'de> for Whole {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(from)?;
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        let whole = decimal::integer(&text).ok().flatten();
        Ok(Self(
            value.as_u64().or(whole.and_then(|n| n.try_into().ok())),
        ))
    }
}

/// A text; of anything else its JSON.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Self(match serde_json::Value::deserialize(from)? {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        }))
    }
}

/// A replay as a program tells it.
#[derive(Deserialize)]
struct ToldReplay {
    #[serde(default)]
    instance: String,
    #[serde(default)]
    frames: Vec<StoryFrame>,
    #[serde(default)]
    outcome: String,
}

#[derive(Deserialize)]
struct StoryFrame {
    #[serde(default)]
    caption: String,
    #[serde(default)]
    board: String,
}

impl From<ToldReplay> for Replay {
    fn from(story: ToldReplay) -> Self {
        let frame = |frame: StoryFrame| Frame::text(frame.caption, frame.board);
        Self {
            instance: story.instance,
            frames: story.frames.into_iter().map(frame).collect(),
            outcome: story.outcome,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Streams;
    use crate::task::{Metric, Value};

    const COLUMNS: [DeclaredMetric; 2] = [
        DeclaredMetric {
            metric: Metric::integer("wait", "min", (0, 600), "waiting"),
            kind: "integer",
            decimals: 0,
            min: Some(0),
            max: Some(600),
            truth: None,
        },
        DeclaredMetric {
            metric: Metric::flag("lost", "lost"),
            kind: "flag",
            decimals: 0,
            min: None,
            max: None,
            truth: None,
        },
    ];

    fn read_two(line: &str) -> Result<(ProgramAnswer, Vec<Row>), Unfit> {
        let mut rows = vec![Row::new(); 2];
        read(line.as_bytes(), &COLUMNS, &mut rows).map(|answer| (answer, rows))
    }

    #[test]
    fn a_request_has_a_seed_for_every_stream_and_sample() {
        let key = Streams::new(7).key("arrivals");
        let streams = [("arrivals".to_owned(), key.clone())];
        let mut line = Vec::new();
        let request = Request {
            id: 17,
            verb: "draw",
            first: 40,
            count: 2,
            params: "{\"servers\":2}",
            streams: &streams,
            nodes: Some(1000),
        };
        request.write(&mut line);
        let seed = |sample| blake3::Hash::from_bytes(key.seed(sample)).to_hex();
        let (a, b) = (seed(40), seed(41));
        assert_eq!(
            String::from_utf8(line).unwrap(),
            format!(
                "{{\"id\":17,\"draw\":{{\"first\":40,\"count\":2,\"params\":{{\"servers\":2}},\
                 \"seeds\":{{\"arrivals\":[\"{a}\",\"{b}\"]}},\"nodes\":1000}}}}\n"
            )
        );
    }

    #[test]
    fn rows_are_read_whatever_the_order_of_keys() {
        let (answer, rows) =
            read_two(" {\"rows\": [[12,true],[\"7\",null]], \"x\":{}, \"id\":3} ").unwrap();
        assert_eq!((answer.id, answer.rows), (Some(3), Some(2)));
        assert_eq!(rows[0].values(), [Value::Exact(12), Value::Exact(1)]);
        assert_eq!(rows[1].values(), [Value::Exact(7), Value::Missing]);
    }

    #[test]
    fn values_that_do_not_fit_are_named_with_row_and_metric() {
        let unfit = |line: &str| read_two(line).unwrap_err();
        assert_eq!(unfit("loading tables"), Unfit::NotJson);
        assert_eq!(unfit("{\"id\":1"), Unfit::NotJson);
        assert_eq!(unfit("{\"id\":1} {}"), Unfit::NotJson);
        assert_eq!(
            unfit("{\"id\":1,\"rows\":[[1,true],[2]]}"),
            Unfit::Width { row: 1, found: 1 }
        );
        assert_eq!(
            unfit("{\"id\":1,\"rows\":[[1,true,5]]}"),
            Unfit::Width { row: 0, found: 3 }
        );
        for name in ["NaN", "Infinity", "-Infinity"] {
            assert_eq!(
                unfit(&format!("{{\"id\":1,\"rows\":[[1,true], [{name}, true]]}}")),
                Unfit::Value {
                    row: 1,
                    metric: 0,
                    problem: format!("is {name}, which is not a number"),
                }
            );
        }
    }

    #[test]
    fn an_answer_may_write_its_number_as_its_language_does() {
        for number in ["3", "3.0", "3e0", "\"3\""] {
            let (answer, _) = read_two(&format!("{{\"id\":{number}}}")).unwrap();
            assert_eq!(answer.id, Some(3), "{number}");
        }
        for number in ["3.5", "-3", "null", "[3]", "\"three\""] {
            let (answer, _) = read_two(&format!("{{\"id\":{number}}}")).unwrap();
            assert_eq!(answer.id, None, "{number}");
        }
    }

    #[test]
    fn json_that_is_no_answer_is_told_from_noise() {
        let shape = |line: &str| match read_two(line).unwrap_err() {
            Unfit::Shape(problem) => problem,
            other => panic!("{other:?}"),
        };
        assert_eq!(
            shape("{\"id\":1,\"rows\":[1,2]}"),
            "invalid type: integer `1`, expected a row of values"
        );
        assert_eq!(shape("[1]"), "invalid type: sequence, expected an answer");
        assert!(shape("{\"rows\":[{\"wait\":1}]}").ends_with("expected a row of values"));
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused() {
        let rows = "\"rows\":[[1,true],[2,true]]";
        for again in [rows, "\"id\":1", "\"row\":[1,true]", "\"at\":1,\"at\":1"] {
            let line = format!("{{\"id\":1,{rows},{again}}}");
            let unfit = read_two(&line).unwrap_err();
            let is_told = matches!(&unfit, Unfit::Shape(problem) if problem.contains("twice"));
            assert!(is_told, "{line}: {unfit:?}");
        }
        assert!(serde_json::from_str::<Members>("{\"a\":1,\"b\":1}").is_ok());
        assert!(serde_json::from_str::<Members>("{\"a\":1,\"a\":1}").is_err());
    }

    #[test]
    fn a_line_that_is_not_utf_8_is_refused_wherever_it_is_not() {
        for line in [
            &b"{\"id\":1,\"rows\":[],\"note\":\"\xff\"}"[..],
            b"{\"id\":1,\"rows\":[],\"n\xff\":{\"deep\":[1]}}",
            b"{\"id\":1,\"rows\":[],\"note\":{\"deep\":[\"\xed\xa0\x80\"]}}",
        ] {
            let unfit = read(line, &COLUMNS, &mut [Row::new()]).unwrap_err();
            assert_eq!(unfit, Unfit::NotText);
        }
    }

    #[test]
    fn errors_and_stories_are_read() {
        let (answer, _) = read_two("{\"id\":2,\"at\":41,\"error\":\"no queue\"}").unwrap();
        assert_eq!(
            (answer.at, answer.error.as_deref()),
            (Some(41), Some("no queue"))
        );
        let (answer, rows) = read_two(
            "{\"id\":2,\"row\":[1,false],\"story\":{\"instance\":\"i\",\"frames\":[{\"caption\":\"c\"}],\
             \"outcome\":\"o\"}}",
        )
        .unwrap();
        let story = answer.story.unwrap();
        assert_eq!((story.instance.as_str(), story.frames.len()), ("i", 1));
        assert_eq!(rows[0].values(), [Value::Exact(1), Value::Exact(0)]);
    }
}
