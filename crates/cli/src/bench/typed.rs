//! A race without a file: programs as they are typed, and the experiment file that says the same.

use std::fmt::Write;
use std::path::Path;

use base::decimal;
use base::suggest::did_you_mean;
use base::words::{quote, split};
use clap::{Args, ValueEnum};
use experiment::{CONTROL, toml_list};
use indexmap::IndexMap;
use task::outside::PLACES;

use crate::failure::Failure;
use crate::init;

/// The instances of a race without a file unless `--samples` has others.
const INSTANCES: u64 = 20;

/// A race without a file.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct TypedRace {
    /// More programs to race, in place of an experiment file: each a command line, with the names of swept values in
    /// braces, and {seed32} for a seed
    #[arg(value_name = "PROGRAM")]
    others: Vec<String>,
    /// Race at each of these values of a place in the command lines: n=10,20,40
    #[arg(long, value_name = "NAME=VALUES", requires = "others")]
    sweep: Vec<String>,
    /// What a program answers, on which all must agree
    #[arg(long, value_name = "KIND", value_enum, requires = "others")]
    answer: Option<AnswerKind>,
    /// Write the experiment file instead of racing
    #[arg(long, value_name = "FILE", requires = "others")]
    init: Option<String>,
}

/// The answer of a program that was typed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum AnswerKind {
    /// The number in the last line of its output, which is the default
    #[default]
    Number,
    /// Its exit status alone: 0, or 10 and 20 of SAT solvers
    Status,
}

/// The values of a place.
struct Swept {
    /// As a list in TOML.
    values: String,
    /// The keys of the parameter's declaration.
    declaration: String,
    /// True if some of them are no numbers.
    are_words: bool,
}

impl TypedRace {
    /// Returns whether programs were typed in place of a file.
    pub(crate) fn is_typed(&self) -> bool {
        !self.others.is_empty()
    }

    /// Returns whether a program is to write a number.
    pub(crate) fn asks_for_numbers(&self) -> bool {
        self.is_typed() && self.answer.unwrap_or_default() == AnswerKind::Number
    }

    /// The words after the first program that ask for the same race again.
    pub(crate) fn words(&self) -> Vec<String> {
        let sweep = self.sweep.iter();
        let sweep = sweep.flat_map(|swept| ["--sweep".to_owned(), swept.clone()]);
        let status = self.answer == Some(AnswerKind::Status);
        let status = status.then(|| ["--answer", "status"].map(str::to_owned));
        let others = self.others.iter().cloned();
        others
            .chain(sweep)
            .chain(status.into_iter().flatten())
            .collect()
    }

    /// The experiment of the first program and the others, and a name for it.
    ///
    /// # Errors
    /// If a program is empty, a place has no values, or values have no place.
    pub(super) fn experiment(&self, first: &str) -> Result<TypedExperiment, Failure> {
        let lines = [first]
            .into_iter()
            .chain(self.others.iter().map(String::as_str));
        let programs: Vec<Vec<String>> = lines.map(split).collect();
        if programs
            .iter()
            .any(|words| words.first().is_none_or(String::is_empty))
        {
            return Err(Failure::usage("a command line names no program")
                .with_help("give a program and its arguments: etude bench 'a {n}' 'b {n}'"));
        }
        let is_toml = |words: &&Vec<String>| words.len() == 1 && words[0].ends_with(".toml");
        if let Some(words) = programs.iter().find(is_toml) {
            let message = format!("{}: an experiment file is raced alone", words[0]);
            let help = "give one file, or programs: etude bench 'a {n}' 'b {n}'";
            return Err(Failure::usage(message).with_help(help));
        }
        let sweep = self.swept()?;
        check_places(&programs, &sweep)?;
        let names = names(&programs);
        Ok(TypedExperiment {
            text: self.text(&programs, &names, &sweep),
            name: names.join("-vs-").to_lowercase().replace(['.', '_'], "-"),
        })
    }

    /// Refuses a single program, which no file is meant by.
    ///
    /// # Errors
    /// If nothing else was typed beside it.
    pub(crate) fn check_file(file: &str) -> Result<(), Failure> {
        let is_line = file.contains([' ', '{']) && !Path::new(file).exists();
        if is_line {
            let message = format!("`{file}` is no file, and a single program has nothing to race");
            let help = "give a second program: etude bench 'a {n}' 'b {n}' --sweep n=10,20,40";
            return Err(Failure::usage(message).with_help(help));
        }
        Ok(())
    }

    /// Writes the experiment file instead of racing; returns whether that was asked for.
    ///
    /// # Errors
    /// If the file is there already, or cannot be written.
    pub(crate) fn write(&self, text: &str) -> Result<bool, Failure> {
        let Some(file) = &self.init else {
            return Ok(false);
        };
        init::write_new(Path::new(file), text)?;
        note!("next: etude bench {}", quote(file));
        Ok(true)
    }

    fn swept(&self) -> Result<IndexMap<&str, Swept>, Failure> {
        let axis = |text: &String| {
            let has_values = |values: &str| values.split(',').all(|value| !value.is_empty());
            let parts = text.split_once('=');
            let parts = parts.filter(|(name, values)| !name.is_empty() && has_values(values));
            parts.map(|_| ()).ok_or_else(|| {
                Failure::usage(format!("--sweep {text} names no values"))
                    .with_help("write --sweep n=10,20,40")
            })
        };
        self.sweep.iter().try_for_each(axis)?;
        let parts = self.sweep.iter().filter_map(|text| text.split_once('='));
        Ok(parts
            .map(|(name, values)| (name, Swept::of(values)))
            .collect())
    }

    fn text(
        &self,
        programs: &[Vec<String>],
        names: &[String],
        sweep: &IndexMap<&str, Swept>,
    ) -> String {
        let (answer, signs) = match self.answer.unwrap_or_default() {
            AnswerKind::Number => ("answer = { kind = \"number\", decimals = 6 }", ""),
            AnswerKind::Status => (
                "status = { kind = \"integer\", min = 0, max = 255 }",
                "answers = { status = { 0 = 0, 10 = 10, 20 = 20 } }\n",
            ),
        };
        let mut text = format!(
            "question = \"Which is faster: {}?\"\ntask     = \"command\"\nseed     = 1\n\n\
             [command]\nversion = \"1\"\nmetrics = {{ {answer} }}\n",
            names.join(", ")
        );
        let mut tables = ["\n[command.params]\n", "\n[sweep]\n"].map(str::to_owned);
        for (name, swept) in sweep {
            let _ = writeln!(tables[0], "{name} = {{ {} }}", swept.declaration);
            let _ = writeln!(tables[1], "{name} = {}", swept.values);
        }
        text.extend(
            tables
                .iter()
                .filter(|_| !sweep.is_empty())
                .map(String::as_str),
        );
        // Numbers make different questions by themselves.
        let words = sweep.iter().filter(|(_, swept)| swept.are_words);
        let words: Vec<String> = words.map(|(name, _)| (*name).to_owned()).collect();
        if !words.is_empty() {
            let _ = writeln!(text, "\n[bench]\nquestions = {}", toml_list(&words));
        }
        for (name, words) in names.iter().zip(programs) {
            let is_file =
                |word: &&String| !Path::new(word).is_absolute() && Path::new(word).is_file();
            let files: Vec<String> = words.iter().filter(is_file).cloned().collect();
            let _ = writeln!(text, "\n[contenders.{name}]\nonce  = {}", toml_list(words));
            if !files.is_empty() {
                let _ = writeln!(text, "files = {}", toml_list(&files));
            }
            text += signs;
        }
        text + &format!("\n[stop]\nsamples = {INSTANCES}\n")
    }
}

/// A race as an experiment file.
pub(super) struct TypedExperiment {
    /// The text of the file.
    pub text: String,
    /// A name made of those of the programs.
    pub(crate) name: String,
}

impl Swept {
    /// The values of a list with commas: integers, else numbers, else words.
    fn of(list: &str) -> Self {
        let values: Vec<String> = list
            .split(',')
            .map(|value| value.trim().to_owned())
            .collect();
        let is_integer = |value: &String| {
            value
                .parse::<i64>()
                .is_ok_and(|one| one.to_string() == *value)
        };
        let kind = if values.iter().all(is_integer) {
            "integer"
        } else if values.iter().all(|value| decimal::real(value).is_some()) {
            "number"
        } else {
            let declaration = "kind = \"text\"".to_owned();
            return Self {
                values: toml_list(&values),
                declaration,
                are_words: true,
            };
        };
        let numbers = values.iter().filter_map(|value| value.parse::<f64>().ok());
        let (least, most) = numbers
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), one| {
                (least.min(one), most.max(one))
            });
        let shown = values.iter().map(|value| match value.parse::<f64>() {
            Ok(number) if kind == "number" => format!("{number:?}"),
            _ => value.clone(),
        });
        Self {
            values: format!("[{}]", shown.collect::<Vec<_>>().join(", ")),
            declaration: format!("kind = \"{kind}\", min = {least}, max = {most}"),
            are_words: false,
        }
    }
}

/// The places in a command line, each without the name of its stream.
fn places(words: &[String]) -> impl Iterator<Item = &str> {
    let parts = words.iter().flat_map(|word| word.split('{').skip(1));
    let inside = parts.filter_map(|part| Some(part.split_once('}')?.0));
    inside.map(|place| place.split(':').next().unwrap_or(place))
}

/// Refuses places without values, and values without a place.
fn check_places(programs: &[Vec<String>], sweep: &IndexMap<&str, Swept>) -> Result<(), Failure> {
    let all: Vec<&str> = programs.iter().flat_map(|words| places(words)).collect();
    let is_filled = |place: &str| PLACES.contains(&place) || sweep.contains_key(place);
    if let Some(place) = all.iter().find(|place| !is_filled(place)) {
        let near = did_you_mean(place, PLACES.into_iter().chain(sweep.keys().copied()));
        let help = near.unwrap_or_else(|| format!("give its values: --sweep {place}=10,20,40"));
        return Err(Failure::usage(format!("nothing fills `{{{place}}}`")).with_help(help));
    }
    let unused = sweep.keys().find(|name| !all.contains(*name));
    unused.map_or(Ok(()), |name| {
        let message =
            format!("no program has a place `{{{name}}}` for the values of --sweep {name}");
        Err(Failure::usage(message).with_help(format!("write `{{{name}}}` where the value goes")))
    })
}

/// The names of the programs: of each the first word in which all differ, without folder and extension, or else
/// numbers.
fn names(programs: &[Vec<String>]) -> Vec<String> {
    let longest = programs.iter().map(Vec::len).max().unwrap_or(0);
    let of_word = |at: usize| -> Vec<String> {
        let word = |words: &Vec<String>| words.get(at).map(|word| stem(word)).unwrap_or_default();
        programs.iter().map(word).collect()
    };
    let fits = |names: &Vec<String>| {
        let mut others = names.iter().enumerate();
        others.all(|(at, name)| {
            let starts = name.starts_with(|c: char| c.is_ascii_alphabetic());
            starts && name != CONTROL && !names[..at].contains(name)
        })
    };
    let numbered = || {
        (1..=programs.len())
            .map(|at| format!("program-{at}"))
            .collect()
    };
    (0..longest)
        .map(of_word)
        .find(fits)
        .unwrap_or_else(numbered)
}

/// The name of a file without its folder and extension, of signs that a name may have; empty of several words.
fn stem(word: &str) -> String {
    if word.contains(' ') {
        return String::new();
    }
    let stem = Path::new(word)
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let sign = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
    let stem: String = stem.trim_matches(['{', '}']).chars().map(sign).collect();
    stem.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(programs: &[&str], sweep: &[&str]) -> Result<TypedExperiment, Failure> {
        let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        let race = TypedRace {
            others: owned(&programs[1..]),
            sweep: owned(sweep),
            ..TypedRace::default()
        };
        race.experiment(programs[0])
    }

    #[test]
    fn programs_are_named_by_the_first_word_in_which_they_differ() {
        let name = |programs: &[&str]| typed(programs, &["n=1"]).unwrap().name;
        assert_eq!(name(&["./fast {n}", "../old/Slow.sh {n}"]), "fast-vs-slow");
        assert_eq!(name(&["python3 a.py {n}", "python3 b.py {n}"]), "a-vs-b");
        assert_eq!(name(&["sort -n {n}", "sort -r {n}"]), "n-vs-r");
        assert_eq!(name(&["x {n}", "x {n}"]), "program-1-vs-program-2");
    }

    #[test]
    fn values_are_integers_numbers_or_words_and_each_has_a_place() {
        let text = typed(&["a {n} {x} {s}", "b"], &["n=10,20", "x=1,0.5", "s=u,7"])
            .unwrap()
            .text;
        for expected in [
            "n = { kind = \"integer\", min = 10, max = 20 }",
            "n = [10, 20]",
            "x = { kind = \"number\", min = 0.5, max = 1 }",
            "x = [1.0, 0.5]",
            "s = { kind = \"text\" }",
            "s = [\"u\", \"7\"]",
            "[bench]\nquestions = [\"s\"]",
        ] {
            assert!(text.contains(expected), "no {expected} in {text}");
        }
        let numbers = typed(&["a {n}", "b"], &["n=10,20"]).unwrap();
        assert!(!numbers.text.contains("[bench]"), "{}", numbers.text);
        let told =
            |programs: &[&str], sweep: &[&str]| typed(programs, sweep).err().unwrap().message;
        assert_eq!(told(&["a {m}", "b"], &[]), "nothing fills `{m}`");
        assert!(told(&["a", "b"], &["n=1"]).starts_with("no program has a place `{n}`"));
        for empty in ["n", "n=", "n=1,,2", "=1"] {
            assert!(told(&["a {n}", "b"], &[empty]).contains("names no values"));
        }
        assert!(told(&["a", ""], &[]).contains("names no program"));
        assert!(told(&["a.toml", "b.toml"], &[]).contains("is raced alone"));
        assert!(
            TypedRace::check_file("./a {n}").is_err() && TypedRace::check_file("a.toml").is_ok()
        );
    }
}
