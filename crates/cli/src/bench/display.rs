//! The progress of a race on the terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::terminal;
use ::report::speed_text;
use experiment::Experiment;
use indicatif::{ProgressBar, ProgressStyle};
use lab::run::{Observer, Progress};

/// A bar with the ratio so far, or nothing.
pub struct BenchDisplay {
    quiet: bool,
    drawing: Arc<AtomicBool>,
    bar: ProgressBar,
    shown: Instant,
    told: u32,
}

/// Troubles that are told one by one.
const MOST_TOLD: u32 = 3;

impl BenchDisplay {
    /// The display of a race about to start, which sets the flag once contenders answer.
    pub fn new(quiet: bool, drawing: Arc<AtomicBool>) -> Self {
        Self {
            quiet,
            drawing,
            bar: ProgressBar::hidden(),
            shown: Instant::now(),
            told: 0,
        }
    }
}

impl Observer for BenchDisplay {
    fn note(&mut self, remark: &str) {
        self.bar.suspend(|| terminal::note(remark));
    }

    fn warning(&mut self, remark: &str) {
        self.bar.suspend(|| terminal::warn(remark));
    }

    fn started(&mut self, experiment: &Experiment) {
        self.drawing.store(true, Ordering::SeqCst);
        if self.quiet || !terminal::is_watched() {
            return;
        }
        let style = "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len}\n  {msg}";
        let style = ProgressStyle::with_template(style);
        self.bar = ProgressBar::new(experiment.stop.max_samples())
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
            .with_prefix(experiment.file.name.clone());
    }

    fn progress(&mut self, progress: Progress<'_>) {
        self.bar.set_position(progress.done);
        // The ratio is computed seldom, so that it takes nothing from what is measured.
        if !self.bar.is_hidden() && self.shown.elapsed().as_millis() >= 500 {
            let headline = progress.watch.and_then(|watch| watch.headline());
            let told = headline.map(|([first, second], ratio)| {
                format!("{second} vs {first}: {} times as fast", speed_text(&ratio))
            });
            self.bar.set_message(told.unwrap_or_default());
            self.shown = Instant::now();
        }
    }

    fn trouble(&mut self, told: &str) {
        self.told += 1;
        if self.told <= MOST_TOLD {
            self.bar.suspend(|| warning!("{told}"));
        }
    }

    fn draining(&mut self) {
        if !self.quiet && terminal::is_watched() {
            self.bar.suspend(|| {
                note!("finishing the current instances; press Ctrl-C again to stop immediately");
            });
        }
    }

    fn ended(&mut self) {
        self.bar.finish_and_clear();
        if self.told > MOST_TOLD {
            warning!(
                "{} more such instances; clock.csv has the state of each",
                self.told - MOST_TOLD
            );
        }
    }
}
