//! The keys of benchmarks, read as every other.

use super::super::*;
use crate::coin;

const FILE: &str = "question = \"Which is faster?\"
task = \"coin/flip\"
seed = 7
[params]
p = 0.5
[bench]
answers = [\"heads\"]
cap = { cpu = 10, nodes = 50_000 }
[contenders.fair]
p = 0.5
[contenders.other]
once = [\"solve\", \"{instance}\"]
answers = { Solved = true, Impossible = false }
[stop.ratio]
first = \"other\"
second = \"fair\"
within = 1.05
max-samples = 20_000
[[claims]]
source = \"this project\"
text = \"It is faster.\"
holds = \"ratio(other, fair).median > 2\"
";

fn read(text: &str) -> Result<Experiment, ConfigError> {
    Experiment::parse(text, "which.toml", coin::GAMES, &Overrides::default())
}

fn contenders(experiment: &Experiment) -> Vec<String> {
    let race = experiment.clone().lined_up();
    race.cell_names().map(str::to_owned).collect()
}

#[test]
fn a_benchmark_is_read_and_comes_back_from_its_resolved_file() {
    let experiment = read(FILE).unwrap();
    assert_eq!(experiment.stop, StopRule::after(20_000));
    assert_eq!(experiment.file.bench.cap.nodes, Some(50_000));
    assert_eq!(contenders(&experiment), ["fair", "other"]);
    assert_eq!(experiment.claims[0].ratio().unwrap().first, "other");
    let again = read(&experiment.resolved_toml()).unwrap();
    assert_eq!(again.file, experiment.file);
    assert_eq!(again.claims, experiment.claims);
    assert_eq!(again.resolved_toml(), experiment.resolved_toml());
}

#[test]
fn an_answer_must_tell_what_is_compared_or_everything_where_nothing_is() {
    let experiment = read(FILE).unwrap();
    let all: Vec<usize> = (0..experiment.task.metrics.len()).collect();
    let heads = experiment
        .task
        .metrics
        .iter()
        .position(|metric| metric.name == "heads");
    assert!(all.len() > 1);
    assert_eq!(experiment.told_metrics(), [heads.unwrap()]);
    let nothing = read(&FILE.replace("answers = [\"heads\"]", "answers = []").replace(
        "once = [\"solve\", \"{instance}\"]\nanswers = { Solved = true, Impossible = false }",
        "p = 0.2",
    ));
    assert_eq!(nothing.unwrap().told_metrics(), all);
}

/// Words, lines and exit statuses; by default success is a good one, and those of SAT solvers where there are answers.
#[test]
fn signs_of_answers_are_words_lines_and_exit_statuses() {
    let good = |keys: &str| {
        let experiment =
            read(&FILE.replace("answers = { Solved = true, Impossible = false }", keys));
        let experiment = experiment.unwrap();
        let again = read(&experiment.resolved_toml()).unwrap();
        assert_eq!(again.file, experiment.file, "{keys}");
        let race = experiment.lined_up();
        let known = race.known_answers(1).unwrap();
        let signs: Vec<String> = known.iter().map(|known| known.sign.to_string()).collect();
        (signs, race.file.contenders["other"].good_statuses())
    };
    let signs = |signs: &[&str]| {
        signs
            .iter()
            .map(|&sign| sign.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(good(""), (signs(&[]), vec![0]));
    assert_eq!(
        good("answers = { Solved = true, \" s  NO \" = false }"),
        (
            signs(&["the word `Solved`", "the line `s NO`"]),
            vec![0, 10, 20]
        )
    );
    assert_eq!(
        good("answers = { status = { 10 = true, 3 = false }, \"Solved!\" = true }\nexit = [1]"),
        (
            signs(&["exit status 10", "exit status 3", "the line `Solved!`"]),
            vec![10, 3, 1]
        )
    );
}

#[test]
fn answers_may_have_a_tolerance_each() {
    let file = FILE.replace("[\"heads\"]", "{ heads = 1e-6 }");
    let experiment = read(&file).unwrap();
    assert_eq!(experiment.tolerances(), [(0, 1e-6)]);
    let again = read(&experiment.resolved_toml()).unwrap();
    assert_eq!(again.file, experiment.file);
    assert_eq!(read(FILE).unwrap().tolerances(), [(0, 0.0)]);
}

#[test]
fn every_contender_races_at_every_swept_value() {
    let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 7\n[params]\np = 0.5\n\
                [sweep]\nengraving = [\"x\", \"y\"]\n[contenders.fair]\np = 0.5\n\
                [contenders.other]\nrun = [\"other\"]\n[contenders.plain]\nengraving = \"z\"\n\
                [stop]\nsamples = 9\n[[claims]]\nsource = \"us\"\ntext = \"It is faster.\"\n\
                holds = \"ratio(other,engraving=y, fair,engraving=y).median > 2\"\n";
    let experiment = read(text).unwrap();
    let names = [
        "fair,engraving=x",
        "fair,engraving=y",
        "other,engraving=x",
        "other,engraving=y",
        "plain,engraving=z",
    ];
    assert_eq!(contenders(&experiment), names);
    let race = experiment.lined_up();
    let engravings = race.cells.iter().map(|cell| cell.swept[0].1.to_string());
    assert_eq!(engravings.collect::<Vec<_>>(), ["x", "y", "x", "y", "z"]);
    let relation = race.claims[0].ratio().unwrap();
    assert_eq!(race.find_contender(&relation.first).unwrap(), 3);
}

#[test]
fn swept_values_at_which_nobody_races_are_refused() {
    let text = "question = \"?\"\ntask = \"coin/flip\"\nseed = 7\n[sweep]\np = [0.25, 0.5]\n\
                [contenders.fair]\np = 0.5\n[contenders.other]\np = 0.75\n[stop]\nsamples = 9\n";
    let error = read(text).unwrap_err().to_string();
    assert!(
        error.contains("every contender has its own `p`: no swept value is raced"),
        "{error}"
    );
    let one = text.replace("p = 0.75", "run = [\"other\"]");
    assert_eq!(contenders(&read(&one).unwrap()).len(), 3);
}

#[test]
fn faults_beside_a_benchmark_stand_where_the_file_has_them() {
    let text = FILE.replace("seed = 7", "sed = 7");
    let error = read(&text).unwrap_err();
    assert_eq!(
        error
            .problem()
            .span
            .as_ref()
            .map(|span| &text[span.clone()]),
        Some("sed")
    );
    let unknown = FILE.replace("p = 0.5\n[contenders.other]", "q = 0.5\n[contenders.other]");
    let error = read(&unknown).unwrap_err();
    assert!(error.to_string().contains("no parameter `q`"), "{error}");
    let second = FILE.replace("[stop.ratio]", "[stop]\nsamples = 5\n[stop.ratio]");
    assert!(
        read(&second)
            .unwrap_err()
            .to_string()
            .contains("a second rule")
    );
    let wrong = FILE.replace("[\"heads\"]", "[\"head\"]");
    assert!(
        read(&wrong)
            .unwrap_err()
            .to_string()
            .contains("no metric `head`")
    );
}

#[test]
fn a_command_without_a_program_has_those_of_its_contenders() {
    let text = "question = \"Which?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
                metrics = { value = { kind = \"integer\", min = 0, max = 9 } }\n\
                [contenders.fast]\nrun = [\"whoami\", \"fast.sh\"]\n[stop]\nsamples = 2\nwrong = 1\n";
    let error = read(text).unwrap_err();
    assert_eq!(
        error
            .problem()
            .span
            .as_ref()
            .map(|span| &text[span.clone()]),
        Some("wrong")
    );
    let experiment = read(&text.replace("wrong = 1\n", "")).unwrap();
    let argv = &experiment.command.as_ref().unwrap().program.argv;
    assert_eq!(argv, &["whoami", "fast.sh"]);
    assert!(experiment.file.lender().is_some());
    let again = read(&experiment.resolved_toml()).unwrap();
    assert_eq!(again.resolved_toml(), experiment.resolved_toml());
}

#[test]
fn mistakes_in_a_benchmark_have_their_place_and_help() {
    for (from, to, place, told) in [
        (
            "other, fair).median",
            "other, fare).median",
            "\"ratio(other, fare).median > 2\"",
            "`fair`",
        ),
        (
            "first = \"other\"",
            "first = \"othr\"",
            "\"othr\"",
            "did you mean `other`",
        ),
        (
            "cap = { cpu = 10, nodes = 50_000 }",
            "cap = 10",
            "10",
            "cap = { cpu = 10 }",
        ),
        ("within = 1.05", "within = 1.0", "1.0", "a number above 1"),
        (
            "[\"heads\"]",
            "{ heads = 0, head = 0.1 }",
            "0.1",
            "no metric `head`",
        ),
        (
            "[\"heads\"]",
            "{ heads = 1 }",
            "1",
            "from 0 and below 1, such as 1e-6",
        ),
        ("[\"heads\"]", "{ heads = inf }", "inf", "below 1"),
        (
            "[bench]",
            "[bench]\nbaseline = \"othr\"",
            "\"othr\"",
            "did you mean `other`",
        ),
        (
            "[bench]",
            "[bench]\nbaseline = \"fair\"",
            "\"fair\"",
            "below that of another contender",
        ),
        (
            "[bench]",
            "[bench]\nbaseline = \"other\"",
            "\"other\"",
            "compared with nothing",
        ),
        (
            "[\"heads\"]",
            "{ heads = true }",
            "{ heads = true }",
            "a tolerance for each",
        ),
        (
            "once = [",
            "run = [\"a\"]\nonce = [",
            "[\"solve\", \"{instance}\"]",
            "keep `run` for",
        ),
        (
            "[contenders.fair]",
            "[contenders.control]",
            "control",
            "another name",
        ),
        (
            "[contenders.fair]\np = 0.5",
            "[contenders.fair]\np = 2.0",
            "2.0",
            "from 0 to 1",
        ),
        (
            "once = [\"solve\", \"{instance}\"]\nanswers = { Solved = true, Impossible = false }",
            "run = [\"solve\"]\nstdin = \"{instance}\"",
            "stdin",
            "started by `once`",
        ),
        (
            "once = [\"solve\", \"{instance}\"]\nanswers = { Solved = true, Impossible = false }",
            "run = [\"solve\"]\nexit = [0, 10]",
            "exit",
            "goes on running",
        ),
        (
            "Impossible = false }",
            "Impossible = false }\nexit = [0, 256]",
            "[0, 256]",
            "from 0 to 255",
        ),
        (
            "Impossible = false }",
            "Impossible = false }\nexit = []",
            "[]",
            "exit = [0]",
        ),
        (
            "once = [\"solve\"",
            "once = [\"C:\\bin\"",
            "[\"C:\\bin\", \"{instance}\"]",
            "single quotes",
        ),
        ("Impossible =", "\" \" =", "\" \"", "a whole line"),
        ("Impossible =", "\"a\\nb\" =", "\"a\\nb\"", "a whole line"),
        ("Impossible =", "status.256 =", "256", "from 0 to 255"),
        ("Impossible =", "status.sat =", "sat", "from 0 to 255"),
        (
            "Impossible = false }",
            "\"s  no\" = false, \"s no\" = true }",
            "\"s no\"",
            "remove one",
        ),
        (
            "Impossible = false",
            "Impossible = 7",
            "Impossible",
            "a value of the first metric",
        ),
        (
            "answers = { Solved",
            "answer = 1\nanswers = { Solved",
            "answer",
            "remove it",
        ),
        (
            "text = \"It is",
            "where = \"p\"\ntext = \"It is",
            "where",
            "names its contenders",
        ),
        (
            "ratio(other, fair).median > 2",
            "ratio(other, fair).mean > 2",
            "\"ratio(other, fair).mean > 2\"",
            "write `ratio(A",
        ),
    ] {
        assert!(FILE.contains(from), "{from}");
        let text = FILE.replace(from, to);
        let error = read(&text).unwrap_err();
        let problem = error.problem();
        let found = problem.span.as_ref().map(|span| &text[span.clone()]);
        assert_eq!(found, Some(place), "{error}");
        assert!(error.to_string().contains(told), "{told}: {error}");
    }
}

/// What the program that makes the instances is given makes the question, words too; what it is not given are ways to
/// the same answer.
#[test]
fn contenders_are_compared_on_the_same_instances_alone() {
    let alike = |given: &str, more: &str| {
        let text = format!(
            "question = \"?\"\ntask = \"command\"\nseed = 1\n[command]\nversion = \"1\"\n\
             generate = [\"sh\", \"-c\", \"echo 1\", \"{{seed32}}\", {given}]\nstdin = \"{{instance}}\"\n\
             metrics = {{ sum = {{ kind = \"total\" }} }}\n[command.params]\n\
             shape = {{ kind = \"choice\", choices = [\"easy\", \"hard\"] }}\n\
             [sweep]\nshape = [\"easy\", \"hard\"]\n{more}[contenders.a]\nonce = [\"cat\"]\n\
             [contenders.b]\nonce = [\"cat\"]\n[stop]\nsamples = 6\n"
        );
        let race = read(&text).unwrap().into_race().unwrap();
        let names = contenders(&race);
        let pairs = race.raced_pairs().into_iter();
        let pairs = pairs.filter(|(first, second)| first < second);
        let pairs: Vec<String> = pairs
            .map(|(first, second)| format!("{} {}", names[first], names[second]))
            .collect();
        pairs
    };
    let apart = ["a,shape=easy b,shape=easy", "a,shape=hard b,shape=hard"];
    let sorted = |mut pairs: Vec<String>| {
        pairs.sort();
        pairs
    };
    assert_eq!(sorted(alike("\"{shape}\"", "")), apart);
    assert_eq!(alike("\"{seed32}\"", "").len(), 6);
    let named = "[bench]\nquestions = [\"shape\"]\n";
    assert_eq!(sorted(alike("\"{seed32}\"", named)), apart);
}
