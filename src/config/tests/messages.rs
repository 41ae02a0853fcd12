//! What a person reads when a file is wrong.

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

fn message(text: &str) -> String {
    parse(text).unwrap_err().to_string()
}

#[test]
fn probe() {
    println!(
        "{:#?}",
        parse(GOOD)
            .map(|e| e.resolved_toml())
            .map_err(|e| e.to_string())
    );
    for (a, b) in [
        ("seed = 7", "seed = "),
        ("question", "qestion"),
        ("nodes", "node"),
        ("samples", "sample"),
        ("where", "were"),
        ("seed = 7", "seed = 1.5"),
        ("seed = 7", "seed = -1"),
        ("seed = 7", "seed = 99999999999999999999999999"),
        (
            "seed = 7",
            "seed = 9999999999999999999999999999999999999999999999999999999999",
        ),
        ("seed = 7", "seed = \"7\""),
        ("seed = 7", "seed = 1979-05-27"),
        ("seed = 7\n", ""),
        ("nodes = 100", "nodes = 0"),
        ("samples = 1000", "samples = 1e3"),
        ("samples = 1000", "half-width = 1e3"),
        ("samples = 1000", ""),
        ("[stop]\nsamples = 1000", ""),
        ("[budget]\nnodes = 100", "budget = 5"),
        ("[budget]\nnodes = 100", "[budget]\nanalysis = 'x'"),
        ("[stop]", "[[stop]]"),
        ("coin/flip", "coin/flp"),
        ("coin/flip", "coin/spin"),
        ("coin/flip", "chess"),
        ("face", "fase"),
        ("\"heads\"", "\"head\""),
        ("\"heads\"", "[\"head\"]"),
        ("[0.5, 0.25]", "[]"),
        ("[0.5, 0.25]", "[0.5, 2]"),
        ("[0.5, 0.25]", "0.5"),
        ("[0.5, 0.25]", "[0.5, 0.50]"),
        ("p = [", "face = [\"heads\"]\np = ["),
        ("p = [", "engraving = [\"abcdefgh\", \"abcdefghi\"]\np = ["),
        ("heads.mean", "haeds.mean"),
        ("heads.mean", "heads.max"),
        ("heads.mean", "heads"),
        ("heads.mean", "diff(0.5, 0.3).heads"),
        ("heads.mean", "diff(0.5, 0.25).heads"),
        ("heads.mean", "diff(0.5, 0.25).heads.sd"),
        ("heads.mean", "diff(0.5).heads"),
        ("heads.mean", "diff(0.5.heads"),
        (">= 0.5", "= 0.5"),
        (">= 0.5", ">= half"),
        (">= 0.5", ">="),
        ("p=0.5", "p=0.7"),
        ("p=0.5", "q=0.7"),
        ("p=0.5", "half"),
        ("source = \"folklore\"\n", ""),
        ("source = \"folklore\"\n", "analysis='x'\n[[claims]]\n"),
        ("\"heads.mean >= 0.5\"", "\"heads.\\u006dean >= x\""),
        (GOOD, ""),
        (GOOD, "seed = \"x"),
        ("\n", "\r\nlevel = 2\r\n"),
        ("question", "\u{feff}qestion"),
    ] {
        println!("=== {a:?} -> {b:?}");
        match parse(&GOOD.replacen(a, b, 1)) {
            Ok(_) => println!("OK"),
            Err(e) => println!("{e}"),
        }
    }
}
