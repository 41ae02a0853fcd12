//! Quantiles of the normal and of Student's distribution, by upper-tail probability.
//!
//! A tail rather than a level, so that a tail of 10^-9 keeps its digits. statrs is used for
//! Student's distribution only up to 10^4 degrees of freedom: beyond, its inverse loses accuracy
//! and from 3 * 10^7 does not return. There the Cornish-Fisher expansion about the normal
//! quantile is exact to rounding (Abramowitz and Stegun 26.7.5).

use statrs::distribution::{Continuous, ContinuousCDF, StudentsT};
use statrs::function::erf::{erfc, erfc_inv};
use std::f64::consts::{PI, SQRT_2};

/// Tails below this are found from the distribution itself: statrs's inverse loses digits there at
/// few degrees of freedom, and at one it is wrong from 10^-7.
const FAR: f64 = 1e-3;
/// Degrees of freedom up to which statrs is trusted.
const STATRS_LIMIT: f64 = 1e4;

/// The normal deviate exceeded with probability `tail`, in (0, 1).
pub(super) fn normal_upper(tail: f64) -> f64 {
    SQRT_2 * erfc_inv(2.0 * tail)
}

/// The probability that a normal deviate exceeds `z`.
pub(super) fn normal_tail(z: f64) -> f64 {
    0.5 * erfc(z / SQRT_2)
}

/// The deviate of Student's distribution exceeded with probability `tail`, in (0, 1/2];
/// infinite for no degrees of freedom.
pub(super) fn student_upper(tail: f64, freedom: f64) -> f64 {
    if freedom > STATRS_LIMIT {
        return cornish_fisher(normal_upper(tail), freedom);
    }
    match StudentsT::new(0.0, 1.0, freedom) {
        _ if freedom == 1.0 => libm::tan(PI * tail).recip(),
        Ok(student) if tail < FAR => refined(&student, -student.inverse_cdf(FAR), tail),
        Ok(student) => -student.inverse_cdf(tail),
        Err(_) => f64::INFINITY,
    }
}

/// The deviate exceeded with probability `tail`, by Newton's method from a nearer one: the
/// logarithm of the tail is concave in the logarithm of the deviate, so it is never passed.
fn refined(student: &StudentsT, start: f64, tail: f64) -> f64 {
    let mut t = start;
    for _ in 0..100 {
        let found = student.sf(t);
        let step = libm::log(found / tail) * found / (t * student.pdf(t));
        t *= libm::exp(step);
        if step.abs() < 1e-13 {
            break;
        }
    }
    t
}

fn cornish_fisher(z: f64, freedom: f64) -> f64 {
    let square = z * z;
    let first = (square + 1.0) / 4.0;
    let second = ((5.0 * square + 16.0) * square + 3.0) / 96.0;
    let third = (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0;
    z * (1.0 + (first + (second + third / freedom) / freedom) / freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDENT: &str = include_str!("../tests/data/student_t.csv");

    #[test]
    fn student_quantiles_agree_with_the_golden_table_to_a_trillion_degrees_of_freedom() {
        let rows = STUDENT
            .lines()
            .filter(|line| !line.starts_with('#'))
            .skip(1);
        for row in rows {
            let [tail, freedom, expected] = numbers(row);
            let found = student_upper(tail, freedom);
            assert!((found / expected - 1.0).abs() < 1e-9, "{row}: {found}");
        }
    }

    /// The terms of z = 1 at one degree are 1/2, 1/4 and 1/16; those of z = 2 are 5/4, 49/32 and 183/128.
    #[test]
    fn the_expansion_has_the_terms_of_its_source() {
        assert_eq!(cornish_fisher(1.0, 1.0), 1.8125);
        assert_eq!(cornish_fisher(2.0, 2.0), 4.373046875);
    }

    #[test]
    fn normal_quantiles_and_tails_are_inverse() {
        for tail in [0.5, 0.25, 0.025, 1e-3, 1e-6, 1e-12] {
            assert!((normal_tail(normal_upper(tail)) / tail - 1.0).abs() < 1e-9);
        }
    }

    fn numbers(row: &str) -> [f64; 3] {
        let parsed: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
        parsed.try_into().unwrap()
    }
}
