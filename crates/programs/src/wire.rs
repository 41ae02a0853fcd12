//! Protocol 1: one JSON object in each line, requests written and answers read.
//!
//! Requests are written by hand because they contain a seed for every sample. The values of an
//! answer stay in its line until each is read as its metric declares.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::memory::MemoryCap;
use super::value;
use base::decimal;
use kit::rng::StreamKey;
use task::outside::{Declaration, PROTOCOL, metric_names, quote};
use task::{Metric, Replay, Row};

/// Returns etude's first line: its hello.
pub(crate) fn hello(version: &str) -> String {
    format!("{{\"hello\":{{\"protocol\":[{PROTOCOL}],\"etude\":\"{version}\"}}}}\n")
}

/// The part of a request that is the same for all samples of a worker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Question<'a> {
    /// The declaration that the answers must fit.
    pub(crate) declaration: &'a Declaration,
    /// The cell's parameters, a JSON object.
    pub(crate) params: &'a str,
    /// The parameters, as text.
    pub(crate) values: &'a [(String, String)],
    /// The streams, by name.
    pub(crate) streams: &'a [(String, StreamKey)],
    /// The nodes a sample may cost; `None` for any number.
    pub(crate) nodes: Option<u64>,
    /// The cap on the memory of a process that is started for one sample.
    pub(crate) memory: Option<&'a MemoryCap>,
}

impl Question<'_> {
    /// Appends to `out` the line that asks for `count` samples from `first` on: request `id`, of
    /// `verb` draw or replay.
    pub(crate) fn write(
        &self,
        out: &mut Vec<u8>,
        (id, verb): (u64, &str),
        (first, count): (u64, u64),
    ) {
        let params = self.params;
        // Writing to memory cannot fail.
        let _ = write!(
            out,
            "{{\"id\":{id},\"{verb}\":{{\"first\":{first},\"count\":{count},\"params\":{params},\"seeds\":{{"
        );
        for (index, (name, key)) in self.streams.iter().enumerate() {
            let comma = if index > 0 { "," } else { "" };
            let _ = write!(out, "{comma}{}:[", quoted(name));
            write_seeds(key, (first, count), out);
            out.push(b']');
        }
        let _ = match self.nodes {
            Some(nodes) => writeln!(out, "}},\"nodes\":{nodes}}}}}"),
            None => writeln!(out, "}},\"nodes\":null}}}}"),
        };
    }
}

fn write_seeds(key: &StreamKey, (first, count): (u64, u64), out: &mut Vec<u8>) {
    for offset in 0..count {
        if offset > 0 {
            out.push(b',');
        }
        let seed = blake3::Hash::from_bytes(key.seed(first.wrapping_add(offset)));
        out.push(b'"');
        out.extend_from_slice(seed.to_hex().as_bytes());
        out.push(b'"');
    }
}

/// A text as a JSON string.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The answer of a program, without its rows.
#[derive(Debug, Default)]
pub(crate) struct ProgramAnswer {
    /// The request's number.
    pub(crate) id: Option<u64>,
    /// The rows that were read, if there were any.
    pub(crate) rows: Option<usize>,
    /// The sample that went wrong.
    pub(crate) at: Option<u64>,
    /// The error that the program reports.
    pub(crate) error: Option<String>,
    /// The story of a replay.
    pub(crate) story: Option<Replay>,
}

/// The problem of a line that is no answer, as it follows the program's name ("wrote ...", "says that
/// `wait` is ..."), and the row at fault, from 0; no row of a line that is no answer at all.
type InvalidAnswer = (Option<usize>, String);

/// An answer's line.
#[derive(Deserialize)]
struct AnswerLine<'a> {
    #[serde(default, deserialize_with = "whole")]
    id: Option<u64>,
    #[serde(borrow, default)]
    rows: Option<RawRows<'a>>,
    #[serde(borrow, default)]
    row: Option<Vec<&'a RawValue>>,
    #[serde(default, deserialize_with = "whole")]
    at: Option<u64>,
    #[serde(default, deserialize_with = "text")]
    error: Option<String>,
    #[serde(default)]
    story: Option<Replay>,
}

/// The values of rows, each as JSON. All are in one list: a list for each row would take as long to
/// make as a row takes to read.
#[derive(Default)]
struct RawRows<'a> {
    values: Vec<&'a RawValue>,
    /// The number of values up to the end of each row.
    ends: Vec<usize>,
}

impl<'de: 'a, 'a> Deserialize<'de> for RawRows<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut rows = Self::default();
        RawRowsSeed::<false>(&mut rows).deserialize(from)?;
        Ok(rows)
    }
}

/// Appends a list of rows, or in a row its values.
struct RawRowsSeed<'t, 'a, const IN_ROW: bool>(&'t mut RawRows<'a>);

impl<'de: 'a, 'a, const IN_ROW: bool> DeserializeSeed<'de> for RawRowsSeed<'_, 'a, IN_ROW> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de: 'a, 'a, const IN_ROW: bool> Visitor<'de> for RawRowsSeed<'_, 'a, IN_ROW> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a row of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        if !IN_ROW {
            while (list.next_element_seed(RawRowsSeed::<true>(self.0))?).is_some() {}
            return Ok(());
        }
        while let Some(value) = list.next_element()? {
            self.0.values.push(value);
        }
        self.0.ends.push(self.0.values.len());
        Ok(())
    }
}

/// Reads an answer's line, its values into `rows`, which are emptied first.
///
/// # Errors
/// If the line is no JSON object or a value does not fit its metric.
pub(crate) fn read(
    line: &[u8],
    columns: &[Metric],
    rows: &mut [Row],
) -> Result<ProgramAnswer, InvalidAnswer> {
    // Values that are skipped are not decoded, so the line is checked as a whole.
    let text = std::str::from_utf8(line)
        .map_err(|_| (None, format!("wrote {}, which is not UTF-8", quote(line))))?;
    read_text(text, columns, rows).map_err(|error| {
        let named = with_named_numbers(text);
        let of_row = |error: &InvalidAnswer| error.0.is_some();
        let again = |rows| read_text(&named, columns, rows).err().filter(of_row);
        if of_row(&error) {
            error
        } else {
            again(rows).unwrap_or(error)
        }
    })
}

fn read_text(
    text: &str,
    columns: &[Metric],
    rows: &mut [Row],
) -> Result<ProgramAnswer, InvalidAnswer> {
    let line: AnswerLine = match serde_json::from_str(text) {
        Ok(line) if text.trim_start().starts_with('{') => line,
        Ok(_) => return Err((None, misshapen(text, "expected an object"))),
        Err(error) if error.is_data() => return Err((None, misshapen(text, &of_shape(&error)))),
        Err(_) => return Err((None, noise(text.as_bytes()))),
    };
    if line.row.is_some() && line.rows.is_some() {
        return Err((None, misshapen(text, "both `row` and `rows`")));
    }
    let one = |values: Vec<_>| RawRows {
        ends: vec![values.len()],
        values,
    };
    let raw = line.rows.or(line.row.map(one));
    let (values, ends) = (raw.as_ref()).map_or((&[][..], &[][..]), |raw| (&raw.values, &raw.ends));
    let mut start = 0;
    for (index, (&end, row)) in ends.iter().zip(rows).enumerate() {
        let raw = values[std::mem::replace(&mut start, end)..end].iter();
        let raw = raw.map(|raw| raw.get());
        read_row(raw, columns, row).map_err(|problem| (Some(index), problem))?;
    }
    Ok(ProgramAnswer {
        id: line.id,
        rows: raw.map(|raw| raw.ends.len()),
        at: line.at,
        error: line.error,
        story: line.story,
    })
}

/// Reads the values of a row, each as JSON.
///
/// # Errors
/// The problem, as it follows the program's name.
pub(super) fn read_row<'a>(
    raw: impl ExactSizeIterator<Item = &'a str>,
    columns: &[Metric],
    row: &mut Row,
) -> Result<(), String> {
    row.clear();
    let (length, width) = (raw.len(), columns.len());
    if length != width {
        let plural = if length == 1 { "" } else { "s" };
        let names = metric_names(columns);
        return Err(format!(
            "answered {length} value{plural} where the file declares {width}: {names}"
        ));
    }
    for (column, raw) in columns.iter().zip(raw) {
        let value = value::read(column, raw);
        row.push(value.map_err(|problem| format!("says that `{}` {problem}", column.name))?);
    }
    Ok(())
}

/// The problem of a line that is JSON, with something else in the place of an answer's parts.
fn misshapen(text: &str, problem: &str) -> String {
    format!(
        "wrote {}, which is JSON and not an answer ({problem}): write \
         `{{\"id\":N,\"rows\":[[...],...]}}` with a list of values for each sample",
        quote(text.as_bytes())
    )
}

/// The problem of a line that is not JSON.
pub(crate) fn noise(line: &[u8]) -> String {
    format!(
        "wrote {}, which is not an answer: write one JSON object per line to standard \
         output, and everything else to standard error",
        quote(line)
    )
}

/// Returns the message of an error without its position in the line.
fn of_shape(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The line with the numbers that JSON does not have as texts, which no metric takes for values.
pub(super) fn with_named_numbers(line: &str) -> String {
    const NAMES: [&str; 6] = ["-Infinity", "Infinity", "NaN", "-inf", "inf", "nan"];
    let piece = |piece: &str| match NAMES.iter().find(|name| piece.starts_with(**name)) {
        Some(name) => format!("\"{name}\"{}", &piece[name.len()..]),
        None => piece.to_owned(),
    };
    line.split_inclusive(['[', ',', ':', ' '])
        .map(piece)
        .collect()
}

/// The members of a JSON object, none of them there twice.
pub(crate) struct Members<'a>(pub HashMap<String, &'a RawValue>);

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

/// A whole number, however a language writes it: `17`, `17.0`, `"17"`. `None` of anything else.
fn whole<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let value = serde_json::Value::deserialize(from)?;
    let whole = decimal::integer(&plain(&value)).ok().flatten();
    Ok(value.as_u64().or(whole.and_then(|n| n.try_into().ok())))
}

/// A text; of anything else its JSON.
fn text<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    Ok(Some(plain(&serde_json::Value::deserialize(from)?)))
}

/// A value without the quotes of a text.
pub(super) fn plain(value: &serde_json::Value) -> String {
    value
        .as_str()
        .map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::Streams;
    use task::Value;

    const COLUMNS: [Metric; 2] = [
        Metric::integer("wait", "min", (0, 600), "waiting"),
        Metric::flag("lost", "lost"),
    ];

    fn read_two(line: &str) -> Result<(ProgramAnswer, Vec<Row>), InvalidAnswer> {
        let mut rows = vec![Row::new(); 2];
        read(line.as_bytes(), &COLUMNS, &mut rows).map(|answer| (answer, rows))
    }

    #[test]
    fn a_request_has_a_seed_for_every_stream_and_sample() {
        let key = Streams::new(7).key("arrivals");
        let streams = [("arrivals".to_owned(), key.clone())];
        let mut line = Vec::new();
        let question = Question {
            declaration: &Declaration::default(),
            params: "{\"servers\":2}",
            values: &[],
            streams: &streams,
            nodes: Some(1000),
            memory: None,
        };
        question.write(&mut line, (17, "draw"), (40, 2));
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
        let invalid = |line: &str| read_two(line).unwrap_err();
        for noise in ["loading tables", "{\"id\":1", "{\"id\":1} {}"] {
            let (row, problem) = invalid(noise);
            let is_told = problem.contains("which is not an answer: write one JSON object");
            assert!(row.is_none() && is_told, "{problem}");
        }
        for (line, row, answered) in [
            ("{\"id\":1,\"rows\":[[1,true],[2]]}", 1, "1 value"),
            ("{\"id\":1,\"rows\":[[1,true,5]]}", 0, "3 values"),
        ] {
            let problem = format!("answered {answered} where the file declares 2: wait, lost");
            assert_eq!(invalid(line), (Some(row), problem));
        }
        for name in ["NaN", "Infinity", "-Infinity"] {
            let problem = invalid(&format!("{{\"id\":1,\"rows\":[[1,true], [{name}, true]]}}"));
            assert_eq!(
                problem,
                (
                    Some(1),
                    format!("says that `wait` is {name}, not an integer")
                )
            );
        }
        let (row, problem) = invalid("{\"id\":1,\"rows\":[[1,true]],\"note\":NaN}");
        assert!(row.is_none() && problem.contains("which is not an answer"));
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
        for (line, problem) in [
            (
                "{\"id\":1,\"rows\":[1,2]}",
                "(invalid type: integer `1`, expected a row of values)",
            ),
            ("[1]", "(expected an object)"),
            (
                "{\"rows\":[{\"wait\":1}]}",
                "(invalid type: map, expected a row of values)",
            ),
        ] {
            let error = read_two(line).unwrap_err();
            assert!(error.1.contains(problem), "{error:?}");
        }
    }

    #[test]
    fn a_key_that_is_there_twice_is_refused() {
        let rows = "\"rows\":[[1,true],[2,true]]";
        for again in [rows, "\"id\":1", "\"row\":[1,true]", "\"at\":1,\"at\":1"] {
            let line = format!("{{\"id\":1,{rows},{again}}}");
            let error = read_two(&line).unwrap_err();
            let is_told = ["duplicate", "both"]
                .iter()
                .any(|word| error.1.contains(word));
            assert!(is_told, "{line}: {error:?}");
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
            let error = read(line, &COLUMNS, &mut [Row::new()]).unwrap_err();
            assert!(error.1.ends_with("which is not UTF-8"));
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
