//! Declared truths: which cells they speak of, and which are refused.

use super::*;

/// The full experiment with truths of the run length in some of its cells.
fn with_truths(truths: &str) -> Result<Experiment, ConfigError> {
    parse(&format!("{FULL}\n{truths}"))
}

#[test]
fn each_cell_has_the_truth_that_selects_it() {
    let text = "[[truths]]\nmetric = \"run\"\nwhere = \"p=0.50\"\nvalue = 2\n\
                [[truths]]\nmetric = \"run\"\nwhere = \"p=0.25,face=tails\"\nvalue = 1.5\n\
                source = \"a book\"\n";
    let experiment = with_truths(text).unwrap();
    let run = experiment.task.metrics.iter();
    let run = run.clone().position(|metric| metric.name == "run").unwrap();
    let found: Vec<Option<f64>> = (0..experiment.cells.len())
        .map(|cell| Some(experiment.declared_truth(cell, run)?.value))
        .collect();
    assert_eq!(found, [Some(2.0), Some(2.0), None, Some(1.5), None, None]);
    let source = |cell| experiment.declared_truth(cell, run).unwrap().source;
    assert_eq!(source(0), "declared in the experiment file");
    assert_eq!(source(3), "a book");
    let again = parsed(&experiment.resolved_toml());
    assert_eq!(again.truths, experiment.truths);
    assert_eq!(again.file.truths, experiment.file.truths);
    assert_eq!(again.fingerprint(), parsed(FULL).fingerprint());
}

#[test]
fn a_truth_that_cannot_be_is_refused_where_it_stands() {
    let refused = |truths: &str| with_truths(truths).unwrap_err().to_string();
    let second = refused(
        "[[truths]]\nmetric = \"run\"\nwhere = \"p=0.25\"\nvalue = 2\n\
         [[truths]]\nmetric = \"run\"\nwhere = \"face=heads\"\nvalue = 3\n",
    );
    assert!(
        second.contains("a second truth of `run` in the same cell"),
        "{second}"
    );
    let unknown = refused("[[truths]]\nmetric = \"rum\"\nvalue = 3\n");
    assert!(unknown.contains("did you mean `run`?"), "{unknown}");
    let cell = refused("[[truths]]\nmetric = \"run\"\nwhere = \"p=0.3\"\nvalue = 3\n");
    assert!(cell.contains("`0.3` is not a swept value"), "{cell}");
    let missing = refused("[[truths]]\nmetric = \"run\"\n");
    assert!(missing.contains("the key `value` is missing"), "{missing}");
    let outside = refused("[[truths]]\nmetric = \"run\"\nvalue = -3\n");
    assert!(outside.contains("cannot be -3 on average"), "{outside}");
}
