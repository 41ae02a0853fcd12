//! Estimates agree with scipy and statsmodels, on tables that name their versions.

use lab::stats::{
    Bounded, Encode, Histogram, Level, mcnemar_exact, mean_estimate, student_half_width,
};

fn rows(table: &str) -> impl Iterator<Item = Vec<&str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| line.split(',').collect())
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("`{text}`"))
}

fn level(text: &str) -> Level {
    Level::new(number(text)).unwrap()
}

fn near(found: f64, expected: f64, tolerance: f64) -> bool {
    (found - expected).abs() <= tolerance * expected.abs().max(1e-3)
}

#[test]
fn students_limits_are_those_of_scipy() {
    let mut compared = 0;
    for row in rows(include_str!("data/stats/means.csv")) {
        let tally = Bounded::<Histogram>::decode(&format!("{}|||0", row[0])).unwrap();
        let estimate = mean_estimate(&tally, level(row[1]), None);
        let half = student_half_width(estimate.sd.unwrap(), estimate.n, level(row[1])).unwrap();
        let mean = estimate.value.unwrap();
        assert!(near(mean - half, number(row[2]), 1e-9), "{row:?} {half}");
        assert!(near(mean + half, number(row[3]), 1e-9), "{row:?} {half}");
        compared += 1;
    }
    assert_eq!(compared, 12);
}

#[test]
fn mcnemars_test_is_that_of_statsmodels() {
    for row in rows(include_str!("data/stats/mcnemar.csv")) {
        let found = mcnemar_exact(row[0].parse().unwrap(), row[1].parse().unwrap());
        assert!(near(found, number(row[2]), 1e-9), "{row:?} {found}");
    }
}
