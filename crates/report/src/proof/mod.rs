//! A proof among the runs: a folder with a statement instead of estimates, shown on the page of a result.
//!
//! `proof.toml` has the words and facts of the page, and `layers.csv` the counts. Sentences name their facts in braces,
//! so they cannot say others. A folder that contradicts itself is refused. A run in the folder `matches` gives the page a
//! game to show. Knows no game.

mod layers;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::answer::with_figures;
use super::html::{Citation, Picture, ResultPage, Shown};
use crate::plot::{self, LaneScale};
use crate::sheet::Sheet;
use base::files::{folder_name, read_text};
use base::words::join;
use base::{Failure, count, counted, visible};
use figures::folded;
use lab::store::Exhibit;
use layers::{LAYERS, Layers, sheet};
use task::Origin;

pub use layers::LayerAudit;

/// Facts by name, as they are written.
type Facts = BTreeMap<String, String>;

/// The contents of `proof.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Statement {
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
    #[serde(default)]
    check: Facts,
}

/// A proof's statement with its layers, which do not contradict it.
#[derive(Clone, Debug)]
pub struct StatedProof {
    folder: PathBuf,
    source: String,
    stated: Statement,
    layers: Layers,
    shown: Option<Exhibit>,
    origin: Option<Origin>,
}

impl StatedProof {
    /// The name of the file that makes a folder a proof.
    const FILE: &str = "proof.toml";

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
        let [path, layers] = [Self::FILE, LAYERS].map(|name| folder.join(name));
        let shown = folder.join("matches").join(Exhibit::FILE);
        let source = read_text(&path).map_err(|error| bad(&path, &error))?;
        let stated = Statement::read(&source).map_err(|fault| bad(&path, fault))?;
        let origin = Origin::read(folder);
        Ok(Self {
            layers: Layers::read(&layers, &stated).map_err(|fault| bad(&layers, fault))?,
            shown: Exhibit::read(&shown).map_err(|error| bad(&shown, &error))?,
            origin: origin.map_err(|error| bad(&folder.join(Origin::FILE), &error))?,
            folder: folder.to_owned(),
            source,
            stated,
        })
    }

    /// The number of positions and layers.
    pub fn size(&self) -> String {
        let layers = counted(self.stated.layers as u64, "layer");
        format!("{} positions in {layers}", count(self.layers.positions()))
    }

    /// The proof as a page, with the commands of this program that make it and check it again.
    pub(crate) fn to_page(&self, program: &str) -> ResultPage {
        let stated = self.stated.clone();
        let shares = self.layers.shares();
        let card = plot::intervals(&stated.picture, &shares, "", &[], LaneScale::Whole);
        ResultPage {
            name: folder_name(&self.folder),
            certainty: format!("A proof, not an estimate: {}", self.size()),
            pictures: card.clone().into_iter().map(Picture::Plot).collect(),
            card,
            exhibit: self.shown.as_ref().and_then(|exhibit| {
                let cell = exhibit.cell.replace(',', ", ");
                Shown::of(exhibit, &stated.players.unwrap_or(cell), "game")
            }),
            tables: self.sheets(),
            commands: self.commands(program),
            cite: self.cited(),
            game: stated.game,
            question: stated.question,
            number: stated.number,
            sentence: stated.statement,
            how: ("How it was checked", stated.checked),
            featured: true,
            source: self.source.clone(),
            ..ResultPage::default()
        }
    }

    /// The counts by group, what was proved and checked, and the counts of every layer.
    fn sheets(&self) -> Vec<Sheet> {
        let stated = &self.stated;
        let facts = |title, facts: &[&Facts]| {
            let facts = facts.iter().copied().flatten();
            let (names, fields) = facts
                .map(|(name, fact)| (name.clone(), fact.clone()))
                .unzip();
            sheet(title, names, vec![fields])
        };
        let mut sheets = vec![
            self.layers.groups(),
            facts("What was proved", &[&stated.options, &stated.proved]),
            facts("A second opinion", &[&stated.check]),
            self.layers.every(),
        ];
        sheets.retain(|sheet| !sheet.columns.is_empty());
        sheets
    }

    fn commands(&self, program: &str) -> Vec<String> {
        let Statement { game, options, .. } = &self.stated;
        let prove = join([program, "prove", game, "--dir", &format!("{game}-proof")]);
        let option = |(name, value)| format!(" {}", join([&format!("--{name}"), value]));
        vec![
            prove.clone() + &options.iter().map(option).collect::<String>(),
            format!("{prove} --check 10000"),
            join([program, "verify", &self.folder.to_string_lossy()]),
        ]
    }

    /// The proof as a citation names it. The statement has the hash of the layers, so its own hash is of all.
    fn cited(&self) -> Citation {
        let name = folder_name(&self.folder);
        let hash = blake3::hash(self.source.as_bytes()).to_hex();
        let mark = format!("proof {name}, BLAKE3 of {} {hash}", Self::FILE);
        Citation::new(&name, &self.stated.question, self.origin.as_ref(), &mark)
    }

    /// The proof as text, with every layer on request; for a terminal of so many columns.
    pub fn to_text(&self, program: &str, width: Option<u16>, all: bool) -> String {
        let page = self.to_page(program);
        let shown = page.tables.len() - usize::from(!all);
        let sheets = page.tables[..shown].iter();
        let sheets = sheets.map(|sheet| sheet.first_rows(usize::MAX, width) + "\n");
        let listed = |title: &str, lines: &[String]| format!("{title}\n  {}\n", lines.join("\n  "));
        let fold = |text: String| width.map_or(text.clone(), |width| folded(&text, width.into()));
        let title = format!("{}: {}", page.name, page.question);
        let text = [
            fold(format!(
                "{title}\n\n{}\n{}\n",
                page.sentence, page.certainty
            )),
            sheets.collect(),
            match &page.how.1[..] {
                [] => String::new(),
                ways => fold(listed(page.how.0, ways)),
            },
            listed("Check it again", &page.commands),
        ];
        visible(&text.join("\n"))
    }
}

impl Statement {
    /// Reads a statement with the facts in its sentences, and refuses a check that found a fault.
    fn read(source: &str) -> Result<Self, String> {
        let mut read: Self = toml::from_str(source).map_err(|error| error.message().to_owned())?;
        let facts = [&read.options, &read.proved, &read.check].map(Clone::clone);
        let facts: Facts = facts.into_iter().flatten().collect();
        if let Some(wrong) = facts.get("wrong").filter(|wrong| *wrong != "0") {
            let fault = "the check refutes the proof";
            return Err(format!("`wrong` is {wrong} instead of 0: {fault}"));
        }
        let checked = read.checked.iter_mut().filter(|text| text.contains('{'));
        for sentence in checked.chain([&mut read.statement, &mut read.number]) {
            *sentence = filled(sentence, &facts)?;
        }
        Ok(read)
    }
}

/// A sentence with the facts that it names in braces; a number of its own could contradict them.
fn filled(sentence: &str, facts: &Facts) -> Result<String, String> {
    let words = with_figures(sentence, |_| Some(String::new())).unwrap_or_default();
    if words.contains(|letter: char| letter.is_ascii_digit()) {
        return Err(format!(
            "`{sentence}` speaks of a number that it should name in braces, as the file has it"
        ));
    }
    with_figures(sentence, |name| facts.get(name).map(|fact| shown(fact)))
        .map_err(|name| format!("`{sentence}` names `{name}`, which the file does not have"))
}

/// A field for people: a number with its digits in groups.
fn shown(field: &str) -> String {
    field.parse().map_or_else(|_| field.to_owned(), count)
}

/// The fault of a file of a proof.
fn bad(path: &Path, message: impl std::fmt::Display) -> Failure {
    let help = "a proof's folder has proof.toml and the tables that it lists, as `etude prove` wrote them; restore \
                it from a copy, or prove it again";
    Failure::input(path.display().to_string(), message, help)
}

#[cfg(test)]
mod tests;
