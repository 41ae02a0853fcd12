//! Lanes of workers whose answers are known.

use super::*;

/// A worker that gives these answers in turn, and takes so long.
struct Scripted<F>(F, u64, Spent);

impl<F: FnMut(u64, u64) -> TimedAnswer> Entrant for Scripted<F> {
    fn restart(&mut self) -> Option<Spent> {
        self.1 = 0;
        None
    }

    fn answer(&mut self, instance: u64) -> TimedAnswer {
        self.1 += 1;
        TimedAnswer {
            spent: self.2,
            ..(self.0)(instance, self.1)
        }
    }
}

fn answered(value: Value, trouble: Option<&str>) -> TimedAnswer {
    TimedAnswer {
        state: TimingState::Done,
        spent: Spent::default(),
        values: vec![Some(value)],
        trouble: trouble.map(str::to_owned),
    }
}

fn scripted(answer: impl FnMut(u64, u64) -> TimedAnswer + 'static) -> Box<dyn Entrant> {
    Box::new(Scripted(answer, 0, Spent::default()))
}

/// The control is the first contender once more: its trouble is the first one's.
#[test]
fn a_trouble_of_the_control_is_that_of_the_first_contender() {
    let race = Workers::of(1, 1.0).race(20);
    let own = |trouble| scripted(move |_, _| answered(Value::flag(true), trouble));
    let entrants = vec![own(None), own(None), own(Some("it coughs"))];
    let block = raced(&mut RaceLane::with(&race, entrants), 0).unwrap();
    assert_eq!(block.troubles.len(), 1);
    assert!(
        block.troubles[0].ends_with(": a: it coughs"),
        "{:?}",
        block.troubles
    );
}

/// After a start the first answer counts for nothing; of those that count the first is kept.
#[test]
fn the_first_answer_of_an_instance_is_the_one_that_counts() {
    let race = Workers::of(1, 1.0).race(20);
    let open = Value::flag_bounds(false, true);
    let own = || {
        scripted(move |_, answer| {
            let value = if answer == 2 { open } else { Value::flag(true) };
            answered(value, None)
        })
    };
    let block = raced(&mut RaceLane::with(&race, vec![own(), own(), own()]), 0).unwrap();
    let rows = block.samples.unwrap();
    assert_eq!(
        [&rows[0], &rows[1]].map(|rows| rows[0].values()[0]),
        [open; 2]
    );
}

/// Starts are counted from 1, and every part of a race has another.
#[test]
fn each_part_of_a_race_has_a_start_of_its_own() {
    let race = Workers::of(1, 1.0).race(20);
    let own = || scripted(|_, _| answered(Value::flag(true), None));
    let mut lane = RaceLane::with(&race, vec![own(), own(), own()]);
    let mut starts = Vec::new();
    for instance in 0..20 {
        let timings = raced(&mut lane, instance).unwrap().timings;
        assert!(
            timings
                .iter()
                .all(|timing| timing.start == timings[0].start)
        );
        starts.push(timings[0].start);
    }
    starts.dedup();
    assert_eq!(starts, Vec::from_iter(1..=race.experiment.parts()));
}

/// A contender that fails at three instances is asked for three others, and answers the last.
#[test]
fn a_contender_that_fails_at_first_is_asked_for_other_instances() {
    let race = |answered_from: u64| {
        let race = Workers::of(1, 1.0).race(20);
        let failing = || {
            scripted(move |instance, _| {
                let mut answer = answered(Value::flag(true), Some("it fails"));
                if instance < answered_from {
                    answer.state = TimingState::Failed;
                    answer.values = vec![None];
                }
                answer
            })
        };
        let sound = scripted(|_, _| answered(Value::flag(true), None));
        raced(
            &mut RaceLane::with(&race, vec![failing(), sound, failing()]),
            0,
        )
        .map(drop)
    };
    assert_eq!(race(3), Ok(()));
    assert!(race(4).is_err_and(|fault| matches!(fault.cause, Cause::NoAnswer(_))));
}

/// A timing lasts for thirty steps of its clock or a millisecond, unless the slowest would take too long for it.
#[test]
fn timings_are_repeated_as_often_as_the_slowest_allows() {
    let repeats = |times: [Spent; 3]| {
        let race = Workers::of(1, 1.0).race(20);
        let answer = |_: u64, _: u64| answered(Value::flag(true), None);
        let entrants =
            times.map(|spent| -> Box<dyn Entrant> { Box::new(Scripted(answer, 0, spent)) });
        RaceLane::with(&race, entrants.into()).repeats(0)
    };
    let took = |user: f64| Spent {
        user,
        wall: user,
        ..Spent::default()
    };
    assert_eq!(repeats([1e-5, 2e-5, 1e-5].map(took)), 100);
    assert_eq!(repeats([1e-5, 1e-3, 1e-5].map(took)), 50);
    assert_eq!(repeats([1e-5, 0.04, 1e-5].map(took)), 1);
    // Nothing is seen of four answers in two seconds on the wall: a quarter of a step each, at most.
    let stepped = Spent {
        step: 0.01,
        wall: 0.5,
        ..Spent::default()
    };
    assert_eq!(repeats([stepped; 3]), 120);
}
