//! What each kind of metric admits, refuses and writes.

use super::*;
use kit::search::Weight;

#[test]
fn flags_are_shown_as_words_and_other_values_as_numbers() {
    let flag = Metric::flag("flag", "");
    let shown = [0, 1, 2].map(|value| flag.show(Value::Exact(value)));
    assert_eq!(shown, ["false", "true", "2"]);
    let score = Metric::integer("score", "", (0, 9), "");
    assert_eq!(score.show(Value::Exact(1)), "1");
    let wait = Metric::number("wait", "min", 3, "");
    for (metric, value, shown) in [
        (&wait, Value::Exact(-1_500), "-1.500"),
        (&wait, Value::bounds(5, 7), "0.005 to 0.007"),
        (&Metric::pair("pair", ""), Value::Exact(3), "0.75"),
        (&score, Value::ratio(2, 3), "2 / 3"),
        (&score, Value::Missing, "missing"),
        (&score, Value::Weight(Weight::new(100.0)), "10^2.000000"),
    ] {
        assert_eq!(metric.show(value), shown);
    }
    assert_eq!(wait.read("-1.5"), Ok(Value::Exact(-1_500)));
}

#[test]
fn a_refusal_says_what_is_wrong_with_a_value() {
    let tenths = |numerator| Value::ratio(numerator, 10);
    let (flag, share) = (Metric::flag("flag", ""), Metric::share("share", ""));
    let (rate, weight) = (
        Metric::rate("rate", "", ""),
        Metric::weight("weight", "", ""),
    );
    let backwards = Value::Ratio {
        numerator: 1,
        denominator: -2,
    };
    let one = Value::Weight(Weight::ONE);
    for (metric, value, said) in [
        (
            &flag,
            Value::Exact(2),
            "metric `flag` is 2, not within 0 to 1",
        ),
        (
            &flag,
            tenths(1),
            "Ratio { numerator: 1, denominator: 10 }, which is no Flag",
        ),
        (&flag, one, "which is no Flag"),
        (&share, tenths(11), "is 11 / 10, not within 0 to 1"),
        (&share, Value::Exact(1), "is Exact(1), which is no Ratio"),
        (&share, backwards, "which is no Ratio"),
        (
            &rate,
            Value::Ratio {
                numerator: -1,
                denominator: 2,
            },
            "is -1 / 2, not 0 or more",
        ),
        (&weight, Value::Exact(1), "is Exact(1), which is no Weight"),
        (
            &Metric::number("n", "", 0, ""),
            tenths(1),
            "which is no Number",
        ),
    ] {
        assert!(!metric.admits(value), "{value:?}");
        let refusal = metric.refusal(value);
        assert!(refusal.ends_with(said), "{refusal}");
    }
}

/// Every kind with the ends of what it admits, and the next value beyond each.
#[test]
fn a_metric_admits_values_of_its_kind_within_its_limits() {
    let exact = Value::Exact;
    let ratio = |numerator, denominator| Value::Ratio {
        numerator,
        denominator,
    };
    let weight = Value::Weight(Weight::ONE);
    let grade = Metric::integer("grade", "", (-3, 12), "");
    let half = Metric::number("half", "", 1, "").within(-5, 5);
    let total = Metric::total("total", "", "");
    let (rate, share) = (Metric::rate("rate", "", ""), Metric::share("share", ""));
    let any = Metric::ratio("any", "", "");
    for (metric, admitted, refused) in [
        (
            Metric::flag("flag", ""),
            vec![exact(0), exact(1), Value::bounds(0, 1)],
            vec![exact(2), exact(-1)],
        ),
        (
            grade,
            vec![exact(-3), exact(12)],
            vec![exact(-4), exact(13), ratio(1, 1)],
        ),
        (
            Metric::pair("pair", ""),
            vec![exact(0), exact(4)],
            vec![exact(5), exact(-1)],
        ),
        (half, vec![exact(-5), exact(5)], vec![exact(-6), exact(6)]),
        (
            total.clone(),
            vec![exact(0), exact(i64::MAX)],
            vec![exact(-1), weight],
        ),
        (total.signed(), vec![exact(i64::MIN)], vec![weight]),
        (
            rate,
            vec![ratio(0, 5), ratio(9, 5), ratio(0, 0)],
            vec![ratio(-1, 5), exact(1)],
        ),
        (
            share,
            vec![ratio(0, 5), ratio(5, 5)],
            vec![ratio(6, 5), ratio(-1, 5), ratio(1, 0)],
        ),
        (
            any,
            vec![ratio(-9, 5), ratio(-9, 0)],
            vec![ratio(1, -1), weight],
        ),
        (
            Metric::weight("weight", "", ""),
            vec![weight],
            vec![exact(1), ratio(1, 1)],
        ),
    ] {
        assert!(metric.admits(Value::Missing));
        for (values, expected) in [(admitted, true), (refused, false)] {
            for value in values {
                assert_eq!(metric.admits(value), expected, "{}: {value:?}", metric.name);
            }
        }
    }
}

#[test]
fn the_limits_of_a_metric_are_those_that_its_kind_can_rely_on() {
    let wait = Metric::number("wait", "min", 2, "").within(-50, 900);
    for (metric, limits, range, unit, unknown) in [
        (
            &wait,
            Some((-50, 900)),
            (-50.0, 900.0),
            Some((-0.5, 9.0)),
            Value::bounds(-50, 900),
        ),
        (
            &Metric::number("n", "", 2, ""),
            None,
            (f64::NEG_INFINITY, f64::INFINITY),
            None,
            Value::Missing,
        ),
        (
            &Metric::pair("pair", ""),
            Some((0, 4)),
            (0.0, 4.0),
            Some((0.0, 1.0)),
            Value::bounds(0, 4),
        ),
        (
            &Metric::total("total", "", "").within(3, 9),
            None,
            (0.0, f64::INFINITY),
            None,
            Value::Missing,
        ),
        (
            &Metric::share("share", ""),
            None,
            (0.0, 1.0),
            None,
            Value::bounds(0, 1),
        ),
    ] {
        assert_eq!(metric.limits(), limits, "{}", metric.name);
        assert_eq!(
            metric.range(),
            Span::new(range.0, range.1),
            "{}",
            metric.name
        );
        assert_eq!(
            metric.unit_limits(),
            unit.map(|(least, most)| Span::new(least, most))
        );
        assert_eq!(metric.unknown(), unknown, "{}", metric.name);
    }
    assert_eq!(
        [wait.rounding(), Metric::flag("", "").rounding()],
        [0.5, 0.0]
    );
}

/// Of grades from -3 to 12 one is at most 15 more, or less, than another.
#[test]
fn a_difference_reaches_from_limit_to_limit() {
    let grade = Metric::integer("grade", "", (-3, 12), "");
    assert_eq!(grade.difference_limits(), Some((-15, 15)));
    let pair = Metric::pair("score", "").with_denominator(2);
    assert_eq!(pair.difference_limits(), Some((-4, 4)));
    assert_eq!(Metric::total("nodes", "", "").difference_limits(), None);
}

/// 2^53 is the last integer below which a float holds all: with a digit more, a tenth of it.
#[test]
fn limits_are_held_with_the_decimals_that_a_float_tells_apart() {
    let last = 1_i64 << 53;
    let within = |min, max| Metric::number("n", "", 1, "").within(min, max);
    assert!(within(-last, last).is_held_with(1) && !within(-last, last).is_held_with(2));
    assert!(within(-last / 10, 5).is_held_with(2) && !within(-last / 10 - 1, 5).is_held_with(2));
    assert!(!within(0, last / 10 + 1).is_held_with(2) && within(0, last).is_held_with(0));
}

#[test]
fn totals_are_work_and_the_rest_is_answers_unless_it_is_said() {
    let (total, flag) = (Metric::total("t", "nodes", "Nodes."), Metric::flag("f", ""));
    assert!(total.work && !flag.work);
    assert!(!total.clone().as_answer().work && flag.as_work().work);
    assert_eq!(
        (&*total.name, &*total.unit, &*total.summary),
        ("t", "nodes", "Nodes.")
    );
    assert_eq!(Metric::number("n", "", 3, "").denominator, 1000);
}
