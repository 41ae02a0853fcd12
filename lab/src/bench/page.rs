//! The page and the text of a benchmark's folder, made of its files alone.

use super::folder::{BenchFolder, CLAIMS, GROWTH, MACHINE, MachineFacts, RUNS, SPEED};
use super::race::{RaceCosts, RunRow};
use super::setting::Setting;
use super::speed::{Cost, median};
use super::table::{BenchClaimRow, GrowthRow, SpeedRow};
use super::words::{cautions, sentences};
use crate::report::plot::{
    Both, Curve, IntervalMark, Plot, Series, SeriesPoint, cumulative, scatter, series,
};
use crate::report::styled_page;
use crate::stats::Level;
use crate::task::visible;

/// What a benchmark's folder says.
pub struct BenchResults {
    /// The name of the benchmark and its question.
    pub heading: String,
    /// The estimates.
    pub speed: Vec<SpeedRow>,
    /// The growth.
    pub growth: Vec<GrowthRow>,
    /// The claims.
    pub claims: Vec<BenchClaimRow>,
    /// The machine.
    pub machine: MachineFacts,
    /// What is to be said first.
    pub cautions: Vec<String>,
    /// The sentences.
    pub sentences: Vec<String>,
}

impl BenchResults {
    /// Reads a folder.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn read(folder: &BenchFolder, setting: &Setting) -> Result<Self, String> {
        let experiment = setting.experiment;
        let speed: Vec<SpeedRow> = folder.rows(SPEED)?;
        let asked = asked(setting);
        let machine: MachineFacts = folder.json(MACHINE)?;
        let mut told = cautions(&speed);
        if machine.threads > 1 {
            told.push(format!(
                "{} threads measured side by side, and may have hindered each other",
                machine.threads
            ));
        }
        if machine.sessions.len() > 1 {
            let sessions = machine
                .sessions
                .iter()
                .map(|session| format!("{} to {}", session.first, session.end.saturating_sub(1)));
            let sessions: Vec<String> = sessions.collect();
            told.push(format!(
                "it was interrupted: instances {} were measured apart",
                sessions.join(", ")
            ));
        }
        Ok(Self {
            heading: format!("{}: {}", experiment.file.name, experiment.file.question),
            growth: folder.rows(GROWTH)?,
            claims: folder.rows(CLAIMS)?,
            cautions: told,
            sentences: sentences(
                &speed,
                asked
                    .as_ref()
                    .map(|(one, other)| (one.as_str(), other.as_str())),
            ),
            machine,
            speed,
        })
    }

    /// The text for a terminal.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.heading);
        for caution in &self.cautions {
            text.push_str(&format!("Caution: {caution}.\n"));
        }
        for sentence in &self.sentences {
            text.push_str(&format!("{sentence}\n"));
        }
        text.push('\n');
        text.push_str(&lines(&self.speed_cells()));
        if !self.growth.is_empty() {
            text.push_str(&format!("\nGrowth\n{}", lines(&self.growth_cells())));
        }
        if !self.claims.is_empty() {
            text.push_str(&format!("\nClaims\n{}", lines(&self.claim_cells())));
        }
        text.push_str(&format!("\n{}\n", self.taken()));
        visible(&text)
    }

    /// How and where the time was taken, in a sentence.
    fn taken(&self) -> String {
        let MachineFacts {
            model,
            cores,
            platform,
            rounds,
            ..
        } = &self.machine;
        let loads = self
            .machine
            .sessions
            .iter()
            .filter_map(|session| session.load_before);
        let load = loads.fold(0.0, f64::max);
        format!(
            "Processor time on {model} ({cores} cores, {platform}), load up to {load:.1}; \
             every contender answered each instance {} times, in ABBA order.",
            2 * rounds
        )
    }

    fn speed_cells(&self) -> Vec<Vec<String>> {
        let header = [
            "first",
            "second",
            "statistic",
            "ratio",
            "interval",
            "n",
            "censored",
            "verdict",
        ];
        let row = |row: &SpeedRow| {
            vec![
                row.first.clone(),
                row.second.clone(),
                row.statistic.clone(),
                number(row.estimate),
                interval(row.ci_lo, row.ci_hi),
                row.n.to_string(),
                row.n_censored.to_string(),
                row.verdict.clone(),
            ]
        };
        // Every pair stands in the table both ways round, and is shown once.
        let is_turned = |at: usize, row: &SpeedRow| {
            let mirrored = |other: &SpeedRow| {
                (&other.first, &other.second, &other.statistic)
                    == (&row.second, &row.first, &row.statistic)
            };
            self.speed[at + 1..].iter().any(mirrored)
        };
        let shown = self
            .speed
            .iter()
            .enumerate()
            .filter(|(at, row)| !is_turned(*at, row));
        table(&header, shown.map(|(_, one)| row(one)))
    }

    fn growth_cells(&self) -> Vec<Vec<String>> {
        let header = [
            "parameter",
            "contender",
            "statistic",
            "estimate",
            "interval",
            "straight",
        ];
        let row = |row: &GrowthRow| {
            vec![
                row.parameter.clone(),
                row.contender.clone(),
                row.statistic.clone(),
                number(Some(row.estimate)),
                interval(Some(row.ci_lo), Some(row.ci_hi)),
                if row.straight { "yes" } else { "no" }.to_owned(),
            ]
        };
        table(&header, self.growth.iter().map(row))
    }

    fn claim_cells(&self) -> Vec<Vec<String>> {
        let header = ["claim", "holds", "verdict", "ratio", "interval"];
        let row = |row: &BenchClaimRow| {
            vec![
                row.text.clone(),
                row.holds.clone(),
                row.verdict.clone(),
                number(row.estimate),
                interval(row.ci_lo, row.ci_hi),
            ]
        };
        table(&header, self.claims.iter().map(row))
    }

    /// The page, with its plots.
    ///
    /// # Errors
    /// A sentence with the file.
    pub fn to_html(&self, folder: &BenchFolder, setting: &Setting) -> Result<String, String> {
        let runs: Vec<RunRow> = folder.rows(RUNS)?;
        let costs = RaceCosts::of(setting, &runs);
        let mut body = format!("<h1>{}</h1>\n", escaped(&self.heading));
        for caution in &self.cautions {
            body.push_str(&format!(
                "<p><strong>Caution: {}.</strong></p>\n",
                escaped(caution)
            ));
        }
        for sentence in &self.sentences {
            body.push_str(&format!("<p>{}</p>\n", escaped(sentence)));
        }
        for plot in plots(setting, &costs) {
            let Plot {
                title,
                caption,
                svg,
            } = plot;
            body.push_str(&format!(
                "<figure><figcaption><strong>{}</strong> {}</figcaption>{svg}</figure>\n",
                escaped(&title),
                escaped(&caption)
            ));
        }
        for (title, cells) in [
            ("Ratios", self.speed_cells()),
            ("Growth", self.growth_cells()),
            ("Claims", self.claim_cells()),
        ] {
            if cells.len() > 1 {
                body.push_str(&format!("<h2>{title}</h2>\n{}", html_table(&cells)));
            }
        }
        body.push_str(&format!("<p>{}</p>\n", escaped(&self.taken())));
        Ok(visible(&styled_page(&setting.experiment.file.name, &body)))
    }
}

/// The pair that the rule or the first claim is about.
fn asked(setting: &Setting) -> Option<(String, String)> {
    let benchmark = &setting.experiment.benchmark;
    let stop = benchmark
        .stop
        .as_ref()
        .map(|stop| (stop.first.clone(), stop.second.clone()));
    let claim = || {
        benchmark
            .claims
            .first()
            .map(|claim| (claim.relation.first.clone(), claim.relation.second.clone()))
    };
    let (first, second) = stop.or_else(claim)?;
    let name = |name: &str| Some(setting.contenders[setting.find(name).ok()?].name.clone());
    name(&first).zip(name(&second))
}

fn number(value: Option<f64>) -> String {
    value.map_or_else(String::new, |value| format!("{value:.4}"))
}

fn interval(lo: Option<f64>, hi: Option<f64>) -> String {
    match (lo, hi) {
        (Some(lo), Some(hi)) => format!("{lo:.4} to {hi:.4}"),
        (Some(lo), None) => format!("at least {lo:.4}"),
        (None, Some(hi)) => format!("at most {hi:.4}"),
        (None, None) => String::new(),
    }
}

fn table(header: &[&str], rows: impl Iterator<Item = Vec<String>>) -> Vec<Vec<String>> {
    let header = header.iter().map(|&name| name.to_owned()).collect();
    std::iter::once(header).chain(rows).collect()
}

/// The cells in aligned columns.
fn lines(cells: &[Vec<String>]) -> String {
    let columns = cells.first().map_or(0, Vec::len);
    let width = |column: usize| {
        cells
            .iter()
            .map(|row| row[column].chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let padded = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:<width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    cells.iter().map(line).collect()
}

fn html_table(cells: &[Vec<String>]) -> String {
    let row = |tag: &str, row: &Vec<String>| {
        let cells = row
            .iter()
            .map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell)));
        format!("<tr>{}</tr>\n", cells.collect::<String>())
    };
    let body: String = cells.iter().skip(1).map(|cells| row("td", cells)).collect();
    let head = cells
        .first()
        .map_or_else(String::new, |cells| row("th", cells));
    format!(
        "<div class=\"table\"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// Contenders of which pictures are drawn at most.
const MOST_DRAWN: usize = 6;
/// Groups of instances in a picture.
const GROUPS: usize = 12;

/// Times against each other, the share decided by time, the ratio over hardness, the growth, and the
/// drift of the control.
fn plots(setting: &Setting, costs: &RaceCosts) -> Vec<Plot> {
    let names: Vec<&str> = setting.names().collect();
    let rivals: Vec<usize> = setting
        .pairs(&[])
        .into_iter()
        .filter(|pair| pair.1 == 0)
        .map(|pair| pair.0)
        .collect();
    let rivals = &rivals[..rivals.len().min(MOST_DRAWN)];
    let clouds = rivals.iter().filter_map(|&rival| {
        let both = |[first, second]: [Cost; 2]| Both {
            first: first.seconds,
            second: second.seconds,
            solved: !first.censored && !second.censored,
        };
        let instances: Vec<Both> = costs.pairs((0, rival)).into_iter().map(both).collect();
        let caption = "Seconds of the processor, instance by instance. Hollow: stopped at the cap.";
        scatter(
            "Times against each other",
            caption,
            [names[0], names[rival]],
            &instances,
        )
    });
    let curve = |at: usize| Curve {
        label: names[at].to_owned(),
        points: share_by_time(&costs.of_contender(at)),
    };
    let curves: Vec<Curve> = (0..names.len()).map(curve).collect();
    let hardness = rivals.iter().map(|&rival| Series {
        label: format!("{} / {}", names[rival], names[0]),
        points: over_hardness(costs.pairs((rival, 0))),
    });
    let hardness: Vec<Series> = hardness.collect();
    let drift = [Series {
        label: String::new(),
        points: groups(costs.control(), |(at, _)| at as f64),
    }];
    clouds
        .chain(cumulative("Share decided by time", "seconds", &curves))
        .chain(series(
            "Ratio over hardness",
            "log10 of seconds (geometric mean of both)",
            &hardness,
            "1",
        ))
        .chain(growth_plot(setting, costs))
        .chain(series("Drift of the control", "instance", &drift, "1"))
        .collect()
}

/// Times with the share that is decided within each.
fn share_by_time(costs: &[Cost]) -> Vec<(f64, f64)> {
    let mut times: Vec<f64> = costs
        .iter()
        .filter(|cost| !cost.censored)
        .map(|cost| cost.seconds)
        .collect();
    times.sort_by(f64::total_cmp);
    let share = |rank: usize| (rank + 1) as f64 / costs.len() as f64;
    times
        .into_iter()
        .enumerate()
        .map(|(rank, time)| (time, share(rank)))
        .collect()
}

/// The median ratio in groups of instances that are as hard. Hardness is the mean of both, so that an
/// instance that one of them found hard by chance stands at neither end.
fn over_hardness(mut pairs: Vec<[Cost; 2]>) -> Vec<SeriesPoint> {
    let hard = |pair: &[Cost; 2]| {
        (pair[0].seconds * pair[1].seconds)
            .max(1e-18)
            .sqrt()
            .log10()
    };
    pairs.sort_by(|a, b| hard(a).total_cmp(&hard(b)));
    groups(pairs, |(_, group)| hard(&group[group.len() / 2]))
}

/// The median ratio of consecutive groups, at the place that `x` gives each.
fn groups(pairs: Vec<[Cost; 2]>, x: impl Fn((usize, &[[Cost; 2]])) -> f64) -> Vec<SeriesPoint> {
    let size = pairs.len().div_ceil(GROUPS).max(8);
    let point = |(number, group): (usize, &[[Cost; 2]])| {
        let found = median(group, Level::DEFAULT.into());
        SeriesPoint {
            x: x((number * size, group)),
            interval: IntervalMark {
                value: found.value,
                ends: found.lo.zip(found.hi),
                ..IntervalMark::default()
            },
        }
    };
    pairs.chunks(size).enumerate().map(point).collect()
}

/// The median time along the first swept number.
fn growth_plot(setting: &Setting, costs: &RaceCosts) -> Option<Plot> {
    let axis = setting.experiment.axes.iter().find(|axis| {
        axis.values
            .iter()
            .all(|value| super::growth::number(value).is_some())
    })?;
    let mut drawn: Vec<Series> = Vec::new();
    for (at, contender) in setting.contenders.iter().enumerate() {
        let (_, value) = contender
            .swept
            .iter()
            .find(|(name, _)| *name == axis.name)?;
        let others = contender
            .swept
            .iter()
            .filter(|(name, _)| *name != axis.name);
        let label: Vec<String> = others.map(|(_, value)| value.to_string()).collect();
        let mut times: Vec<f64> = costs
            .of_contender(at)
            .iter()
            .map(|cost| cost.seconds)
            .collect();
        times.sort_by(f64::total_cmp);
        let log = times
            .get(times.len() / 2)
            .map(|time| time.max(1e-9).log10());
        let point = SeriesPoint {
            x: super::growth::number(value)?,
            interval: IntervalMark {
                value: log,
                ends: log.zip(log),
                ..IntervalMark::default()
            },
        };
        let label = label.join(", ");
        match drawn.iter_mut().find(|series| series.label == label) {
            Some(series) => series.points.push(point),
            None => drawn.push(Series {
                label,
                points: vec![point],
            }),
        }
    }
    drawn.truncate(MOST_DRAWN);
    series(
        "Growth of the median time",
        &axis.name,
        &drawn,
        "log10 of seconds",
    )
}
