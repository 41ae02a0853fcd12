//! A task's parameters: declared by the game, checked by the configuration, read by the task.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::outside::Players;
use base::{decimal, real, suggest};

/// A parameter a task accepts.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// The parameter's key under `[params]`.
    pub name: Cow<'static, str>,
    /// A sentence that says what it does.
    pub summary: Cow<'static, str>,
    /// The values that it takes.
    pub kind: ParamKind,
    /// The value when the file has none; without a default, the file must give one.
    pub default: Option<ParamValue>,
}

impl ParamSpec {
    /// A text, which must be given.
    pub const fn text(name: &'static str, summary: &'static str) -> Self {
        Self::of(name, ParamKind::Text, summary)
    }

    /// A word of a list, which must be given.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        summary: &'static str,
    ) -> Self {
        Self::of(name, ParamKind::Choice(Words::Fixed(words)), summary)
    }

    /// An integer from `min` to `max`, which must be given.
    pub const fn integer(
        name: &'static str,
        (min, max): (i64, i64),
        summary: &'static str,
    ) -> Self {
        Self::of(name, ParamKind::Integer { min, max }, summary)
    }

    /// A number of this range, which must be given.
    pub const fn number(
        name: &'static str,
        range: RangeInclusive<f64>,
        summary: &'static str,
    ) -> Self {
        let (min, max) = (*range.start(), *range.end());
        Self::of(name, ParamKind::Number { min, max }, summary)
    }

    /// A flag, which must be given.
    pub const fn flag(name: &'static str, summary: &'static str) -> Self {
        Self::of(name, ParamKind::Flag, summary)
    }

    /// Returns the parameter with this text as its default.
    ///
    /// ```
    /// use etude_task::{ParamSpec, ParamValue};
    /// const SIDE: ParamSpec = ParamSpec::integer("n", (1, 28), "The board's side").or_integer(8);
    /// assert_eq!(SIDE.default, Some(ParamValue::Integer(8)));
    /// ```
    pub const fn or_text(self, text: &'static str) -> Self {
        self.or(ParamValue::Text(Cow::Borrowed(text)))
    }

    /// Returns the parameter with this integer as its default.
    pub const fn or_integer(self, integer: i64) -> Self {
        self.or(ParamValue::Integer(integer))
    }

    /// Returns the parameter with this number as its default.
    pub const fn or_number(self, number: f64) -> Self {
        self.or(ParamValue::Number(number))
    }

    /// Returns the parameter with this flag as its default.
    pub const fn or_flag(self, flag: bool) -> Self {
        self.or(ParamValue::Flag(flag))
    }

    const fn or(mut self, default: ParamValue) -> Self {
        // A constant cannot drop the old default, which owns nothing before it comes from a file.
        std::mem::forget(self.default.replace(default));
        self
    }

    const fn of(name: &'static str, kind: ParamKind, summary: &'static str) -> Self {
        Self {
            name: Cow::Borrowed(name),
            summary: Cow::Borrowed(summary),
            kind,
            default: None,
        }
    }
}

/// The values a parameter takes.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// Any text; the task checks it further.
    Text,
    /// A word of a fixed list.
    Choice(Words),
    /// An integer in `min..=max`.
    Integer {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A finite number in `min..=max`.
    Number {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// `true` or `false`.
    Flag,
}

/// The words of a choice.
#[derive(Clone, Debug, PartialEq)]
pub enum Words {
    /// Known when the program is built.
    Fixed(&'static [&'static str]),
    /// Read from a file.
    Read(Vec<String>),
}

impl Words {
    /// Returns whether `word` is one of them.
    pub fn contains(&self, word: &str) -> bool {
        self.iter().any(|known| known == word)
    }

    /// The words in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        let (fixed, read): (&[&'static str], &[String]) = match self {
            Words::Fixed(words) => (words, &[]),
            Words::Read(words) => (&[], words),
        };
        fixed.iter().copied().chain(read.iter().map(String::as_str))
    }
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged, expecting = "expected a text, a number, `true` or `false`")]
#[schemars(with = "AnyValue")]
pub enum ParamValue {
    /// A text or a choice.
    Text(Cow<'static, str>),
    /// An integer.
    Integer(i64),
    /// A number; an integer beyond 64 bits can only be meant as one.
    Number(#[serde(deserialize_with = "real::any")] f64),
    /// A flag.
    Flag(bool),
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::Text(text) => f.write_str(text),
            ParamValue::Integer(integer) => write!(f, "{integer}"),
            ParamValue::Number(number) => write!(f, "{number}"),
            ParamValue::Flag(flag) => write!(f, "{flag}"),
        }
    }
}

/// The schema of a parameter's value: anything but a list, a table or a date.
#[derive(JsonSchema)]
#[schemars(inline, extend("type" = ["string", "integer", "number", "boolean"]))]
struct AnyValue;

impl ParamKind {
    /// A value as this kind takes it; `None` of any other.
    pub fn read(&self, value: &ParamValue) -> Option<ParamValue> {
        match (self, value) {
            (ParamKind::Text, ParamValue::Text(_)) => Some(value.clone()),
            // `passes = 3` means the text `3`, as it does on a command line.
            (ParamKind::Text, ParamValue::Integer(integer)) => {
                Some(ParamValue::Text(integer.to_string().into()))
            }
            (ParamKind::Choice(words), ParamValue::Text(text)) => {
                words.contains(text).then(|| value.clone())
            }
            (ParamKind::Integer { min, max }, _) => {
                let integer = value
                    .integer()
                    .filter(|integer| (min..=max).contains(&integer));
                integer.map(ParamValue::Integer)
            }
            (ParamKind::Number { min, max }, _) => {
                let number = value
                    .number()
                    .filter(|number| (*min..=*max).contains(number));
                number.map(ParamValue::Number)
            }
            (ParamKind::Flag, ParamValue::Flag(_)) => Some(value.clone()),
            _ => None,
        }
    }

    /// The values that it takes, in words.
    pub fn accepted(&self) -> String {
        match self {
            ParamKind::Text => "a text".to_owned(),
            ParamKind::Choice(words) => format!("one of {}", suggest::list(words.iter())),
            ParamKind::Integer { min, max } => {
                let [min, max] = [(*min, i64::MIN), (*max, i64::MAX)]
                    .map(|(end, none)| (end != none).then(|| end.to_string()));
                within("an integer", min, max)
            }
            ParamKind::Number { min, max } => {
                let ends = [min, max];
                let [min, max] = ends.map(|end| (end.abs() < f64::MAX).then(|| end.to_string()));
                within("a number", min, max)
            }
            ParamKind::Flag => "`true` or `false`".to_owned(),
        }
    }
}

/// A kind of number with its limits, as far as there are any.
fn within(kind: &str, min: Option<String>, max: Option<String>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{kind} from {min} to {max}"),
        (Some(min), None) => format!("{kind} of at least {min}"),
        (None, Some(max)) => format!("{kind} of at most {max}"),
        (None, None) => kind.to_owned(),
    }
}

/// The integer that a bound is, however it is written.
fn whole(bound: &Number) -> Option<i64> {
    decimal::integer(&bound.to_string()).ok().flatten()
}

impl ParamValue {
    /// The integer that it is, if it is one: `1e6` is.
    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            ParamValue::Integer(integer) => Some(*integer),
            ParamValue::Number(number) => whole(&Number::from_f64(*number)?),
            _ => None,
        }
    }

    /// The finite number that it is, if it is one.
    pub fn number(&self) -> Option<f64> {
        let number = match *self {
            ParamValue::Number(number) => number,
            ParamValue::Integer(integer) => real::held(integer.into())?,
            _ => return None,
        };
        // Adding zero turns -0 into 0, so that equal values have one name.
        number.is_finite().then_some(number + 0.0)
    }
}

/// A task's parameters, each present and of its declared kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Params {
    values: BTreeMap<String, ParamValue>,
    /// The players in other programs that texts may name.
    players: Option<Arc<Players>>,
}

impl Params {
    /// No parameters.
    pub fn new() -> Self {
        Self::default()
    }

    /// The defaults of `specs`; required ones are absent.
    pub fn defaults(specs: &[ParamSpec]) -> Self {
        let given = |spec: &ParamSpec| Some((spec.name.to_string(), spec.default.clone()?));
        Self {
            values: specs.iter().filter_map(given).collect(),
            players: None,
        }
    }

    /// Returns the parameters with the players in other programs that texts may name.
    pub fn with_players(mut self, players: &Arc<Players>) -> Self {
        self.players = Some(Arc::clone(players));
        self
    }

    /// Returns the players in other programs that texts may name.
    pub fn players(&self) -> Option<&Players> {
        self.players.as_deref()
    }

    /// The parameters with their values as texts, in order.
    pub fn values(&self) -> Vec<(String, String)> {
        let all = self.iter();
        all.map(|(name, value)| (name.to_owned(), value.to_string()))
            .collect()
    }

    /// All parameters as one JSON object, in order of name.
    pub fn to_json(&self) -> String {
        serde_json::json!(self.values).to_string()
    }

    /// Sets a parameter, replacing what was there.
    pub fn set(&mut self, name: &str, value: ParamValue) {
        self.values.insert(name.to_owned(), value);
    }

    /// Returns the parameters with a text set; for tests and built-in callers.
    pub fn with_text(mut self, name: &str, value: &str) -> Self {
        self.set(name, ParamValue::Text(Cow::Owned(value.to_owned())));
        self
    }

    /// Returns the parameters with an integer set; for tests and built-in callers.
    pub fn with_integer(mut self, name: &str, value: i64) -> Self {
        self.set(name, ParamValue::Integer(value));
        self
    }

    /// A parameter's value, if present.
    pub fn get(&self, name: &str) -> Option<&ParamValue> {
        self.values.get(name)
    }

    /// All parameters in order of name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &ParamValue)> {
        self.values
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// A text or choice.
    ///
    /// # Errors
    /// If it is missing or of another kind.
    pub fn text(&self, name: &str) -> Result<&str, ParamError> {
        match self.get(name) {
            Some(ParamValue::Text(text)) => Ok(text),
            other => Err(ParamError::kind(name, "a text", other)),
        }
    }

    /// An integer.
    ///
    /// # Errors
    /// If it is missing or of another kind.
    pub fn integer(&self, name: &str) -> Result<i64, ParamError> {
        match self.get(name) {
            Some(ParamValue::Integer(integer)) => Ok(*integer),
            other => Err(ParamError::kind(name, "an integer", other)),
        }
    }

    /// A number; an integer will do.
    ///
    /// # Errors
    /// If it is missing or of another kind.
    pub fn number(&self, name: &str) -> Result<f64, ParamError> {
        match self.get(name) {
            Some(ParamValue::Number(number)) => Ok(*number),
            Some(ParamValue::Integer(integer)) => Ok(*integer as f64),
            other => Err(ParamError::kind(name, "a number", other)),
        }
    }

    /// A flag.
    ///
    /// # Errors
    /// If it is missing or of another kind.
    pub fn flag(&self, name: &str) -> Result<bool, ParamError> {
        match self.get(name) {
            Some(ParamValue::Flag(flag)) => Ok(*flag),
            other => Err(ParamError::kind(name, "true or false", other)),
        }
    }
}

/// A parameter that the task cannot accept.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ParamError {
    /// The parameter's name.
    pub name: String,
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The expected form, or advice.
    pub help: String,
}

impl ParamError {
    /// An error of parameter `name`.
    pub fn new(name: &str, message: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            name: name.to_owned(),
            message: message.into(),
            help: help.into(),
        }
    }

    fn kind(name: &str, expected: &str, found: Option<&ParamValue>) -> Self {
        let message = match found {
            Some(value) => format!("parameter `{name}` is `{value}`"),
            None => format!("parameter `{name}` is missing"),
        };
        Self::new(name, message, format!("give {expected}"))
    }
}

#[cfg(test)]
mod tests;
