//! Rows as they are drawn, drawn again and replayed.

use std::sync::Mutex;

use super::*;
use crate::{Params, coin, worker_of};

/// Heads of a coin in a row, drawn with these budgets.
fn flips(budgets: &[u64]) -> SampleSource {
    let spec = &coin::GAME.tasks[0];
    let task = spec.build(&Params::defaults(&spec.params)).unwrap();
    let budgets = budgets.iter().map(|&nodes| Budget::nodes(nodes));
    let metrics = spec.metrics.to_vec().into();
    SampleSource::new(task, metrics, Streams::new(3), budgets.collect())
}

fn drawn(source: &SampleSource, first: u64, count: usize) -> Vec<Row> {
    let mut rows = vec![Row::new(); count];
    // What a row held before does not count.
    rows[0].push(Value::Exact(9));
    let drawn = source.draw(&mut Workspace::new(), first, &mut rows);
    drawn.unwrap();
    rows
}

/// A flip takes a node: of 1, 3 and 100 nodes the first counts that leaves nothing open.
#[test]
fn a_sample_is_drawn_with_the_least_budget_that_leaves_nothing_open() {
    let all = [1, 3, 100];
    let with = all.map(|nodes| drawn(&flips(&[nodes]), 0, 40));
    let rows = drawn(&flips(&all), 0, 40);
    let is_open = |row: &Row| {
        row.values()
            .iter()
            .any(|v| matches!(v, Value::Bounds { .. }))
    };
    let mut met = [0; 3];
    for (at, row) in rows.iter().enumerate() {
        let enough = with.iter().position(|rows| !is_open(&rows[at])).unwrap();
        assert_eq!(*row, with[enough][at], "sample {at}");
        met[enough] += 1;
        let told = flips(&all).replay(at as u64).unwrap();
        assert_eq!(told, flips(&[all[enough]]).replay(at as u64).unwrap());
    }
    assert!(met.iter().all(|&met| met > 0), "{met:?}");
    assert!(is_open(
        &drawn(&flips(&[1]), 0, 40)[rows
            .iter()
            .position(|row| row.values()[1] != Value::Exact(0))
            .unwrap()]
    ));
}

#[test]
fn a_block_holds_its_own_samples_up_to_the_last_that_is_drawn() {
    let source = flips(&[100]);
    let rows = drawn(&source, 4, 3);
    for (row, index) in rows.iter().zip(4..) {
        assert_eq!(*row, source.sample(index).unwrap());
        assert_eq!(row.control, None);
    }
    assert!(rows[0] != rows[1] || rows[1] != rows[2]);
    let cut = drawn(&source.drawn_until(Some(6)), 4, 3);
    assert_eq!(cut[..2], rows[..2]);
    assert_eq!(cut[2].values(), [Value::Missing; 3]);
    let none = drawn(&flips(&[100]).drawn_until(Some(2)), 4, 1);
    assert_eq!(none[0].values(), [Value::Missing; 3]);
}

/// A first flip that lands low shows heads, so heads is its own control.
#[test]
fn a_control_is_that_of_its_sample() {
    let source = flips(&[100]).with_control(true);
    let rows = drawn(&source, 0, 20);
    let lows: Vec<_> = rows
        .iter()
        .map(|row| row.control.map(Value::Exact))
        .collect();
    let heads: Vec<_> = rows.iter().map(|row| Some(row.values()[0])).collect();
    assert_eq!(lows, heads);
    assert!(heads.contains(&Some(Value::flag(true))) && heads.contains(&Some(Value::flag(false))));
    assert_eq!(source.metrics().len(), 3);
    assert!(source.task().control().is_some());
}

/// A task whose n-th draw has the n-th of these values and is late where it is none; it judges a first value of 7.
struct Listed(Mutex<Vec<Option<i64>>>);

impl Task for Listed {
    fn worker<'a>(&'a self, _: &Streams, _: &'a mut Workspace) -> Box<dyn Worker + 'a> {
        worker_of(|_, row| {
            let value = self.0.lock().unwrap().remove(0);
            row.push(Value::Exact(value.unwrap_or(0)));
            row.timed_out = value.is_none();
            Ok(())
        })
    }

    fn replay(&self, _: &Streams, draw: Draw) -> Result<Replay, SampleError> {
        Err(SampleError::new(draw.index, "it is not told"))
    }

    fn check_repeatable(&self, _: &Streams, budget: Budget) -> Result<(), SampleError> {
        Err(SampleError::new(budget.limit(), "it differs"))
    }

    fn judge(
        &self,
        _: &Streams,
        _: Draw,
        [first, again]: [&Row; 2],
    ) -> Result<Option<Row>, SampleError> {
        let mut judged = Row::new();
        again
            .values()
            .iter()
            .for_each(|_| judged.push(Value::Exact(1)));
        Ok((first.values() == [Value::Exact(7)]).then_some(judged))
    }
}

fn listed(values: &[Option<i64>]) -> SampleSource {
    let task = Box::new(Listed(Mutex::new(values.to_vec())));
    let metrics = vec![Metric::integer("grade", "", (0, 9), "")].into();
    let budgets = vec![Budget::nodes(5), Budget::nodes(6)].into();
    SampleSource::new(task, metrics, Streams::new(3), budgets)
}

#[test]
fn a_sample_that_differs_when_it_is_drawn_again_is_told_or_judged() {
    for (values, expected) in [
        ([Some(2), Some(2)], Ok(Value::Exact(2))),
        (
            [Some(2), Some(3)],
            Err("`grade` is 2, then 3 when it is drawn again"),
        ),
        ([Some(2), None], Ok(Value::Exact(2))),
        ([None, Some(3)], Ok(Value::Exact(0))),
        ([Some(7), Some(3)], Ok(Value::Exact(1))),
    ] {
        let source = listed(&values);
        let mut row = source.sample(8).unwrap();
        let told = source.redraw(8, &mut row);
        match expected {
            Ok(value) => assert_eq!((told, row.values()), (Ok(()), &[value][..]), "{values:?}"),
            Err(said) => {
                let error = told.unwrap_err();
                assert_eq!(error.sample, 8);
                assert!(error.message.starts_with(said), "{error}");
            }
        }
    }
}

#[test]
fn what_a_task_does_not_declare_is_an_error_of_its_sample() {
    let mut rows = vec![Row::new(); 2];
    let source = listed(&[Some(2), Some(10)]);
    let drawn = source.draw(&mut Workspace::new(), 4, &mut rows);
    let error = drawn.unwrap_err();
    assert_eq!(error.sample, 5);
    assert!(error.message.contains("grade"), "{error}");
    assert_eq!(source.check_repeatable().unwrap_err().sample, 5);
    assert!(listed(&[Some(1)]).replay(1).is_err());
}
