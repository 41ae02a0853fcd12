//! Messages for a person whose file is wrong.

use super::*;

const GOOD: &str = r#"question = "Is the coin fair?"
task = "coin/flip"
seed = 7

[params]
face = "heads"

[budget]
nodes = 100

[stop]
samples = 1000

[sweep]
p = [0.5, 0.25]

[[claims]]
source = "folklore"
text = "A coin is fair."
holds = "heads.mean >= 0.5"
where = "p=0.5"
"#;

/// The message of the good file with `from` replaced by `to`.
fn broken(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    message(&GOOD.replacen(from, to, 1))
}

#[test]
fn a_missing_value() {
    insta::assert_snapshot!(broken("seed = 7", "seed =#"), @r#"
    error: not valid TOML: a value is missing
     --> experiments/coin.toml:3:7
      |
    3 | seed =#
      |       ^
    "#);
}

#[test]
fn an_unquoted_text() {
    insta::assert_snapshot!(broken("\"coin/flip\"", "coin"), @r#"
    error: not valid TOML: a text must be quoted
     --> experiments/coin.toml:2:8
      |
    2 | task = coin
      |        ^^^^
    "#);
}

#[test]
fn an_unclosed_text() {
    insta::assert_snapshot!(broken("seed = 7", "seed = \"7"), @r#"
    error: not valid TOML: invalid basic string, expected `"`
     --> experiments/coin.toml:3:10
      |
    3 | seed = "7
      |          ^
    "#);
}

/// A path of Windows between double quotes: the sequences that TOML knows are told by what they make of it.
#[test]
fn a_backslash_that_begins_no_escape_sequence() {
    insta::assert_snapshot!(broken("\"coin/flip\"", r#""C:\Users\me""#), @r#"
    error: not valid TOML: `\U` is no escape sequence
     --> experiments/coin.toml:2:11
      |
    2 | task = "C:\Users\me"
      |           ^^
      |
      = help: between double quotes a backslash begins one: write single quotes, as in 'C:\Users\me', or each backslash twice
    "#);
    for (path, sign) in [
        ("C:\\me", "\\m"),
        ("a\\u12", "\\u"),
        ("\\", ""),
        ("C:\\bin\\sim", "\\s"),
    ] {
        let told = broken("\"coin/flip\"", &format!("\"{path}\""));
        let is_told =
            told.contains(&format!("`{sign}` is no escape")) && told.contains("single quotes");
        assert_eq!(is_told, !sign.is_empty(), "{told}");
    }
}

#[test]
fn a_key_given_twice() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 7\nseed = 8"), @r#"
    error: not valid TOML: duplicate key
     --> experiments/coin.toml:4:1
      |
    4 | seed = 8
      | ^^^^
    "#);
}

#[test]
fn an_unknown_key_at_the_top() {
    insta::assert_snapshot!(broken("question =", "qestion ="), @r#"
    error: unknown key `qestion`
     --> experiments/coin.toml:1:1
      |
    1 | qestion = "Is the coin fair?"
      | ^^^^^^^
      |
      = help: did you mean `question`?
    "#);
}

#[test]
fn an_unknown_key_of_a_claim() {
    insta::assert_snapshot!(broken("where =", "were ="), @r#"
    error: unknown key `were`
      --> experiments/coin.toml:21:1
       |
    21 | were = "p=0.5"
       | ^^^^
       |
       = help: did you mean `where`?
    "#);
}

#[test]
fn a_key_of_the_file_below_a_table() {
    insta::assert_snapshot!(broken("nodes = 100", "nodes = 100\nlevel = 0.9"), @r#"
    error: unknown key `level`
      --> experiments/coin.toml:10:1
       |
    10 | level = 0.9
       | ^^^^^
       |
       = help: `level` belongs above the first [table] of the file
    "#);
}

#[test]
fn a_value_where_a_table_is_due() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 7\noutput = true"), @r#"
    error: `output` cannot be `true`
     --> experiments/coin.toml:4:10
      |
    4 | output = true
      |          ^^^^ expected a table, written [output]
    "#);
}

#[test]
fn a_list_where_a_table_is_due() {
    insta::assert_snapshot!(broken("[stop]", "[[stop]]"), @r#"
    error: `stop` cannot be a list
      --> experiments/coin.toml:11:1
       |
    11 | [[stop]]
       | ^^^^^^^^ expected a table, written [stop]
    "#);
}

#[test]
fn a_list_where_a_table_within_a_table_is_due() {
    let nested = "[stop]\nhalf-width = [\"face\", 0.1]";
    insta::assert_snapshot!(broken("[stop]\nsamples = 1000", nested), @r#"
    error: `half-width` cannot be a list
      --> experiments/coin.toml:12:14
       |
    12 | half-width = ["face", 0.1]
       |              ^^^^^^^^^^^^^ expected a table, written [stop.half-width]
    "#);
}

#[test]
fn a_list_where_a_named_table_is_due() {
    let named = "[[players.zoe]]\nrun = [\"zoe\"]\n[stop]";
    insta::assert_snapshot!(broken("[stop]", named), @r#"
    error: `zoe` cannot be a list
      --> experiments/coin.toml:11:1
       |
    11 | [[players.zoe]]
       | ^^^^^^^^^^^^^^^ expected a table, written [players.zoe]
    "#);
}

#[test]
fn a_missing_seed() {
    insta::assert_snapshot!(broken("seed = 7\n", ""), @r#"
    error: the key `seed` is missing
    --> experiments/coin.toml
     = help: add `seed = ...` above the first [table]
    "#);
}

#[test]
fn a_seed_with_a_fraction() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 1.5"), @r#"
    error: `seed` cannot be `1.5`
     --> experiments/coin.toml:3:8
      |
    3 | seed = 1.5
      |        ^^^ expected a whole number from 0 to 18_446_744_073_709_551_615
    "#);
}

#[test]
fn a_seed_beyond_any_type() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 9999999999999999999999999999999999999999999"), @r#"
    error: this value cannot be read: integer number overflowed
     --> experiments/coin.toml:3:8
      |
    3 | seed = 9999999999999999999999999999999999999999999
      |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
    "#);
}

#[test]
fn a_level_of_one() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 7\nlevel = 1"), @r#"
    error: `level` cannot be `1`
     --> experiments/coin.toml:4:9
      |
    4 | level = 1
      |         ^ expected a number between 0 and 1; 95 % is 0.95
    "#);
}

#[test]
fn an_empty_question() {
    insta::assert_snapshot!(broken("Is the coin fair?", " "), @r#"
    error: `question` is empty
     --> experiments/coin.toml:1:12
      |
    1 | question = " "
      |            ^^^ expected a text
    "#);
}

#[test]
fn a_name_with_capitals() {
    insta::assert_snapshot!(broken("seed = 7", "seed = 7\nname = \"Coin Flip\""), @r#"
    error: `name` cannot be the text `Coin Flip`
     --> experiments/coin.toml:4:8
      |
    4 | name = "Coin Flip"
      |        ^^^^^^^^^^^ expected small letters, digits and hyphens
    "#);
}

#[test]
fn no_samples() {
    insta::assert_snapshot!(broken("samples = 1000", "samples = 0"), @r#"
    error: `samples` cannot be `0`
      --> experiments/coin.toml:12:11
       |
    12 | samples = 0
       |           ^ expected a whole number from 1 to 10_000_000_000_000
    "#);
}

#[test]
fn a_stop_rule_without_samples() {
    insta::assert_snapshot!(broken("samples = 1000\n", ""), @r#"
    error: the experiment does not say when to stop
      --> experiments/coin.toml:11:1
       |
    11 | [stop]
       | ^^^^^^
       |
       = help: add a table
                   [stop]
                   samples = 1000
    "#);
}

#[test]
fn no_stop_rule() {
    insta::assert_snapshot!(broken("[stop]\nsamples = 1000\n", ""), @r#"
    error: the experiment does not say when to stop
    --> experiments/coin.toml
     = help: add a table
                 [stop]
                 samples = 1000
    "#);
}

#[test]
fn a_misspelt_stop_rule() {
    insta::assert_snapshot!(broken("samples = 1000", "sampels = 1000"), @r#"
    error: unknown key `sampels`
      --> experiments/coin.toml:12:1
       |
    12 | sampels = 1000
       | ^^^^^^^
       |
       = help: did you mean `samples`?
    "#);
}

#[test]
fn a_date_among_swept_values() {
    insta::assert_snapshot!(broken("p = [0.5, 0.25]", "p = [0.5, 2026-11-29]"), @r#"
    error: `p` cannot be a table or a date
      --> experiments/coin.toml:15:11
       |
    15 | p = [0.5, 2026-11-29]
       |           ^^^^^^^^^^ expected a text, a number, `true` or `false`
    "#);
}

#[test]
fn a_text_where_a_flag_is_due() {
    insta::assert_snapshot!(broken("[sweep]", "[output]\nsamples = \"yes\"\n\n[sweep]"), @r#"
    error: `samples` cannot be the text `yes`
      --> experiments/coin.toml:15:11
       |
    15 | samples = "yes"
       |           ^^^^^ expected `true` or `false`
    "#);
}

#[test]
fn a_misspelt_task() {
    insta::assert_snapshot!(broken("coin/flip", "coin/flpi"), @r#"
    error: there is no task `coin/flpi`
     --> experiments/coin.toml:2:8
      |
    2 | task = "coin/flpi"
      |        ^^^^^^^^^^^ expected a task of `etude list tasks`
      |
      = help: did you mean `coin/flip`?
    "#);
}

#[test]
fn an_unknown_task() {
    insta::assert_snapshot!(broken("coin/flip", "chess"), @r#"
    error: there is no task `chess`
     --> experiments/coin.toml:2:8
      |
    2 | task = "chess"
      |        ^^^^^^^ expected a task of `etude list tasks`
      |
      = help: known here: `coin/flip`, `coin/spin`
    "#);
}

#[test]
fn a_parameter_of_another_task() {
    insta::assert_snapshot!(broken("coin/flip", "coin/spin"), @r#"
    error: `coin/spin` has no parameter `face`
     --> experiments/coin.toml:6:1
      |
    6 | face = "heads"
      | ^^^^
      |
      = help: known here: `turns`, `fair`
    "#);
}

#[test]
fn a_misspelt_parameter() {
    insta::assert_snapshot!(broken("face =", "fcae ="), @r#"
    error: `coin/flip` has no parameter `fcae`
     --> experiments/coin.toml:6:1
      |
    6 | fcae = "heads"
      | ^^^^
      |
      = help: did you mean `face`?
    "#);
}

#[test]
fn a_misspelt_choice() {
    insta::assert_snapshot!(broken("\"heads\"", "\"haeds\""), @r#"
    error: `face` cannot be the text `haeds`
     --> experiments/coin.toml:6:8
      |
    6 | face = "haeds"
      |        ^^^^^^^ expected one of `heads`, `tails`
      |
      = help: did you mean `heads`?
    "#);
}

#[test]
fn a_list_outside_the_sweep() {
    insta::assert_snapshot!(broken("\"heads\"", "[\"heads\", \"tails\"]"), @r#"
    error: `face` cannot be a list
     --> experiments/coin.toml:6:8
      |
    6 | face = ["heads", "tails"]
      |        ^^^^^^^^^^^^^^^^^^ expected a text, a number, `true` or `false`
      |
      = help: to compare several values, move `face` to [sweep]
    "#);
}

#[test]
fn budgets_that_do_not_increase() {
    insta::assert_snapshot!(broken("nodes = 100", "nodes = [100, 1000, 1_000]"), @r#"
    error: the list does not increase: 1_000 follows 1_000
     --> experiments/coin.toml:9:21
      |
    9 | nodes = [100, 1000, 1_000]
      |                     ^^^^^ expected a whole number above 1_000
      |
      = help: an unresolved sample is tried again with the next, larger budget; what can be compared by a list are parameters, under [sweep]
    "#);
}

#[test]
fn an_empty_list_of_budgets() {
    insta::assert_snapshot!(broken("nodes = 100", "nodes = []"), @r#"
    error: the list is empty
     --> experiments/coin.toml:9:9
      |
    9 | nodes = []
      |         ^^ expected a whole number, or several
      |
      = help: an unresolved sample is tried again with the next, larger budget; what can be compared by a list are parameters, under [sweep]
    "#);
}

#[test]
fn a_control_whose_error_is_negative() {
    let table = "[variance]\ncontrol = \"low\"\nmean = 0.5\nerror = -0.1\n[params]";
    insta::assert_snapshot!(broken("[params]", table), @r#"
    error: `error` cannot be `-0.1`
     --> experiments/coin.toml:8:9
      |
    8 | error = -0.1
      |         ^^^^ expected a number above 0
    "#);
}

#[test]
fn a_parameter_out_of_range() {
    insta::assert_snapshot!(broken("face = \"heads\"", "unresolved = 1.5"), @r#"
    error: `unresolved` cannot be `1.5`
     --> experiments/coin.toml:6:14
      |
    6 | unresolved = 1.5
      |              ^^^ expected a number from 0 to 1
    "#);
}

#[test]
fn a_parameter_that_is_not_a_number() {
    insta::assert_snapshot!(broken("face = \"heads\"", "unresolved = nan"), @r#"
    error: `unresolved` cannot be `NaN`
     --> experiments/coin.toml:6:14
      |
    6 | unresolved = nan
      |              ^^^ expected a number from 0 to 1
    "#);
}

#[test]
fn a_parameter_the_task_refuses() {
    insta::assert_snapshot!(broken("face = \"heads\"", "engraving = \"E pluribus unum\""), @r#"
    error: the engraving `E pluribus unum` does not fit on the rim
     --> experiments/coin.toml:6:13
      |
    6 | engraving = "E pluribus unum"
      |             ^^^^^^^^^^^^^^^^^
      |
      = help: give at most eight letters
    "#);
}

#[test]
fn a_swept_value_the_task_refuses() {
    insta::assert_snapshot!(broken("p = [0.5, 0.25]", "p = [0.5, 0.25]\nengraving = [\"liberty\", \"E pluribus unum\"]"), @r#"
    error: the engraving `E pluribus unum` does not fit on the rim
      --> experiments/coin.toml:16:25
       |
    16 | engraving = ["liberty", "E pluribus unum"]
       |                         ^^^^^^^^^^^^^^^^^
       |
       = help: give at most eight letters
    "#);
}

#[test]
fn an_empty_sweep() {
    insta::assert_snapshot!(broken("[0.5, 0.25]", "[]"), @r#"
    error: the sweep of `p` is empty
      --> experiments/coin.toml:15:5
       |
    15 | p = []
       |     ^^ expected a list of at least one value
    "#);
}

#[test]
fn a_sweep_of_one_value() {
    insta::assert_snapshot!(broken("[0.5, 0.25]", "0.5"), @r#"
    error: `p` cannot be `0.5`
      --> experiments/coin.toml:15:5
       |
    15 | p = 0.5
       |     ^^^ expected a list
       |
       = help: write `p = [...]`, or give one value under [params] alone
    "#);
}

#[test]
fn a_swept_value_out_of_range() {
    insta::assert_snapshot!(broken("[0.5, 0.25]", "[0.5, 2]"), @r#"
    error: `p` cannot be `2`
      --> experiments/coin.toml:15:11
       |
    15 | p = [0.5, 2]
       |           ^ expected a number from 0 to 1
    "#);
}

#[test]
fn a_swept_value_given_twice() {
    insta::assert_snapshot!(broken("[0.5, 0.25]", "[0.5, 0.25, 0.50]"), @r#"
    error: the sweep of `p` has `0.5` twice
      --> experiments/coin.toml:15:17
       |
    15 | p = [0.5, 0.25, 0.50]
       |                 ^^^^ expected each value once
    "#);
}

#[test]
fn a_parameter_set_and_swept() {
    insta::assert_snapshot!(broken("p = [0.5, 0.25]", "p = [0.5, 0.25]\nface = [\"heads\"]"), @r#"
    error: `face` is both set and swept
      --> experiments/coin.toml:16:1
       |
    16 | face = ["heads"]
       | ^^^^
       |
       = help: give it once: one value under [params], or a list of values under [sweep]
    "#);
}

#[test]
fn a_claim_without_a_source() {
    insta::assert_snapshot!(broken("source = \"folklore\"\n", ""), @r#"
    error: the key `source` is missing
      --> experiments/coin.toml:17:1
       |
    17 | [[claims]]
       | ^^^^^^^^^^
       |
       = help: add `source = ...` to this table
    "#);
}

#[test]
fn a_claim_without_a_relation() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean = 0.5"), @r#"
    error: a claim needs a relation
      --> experiments/coin.toml:20:10
       |
    20 | holds = "heads.mean = 0.5"
       |          ^^^^^^^^^^^^^^^^ expected `<`, `<=`, `>`, `>=` or `agrees`
       |
       = help: write it like `score.mean < 11`
    "#);
}

#[test]
fn a_claim_without_a_number() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean >="), @r#"
    error: the number is missing
      --> experiments/coin.toml:20:23
       |
    20 | holds = "heads.mean >="
       |                       ^ expected a number
    "#);
}

#[test]
fn a_claim_with_a_word_for_a_number() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean >= half"), @r#"
    error: `half` is not a number
      --> experiments/coin.toml:20:24
       |
    20 | holds = "heads.mean >= half"
       |                        ^^^^ expected a number
    "#);
}

#[test]
fn a_published_value_with_a_word_for_its_error() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean agrees 0.5 +- little"), @r#"
    error: `little` is not a number
      --> experiments/coin.toml:20:35
       |
    20 | holds = "heads.mean agrees 0.5 +- little"
       |                                   ^^^^^^ expected a number
    "#);
}

#[test]
fn a_published_value_with_a_negative_error() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean agrees 0.5 ± -0.1"), @r#"
    error: an error is not negative
      --> experiments/coin.toml:20:34
       |
    20 | holds = "heads.mean agrees 0.5 ± -0.1"
       |                                  ^^^^ expected 0 or more: half the width of an interval
    "#);
}

#[test]
fn a_published_value_whose_error_alone_is_in_per_cent() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean agrees 0.5 +- 2 %"), @r#"
    error: one of these numbers is in per cent and the other is not
      --> experiments/coin.toml:20:28
       |
    20 | holds = "heads.mean agrees 0.5 +- 2 %"
       |                            ^^^^^^^^^^ expected `%` after both or after neither
    "#);
}

#[test]
fn a_published_error_at_no_level() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.mean agrees 0.5 +- 0.1 at 95"), @r#"
    error: `95` is not the level of an error
      --> experiments/coin.toml:20:42
       |
    20 | holds = "heads.mean agrees 0.5 +- 0.1 at 95"
       |                                          ^^ expected per cent from `50 %` to `99.9999 %`
       |
       = help: the level of one standard error is `68.27 %`
    "#);
}

#[test]
fn a_published_maximum() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "nodes.max agrees 5"), @r#"
    error: `agrees` compares intervals, and this statistic has none
      --> experiments/coin.toml:20:10
       |
    20 | holds = "nodes.max agrees 5"
       |          ^^^^^^^^^ expected a mean, a rate, a quantile or a difference
    "#);
}

#[test]
fn a_run_that_would_wait_for_a_published_value() {
    let agrees = GOOD.replacen("heads.mean >= 0.5", "heads.mean agrees 0.5", 1);
    assert!(parse(&agrees).is_ok());
    let waits = agrees.replacen("samples = 1000", "claims = { max-samples = 1000 }", 1);
    insta::assert_snapshot!(message(&waits), @r#"
    error: a claim that `agrees` is never decided by waiting, and the run stops when every claim is decided
      --> experiments/coin.toml:20:9
       |
    20 | holds = "heads.mean agrees 0.5"
       |         ^^^^^^^^^^^^^^^^^^^^^^^
       |
       = help: set `samples` under [stop], or use [stop.half-width]
    "#);
}

#[test]
fn a_claim_on_an_unknown_metric() {
    insta::assert_snapshot!(broken("heads.mean", "haeds.mean"), @r#"
    error: there is no metric `haeds`
      --> experiments/coin.toml:20:10
       |
    20 | holds = "haeds.mean >= 0.5"
       |          ^^^^^ expected a metric of the task
       |
       = help: did you mean `heads`?
    "#);
}

#[test]
fn a_claim_without_a_statistic() {
    insta::assert_snapshot!(broken("heads.mean", "heads"), @r#"
    error: a statistic is missing
      --> experiments/coin.toml:20:10
       |
    20 | holds = "heads >= 0.5"
       |          ^^^^^ expected METRIC.STATISTIC
       |
       = help: write it like `heads.mean`
    "#);
}

#[test]
fn a_claim_on_a_statistic_the_metric_lacks() {
    insta::assert_snapshot!(broken("heads.mean", "heads.q05"), @r#"
    error: `heads` has no statistic `q05`
      --> experiments/coin.toml:20:16
       |
    20 | holds = "heads.q05 >= 0.5"
       |                ^^^ expected a statistic of the metric
       |
       = help: known here: `mean`, `rate`
    "#);
}

#[test]
fn a_claim_on_the_quantile_of_a_total() {
    insta::assert_snapshot!(broken("heads.mean", "nodes.median"), @r#"
    error: `nodes` has no statistic `median`
      --> experiments/coin.toml:20:16
       |
    20 | holds = "nodes.median >= 0.5"
       |                ^^^^^^ expected a statistic of the metric
       |
       = help: known here: `mean`, `min`, `max`
    "#);
}

#[test]
fn a_difference_of_one_value() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5).heads"), @r#"
    error: a difference needs two values
      --> experiments/coin.toml:20:15
       |
    20 | holds = "diff(0.5).heads >= 0.5"
       |               ^^^ expected `A, B`
    "#);
}

#[test]
fn a_difference_with_an_unknown_value() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.75).heads"), @r#"
    error: `0.75` is not a swept value
      --> experiments/coin.toml:20:20
       |
    20 | holds = "diff(0.5, 0.75).heads >= 0.5"
       |                    ^^^^ expected a value of [sweep]
       |
       = help: known here: `0.5`, `0.25`
    "#);
}

#[test]
fn a_difference_of_a_value_with_itself() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.5).heads"), @r#"
    error: a difference needs two different values
      --> experiments/coin.toml:20:15
       |
    20 | holds = "diff(0.5, 0.5).heads >= 0.5"
       |               ^^^^^^^^ expected two values
    "#);
}

#[test]
fn a_difference_without_its_parenthesis() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.25"), @r#"
    error: the parenthesis is not closed
      --> experiments/coin.toml:20:15
       |
    20 | holds = "diff(0.5, 0.25 >= 0.5"
       |               ^^^^^^^^^ expected `)`
    "#);
}

#[test]
fn a_difference_without_a_metric() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.25)"), @r#"
    error: a difference needs a metric
      --> experiments/coin.toml:20:25
       |
    20 | holds = "diff(0.5, 0.25) >= 0.5"
       |                         ^ expected `.METRIC`
    "#);
}

#[test]
fn a_difference_of_extremes() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.25).run.max"), @r#"
    error: only means can be subtracted
      --> experiments/coin.toml:20:30
       |
    20 | holds = "diff(0.5, 0.25).run.max >= 0.5"
       |                              ^^^ expected `mean` or nothing
    "#);
}

#[test]
fn a_selector_of_the_parameter_compared() {
    insta::assert_snapshot!(broken("heads.mean", "diff(0.5, 0.25).heads"), @r#"
    error: this selects by the parameter that `diff` compares
      --> experiments/coin.toml:21:9
       |
    21 | where = "p=0.5"
       |         ^^^^^^^
       |
       = help: select by other swept parameters only
    "#);
}

#[test]
fn a_selector_of_a_parameter_not_swept() {
    insta::assert_snapshot!(broken("p=0.5", "face=heads"), @r#"
    error: `face` is not swept
      --> experiments/coin.toml:21:10
       |
    21 | where = "face=heads"
       |          ^^^^ expected a parameter of [sweep]
       |
       = help: known here: `p`
    "#);
}

#[test]
fn a_selector_of_a_value_not_swept() {
    insta::assert_snapshot!(broken("p=0.5", "p=0.75"), @r#"
    error: `0.75` is not a swept value
      --> experiments/coin.toml:21:12
       |
    21 | where = "p=0.75"
       |            ^^^^ expected a value of [sweep]
       |
       = help: known here: `0.5`, `0.25`
    "#);
}

#[test]
fn a_selector_that_selects_nothing() {
    insta::assert_snapshot!(broken("p=0.5", "half"), @r#"
    error: `half` is not a swept value
      --> experiments/coin.toml:21:10
       |
    21 | where = "half"
       |          ^^^^ expected a value of [sweep]
       |
       = help: known here: `0.5`, `0.25`
    "#);
}

#[test]
fn a_claim_with_escapes_is_pointed_at_as_a_whole() {
    insta::assert_snapshot!(broken("heads.mean >= 0.5", "heads.\\u006dean >= x"), @r#"
    error: `x` is not a number
      --> experiments/coin.toml:20:9
       |
    20 | holds = "heads.\u006dean >= x"
       |         ^^^^^^^^^^^^^^^^^^^^^^ expected a number
    "#);
}

#[test]
fn an_analysis_between_claims() {
    insta::assert_snapshot!(broken("source = \"folklore\"", "source = \"?\"\ntext = \"?\"\nholds = \"heads.mean > 0.1\"\nanalysis = \"Fair.\"\n\n[[claims]]\nsource = \"folklore\""), @r#"
    error: an analysis is between claims
      --> experiments/coin.toml:21:12
       |
    21 | analysis = "Fair."
       |            ^^^^^^^
       |
       = help: move it above the first [table] or below the last claim
    "#);
}

#[test]
fn a_stop_rule_that_is_no_table() {
    insta::assert_snapshot!(broken("samples = 1000", "half-width = 0.1"), @r#"
    error: `half-width` cannot be `0.1`
      --> experiments/coin.toml:12:14
       |
    12 | half-width = 0.1
       |              ^^^ expected a table, written [stop.half-width]
    "#);
}

#[test]
fn a_wager_on_a_metric_without_a_histogram() {
    let wager = "samples = 1000\n[wager]\nmetric = \"heads\"\nstake = 1";
    insta::assert_snapshot!(broken("samples = 1000", wager), @r#"
    error: this metric keeps no histogram, so gains cannot be computed from it
      --> experiments/coin.toml:14:10
       |
    14 | metric = "heads"
       |          ^^^^^^^ expected a bounded integer
    "#);
}

#[test]
fn a_stake_beyond_all_money() {
    let wager = "samples = 1000\n[wager]\nmetric = \"run\"\nstake = 3e14";
    insta::assert_snapshot!(broken("samples = 1000", wager), @r#"
    error: `stake` cannot be `300000000000000.0`
      --> experiments/coin.toml:15:9
       |
    15 | stake = 3e14
       |         ^^^^ expected a number from 0 to 1,000,000,000
    "#);
}

#[test]
fn a_stake_above_all_payments_is_a_caution() {
    let caution = |stake: &str| {
        let wager = format!("samples = 1000\n[wager]\nmetric = \"run\"\nstake = {stake}");
        let experiment = parse(&GOOD.replace("samples = 1000", &wager)).unwrap();
        let wager = experiment.wager.unwrap();
        wager.caution(&experiment.task.metrics[wager.metric])
    };
    assert_eq!((caution("0"), caution("20")), (None, None));
    let most = "[wager]: the stake of 20.5 is more than the largest `run`, 20, so no game can gain; \
                is `run` what a game pays?";
    assert_eq!(caution("20.5").unwrap(), most);
}

/// A headline that names no figure, one whose brace is open, and a difference that no table has, in each text.
#[test]
fn texts_that_ask_for_no_figure_of_the_results() {
    let headline = |text: &str| message(&format!("{FULL}\n[page]\nheadline = \"{text}\"\n"));
    let strange = "{p=1,face=heads - p=0.25,face=heads:run}";
    insta::assert_snapshot!(headline("forty"), @r#"
    error: the headline names no figure
      --> experiments/coin.toml:34:12
       |
    34 | headline = "forty"
       |            ^^^^^^^ expected `{METRIC}`, `{CELL:METRIC}` or `{CELL - CELL:METRIC}`
    "#);
    insta::assert_snapshot!(headline("{run"), @r#"
    error: the headline has a `{` without its `}`
      --> experiments/coin.toml:34:12
       |
    34 | headline = "{run"
       |            ^^^^^^ expected `{METRIC}`, `{CELL:METRIC}` or `{CELL - CELL:METRIC}`
    "#);
    insta::assert_snapshot!(headline(strange), @r#"
    error: `p=1,face=heads - p=0.25,face=heads:run` is not compared
      --> experiments/coin.toml:34:12
       |
    34 | headline = "{p=1,face=heads - p=0.25,face=heads:run}"
       |            ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ expected two cells that are compared
       |
       = help: a claim `diff(CELL, CELL).METRIC` compares any two cells; otherwise each is compared with the first value of one swept parameter
    "#);
    let missing = "is not compared";
    assert!(message(&format!("answer = \"{strange}\"\n{FULL}")).contains(missing));
    assert!(message(&format!("{FULL}\n[page]\nsentence = \"{strange}\"\n")).contains(missing));
    // A claim compares the two: nothing is refused.
    let file = FULL
        .replace("diff(heads, tails).run > 0", "diff(p=1, p=0.25).run > 0")
        .replace("where = \"p=0.25\"", "where = \"face=heads\"");
    parsed(&format!("{file}\n[page]\nheadline = \"{strange}\"\n"));
}

#[test]
fn ranges_without_values_and_axes_that_cannot_change_together() {
    let refused = [
        (
            "{ from = 0.5, to = 0.25 }",
            "the range from 0.5 to 0.25 is empty",
        ),
        (
            "{ from = 0, to = 1, step = 0 }",
            "the step of a range is above 0",
        ),
        ("{ from = 0, to = 1, by = 0.1 }", "unknown key `by`"),
        ("{ from = 0 }", "the key `to` is missing"),
        ("[0.5]\nzip = [\"p\", \"q\"]", "`q` is not swept"),
        ("[0.5]\nzip = [\"p\"]", "`p` is swept together with nothing"),
        (
            "[0.5]\nface = [\"heads\"]\nzip = [\"p\", \"p\"]",
            "`p` is there twice",
        ),
        (
            "{ from = 0.5, to = 1, step = 0.25 }\nface = [\"heads\", \"tails\"]\nzip = [\"p\", \"face\"]",
            "`p` has 3 values and `face` 2",
        ),
    ];
    for (values, expected) in refused {
        let text = broken("[0.5, 0.25]", values);
        let [message, place] = [0, 1].map(|line| text.lines().nth(line).unwrap_or_default());
        assert!(message.contains(expected), "{text}");
        assert!(place.contains("coin.toml:1"), "{text}");
    }
}
