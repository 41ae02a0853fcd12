//! What a person sees while a run is under way: a bar with the interval so far and the time left,
//! or plain lines where nobody watches.

use std::fmt::Write;
use std::time::{Duration, Instant};

use crate::harness::{BlockTally, Observer, Progress, estimate};
use crate::stats::{Confidence, Estimate};
use crate::task::Metric;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};

use super::terminal;

/// The progress display that fits the terminal; `confidence` is that of a person who watches, and
/// so looks again and again.
pub fn display(
    quiet: bool,
    name: &str,
    metric: Option<&Metric>,
    confidence: Confidence,
) -> Box<dyn Observer> {
    let headline = Headline {
        metric: metric.cloned(),
        confidence,
    };
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
    metric: Option<Metric>,
    confidence: Confidence,
}

impl Headline {
    fn text(&self, tally: &BlockTally) -> String {
        let Some((metric, tally)) = self.metric.as_ref().zip(tally.cell(0).first()) else {
            return String::new();
        };
        let estimate = estimate(metric, tally, self.confidence);
        format!("{} {}", metric.name, interval(&estimate))
    }
}

fn interval(estimate: &Estimate) -> String {
    match (estimate.value, estimate.interval) {
        (Some(value), Some(interval)) => {
            format!("{value:.4} [{:.4}, {:.4}]", interval.lo, interval.hi)
        }
        (None, Some(interval)) => format!("in [{:.4}, {:.4}]", interval.lo, interval.hi),
        _ => "...".into(),
    }
}

struct Bar {
    bar: ProgressBar,
    headline: Headline,
    drawn: Option<Instant>,
}

/// How often the interval is computed anew: often enough to watch, seldom enough to cost nothing.
const REFRESH: Duration = Duration::from_millis(100);

impl Bar {
    fn new(name: &str, headline: Headline) -> Self {
        let style = ProgressStyle::with_template(
            "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len} {rate}, {eta} left\n  {msg}",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .with_key("rate", |state: &ProgressState, out: &mut dyn Write| {
            // A display that fails is not worth more than being left out.
            let _ = write!(out, "{:.0}/s", state.per_sec());
        });
        let bar = ProgressBar::new(0)
            .with_style(style)
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
            .println("stopping: finishing the blocks under way; once more to stop at once");
    }

    fn ended(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A line at every tenth of the way, for logs.
struct Log {
    name: String,
    headline: Headline,
    started: Instant,
    tenths: u64,
}

impl Log {
    fn new(name: &str, headline: Headline) -> Self {
        Self {
            name: name.to_owned(),
            headline,
            started: Instant::now(),
            tenths: 0,
        }
    }
}

impl Observer for Log {
    fn progress(&mut self, progress: Progress<'_>) {
        let tenths = progress.done * 10 / progress.planned.max(1);
        if tenths > self.tenths {
            self.tenths = tenths;
            eprintln!(
                "{}: {} of {} samples, {:.1} s, {}",
                self.name,
                progress.done,
                progress.planned,
                self.started.elapsed().as_secs_f64(),
                self.headline.text(progress.tally)
            );
        }
    }

    fn draining(&mut self) {
        eprintln!("{}: stopping, finishing the blocks under way", self.name);
    }
}
