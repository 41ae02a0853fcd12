//! The groups of the verbs in `--help`. The verbs of games are in the group of games.

use clap::Command;

/// The headings, with the verbs below each; those of games are known from the registry alone.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Run", &["check", "plan", "run", "bench", "merge", "worker"]),
    ("Look", &["list", "report", "compare", "replay", "stats"]),
    (GAMES, &[]),
    (
        "Maintain",
        &["init", "verify", "archive", "schema", "completions", "help"],
    ),
];

const GAMES: &str = "Games";

/// The help of a command tree with its verbs in groups, for a terminal of this width.
pub(crate) fn help_template(tree: &Command, width: Option<u16>) -> String {
    let style = tree.get_styles().get_header();
    let groups = GROUPS.iter().map(|(heading, verbs)| {
        let shown = tree.get_subcommands().filter(|verb| !verb.is_hide_set());
        let own = shown.filter(|verb| group_of(verb.get_name()) == *heading);
        let place = |name: &str| verbs.iter().position(|verb| *verb == name);
        let own = own.map(|verb| {
            let place = place(verb.get_name()).unwrap_or_default();
            verb.clone().display_order(place)
        });
        let listed = Command::new("")
            .subcommands(own)
            .disable_help_subcommand(true)
            .help_template("{subcommands}")
            .term_width(width.map_or(0, usize::from))
            .render_help();
        format!("{style}{heading}:{style:#}\n{listed}\n")
    });
    let groups: String = groups.collect();
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\
         {style}Options:{style:#}\n{{options}}{{after-help}}"
    )
}

/// The heading of a verb's group.
fn group_of(verb: &str) -> &'static str {
    let group = GROUPS.iter().find(|(_, verbs)| verbs.contains(&verb));
    group.map_or(GAMES, |(heading, _)| heading)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::CliVerb;

    #[test]
    fn each_verb_is_in_one_group() {
        let tree = CliVerb::command();
        for verb in tree.get_subcommands().filter(|verb| !verb.is_hide_set()) {
            let groups = GROUPS.iter();
            let naming = groups.filter(|(_, verbs)| verbs.contains(&verb.get_name()));
            assert_eq!(naming.count(), 1, "{}", verb.get_name());
        }
    }

    #[test]
    fn the_help_fits_a_terminal() {
        for width in [60, 80, 120] {
            let text = help_template(&CliVerb::command(), Some(width));
            let widest = text.lines().map(console::measure_text_width).max();
            assert!(widest <= Some(usize::from(width)), "{text}");
            assert!(text.find("  run ") > text.find("  plan "), "{text}");
        }
    }
}
