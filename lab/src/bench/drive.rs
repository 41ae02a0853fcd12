//! The loop of a race: instances in order, each by one thread at a time.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, Sender};

use super::race::{BenchRace, Raced, rounds};
use super::setting::Setting;
use crate::job::Failure;

/// A thing that happened.
pub enum RaceEvent {
    /// The first answers after a start.
    Started(Raced),
    /// An instance, in order.
    Instance(u64, Raced),
}

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

/// A thread's message, with the way back by which it is told what to do next.
enum RaceMessage {
    Fault(Failure),
    Started(Raced, Sender<Assignment>),
    Done(u64, Raced, Sender<Assignment>),
}

/// The next instance and its rounds; `None` at the end.
type Assignment = Option<(u64, u64)>;

/// Races over the instances of a course, and hands them on in order until `next` says to stop.
///
/// # Errors
/// Where a contender cannot start or answer.
pub fn drive(
    setting: &Setting,
    course: RaceCourse,
    mut next: impl FnMut(RaceEvent) -> bool,
) -> Result<(), Failure> {
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..course.threads {
            let sender = sender.clone();
            scope.spawn(move || measure(setting, course.first, &sender));
        }
        drop(sender);
        conduct(&receiver, course, &mut next)
    })
}

/// Measures what it is told to.
fn measure(setting: &Setting, first: u64, sender: &Sender<RaceMessage>) {
    let (way_back, tasks) = mpsc::channel::<Assignment>();
    let started = BenchRace::of(setting).and_then(|mut race| {
        let measured = race.warm_up(first)?;
        Ok((race, measured))
    });
    // Whoever does not listen any more needs no answer.
    let (mut race, measured) = match started {
        Ok(started) => started,
        Err(fault) => return drop(sender.send(RaceMessage::Fault(fault))),
    };
    let _ = sender.send(RaceMessage::Started(measured, way_back.clone()));
    while let Ok(Some((instance, rounds))) = tasks.recv() {
        let measured = race.run(instance, rounds);
        let _ = sender.send(RaceMessage::Done(instance, measured, way_back.clone()));
    }
}

fn conduct(
    receiver: &Receiver<RaceMessage>,
    course: RaceCourse,
    next: &mut impl FnMut(RaceEvent) -> bool,
) -> Result<(), Failure> {
    let (mut coming, mut expected, mut goes_on) = (course.first, course.first, true);
    let (mut chosen, mut waiting, mut fault) = (course.rounds, BTreeMap::new(), None);
    for message in receiver {
        let way_back = match message {
            RaceMessage::Fault(found) => {
                fault.get_or_insert(found);
                goes_on = false;
                continue;
            }
            RaceMessage::Started(measured, way_back) => {
                chosen.get_or_insert_with(|| rounds(&measured));
                goes_on &= next(RaceEvent::Started(measured));
                way_back
            }
            RaceMessage::Done(instance, measured, way_back) => {
                waiting.insert(instance, measured);
                while goes_on && let Some(measured) = waiting.remove(&expected) {
                    goes_on = next(RaceEvent::Instance(expected, measured));
                    expected += 1;
                }
                way_back
            }
        };
        let task = (goes_on && coming < course.end).then_some((coming, chosen.unwrap_or(1)));
        coming += u64::from(task.is_some());
        let _ = way_back.send(task);
    }
    fault.map_or(Ok(()), Err)
}
