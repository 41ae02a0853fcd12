//! The differences between two experiments, in the words of people who compare their files.

use std::collections::BTreeMap;

use indexmap::IndexSet;

use crate::experiment::Experiment;

/// Differences that one message names.
const NAMED: usize = 6;

/// The differences between the samples of a `stored` run and those that are `asked` for: what all
/// cells share, or else the players and the parameters; `None` where the samples are the same.
pub fn difference_of_samples(stored: &Experiment, asked: &Experiment) -> Option<String> {
    if stored.sample_facts() == asked.sample_facts() {
        return None;
    }
    let shared = [stored, asked].map(Experiment::shared_facts);
    if shared[0] != shared[1] {
        return Some(first_difference(&shared[0], &shared[1]));
    }
    let mut named = players(stored, asked);
    named.extend(parameters(stored, asked));
    if named.is_empty() {
        return Some("the players or the swept values are in another order".to_owned());
    }
    let more = named.len().saturating_sub(NAMED);
    named.truncate(NAMED);
    if more > 0 {
        named.push(format!("{more} more differences"));
    }
    Some(named.join("; "))
}

/// The players that only one of the experiments has, and those that are not the same in both.
fn players(stored: &Experiment, asked: &Experiment) -> Vec<String> {
    let [before, now] = [stored, asked].map(|one| one.player_facts().collect::<BTreeMap<_, _>>());
    let changed = now
        .iter()
        .filter_map(|(name, facts)| match before.get(name) {
            None => Some(format!("player {name} is added")),
            Some(known) if known == facts => None,
            Some(known) => {
                let what = first_difference(known, facts);
                Some(format!("player {name} has {what}"))
            }
        });
    let gone = before.keys().filter(|name| !now.contains_key(*name));
    let gone = gone.map(|name| format!("player {name} is taken out"));
    changed.chain(gone).collect()
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

/// The first line in which two texts differ, for a message.
pub fn first_difference(here: &str, there: &str) -> String {
    let unlimited = format!("nodes = {}", u64::MAX);
    let told = |line: Option<&str>| match line {
        Some(line) if line == unlimited => "no budget".to_owned(),
        Some(line) => format!("`{line}`"),
        None => "nothing".to_owned(),
    };
    let (mut here, mut there) = (here.lines(), there.lines());
    loop {
        match (here.next(), there.next()) {
            (Some(one), Some(other)) if one == other => {}
            (one, other) => return format!("{} instead of {}", told(one), told(other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Overrides, coin};

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
            (
                "p = [0.5, 0.25]",
                "the players or the swept values are in another order",
            ),
        ] {
            let asked = told(&format!("[sweep]\n{asked}\n"));
            assert_eq!(asked.as_deref(), Some(expected));
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
        assert_eq!(told.unwrap(), "`seed = 2026` instead of `seed = 7`");
    }

    #[test]
    fn a_long_list_of_differences_is_cut() {
        let values = (1..10).map(|n| format!("0.{n}")).collect::<Vec<_>>();
        let wide = coins(&format!("[sweep]\np = [{}]\n", values.join(", ")));
        let told = difference_of_samples(&coins("[sweep]\np = [0.1, 0.2]\n"), &wide);
        assert!(
            told.unwrap()
                .ends_with("`p = 0.8` is added; 1 more differences")
        );
    }
}
