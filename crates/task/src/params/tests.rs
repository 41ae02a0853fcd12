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

/// Each reader takes its own kind, numbers integers too, and says what is missing or another.
#[test]
fn a_parameter_is_read_as_its_kind_or_told_what_is_wrong() {
    let params = Params::new()
        .with_text("face", "heads")
        .with_integer("n", 7)
        .with_integer("n", 8);
    let mut params = params;
    params.set("p", ParamValue::Number(0.5));
    params.set("fair", ParamValue::Flag(true));
    assert_eq!(params.text("face"), Ok("heads"));
    assert_eq!((params.integer("n"), params.number("n")), (Ok(8), Ok(8.0)));
    assert_eq!(
        (params.number("p"), params.flag("fair")),
        (Ok(0.5), Ok(true))
    );
    for (error, message, help) in [
        (
            params.text("n").unwrap_err(),
            "parameter `n` is `8`",
            "give a text",
        ),
        (
            params.integer("p").unwrap_err(),
            "parameter `p` is `0.5`",
            "give an integer",
        ),
        (
            params.number("face").unwrap_err(),
            "parameter `face` is `heads`",
            "give a number",
        ),
        (
            params.flag("gone").unwrap_err(),
            "parameter `gone` is missing",
            "give true or false",
        ),
    ] {
        assert_eq!((&*error.message, &*error.help), (message, help));
        assert!(message.contains(&error.name));
    }
    let texts: Vec<_> = params
        .values()
        .into_iter()
        .map(|(name, value)| name + "=" + &value)
        .collect();
    assert_eq!(texts, ["face=heads", "fair=true", "n=8", "p=0.5"]);
    assert_eq!(
        params.to_json(),
        r#"{"face":"heads","fair":true,"n":8,"p":0.5}"#
    );
    assert_eq!(params.get("p"), Some(&ParamValue::Number(0.5)));
    assert_eq!((params.get("gone"), params.iter().count()), (None, 4));
}

#[test]
fn a_specification_holds_its_kind_and_its_default() {
    let specs = [
        ParamSpec::text("a", "A").or_text("x"),
        ParamSpec::choice("b", &["u", "v"], "B").or_text("v"),
        ParamSpec::integer("c", (1, 9), "C").or_integer(4),
        ParamSpec::number("d", 0.25..=2.5, "D").or_number(1.5),
        ParamSpec::flag("e", "E").or_flag(true),
        ParamSpec::flag("f", "F"),
    ];
    let kinds = [
        ParamKind::Text,
        ParamKind::Choice(Words::Fixed(&["u", "v"])),
        ParamKind::Integer { min: 1, max: 9 },
        ParamKind::Number {
            min: 0.25,
            max: 2.5,
        },
        ParamKind::Flag,
        ParamKind::Flag,
    ];
    assert_eq!(specs.each_ref().map(|spec| spec.kind.clone()), kinds);
    assert_eq!((&*specs[2].name, &*specs[2].summary), ("c", "C"));
    let defaults = Params::defaults(&specs);
    assert_eq!(
        defaults.to_json(),
        r#"{"a":"x","b":"v","c":4,"d":1.5,"e":true}"#
    );
    assert!(defaults.players().is_none());
    let accepted = kinds.map(|kind| kind.accepted());
    let words = [
        "a text",
        "one of `u`, `v`",
        "an integer from 1 to 9",
        "a number from 0.25 to 2.5",
    ];
    assert_eq!(accepted[..4], words);
    assert_eq!(accepted[4], "`true` or `false`");
    let read = Words::Read(vec!["u".to_owned(), "w".to_owned()]);
    assert!(read.contains("w") && !read.contains("v"));
    assert_eq!(read.iter().collect::<Vec<_>>(), ["u", "w"]);
}

/// A value with an exponent is an integer; one that no float holds is no number.
#[test]
fn a_value_is_a_number_however_it_is_written() {
    let (integer, number) = (ParamValue::Integer, ParamValue::Number);
    assert_eq!(
        (number(1e6).integer(), number(0.5).integer()),
        (Some(1_000_000), None)
    );
    assert_eq!(number(f64::INFINITY).number(), None);
    assert_eq!(integer(i64::MAX).number(), None);
    assert_eq!(number(-0.0).number().map(f64::to_bits), Some(0));
    assert_eq!(
        (
            ParamValue::Flag(true).number(),
            ParamValue::Flag(true).integer()
        ),
        (None, None)
    );
}
