//! Forgeries of run folders that a single check notices: all others find them sound, so that without it each would
//! pass.

use super::verify::BlockCounts;
use super::*;
use crate::run::{Ended, RunTallies, StopReason};
use crate::store::{MachineFacts, RaceSession, TALLIES, tallies_csv};
use task::Origin;

/// A clock has no second witness, and the table of claims is the right one: just the list of files tells.
#[test]
fn a_file_has_its_hash_in_the_manifest() {
    let run = Run::finished(8, CLAIM);
    assert_eq!(run.faults(ALL), [""; 0]);
    let timings = run.text("timings.csv");
    run.forge("timings.csv", format!("{timings}\n"));
    run.has_fault(ALL, "timings.csv: it is not the file");
    run.forge("timings.csv", timings);
    // While a run goes on, what grows is not known.
    let rows = run.text("blocks.csv");
    run.forge("blocks.csv", format!("{rows}\n"));
    let edited = |ended: Ended| {
        run.forge_manifest(|manifest| manifest.exit_reason = ended);
        let stored = run.job().stored();
        stored
            .edited(|_| true)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(edited(Ended::Running), [""; 0]);
    assert_eq!(edited(Ended::Complete(StopReason::Samples)), ["blocks.csv"]);
    run.forge("blocks.csv", rows);
    run.forge_manifest(|manifest| drop(manifest.files.remove("claims.csv")));
    run.has_fault(ALL, "claims.csv is not listed");
}

#[test]
fn a_sound_folder_is_checked_block_by_block_without_a_word() {
    let run = Run::finished(8, CLAIM);
    let chosen = ChosenBlocks::Named("2-4".parse().unwrap());
    let mut heard = Heard::default();
    let verified = run.job().verify(&chosen, &mut heard).unwrap();
    assert_eq!(verified.faults, [""; 0]);
    assert_eq!(verified.advice, None);
    assert_eq!(heard.warnings, [""; 0]);
    assert_eq!(heard.done, [(0, 3), (1, 3), (2, 3)]);
    let counts = BlockCounts {
        chosen: 3,
        stored: 12,
    };
    assert_eq!(verified.counts, counts);
    // The first is one of the 9 of 12 blocks that are not drawn, the second one of 8 of the other 11.
    let missed = counts.missed(2);
    assert!((missed - 9.0 / 12.0 * 8.0 / 11.0).abs() < 1e-12, "{missed}");
}

/// Of the values of all tables that differ ten are told, and how many more there are.
#[test]
fn ten_values_that_differ_are_told() {
    let run = Run::finished(8, CLAIM);
    let told = |edited: [(&str, usize); 2]| {
        let sound = edited.map(|(name, rows)| {
            let table = run.text(name);
            let lines = table.lines().enumerate().map(|(row, line)| {
                let is_edited = (1..=rows).contains(&row);
                let edited = line.rsplit_once(',').map(|(most, _)| format!("{most},7"));
                edited.filter(|_| is_edited).unwrap_or(line.to_owned()) + "\n"
            });
            run.forge(name, lines.collect::<String>());
            (name, table)
        });
        run.list();
        let faults = run.faults("0").join("\n");
        (sound.into_iter()).for_each(|(name, table)| run.forge(name, table));
        let is_value = |line: &&str| line.starts_with("  ") && !line.starts_with("  and ");
        let more = faults.lines().find(|line| line.starts_with("  and "));
        let values = faults.lines().filter(is_value).count();
        (values, more.unwrap_or_default().to_owned())
    };
    let both = |first, second| [("convergence.csv", first), ("summary.csv", second)];
    assert_eq!(told(both(8, 2)), (10, String::new()));
    assert_eq!(told(both(8, 3)), (10, "  and 1 more value".to_owned()));
    assert_eq!(told(both(12, 0)), (10, "  and 2 more values".to_owned()));
}

#[test]
fn a_table_is_what_its_blocks_give_whatever_its_hash() {
    let run = Run::finished(8, CLAIM);
    let summary = run.text("summary.csv");
    run.forge("summary.csv", summary.replacen(",12,", ",21,", 1));
    run.list();
    run.has_fault("0", "summary.csv differs");
    run.forge("summary.csv", summary);
    run.forge("elo.csv", "a table that no rule of the experiment makes\n");
    run.list();
    run.has_fault("0", "elo.csv is there, but");
    std::fs::remove_file(run.file("elo.csv")).unwrap();
    run.list();
    // The experiment's text names no hash of itself where the list has none.
    run.forge(
        "config.toml",
        format!("# mine\n{}", run.text("config.toml")),
    );
    run.forge_manifest(|manifest| drop(manifest.files.remove("config.toml")));
    run.has_fault("0", "config.toml differs");
}

/// All rows of the plan are sound; one that is not, or comes twice, stands below them.
#[test]
fn a_journal_has_just_the_rows_of_its_plan() {
    let run = Run::finished(8, "");
    let rows = run.text("blocks.csv");
    let last = rows.lines().last().unwrap();
    for (extra, told) in [("1,2,3", "line 15: "), (last, "extra rows")] {
        run.forge("blocks.csv", format!("{rows}{extra}\n"));
        run.list();
        run.has_fault(ALL, told);
        let told = run.archive().unwrap_err().to_string();
        assert!(told.contains("the journal is damaged"), "{told}");
    }
}

/// The rows of another seed with checksums of this run, and all that follows from them.
#[test]
fn a_row_is_what_its_samples_give_whatever_its_checksum() {
    let (run, other) = (Run::finished(8, ""), Run::finished(9, ""));
    let (path, schema) = (run.file("blocks.csv"), run.job().schema());
    let rows = other.union();
    rows.write_journal(&path, &schema, &Default::default())
        .unwrap();
    run.remake();
    run.list();
    let faults = run.faults(ALL);
    let is_told = |fault: &String| fault.contains("gives different numbers");
    assert!(faults.len() > 6 && faults.iter().all(is_told), "{faults:?}");
}

/// The samples of another seed, once with their hash in each row, once at the end alone, where no block is run again.
#[test]
fn a_line_of_samples_is_the_one_that_was_drawn_whatever_its_digest() {
    let (run, other) = (Run::finished(8, KEPT), Run::finished(9, KEPT));
    let [sound, foreign] = [&run, &other].map(|run| run.text("samples.csv"));
    let cut = sound.len() - sound.lines().last().unwrap().len() - 1;
    let last = foreign.lines().last().unwrap();
    assert_ne!(sound[cut..].trim_end(), last);
    run.forge("samples.csv", format!("{}{last}\n", &sound[..cut]));
    run.list();
    run.has_fault("0", "are not those stored");
    run.forge("samples.csv", format!("{sound}{last}\n"));
    run.list();
    run.has_fault(ALL, "extra lines at its end");
    let table = other.job().sample_table();
    let digests = other
        .union()
        .write_samples(&other.file("again.csv"), &table);
    let (path, schema) = (run.file("blocks.csv"), run.job().schema());
    run.forge("samples.csv", &sound);
    let rows = run.union();
    rows.write_journal(&path, &schema, &digests.unwrap())
        .unwrap();
    run.forge("samples.csv", foreign);
    run.list();
    let faults = run.faults(ALL);
    let is_told = |fault: &String| fault.contains("are different when run again");
    assert!(faults.len() > 6 && faults.iter().all(is_told), "{faults:?}");
}

/// A shard that waits for its second half: nothing else of the manifest tells how many samples it has.
#[test]
fn a_manifest_says_what_the_experiment_and_the_journal_say() {
    let mut half = flips(8, "");
    half.plan = half.plan.with_shard(Shard::new(0, 2).unwrap());
    half.to = 6;
    let run = Run::of(half);
    let sound = run.text("manifest.json");
    assert!(run.faults("0").is_empty());
    let forged: [(&str, Forge); 6] = [
        ("`experiment` is other", |forged| {
            forged.experiment = "other".into();
        }),
        ("`samples_planned` is 5, and 6", |forged| {
            forged.samples_planned = 5;
        }),
        ("`samples_done` is 2, and 3", |forged| {
            forged.samples_done = 2
        }),
        ("`fingerprint`", |forged| forged.fingerprint = "00".into()),
        ("`stream_scheme`", |forged| {
            forged.stream_scheme = "dice".into();
        }),
        ("`config_hash`", |forged| {
            forged.config_hash = "00".into();
            forged.files.remove("config.toml");
        }),
    ];
    for (told, forge) in forged {
        run.forge_manifest(forge);
        run.has_fault("0", &format!("manifest.json: {told}"));
        run.forge("manifest.json", &sound);
    }
}

/// The facts that reports ask of a manifest without looking at a row.
#[test]
fn a_manifest_does_not_contradict_itself() {
    let run = Run::finished(8, "");
    let job = run.job();
    let told = |forge: fn(&mut Manifest)| {
        let mut manifest = job.manifest.clone();
        forge(&mut manifest);
        manifest.contradiction(&job.experiment.file)
    };
    let interrupted = |forged: &mut Manifest| forged.exit_reason = Ended::Interrupted;
    assert_eq!(told(|_| ()), None);
    assert_eq!(told(interrupted), None);
    let cases: [(&str, Forge); 5] = [
        ("`experiment` is y, and x was", |forged| {
            forged.experiment = "y".into();
        }),
        ("`config_hash` is 00", |forged| {
            forged.config_hash = "00".into()
        }),
        ("`samples_planned` is 13, and 12 was", |forged| {
            (forged.samples_planned, forged.samples_done) = (13, 13);
        }),
        ("`samples_done` is 11, and 12 was", |forged| {
            forged.samples_done = 11
        }),
        ("`samples_done` is 13, and at most 12 was", |forged| {
            (forged.samples_done, forged.exit_reason) = (13, Ended::Interrupted);
        }),
    ];
    for (start, forge) in cases {
        let told = told(forge).unwrap_or_default();
        assert!(told.starts_with(start), "{told}");
    }
}

/// Sums of another seed, which some of the blocks contradict; and a look less before the right sums, which only all
/// blocks together contradict.
#[test]
fn the_sums_of_an_archive_are_those_of_its_blocks_whatever_their_checksums() {
    let run = Run::finished(8, "").archived();
    let other = Run::finished(9, "");
    let tallies = |run: &Run| {
        let job = run.job();
        job.tallies(&job.journal_in(&run.path()).unwrap()).unwrap()
    };
    let (own, foreign) = (tallies(&run), tallies(&other));
    let schema = run.job().schema();
    let hold = |tallies: &RunTallies| {
        run.forge(TALLIES, tallies_csv(tallies, &schema));
        run.remake();
        run.list();
    };
    hold(&foreign);
    run.has_fault("0-10", "does not hold the sums");
    let mut looks = own.clone();
    looks.looks.remove(0);
    assert!(looks != own && looks.is_consistent());
    let mut torn = own.clone();
    torn.total = foreign.total.clone();
    assert!(!torn.is_consistent());
    let impossible: [fn(&mut RunTallies); 2] = [
        |forged| forged.looks.swap(0, 1),
        |forged| forged.looks.extend_from_within(forged.looks.len() - 1..),
    ];
    for forge in impossible {
        let mut forged = own.clone();
        forge(&mut forged);
        assert!(!forged.is_consistent());
        run.forge(TALLIES, tallies_csv(&forged, &schema));
        run.list();
        run.has_fault(ALL, "its sums are not possible");
    }
    let mut rows = other.union();
    rows.cut(BLOCKS - 1);
    rows.write_journal(
        &other.file("blocks.csv"),
        &other.job().schema(),
        &Default::default(),
    )
    .unwrap();
    run.forge(TALLIES, tallies_csv(&tallies(&other), &schema));
    run.list();
    run.has_fault(ALL, "it sums up 11 samples");
    hold(&looks);
    run.has_fault(ALL, "does not hold the sums");
    assert_eq!(run.faults("0-10"), [""; 0], "the sums do not tell");
    run.forge(
        TALLIES,
        tallies_csv(&own, &schema).replacen(",12,", ",21,", 1),
    );
    run.list();
    run.has_fault("0", "the checksum does not match");
}

#[test]
fn a_folder_of_another_version_is_not_read() {
    let run = Run::finished(8, "");
    assert!(Stored::read(&run.path()).is_ok());
    run.forge_manifest(|manifest| manifest.etude_version = "0.0.1".into());
    assert!(Stored::read(&run.path()).is_err());
}

#[test]
fn a_run_that_has_not_ended_is_neither_verified_nor_archived() {
    let run = Run::finished(8, "");
    let verify = || {
        let all = ChosenBlocks::Named(ALL.parse().unwrap());
        let verified = run.job().verify(&all, &mut Silent);
        verified.map(drop).map_err(|failure| failure.message)
    };
    for ended in [Ended::Running, Ended::Aborted(2)] {
        run.forge_manifest(|manifest| manifest.exit_reason = ended);
        assert!(verify().is_err_and(|told| told.contains("the run ")));
        let told = run.archive().unwrap_err().message;
        assert!(told.contains("the run is not complete"), "{told}");
    }
    run.forge_manifest(|manifest| {
        manifest.exit_reason = Ended::Complete(StopReason::Samples);
        manifest.files.remove("blocks.csv");
    });
    assert!(verify().is_err_and(|told| told.contains("its archive was interrupted")));
}

/// Each contradicts the others in one thing.
#[test]
fn a_race_has_sessions_that_follow_one_another_on_a_clock_with_a_grain() {
    let session = |first, started_unix| RaceSession {
        started_unix,
        ..RaceSession::from(first, 1)
    };
    let machine = MachineFacts {
        repeats: 3,
        grain: 1e-8,
        sessions: vec![session(0, 50), session(4, 70), session(7, 70)],
        ..MachineFacts::default()
    };
    let told = |forge: fn(&mut MachineFacts)| {
        let mut forged = machine.clone();
        forge(&mut forged);
        forged.contradiction(9).unwrap_or_default()
    };
    assert_eq!(told(|_| ()), "");
    assert_eq!(
        machine.contradiction(7),
        None,
        "a session without an instance"
    );
    assert!(machine.contradiction(6).is_some());
    let order: [fn(&mut MachineFacts); 3] = [
        |forged| forged.sessions.clear(),
        |forged| forged.sessions = forged.sessions.split_off(1),
        |forged| forged.sessions.swap(1, 2),
    ];
    for forge in order {
        assert!(told(forge).starts_with("its sessions do not follow"));
    }
    let late = told(|forged| forged.sessions[0].started_unix = 71);
    assert!(late.starts_with("a session began before"));
    let unmeasured: [fn(&mut MachineFacts); 2] =
        [|forged| forged.grain = 0.0, |forged| forged.repeats = 0];
    for forge in unmeasured {
        assert!(told(forge).starts_with("`grain` and `repeats`"));
    }
}

/// A table is edited, and the manifest agrees.
#[test]
fn the_advice_names_who_wrote_the_tables() {
    let run = Run::finished(8, CLAIM);
    run.forge("summary.csv", run.text("summary.csv") + "\n");
    run.list();
    let advice = || {
        let chosen = ChosenBlocks::Named("0".parse().unwrap());
        let verified = run.job().verify(&chosen, &mut Silent).unwrap();
        verified.advice.unwrap()
    };
    let (told, remedy) = (advice(), "makes them anew");
    assert!(
        told.starts_with("somebody edited its tables, or another build") && told.ends_with(remedy),
        "{told}"
    );
    let other = Origin {
        revision: Some("of-the-dice".into()),
        ..Origin::now(&PROGRAM)
    };
    run.forge_manifest(|manifest| manifest.tables_by = Some(other));
    let told = advice();
    assert!(
        told.starts_with("its tables were written by") && told.contains("of-the-dice"),
        "{told}"
    );
}

/// A folder with the facts of a machine, which no session has measured.
#[test]
fn facts_of_a_machine_that_contradict_the_race_are_told() {
    let run = Run::finished(8, "");
    std::fs::create_dir(run.file("clock")).unwrap();
    let facts = serde_json::to_string(&MachineFacts::default()).unwrap();
    run.forge("clock/machine.json", facts);
    run.list();
    run.has_fault("0", "clock/machine.json: its sessions do not follow");
}
