//! The program under test, its folders and its experiments.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use tempfile::TempDir;

/// A folder of one test, with an experiment in it.
pub struct Bench {
    root: TempDir,
    state: TempDir,
}

impl Bench {
    /// An empty folder.
    pub fn new() -> Self {
        Self {
            root: tempfile::tempdir().unwrap(),
            state: tempfile::tempdir().unwrap(),
        }
    }

    /// A path in the folder.
    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Puts the program there under this name, and returns its path. It is a link where one can be made: a copy that is
    /// being written cannot be started, and a process that another test starts meanwhile keeps it open.
    #[allow(dead_code, reason = "not every test moves it")]
    pub fn place_program(&self, name: &str) -> PathBuf {
        let place = self
            .path(name)
            .with_extension(std::env::consts::EXE_EXTENSION);
        let built = env!("CARGO_BIN_EXE_etude");
        if std::fs::hard_link(built, &place).is_err() {
            std::fs::copy(built, &place).unwrap();
        }
        place
    }

    /// The folder in which the program notes what its user did with it.
    #[allow(dead_code, reason = "not every test reads it")]
    pub fn state(&self) -> &Path {
        self.state.path()
    }

    /// Writes a file into the folder.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }

    /// The program, started in the folder.
    pub fn etude(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_etude"));
        command.args(arguments).current_dir(self.root.path());
        // What the program notes of its user stays out of the tester's home.
        command.env("XDG_STATE_HOME", self.state());
        if let Some(path) = python_first() {
            command.env("PATH", path);
        }
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, arguments: &[&str]) -> Ending {
        Ending::of(&self.etude(arguments).output().unwrap())
    }

    /// Calls a check while a file of a folder has another text, and the list of the folder's hashes that of the file.
    pub fn forge(
        &self,
        (path, list): (&str, &str),
        (fact, other): (&str, &str),
        check: impl FnOnce(),
    ) {
        let read = |path| std::fs::read_to_string(self.path(path)).unwrap();
        let [text, hashes] = [path, list].map(read);
        let forged = text.replace(fact, other);
        assert_ne!(forged, text, "{path} has {fact}");
        let [hash, own] = [&text, &forged].map(|text| blake3::hash(text.as_bytes()).to_string());
        assert!(
            path == list || hashes.contains(&hash),
            "{list} lists {path}"
        );
        self.write(list, &hashes.replace(&hash, &own));
        // Last, as it may be the list itself.
        self.write(path, &forged);
        check();
        self.write(path, &text);
        self.write(list, &hashes);
    }
}

/// The processes whose command line has this word.
#[cfg(unix)]
pub fn processes(word: &str) -> Vec<u32> {
    let numbers = std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let has = |pid: &u32| {
        let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        line.split(|&byte| byte == 0)
            .any(|part| part == word.as_bytes())
    };
    numbers.filter(has).collect()
}

/// `PATH` with an environment of Python's own modules alone at its head. Elsewhere `python3` may be a script
/// that looks for the interpreter, and installed packages may be imported at every start: both take longer
/// than most of the tests' programs.
fn python_first() -> Option<&'static OsStr> {
    static PATH: OnceLock<Option<OsString>> = OnceLock::new();
    let path = PATH.get_or_init(|| {
        let bare = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
        let mut create = Command::new("python3");
        create.args(["-m", "venv", "--without-pip"]).arg(&bare);
        create.output().ok().filter(|made| made.status.success())?;
        let others = std::env::var_os("PATH")?;
        let folders = std::iter::once(bare.join("bin")).chain(std::env::split_paths(&others));
        std::env::join_paths(folders).ok()
    });
    path.as_deref()
}

/// The end of the program: its exit code and its output.
#[derive(Debug)]
pub struct Ending {
    /// The exit code; `None` if a signal killed it.
    pub code: Option<i32>,
    /// Standard output.
    #[allow(dead_code, reason = "not every test reads it")]
    pub data: String,
    /// Standard error.
    pub said: String,
}

impl Ending {
    /// The ending that `output` tells of.
    pub fn of(output: &Output) -> Self {
        Self {
            code: output.status.code(),
            data: String::from_utf8_lossy(&output.stdout).into_owned(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }

    /// Asserts the exit code and that the message holds each of `parts`.
    #[track_caller]
    pub fn check(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, Some(code), "{}", self.said);
        for part in parts {
            assert!(self.said.contains(part), "no `{part}` in:\n{}", self.said);
        }
        assert!(!self.said.contains("panicked"), "{}", self.said);
    }
}

/// Every file of a run folder that is a function of the experiment alone.
#[allow(dead_code, reason = "not every test includes it")]
pub fn results(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let files = entries.map(|entry| {
        let name = entry.file_name().into_string().unwrap();
        (name, std::fs::read(entry.path()).unwrap())
    });
    files
        .filter(|(name, _)| !["manifest.json", "timings.csv"].contains(&name.as_str()))
        .filter(|(name, _)| !name.starts_with(".etude-"))
        .collect()
}

/// Asserts that two run folders hold the same bytes.
#[track_caller]
#[allow(dead_code, reason = "not every test includes it")]
pub fn assert_same_results(found: &Path, expected: &Path) {
    let (found, expected) = (results(found), results(expected));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected));
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
}
