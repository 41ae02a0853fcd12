//! Answers that are timed, and what gives them.
//!
//! Processor time is what an answer costs whatever else the machine does; the wall clock stands
//! beside it.

use std::time::Instant;

use stats::{USUAL_DIGITS, rounded};

use super::Value;
use base::threads::thread_time;

/// The time that an answer took.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spent {
    /// Seconds of the processor in the program; all of them where the clock does not tell them apart.
    pub user: f64,
    /// Seconds of the processor in the system.
    pub system: f64,
    /// Seconds on the wall.
    pub wall: f64,
    /// The most memory that a child held, in bytes.
    pub peak_bytes: Option<u64>,
    /// Seconds of the processor by which a clock that counts in steps may be off, either way.
    pub step: f64,
}

/// The end of an attempt to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::AsRefStr)]
#[strum(serialize_all = "kebab-case")]
pub enum TimingState {
    /// A program was started, and not asked yet.
    Started,
    /// The entrant answered.
    Done,
    /// The entrant was stopped at its cap.
    Capped,
    /// The entrant needed more memory than it may.
    OutOfMemory,
    /// The entrant broke down, or said what is no answer.
    Failed,
}

/// The values of an answer, in the order of the task's metrics; `None` of what it did not say.
pub type AnswerValues = Vec<Option<Value>>;

/// An answer with the time that it took.
#[derive(Clone, Debug)]
pub struct TimedAnswer {
    /// The state in which the answer ended.
    pub state: TimingState,
    /// The time that it took.
    pub spent: Spent,
    /// The values of the task's metrics.
    pub values: AnswerValues,
    /// The fault, in words.
    pub trouble: Option<String>,
}

/// A program or an engine that is asked and timed.
pub trait Entrant {
    /// Starts anew what goes on running, and returns what that took; `None` where nothing does.
    fn restart(&mut self) -> Option<Spent> {
        None
    }

    /// Answers an instance.
    fn answer(&mut self, instance: u64) -> TimedAnswer;

    /// Returns the means by which its memory is capped, for a sentence; `None` where it is not.
    fn memory_means(&self) -> Option<&'static str> {
        None
    }

    /// Answers an instance so many times in a row, and returns the mean time of an answer.
    fn answers(&mut self, instance: u64, repeats: u32) -> TimedAnswer {
        let mut taken = self.answer(instance);
        let mut answers = 1;
        while answers < repeats && taken.state == TimingState::Done {
            let next = self.answer(instance);
            taken = TimedAnswer {
                spent: taken.spent.and(next.spent),
                ..next
            };
            answers += 1;
        }
        taken.spent = taken.spent.of_one(answers);
        taken
    }
}

impl Spent {
    /// Seconds of the processor.
    pub fn processor(&self) -> f64 {
        self.user + self.system
    }

    /// The time on the wall since an instant, and none of the processor.
    pub fn on_the_wall(begun: Instant) -> Self {
        Self {
            wall: begun.elapsed().as_secs_f64(),
            ..Self::default()
        }
    }

    /// Both times of answers in a row, and the larger memory.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            user: self.user + other.user,
            system: self.system + other.system,
            wall: self.wall + other.wall,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
            // What one answer lacks of a step counts for the next.
            step: self.step.max(other.step),
        }
    }

    /// The time of one of so many answers.
    #[must_use]
    pub fn of_one(self, answers: u32) -> Self {
        let share = |seconds: f64| seconds / f64::from(answers.max(1));
        Self {
            user: share(self.user),
            system: share(self.system),
            wall: share(self.wall),
            step: share(self.step),
            ..self
        }
    }

    /// Returns the time with the digits that tables have, so that what is computed of it follows from them.
    #[must_use]
    pub fn as_written(self) -> Self {
        let written = |seconds| rounded(seconds, USUAL_DIGITS);
        Self {
            user: written(self.user),
            system: written(self.system),
            wall: written(self.wall),
            step: written(self.step),
            ..self
        }
    }

    /// The time that `work` takes on this thread, and what it returns.
    pub fn by<T>(work: impl FnOnce() -> T) -> (Self, T) {
        let (begun, before) = (Instant::now(), thread_time());
        let done = work();
        let used = thread_time().saturating_sub(before);
        let spent = Self {
            user: used.as_secs_f64(),
            ..Self::on_the_wall(begun)
        };
        (spent, done)
    }

    /// The grain of the thread's clock in seconds: what two looks at it cost, and so the least
    /// difference that is one.
    pub fn grain() -> f64 {
        let mut looks: Vec<f64> = (0..101).map(|_| Self::by(|| ()).0.user).collect();
        looks.sort_by(f64::total_cmp);
        looks[50].max(1e-9)
    }
}

impl TimedAnswer {
    /// An answer. One to what was `asked`, the positions of metrics, that is only bounded was stopped by its nodes;
    /// what else it says may be bounded.
    pub fn answered(spent: Spent, values: AnswerValues, asked: &[usize]) -> Self {
        let is_open = |at: &usize| matches!(values[*at], Some(Value::Bounds { .. }));
        Self {
            state: if asked.iter().any(is_open) {
                TimingState::Capped
            } else {
                TimingState::Done
            },
            spent,
            values,
            trouble: None,
        }
    }

    /// No answer to any of so many metrics, and the trouble that is to blame.
    pub fn stopped(
        state: TimingState,
        spent: Spent,
        metrics: usize,
        trouble: &impl ToString,
    ) -> Self {
        Self {
            state,
            spent,
            values: vec![None; metrics],
            trouble: Some(trouble.to_string()),
        }
    }

    /// Returns the answer, which counts as none if it took as many seconds of the processor as `cap`.
    #[must_use]
    pub fn within(mut self, cap: Option<f64>) -> Self {
        let is_late = cap.is_some_and(|cap| self.spent.processor() >= cap);
        if is_late && self.state == TimingState::Done {
            self.state = TimingState::Capped;
        }
        self
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn sleeping_takes_no_processor_time_and_spinning_does() {
        let (asleep, ()) = Spent::by(|| std::thread::sleep(Duration::from_millis(20)));
        assert!(
            asleep.processor() < 0.01 && asleep.wall >= 0.02,
            "{asleep:?}"
        );
        let until = thread_time() + Duration::from_millis(20);
        let (busy, ()) = Spent::by(|| while thread_time() < until {});
        assert!(busy.processor() >= 0.019 && busy.wall >= 0.019, "{busy:?}");
        assert!(Spent::grain() < 1e-4);
    }

    /// A search that decides whether a game can be won leaves open how many cards a lost one brings home.
    #[test]
    fn an_answer_is_open_if_what_was_asked_is() {
        let values = vec![
            Some(Value::flag(false)),
            Some(Value::Bounds { lower: 6, upper: 8 }),
        ];
        for (asked, state) in [
            (vec![0], TimingState::Done),
            (vec![1], TimingState::Capped),
            (vec![0, 1], TimingState::Capped),
        ] {
            let answer = TimedAnswer::answered(Spent::default(), values.clone(), &asked);
            assert_eq!(answer.state, state, "{asked:?}");
        }
    }

    #[test]
    fn times_of_answers_are_summed_and_shared_but_memory_and_steps_are_the_largest() {
        let spent = |[user, system, wall, step]: [f64; 4], peak_bytes| Spent {
            user,
            system,
            wall,
            peak_bytes,
            step,
        };
        let one = spent([1.0, 0.5, 2.0, 0.01], Some(5));
        let other = spent([3.0, 0.25, 8.0, 0.04], Some(7));
        let both = spent([4.0, 0.75, 10.0, 0.04], Some(7));
        assert_eq!((one.and(other), other.and(one)), (both, both));
        assert_eq!(
            both.of_one(4),
            spent([1.0, 0.1875, 2.5, 0.01], Some(7)),
            "a step is shared like the time that it is a part of"
        );
        assert_eq!(both.of_one(0), both);
        assert_eq!(both.processor(), 4.75);
    }

    /// The cap is in processor time: of the user and of the system together.
    #[test]
    fn an_answer_that_takes_as_long_as_its_cap_is_stopped() {
        let spent = Spent {
            user: 0.75,
            system: 0.25,
            wall: 9.0,
            ..Spent::default()
        };
        let state = |cap| {
            let answer = TimedAnswer::answered(spent, Vec::new(), &[]);
            answer.within(cap).state
        };
        let (done, capped) = (TimingState::Done, TimingState::Capped);
        for (cap, expected) in [(None, done), (Some(1.25), done), (Some(1.0), capped)] {
            assert_eq!(state(cap), expected, "{cap:?}");
        }
        let failed = TimedAnswer::stopped(TimingState::Failed, spent, 2, &"no");
        assert_eq!(failed.values.len(), 2);
        assert_eq!(failed.within(Some(0.5)).state, TimingState::Failed);
    }

    /// An entrant whose answers end in these states, the first after a second, the next after two and so on.
    struct Listed(Vec<TimingState>, usize);

    impl Entrant for Listed {
        fn answer(&mut self, _: u64) -> TimedAnswer {
            self.1 += 1;
            let spent = Spent {
                user: self.1 as f64,
                ..Spent::default()
            };
            TimedAnswer::stopped(self.0[self.1 - 1], spent, 1, &"")
        }
    }

    #[test]
    fn answers_in_a_row_end_with_the_first_that_is_none() {
        let (done, capped) = (TimingState::Done, TimingState::Capped);
        for (states, repeats, asked, mean, state) in [
            (vec![done; 4], 3, 3, 2.0, done),
            (vec![done; 4], 1, 1, 1.0, done),
            (vec![done, capped, done], 3, 2, 1.5, capped),
            (vec![capped, done, done], 3, 1, 1.0, capped),
        ] {
            let mut entrant = Listed(states, 0);
            let taken = entrant.answers(7, repeats);
            assert_eq!((entrant.1, taken.state), (asked, state));
            assert_eq!(taken.spent.user, mean);
            assert!(entrant.restart().is_none() && entrant.memory_means().is_none());
        }
    }

    #[test]
    fn times_are_written_with_the_digits_of_tables() {
        let third = 1.0 / 3.0;
        let spent = Spent {
            user: third,
            system: 2.0 * third,
            wall: 4.0 * third,
            peak_bytes: Some(5),
            step: third / 10.0,
        };
        let written = spent.as_written();
        let numbers = |spent: Spent| [spent.user, spent.system, spent.wall, spent.step];
        for (long, short) in numbers(spent).into_iter().zip(numbers(written)) {
            assert_eq!(short, rounded(long, USUAL_DIGITS));
            assert_ne!(short, long);
        }
        assert_eq!(written.peak_bytes, Some(5));
    }
}
