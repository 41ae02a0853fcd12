//! Laws of all experiment files, tested on random files.

use proptest::prelude::*;

use super::*;
use stats::{Level, Looks};

/// Texts with all that a TOML string must escape.
fn prose() -> impl Strategy<Value = String> {
    "[a-zé \\\\\"'\n\t\r\u{1}=,#\\[\\]]{0,20}".prop_map(|text| format!("{text}."))
}

prop_compose! {
    /// An experiment of the coin with random prose, numbers and sweeps.
    fn experiments()(
        question in prose(),
        analysis in proptest::option::of(prose()),
        seed: u64,
        level in 0.001..0.999f64,
        (nodes, samples) in (1..u64::MAX, 1..10_000_000_000_000u64),
        heads in proptest::collection::btree_set(0..=1000u32, 0..4),
        engravings in proptest::collection::btree_set("[a-z \"\\\\é]{0,8}", 0..3),
        source in prose(),
    ) -> Experiment {
        let mut text = format!("{MINIMAL}[sweep]\n");
        let quoted = |text: &String| toml::Value::String(text.clone()).to_string();
        if !heads.is_empty() {
            let list: Vec<String> = heads.iter().map(|p| format!("{}", f64::from(*p) / 1e3)).collect();
            text += &format!("p = [{}]\n", list.join(","));
        }
        if !engravings.is_empty() {
            let list: Vec<String> = engravings.iter().map(quoted).collect();
            text += &format!("engraving = [{}]\n", list.join(","));
        }
        text += &format!(
            "[[claims]]\nsource = {}\ntext = 'x'\nholds = 'run.median < 1e-3'\n",
            quoted(&source)
        );
        let mut experiment = parsed(&text);
        experiment.file.question = question;
        experiment.file.analysis = analysis;
        experiment.file.seed = seed;
        experiment.level = Level::new(level).unwrap();
        experiment.file.level = level;
        experiment.file.budget = Some(BudgetTable { nodes: Some(Nodes::One(nodes)) });
        experiment.stop = StopRule::after(samples);
        experiment.file.stop = Some(StopTable::after(samples));
        experiment
    }
}

/// A change to a text.
#[derive(Clone, Debug)]
enum Edit {
    Remove {
        from: usize,
        length: usize,
    },
    Insert {
        at: usize,
        text: String,
    },
    Copy {
        from: usize,
        length: usize,
        to: usize,
    },
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let remove =
        (any::<usize>(), 1..30usize).prop_map(|(from, length)| Edit::Remove { from, length });
    let pieces = prop_oneof![
        ".{1,3}",
        "[\\[\\]{}=\"'.,()<>#\n\r\t\u{0}\u{feff}é€-]{1,3}",
        "-?[0-9]{1,45}(\\.[0-9]+)?(e[0-9]{1,4})?",
        "(nan|inf|true|diff\\(|where|analysis|\\[\\[claims\\]\\]|\\[sweep\\]|p=|q00)",
    ];
    let insert = (any::<usize>(), pieces).prop_map(|(at, text)| Edit::Insert { at, text });
    let copy = (any::<usize>(), 1..80usize, any::<usize>())
        .prop_map(|(from, length, to)| Edit::Copy { from, length, to });
    proptest::collection::vec(prop_oneof![remove, insert, copy], 1..6)
}

fn apply(text: &mut Vec<char>, edit: Edit) {
    let length_of = text.len();
    let place = |at: usize| at % (length_of + 1);
    let part = |from: usize, length: usize| place(from)..(place(from) + length).min(length_of);
    match edit {
        Edit::Remove { from, length } => drop(text.drain(part(from, length))),
        Edit::Insert { at, text: new } => drop(text.splice(place(at)..place(at), new.chars())),
        Edit::Copy { from, length, to } => {
            let copied = text[part(from, length)].to_vec();
            drop(text.splice(place(to)..place(to), copied));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_the_reader_panic(edits in edits()) {
        let mut text: Vec<char> = FULL.chars().collect();
        edits.into_iter().for_each(|edit| apply(&mut text, edit));
        let text: String = text.into_iter().collect();
        match parse(&text) {
            Ok(experiment) => {
                let again = parsed(&experiment.resolved_toml());
                prop_assert_eq!(again.digest(), experiment.digest());
                experiment.metric_claims().for_each(|(_, _, claim)| drop(experiment.targets(claim)));
            }
            Err(error) => {
                prop_assert!(!error.problem().message.is_empty());
                prop_assert!(error.render(true).contains("error"));
                prop_assert!(error.render(false).starts_with("error"));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn a_resolved_file_parses_back_to_the_same_experiment(experiment in experiments()) {
        let text = experiment.resolved_toml();
        let again = Experiment::parse(&text, "results/x/config.toml", GAMES, &Overrides::default());
        let mut again = again.unwrap_or_else(|error| panic!("{error}"));
        again.source.clone_from(&experiment.source);
        prop_assert_eq!(&again, &experiment);
        prop_assert_eq!(again.fingerprint(), experiment.fingerprint());
        prop_assert_eq!(again.digest(), experiment.digest());
    }
}

#[test]
fn a_fingerprint_knows_what_determines_samples_and_nothing_else() {
    let original = parsed(FULL).fingerprint();
    let changed = |from: &str, to: &str| parsed(&FULL.replacen(from, to, 1)).fingerprint();
    for (from, to) in [
        ("fair?", "just?"),
        ("samples = 1000", "samples = 2000"),
        ("level = 0.99", "level = 0.9"),
        ("samples = true", "samples = false"),
        ("folklore", "hearsay"),
        ("unresolved = 0\n", ""),
    ] {
        assert_eq!(changed(from, to), original, "{from}");
    }
    for (from, to) in [
        ("seed = 7", "seed = 8"),
        ("nodes = 1_000", "nodes = 1_001"),
        ("unresolved = 0", "unresolved = 0.1"),
        ("0.5, 0.25", "0.25, 0.5"),
        (
            "[\"heads\", \"tails\"]",
            "[\"heads\", \"tails\"]\nengraving = [\"x\"]",
        ),
    ] {
        assert_ne!(changed(from, to), original, "{from}");
    }
    let mut experiment = parsed(FULL);
    experiment.file.variance = Some(VarianceTable {
        control: "pips".to_owned(),
        mean: 3.5,
        error: 0.1,
    });
    assert_ne!(experiment.fingerprint(), original);
}

#[test]
fn a_run_that_was_extended_says_so_whatever_comes_after() {
    let planned = |samples: &str| parsed(&FULL.replacen("samples = 1000", samples, 1));
    let (first, mut second) = (planned("samples = 100"), planned("samples = 1000"));
    second.go_on_from(&first);
    assert_eq!(second.file.extended_from, [100]);
    let again = parsed(&second.resolved_toml());
    assert_eq!(again.file.extended_from, [100]);
    assert_eq!(again.fingerprint(), first.fingerprint());
    let mut third = planned("samples = 5000");
    third.go_on_from(&again);
    third.go_on_from(&again);
    assert_eq!(third.file.extended_from, [100, 1000]);
    let looks = |planned| Looks::Many { planned };
    assert_eq!(first.confidence().looks, Looks::Once);
    assert_eq!(third.confidence().looks, looks(100));
    let mut looking = planned("claims = { max-samples = 90 }");
    looking.go_on_from(&first);
    assert_eq!(looking.file.extended_from, [100]);
    assert_eq!(looking.confidence().looks, looks(100));
    let mut longer = planned("claims = { max-samples = 4000 }");
    longer.go_on_from(&planned("claims = { max-samples = 90 }"));
    assert!(longer.file.extended_from.is_empty());
    let mut same = planned("samples = 100");
    same.go_on_from(&first);
    assert_eq!(same.resolved_toml(), first.resolved_toml());
}

/// A mark keeps what was seen, cannot be taken away, and names a cell of the sweep that does not race.
#[test]
fn an_unwanted_cell_keeps_its_mark() {
    let marked = |marks: &str| parsed(&format!("{FULL}\n[unwanted]\n{marks}"));
    let cell = "p=0.5,face=heads";
    let (first, mut second) = (parsed(FULL), marked(&format!("{cell:?} = 7\n")));
    let found = second.cell_of(cell).unwrap();
    second.keep_marks(&first, 1_000).unwrap();
    assert_eq!(second.file.unwanted[&second.cells[found].name], 1_000);
    assert_eq!(
        parsed(&second.resolved_toml()).resolved_toml(),
        second.resolved_toml()
    );
    assert_eq!(second.fingerprint(), first.fingerprint());
    assert!(!second.is_wanted(found) && second.is_wanted(found + 1));
    let mut later = marked(&format!("{cell:?} = 5_000\n"));
    later.keep_marks(&second, 3_000).unwrap();
    assert_eq!(later.file.unwanted[&later.cells[found].name], 1_000);
    let name = second.cells[found].name.clone();
    assert_eq!(parsed(FULL).keep_marks(&second, 3_000), Err((name, 1_000)));
    let text = format!("{FULL}\n[unwanted]\nheads = 7\n");
    let refused = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("there is no cell `heads`")
    );
}

#[test]
fn a_claim_that_an_earlier_run_did_not_make_is_late_ever_after() {
    let first = parsed(FULL);
    let late = |experiment: &Experiment| {
        let claims = experiment.claims.iter();
        claims
            .map(|claim| claim.written.post_hoc)
            .collect::<Vec<_>>()
    };
    let claim = "\n[[claims]]\nsource = \"s\"\ntext = \"t\"\nholds = \"run.mean < 15\"\n";
    let mut added = parsed(&format!("{FULL}{claim}"));
    let before = late(&added);
    added.go_on_from(&first);
    assert_eq!(late(&added).len(), first.claims.len() + 1);
    assert_eq!(late(&added).last(), Some(&true));
    assert_eq!(
        late(&added)[..first.claims.len()],
        before[..first.claims.len()]
    );
    let stored = parsed(&added.resolved_toml());
    let mut again = parsed(&format!("{FULL}{claim}"));
    again.go_on_from(&stored);
    assert_eq!(late(&again), late(&added));
}

/// A level that asks for less may decide what the one before left open; one that asks for more cannot.
#[test]
fn a_lower_level_after_a_look_makes_every_claim_late() {
    let at = |level: &str| parsed(&FULL.replace("level = 0.99", &format!("level = {level}")));
    let late = |experiment: &Experiment| {
        let mut claims = experiment.claims.iter();
        claims.any(|claim| claim.written.post_hoc)
    };
    assert!(!late(&at("0.9")));
    for (before, after, is_late) in [
        ("0.95", "0.9", true),
        ("0.9", "0.95", false),
        ("0.9", "0.9", false),
    ] {
        let mut again = at(after);
        again.go_on_from(&at(before));
        let claims = || again.claims.iter().map(|claim| claim.written.post_hoc);
        assert!(claims().all(|late| late == is_late), "{before} {after}");
    }
}

#[test]
fn a_fingerprint_is_pinned() {
    insta::assert_snapshot!(parsed(MINIMAL).fingerprint(), @"2774c9188ae703d41b98ca8443c82e558695e1c4faf140bfff66b0c5fd8b92a0");
}

/// The order of swept parameters is that of the cells; that of tables and labels means nothing.
#[test]
fn only_an_order_that_means_something_is_in_a_hash() {
    let hashes = |text: &str| {
        let experiment = parsed(text);
        (experiment.digest(), experiment.fingerprint())
    };
    let labelled = |labels: &str| hashes(&format!("{FULL}\n[labels]\n{labels}"));
    let labels = ["heads = 'Kopf'\n", "tails = 'Zahl'\n"];
    let [one, other] = [labels, [labels[1], labels[0]]].map(|labels| labelled(&labels.concat()));
    assert_eq!(one, other);
    let budget = "[budget]\nnodes = 1_000\n\n";
    let last = FULL.replacen(budget, "", 1) + "\n" + budget;
    assert_eq!(hashes(&last), hashes(FULL));
    let [p, face] = ["p = [0.5, 0.25, 1]\n", "face = [\"heads\", \"tails\"]\n"];
    let turned = FULL.replacen(&format!("{p}{face}"), &format!("{face}{p}"), 1);
    assert_ne!(hashes(&turned), hashes(FULL));
}

#[test]
fn a_digest_knows_everything_a_file_says() {
    let original = parsed(FULL).digest();
    for (from, to) in [("fair?", "just?"), ("samples = true", "samples = false")] {
        assert_ne!(parsed(&FULL.replacen(from, to, 1)).digest(), original);
    }
    let rewritten = FULL.replace("1_000", "1000").replace(" = ", "=");
    assert_eq!(parsed(&rewritten).digest(), original);
}
