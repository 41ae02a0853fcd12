//! The loop of a race: instances in order, some for each start, each by one thread at a time.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;

use super::race::{BenchRace, Raced};
use lab::experiment::Setting;
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
    /// The instances that are answered between two starts.
    pub per_start: u64,
    /// The number of the first start.
    pub start: u64,
    /// The answers in a row of every timing; chosen by the first ones where there are none.
    pub repeats: Option<u32>,
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
    /// Takes in the first answers after a start.
    fn start(&mut self, measured: Raced) {
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

    /// The next start, and the instances that are measured before another; `None` at the end.
    fn task(&mut self) -> Option<(u64, Range<u64>)> {
        let (first, start) = (self.left.first, self.left.start);
        let end = (first + self.left.per_start).min(self.left.end);
        (self.left.first, self.left.start) = (end, start + 1);
        (self.goes_on && first < end).then_some((start, first..end))
    }
}

/// Races over the instances of a course, and hands them on in order until `next` says to stop. Returns
/// the answers in a row of every timing.
///
/// # Errors
/// If a contender cannot start or answer.
pub fn drive(setting: &Setting, course: RaceCourse, next: Next<'_>) -> Result<u32, Failure> {
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
    let mut conductor = lock(&conductor);
    let repeats = conductor.left.repeats.unwrap_or_default();
    conductor.fault.take().map_or(Ok(repeats), Err)
}

/// Measures one instance after another by entrants of its own.
fn measure(setting: &Setting, first: u64, conductor: &Mutex<Conductor<'_>>) -> Result<(), Failure> {
    let mut race = BenchRace::of(setting)?;
    let task = || lock(conductor).task();
    while let Some((start, instances)) = task() {
        let measured = race.restart(start, instances.start);
        if instances.start == first {
            measured.check_started(setting, first)?;
        }
        lock(conductor).start(measured);
        let repeats = lock(conductor).left.repeats;
        let repeats = repeats.unwrap_or_else(|| race.repeats(instances.start));
        lock(conductor).left.repeats.get_or_insert(repeats);
        for instance in instances {
            if !lock(conductor).goes_on {
                break;
            }
            let measured = race.run(instance, repeats);
            lock(conductor).push(instance, measured);
        }
    }
    Ok(())
}
