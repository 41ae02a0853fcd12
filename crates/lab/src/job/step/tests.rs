use super::*;
use crate::coin;
use crate::run::{Ended, Shard};
use experiment::Overrides;

const SWEEP: &str = "[sweep]\np = [0.25, 0.5]\n";
const RACE: &str = "[contenders.bent]\np = 0.25\n[contenders.fair]\np = 0.5\n";

fn coins(samples: u64, more: &str) -> Experiment {
    let text = format!(
        "question = \"?\"\ntask = \"coin/flip\"\nseed = 2026\n[stop]\nsamples = {samples}\n{more}"
    );
    Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default()).unwrap()
}

fn race(samples: u64, more: &str) -> Experiment {
    coins(samples, &format!("{RACE}{more}"))
        .into_race()
        .unwrap()
}

/// A folder with all samples of an experiment, of which the tables can be made anew.
fn archived(experiment: Experiment) -> Held {
    let reason = StopReason::Samples;
    Held {
        folder: "out".into(),
        manifest: Some(Manifest {
            exit_reason: Ended::Complete(reason),
            samples_done: experiment.stop.max_samples,
            shard: Shard::WHOLE,
            ..Manifest::default()
        }),
        has_blocks: true,
        is_own: true,
        raced: experiment.stop.max_samples,
        sources: Sources::Intact,
        experiment,
    }
}

fn complete(experiment: Experiment) -> Held {
    Held {
        sources: Sources::None,
        ..archived(experiment)
    }
}

/// A folder whose run was cut short after `raced` instances.
fn part(experiment: Experiment, raced: u64) -> Held {
    Held {
        manifest: Some(Manifest::default()),
        raced,
        ..complete(experiment)
    }
}

/// The step and the looks that it remembers, or the refusal.
fn told(held: Option<&Held>, asked: &Experiment, wish: ResumeMode) -> String {
    let asked = Asked {
        experiment: asked,
        plan: Plan::of(asked),
        is_external: false,
    };
    match next_step(held, &asked, wish) {
        Ok((step, experiment)) => format!("{step:?} after {:?}", experiment.file.extended_from),
        Err(refusal) => refusal.message,
    }
}

#[test]
fn a_step_follows_from_what_is_held_asked_and_wished() {
    use ResumeMode::{Keep, Resume, StartOver};
    let own = || coins(9, SWEEP);
    let reworded = || coins(9, &format!("{SWEEP}[labels]\np = \"chance\"\n"));
    let wider = || coins(9, "[sweep]\np = [0.25, 0.5, 1]\n");
    let lost = || Held {
        manifest: None,
        is_own: false,
        ..complete(own())
    };
    let edited = || Held {
        sources: Sources::Edited(Failure::failed("out: tallies.csv was changed")),
        ..archived(own())
    };
    let go_on = "Continue { is_extended: false, added: None }";
    let cases: [(Option<Held>, Experiment, ResumeMode, &str); 22] = [
        (None, own(), Keep, "Begin after []"),
        (None, own(), Resume, "Begin after []"),
        (Some(complete(own())), own(), StartOver, "Begin after []"),
        (
            Some(complete(own())),
            own(),
            Keep,
            "Complete(Samples) after []",
        ),
        (Some(complete(own())), own(), Resume, go_on),
        (
            Some(archived(own())),
            own(),
            Resume,
            "Remake(Samples) after []",
        ),
        (
            Some(archived(own())),
            reworded(),
            Resume,
            "Remake(Samples) after []",
        ),
        (
            Some(archived(own())),
            reworded(),
            Keep,
            "the experiment has changed since",
        ),
        (Some(edited()), own(), Resume, "tallies.csv was changed"),
        (Some(edited()), own(), StartOver, "Begin after []"),
        (
            Some(part(own(), 0)),
            own(),
            Keep,
            "an unfinished run of this experiment (9 samples",
        ),
        (Some(part(own(), 0)), own(), Resume, go_on),
        (
            Some(complete(own())),
            coins(20, SWEEP),
            Keep,
            "a complete run of 9 samples",
        ),
        (
            Some(complete(own())),
            coins(20, SWEEP),
            Resume,
            "Continue { is_extended: true, added: None } after [9]",
        ),
        (
            Some(complete(own())),
            coins(5, SWEEP),
            Resume,
            "a larger run of this experiment: 9",
        ),
        (
            Some(complete(own())),
            wider(),
            Resume,
            "added: Some(\"1 cell is new (1), 2 are kept",
        ),
        (
            Some(complete(wider())),
            own(),
            Resume,
            "1 cell more than the file names (1)",
        ),
        (
            Some(complete(wider())),
            own(),
            StartOver,
            "1 cell more than the file names (1)",
        ),
        (
            Some(complete(own())),
            coins(9, "[budget]\nnodes = 9\n"),
            StartOver,
            "another run (`x`, seed 2026): `[budget]` is new; `p = 0.25` is taken out",
        ),
        (Some(lost()), own(), Resume, "manifest.json is missing"),
        (Some(lost()), own(), StartOver, "Begin after []"),
        (
            Some(complete(race(9, ""))),
            race(9, ""),
            Keep,
            "Complete(Samples) after []",
        ),
    ];
    for (at, (held, asked, wish, expected)) in cases.into_iter().enumerate() {
        let told = told(held.as_ref(), &asked, wish);
        assert!(told.contains(expected), "case {at}, {wish:?}: {told}");
    }
}

#[test]
fn a_race_goes_on_with_its_contenders_and_remembers_each_look() {
    use ResumeMode::{Keep, Resume, StartOver};
    let third = "[contenders.heavy]\np = 0.75\n";
    let cases: [(Held, Experiment, ResumeMode, &str); 12] = [
        (
            archived(race(9, "")),
            race(9, ""),
            Resume,
            "Remake(Samples) after []",
        ),
        (
            complete(race(9, "")),
            race(9, ""),
            Resume,
            "Complete(Samples) after []",
        ),
        (
            complete(race(9, "")),
            race(20, ""),
            Resume,
            "added: None } after [9]",
        ),
        (
            complete(race(9, "")),
            race(20, ""),
            Keep,
            "a part of this benchmark, 9 instances",
        ),
        (
            part(race(9, ""), 4),
            race(9, ""),
            Resume,
            "added: None } after []",
        ),
        (
            part(race(9, ""), 4),
            race(3, ""),
            Resume,
            "a part of this benchmark, 4 instances",
        ),
        // As many as are raced already, of a run that was cut short before its end.
        (
            part(race(9, ""), 4),
            race(4, ""),
            Resume,
            "added: None } after [4]",
        ),
        (
            part(race(9, ""), 0),
            race(20, ""),
            Resume,
            "added: None } after [1]",
        ),
        (
            part(race(9, ""), 4),
            race(9, ""),
            StartOver,
            "Begin after []",
        ),
        (
            complete(race(9, third)),
            race(9, ""),
            Resume,
            "another benchmark: contender heavy is taken out",
        ),
        (
            complete(race(9, "")),
            race(9, third),
            Resume,
            "another benchmark: `[contenders.heavy]` is new",
        ),
        (
            complete(coins(9, SWEEP)),
            race(9, ""),
            Resume,
            "something else than a benchmark",
        ),
    ];
    for (at, (held, asked, wish, expected)) in cases.into_iter().enumerate() {
        let told = told(Some(&held), &asked, wish);
        assert!(told.contains(expected), "case {at}, {wish:?}: {told}");
    }
}
