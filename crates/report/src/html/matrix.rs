//! A quantity over swept parameters as a table: one parameter across, the others down.

use indexmap::IndexMap;
use serde::Serialize;

use crate::cells::ReportAxis;
use crate::plot::{IntervalMark, Plot, Tile, TileRow, tiles};

/// A table over swept parameters.
#[derive(Debug, Serialize)]
pub(crate) struct ParamMatrix {
    /// The matrix's title.
    pub(crate) title: String,
    /// The matrix's explanation.
    pub(crate) caption: String,
    /// The parameters whose values head the rows.
    pub(crate) down: Vec<String>,
    /// The parameter whose values head the columns; empty if only one column is needed.
    across: String,
    /// The values of the parameter across.
    pub(crate) columns: Vec<String>,
    /// The rows.
    pub(crate) rows: Vec<Line>,
    /// True if fields have details that are shown on demand.
    has_details: bool,
}

/// A row.
#[derive(Debug, Serialize)]
pub(crate) struct Line {
    /// The values of the parameters down.
    heads: Vec<String>,
    /// The fields, one for each column.
    fields: Vec<MatrixField>,
}

/// The field of one combination of values.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct MatrixField {
    /// The text that is read first.
    pub text: String,
    /// The text that is read on demand.
    pub(crate) detail: String,
    /// The text under a pointer.
    pub(crate) hint: String,
    /// The field's class in the style sheet; may be empty.
    pub(crate) class: String,
    /// The darkness of its shade, from 0 to 100.
    pub(crate) shade: u32,
    /// The number that it shows.
    #[serde(skip)]
    pub(crate) mark: IntervalMark,
}

impl ParamMatrix {
    /// The table of what `field` gives for a value of every one of `axes`, in their order. The last
    /// axis of numbers goes across, otherwise the last one.
    pub(crate) fn of(
        (title, caption): (&str, &str),
        axes: &[&ReportAxis],
        field: impl Fn(&[&str]) -> Option<MatrixField>,
    ) -> Self {
        let numeric = axes.iter().rposition(|axis| axis.is_numeric());
        let across = match axes.len() {
            0 | 1 => None,
            several => numeric.or(Some(several - 1)),
        };
        let down: Vec<usize> = (0..axes.len())
            .filter(|&axis| Some(axis) != across)
            .collect();
        let columns = across.map_or(vec![String::new()], |axis| axes[axis].values.clone());
        let row = |heads: Vec<&str>| Line {
            fields: (columns.iter())
                .map(|column| {
                    let mut values = heads.clone();
                    if let Some(axis) = across {
                        values.insert(axis, column.as_str());
                    }
                    field(&values).unwrap_or_default()
                })
                .collect(),
            heads: heads.into_iter().map(str::to_owned).collect(),
        };
        let rows: Vec<Line> = combinations(axes, &down).into_iter().map(row).collect();
        Self {
            title: title.to_owned(),
            caption: caption.to_owned(),
            down: down.iter().map(|&axis| axes[axis].name.clone()).collect(),
            across: across.map_or(String::new(), |axis| axes[axis].name.clone()),
            columns,
            has_details: rows
                .iter()
                .any(|row| row.fields.iter().any(|field| !field.detail.is_empty())),
            rows,
        }
    }

    /// The table as a picture; `None` of one without fields.
    pub(crate) fn to_plot(&self) -> Option<Plot> {
        let tile = |field: &MatrixField| Tile {
            mark: IntervalMark {
                label: field.hint.clone(),
                ..field.mark.clone()
            },
            text: field.text.clone(),
            class: field.class.replace("shaded", "").trim().to_owned(),
            shade: field.shade,
        };
        let row = |line: &Line| TileRow {
            head: line.heads.join(", "),
            tiles: line.fields.iter().map(tile).collect(),
        };
        let rows: Vec<TileRow> = self.rows.iter().map(row).collect();
        tiles(&self.title, &self.caption, &self.columns, &rows)
    }

    /// The table with parameters and values in words for people, where there are any.
    pub(crate) fn in_words(mut self, words: &IndexMap<String, String>) -> Self {
        let heads = self.rows.iter_mut().flat_map(|row| &mut row.heads);
        let names = self.down.iter_mut().chain([&mut self.across]);
        for head in heads.chain(&mut self.columns).chain(names) {
            if let Some(word) = words.get(head) {
                head.clone_from(word);
            }
        }
        self
    }
}

/// Every combination of the values of the axes at these places, the first varying slowest.
fn combinations<'axes>(axes: &[&'axes ReportAxis], places: &[usize]) -> Vec<Vec<&'axes str>> {
    let mut all: Vec<Vec<&str>> = vec![Vec::new()];
    for &axis in places {
        let extended = all.iter().flat_map(|heads| {
            let values = axes[axis].values.iter();
            values.map(move |value| [heads.as_slice(), &[value.as_str()]].concat())
        });
        all = extended.collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(name: &str, values: &[&str]) -> ReportAxis {
        ReportAxis {
            name: name.into(),
            values: values.iter().map(|value| (*value).to_owned()).collect(),
        }
    }

    #[test]
    fn every_combination_has_its_place() {
        let axes = [
            axis("n", &["1", "2", "3"]),
            axis("fox", &["a", "b"]),
            axis("hens", &["x", "y"]),
        ];
        let named = |values: &[&str]| {
            Some(MatrixField {
                text: values.join("/"),
                ..MatrixField::default()
            })
        };
        let matrix = ParamMatrix::of(("t", "c"), &axes.each_ref(), named);
        assert_eq!((matrix.across.as_str(), matrix.down.len()), ("n", 2));
        assert_eq!(matrix.rows.len(), 4);
        assert_eq!(matrix.rows[1].heads, ["a", "y"]);
        assert_eq!(matrix.rows[1].fields[2].text, "3/a/y");
        let words = IndexMap::from([("a".to_owned(), "sly".to_owned())]);
        assert_eq!(matrix.in_words(&words).rows[1].heads, ["sly", "y"]);
        let one = ParamMatrix::of(("t", "c"), &[&axes[1]], named);
        assert_eq!((one.columns.len(), one.rows.len()), (1, 2));
        assert_eq!(one.rows[1].fields[0].text, "b");
    }
}
