//! Claims of ratios: `ratio(A, B).median > 2`, `ratio(A, B).total within 3 %`.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::canonical::quoted;
use super::error::Problem;
use crate::stats::Relation;

/// The beginning of a relation of a ratio.
pub(super) const RATIO: &str = "ratio(";

/// The statistics that a claim may name.
const STATISTICS: [&str; 2] = ["median", "total"];

/// The keys of such a claim.
const KEYS: [&str; 4] = ["source", "text", "holds", "post-hoc"];

/// A sentence of a source with the relation of two times that is true where the sentence is.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioClaim {
    /// The person or text that makes the claim.
    pub source: String,
    /// The sentence.
    pub text: String,
    /// The relation as written.
    pub holds: String,
    /// The relation.
    pub relation: RatioRelation,
    /// True if it was written after seeing results.
    pub post_hoc: bool,
}

/// A relation of the times of two contenders.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioRelation {
    /// The contender whose time is divided.
    pub first: String,
    /// The contender that it is divided by.
    pub second: String,
    /// `median` or `total`.
    pub statistic: String,
    /// The test of the ratio.
    pub test: RatioTest,
}

/// The test of a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatioTest {
    /// It stands so to a number.
    Compare(Relation, f64),
    /// It lies in `1 / (1 + x) ..= 1 + x`.
    Within(f64),
}

impl RatioRelation {
    /// Reads a relation such as `ratio(new, before).median > 1.03`.
    ///
    /// # Errors
    /// A sentence that says what was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let fault = || {
            format!(
                "`{text}` is no relation of times: write `ratio(A, B).median > 1.03`, \
                 `ratio(A, B).total < 2` or `ratio(A, B).median within 3 %`"
            )
        };
        let inside = text.trim().strip_prefix(RATIO).ok_or_else(fault)?;
        let (names, rest) = inside.split_once(')').ok_or_else(fault)?;
        // A cell's name has commas without blanks: `n=8,version=automaton-1`.
        let parted = names.split_once(", ").or_else(|| names.split_once(','));
        let (first, second) = parted.ok_or_else(fault)?;
        let rest = rest.trim_start().strip_prefix('.').ok_or_else(fault)?;
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .ok_or_else(fault)?;
        let (statistic, test) = rest.split_at(end);
        let is_known = STATISTICS.contains(&statistic) && !first.trim().is_empty();
        Ok(Self {
            first: first.trim().to_owned(),
            second: second.trim().to_owned(),
            statistic: Some(statistic.to_owned())
                .filter(|_| is_known)
                .ok_or_else(fault)?,
            test: RatioTest::read(test.trim()).ok_or_else(fault)?,
        })
    }
}

impl RatioTest {
    fn read(text: &str) -> Option<Self> {
        if let Some(margin) = text.strip_prefix("within") {
            let percent = margin
                .trim()
                .strip_suffix('%')?
                .trim()
                .parse::<f64>()
                .ok()?;
            return (percent > 0.0 && percent.is_finite()).then_some(Self::Within(percent / 100.0));
        }
        let mut relations = Relation::ALL;
        relations.sort_by_key(|relation| std::cmp::Reverse(relation.symbol().len()));
        let found = relations
            .into_iter()
            .find_map(|one| Some((one, text.strip_prefix(one.symbol())?)));
        let (relation, number) = found?;
        let number = number
            .trim()
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())?;
        Some(Self::Compare(relation, number))
    }
}

impl RatioClaim {
    /// Reads a table of `[[claims]]`; `None` where it is about something else.
    pub(super) fn of_table(table: &BTreeMap<String, toml::Value>) -> Option<Result<Self, Problem>> {
        let text = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let holds = text("holds").filter(|holds| holds.trim().starts_with(RATIO))?;
        let needed = |key: &str| {
            let found = text(key).map(str::to_owned);
            found.ok_or_else(|| Problem::nowhere(format!("the claim `{holds}` has no `{key}`")))
        };
        if let Some(other) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let message = format!("the claim `{holds}` has an unknown key `{other}`");
            return Some(Err(Problem::nowhere(message).help(
                "a claim of a ratio has `source`, `text`, `holds` and `post-hoc`",
            )));
        }
        let post_hoc = table.get("post-hoc").and_then(toml::Value::as_bool);
        Some(
            RatioRelation::read(holds)
                .map_err(Problem::nowhere)
                .and_then(|relation| {
                    Ok(Self {
                        source: needed("source")?,
                        text: needed("text")?,
                        holds: holds.to_owned(),
                        relation,
                        post_hoc: post_hoc.unwrap_or(false),
                    })
                }),
        )
    }

    pub(super) fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "\n[[claims]]\nsource = {}", quoted(&self.source))?;
        writeln!(
            out,
            "text = {}\nholds = {}",
            quoted(&self.text),
            quoted(&self.holds)
        )?;
        if self.post_hoc {
            writeln!(out, "post-hoc = true")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_of_times_are_read() {
        let read = |text: &str| RatioRelation::read(text).unwrap();
        let found = read("ratio(new, before).median > 1.03");
        assert_eq!(
            (found.first.as_str(), found.second.as_str()),
            ("new", "before")
        );
        assert_eq!(found.test, RatioTest::Compare(Relation::Greater, 1.03));
        assert_eq!(
            read("ratio(a=1,b.c).total<=2").test,
            RatioTest::Compare(Relation::AtMost, 2.0)
        );
        assert_eq!(
            read("ratio(a, b).median within 3 %").test,
            RatioTest::Within(0.03)
        );
        for bad in [
            "ratio(a).median > 1",
            "ratio(a, b) > 1",
            "ratio(a, b).mean > 1",
            "ratio(a, b).median",
            "ratio(a, b).median within 3",
        ] {
            assert!(RatioRelation::read(bad).is_err(), "{bad}");
        }
    }
}
