//! Leave to start other people's programs, which the function that starts them asks for.

use std::path::Path;
use std::sync::Arc;

use super::file_watch::FileWatch;
use super::{DeclaredProgram, Executable, HashedFile, WorkerError, WorkerErrorKind, made_here};
use crate::{Failure, files};

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
    /// folders here, or has `given` it. What names them otherwise was written or typed to be started.
    ///
    /// # Errors
    /// If a folder names programs that this user has not allowed; none was started.
    pub fn ask<'a>(
        programs: impl IntoIterator<Item = &'a DeclaredProgram>,
        folders: &[&Path],
        given: bool,
    ) -> Result<Self, Failure> {
        let programs: Vec<&DeclaredProgram> = programs.into_iter().collect();
        let identities = identities(programs.iter().copied());
        let is_strange = |folder: &&&Path| !made_here::is_noted(folder, &identities);
        let strange = folders.iter().find(is_strange);
        let strange = strange.filter(|_| !given && !programs.is_empty());
        if let Some(folder) = strange {
            let (path, commands) = (folder.display(), command_lines(&programs));
            return Err(Failure::usage(format!(
                "{path}: the folder names programs, and you did not make it here; nothing was started: \
                 {commands}"
            ))
            .with_help(
                "look at what they do; --run-programs starts them; `etude report` shows the folder \
                 without them",
            ));
        }
        Ok(Self(programs.into_iter().map(Granted::of).collect()))
    }

    /// Notes that this user starts these programs for a run in `folder`, who then need not be asked again.
    pub fn note(&self, folder: &Path) {
        let programs = self.0.iter().map(|granted| &granted.program);
        made_here::note(folder, &identities(programs));
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

/// Texts that tell programs from all others.
fn identities<'a>(programs: impl Iterator<Item = &'a DeclaredProgram>) -> Vec<String> {
    let identity = |program: &DeclaredProgram| {
        let (argv, files, version) = (&program.argv, &program.files, &program.version);
        format!("{argv:?} {files:?} {version:?} {:?}", program.place())
    };
    programs.map(identity).collect()
}

/// The command lines of programs as messages name them.
pub fn command_lines(programs: &[&DeclaredProgram]) -> String {
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
        let consent = Consent::ask([&asked], &[], false).unwrap();
        assert!(consent.of(&asked).is_ok());
        let refused = consent.of(&other).unwrap_err();
        assert!(refused.message.contains("`sort -r` was not started"));
        assert!(Consent::default().of(&asked).is_err());
    }

    #[test]
    fn a_strange_folder_needs_leave_only_where_it_names_programs() {
        let strange = tempfile::tempdir().unwrap();
        let program = program(&["sort"]);
        let refused = Consent::ask([&program], &[strange.path()], false).unwrap_err();
        assert!(refused.message.contains("nothing was started: `sort` in"));
        assert!(Consent::ask([&program], &[strange.path()], true).is_ok());
        assert!(Consent::ask([], &[strange.path()], false).is_ok());
    }
}
