//! The page of a benchmark.

use std::iter;

use base::files;
use base::words::join;
use experiment::{RatioRelation, RatioTest};
use lab::tables::{BenchClaimRow, SpeedRow};
use stats::speed::Speed;
use stats::{Interval, Span};
use task::Application;

use super::numbers::told;
use super::overview::groups;
use super::plots::plots;
use super::words::{is_median, is_turned, label};
use super::{JOINT, RaceResults};
use crate::format::paragraphs;
use crate::html::{ClaimCard, Picture, ResultPage, track};
use crate::plot::{IntervalMark, LaneScale, Plot, Threshold, intervals};

/// Ratios on a card of an index, at most.
const MOST_ON_CARD: usize = 6;

impl RaceResults {
    /// The page of the race, with pictures of the single times.
    pub(crate) fn to_page(&self, app: &Application) -> ResultPage {
        let folder = &self.folder;
        let file = &self.experiment.file;
        let [number, sentence, certainty] = self.speed.headline().unwrap_or_default();
        let pictures = plots(&self.experiment, &self.costs, &self.speed).into_iter();
        let pictures: Vec<Plot> = self
            .ratios(usize::MAX)
            .into_iter()
            .chain(pictures)
            .collect();
        let [cautions, others] = self.cautions_apart();
        let path = folder.to_string_lossy().into_owned();
        let config = format!("{path}/config.toml");
        let again = [app.name, "bench", &config, "--out", "again"];
        let source = files::read_text(&folder.join("config.toml")).unwrap_or_default();
        let first = || pictures.first().cloned();
        ResultPage {
            name: files::folder_name(folder),
            game: file.task.split('/').next().unwrap_or_default().to_owned(),
            question: file.question.clone(),
            number,
            sentence,
            certainty: format!("{certainty} · seed {}", file.seed),
            cautions,
            notes: [self.speed.sentences(), paragraphs(file.analysis.as_deref())].concat(),
            claims: self.claims.iter().map(|row| self.claim_card(row)).collect(),
            verdicts: self
                .claims
                .iter()
                .map(|row| row.verdict.as_ref().to_owned())
                .collect(),
            card: self.ratios(MOST_ON_CARD).or_else(first),
            pictures: pictures.into_iter().map(Picture::Plot).collect(),
            tables: self.sheets(),
            how: ("How it was measured", self.how(&others)),
            commands: vec![join(again), join([app.name, "verify", &path])],
            cite: self.cite.clone(),
            featured: file.page.as_ref().is_some_and(|page| page.featured),
            source,
            ..ResultPage::default()
        }
    }

    /// The cautions about the headline's pair, which stand beside its number, and those about others, which
    /// stand below.
    fn cautions_apart(&self) -> [Vec<String>; 2] {
        let headline = self.speed.chosen().into_iter().next();
        let is_headline = |row: &SpeedRow| {
            headline.is_some_and(|own| is_turned(row, own) || std::ptr::eq(row, own))
        };
        let cautions = self.cautions_on(&is_headline);
        let mut others = self.cautions_on(&|row| !is_headline(row));
        others.retain(|other| !cautions.contains(other));
        [cautions, others]
    }

    /// The way in which the times were taken, these cautions, and the programs.
    fn how(&self, cautions: &[String]) -> Vec<String> {
        let cautions = cautions
            .iter()
            .map(|caution| format!("Caution: {caution}."));
        let programs = self.experiment.cells.iter().filter_map(|cell| {
            let (name, command) = (self.speed.name(&cell.name), cell.command()?);
            Some(format!("{name} runs `{command}`."))
        });
        let told = iter::once(self.taken()).chain(cautions).chain(programs);
        told.collect()
    }

    /// The medians that compare every contender with the first one that answers the same question. Where there is
    /// one question, the slower one of the headline's pair is the first: the picture has the headline's number.
    fn beside_first(&self) -> Vec<&SpeedRow> {
        let chosen = self.speed.chosen();
        let is_one_question = groups(&self.experiment).len() == 1;
        let slower = chosen.first().filter(|_| is_one_question);
        let slower = slower.map(|row| row.first.as_str());
        let at = |name: &str| match self.experiment.find_contender(name) {
            _ if slower == Some(name) => 0,
            place => place.map_or(usize::MAX, |place| place + 1),
        };
        let medians = self.speed.rows.iter();
        let mut shown: Vec<&SpeedRow> = medians.filter(|row| is_median(row)).collect();
        let medians = shown.clone();
        shown.retain(|row| {
            let others = medians.iter().filter(|other| other.second == row.second);
            let first = others.map(|other| at(&other.first)).min();
            at(&row.first) < at(&row.second) && first == Some(at(&row.first))
        });
        shown
    }

    /// The speed of every contender, as times that of the first one that answers the same question; at most so many.
    fn ratios(&self, most: usize) -> Option<Plot> {
        let (shown, sweep) = (self.beside_first(), &self.speed.sweep);
        let first = &shown.first()?.first;
        let is_shared = shown.iter().all(|row| row.first == *first);
        let title = if is_shared {
            let first = sweep.label(first);
            format!("Times as fast as {first} on the typical instance")
        } else {
            "Times as fast on the typical instance".to_owned()
        };
        let marks = shown.iter().map(|row| {
            let own = &row.second;
            let label = if is_shared {
                sweep.label(own)
            } else {
                label(row, sweep)
            };
            mark(label, &row.speed)
        });
        let even = Threshold {
            value: 1.0,
            error: 0.0,
            label: "equally fast".to_owned(),
        };
        let marks: Vec<IntervalMark> = marks.take(most).collect();
        intervals(&title, &marks, "plain", &[even], LaneScale::Ratios)
    }

    /// The card of a claim, with the reason for an interval that is decided jointly with others.
    fn claim_card(&self, row: &BenchClaimRow) -> ClaimCard {
        let relation = RatioRelation::read(&row.holds).ok();
        let threshold = relation.and_then(|relation| match relation.test {
            RatioTest::Compare(_, number) => Some(number),
            RatioTest::Within(_) => None,
        });
        let texts = [&*row.text, &row.source, &row.holds];
        let mark = mark("found".to_owned(), &row.speed);
        let joint = self.claims.len() > 1;
        let joint = joint.then(|| format!("intervals of claims {JOINT}"));
        ClaimCard {
            verdict: row.verdict.as_ref().to_owned(),
            track: track(&mark, threshold, None, "plain"),
            found: mark.text,
            note: joint.unwrap_or_default(),
            ..ClaimCard::of(texts, row.verdict.as_ref())
        }
    }
}

/// A ratio with its interval, whose line leaves the lane where it is open; without an estimate it is a bar between
/// what is known.
fn mark(label: String, speed: &Speed) -> IntervalMark {
    let known = Span::between(speed.lo().or(speed.hi()), speed.hi().or(speed.lo()));
    let shown = speed.interval.filter(|_| speed.value.is_some());
    let ends = shown.map(Interval::ends);
    IntervalMark {
        text: told(speed),
        ..IntervalMark::between(label, speed.value, known, ends)
    }
}
