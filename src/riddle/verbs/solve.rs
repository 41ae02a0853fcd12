//! `solve riddle`: the census of a variant, or all placements that fit clues.

use super::play::counted;
use crate::input::InputFile;
use crate::riddle::written::WrittenRiddle;
use base::{Failure, parse_integer, threads};
use clap::{ArgGroup, Args};
use kit::search::Budget;
use rayon::prelude::*;
use riddle::census::Census;
use riddle::maps::{MapCensus, MapParts};
use riddle::picture;
use riddle::rules::{Referee, Rule};
use riddle::sampler::Sampler;
use riddle::solver::{RiddleSolver, SearchEnd};
use riddle::variants::Variant;
use std::io;
use std::ops::ControlFlow;
use strum::IntoEnumIterator;
use task::{Console, TableCell, VerbOptions, by_name};

/// `etude solve riddle`.
#[derive(Debug, Args)]
#[command(
    about = "Count a variant's placements exactly, or find those that fit given clues",
    after_help = "Examples:
  etude solve riddle --variant chess --census
      the exact counts under every rule
  etude solve riddle --variant makruk --clues '1......./......../......../......../......../......../......../.......*' --limit 5
      the first five placements that fit
  etude solve riddle --clues-file riddles.csv
      the answers of the riddles that `make riddle --format csv` wrote to a file",
    group(ArgGroup::new("question").required(true).args(["census", "clues", "clues_file"]))
)]
pub struct SolveRiddle {
    /// The chess variant [default: that of a riddle's id, or chess]
    #[arg(long, value_parser = by_name::<Variant>())]
    variant: Option<Variant>,
    /// The rule of placements that count [default: every rule except `any` with --census; with clues
    /// that of the id or of a file's column `rule`, or non-attacking]
    #[arg(long, value_parser = by_name::<Rule>())]
    rule: Option<Rule>,
    /// Count placements, maximum threats, attempts and maps
    #[arg(long)]
    census: bool,
    /// Rows from the top separated by `/`: `.` unknown, a digit the attackers, `*` occupied; or the id
    /// of a riddle, `variant:rows` or `variant/rule:rows`
    #[arg(long, value_name = "CLUES", allow_hyphen_values = true)]
    clues: Option<String>,
    /// A file of ids or of clues, one a line or in a table's column `id` or `clues`, as CSV or as
    /// `make riddle` prints it, in JSON too; one row of results for each
    #[arg(long, value_name = "FILE", value_parser = InputFile::read)]
    clues_file: Option<InputFile>,
    /// Stop after N placements; 2 decides uniqueness
    #[arg(long, value_name = "N", value_parser = parse_integer)]
    limit: Option<u64>,
}

impl VerbOptions for SolveRiddle {
    fn run(self, console: &mut dyn Console) -> Result<(), Failure> {
        let limit = self.limit.unwrap_or(u64::MAX);
        match (&self.clues, &self.clues_file) {
            (Some(text), _) => {
                let riddle = WrittenRiddle::read("--clues", text, self.variant)?;
                solve_one(&self.referee(&riddle), &riddle, limit, console);
                Ok(())
            }
            (_, Some(file)) => {
                let riddles = WrittenRiddle::read_file(file, self.variant)?;
                self.solve_file(&riddles, limit, console);
                Ok(())
            }
            (None, None) => {
                let variant = self.variant.unwrap_or(Variant::Chess);
                take_census(variant, self.rule, console)
            }
        }
    }
}

impl SolveRiddle {
    /// The judge of a riddle's answer: the solver knows the rule.
    fn referee(&self, riddle: &WrittenRiddle) -> Referee {
        let rule = self.rule.or(riddle.rule).unwrap_or(Rule::USUAL);
        Referee::new(riddle.variant.army(), rule)
    }

    fn solve_file(&self, riddles: &[WrittenRiddle], limit: u64, console: &mut dyn Console) {
        console.columns(&["index", "solutions", "complete", "nodes", "placement"]);
        let mut rows = 0..;
        for alike in
            riddles.chunk_by(|one, next| (one.variant, one.rule) == (next.variant, next.rule))
        {
            let referee = self.referee(&alike[0]);
            for (riddle, index) in alike.iter().zip(&mut rows) {
                console.row(&summary(&referee, riddle, index, limit));
            }
        }
    }
}

fn take_census(
    variant: Variant,
    rule: Option<Rule>,
    console: &mut dyn Console,
) -> Result<(), Failure> {
    if rule == Some(Rule::Any) {
        return Err(Failure::input(
            "--rule",
            "the census counts what a rule accepts, and `any` accepts everything",
            "choose table, table-published, universal, non-attacking or amazon",
        ));
    }
    let all = Rule::iter().filter(|&rule| rule != Rule::Any);
    let rules = rule.map_or_else(|| all.collect(), |rule| vec![rule]);
    console.columns(&["variant", "rule", "quantity", "value"]);
    for rule in rules {
        let referee = Referee::new(variant.army(), rule);
        let mut report = |quantity: &str, value: TableCell| {
            let [variant, rule, quantity] =
                [variant.as_ref(), rule.as_ref(), quantity].map(Into::into);
            console.row(&[variant, rule, quantity, value]);
        };
        let census = Census::new(&referee);
        report_census(&census, &mut report);
        let maps = count_maps(&referee, census.placements()).map_err(Failure::failed)?;
        report_maps(&maps, &mut report);
        console.note(&bias(rule, &census));
    }
    Ok(())
}

fn report_census(census: &Census, report: &mut impl FnMut(&str, TableCell)) {
    report("tuples", census.tuples().into());
    report("placements", census.placements().into());
    for (most, &placements) in census.max_threats().iter().enumerate() {
        report(&format!("max_threat_{most}"), placements.into());
    }
    for (name, sampler) in [("seed", Sampler::Seed), ("uniform", Sampler::Uniform)] {
        let attempts = census.expected_attempts(sampler);
        report(&format!("expected_attempts_{name}"), number(attempts));
    }
}

/// Counts the maps of a referee's placements on several threads.
fn count_maps(referee: &Referee, placements: u64) -> io::Result<MapCensus> {
    let parts = MapParts::new(referee, placements);
    Ok(threads::pool(0)?.install(|| {
        let censuses = (0..parts.count()).into_par_iter();
        let censuses = censuses.map(|part| parts.census(part));
        censuses.reduce(MapCensus::default, MapCensus::merged)
    }))
}

fn report_maps(maps: &MapCensus, report: &mut impl FnMut(&str, TableCell)) {
    report("distinct_maps", maps.distinct.into());
    report("unique_maps", maps.unique.into());
    report("expected_solutions", number(maps.expected_solutions()));
}

fn bias(rule: Rule, census: &Census) -> String {
    format!(
        "{}: the book's sampler is {:.6} from uniform in total variation, its chi-square \
         divergence is {:.6}",
        rule.as_ref(),
        census.total_variation(),
        census.chi_square_divergence()
    )
}

/// A number, or no value where it is infinite or undefined.
fn number(value: f64) -> TableCell {
    Some(value).filter(|value| value.is_finite()).into()
}

fn solve_one(referee: &Referee, riddle: &WrittenRiddle, limit: u64, console: &mut dyn Console) {
    let clues = &riddle.clues;
    console.draw(&picture::clues(referee.army(), clues));
    console.columns(&["index", "placement"]);
    let (mut index, mut first) = (0, None);
    let search = RiddleSolver::new(referee).solve(clues, Budget::UNLIMITED, &mut |placement| {
        if index >= limit {
            return ControlFlow::Break(());
        }
        let text = referee.army().write(placement);
        console.row(&[index.into(), text.into()]);
        first.get_or_insert(*placement);
        index += 1;
        ControlFlow::Continue(())
    });
    console.totals(&[
        ("total", index.into()),
        ("complete", search.complete.into()),
        ("nodes", search.nodes.into()),
    ]);
    console.note(&total(index, &search));
    if let (Some(only), 1, true) = (first, index, search.complete) {
        console.draw(&picture::placement(referee.army(), &only));
    }
}

fn total(listed: u64, search: &SearchEnd) -> String {
    let fit = counted(listed, "placement fits", "placements fit");
    let scope = if search.complete {
        format!("total: {fit}")
    } else {
        format!("more than {fit}: stopped")
    };
    format!("{scope}, {}", counted(search.nodes, "node", "nodes"))
}

/// The answer to a riddle of a file: how many placements fit, whether these are all, and the first of them.
fn summary(referee: &Referee, riddle: &WrittenRiddle, index: u64, limit: u64) -> [TableCell; 5] {
    let clues = &riddle.clues;
    let mut first = None;
    let mut seen = 0;
    let search = RiddleSolver::new(referee).solve(clues, Budget::UNLIMITED, &mut |placement| {
        if seen == 0 {
            first = Some(referee.army().write(placement));
        }
        seen += 1;
        if seen > limit {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    [
        index.into(),
        search.solutions.min(limit).into(),
        search.complete.into(),
        search.nodes.into(),
        first.into(),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::tests::{make, solve};
    use strum::VariantNames;

    use super::*;

    #[test]
    fn the_census_reports_the_contracted_quantities() {
        let script = solve(&["--variant=makruk", "--rule=table", "--census"]).unwrap();
        assert_eq!(script.columns, ["variant", "rule", "quantity", "value"]);
        let quantities: Vec<String> = script.column(2);
        assert_eq!(
            quantities.join(" "),
            "tuples placements max_threat_0 max_threat_1 max_threat_2 max_threat_3 max_threat_4 \
             max_threat_5 expected_attempts_seed expected_attempts_uniform distinct_maps \
             unique_maps expected_solutions"
        );
        assert_eq!(script.column(3)[..2], ["16777216", "48432"]);
        assert_eq!(
            solve(&["--variant=makruk", "--census"]).unwrap().rows.len(),
            5 * 13
        );
    }

    #[test]
    fn clues_list_all_placements_or_stop_at_the_limit() {
        let clues =
            "--clues=*......./......../......../......../......../......../..*.*.../.....*..";
        let all = solve(&["--variant=makruk", "--rule=any", clues]).unwrap();
        assert_eq!(all.rows.len(), 24);
        assert!(all.notes[0].starts_with("total: 24 placements fit"));
        let some = solve(&["--variant=makruk", "--rule=any", clues, "--limit=7"]).unwrap();
        assert_eq!(some.rows.len(), 7);
        assert!(some.notes[0].starts_with("more than 7"));
        assert_eq!(some.rows[..], all.rows[..7]);
    }

    #[test]
    fn a_file_of_clues_gets_a_row_each() {
        let board = "*......./......../......../......../......../......../..*.*.../.....*..";
        let text = format!("name,clues\na,{board}\nb,{}\n", board.replace('*', "7"));
        let (_folder, file) = clues_file(&text);
        let script = solve(&["--variant=makruk", "--rule=any", &file]).unwrap();
        assert_eq!(script.column(1), ["24", "0"]);
        assert_eq!(script.column(2), ["true", "true"]);
    }

    #[test]
    fn wrong_input_is_told_where_and_what() {
        let error = |options: &[&str]| -> Failure { solve(options).err().unwrap() };
        let none = error(&[]).message;
        assert!(
            none.contains("<--census|--clues <CLUES>|--clues-file <FILE>>"),
            "{none}"
        );
        assert_eq!(error(&["--census", "--variant=go"]).place, "--variant");
        assert_eq!(error(&["--census", "--rule=any"]).place, "--rule");
        assert_eq!(error(&["--clues=..."]).place, "--clues");
        let (_folder, file) = clues_file("clues\n...\n");
        assert!(error(&[&file]).place.ends_with("clues.csv:2"));
        let other = error(&["--clues=chess:./.", "--variant=shogi"]);
        assert_eq!(
            other.message,
            "the riddle is of chess, and --variant of shogi"
        );
    }

    /// Seed 5, two riddles of each variant by a rule that is not the usual one, as `make riddle`
    /// writes them: each has its answer, and no other, by its rule.
    #[test]
    fn riddles_are_read_as_they_are_made() {
        let mut files = String::new();
        let mut answers = Vec::new();
        for variant in Variant::VARIANTS {
            let variant = format!("--variant={variant}");
            let options = ["--rule=table", "--seed=5", "--count=2", "--answers"];
            let made = make(&[&[variant.as_str()], &options[..]].concat());
            let columns: Vec<Vec<String>> = (0..7).map(|place| made.column(place)).collect();
            let line = |row: usize| columns.iter().map(move |column| column[row].clone());
            let lines = [0, 1].map(|row| line(row).collect::<Vec<_>>().join(","));
            if files.is_empty() {
                files = made.columns.join(",");
            }
            files = [files, lines[0].clone(), lines[1].clone()].join("\n");
            answers.extend(made.column(6));
            let id = format!("--clues={}", made.column(1)[0]);
            let one = solve(&[&id, "--rule=table"]).unwrap();
            assert_eq!(one.column(1)[0], made.column(6)[0]);
        }
        for text in [files.clone(), files.replace(',', "  "), in_json(&files)] {
            let (_folder, file) = clues_file(&text);
            let solved = solve(&[&file]).unwrap();
            assert!(
                solved.column(1).iter().all(|solutions| solutions == "1"),
                "{text}"
            );
            assert_eq!(solved.column(4), answers);
            assert_eq!(solved.column(0), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        }
    }

    /// A table of CSV as an array of objects.
    fn in_json(text: &str) -> String {
        let mut lines = text.lines().map(|line| line.split(','));
        let names: Vec<&str> = lines.next().unwrap().collect();
        let object = |fields: std::str::Split<'_, char>| {
            let members = names.iter().zip(fields);
            let members = members.map(|(name, field)| (name.to_string(), field.into()));
            serde_json::Value::Object(members.collect())
        };
        serde_json::to_string(&lines.map(object).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_fault_in_json_has_its_line_or_its_riddle() {
        let fault = |text: &str| {
            let (_folder, file) = clues_file(text);
            solve(&[&file]).unwrap_err().to_string()
        };
        let first = "[{\"id\": \"chess:....../......\"},\n";
        let torn = fault(&format!("{first}{{\"rule\": \"any\"}}]"));
        assert!(
            torn.contains("clues.csv:2") && torn.contains("`id`"),
            "{torn}"
        );
        let wrong = fault("[{\"id\": \"draughts:..\"}]");
        assert!(wrong.contains("clues.csv, riddle 1"), "{wrong}");
    }

    /// The option that names a file of this text, which is there as long as its folder.
    fn clues_file(text: &str) -> (tempfile::TempDir, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("clues.csv");
        std::fs::write(&path, text).unwrap();
        (folder, format!("--clues-file={}", path.display()))
    }
}
