//! `[sweep]`: parameters with a list or a range of values each, and those that are swept together.
//!
//! A range stands for the list of its values, and is written out as one. Cells are numbered like the digits of a
//! number: the first axis is the slowest, and axes that are swept together are one digit.

use std::fmt;
use std::ops::Deref;

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::document::KeyPath;
use super::error::{Checked, position_of};
use base::{count, real};
use task::ParamValue;

/// The key beside the swept parameters.
pub(super) const ZIP: &str = "zip";

/// The most values of a range, which are the most cells of an experiment.
const MOST_VALUES: i128 = 10_000;

/// Decimals of a range's numbers at most.
const MOST_DECIMALS: usize = 12;

/// The swept parameters in file order, each with its values: all different, at least one.
pub(crate) type Axes = IndexMap<String, Vec<ParamValue>>;

/// Swept parameters: one cell for every combination of values, the first axis slowest.
#[derive(Clone, Debug, Default, PartialEq, JsonSchema)]
pub struct SweepTable {
    /// Swept parameters that change together: the first value of each in one cell, the second in the next, and so on.
    #[schemars(default)]
    pub(crate) zip: Vec<String>,
    /// The values of each parameter.
    #[schemars(flatten, with = "IndexMap<String, AxisValues>")]
    pub(crate) axes: Axes,
}

/// The values of a swept parameter: a list, or `{ from = 10, to = 100, step = 10 }`.
#[derive(JsonSchema)]
#[schemars(untagged)]
enum AxisValues {
    /// The values, each once.
    List(Vec<ParamValue>),
    /// Evenly spaced numbers.
    Range(RangeTable),
}

/// Evenly spaced numbers.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RangeTable {
    /// The first number.
    #[serde(deserialize_with = "real::any")]
    from: f64,
    /// The largest number that there may be.
    #[serde(deserialize_with = "real::any")]
    to: f64,
    /// The distance between two numbers; 1 by default.
    #[serde(default = "usual_step", deserialize_with = "real::any")]
    step: f64,
}

fn usual_step() -> f64 {
    1.0
}

impl RangeTable {
    /// The numbers of the range, exact in decimals.
    ///
    /// # Errors
    /// A sentence, if there are none or too many.
    fn values(self) -> Result<Vec<ParamValue>, String> {
        let texts = [self.from, self.to, self.step].map(|number| number.to_string());
        let decimals = texts.iter().map(|text| fraction(text).len()).max();
        let decimals = decimals.unwrap_or(0);
        let scaled = texts.each_ref().map(|text| scaled(text, decimals));
        let [Some(from), Some(to), Some(step)] = scaled else {
            return Err(format!(
                "a range has finite numbers of at most {MOST_DECIMALS} decimals"
            ));
        };
        if step <= 0 {
            return Err(format!(
                "the step of a range is above 0, and {} is not",
                texts[2]
            ));
        }
        if from > to {
            return Err(format!(
                "the range from {} to {} is empty",
                texts[0], texts[1]
            ));
        }
        if (to - from) / step >= MOST_VALUES {
            let most = count(MOST_VALUES as u64);
            return Err(format!("the range has more than {most} values"));
        }
        let numbers = (0..=(to - from) / step).map(|index| from + index * step);
        Ok(numbers.map(|number| unscaled(number, decimals)).collect())
    }
}

/// The digits after the point of a number's text.
fn fraction(text: &str) -> &str {
    text.split_once('.').map_or("", |(_, fraction)| fraction)
}

/// The number of a text times a power of ten.
fn scaled(text: &str, decimals: usize) -> Option<i128> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{fraction:0<decimals$}");
    digits.parse().ok().filter(|_| decimals <= MOST_DECIMALS)
}

/// The number of which this is so many times a power of ten.
fn unscaled(number: i128, decimals: usize) -> ParamValue {
    let power = 10_i128.pow(decimals as u32);
    match i64::try_from(number / power) {
        Ok(integer) if number % power == 0 => ParamValue::Integer(integer),
        _ => {
            let (sign, size) = (if number < 0 { "-" } else { "" }, number.unsigned_abs());
            let (whole, rest) = (size / power as u128, size % power as u128);
            let text = format!("{sign}{whole}.{rest:0>decimals$}");
            ParamValue::Number(text.parse().unwrap_or(f64::NAN))
        }
    }
}

impl<'de> Deserialize<'de> for AxisValues {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AxisVisitor)
    }
}

/// Reads [`AxisValues`].
struct AxisVisitor;

impl<'de> Visitor<'de> for AxisVisitor {
    type Value = AxisValues;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<AxisValues, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(items)).map(AxisValues::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, keys: A) -> Result<AxisValues, A::Error> {
        let range = RangeTable::deserialize(MapAccessDeserializer::new(keys))?;
        range.values().map_err(A::Error::custom)?;
        Ok(AxisValues::Range(range))
    }
}

impl From<AxisValues> for Vec<ParamValue> {
    fn from(values: AxisValues) -> Self {
        match values {
            AxisValues::List(values) => values,
            AxisValues::Range(range) => range.values().unwrap_or_default(),
        }
    }
}

/// Reads a [`SweepTable`] key by key, so that a fault is known with its place.
struct SweepVisitor;

impl<'de> Visitor<'de> for SweepVisitor {
    type Value = SweepTable;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut keys: A) -> Result<SweepTable, A::Error> {
        let mut sweep = SweepTable::default();
        while let Some(key) = keys.next_key::<String>()? {
            if key == ZIP {
                sweep.zip = keys.next_value()?;
            } else {
                let values = keys.next_value::<AxisValues>()?;
                sweep.axes.insert(key, values.into());
            }
        }
        Ok(sweep)
    }
}

impl<'de> Deserialize<'de> for SweepTable {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(SweepVisitor)
    }
}

impl Serialize for SweepTable {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(None)?;
        if !self.zip.is_empty() {
            map.serialize_entry(ZIP, &self.zip)?;
        }
        for (name, values) in &self.axes {
            map.serialize_entry(name, values)?;
        }
        map.end()
    }
}

impl Deref for SweepTable {
    type Target = Axes;

    fn deref(&self) -> &Axes {
        &self.axes
    }
}

impl SweepTable {
    /// Returns whether two swept parameters are the same, or change together.
    pub fn is_together(&self, one: &str, other: &str) -> bool {
        let is_zipped = |name: &str| self.zip.iter().any(|known| known == name);
        one == other || is_zipped(one) && is_zipped(other)
    }

    /// The first axis of those that change together with an axis.
    fn leader(&self, axis: usize) -> usize {
        let names: Vec<&String> = self.axes.keys().collect();
        let is_together = |other: &usize| self.is_together(names[axis], names[*other]);
        (0..axis).find(is_together).unwrap_or(axis)
    }

    /// The axes that are no other's companions, each with the number of its values.
    pub(super) fn leaders(&self) -> impl Iterator<Item = (usize, usize)> {
        let axes = self.axes.values().map(Vec::len).enumerate();
        axes.filter(|&(axis, _)| self.leader(axis) == axis)
    }

    /// The number of cells from one value of an axis to the next, if all other axes stay.
    pub(super) fn stride(&self, axis: usize) -> usize {
        let leader = self.leader(axis);
        let faster = self.leaders().filter(|&(other, _)| other > leader);
        faster.map(|(_, values)| values).product()
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        let values = self.leaders().map(|(_, values)| values);
        values.fold(1, usize::saturating_mul)
    }

    /// The values of a cell, in the order of the axes.
    pub(super) fn of_cell(&self, cell: usize) -> Vec<(String, ParamValue)> {
        let axes = self.axes.iter().enumerate();
        let value = |(axis, (name, values)): (usize, (&String, &Vec<ParamValue>))| {
            let index = cell / self.stride(axis) % values.len();
            (name.clone(), values[index].clone())
        };
        axes.map(value).collect()
    }

    /// Checks that swept parameters are zipped, at least two of them, with as many values each.
    pub(super) fn check_zip(&self, table: &KeyPath) -> Checked {
        let path = table.at(ZIP);
        for (at, name) in self.zip.iter().enumerate() {
            let path = path.at(at);
            let fault = || path.fault(format!("`{name}` is not swept"));
            position_of(name, self.axes.keys().map(String::as_str), fault)?;
            if self.zip[..at].contains(name) {
                return Err(path
                    .fault(format!("`{name}` is there twice"))
                    .help("remove one"));
            }
        }
        let Some((first, others)) = self.zip.split_first() else {
            return Ok(());
        };
        if others.is_empty() {
            let fault = path.fault(format!("`{first}` is swept together with nothing"));
            return Err(fault.help("name a second parameter, or remove `zip`"));
        }
        let size = |name: &String| self.axes[name.as_str()].len();
        let other = others.iter().find(|name| size(name) != size(first));
        other.map_or(Ok(()), |other| {
            let [one, two] = [size(first), size(other)];
            let fault = table.at(other).fault(format!(
                "`{first}` has {one} values and `{other}` {two}, and both are swept together"
            ));
            Err(fault.help("give both as many values, or take one out of `zip`"))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(from: f64, to: f64, step: f64) -> Result<String, String> {
        let values = RangeTable { from, to, step }.values()?;
        let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
        Ok(texts.join(" "))
    }

    #[test]
    fn a_range_has_the_decimals_that_its_numbers_have() {
        let shown = |from, to, step| range(from, to, step).unwrap();
        assert_eq!(shown(10.0, 35.0, 10.0), "10 20 30");
        assert_eq!(shown(0.1, 0.5, 0.1), "0.1 0.2 0.3 0.4 0.5");
        assert_eq!(shown(-0.5, 0.25, 0.25), "-0.5 -0.25 0 0.25");
        assert_eq!(shown(3.0, 3.0, 1.0), "3");
        assert!(range(1.0, 2.0, 0.0).unwrap_err().contains("above 0"));
        assert!(range(2.0, 1.0, 1.0).unwrap_err().contains("is empty"));
        assert!(range(0.0, 1e300, 1e-3).is_err());
        assert!(
            range(0.0, 1e6, 1.0)
                .unwrap_err()
                .contains("more than 10,000")
        );
        assert!(
            range(0.0, f64::INFINITY, 1.0)
                .unwrap_err()
                .contains("finite")
        );
    }

    #[test]
    fn axes_that_change_together_are_one_digit_of_a_cells_number() {
        let text = "zip = [\"c\", \"a\"]\na = [1, 2]\nb = { from = 1, to = 3 }\nc = [\"x\", \"y\"]";
        let sweep: SweepTable = toml::from_str(text).unwrap();
        assert_eq!(sweep.cells(), 6);
        let cell = |at| {
            let values = sweep.of_cell(at).into_iter();
            values
                .map(|(_, value)| value.to_string())
                .collect::<String>()
        };
        let cells: Vec<String> = (0..6).map(cell).collect();
        assert_eq!(cells, ["11x", "12x", "13x", "21y", "22y", "23y"]);
        assert_eq!([0, 1, 2].map(|axis| sweep.stride(axis)), [3, 1, 3]);
        let written = toml::to_string(&sweep).unwrap();
        assert_eq!(toml::from_str::<SweepTable>(&written).unwrap(), sweep);
    }
}
