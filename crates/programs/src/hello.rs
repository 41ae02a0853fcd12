//! A program's hello: the protocol that it speaks, and who it is. What it draws is declared in the
//! experiment file.

use serde_json::Value;

use super::wire::plain;
use task::outside::{PROTOCOL, excerpt};

/// A program's answer to hello. Other facts in it are passed over.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Hello {
    /// The program's own name; empty where it gives none.
    pub(crate) name: String,
    /// The program's version; empty where it gives none.
    pub(crate) version: String,
    /// True if it tells samples as stories.
    pub(crate) can_replay: bool,
    /// The protocol that it wants to speak, as it says it.
    pub(crate) protocol: Option<Value>,
}

impl Hello {
    /// Reads the line that answers hello; `None` where it is none.
    pub(crate) fn read(line: &[u8]) -> Option<Self> {
        let value: Value = serde_json::from_slice(line).ok()?;
        let said = value.get("hello")?.as_object()?;
        let text = |key: &str| match said.get(key) {
            Some(Value::Null) | None => String::new(),
            Some(said) => excerpt(&plain(said)),
        };
        let skills = said.get("can").and_then(Value::as_array);
        Some(Self {
            name: text("name"),
            version: text("version"),
            can_replay: skills.is_some_and(|skills| skills.contains(&"replay".into())),
            protocol: said.get("protocol").cloned(),
        })
    }

    /// Returns whether it speaks this protocol, which languages write as `1` or `1.0`.
    pub(crate) fn speaks_protocol(&self) -> bool {
        let protocol = self.protocol.as_ref().and_then(Value::as_f64);
        protocol == Some(PROTOCOL as f64)
    }
}
