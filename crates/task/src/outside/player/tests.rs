//! What a player's faults mean, in a match and in the check before.

use std::time::Duration;

use kit::search::Budget;

use super::*;
use crate::outside::tests::{crash, program};
use crate::outside::{Consent, DeclaredProgram, EngineRule, Go, Reply, metric_names};
use crate::{Contest, Params};

fn declared(name: &str, loses: bool) -> PlayerDeclaration {
    let patience = Duration::from_millis(1_500);
    let program = DeclaredProgram {
        patience,
        ..program(&["./engine", "-x"])
    };
    PlayerDeclaration {
        name: name.to_owned(),
        program,
        go: Go::Nodes,
        loses,
    }
}

/// Engines whose handshake fails with this error.
#[derive(Debug)]
struct Fake(Arc<ProgramLog>, Option<WorkerError>);

struct FakeSeat;

impl Engines for Fake {
    fn log(&self) -> &Arc<ProgramLog> {
        &self.0
    }

    fn allow(&self, _: &Consent) {}

    fn close(&self) {}

    fn ask_second(&self, _: bool) {}

    fn end_second(&self) {}

    fn handshake(&self) -> Result<(), WorkerError> {
        self.1.clone().map_or(Ok(()), Err)
    }

    fn introduction(&self) -> Result<(String, Vec<String>), WorkerError> {
        Ok(Default::default())
    }

    fn seat(self: Arc<Self>, _: &Arc<OutsidePlayer>, _: &'static str) -> Box<dyn Seat> {
        Box::new(FakeSeat)
    }
}

impl Seat for FakeSeat {
    fn begin(&mut self, _: &str, _: &[EngineRule], _: &[u8; 32]) -> Result<(), WorkerError> {
        Ok(())
    }

    fn takes_seed(&self) -> bool {
        true
    }

    fn note(&mut self, _: &str) {}

    fn choose(&mut self, _: &str, _: Budget) -> Result<Reply, WorkerError> {
        Ok(Reply::default())
    }

    fn foul(&mut self, illegal: WorkerError) -> WorkerError {
        illegal
    }

    fn end(&mut self) -> Result<(), WorkerError> {
        Ok(())
    }
}

fn player(loses: bool, fails: Option<WorkerError>) -> OutsidePlayer {
    let declaration = declared("kurt", loses);
    let log = Arc::new(ProgramLog::of(&declaration.program));
    OutsidePlayer::new(declaration, Arc::new(Fake(log, fails)))
}

fn silence() -> WorkerError {
    WorkerError::new(WorkerErrorKind::Silent, "no answer\nat all")
}

#[test]
fn a_player_is_out_where_its_faults_lose_and_it_never_took_part() {
    let environment = WorkerError::new(WorkerErrorKind::Environment, "no room");
    for (loses, fault, took_part, said) in [
        (true, None, false, Ok(None)),
        (true, Some(crash()), false, Ok(Some("it broke: the end"))),
        (
            true,
            Some(crash()),
            true,
            Err("player kurt took part in this run before: it broke"),
        ),
        (
            true,
            Some(environment.clone()),
            false,
            Err("player kurt: no room"),
        ),
        (false, Some(environment), false, Err("player kurt: no room")),
        (
            false,
            Some(crash()),
            false,
            Err("player kurt: it broke; with `faults = \"lose\"` in [players.kurt] it would"),
        ),
    ] {
        let player = player(loses, fault.clone());
        match (player.handshake(took_part), said) {
            (Ok(()), Ok(reason)) => {
                assert_eq!(player.out(), reason);
                assert_eq!(player.log().record().out, reason.unwrap_or_default());
            }
            (Err(error), Err(said)) => {
                assert!(error.message.starts_with(said), "{error}");
                assert_eq!(
                    (Some(error.kind), player.out()),
                    (fault.map(|fault| fault.kind), None)
                );
            }
            (greeted, said) => panic!("{greeted:?}, not {said:?}"),
        }
    }
    let out = player(true, Some(crash()));
    out.recall_out("first");
    out.recall_out("second");
    assert_eq!((out.out(), out.handshake(true)), (Some("first"), Ok(())));
}

#[test]
fn a_player_is_checked_once_on_each_side_unless_it_is_out() {
    let player = player(true, None);
    assert!(player.is_unchecked("fox") && player.is_unchecked("hens"));
    player.note_checked("fox");
    assert!(!player.is_unchecked("fox") && player.is_unchecked("hens"));
    player.recall_out("gone");
    assert!(!player.is_unchecked("hens"));
    let player = Arc::new(player);
    assert!(player.seat("fox").unwrap().takes_seed() && player.engines().is_some());
    let known = Players::declared(&[declared("nora", false)]);
    let error = known.0[0].seat("fox").err().unwrap();
    assert_eq!(error.kind, WorkerErrorKind::Environment);
    assert!(error.message.starts_with("nora is only declared") && known.0[0].engines().is_none());
}

/// The first forfeit is told, and each that the clock decided; matches of the check are not.
#[test]
fn forfeits_are_noted_outside_of_the_check() {
    let player = player(true, None);
    player.keep_matches("sample 3".to_owned());
    player.note_forfeit("sample 3", &silence());
    assert_eq!(player.log().record().timeouts.len(), 0);
    player.end_check(false);
    for (place, fault) in [
        ("a", crash()),
        ("b", silence()),
        ("c", silence()),
        ("c", silence()),
    ] {
        player.note_forfeit(place, &fault);
    }
    let record = player.log().record();
    assert_eq!(
        record.timeouts,
        [
            "kurt, b: no answer: forfeited",
            "kurt, c: no answer: forfeited"
        ]
    );
    let [remark] = &record.remarks[..] else {
        panic!("{record:?}")
    };
    assert!(
        remark.starts_with("kurt loses matches")
            && remark.ends_with("first in a: it broke: the end")
    );
    player.recall_out("gone");
    player.note_forfeit("d", &silence());
    assert_eq!(player.log().record().timeouts.len(), 2);
}

#[test]
fn a_player_that_is_silent_in_each_match_of_its_check_is_out() {
    for (begun, silences, is_out) in [(2, 2, true), (2, 1, false), (3, 2, false), (0, 0, false)] {
        let player = player(true, None);
        assert_eq!(player.begin_match(), None);
        player.keep_matches("sample 3".to_owned());
        (0..begun).for_each(|_| assert_eq!(player.begin_match().as_deref(), Some("sample 3")));
        (0..silences).for_each(|_| player.note_forfeit("a", &silence()));
        player.note_forfeit("a", &crash());
        player.exclude_silent();
        let told = "`./engine -x` gave no answer in 1.5 s, in each match of the check at the start";
        assert_eq!(
            player.out(),
            is_out.then_some(told),
            "{silences} of {begun}"
        );
        player.end_check(false);
        assert_eq!(player.begin_match(), None);
    }
    let unchecked = player(true, None);
    unchecked.exclude_silent();
    assert_eq!(unchecked.out(), None);
}

#[test]
fn the_matches_of_a_check_are_kept_in_order_where_they_differ() {
    let folder = tempfile::tempdir().unwrap();
    for (name, differed, kept) in [("a", false, 0), ("b", true, 2)] {
        let player = player(true, None);
        player.note_match("before");
        player.keep_matches("sample 3".to_owned());
        player.note_match("z");
        player.note_match("y");
        player.end_check(differed);
        player.note_match("after");
        player
            .log()
            .write_transcripts(&folder.path().join(name), "kurt")
            .unwrap();
        let files = std::fs::read_dir(folder.path().join(name)).unwrap();
        assert_eq!(files.count(), kept);
    }
    let read = |name| std::fs::read_to_string(folder.path().join("b").join(name)).unwrap();
    assert_eq!([read("kurt-001.txt"), read("kurt-002.txt")], ["y", "z"]);
}

#[test]
fn players_are_found_by_name_and_asked_for_when_they_are() {
    let declarations = [declared("kurt", false), declared("nora", true)];
    let players = Players::declared(&declarations);
    assert_eq!(players.names().collect::<Vec<_>>(), ["kurt", "nora"]);
    assert!(players.named("otto").is_none());
    assert_eq!(
        players.named("kurt").unwrap().declaration(),
        &declarations[0]
    );
    assert_eq!(players.unnamed(), Some(&declarations[1]));
    players.named("nora");
    assert_eq!(players.unnamed(), None);
    assert!(players.may_forfeit() && !Players::declared(&declarations[..1]).may_forfeit());
    assert!(players == Players::declared(&declarations));
    assert!(players != Players::declared(&declarations[..1]));
    let params = Params::new().with_players(&Arc::new(players));
    assert_eq!(params.players().unwrap().names().count(), 2);
}

#[test]
fn a_task_gains_a_count_of_forfeits_where_a_player_may_forfeit() {
    let metrics = vec![Metric::flag("win", "")];
    let mut task = TaskSpec::simple("a/b", "", metrics, |_, _| ());
    let names = |task: &TaskSpec, loses| {
        metric_names(&joined(task, &[declared("kurt", false), declared("nora", loses)]).metrics)
    };
    assert_eq!(
        (names(&task, false), names(&task, true)),
        ("win".to_owned(), "win, forfeits".to_owned())
    );
    assert_eq!(
        joined(&task, &[declared("nora", true)]).metrics[1].limits(),
        Some((0, 2))
    );
    task.contest = Some(Contest {
        first: "fox",
        second: "hens",
        win: "win",
        draw: "win",
    });
    assert_eq!(names(&task, true), "win, fox-forfeits, hens-forfeits");
}
