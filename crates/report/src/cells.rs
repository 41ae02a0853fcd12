//! The cells of a sweep, by the values of the swept parameters.
//!
//! Values may contain commas and equals signs, as `search(64, 100)` does. The names of cells are
//! therefore looked up and never split.

use std::collections::{BTreeMap, HashSet};

use indexmap::IndexMap;
use lab::tables::SummaryRow;

/// Cells that a page or a terminal shows at most.
pub(super) const MOST_CELLS: usize = 240;

/// The cells of a sweep.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sweep {
    /// The swept parameters, in the order of the cells' names; one without a name has values that stand alone.
    pub(crate) axes: Vec<ReportAxis>,
    cells: BTreeMap<String, Vec<String>>,
    /// Words for people in place of parameters and values.
    words: IndexMap<String, String>,
}

/// A swept parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReportAxis {
    /// The axis's name.
    pub(crate) name: String,
    /// The axis's values, in the order of the cells.
    pub(crate) values: Vec<String>,
}

impl ReportAxis {
    /// Returns whether it has at least three values, all of them numbers.
    pub(crate) fn is_numeric(&self) -> bool {
        let is_number = |value: &String| value.parse::<f64>().is_ok_and(f64::is_finite);
        self.values.len() >= 3 && self.values.iter().all(is_number)
    }
}

impl Sweep {
    /// The cells with their names and their value of each of these parameters.
    pub(crate) fn new(names: Vec<String>, cells: Vec<(String, Vec<String>)>) -> Self {
        let axis = |(at, name): (usize, String)| ReportAxis {
            name,
            values: distinct(cells.iter().filter_map(|(_, values)| values.get(at))),
        };
        Self {
            axes: names.into_iter().enumerate().map(axis).collect(),
            cells: cells.into_iter().collect(),
            words: IndexMap::new(),
        }
    }

    /// The same cells, told in words for people where there are any.
    pub(crate) fn in_words(&self, words: &IndexMap<String, String>) -> Self {
        Self {
            words: words.clone(),
            ..self.clone()
        }
    }

    /// A parameter or a value in words, if there are any.
    pub(super) fn word<'name>(&'name self, name: &'name str) -> &'name str {
        self.words.get(name).map_or(name, String::as_str)
    }

    /// The cells of a summary whose parameters of these names were swept.
    pub(super) fn of<'name>(
        names: impl Iterator<Item = &'name String>,
        summary: &[SummaryRow],
    ) -> Self {
        let first = summary.first().map_or("", |row| row.cell.as_str());
        let mut names: Vec<String> = names.cloned().collect();
        names.sort_by_key(|name| place_in(first, name));
        let values = |row: &SummaryRow| {
            let values = names.iter().map(|name| row.params.get(name).cloned());
            (
                row.cell.clone(),
                values.map(Option::unwrap_or_default).collect(),
            )
        };
        let cells = summary.chunk_by(|one, next| one.cell == next.cell);
        let cells = cells.filter_map(|rows| rows.first()).map(values).collect();
        Self::new(names, cells)
    }

    /// Returns whether there is a cell for every combination of values.
    pub(crate) fn is_full(&self) -> bool {
        let values = self.axes.iter().map(|axis| axis.values.len());
        values.product::<usize>() == self.cells.len()
    }

    /// A cell's value of every swept parameter.
    pub(crate) fn values(&self, cell: &str) -> Option<&[String]> {
        self.cells.get(cell).map(Vec::as_slice)
    }

    /// A cell as people read it: `fox=search(64, 100), hens=safe`.
    pub(crate) fn label(&self, cell: &str) -> String {
        match self.values(cell) {
            Some(values) if self.axes.len() > 1 => {
                let all: Vec<usize> = (0..self.axes.len()).collect();
                self.terms(values, &all)
            }
            _ => self.word(cell).to_owned(),
        }
    }

    /// A cell as people read it, but for its values of some parameters; `None` of what is no cell of a sweep.
    pub(crate) fn without(&self, cell: &str, is_left_out: impl Fn(&str) -> bool) -> Option<String> {
        let axes = (0..self.axes.len()).filter(|&at| !is_left_out(&self.axes[at].name));
        Some(self.terms(self.values(cell)?, &axes.collect::<Vec<_>>()))
    }

    /// Returns the label of a difference: `optimal − greedy (layout=open)`.
    pub(crate) fn difference(&self, first: &str, second: &str) -> String {
        self.joined((first, second), "−")
    }

    /// Returns the label of one beside another: `optimal vs greedy (layout=open)`.
    pub(crate) fn versus(&self, first: &str, second: &str) -> String {
        self.joined((first, second), "vs")
    }

    fn joined(&self, (first, second): (&str, &str), sign: &str) -> String {
        let [one, other, shared] = self.apart(first, second);
        format!("{one} {sign} {other}{shared}")
    }

    /// Two cells by the values in which they differ, and the values that they share, in brackets:
    /// `fox: 4`, `2`, ` (hens=safe)`.
    pub(crate) fn apart(&self, first: &str, second: &str) -> [String; 3] {
        let both = self.values(first).zip(self.values(second));
        let Some((one, other)) = both.filter(|_| first != second) else {
            return [self.label(first), self.label(second), String::new()];
        };
        let places = 0..self.axes.len();
        let (shared, own): (Vec<usize>, Vec<usize>) =
            places.partition(|&axis| one[axis] == other[axis]);
        let of = |values: &[String]| {
            let values: Vec<&str> = own.iter().map(|&axis| self.word(&values[axis])).collect();
            values.join(", ")
        };
        let named = self.named(&own, [one, other]);
        let shared = match self.terms(one, &shared) {
            terms if terms.is_empty() => terms,
            terms => format!(" ({terms})"),
        };
        [named + &of(one), of(other), shared]
    }

    /// The parameters in which a cell differs from another one, with their values: `hens: safe`.
    pub(crate) fn changes(&self, cell: &str, base: &str) -> String {
        let values = self.values(cell).zip(self.values(base));
        let (own, other) = values.unwrap_or_default();
        let both = self.axes.iter().zip(own.iter().zip(other));
        let changed = both.filter(|(_, (own, other))| own != other);
        let term = |(axis, (own, _)): (&ReportAxis, (&String, &String))| {
            format!("{}: {}", self.word(&axis.name), self.word(own))
        };
        changed.map(term).collect::<Vec<_>>().join(", ")
    }

    /// The names of the parameters in which two cells differ, unless their values speak for
    /// themselves: `marked: ` before `true − false`.
    fn named(&self, own: &[usize], cells: [&[String]; 2]) -> String {
        let values = own.iter().flat_map(|&axis| cells.map(|cell| &cell[axis]));
        let speaks = |value: &String| speaks_for_itself(value) || self.words.contains_key(value);
        if values.into_iter().all(speaks) {
            return String::new();
        }
        let names = own.iter().map(|&axis| self.word(&self.axes[axis].name));
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return String::new();
        }
        format!("{}: ", names.join(", "))
    }

    /// A cell or a difference of two, as `claims.csv` names it.
    pub(crate) fn place(&self, text: &str) -> String {
        match self.pair(text) {
            Some((first, second)) => self.difference(first, second),
            None => self.label(text),
        }
    }

    /// The value of every swept parameter that a cell, or both cells of a difference, have; none
    /// where the two differ.
    pub(super) fn shared_values(&self, text: &str) -> Vec<Option<&str>> {
        let (first, second) = self.pair(text).unwrap_or((text, text));
        let shared = |axis: usize| {
            let [one, other] = [first, second].map(|cell| self.values(cell)?.get(axis));
            one.filter(|_| one == other).map(String::as_str)
        };
        (0..self.axes.len()).map(shared).collect()
    }

    /// The two cells of a difference, `first - second`.
    fn pair<'text>(&self, text: &'text str) -> Option<(&'text str, &'text str)> {
        let minus = " - ";
        let mut pairs = text
            .match_indices(minus)
            .map(|(at, _)| (&text[..at], &text[at + minus.len()..]));
        pairs.find(|(first, second)| {
            self.cells.contains_key(*first) && self.cells.contains_key(*second)
        })
    }

    /// Some of a cell's parameters with their values: `fox=4, hens=safe`; values in words stand alone.
    pub(super) fn terms(&self, values: &[String], axes: &[usize]) -> String {
        let term = |&axis: &usize| {
            let (name, value) = (self.word(&self.axes[axis].name), &values[axis]);
            match self.words.get(value) {
                Some(word) => word.clone(),
                None if name.is_empty() => value.clone(),
                None => format!("{name}={value}"),
            }
        };
        axes.iter().map(term).collect::<Vec<_>>().join(", ")
    }
}

/// Returns whether a value is a word, other than true and false.
fn speaks_for_itself(value: &str) -> bool {
    let begins_word = value.starts_with(|c: char| c.is_alphabetic());
    begins_word && !["true", "false"].contains(&value)
}

/// Returns the offset of a parameter in the name of a cell of several parameters.
fn place_in(cell: &str, name: &str) -> usize {
    let term = format!("{name}=");
    if cell.starts_with(&term) {
        0
    } else {
        cell.find(&format!(",{term}"))
            .map_or(usize::MAX, |at| at + 1)
    }
}

fn distinct<'value>(values: impl Iterator<Item = &'value String>) -> Vec<String> {
    let mut seen = HashSet::new();
    let fresh = values.filter(|value| seen.insert(*value));
    fresh.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::Estimate;

    fn row(cell: &str, params: &[(&str, &str)]) -> SummaryRow {
        let param = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        SummaryRow {
            experiment: String::new(),
            cell: cell.to_owned(),
            params: params.iter().map(param).collect(),
            metric: "score".into(),
            unit: String::new(),
            stop_reason: None,
            estimate: Estimate::default(),
        }
    }

    fn duel() -> Sweep {
        let cell = |fox: &str, hens: &str| {
            let name = format!("fox={fox},hens={hens}");
            row(&name, &[("fox", fox), ("hens", hens)])
        };
        let rows = [
            cell("search(64, 100)", "safe"),
            cell("search(64, 10000)", "safe"),
            cell("search(64, 100)", "search(2, 9)"),
        ];
        let names = ["hens".to_owned(), "fox".to_owned()];
        Sweep::of(names.iter(), &rows)
    }

    #[test]
    fn values_with_commas_stay_whole() {
        let sweep = duel();
        let names: Vec<&str> = sweep.axes.iter().map(|axis| axis.name.as_str()).collect();
        assert_eq!(names, ["fox", "hens"]);
        let (one, other) = (
            "fox=search(64, 100),hens=safe",
            "fox=search(64, 10000),hens=safe",
        );
        assert_eq!(sweep.label(one), "fox=search(64, 100), hens=safe");
        let difference = "search(64, 10000) − search(64, 100) (hens=safe)";
        assert_eq!(sweep.difference(other, one), difference);
        assert_eq!(sweep.place(&format!("{other} - {one}")), difference);
        let shared = sweep.shared_values(&format!("{other} - {one}"));
        assert_eq!(shared, [None, Some("safe")]);
    }

    #[test]
    fn cells_and_differences_are_told_in_words_where_there_are_any() {
        let words = [
            ("search(64, 100)", "searches a little"),
            ("hens", "their hens"),
        ];
        let words = words.map(|(name, word)| (name.to_owned(), word.to_owned()));
        let sweep = duel().in_words(&IndexMap::from(words));
        let (one, other) = (
            "fox=search(64, 100),hens=safe",
            "fox=search(64, 10000),hens=safe",
        );
        assert_eq!(sweep.label(one), "searches a little, their hens=safe");
        let difference = "search(64, 10000) − searches a little (their hens=safe)";
        assert_eq!(sweep.difference(other, one), difference);
        assert_eq!(sweep.changes(one, other), "fox: searches a little");
        let third = "fox=search(64, 100),hens=search(2, 9)";
        assert_eq!(sweep.changes(third, one), "their hens: search(2, 9)");
    }

    #[test]
    fn cells_of_one_parameter_go_by_their_value() {
        let rows = [
            row("optimal", &[("s", "optimal")]),
            row("greedy", &[("s", "greedy")]),
        ];
        let sweep = Sweep::of(["s".to_owned()].iter(), &rows);
        assert_eq!(sweep.label("optimal"), "optimal");
        assert_eq!(sweep.difference("optimal", "greedy"), "optimal − greedy");
        assert_eq!(sweep.place("unknown"), "unknown");
    }

    #[test]
    fn a_difference_names_the_parameter_whose_values_are_no_words() {
        let difference = |name: &str, values: [&str; 2]| {
            let rows = values.map(|value| row(value, &[(name, value)]));
            let sweep = Sweep::of([name.to_owned()].iter(), &rows);
            sweep.difference(values[0], values[1])
        };
        assert_eq!(
            difference("marked", ["true", "false"]),
            "marked: true − false"
        );
        assert_eq!(difference("load", ["0.9", "0.8"]), "load: 0.9 − 0.8");
        assert_eq!(
            difference("fox", ["search(4)", "arsac"]),
            "search(4) − arsac"
        );
    }

    #[test]
    fn values_of_an_axis_without_a_name_stand_alone() {
        let cells = ["lin", "quad"].map(|own| (format!("{own},n=8"), vec![own.into(), "8".into()]));
        let sweep = Sweep::new(vec![String::new(), "n".into()], cells.into());
        assert_eq!(sweep.label("lin,n=8"), "lin, n=8");
        assert_eq!(sweep.versus("lin,n=8", "quad,n=8"), "lin vs quad (n=8)");
    }
}
