//! TOML values as serde reads them. A fault is data, a path and a kind: no sentence of serde's is read.

use std::fmt;
use std::iter::Enumerate;
use std::slice::Iter;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeSeed, Expected, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use base::decimal;

/// A value that serde has read.
type Typing<T> = Result<T, TypedFault>;

/// A fault of a value, or of a key in it.
#[derive(Debug)]
pub(super) struct TypedFault {
    /// The keys and indices on the way to the value, the last one first.
    pub(crate) steps: Vec<String>,
    /// The kind of the fault.
    pub(crate) kind: FaultKind,
}

/// The kind of a fault.
#[derive(Debug)]
pub(super) enum FaultKind {
    /// The table has a key that is none of the known ones.
    Unknown(String, &'static [&'static str]),
    /// The table lacks a key.
    Missing(&'static str),
    /// The value is no table.
    NoTable,
    /// The value is no list.
    NoList,
    /// The value is something else than these words say.
    Unfit(String),
    /// The table has none of the keys of which it must have one.
    NoneOf,
    /// The table has a key beside another one, of which it must have one.
    Second(String),
    /// The machine would hold another number than this text.
    Rounded(String, f64),
    /// The sentence says it.
    Said(String),
}

impl From<FaultKind> for TypedFault {
    fn from(kind: FaultKind) -> Self {
        let steps = Vec::new();
        Self { steps, kind }
    }
}

impl TypedFault {
    /// Returns the fault, whose path begins with this step.
    fn below(mut self, step: String) -> Self {
        self.steps.push(step);
        self
    }

    /// Returns the fault of a value within that of a table: what serde kept before it read it has lost its path.
    fn within(self) -> Self {
        match self.kind {
            FaultKind::Unfit(words) if self.steps.is_empty() => {
                FaultKind::Said(format!("expected {words}")).into()
            }
            _ => self,
        }
    }
}

impl fmt::Display for TypedFault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.kind)
    }
}

impl std::error::Error for TypedFault {}

impl de::Error for TypedFault {
    /// The fault that a sentence says; our own begin with `expected` where it is the value that is none of these.
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = message.to_string();
        let kind = match message.strip_prefix("expected ") {
            Some(words) => FaultKind::Unfit(words.to_owned()),
            None => FaultKind::Said(message),
        };
        kind.into()
    }

    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Self {
        FaultKind::Unfit(expected.to_string()).into()
    }

    fn invalid_value(_: Unexpected, expected: &dyn Expected) -> Self {
        FaultKind::Unfit(expected.to_string()).into()
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        FaultKind::Unknown(name.to_owned(), known).into()
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        FaultKind::Unfit(match known.as_slice() {
            [one] => one.clone(),
            all => format!("one of {}", all.join(", ")),
        })
        .into()
    }

    fn missing_field(name: &'static str) -> Self {
        FaultKind::Missing(name).into()
    }
}

/// A value, to be read by serde.
struct TypedValue<'a>(&'a DeValue<'a>);

/// The entries of a table, to be read by serde.
pub(super) struct TypedTable<'a> {
    entries: Box<dyn Iterator<Item = TypedEntry<'a>> + 'a>,
    /// The entry whose key was read last.
    last: Option<TypedEntry<'a>>,
}

/// A key with its value.
type TypedEntry<'a> = (&'a str, &'a DeValue<'a>);

/// The items of a list, to be read by serde.
struct TypedList<'a>(Enumerate<Iter<'a, Spanned<DeValue<'a>>>>);

impl<'a> TypedTable<'a> {
    /// The entries of a table, in the order of the text.
    pub(crate) fn of(table: &'a DeTable<'a>) -> MapAccessDeserializer<Self> {
        let entries = table.iter();
        let entries = entries.map(|(key, value)| (&**key.get_ref(), value.get_ref()));
        MapAccessDeserializer::new(Self {
            entries: Box::new(entries),
            last: None,
        })
    }
}

impl<'de> MapAccess<'de> for TypedTable<'de> {
    type Error = TypedFault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Typing<Option<K::Value>> {
        self.last = self.entries.next();
        let key = self.last.map(|(key, _)| StrDeserializer::new(key));
        key.map(|key| seed.deserialize(key)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Typing<V::Value> {
        let Some((key, value)) = self.last else {
            return Err(de::Error::custom("a value without a key"));
        };
        let read = seed.deserialize(TypedValue(value));
        read.map_err(|fault| fault.below(key.to_owned()))
    }
}

impl<'de> SeqAccess<'de> for TypedList<'de> {
    type Error = TypedFault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Typing<Option<T::Value>> {
        let Some((index, value)) = self.0.next() else {
            return Ok(None);
        };
        let read = seed.deserialize(TypedValue(value.get_ref())).map(Some);
        read.map_err(|fault| fault.below(index.to_string()))
    }
}

impl<'de> TypedValue<'de> {
    fn read<V: Visitor<'de>>(self, visitor: V) -> Typing<V::Value> {
        match self.0 {
            DeValue::String(text) => visitor.visit_str(text),
            DeValue::Integer(_) => integer(self.0, visitor),
            DeValue::Float(float) => visitor.visit_f64(real(float.as_str())?),
            DeValue::Boolean(flag) => visitor.visit_bool(*flag),
            // No key holds a date.
            DeValue::Datetime(_) => visitor.visit_unit(),
            DeValue::Array(items) => visitor.visit_seq(TypedList(items.iter().enumerate())),
            DeValue::Table(table) => {
                let read = TypedTable::of(table).deserialize_any(visitor);
                read.map_err(TypedFault::within)
            }
        }
    }

    /// Reads a value that `fits`; any other has the fault.
    fn only<V: Visitor<'de>>(self, fits: bool, fault: FaultKind, visitor: V) -> Typing<V::Value> {
        if fits {
            self.read(visitor)
        } else {
            Err(fault.into())
        }
    }
}

fn integer<'a, V: Visitor<'a>>(value: &DeValue, visitor: V) -> Typing<V::Value> {
    let integer = held(value).ok_or(FaultKind::Said("integer number overflowed".to_owned()))?;
    match (i64::try_from(integer), u64::try_from(integer)) {
        (Ok(integer), _) => visitor.visit_i64(integer),
        (_, Ok(integer)) => visitor.visit_u64(integer),
        _ => visitor.visit_i128(integer),
    }
}

/// The integer, unless no type holds it.
pub(super) fn held(value: &DeValue) -> Option<i128> {
    let integer = value.as_integer()?;
    i128::from_str_radix(integer.as_str(), integer.radix()).ok()
}

/// The number that a text is. One with more digits than the machine's hold is refused: serde would round it without
/// a word.
fn real(text: &str) -> Result<f64, TypedFault> {
    let text = text.replace('_', "");
    let near: f64 = text.parse().unwrap_or(f64::NAN);
    if near.is_finite() && decimal::real(&text).is_none() {
        return Err(FaultKind::Rounded(text, near).into());
    }
    Ok(near)
}

/// The methods that read values of one kind, each with the kinds that fit and the fault of any other.
macro_rules! kinds {
    ($($method:ident($($name:ident: $type:ty),*): $fits:pat => $fault:expr;)*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Typing<V::Value> {
            $(let _ = $name;)*
            let fits = matches!(self.0, $fits);
            self.only(fits, $fault, visitor)
        })*
    };
}

/// The fault of a value that is something else than these words say.
fn unfit(words: &str) -> FaultKind {
    FaultKind::Unfit(words.to_owned())
}

impl<'de> Deserializer<'de> for TypedValue<'de> {
    type Error = TypedFault;

    kinds! {
        deserialize_any(): _ => FaultKind::NoneOf;
        deserialize_bool(): DeValue::Boolean(_) => unfit("`true` or `false`");
        deserialize_i64(): DeValue::Integer(_) => unfit("a whole number");
        deserialize_f64(): DeValue::Integer(_) | DeValue::Float(_) => unfit("a number");
        deserialize_str(): DeValue::String(_) => unfit("a text");
        deserialize_string(): DeValue::String(_) => unfit("a text");
        deserialize_seq(): DeValue::Array(_) => FaultKind::NoList;
        deserialize_map(): DeValue::Table(_) => FaultKind::NoTable;
        deserialize_struct(name: &'static str, fields: &'static [&'static str]):
            DeValue::Table(_) => FaultKind::NoTable;
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Typing<V::Value> {
        let fits = (self.0.as_array()).is_some_and(|items| items.len() == len);
        self.only(fits, unfit("two numbers, the smaller first"), visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Typing<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Typing<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    /// Reads a word, or of a type that is called a table a table with one of the keys.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Typing<V::Value> {
        match (self.0, name.ends_with("Table")) {
            (DeValue::Table(table), true) => {
                one_of(table, known)?;
                visitor.visit_enum(TypedTable::of(table))
            }
            (DeValue::String(word), false) => visitor.visit_enum(StrDeserializer::new(word)),
            (_, true) => Err(FaultKind::NoTable.into()),
            (_, false) => Err(de::Error::unknown_variant("", known)),
        }
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 char bytes byte_buf unit unit_struct tuple_struct
        identifier ignored_any
    }
}

/// Checks that a table has exactly one of the known keys.
fn one_of(table: &DeTable, known: &'static [&'static str]) -> Result<(), TypedFault> {
    let keys = || table.iter().map(|(key, _)| &**key.get_ref());
    if let Some(key) = keys().find(|key| !known.contains(key)) {
        return Err(FaultKind::Unknown(key.to_owned(), known).into());
    }
    match (keys().count(), keys().nth(1)) {
        (0, _) => Err(FaultKind::NoneOf.into()),
        (_, Some(second)) => Err(FaultKind::Second(second.to_owned()).into()),
        _ => Ok(()),
    }
}
