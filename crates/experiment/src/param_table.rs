//! Parameters as a file declares them.

use std::borrow::Cow;

use base::decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use task::{ParamError, ParamKind, ParamSpec, ParamValue, Words};

/// A parameter as an experiment file declares it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ParamTable {
    /// The values that the parameter takes.
    pub(crate) kind: ParamWord,
    /// The least value.
    #[schemars(with = "Option<f64>")]
    pub(crate) min: Option<Number>,
    /// The greatest value.
    #[schemars(with = "Option<f64>")]
    pub(crate) max: Option<Number>,
    /// The words of a choice.
    pub(crate) choices: Option<Vec<String>>,
    /// The default value; without it, the experiment must give one.
    pub(crate) default: Option<ParamValue>,
    /// A sentence that says what the parameter does.
    pub(crate) summary: Option<String>,
}

/// The word for a kind of parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(crate) enum ParamWord {
    /// An integer.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Flag,
    /// Any text.
    Text,
    /// A word of a list.
    Choice,
}

impl ParamTable {
    /// The table that declares a parameter.
    pub(crate) fn of(spec: &ParamSpec) -> Self {
        let (kind, min, max, choices) = match &spec.kind {
            ParamKind::Integer { min, max } => {
                let min = (*min != i64::MIN).then(|| Number::from(*min));
                let max = (*max != i64::MAX).then(|| Number::from(*max));
                (ParamWord::Integer, min, max, None)
            }
            ParamKind::Number { min, max } => {
                let bound = |bound: f64| Number::from_f64(bound).filter(|_| bound.abs() < f64::MAX);
                (ParamWord::Number, bound(*min), bound(*max), None)
            }
            ParamKind::Flag => (ParamWord::Flag, None, None, None),
            ParamKind::Text => (ParamWord::Text, None, None, None),
            ParamKind::Choice(words) => {
                let words = words.iter().map(str::to_owned).collect();
                (ParamWord::Choice, None, None, Some(words))
            }
        };
        Self {
            kind,
            min,
            max,
            choices,
            default: spec.default.clone(),
            summary: Some(spec.summary.to_string()).filter(|text| !text.is_empty()),
        }
    }

    /// The parameter of this name that the table declares.
    ///
    /// # Errors
    /// The key that cannot be as it is; the empty key stands for the table.
    pub(crate) fn param(&self, name: &str) -> Result<ParamSpec, ParamError> {
        let kind = self.values(name)?;
        let read = |default: &ParamValue| {
            kind.read(default).ok_or_else(|| {
                let message = format!("`default` cannot be `{default}`");
                ParamError::new("default", message, format!("give {}", kind.accepted()))
            })
        };
        Ok(ParamSpec {
            name: Cow::Owned(name.to_owned()),
            summary: Cow::Owned(self.summary.clone().unwrap_or_default()),
            default: self.default.as_ref().map(read).transpose()?,
            kind,
        })
    }

    /// The values that the parameter takes.
    fn values(&self, name: &str) -> Result<ParamKind, ParamError> {
        Ok(match self.kind {
            ParamWord::Integer => ParamKind::Integer {
                min: integer("min", &self.min, i64::MIN)?,
                max: integer("max", &self.max, i64::MAX)?,
            },
            ParamWord::Number => ParamKind::Number {
                min: number("min", &self.min, f64::MIN)?,
                max: number("max", &self.max, f64::MAX)?,
            },
            ParamWord::Flag => ParamKind::Flag,
            ParamWord::Text => ParamKind::Text,
            ParamWord::Choice => {
                let words = self.choices.clone().filter(|words| !words.is_empty());
                ParamKind::Choice(Words::Read(words.ok_or_else(|| {
                    let message = format!("`{name}` has no `choices`");
                    ParamError::new("", message, "add `choices = [\"a\", \"b\"]`")
                })?))
            }
        })
    }
}

/// The integer that a bound is, however it is written.
fn integer(key: &str, bound: &Option<Number>, otherwise: i64) -> Result<i64, ParamError> {
    let Some(bound) = bound else {
        return Ok(otherwise);
    };
    let integer = decimal::integer(&bound.to_string()).ok().flatten();
    integer.ok_or_else(|| {
        let message = format!("`{key}` cannot be `{bound}`");
        ParamError::new(key, message, "give an integer")
    })
}

/// The number that a bound is, if it is held exactly.
fn number(key: &str, bound: &Option<Number>, otherwise: f64) -> Result<f64, ParamError> {
    let Some(bound) = bound else {
        return Ok(otherwise);
    };
    decimal::real(&bound.to_string()).ok_or_else(|| {
        let message = format!("`{key}` cannot be `{bound}`, which would be rounded");
        ParamError::new(key, message, "give a number that is held exactly")
    })
}
