//! The loop of a race: instances in order, each by one thread at a time.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::race::{BenchRace, Raced, rounds};
use super::setting::Setting;
use lab::job::Failure;
use lab::threads;
use lab::threads::lock;

/// The range of instances of a session.
#[derive(Clone, Copy, Debug)]
pub struct RaceCourse {
    /// The first instance.
    pub first: u64,
    /// The instance after the last one.
    pub end: u64,
    /// The rounds of every instance; chosen by the first answers where there are none.
    pub rounds: Option<u64>,
    /// The threads that measure side by side.
    pub threads: u16,
}

/// Takes in what was measured: of an instance, or the first answers after a start, which are of
/// none. Returns whether to go on.
type Next<'a> = &'a mut (dyn FnMut(Option<u64>, Raced) -> bool + Send);

/// The state that the threads share.
struct Conductor<'a> {
    /// The instances that nobody measures yet.
    left: RaceCourse,
    /// The instance that is handed on next.
    expected: u64,
    /// Instances that were measured before those that come first.
    waiting: BTreeMap<u64, Raced>,
    goes_on: bool,
    fault: Option<Failure>,
    next: Next<'a>,
}

impl Conductor<'_> {
    /// Takes in the first answers of a thread, by which the rounds are chosen.
    fn start(&mut self, measured: Raced) {
        self.left.rounds.get_or_insert_with(|| rounds(&measured));
        self.goes_on &= (self.next)(None, measured);
    }

    /// Takes in an instance, and hands on those whose turn it is.
    fn push(&mut self, instance: u64, measured: Raced) {
        self.waiting.insert(instance, measured);
        while self.goes_on
            && let Some(measured) = self.waiting.remove(&self.expected)
        {
            self.goes_on = (self.next)(Some(self.expected), measured);
            self.expected += 1;
        }
    }

    /// The next instance to measure and its rounds; `None` at the end.
    fn task(&mut self) -> Option<(u64, u64)> {
        let instance = self.left.first;
        let is_one = self.goes_on && instance < self.left.end;
        self.left.first += u64::from(is_one);
        is_one.then_some((instance, self.left.rounds.unwrap_or(1)))
    }
}

/// Races over the instances of a course, and hands them on in order until `next` says to stop.
///
/// # Errors
/// If a contender cannot start or answer.
pub fn drive(setting: &Setting, course: RaceCourse, next: Next<'_>) -> Result<(), Failure> {
    let conductor = Mutex::new(Conductor {
        left: course,
        expected: course.first,
        waiting: BTreeMap::new(),
        goes_on: true,
        fault: None,
        next,
    });
    let fail = |fault| {
        let mut conductor = lock(&conductor);
        conductor.fault.get_or_insert(fault);
        conductor.goes_on = false;
    };
    let measure = || {
        if let Err(fault) = measure(setting, course.first, &conductor) {
            fail(fault);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..course.threads {
            if let Err(error) = threads::spawn_scoped(scope, measure) {
                fail(Failure::failed(error));
            }
        }
    });
    lock(&conductor).fault.take().map_or(Ok(()), Err)
}

/// Measures one instance after another by contenders of its own.
fn measure(setting: &Setting, first: u64, conductor: &Mutex<Conductor<'_>>) -> Result<(), Failure> {
    let mut race = BenchRace::of(setting)?;
    let measured = race.warm_up(first)?;
    lock(conductor).start(measured);
    let task = || lock(conductor).task();
    while let Some((instance, rounds)) = task() {
        let measured = race.run(instance, rounds);
        lock(conductor).push(instance, measured);
    }
    Ok(())
}
