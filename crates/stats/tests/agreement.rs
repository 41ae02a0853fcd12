//! McNemar's test agrees with statsmodels, on a table that names its version.

use etude_stats::mcnemar_exact;

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}`"))
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-3)
}

#[test]
fn mcnemars_test_is_that_of_statsmodels() {
    for row in rows(include_str!("data/mcnemar.csv")) {
        let found = mcnemar_exact(row[0].parse().unwrap(), row[1].parse().unwrap());
        assert!(near(found, number(row[2]), 1e-9), "{row:?} {found}");
    }
}
