//! Values that parameters take.

use super::*;

#[test]
fn the_values_of_a_number_are_told_with_the_limits_that_it_has() {
    let number = |min, max| ParamKind::Number { min, max }.accepted();
    assert_eq!(number(-0.5, 2.0), "a number from -0.5 to 2");
    assert_eq!(number(-f64::MAX, 2.0), "a number of at most 2");
    assert_eq!(number(0.25, f64::MAX), "a number of at least 0.25");
    assert_eq!(number(f64::NEG_INFINITY, f64::INFINITY), "a number");
    let integer = |min, max| ParamKind::Integer { min, max }.accepted();
    assert_eq!(integer(-1, 3), "an integer from -1 to 3");
    assert_eq!(integer(i64::MIN, 3), "an integer of at most 3");
    assert_eq!(integer(2, i64::MAX), "an integer of at least 2");
    assert_eq!(integer(i64::MIN, i64::MAX), "an integer");
}

/// The ends are values, and what is beyond them is none.
#[test]
fn a_kind_takes_the_values_within_its_limits() {
    let (integer, number) = (ParamValue::Integer, ParamValue::Number);
    let kind = ParamKind::Integer { min: 2, max: 5 };
    for value in [2, 5] {
        assert_eq!(kind.read(&integer(value)), Some(integer(value)));
        assert_eq!(kind.read(&number(value as f64)), Some(integer(value)));
    }
    let others = [integer(1), integer(6), number(2.5), ParamValue::Flag(true)];
    assert!(others.iter().all(|other| kind.read(other).is_none()));
    let kind = ParamKind::Number {
        min: 0.25,
        max: 2.0,
    };
    for value in [number(0.25), number(2.0), integer(2)] {
        let read = kind.read(&value).and_then(|read| read.number());
        assert_eq!(read, value.number());
    }
    let others = [number(0.2), number(2.1), integer(3), number(f64::NAN)];
    assert!(others.iter().all(|other| kind.read(other).is_none()));
    let text = ParamValue::Text("3".into());
    assert_eq!(ParamKind::Text.read(&integer(3)), Some(text.clone()));
    assert_eq!(
        ParamKind::Flag.read(&ParamValue::Flag(false)),
        Some(ParamValue::Flag(false))
    );
    assert_eq!(ParamKind::Flag.read(&text), None);
    let words = ParamKind::Choice(Words::Fixed(&["3", "4"]));
    assert_eq!(words.read(&text), Some(text));
    assert_eq!(words.read(&ParamValue::Text("5".into())), None);
}
