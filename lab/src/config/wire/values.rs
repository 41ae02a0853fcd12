//! Values, tables and named tables as the text has them, each with its place.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use toml::Spanned;

/// A value with its place in the text.
pub type Item = Spanned<Scalar>;

/// Named tables, in file order.
#[derive(Debug)]
pub struct NamedTables<T>(pub Vec<(Spanned<String>, Spanned<TomlTable<T>>)>);

impl<T> Default for NamedTables<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for NamedTables<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TablesVisitor(PhantomData))
    }
}

struct TablesVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TablesVisitor<T> {
    type Value = NamedTables<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("named tables")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<NamedTables<T>, A::Error> {
        let mut tables = Vec::new();
        while let Some(entry) = map.next_entry::<Spanned<String>, Spanned<TomlTable<T>>>()? {
            tables.push(entry);
        }
        tables.sort_by_key(|(key, _)| key.span().start);
        Ok(NamedTables(tables))
    }
}

/// A table of these keys. A list is none, though it could be read by position.
#[derive(Debug)]
pub struct TomlTable<T>(pub T);

impl<T> Deref for TomlTable<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for TomlTable<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = TomlTable<T>;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TomlTable<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(TomlTable)
    }
}

/// The keys and values of a table, in file order.
#[derive(Debug, Default)]
pub struct Entries(pub Vec<KeyValue>);

/// A key with its value.
#[derive(Debug)]
pub struct KeyValue {
    /// The key.
    pub key: Spanned<String>,
    /// The value.
    pub value: Item,
}

/// Any value of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    Text(String),
    Integer(i128),
    Number(f64),
    Flag(bool),
    List(Vec<Item>),
    /// A table or a date.
    Table,
}

impl Scalar {
    /// The value in words, for messages.
    pub fn describe(&self) -> String {
        match self {
            Scalar::Text(text) if text.chars().count() > 40 => "this text".to_owned(),
            Scalar::Text(text) => format!("the text `{}`", text.escape_debug()),
            Scalar::Integer(integer) => format!("`{integer}`"),
            Scalar::Number(number) => format!("`{number:?}`"),
            Scalar::Flag(flag) => format!("`{flag}`"),
            Scalar::List(_) => "a list".to_owned(),
            Scalar::Table => "a table or a date".to_owned(),
        }
    }
}

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a table of parameters")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
        let mut entries = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, Item>()? {
            entries.push(KeyValue { key, value });
        }
        // The parser sorts by key; the file's order is the order of places.
        entries.sort_by_key(|entry| entry.key.span().start);
        Ok(Entries(entries))
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ScalarVisitor)
    }
}

struct ScalarVisitor;

impl<'de> Visitor<'de> for ScalarVisitor {
    type Value = Scalar;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E>(self, text: &str) -> Result<Scalar, E> {
        Ok(Scalar::Text(text.to_owned()))
    }

    fn visit_i64<E>(self, integer: i64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer.into()))
    }

    fn visit_u64<E>(self, integer: u64) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer.into()))
    }

    fn visit_i128<E>(self, integer: i128) -> Result<Scalar, E> {
        Ok(Scalar::Integer(integer))
    }

    fn visit_u128<E>(self, integer: u128) -> Result<Scalar, E> {
        Ok(Scalar::Integer(
            i128::try_from(integer).unwrap_or(i128::MAX),
        ))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Scalar, E> {
        Ok(Scalar::Number(number))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Scalar, E> {
        Ok(Scalar::Flag(flag))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Scalar, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element::<Item>()? {
            items.push(item);
        }
        Ok(Scalar::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Scalar, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Scalar::Table)
    }
}
