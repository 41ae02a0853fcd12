//! Processes under supervision, on every system: this program is its own helper, so no shell and no
//! tool of a system takes part. Run without a harness: `cargo test -p etude-programs --test
//! supervision`.

use std::io::{BufRead, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use base::threads::spawn_scoped;
use etude_programs::process::{Process, Surroundings};
use task::outside::{Consent, DeclaredProgram, WorkerErrorKind};

/// Set for the processes that play a part.
const PART: &str = "part:";

const SOON: Duration = Duration::from_millis(300);
const LATE: Duration = Duration::from_secs(60);

/// The sleep of a part that would outlive everything.
const LONG: Duration = Duration::from_secs(600);

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    match arguments
        .next()
        .and_then(|first| Some(first.strip_prefix(PART)?.to_owned()))
    {
        Some(part) => return play(&part, &arguments.collect::<Vec<_>>()),
        None => println!("{} tests", TESTS.len()),
    }
    // They wait more than they work; a panic of one is one of the whole.
    std::thread::scope(|scope| {
        for (name, test) in TESTS {
            let run = move || {
                test();
                println!("test {name} ... ok");
            };
            spawn_scoped(scope, run).unwrap();
        }
    });
    ExitCode::SUCCESS
}

const TESTS: &[(&str, fn())] = &[
    ("lines come and go", lines_come_and_go),
    ("large lines both ways", large_lines_both_ways),
    ("silence ends", silence_ends),
    ("the end is told", the_end_is_told),
    ("arguments arrive as they are", arguments_arrive_as_they_are),
    ("a deaf program is killed", a_deaf_program_is_killed),
    (
        "a kill takes all that was started",
        a_kill_takes_all_that_was_started,
    ),
    (
        "nothing outlives a killed parent",
        nothing_outlives_a_killed_parent,
    ),
];

/// The parts of the helper.
fn play(part: &str, arguments: &[String]) -> ExitCode {
    let mut output = std::io::stdout().lock();
    let mut say = |text: &str| {
        let _ = output
            .write_all(text.as_bytes())
            .and_then(|()| output.flush());
    };
    match part {
        "echo" => {
            for line in std::io::stdin().lock().lines().map_while(Result::ok) {
                eprintln!("{line}");
                say(&format!("{line}\r\n"));
            }
        }
        "fail" => {
            eprintln!("the reason");
            return ExitCode::from(3);
        }
        "arguments" => say(&format!("{arguments:?}\n")),
        "deaf" => std::thread::sleep(LONG),
        // Keeps changing a file for as long as it lives.
        "beat" => loop {
            let beaten = std::fs::OpenOptions::new()
                .create(true)
                .append(true)
                .open(&arguments[0]);
            let _ = beaten.and_then(|mut file| file.write_all(b"."));
            std::thread::sleep(Duration::from_millis(20));
        },
        "parent" => {
            let mut child = start_plain("beat", arguments);
            let _ = child.wait();
        }
        // Supervises a parent until it is killed itself.
        "supervisor" => {
            let parent = supervised("parent", arguments);
            std::thread::sleep(LONG);
            drop(parent);
        }
        _ => return ExitCode::FAILURE,
    }
    ExitCode::SUCCESS
}

fn start_plain(part: &str, arguments: &[String]) -> std::process::Child {
    Command::new(std::env::current_exe().unwrap())
        .arg(format!("{PART}{part}"))
        .args(arguments)
        .stdin(Stdio::null())
        .spawn()
        .unwrap()
}

fn supervised(part: &str, arguments: &[String]) -> Process {
    let program = std::env::current_exe()
        .unwrap()
        .to_string_lossy()
        .into_owned();
    let argv = [&[program, format!("{PART}{part}")][..], arguments].concat();
    let program = DeclaredProgram {
        argv,
        ..DeclaredProgram::default()
    };
    let consent = Consent::ask([&program], &[], None, false).unwrap();
    let alone = Surroundings::default();
    Process::start(&consent, &program, &program.argv[1..], alone).unwrap()
}

fn lines_come_and_go() {
    let mut process = supervised("echo", &[]);
    for line in ["one", "two", "three"] {
        process
            .send(format!("{line}\n").as_bytes(), LATE, "read")
            .unwrap();
        assert_eq!(process.receive(LATE, "answer").unwrap(), line.as_bytes());
    }
    assert_eq!(process.stop("at last"), None);
    let usage = process.usage().expect("what it took is known");
    // Wine tells no memory of a process that has ended.
    assert!(usage.maxrss > 0 || cfg!(windows), "{usage:?}");
}

fn large_lines_both_ways() {
    let mut process = supervised("echo", &[]);
    let line = [vec![b'y'; 500_000], b"\n".to_vec()].concat();
    for _ in 0..3 {
        process.send(&line, LATE, "read").unwrap();
        assert_eq!(process.receive(LATE, "answer").unwrap().len(), 500_000);
    }
}

fn silence_ends() {
    let mut process = supervised("deaf", &[]);
    let silent = process.receive(SOON, "answer").unwrap_err();
    assert_eq!(silent.kind, WorkerErrorKind::Silent);
    let deaf = process.send(&[b'x'; 1 << 20], SOON, "answer").unwrap_err();
    assert!(deaf.message.contains("read nothing in 0.3 s"), "{deaf}");
}

fn the_end_is_told() {
    let mut process = supervised("fail", &[]);
    let error = process.receive(LATE, "answer").unwrap_err();
    assert_eq!(error.kind, WorkerErrorKind::Crashed);
    let told = error.message.replace("exit code", "exit status");
    assert!(
        told.contains("ended before it could answer (exit status 3)"),
        "{told}"
    );
    assert!(told.ends_with("the reason"), "{told}");
    assert!(process.has_failed());
}

fn arguments_arrive_as_they_are() {
    let words = ["a b", "", "\"quoted\"", "back\\slash\\", "%PATH%", "é;&|"].map(str::to_owned);
    let mut process = supervised("arguments", &words);
    let said = process.receive(LATE, "answer").unwrap().to_vec();
    assert_eq!(String::from_utf8(said).unwrap(), format!("{words:?}"));
}

fn a_deaf_program_is_killed() {
    let started = Instant::now();
    let mut process = supervised("deaf", &[]);
    let remark = process.stop("at last").unwrap();
    assert!(started.elapsed() < LONG / 10, "{remark}");
    drop(process);
}

/// Waits until a file grows, or has not grown for a while; returns whether it did.
fn grows(file: &Path, wait: Duration) -> bool {
    let size = || file.metadata().map_or(0, |data| data.len());
    let (before, began) = (size(), Instant::now());
    while began.elapsed() < wait {
        if size() > before {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

fn a_kill_takes_all_that_was_started() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("with blanks.txt");
    let mut process = supervised("parent", &[file.to_string_lossy().into_owned()]);
    assert!(grows(&file, LATE), "the grandchild lives");
    process.kill();
    assert!(!grows(&file, 3 * SOON), "the grandchild has ended");
}

fn nothing_outlives_a_killed_parent() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("beats");
    let mut supervisor = start_plain("supervisor", &[file.to_string_lossy().into_owned()]);
    assert!(grows(&file, LATE), "the grandchild lives");
    supervisor.kill().unwrap();
    supervisor.wait().unwrap();
    // A watchdog may need a moment.
    let ended = Instant::now();
    while grows(&file, SOON) {
        assert!(ended.elapsed() < LATE, "the grandchild goes on living");
    }
}
