//! The differences between two experiments, in the words of people who compare their files.

use std::collections::BTreeMap;
use std::path::Path;

use indexmap::{IndexMap, IndexSet};
use serde_json::{Map, Value};

use base::{Failure, counted};
use experiment::Experiment;

/// Differences that one message names.
const NAMED: usize = 6;

/// The cells that an experiment shares with a stored run, and those that only one of them has.
pub(crate) struct CellChange {
    /// The cells that are new, by name.
    new: Vec<String>,
    /// Cells that are kept.
    kept: usize,
    /// The cells that are taken out, by name.
    gone: Vec<String>,
}

impl CellChange {
    /// The change from a `stored` run to what is `asked` for; `None` where they share no cell, for only the
    /// cells may differ, and no player may stand for another program.
    pub(crate) fn between(stored: &Experiment, asked: &Experiment) -> Option<Self> {
        let [before, now] = [stored, asked].map(cells);
        let kept = now.keys().filter(|cell| before.contains_key(*cell)).count();
        let only = |one: &CellFacts, other: &CellFacts| {
            let only = one.iter().filter(|(cell, _)| !other.contains_key(*cell));
            only.map(|(_, name)| name.clone()).collect()
        };
        let [shared, asked_shared] = [stored, asked].map(Experiment::shared_fingerprint);
        (kept > 0 && shared == asked_shared && !has_other_players(stored, asked)).then(|| Self {
            new: only(&now, &before),
            kept,
            gone: only(&before, &now),
        })
    }

    /// A remark on it; `None` where the cells are the same.
    pub(crate) fn told(&self) -> Option<String> {
        let are = |cells: u64| if cells == 1 { "is" } else { "are" };
        let new = Some(self.new.len() as u64).filter(|&new| new > 0)?;
        let (cells, names, kept) = (counted(new, "cell"), listed(&self.new), self.kept);
        let (new_are, kept_are) = (are(new), are(kept as u64));
        Some(format!(
            "{cells} {new_are} new ({names}), {kept} {kept_are} kept: drawing only what is new"
        ))
    }

    /// Refuses a file that names fewer cells than the folder, whose numbers may have been seen: the best of many
    /// cells is not the only one. `seen` is the number of samples that each of them has.
    pub(crate) fn check_kept(&self, folder: &Path, seen: u64) -> Result<(), Failure> {
        let Some(first) = self.gone.first() else {
            return Ok(());
        };
        let cells = counted(self.gone.len() as u64, "cell");
        let (path, names) = (folder.display(), listed(&self.gone));
        Err(Failure::usage(format!(
            "{path}: the folder holds {cells} more than the file names ({names}): cells are added to a folder, \
             never taken out, because what has been seen counts"
        ))
        .with_help(format!(
            "keep them in the file and mark those that you do not want any more: [unwanted] {first:?} = {seen}; \
             or choose another folder with --out, and another seed"
        )))
    }
}

/// The names of cells by their hashes, in order.
type CellFacts = IndexMap<String, String>;

fn cells(experiment: &Experiment) -> CellFacts {
    let names = experiment.cell_names().map(str::to_owned);
    experiment.cell_hashes().into_iter().zip(names).collect()
}

/// The first of some names, and how many more there are.
pub(crate) fn listed(names: &[String]) -> String {
    let mut told = names.iter().take(NAMED).cloned().collect::<Vec<_>>();
    let more = names.len() - told.len();
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told.join(", ")
}

/// The differences between the samples of a `stored` run and those that are `asked` for: keys of the file, and the
/// values of parameters; `None` where the samples are the same.
pub(crate) fn difference_of_samples(stored: &Experiment, asked: &Experiment) -> Option<String> {
    if stored.fingerprint() == asked.fingerprint() {
        return None;
    }
    let mut named = differences([stored, asked].map(Experiment::sampled_values));
    named.extend(parameters(stored, asked));
    if named.is_empty() {
        return Some("the swept values are in another order".to_owned());
    }
    let more = named.len().saturating_sub(NAMED) as u64;
    named.truncate(NAMED);
    if more > 0 {
        let differences = counted(more, "difference");
        named.push(differences.replacen(' ', " more ", 1));
    }
    Some(named.join("; "))
}

/// Returns whether a player of both experiments stands for another program than before, or plays by other rules.
fn has_other_players(stored: &Experiment, asked: &Experiment) -> bool {
    let before: BTreeMap<_, _> = stored.player_facts().collect();
    let is_other = |(name, facts)| before.get(name).is_some_and(|known| *known != facts);
    asked.player_facts().any(is_other)
}

/// The first difference between the files of two experiments.
pub(crate) fn first_difference(stored: &Experiment, asked: &Experiment) -> String {
    let named = differences([stored, asked].map(Experiment::values));
    let first = named.into_iter().next();
    first.unwrap_or_else(|| "its tables are in another order".to_owned())
}

/// The differences between two tables of files, the stored one first.
fn differences([stored, asked]: [Value; 2]) -> Vec<String> {
    let mut named = Vec::new();
    compare(&mut Vec::new(), (&stored, &asked), &mut named);
    named
}

/// Names the values at a path that differ.
fn compare(path: &mut Vec<String>, (stored, asked): (&Value, &Value), named: &mut Vec<String>) {
    let entries = |value: &Value| match value {
        Value::Object(table) => Some(table.clone()),
        Value::Array(items) if items.iter().any(Value::is_object) => {
            let numbered = items.iter().enumerate();
            Some(
                numbered
                    .map(|(at, item)| ((at + 1).to_string(), item.clone()))
                    .collect(),
            )
        }
        Value::Null if holds_tables(stored) || holds_tables(asked) => Some(Map::new()),
        _ => None,
    };
    match (entries(stored), entries(asked)) {
        _ if stored == asked => {}
        (Some(stored), Some(asked)) => {
            let keys: IndexSet<&String> = stored.keys().chain(asked.keys()).collect();
            for key in keys {
                let [stored, asked] = [&stored, &asked].map(|table| table.get(key));
                path.push(key.clone());
                let none = &Value::Null;
                compare(path, (stored.unwrap_or(none), asked.unwrap_or(none)), named);
                path.pop();
            }
        }
        _ => named.push(difference(path, stored, asked)),
    }
}

/// Returns whether a value is a table of named tables.
fn holds_tables(value: &Value) -> bool {
    let tables = value.as_object();
    tables.is_some_and(|tables| tables.values().all(Value::is_object))
}

/// A value that is new, taken out or another one, by its key and its table.
fn difference(path: &[String], stored: &Value, asked: &Value) -> String {
    let place = |value: &Value| match path {
        path if value.is_object() => format!("`[{}]`", path.join(".")),
        [key] => format!("`{key} = {value}`"),
        [table @ .., key] => format!("`[{}] {key} = {value}`", table.join(".")),
        [] => String::new(),
    };
    match (stored.is_null(), asked.is_null()) {
        (true, _) => format!("{} is new", place(asked)),
        (_, true) => format!("{} is taken out", place(stored)),
        _ => format!("{} instead of {}", place(stored), place(asked)),
    }
}

/// The values of parameters that only one of the experiments has.
fn parameters(stored: &Experiment, asked: &Experiment) -> Vec<String> {
    let (before, now) = (values(stored), values(asked));
    let none = IndexSet::new();
    let names: IndexSet<&str> = before.keys().chain(now.keys()).copied().collect();
    let one = |name: &str| {
        let [before, now] = [&before, &now].map(|values| values.get(name).unwrap_or(&none));
        if let (1, 1) = (before.len(), now.len()) {
            let differs = (before != now).then(|| {
                let (before, now) = (&before[0], &now[0]);
                format!("`{name} = {before}` instead of `{name} = {now}`")
            });
            return differs.into_iter().collect::<Vec<_>>();
        }
        let added = now.difference(before);
        let added = added.map(|value| format!("`{name} = {value}` is added"));
        let gone = before.difference(now);
        let gone = gone.map(|value| format!("`{name} = {value}` is taken out"));
        added.chain(gone).collect()
    };
    names.into_iter().flat_map(one).collect()
}

/// The values of every parameter over all cells, in their order.
fn values(experiment: &Experiment) -> BTreeMap<&str, IndexSet<String>> {
    let mut values: BTreeMap<&str, IndexSet<String>> = BTreeMap::new();
    for (name, value) in experiment.cells.iter().flat_map(|cell| cell.params.iter()) {
        values.entry(name).or_default().insert(value.to_string());
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::coin;
    use experiment::Overrides;

    fn coins(more: &str) -> Experiment {
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 2026\n[stop]\nsamples = 9\n{more}"
        );
        Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default()).unwrap()
    }

    #[test]
    fn swept_values_are_named_as_the_file_has_them() {
        let stored = coins("[sweep]\np = [0.25, 0.5]\n");
        let told = |more: &str| difference_of_samples(&stored, &coins(more));
        assert_eq!(told("[sweep]\np = [0.25, 0.5]\n"), None);
        for (asked, expected) in [
            ("p = [0.25, 0.5, 0.75]", "`p = 0.75` is added"),
            ("p = [0.5]", "`p = 0.25` is taken out"),
            (
                "p = [0.25, 0.75]",
                "`p = 0.75` is added; `p = 0.5` is taken out",
            ),
            ("p = [0.5, 0.25]", "the swept values are in another order"),
        ] {
            let asked = told(&format!("[sweep]\n{asked}\n"));
            assert_eq!(asked.as_deref(), Some(expected));
        }
    }

    #[test]
    fn a_change_of_cells_is_told_by_their_names() {
        let stored = coins("[sweep]\np = [0.25, 0.5]\n");
        let told = |asked: &str| {
            let asked = coins(&format!("[sweep]\np = {asked}\n"));
            CellChange::between(&stored, &asked).map(|change| change.told())
        };
        assert_eq!(told("[0.5, 0.25]"), Some(None));
        assert!(told("[0.75]").is_none());
        for (asked, expected) in [
            (
                "[0.125, 0.5, 0.25]",
                "1 cell is new (0.125), 2 are kept: drawing only what is new",
            ),
            (
                "[0.75, 0.5, 1, 0.25]",
                "2 cells are new (0.75, 1), 2 are kept: drawing only what is new",
            ),
        ] {
            assert_eq!(told(asked).flatten().as_deref(), Some(expected));
        }
        let fewer = CellChange::between(&stored, &coins("[sweep]\np = [0.5, 1]\n")).unwrap();
        let refused = fewer.check_kept(Path::new("out"), 9).unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("1 cell more than the file names (0.25)")
        );
        let mut other = coins("[sweep]\np = [0.25, 0.5]\n");
        other.file.seed = 7;
        assert!(CellChange::between(&stored, &other).is_none());
    }

    #[test]
    fn texts_alone_differ_where_order_and_numbers_do_not() {
        let sweep = "[sweep]\np = [0.25, 0.5]\n";
        let stored = coins(sweep);
        let is_reworded = |more: &str| coins(more).differs_in_texts_alone(&stored);
        assert!(is_reworded(&format!("{sweep}[labels]\np = \"chance\"\n")));
        let race = |tables: [&str; 2]| {
            coins(
                &tables
                    .map(|p| format!("[contenders.c{p}]\np = 0.{p}\n"))
                    .concat(),
            )
        };
        assert!(race(["25", "5"]).differs_in_texts_alone(&race(["25", "5"])));
        assert!(!race(["25", "5"]).differs_in_texts_alone(&race(["5", "25"])));
        for other in ["p = [0.5, 0.25]", "p = [0.25]"] {
            assert!(!is_reworded(&format!("[sweep]\n{other}\n")), "{other}");
        }
    }

    #[test]
    fn what_all_cells_share_and_a_fixed_parameter_say_both_values() {
        let fixed = |p: &str| coins(&format!("[params]\np = {p}\n"));
        let told = difference_of_samples(&fixed("0.25"), &fixed("0.5"));
        assert_eq!(told.unwrap(), "`p = 0.25` instead of `p = 0.5`");
        let mut other = fixed("0.5");
        other.file.seed = 7;
        let told = difference_of_samples(&fixed("0.25"), &other);
        assert_eq!(
            told.unwrap(),
            "`seed = 2026` instead of `seed = 7`; `p = 0.25` instead of `p = 0.5`"
        );
    }

    #[test]
    fn differences_are_named_by_key_and_table() {
        let tell = |stored: &str, asked: &str| first_difference(&coins(stored), &coins(asked));
        let bent = "[contenders.bent]\np = 0.25\n[contenders.fair]\np = 0.5\n";
        assert_eq!(tell("", "[budget]\nnodes = 9\n"), "`[budget]` is new");
        assert_eq!(
            tell("[wager]\nmetric = \"run\"\nstake = 1\n", ""),
            "`[wager]` is taken out"
        );
        assert_eq!(
            tell(bent, &bent.replace("0.25", "0.125")),
            "`[contenders.bent] p = 0.25` instead of `[contenders.bent] p = 0.125`"
        );
        let claim = |text: &str| {
            format!("[[claims]]\nsource = \"?\"\ntext = \"{text}\"\nholds = \"heads.mean > 0.1\"\n")
        };
        assert_eq!(
            tell(&claim("a"), &(claim("b") + &claim("c"))),
            "`[claims.1] text = \"a\"` instead of `[claims.1] text = \"b\"`"
        );
        let fair = bent.lines().skip(2).chain(bent.lines().take(2));
        let swapped: String = fair.map(|line| format!("{line}\n")).collect();
        assert_eq!(tell(bent, &swapped), "its tables are in another order");
    }

    #[test]
    fn a_long_list_of_differences_is_cut() {
        let values = (1..10).map(|n| format!("0.{n}")).collect::<Vec<_>>();
        let wide = coins(&format!("[sweep]\np = [{}]\n", values.join(", ")));
        let told = difference_of_samples(&coins("[sweep]\np = [0.1, 0.2]\n"), &wide);
        assert!(
            told.unwrap()
                .ends_with("`p = 0.8` is added; 1 more difference")
        );
    }
}
