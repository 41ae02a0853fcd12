//! Progress of a run: a bar with the current interval and the time left, or plain log lines
//! without a terminal.

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::config::Experiment;
use crate::harness::{BlockTally, Observer, Progress, estimate};
use crate::report::{Figure, count, counted, level_text};
use crate::stats::{Confidence, Estimate};
use crate::task::Metric;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::plan::duration;
use super::terminal;

/// The progress display that fits the terminal. Its intervals are those of a person who watches,
/// and so looks again and again.
pub fn display(quiet: bool, experiment: &Experiment) -> Box<dyn Observer> {
    let headline = Headline {
        cell: match experiment.cells.as_slice() {
            [first, _, ..] => format!("{}, ", first.name),
            _ => String::new(),
        },
        metric: experiment.task.metrics.first().cloned(),
        confidence: experiment.watched(),
    };
    let name = experiment.name.as_str();
    if quiet {
        Box::new(crate::harness::Silent)
    } else if terminal::is_watched() {
        Box::new(Bar::new(name, headline))
    } else {
        Box::new(Log::new(name, headline))
    }
}

/// The first metric's estimate so far, of the first cell.
struct Headline {
    /// The cell's name, if there are several.
    cell: String,
    metric: Option<Metric>,
    confidence: Confidence,
}

impl Headline {
    fn text(&self, tally: &BlockTally) -> String {
        let Some((metric, tally)) = self.metric.as_ref().zip(tally.cell(0).first()) else {
            return String::new();
        };
        let estimate = estimate(metric, tally, self.confidence);
        format!(
            "{}{}: {}",
            self.cell,
            metric.name,
            phrase(&estimate, metric)
        )
    }
}

/// The estimate with its interval, level and unit: `6.53 cards (6.4 to 6.7; 95 %, at any time)`.
fn phrase(estimate: &Estimate, metric: &Metric) -> String {
    let figure = Figure::of(estimate);
    let Some(interval) = figure.interval(&metric.unit) else {
        return "measuring".into();
    };
    let level = estimate
        .interval
        .map_or(0.95, |interval| interval.level.get());
    format!(
        "{} ({interval}; {}, at any time)",
        figure.value(&metric.unit),
        level_text(level)
    )
}

/// A bar over samples that are run again, drawn where somebody watches.
pub fn rerun_bar(folder: &Path, samples: u64) -> ProgressBar {
    if !terminal::is_watched() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(
        "verifying {prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len} {pace}",
    );
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let bar = ProgressBar::new(samples)
        .with_style(with_pace(style))
        .with_prefix(folder.display().to_string());
    bar.tick();
    bar
}

/// The key `pace` in a bar's template.
fn with_pace(style: ProgressStyle) -> ProgressStyle {
    style.with_key("pace", |state: &ProgressState, out: &mut dyn Write| {
        // A display that fails is not worth more than being left out.
        let _ = out.write_str(&pace(state.per_sec(), state.eta()));
    })
}

struct Bar {
    bar: ProgressBar,
    headline: Headline,
    drawn: Option<Instant>,
}

/// The time between two updates of the interval: often enough to watch, seldom enough to cost
/// nothing.
const REFRESH: Duration = Duration::from_millis(100);

impl Bar {
    fn new(name: &str, headline: Headline) -> Self {
        let style = ProgressStyle::with_template(
            "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len} {pace}\n  {msg}",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(0)
            .with_style(with_pace(style))
            .with_prefix(name.to_owned());
        Self {
            bar,
            headline,
            drawn: None,
        }
    }

    fn is_due(&mut self, progress: &Progress<'_>) -> bool {
        let due = progress.done == progress.planned
            || self.drawn.is_none_or(|drawn| drawn.elapsed() >= REFRESH);
        if due {
            self.drawn = Some(Instant::now());
        }
        due
    }
}

/// Samples a second and the time left; before the first are in, that they are awaited.
fn pace(rate: f64, left: Duration) -> String {
    if rate.is_finite() && rate > 0.0 {
        format!("{rate:.0}/s, {} left", duration(left.as_secs_f64()))
    } else {
        "measuring".to_owned()
    }
}

impl Observer for Bar {
    fn progress(&mut self, progress: Progress<'_>) {
        if self.bar.length() == Some(0) {
            self.bar.set_length(progress.planned);
            self.bar.set_position(progress.resumed);
            self.bar.reset_eta();
        }
        self.bar.set_position(progress.done);
        if progress.done > 0 && self.is_due(&progress) {
            self.bar.set_message(self.headline.text(progress.tally));
        }
    }

    fn draining(&mut self) {
        self.bar
            .println("finishing the current blocks; press Ctrl-C again to stop immediately");
    }

    fn ended(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line at every tenth of the way, but not more than one a second, for logs; always one at the
/// end.
struct Log {
    name: String,
    headline: Headline,
    started: Instant,
    told: Instant,
    tenths: u64,
}

impl Log {
    fn new(name: &str, headline: Headline) -> Self {
        Self {
            name: name.to_owned(),
            headline,
            started: Instant::now(),
            told: Instant::now(),
            tenths: 0,
        }
    }
}

impl Observer for Log {
    fn progress(&mut self, progress: Progress<'_>) {
        let tenths = progress.done * 10 / progress.planned.max(1);
        let is_due = tenths == 10 || self.told.elapsed() >= Duration::from_secs(1);
        if tenths > self.tenths && is_due {
            (self.tenths, self.told) = (tenths, Instant::now());
            note!(
                "{}: {} of {}, {}, {}",
                self.name,
                count(progress.done),
                counted(progress.planned, "sample"),
                duration(self.started.elapsed().as_secs_f64()),
                self.headline.text(progress.tally)
            );
        }
    }

    fn draining(&mut self) {
        note!("{}: finishing the current blocks", self.name);
    }
}
