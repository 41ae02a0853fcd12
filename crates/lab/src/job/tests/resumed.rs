//! Runs that go on in their folders.

use super::*;

fn resumed(job: Job) -> Job {
    let mode = ResumeMode::Resume;
    Job { mode, ..job }
}

/// Without a manifest only the first blocks of a whole run can be nobody else's.
#[test]
fn a_run_without_a_manifest_is_known_by_its_first_blocks() {
    let forget = |run: &Run| std::fs::remove_file(run.file("manifest.json")).unwrap();
    let half = || {
        let mut half = flips(8, "");
        half.plan = half.plan.with_shard(Shard::new(0, 2).unwrap());
        half
    };
    let run = Run::finished(8, "");
    let rows = run.text("blocks.csv");
    forget(&run);
    let cut: String = rows.split_inclusive('\n').take(7).collect();
    run.forge("blocks.csv", cut);
    run.go_on(resumed(flips(8, ""))).unwrap();
    assert_eq!(run.text("blocks.csv"), rows);
    forget(&run);
    let lines = rows.split_inclusive('\n').enumerate();
    let with_hole: String = lines
        .filter(|(at, _)| *at != 5)
        .map(|(_, line)| line)
        .collect();
    run.forge("blocks.csv", with_hole);
    assert!(run.go_on(resumed(flips(8, ""))).is_err());
    let shard = Run::of(half());
    forget(&shard);
    assert!(shard.go_on(resumed(half())).is_err());
}

/// The program that made the tables is named where that is another program than the one that drew the samples.
#[test]
fn tables_that_are_made_anew_name_their_maker_if_it_is_another() {
    let run = Run::finished(8, "").archived();
    let remade = |revision: Option<&str>| {
        run.forge("summary.csv", "edited\n");
        run.list();
        let revision = revision.map(str::to_owned);
        run.forge_manifest(|manifest| manifest.git_revision = revision);
        run.go_on(resumed(flips(8, ""))).unwrap();
        run.job().manifest.tables_by
    };
    let own = Application::LIBRARY.revision;
    assert_eq!(remade(own), None);
    assert_eq!(remade(Some("another")).unwrap().revision.as_deref(), own);
}

/// Of a run that stores samples, what is lost of them is drawn again, and all files are as before.
#[test]
fn lines_of_samples_that_are_lost_are_drawn_again() {
    let run = Run::finished(8, KEPT);
    let [rows, samples] = ["blocks.csv", "samples.csv"].map(|name| run.text(name));
    for kept in [1, 6, 9] {
        let lines = samples.split_inclusive('\n');
        run.forge("samples.csv", lines.take(kept).collect::<String>());
        run.forge_manifest(|manifest| manifest.exit_reason = crate::run::Ended::Running);
        run.go_on(resumed(flips(8, KEPT))).unwrap();
        assert_eq!(run.text("blocks.csv"), rows, "{kept}");
        assert_eq!(run.text("samples.csv"), samples, "{kept}");
    }
}

/// The archive of a run of which samples were late would not say which.
#[test]
fn an_archive_has_no_late_samples() {
    let run = Run::finished(8, "");
    let job = run.job();
    let mut remade = crate::store::Remade::new(&job.schema());
    for block in job.plan.blocks() {
        let row = |cell| job.compiled.source(cell).sample(block.first).unwrap();
        let mut rows = [0, 1].map(|cell| vec![row(cell)]);
        rows[1][0].timed_out = block.index == 4;
        let tally = crate::run::BlockTally::of(&job.compiled, block.first, &rows);
        remade.push(block, &tally);
    }
    let journal = remade.into_journal().unwrap();
    let told = crate::store::archive(&journal).unwrap_err().to_string();
    assert!(told.contains("samples timed out"), "{told}");
}

/// Of two coins that are there already nothing is drawn, and neither table nor line is another than in a fresh run;
/// what was forged of their samples is drawn again.
#[test]
fn a_cell_that_is_added_leaves_the_others_as_they_are() {
    let three = || job_of(&flips_text(8, KEPT).replace("[0.25, 0.75]", "[0.25, 0.5, 0.75]"));
    let fresh = Run::of(three());
    for is_forged in [false, true] {
        let run = Run::finished(8, KEPT);
        if is_forged {
            let samples = run.text("samples.csv");
            let forged = samples.replacen(",1,", ",0,", 1);
            assert_ne!(forged, samples);
            run.forge("samples.csv", forged);
        }
        run.go_on(resumed(three())).unwrap();
        for name in ["blocks.csv", "samples.csv", "pairs.csv"] {
            if fresh.file(name).exists() {
                assert_eq!(run.text(name), fresh.text(name), "{name}, {is_forged}");
            }
        }
    }
}

/// A race of three instances, of whose times the last ones are lost.
#[test]
fn a_race_goes_on_after_the_last_instance_that_is_whole() {
    let race = |rule: &str| {
        let text = format!(
            "question = \"?\"\ntask = \"coin/flip\"\nseed = 8\n[contenders.bent]\np = 0.5\nengraving = \"bent\"\n\
             [contenders.fair]\np = 0.5\n[bench]\nrepeats = 1\n{rule}"
        );
        let experiment = Experiment::parse(&text, "x.toml", coin::GAMES, &Overrides::default());
        let mut job = Job::of_app(&PROGRAM, experiment.unwrap().into_race().unwrap()).unwrap();
        job.threads = 1;
        job
    };
    let run = Run::of(race("[stop]\nsamples = 3\n"));
    let job = run.job();
    assert_eq!(job.manifest.exit_reason.to_string(), "complete");
    assert_eq!(job.raced().unwrap(), 3);
    let clock = run.text("clock.csv");
    let cut = clock[..clock.len() - 1].rfind('\n').unwrap() + 1;
    run.forge("clock.csv", &clock[..cut]);
    run.list();
    let job = run.job();
    let journal = job.journal_in(&run.path()).unwrap();
    let timings = job.timings(&journal).unwrap();
    assert!(timings.iter().all(|timing| timing.instance < 2));
    assert_eq!(job.raced().unwrap(), 2);
    let rule =
        "[stop.ratio]\nfirst = \"bent\"\nsecond = \"fair\"\nwithin = 1.0001\nmax-samples = 3\n";
    let capped = Run::of(race(rule)).job().manifest.exit_reason;
    assert_eq!(
        capped,
        crate::run::Ended::Complete(crate::run::StopReason::MaxSamples)
    );
}
