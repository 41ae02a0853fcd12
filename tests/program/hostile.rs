//! Text from files is data: whatever an experiment says of itself, a terminal obeys nothing in it,
//! a page runs nothing, a spreadsheet computes nothing, and a document keeps its markers.
#![cfg(unix)]

use crate::program::Bench;

/// The beginning of each text of the experiment, hostile in many ways.
const HOSTILE: &str = r"=1+1 \u001b]0;owned\u0007\u001b[2J\u202e\u009b2J <script>alert(1)</script> <!-- /etude --> | <img src=x onerror=alert(1)> `'\r";

fn bench() -> Bench {
    let bench = Bench::new();
    let text = format!(
        "question = \"{HOSTILE}\"\ntask = \"klondike/score\"\nseed = 1\nanswer = \"{HOSTILE}{{score}}\"\n\
         analysis = \"{HOSTILE}\"\n[stop]\nsamples = 20\n[sweep]\nstrategy = [\"greedy\", \"random\"]\n\
         [[claims]]\nsource = \"{HOSTILE}\"\ntext = \"{HOSTILE}\"\nholds = \"score.mean < 52\"\n"
    )
    .replace("{score}", "{greedy:score}");
    bench.write("hostile.toml", &text);
    let ending = bench.run(&["run", "hostile.toml", "--out", "run"]);
    ending.check(0, &[]);
    assert_harmless(&ending.data);
    assert_harmless(&ending.said);
    bench
}

#[track_caller]
fn assert_harmless(text: &str) {
    let is_hidden = |c: &char| (c.is_control() && !"\n\t".contains(*c)) || *c == '\u{202e}';
    let found: Vec<char> = text.chars().filter(is_hidden).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}

#[test]
fn a_terminal_obeys_nothing() {
    let bench = bench();
    for arguments in [
        &["report", "run"][..],
        &["run", "hostile.toml", "--out", "run"],
        &["verify", "run"],
        &["plan", "hostile.toml"],
    ] {
        let ending = bench.run(arguments);
        ending.check(0, &[]);
        assert_harmless(&ending.data);
        assert_harmless(&ending.said);
    }
    for wrong in [
        "\"a\\u001b[2J\" = 1",
        "task = \"\\u001b[2J\"",
        "seed = \"\\u001b[2J\"",
    ] {
        bench.write("wrong.toml", wrong);
        let ending = bench.run(&["check", "wrong.toml"]);
        ending.check(2, &[]);
        assert_harmless(&ending.said);
    }
    let ending = bench.run(&["check", "\u{1b}[2J.toml"]);
    ending.check(2, &[]);
    assert_harmless(&ending.said);
}

#[test]
fn a_page_runs_nothing() {
    let bench = bench();
    bench
        .run(&["report", "run", "--html", "page.html"])
        .check(0, &[]);
    let page = std::fs::read_to_string(bench.path("page.html")).unwrap();
    for tag in ["<script>alert", "<img src=x", "<!-- /etude"] {
        assert!(!page.contains(tag), "{tag}");
    }
    assert!(page.contains("&lt;script&gt;alert"));
    assert_harmless(&page);
    let piped = bench.run(&["report", "run", "--html", "-"]);
    piped.check(0, &[]);
    assert_eq!(piped.data, page);
}

#[test]
fn a_document_has_no_tags() {
    let bench = bench();
    for format in ["markdown", "latex", "json", "csv"] {
        let export = bench.run(&["report", "run", "--all", "--format", format]);
        export.check(0, &[]);
        assert_harmless(&export.data);
        let runs = ["<script", "<img", "<!-- /etude"];
        let in_a_page = format == "markdown";
        assert!(
            !in_a_page || !runs.iter().any(|tag| export.data.contains(tag)),
            "{}",
            export.data
        );
    }
}

#[test]
fn tables_hold_no_formula_and_give_the_text_back() {
    let bench = bench();
    for entry in std::fs::read_dir(bench.path("run")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            assert_harmless(&std::fs::read_to_string(&path).unwrap());
        }
    }
    let claims = std::fs::read(bench.path("run/claims.csv")).unwrap();
    let mut reader = csv::Reader::from_reader(claims.as_slice());
    for record in reader.records() {
        for field in &record.unwrap() {
            let is_number = field.parse::<f64>().is_ok();
            assert!(
                is_number || !field.starts_with(['=', '+', '-', '@']),
                "{field:?}"
            );
        }
    }
    let package = std::fs::read(bench.path("run/datapackage.json")).unwrap();
    assert_harmless(
        &String::from_utf8(package)
            .unwrap()
            .replace(['\u{202e}', '\u{9b}'], ""),
    );
    let shown = bench.run(&["report", "run"]).data;
    assert!(
        shown.contains("=1+1 \\u{1b}") && !shown.contains("'=1+1"),
        "{shown}"
    );
}

/// A pipe or a device as an input is refused at once, whatever it would give.
#[test]
fn pipes_and_devices_are_no_experiments() {
    let bench = bench();
    for device in ["/dev/zero", "/dev/null"] {
        bench
            .run(&["check", device])
            .check(2, &["not a regular file"]);
    }
    std::fs::remove_file(bench.path("run/summary.csv")).unwrap();
    let pipe = bench.path("run/summary.csv");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    bench.run(&["report", "run"]).check(2, &["summary.csv"]);
}

/// Names in the place of files: a link is refused, a device written, a file keeps its permissions.
#[test]
fn outputs_touch_nothing_else() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let bench = bench();
    let page = |path: &str| bench.run(&["report", "run", "--html", path]);
    page("/dev/null").check(0, &[]);
    let device = std::fs::metadata("/dev/null").unwrap();
    assert!(device.file_type().is_char_device());
    page("/dev/stdout").check(0, &[]);
    let old = "<!DOCTYPE html>old";
    bench.write("private.html", old);
    let private = bench.path("private.html");
    std::fs::set_permissions(&private, PermissionsExt::from_mode(0o600)).unwrap();
    symlink("private.html", bench.path("link.html")).unwrap();
    page("link.html").check(1, &["it is a link"]);
    assert_eq!(std::fs::read_to_string(&private).unwrap(), old);
    page("private.html").check(0, &[]);
    let found = std::fs::metadata(&private).unwrap();
    assert!(found.len() > 1_000 && found.permissions().mode() & 0o777 == 0o600);
}

/// Labels that a spreadsheet would take for formulas: guarded in tables, and found again by those
/// who read them.
#[test]
fn labels_that_look_like_formulas_pair_in_comparisons() {
    let bench = Bench::new();
    let experiment = |more: &str| {
        format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\n\
             once = [\"echo\", \"{{seed32}}\"]\nversion = \"1\"\n[command.params]\n\
             label = {{ kind = \"text\" }}\n[command.metrics]\nx = {{ kind = \"total\" }}\n[stop]\n\
             samples = 12\n[sweep]\nlabel = [{more}]\n[output]\nsamples = true\n"
        )
    };
    let labels = r#""=1+1", "'=1+1", "＝x", "-b""#;
    bench.write("labels.toml", &experiment(labels));
    for out in ["one", "two"] {
        let run = ["run", "labels.toml", "--out", out, "--quiet"];
        bench.run(&run).check(0, &[]);
    }
    let compared = bench.run(&["compare", "one", "two", "--format", "csv"]);
    compared.check(0, &[]);
    assert_eq!(
        compared.data.matches(",paired,12,").count(),
        4,
        "{}",
        compared.data
    );
    bench.run(&["verify", "one"]).check(0, &["sound"]);
    for hidden in [r"a\nb", r"a\u202eb", r"a\u001bb"] {
        bench.write("labels.toml", &experiment(&format!("\"{hidden}\", \"c\"")));
        let refused = bench.run(&["check", "labels.toml"]);
        refused.check(2, &["it names a cell"]);
    }
}
