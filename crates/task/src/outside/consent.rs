//! Leave to start other people's programs, which the function that starts them asks for.

use std::path::{Component, Path};
use std::sync::Arc;

use super::file_watch::FileWatch;
use super::{DeclaredProgram, Executable, HashedFile, WorkerError, WorkerErrorKind, made_here};
use base::{Failure, files};

/// Leave to start certain programs, as they were when it was asked for.
///
/// Only [`Consent::ask`] makes one for any program; the default is leave for none.
#[derive(Clone, Debug, Default)]
pub struct Consent(Arc<[Granted]>);

/// A program that may be started.
#[derive(Debug)]
pub struct Granted {
    program: DeclaredProgram,
    found: Result<Executable, String>,
    /// The executable file; `None` where its bytes cannot be read.
    file: Option<HashedFile>,
    watch: FileWatch,
}

impl Consent {
    /// Asks for leave to start programs that these folders of runs name: it is there if this user made the
    /// folders here with these programs, or has `given` it. What names them otherwise was written or typed to
    /// be started. To a folder that this user made, a file that was `written` adds programs made of the user's own
    /// files beside it.
    ///
    /// # Errors
    /// If a folder names programs that this user has not allowed; none was started.
    pub fn ask<'a>(
        programs: impl IntoIterator<Item = &'a DeclaredProgram>,
        folders: &[&Path],
        written: Option<&Path>,
        given: bool,
    ) -> Result<Self, Failure> {
        let programs: Vec<&DeclaredProgram> = programs.into_iter().collect();
        let asked = folders.iter().filter(|_| !given);
        for folder in asked {
            let known = made_here::programs(folder);
            let is_own = |program: &DeclaredProgram| {
                let beside = written.is_some_and(|file| is_made_beside(program, file));
                let known = known.as_ref();
                known.is_some_and(|known| beside || known.contains(&identity(program)))
            };
            let strange = programs.iter().copied().filter(|program| !is_own(program));
            let strange: Vec<&DeclaredProgram> = strange.collect();
            if !strange.is_empty() {
                return Err(refusal_of(folder, &strange, known.is_some()));
            }
        }
        Ok(Self(programs.into_iter().map(Granted::of).collect()))
    }

    /// Notes that this user starts these programs for a run in `folder`, who then need not be asked again.
    pub fn note(&self, folder: &Path) {
        let programs = self.0.iter().map(|granted| identity(&granted.program));
        made_here::note(folder, &programs.collect::<Vec<_>>());
    }

    /// The leave for a program.
    ///
    /// # Errors
    /// If there is none.
    pub fn of(&self, program: &DeclaredProgram) -> Result<&Granted, WorkerError> {
        let granted = self.0.iter().find(|granted| granted.program == *program);
        granted.ok_or_else(|| Self::refusal(program))
    }

    /// The error of a program that nobody gave leave to start.
    pub fn refusal(program: &DeclaredProgram) -> WorkerError {
        let title = program.title();
        let message = format!("{title} was not started: nobody gave leave to");
        WorkerError::new(WorkerErrorKind::Environment, message)
    }

    /// Reads the files of all programs that are there, and their executables, once more.
    ///
    /// # Errors
    /// A sentence: one is another file by now.
    pub fn check_again(&self) -> Result<(), String> {
        let there = self.0.iter().filter(|granted| granted.found.is_ok());
        let mut files = there.flat_map(Granted::files);
        files.try_for_each(|(file, folder)| file.check(folder))
    }
}

impl Granted {
    fn of(program: &DeclaredProgram) -> Self {
        let found = program.locate();
        let file = found.as_ref().ok().and_then(|found| {
            let path = std::path::absolute(&found.path).ok()?;
            HashedFile::read(Path::new(""), path.to_str()?).ok()
        });
        Self {
            program: program.clone(),
            found,
            file,
            watch: FileWatch::default(),
        }
    }

    /// The program as it was found.
    ///
    /// # Errors
    /// If it is not there.
    pub fn executable(&self) -> Result<&Executable, WorkerError> {
        let found = self.found.as_ref();
        found.map_err(|message| WorkerError::fault(message.clone()))
    }

    /// BLAKE3 of the executable file, in hex; empty where it is not known.
    pub fn hash(&self) -> &str {
        self.file.as_ref().map_or("", |file| &file.hash)
    }

    /// Holds the program's files and its executable against their hashes, unless nothing has touched them.
    ///
    /// # Errors
    /// If one of them is another file by now.
    pub fn check(&self) -> Result<(), WorkerError> {
        let changed = |message| WorkerError::new(WorkerErrorKind::Environment, message);
        self.watch.check(self.files()).map_err(changed)
    }

    /// The program's files and its executable, each with the folder that its path begins in.
    fn files(&self) -> impl Iterator<Item = (&HashedFile, &Path)> {
        let home = self
            .found
            .as_ref()
            .map_or(Path::new(""), |found| &found.folder);
        let executable = self.file.iter().map(|file| (file, Path::new("")));
        let files = self.program.files.iter().map(move |file| (file, home));
        files.chain(executable)
    }
}

/// The text that tells a program from all others.
fn identity(program: &DeclaredProgram) -> String {
    let (argv, files, version) = (&program.argv, &program.files, &program.version);
    format!("{argv:?} {files:?} {version:?} {:?}", program.place())
}

/// Returns whether a program is made of the user's own files in the folder of the experiment that was written, or
/// is not there, so that nothing can be started.
fn is_made_beside(program: &DeclaredProgram, written: &Path) -> bool {
    let home = program.home();
    let is_own = |path: &str| {
        let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        Path::new(path).components().all(is_below) && made_here::is_own(&home.join(path))
    };
    let mut declared = program.files.iter().map(|file| &file.path);
    let mut words = program.argv.iter();
    let is_beside = from_root(home) == from_root(written)
        && declared.all(|path| is_own(path))
        && (!program.files.is_empty()
            || words.any(|word| home.join(word).is_file() && is_own(word)));
    is_beside || program.locate().is_err()
}

/// The refusal to start programs for a folder, which this user made with others or did not make here.
fn refusal_of(folder: &Path, strange: &[&DeclaredProgram], is_made_here: bool) -> Failure {
    let (path, commands) = (folder.display(), command_lines(strange));
    let (why, help) = if is_made_here {
        (
            "you made this folder without these programs, which are not your own files beside the experiment",
            "look at what they do; --run-programs starts them",
        )
    } else {
        (
            "the folder names programs, and you did not make it here",
            "look at what they do; --run-programs starts them; `etude report` shows the folder without them",
        )
    };
    Failure::usage(format!("{path}: {why}; nothing was started: {commands}")).with_help(help)
}

/// The command lines of programs as messages name them.
pub(crate) fn command_lines(programs: &[&DeclaredProgram]) -> String {
    let lines = programs.iter().map(|program| program.command_line());
    lines.collect::<Vec<_>>().join("; ")
}

/// The folder at a path, from the root on.
pub(super) fn from_root(folder: &Path) -> String {
    let folder = Path::new(".").join(folder);
    let folder = files::canonicalize(&folder).unwrap_or(folder);
    folder.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(argv: &[&str]) -> DeclaredProgram {
        DeclaredProgram {
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
            ..DeclaredProgram::default()
        }
    }

    #[test]
    fn leave_is_for_the_programs_that_were_asked_about_and_for_no_other() {
        let (asked, other) = (program(&["sort"]), program(&["sort", "-r"]));
        let consent = Consent::ask([&asked], &[], None, false).unwrap();
        assert!(consent.of(&asked).is_ok());
        let refused = consent.of(&other).unwrap_err();
        assert!(refused.message.contains("`sort -r` was not started"));
        assert!(Consent::default().of(&asked).is_err());
    }

    #[test]
    fn a_strange_folder_needs_leave_only_where_it_names_programs() {
        let strange = tempfile::tempdir().unwrap();
        let program = program(&["sort"]);
        let beside = strange.path();
        let refused = Consent::ask([&program], &[strange.path()], Some(beside), false).unwrap_err();
        assert!(refused.message.contains("nothing was started: `sort` in"));
        assert!(Consent::ask([&program], &[strange.path()], None, true).is_ok());
        assert!(Consent::ask([], &[strange.path()], None, false).is_ok());
    }

    /// The folder `own` beside a folder `other` holds `own.txt`, which is this user's.
    #[cfg(unix)]
    #[test]
    fn programs_of_own_files_beside_the_experiment_are_the_users() {
        let folder = tempfile::tempdir().unwrap();
        let [own, other] = ["own", "other"].map(|name| folder.path().join(name));
        std::fs::create_dir(&own).unwrap();
        std::fs::create_dir(&other).unwrap();
        std::fs::write(own.join("own.txt"), "1\n").unwrap();
        let made_of = |argv: &[&str], files: &[&str]| DeclaredProgram {
            files: files
                .iter()
                .map(|path| HashedFile::found(&own, path))
                .collect(),
            folders: vec![own.clone()],
            ..program(argv)
        };
        for (argv, files, beside) in [
            (&["sort", "own.txt"][..], &["own.txt"][..], true),
            (&["sort", "own.txt"], &["./own.txt"], true),
            (&["sort"], &["own.txt"], true),
            (&["sort", "own.txt"], &[], true),
            (&["sort"], &[], false),
            (&["sort"], &["../own/own.txt"], false),
            (&["sort", "../own/own.txt"], &[], false),
        ] {
            let program = made_of(argv, files);
            assert_eq!(is_made_beside(&program, &own), beside, "{argv:?} {files:?}");
            assert!(!is_made_beside(&program, &other), "{argv:?} {files:?}");
        }
        assert!(is_made_beside(
            &made_of(&["./no-such-program"], &[]),
            &other
        ));
    }

    #[test]
    fn programs_are_told_apart_by_all_that_they_are_started_with() {
        let one = program(&["sort"]);
        let mut others = [
            program(&["sort", "-r"]),
            one.clone(),
            one.clone(),
            one.clone(),
        ];
        others[1].version = Some("2".to_owned());
        others[2].files = vec![HashedFile::found(Path::new(""), "none")];
        others[3].folders = vec!["/tmp".into()];
        for other in others {
            assert_ne!(identity(&one), identity(&other));
        }
        let told =
            |is_made_here| refusal_of(Path::new("runs/a"), &[&one, &one], is_made_here).to_string();
        assert!(told(true).starts_with("runs/a: you made this folder without these programs"));
        assert!(told(false).starts_with("runs/a: the folder names programs, and you did not"));
        let place = one.command_line();
        assert!(told(true).ends_with(&format!("nothing was started: {place}; {place}")));
    }
}
