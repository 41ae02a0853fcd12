//! Progress of a run: a bar with the current interval and the time left, or plain log lines
//! without a terminal. A race has a bar with the ratio so far, and no lines.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ::report::speed_text;
use base::{count, counted, visible_line};
use experiment::Experiment;
use figures::{Figure, duration, level_text};
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use lab::run::{Observer, Progress};
use stats::{Estimate, Withheld};

use super::terminal;

/// Says remarks on standard error, and shows progress as the terminal allows; none by default.
#[derive(Default)]
pub(crate) struct Display {
    shows_run: bool,
    drawing: Arc<AtomicBool>,
    shown: Option<ShownProgress>,
    troubles: u32,
}

/// Troubles that are told one by one.
const MOST_TOLD: u32 = 3;

impl Display {
    /// The display of a run or a race about to start, which sets the flag once samples are drawn.
    pub(crate) fn of_run(quiet: bool, drawing: Arc<AtomicBool>) -> Self {
        Self {
            shows_run: !quiet,
            drawing,
            ..Self::default()
        }
    }

    /// The display of a folder's samples that are run again: shown where somebody watches.
    pub(crate) fn of_rerun(folder: &Path) -> Self {
        let name = visible_line(&folder.display().to_string());
        let is_shown = terminal::has_bar() || terminal::has_plain_progress();
        Self {
            shown: is_shown.then(|| ShownProgress::new(name, None)),
            ..Self::default()
        }
    }

    /// Says something above the bar, where there is one.
    fn aside(&self, say: impl FnOnce()) {
        match self.shown.as_ref().and_then(|shown| shown.bar.as_ref()) {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}

impl Observer for Display {
    fn note(&mut self, remark: &str) {
        self.aside(|| terminal::note(remark));
    }

    fn warning(&mut self, remark: &str) {
        self.aside(|| terminal::warn(remark));
    }

    fn trouble(&mut self, told: &str) {
        self.troubles += 1;
        if self.troubles <= MOST_TOLD {
            self.warning(told);
        }
    }

    fn checking_repeatable(&mut self) {
        if self.shows_run {
            note!("drawing some samples twice to check that they repeat");
        }
    }

    fn started(&mut self, experiment: &Experiment) {
        self.drawing.store(true, Ordering::SeqCst);
        let is_shown = self.shows_run && !terminal::hides_progress();
        if is_shown && (terminal::is_watched() || !experiment.is_race()) {
            let name = visible_line(experiment.name());
            self.shown = Some(ShownProgress::new(name, Some(experiment.clone())));
        }
    }

    fn progress(&mut self, progress: Progress<'_>) {
        if let Some(shown) = &mut self.shown {
            shown.update(&progress);
        }
    }

    fn draining(&mut self) {
        let Some(shown) = &self.shown else {
            return;
        };
        let name = &shown.name;
        self.aside(|| match (&shown.bar, shown.is_race) {
            (None, _) => note!("{name}: finishing the current blocks"),
            (Some(_), true) => {
                note!("finishing the current instances; press Ctrl-C again to stop immediately");
            }
            (Some(_), false) => {
                note!("finishing the current blocks; press Ctrl-C again to stop immediately");
            }
        });
    }

    fn awaiting_truth(&mut self, values: &str) {
        if self.shows_run {
            note!("working out {values}");
        }
    }

    fn ended(&mut self) {
        if let Some(bar) = self.shown.take().and_then(|shown| shown.bar) {
            bar.finish_and_clear();
        }
        if self.troubles > MOST_TOLD {
            let more = self.troubles - MOST_TOLD;
            warning!("{more} more such instances; clock.csv has the state of each");
        }
    }
}

/// The ratio so far of the first two contenders of a race; of a run the estimate of the first metric in the
/// first cell that draws on, with the interval of a person who watches, and so looks again and again.
fn headline(experiment: &Experiment, progress: &Progress<'_>) -> String {
    if let Some(watch) = progress.watch {
        let known = watch.headline();
        let known = known.filter(|(_, ratio)| ratio.interval.is_some());
        let told = known.map(|([first, second], ratio)| {
            format!("{second} vs {first}: {} times as fast", speed_text(&ratio))
        });
        return told.unwrap_or_default();
    }
    let tally = progress.tally;
    let settled = progress.limits.iter().count();
    let mut cells = 0..experiment.cells.len();
    let shown = cells.find(|&cell| !progress.limits.is_settled(cell, progress.done));
    let shown = shown.unwrap_or(0);
    let metrics = experiment.task.metrics.first();
    let Some(metric) = metrics.filter(|_| !tally.cell(shown).is_empty()) else {
        return String::new();
    };
    let cell = match experiment.cells.as_slice() {
        [_, _, ..] => format!("{}, ", experiment.cells[shown].name),
        _ => String::new(),
    };
    let ready = match settled {
        0 => String::new(),
        _ => format!(
            "; settled: {settled} of {}",
            counted(experiment.cells.len() as u64, "cell")
        ),
    };
    let estimate = tally.estimate(shown, (0, metric), experiment.watched());
    let told = phrase(&estimate, &metric.unit);
    format!("{cell}{}: {told}{ready}", metric.name)
}

/// The estimate with its interval, level and unit: `6.53 cards (6.4 to 6.7; 95 %, at any time)`.
fn phrase(estimate: &Estimate, unit: &str) -> String {
    let figure = Figure::of(estimate, unit);
    let Some(interval) = figure.interval() else {
        let is_known = estimate.withheld == Some(Withheld::OneSample);
        return if is_known {
            figure.phrase()
        } else {
            "measuring".into()
        };
    };
    let level = (estimate.interval).map_or(0.95, |interval| interval.level.get());
    let (value, level) = (figure.value(), level_text(level));
    format!("{value} ({interval}; {level}, at any time)")
}

/// Progress on the terminal: a bar where a person watches, else lines for a log.
struct ShownProgress {
    name: String,
    /// The experiment whose estimate or ratio is shown, of a run or a race.
    experiment: Option<Experiment>,
    is_race: bool,
    bar: Option<ProgressBar>,
    started: Instant,
    told: Option<Instant>,
    tenths: u64,
}

/// The time between two updates of a bar's estimate: often enough to watch, seldom enough to cost
/// nothing.
const REFRESH: Duration = Duration::from_millis(200);
/// The time between two updates of a ratio: so seldom that it takes nothing from what is measured.
const REFRESH_OF_RATIO: Duration = Duration::from_millis(500);
/// The time between two lines of a log.
const LINES: Duration = Duration::from_secs(1);

impl ShownProgress {
    fn new(name: String, experiment: Option<Experiment>) -> Self {
        let is_race = experiment.as_ref().is_some_and(Experiment::is_race);
        let template = match &experiment {
            Some(_) if is_race => {
                "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len}\n  {msg}"
            }
            Some(_) => "{prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len} {pace}\n  {msg}",
            None => "verifying {prefix} {wide_bar} {percent:>3} % {human_pos}/{human_len} {pace}",
        };
        let noun = experiment.as_ref().map_or("sample", |one| &one.task.noun);
        Self {
            bar: terminal::has_bar().then(|| bar(template, name.clone(), noun.to_owned())),
            name,
            experiment,
            is_race,
            started: Instant::now(),
            told: None,
            tenths: 0,
        }
    }

    fn update(&mut self, progress: &Progress<'_>) {
        let Some(bar) = &self.bar else {
            return self.log(progress);
        };
        if bar.length() == Some(0) {
            bar.set_length(progress.planned);
            bar.set_position(progress.resumed);
            bar.reset_eta();
        }
        bar.set_position(progress.done);
        let refresh = if self.is_race {
            REFRESH_OF_RATIO
        } else {
            REFRESH
        };
        let is_due = progress.done == progress.planned || self.is_silent_for(refresh);
        if let Some(experiment) = &self.experiment
            && progress.done > 0
            && is_due
        {
            bar.set_message(visible_line(&headline(experiment, progress)));
            self.told = Some(Instant::now());
        }
    }

    /// Says a line at every tenth of the way, but not more than one a second; always one at the end.
    fn log(&mut self, progress: &Progress<'_>) {
        let tenths = progress.done * 10 / progress.planned.max(1);
        let is_due = tenths == 10 || self.is_silent_for(LINES);
        if tenths <= self.tenths || !is_due {
            return;
        }
        (self.tenths, self.told) = (tenths, Some(Instant::now()));
        let experiment = self.experiment.as_ref();
        let headline = experiment.map(|experiment| format!(", {}", headline(experiment, progress)));
        note!(
            "{}: {} of {}, {}{}",
            self.name,
            count(progress.done),
            counted(progress.planned, "sample"),
            duration(self.started.elapsed().as_secs_f64()),
            headline.unwrap_or_default()
        );
    }

    /// Returns whether so much time has passed since something was told. A bar tells its first
    /// estimate at once, a log waits.
    fn is_silent_for(&self, time: Duration) -> bool {
        let begin = self.told.or(self.bar.is_none().then_some(self.started));
        begin.is_none_or(|begin| begin.elapsed() >= time)
    }
}

/// A bar of a length that is not known yet.
fn bar(template: &str, prefix: String, noun: String) -> ProgressBar {
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.with_key("pace", move |state: &ProgressState, out: &mut dyn Write| {
        // A display that fails is not worth more than being left out.
        let _ = out.write_str(&pace(state.per_sec(), state.eta(), &noun));
    });
    ProgressBar::new(0).with_style(style).with_prefix(prefix)
}

/// Samples a second, or the time that one takes, and the time left; before the first are in, that they are
/// awaited.
fn pace(rate: f64, left: Duration, noun: &str) -> String {
    let left = duration(left.as_secs_f64());
    match rate {
        rate if !(rate.is_finite() && rate > 0.0) => "measuring".to_owned(),
        rate if rate >= 1.0 => format!("{}/s, {left} left", count(rate.round() as u64)),
        rate => format!("{} a {noun}, {left} left", duration(1.0 / rate)),
    }
}
