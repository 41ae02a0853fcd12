//! Claims of ratios: `ratio(A, B).median > 2`, `ratio(A, B).total within 3 %`.

use super::ClaimTable;
use super::document::KeyPath;
use super::error::Checked;
use super::relation::relation;
use base::decimal;
use stats::{PairStatistic, Relation};

/// The beginning of a relation of a ratio.
const RATIO: &str = "ratio(";

/// A relation of the times of two contenders.
#[derive(Clone, Debug, PartialEq)]
pub struct RatioRelation {
    /// The contender whose time is divided.
    pub first: String,
    /// The contender that it is divided by.
    pub second: String,
    /// The median or the total.
    pub statistic: PairStatistic,
    /// The test of the ratio.
    pub test: RatioTest,
}

/// The test of a ratio.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RatioTest {
    /// A relation to a number.
    Compare(Relation, f64),
    /// A place in `1 / (1 + x) ..= 1 + x`.
    Within(f64),
}

impl RatioRelation {
    /// The way to write one.
    pub const FORM: &'static str = "write `ratio(A, B).median > 1.03`, `ratio(A, B).total < 2` or \
                                    `ratio(A, B).median within 3 %`";

    /// Returns whether a relation is one of a ratio.
    pub(super) fn is_written(text: &str) -> bool {
        text.trim().starts_with(RATIO)
    }

    /// The relation of a claim at a path.
    pub(super) fn of(written: &ClaimTable, path: &KeyPath) -> Checked<Self> {
        if written.selector.is_some() {
            let problem = path
                .at("where")
                .fault_of_key("a ratio names its contenders itself");
            return Err(problem.help("remove `where`"));
        }
        let refuse = |message| path.at("holds").fault(message).help(Self::FORM);
        Self::read(&written.holds).map_err(refuse)
    }

    /// Reads a relation such as `ratio(new, before).median > 1.03`.
    ///
    /// # Errors
    /// A sentence; [`RatioRelation::FORM`] says what was expected.
    pub fn read(text: &str) -> Result<Self, String> {
        let fault = || format!("`{text}` is no relation of times");
        let inside = text.trim().strip_prefix(RATIO).ok_or_else(fault)?;
        let (names, rest) = inside.split_once(')').ok_or_else(fault)?;
        // A cell's name has commas without blanks: `n=8,version=automaton-1`.
        let parted = names.split_once(", ").or_else(|| names.split_once(','));
        let (first, second) = parted.ok_or_else(fault)?;
        let rest = rest.trim_start().strip_prefix('.').ok_or_else(fault)?;
        let end = rest.find(|c: char| !c.is_ascii_alphabetic());
        let (statistic, test) = rest.split_at(end.ok_or_else(fault)?);
        let statistic = statistic
            .parse()
            .ok()
            .filter(|one: &PairStatistic| one.is_ratio());
        let statistic = statistic.filter(|_| !first.trim().is_empty());
        Ok(Self {
            first: first.trim().to_owned(),
            second: second.trim().to_owned(),
            statistic: statistic.ok_or_else(fault)?,
            test: RatioTest::read(test.trim()).ok_or_else(fault)?,
        })
    }
}

impl RatioTest {
    fn read(text: &str) -> Option<Self> {
        let number = |text: &str| decimal::real(text.trim());
        if let Some(margin) = text.strip_prefix("within") {
            let percent = number(margin.trim().strip_suffix('%')?)?;
            return (percent > 0.0).then_some(Self::Within(percent / 100.0));
        }
        let (relation, rest) = relation(text)?;
        Some(Self::Compare(relation, number(rest)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_of_times_are_read() {
        let read = |text: &str| RatioRelation::read(text).unwrap();
        let claim = read("ratio(new, before).median > 1.03");
        assert_eq!(
            (claim.first.as_str(), claim.second.as_str()),
            ("new", "before")
        );
        assert_eq!(claim.test, RatioTest::Compare(Relation::Greater, 1.03));
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
