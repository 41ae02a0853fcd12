//! Riddles as `make riddle` and people write them: the id of one, or its rows, one a line or in a
//! table.
//!
//! An id is `variant:rows`, or `variant/rule:rows`. Knows neither referee nor solver.

use serde::Deserialize;
use strum::VariantNames;

use crate::input::{InputFile, has_csv_column, list_lines, read_csv_columns};
use base::Failure;
use riddle::clues::Clues;
use riddle::rules::Rule;
use riddle::variants::Variant;

/// A riddle, with the rule that the text names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRiddle {
    /// The variant.
    pub variant: Variant,
    /// The rule that the answer obeys, of a table that tells it.
    pub rule: Option<Rule>,
    /// The clues.
    pub clues: Clues,
}

impl WrittenRiddle {
    /// Reads an id, or rows of a variant, of chess if none is given.
    ///
    /// # Errors
    /// Says what is wrong, at this place, or that the id is of another variant.
    pub fn read(place: &str, text: &str, given: Option<Variant>) -> Result<WrittenRiddle, Failure> {
        let (name, rows) = text.split_once(':').unwrap_or(("", text));
        let (variant, rule) = match name.split_once('/') {
            Some((variant, rule)) => (variant, Some(named_rule(place, rule.trim())?)),
            None => (name, None),
        };
        let variant = match variant.trim() {
            "" => given.unwrap_or(Variant::Chess),
            name => named_variant(place, name, given)?,
        };
        let clues = Clues::parse(variant.army().board(), rows).map_err(|error| {
            let help = "expected rows from the top separated by `/`, each cell `.`, a digit 0 to 7 or `*`, \
                perhaps after a variant and `:`";
            Failure::input(place, error.to_string(), help)
        })?;
        Ok(WrittenRiddle {
            variant,
            rule,
            clues,
        })
    }

    /// Reads the riddles of a file: one a line, or a table with a column `id` or `clues`, and perhaps
    /// `rule`, as CSV or as `make riddle` prints it, in JSON too.
    ///
    /// # Errors
    /// Says which line or riddle is at fault.
    pub fn read_file(
        file: &InputFile,
        given: Option<Variant>,
    ) -> Result<Vec<WrittenRiddle>, Failure> {
        if file.text.trim_start().starts_with('[') {
            return Self::read_json(file, given);
        }
        let place = |line: u64| format!("{}:{line}", file.path);
        if let Some(lines) = list_lines(file, is_riddle) {
            let read = |(line, text): (u64, &str)| Self::read(&place(line), text, given);
            return lines.map(read).collect();
        }
        let table = InputFile {
            path: file.path.clone(),
            text: with_commas(&file.text),
        };
        let read = |(line, fields): (u64, [String; 3])| Self::of_row(&place(line), &fields, given);
        rows(&table)?.into_iter().map(read).collect()
    }

    fn read_json(file: &InputFile, given: Option<Variant>) -> Result<Vec<WrittenRiddle>, Failure> {
        /// A riddle of `make riddle --format json`, without what was found out about it.
        #[derive(Deserialize)]
        struct MadeRiddle {
            id: String,
            #[serde(default)]
            rule: String,
        }
        let made: Vec<MadeRiddle> = serde_json::from_str(&file.text).map_err(|error| {
            let place = format!("{}:{}", file.path, error.line());
            let help = "expected an array of objects with the members `id` and perhaps `rule`";
            Failure::input(&place, error.to_string(), help)
        })?;
        let read = |(riddle, number): (MadeRiddle, u64)| {
            let place = format!("{}, riddle {number}", file.path);
            Self::of_row(&place, &[String::new(), riddle.id, riddle.rule], given)
        };
        made.into_iter().zip(1..).map(read).collect()
    }

    /// The riddle of a row: in `make riddle` the column `clues` is their number.
    fn of_row(
        place: &str,
        [clues, id, rule]: &[String; 3],
        given: Option<Variant>,
    ) -> Result<WrittenRiddle, Failure> {
        let text = if is_riddle(clues) || id.is_empty() {
            clues
        } else {
            id
        };
        let riddle = Self::read(place, text, given)?;
        let rule = Some(rule).filter(|rule| !rule.is_empty());
        let told = rule.map(|name| named_rule(place, name)).transpose()?;
        match (riddle.rule, told) {
            (Some(named), Some(told)) if named != told => {
                let message = format!(
                    "the riddle's id has rule {}, and the column `rule` {}",
                    named.as_ref(),
                    told.as_ref()
                );
                let help = "leave the column out: the id names the rule";
                Err(Failure::input(place, message, help))
            }
            (named, told) => Ok(WrittenRiddle {
                rule: told.or(named),
                ..riddle
            }),
        }
    }
}

/// Returns whether a text holds rows: every board has two or more.
fn is_riddle(text: &str) -> bool {
    text.contains('/')
}

/// The columns `clues`, `id` and `rule` of a table; empty are those that it lacks.
fn rows(table: &InputFile) -> Result<Vec<(u64, [String; 3])>, Failure> {
    let mut columns =
        ["clues", "id", "rule"].map(|name| has_csv_column(table, name).then_some(name));
    if columns[1].is_none() {
        // Its absence is an error.
        columns[0] = Some("clues");
    }
    let names: Vec<&str> = columns.into_iter().flatten().collect();
    let records = read_csv_columns(table, &names)?.into_iter();
    let row = |(line, fields): (u64, Vec<String>)| {
        let mut fields = fields.into_iter();
        let row = columns.map(|name| name.and_then(|_| fields.next()).unwrap_or_default());
        (line, row)
    };
    Ok(records.map(row).collect())
}

/// A table of columns parted by blanks as CSV; only its last columns may be empty or have blanks.
fn with_commas(text: &str) -> String {
    let head = text.lines().next().unwrap_or_default();
    let width = head.split_whitespace().count();
    if width < 2 || head.contains([',', ';', '\t']) {
        return text.to_owned();
    }
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let fields: Vec<&str> = (0..width)
            .map(|_| words.next().unwrap_or_default())
            .collect();
        fields.join(",") + "\n"
    };
    text.lines().map(line).collect()
}

/// The variant that an id names, which another may not contradict.
fn named_variant(place: &str, name: &str, given: Option<Variant>) -> Result<Variant, Failure> {
    let named = name.parse::<Variant>().map_err(|_| {
        let help = format!(
            "write one of {}, `:`, and the rows",
            Variant::VARIANTS.join(", ")
        );
        Failure::input(place, format!("there is no variant `{name}`"), help)
    })?;
    match given {
        Some(variant) if variant != named => {
            let message = format!(
                "the riddle is of {name}, and --variant of {}",
                variant.as_ref()
            );
            Err(Failure::input(
                place,
                message,
                "leave --variant out: the id names it",
            ))
        }
        _ => Ok(named),
    }
}

fn named_rule(place: &str, name: &str) -> Result<Rule, Failure> {
    name.parse().map_err(|_| {
        let help = format!("write one of {}", Rule::VARIANTS.join(", "));
        Failure::input(place, format!("there is no rule `{name}`"), help)
    })
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;
    use kit::rng::{Streams, below};
    use riddle::maker;

    fn read(text: &str) -> Result<Vec<WrittenRiddle>, Failure> {
        let file = InputFile {
            path: "riddles".to_owned(),
            text: text.to_owned(),
        };
        WrittenRiddle::read_file(&file, None)
    }

    /// Clues of a variant, each cell drawn on its own.
    fn drawn(variant: Variant, seed: u64) -> WrittenRiddle {
        let army = variant.army();
        let mut stream = Streams::new(seed).key("clues").stream(0);
        let board = army.board();
        let mut row = |_| -> String {
            let mark = |_| [".......01234567*".as_bytes()[below(&mut stream, 16) as usize]];
            (0..board.width()).flat_map(mark).map(char::from).collect()
        };
        let rows: Vec<String> = (0..board.height()).map(&mut row).collect();
        WrittenRiddle::read("", &rows.join("/"), Some(variant)).unwrap()
    }

    /// Seeds 0 to 19 of each variant, in each manner of writing.
    #[test]
    fn riddles_read_back_from_every_manner_of_writing() {
        for (seed, variant) in
            (0..20).flat_map(|seed| Variant::iter().map(move |variant| (seed, variant)))
        {
            let riddle = drawn(variant, seed);
            let id = maker::id(&variant.army(), Rule::USUAL, &riddle.clues);
            for text in [
                format!("{id}\n"),
                format!("# one\n\n  {id}"),
                format!("id\n{id}"),
                format!("clues\n{id}"),
                format!("index,id,rule,clues\n0,{id},,11"),
                format!("name,id,clues\na,first,{id}"),
                format!("index;id;rule;clues\n0;{id};;11"),
                format!("index\tid\trule\tclues\n0\t{id}\t\t11"),
                format!("index  id  clues  answer\n    0  {id}  11\n"),
                format!("index  id  clues  answer\n    0  {id}  11  d4 g2\n"),
            ] {
                assert_eq!(
                    read(&text).unwrap(),
                    std::slice::from_ref(&riddle),
                    "{text}"
                );
            }
        }
    }

    /// Seeds 0 to 9 of each variant by each rule: riddles that differ in anything have different ids.
    #[test]
    fn an_id_holds_variant_rule_and_clues_and_reads_back() {
        let mut ids = std::collections::BTreeSet::new();
        for (variant, rule) in
            Variant::iter().flat_map(|variant| Rule::iter().map(move |rule| (variant, rule)))
        {
            for seed in 0..10 {
                let riddle = drawn(variant, seed);
                let id = maker::id(&variant.army(), rule, &riddle.clues);
                let usual = WrittenRiddle::read("", &id, None).unwrap();
                let same = usual.rule.unwrap_or(Rule::USUAL);
                assert_eq!(
                    (usual.variant, same, usual.clues),
                    (variant, rule, riddle.clues),
                    "{id}"
                );
                assert_eq!(read(&id).unwrap(), [usual], "{id}");
                assert_eq!(
                    read(&format!("id,rule\n{id},{}\n", rule.as_ref())).unwrap()[0].rule,
                    Some(rule)
                );
                assert!(ids.insert(id));
            }
        }
        assert_eq!(
            ids.len(),
            10 * Variant::iter().count() * Rule::iter().count()
        );
        let rows = [".."; 8].join("....../") + "......";
        let torn = read(&format!("id,rule\nchess/table:{rows},any\n")).unwrap_err();
        assert_eq!(
            torn.message,
            "the riddle's id has rule table, and the column `rule` any"
        );
        let torn = read(&format!("chess/tables:{rows}")).unwrap_err();
        assert_eq!(torn.message, "there is no rule `tables`");
    }

    #[test]
    fn a_table_tells_the_rule() {
        let rows = [".."; 8].join("....../");
        let told = |rule: &str| read(&format!("id,rule\nchess:{rows}......,{rule}\n"));
        assert_eq!(told("table").unwrap()[0].rule, Some(Rule::Table));
        assert_eq!(told("").unwrap()[0].rule, None);
        assert_eq!(
            told("tables").unwrap_err().message,
            "there is no rule `tables`"
        );
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let fault = |text: &str| {
            let Failure { place, message, .. } = read(text).unwrap_err();
            format!("{place}: {message}")
        };
        assert_eq!(fault("id\n\ngo:./."), "riddles:3: there is no variant `go`");
        assert_eq!(
            fault("# mine\nmakruk:./."),
            "riddles:2: the board has 8 rows; rows given: 2"
        );
        assert_eq!(
            fault("name,number\na,1"),
            "riddles:1: the file has no column `clues`"
        );
        assert_eq!(
            fault("id,clues\nchess,11"),
            "riddles:2: the board has 8 rows; rows given: 1"
        );
        assert_eq!(fault(""), "riddles:1: the file has no column `clues`");
    }
}
