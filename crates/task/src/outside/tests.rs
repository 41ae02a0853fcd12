//! Declarations of other people's programs, and what is kept of those that run.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::file_watch::FileWatch;
use super::*;
use crate::{Metric, Params, Row, Value};

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

pub(super) fn program(argv: &[&str]) -> DeclaredProgram {
    DeclaredProgram {
        argv: words(argv),
        ..DeclaredProgram::default()
    }
}

pub(super) fn crash() -> WorkerError {
    WorkerError::new(WorkerErrorKind::Crashed, "it broke\nline 2\n  the end ")
}

#[test]
fn a_log_keeps_what_happened_up_to_a_limit() {
    let log = ProgramLog::of(&program(&["./engine", "-x"]));
    log.note_executable(Path::new("/bin/engine"));
    log.note_start("first", "1");
    log.note_start("second", "2");
    (0..1_002).for_each(|at| {
        log.note_crash(format!("crash {at}"));
        log.note_timeout(format!("sample {}", at / 2 * 2));
        log.note_timeout(format!("sample {}", at / 2 * 2));
        log.keep_transcript(format!("text {at}"));
    });
    let record = log.record();
    assert_eq!((record.argv.len(), &*record.executable), (2, "/bin/engine"));
    assert_eq!(
        (record.started, &*record.name, &*record.version),
        (2, "second", "2")
    );
    assert_eq!((record.crashes.len(), record.timeouts.len()), (1_000, 501));
    let note = record.notes().next().unwrap();
    assert!(
        note.starts_with("`./engine -x` was too late in 501 samples, the first sample 0;"),
        "{note}"
    );
    assert_eq!(ProgramRecord::default().notes().count(), 0);
    let folder = tempfile::tempdir().unwrap();
    log.write_transcripts(folder.path(), "a").unwrap();
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 100);
    (0..600).for_each(|at| log.note_timeout(format!("late {at}")));
    assert_eq!(log.record().timeouts.len(), 1_000);
}

#[test]
fn messages_repeat_the_ends_of_what_is_long() {
    let short = "x".repeat(1_000);
    assert_eq!(excerpt(&short), short);
    let long = format!("{}yz{}", "ä".repeat(500), "ö".repeat(500));
    assert_eq!(
        excerpt(&long),
        format!("{} ... {}", "ä".repeat(500), "ö".repeat(500))
    );
    assert_eq!(quote(&[b'a'; 120]), format!("`{}`", "a".repeat(120)));
    assert_eq!(quote(&[b'a'; 121]), format!("`{}...`", "a".repeat(120)));
    assert_eq!(quote(b"a\x1bb"), "`ab`");
    assert_eq!(
        (in_short("one"), in_short(" a \nb\n c")),
        ("one".to_owned(), "a: c".to_owned())
    );
    let mut error = crash();
    error.add_to_first_line("!");
    assert_eq!(
        (error.first_line(), error.message.lines().nth(1)),
        ("it broke!", Some("line 2"))
    );
    assert_eq!(error.in_short(), "it broke!: the end");
    let mut fault = WorkerError::fault("one");
    fault.add_to_first_line("!");
    assert_eq!(
        (&*fault.message, fault.kind),
        ("one!", WorkerErrorKind::Fault)
    );
}

#[test]
fn a_sign_says_what_it_is() {
    let signs = [
        AnswerSign::Word("a".into()),
        AnswerSign::Line("b c".into()),
        AnswerSign::Status(3),
    ];
    let said = signs.map(|sign| sign.to_string());
    assert_eq!(said, ["the word `a`", "the line `b c`", "exit status 3"]);
}

#[test]
fn a_simulation_waits_as_long_as_it_says_and_its_late_samples_are_unknown() {
    let columns = vec![
        Metric::integer("grade", "", (0, 9), ""),
        Metric::total("nodes", "", ""),
    ];
    let mut declaration = Declaration {
        columns,
        ..Declaration::default()
    };
    declaration.program = DeclaredProgram {
        patience: Duration::from_secs(5),
        ..program(&["sim", "-x"])
    };
    assert_eq!(declaration.silence(), Duration::from_secs(5));
    declaration.timeout = Some(Duration::from_secs(2));
    assert_eq!(declaration.silence(), Duration::from_secs(2));
    let mut row = Row::new();
    declaration.time_out(&mut row);
    assert_eq!(row.values(), [Value::bounds(0, 9), Value::Missing]);
    let task = spec(&declaration);
    assert_eq!(
        (&*task.name, &*task.sample, task.is_random),
        ("command", "one sample of `sim -x`", true)
    );
    assert_eq!(metric_names(&task.metrics), "grade, nodes");
    assert!(
        task.build(&Params::new())
            .err()
            .unwrap()
            .message
            .starts_with("another program")
    );
}

/// Two folders, of which the second holds the file, and a third has another of that name.
#[test]
fn a_program_runs_in_the_first_folder_that_holds_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let folders: Vec<PathBuf> = ["a", "b", "c"]
        .map(|name| folder.path().join(name))
        .to_vec();
    for (folder, text) in folders.iter().zip(["", "one", "two"]) {
        std::fs::create_dir(folder).unwrap();
        if !text.is_empty() {
            std::fs::write(folder.join("data"), text).unwrap();
        }
    }
    let file = HashedFile::read(&folders[1], "data").unwrap();
    let mut program = DeclaredProgram {
        folders: folders.clone(),
        files: vec![file.clone()],
        ..program(&["sort", "a b"])
    };
    assert_eq!(program.home(), folders[1]);
    assert!(program.place().ends_with("/b") && Path::new(&program.place()).is_absolute());
    let asked = program.command_line();
    assert!(
        asked.starts_with("`sort 'a b'` in /") && asked.ends_with("/b"),
        "{asked}"
    );
    assert_eq!(program.locate().unwrap().folder, folders[1]);
    assert_eq!(HashedFile::found(&folders[1], "data"), file);
    assert_eq!(HashedFile::found(&folders[0], "data").hash, "missing");
    assert_eq!(
        (file.check(&folders[1]), file.is_in(&folders[0])),
        (Ok(()), false)
    );
    let changed = file.check(&folders[2]).unwrap_err();
    assert!(
        changed.contains("c/data has changed: its hash was"),
        "{changed}"
    );
    assert!(file.check(&folders[0]).is_err());
    let files = InstanceFiles {
        files: vec![
            file.clone(),
            HashedFile {
                path: "none".into(),
                ..file
            },
        ],
        folders: folders.clone(),
    };
    assert_eq!(
        (files.count(), files.name(1), files.path(0)),
        (2, Ok("none"), Ok(folders[1].join("data")))
    );
    assert_eq!(files.name(2), Err("there are 2 instances".to_owned()));
    assert!(files.check().is_err());
    let made = DeclaredInstances::Made(Box::default());
    assert!(made.program().is_some() && made.files().is_none());
    let files = DeclaredInstances::Files(files);
    assert!(files.program().is_none() && files.files().is_some());
    program.folders.remove(1);
    assert_eq!(program.home(), folders[2]);
    assert!(program.locate().unwrap_err().contains("has changed"));
    program.files[0].path = "gone".to_owned();
    assert_eq!(program.home(), folders[0]);
    program.folders.clear();
    assert_eq!(program.home(), Path::new(""));
}

/// A file that was just written is read each time, as a change within the same tick leaves its marks alone.
#[test]
fn a_file_that_changed_is_noticed_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| std::fs::write(folder.path().join("data"), text).unwrap();
    write("one");
    let file = HashedFile::read(folder.path(), "data").unwrap();
    let watch = FileWatch::default();
    let check = || watch.check([(&file, folder.path())].into_iter());
    assert_eq!((check(), check()), (Ok(()), Ok(())));
    write("two");
    assert!(check().unwrap_err().contains("has changed"));
    write("one");
    assert_eq!(check(), Ok(()));
    std::fs::remove_file(folder.path().join("data")).unwrap();
    assert!(check().is_err());
}

#[cfg(unix)]
#[test]
fn leave_is_for_the_files_that_a_program_had() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.sh");
    std::fs::write(&path, "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    let files = vec![HashedFile::read(folder.path(), "run.sh").unwrap()];
    let folders = vec![folder.path().to_owned()];
    let found = DeclaredProgram {
        files,
        folders,
        ..program(&["./run.sh"])
    };
    let lost = program(&["./no-such-program"]);
    let consent = Consent::ask([&found, &lost], &[], None, false).unwrap();
    let granted = consent.of(&found).unwrap();
    assert_eq!(
        (granted.hash(), granted.check()),
        (&*found.files[0].hash, Ok(()))
    );
    assert_eq!(
        granted.executable().unwrap().path.file_name(),
        path.file_name()
    );
    let none = consent.of(&lost).unwrap();
    assert_eq!(none.hash(), "");
    assert!(
        none.executable()
            .unwrap_err()
            .message
            .contains("there is no program")
    );
    assert_eq!(consent.check_again(), Ok(()));
    std::fs::write(&path, "#!/bin/sh\nexit\n").unwrap();
    assert!(consent.check_again().unwrap_err().contains("has changed"));
    let changed = granted.check().unwrap_err();
    assert_eq!(changed.kind, WorkerErrorKind::Environment);
}
