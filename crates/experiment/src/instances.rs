//! The instances of a command: the files that a pattern fits, and the program that makes them.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

use indexmap::IndexMap;
use kit::rng::{Streams, shuffle};

use task::outside::{
    Declaration, DeclaredInstances, DeclaredProgram, Executable, HashedFile, InstanceFiles,
};

use super::CommandTable;
use super::declared::{check_argv, check_placeholder, read_files};
use super::document::KeyPath;
use super::error::Checked;
use super::file::places;

/// The files that are the instances, in an order drawn from the seed: a race of the first of them is one
/// of a random sample.
pub(super) fn instances(
    (pattern, hashes): (Option<&str>, &mut IndexMap<String, String>),
    (seed, folders): (u64, &[PathBuf]),
    path: &KeyPath,
) -> Checked<Option<DeclaredInstances>> {
    let Some(pattern) = pattern else {
        return Ok(None);
    };
    let path = path.at("instances");
    if hashes.is_empty() {
        let home = folders.first().map_or(Path::new(""), PathBuf::as_path);
        let names = matching(pattern, home, &path)?;
        let files = read_files(&names, home, &path)?.into_iter();
        *hashes = files.map(|file| (file.path, file.hash)).collect();
    }
    hashes.sort_keys();
    let hashed = hashes.clone().into_iter();
    let files = hashed.map(|(path, hash)| HashedFile { path, hash });
    let mut files: Vec<HashedFile> = files.collect();
    shuffle(
        &mut Streams::new(seed).key("order of instances").stream(0),
        &mut files,
    );
    let folders = folders.to_vec();
    let files = InstanceFiles { files, folders };
    Ok(Some(DeclaredInstances::Files(files)))
}

/// The declaration of the program that makes the instances of a command.
pub(super) fn generator(
    argv: &[String],
    table: &CommandTable,
    command: &Declaration,
    path: &KeyPath,
) -> Checked<Declaration> {
    check_argv("generate", argv, path)?;
    let path = path.at("generate");
    if table.instances.is_some() {
        let fault = path.fault_of_key("`instances` are there too");
        return Err(
            fault.help("keep `instances` for files, `generate` for a program that makes them")
        );
    }
    let program = &command.program;
    if table.hashes.is_none() {
        let home = program.home();
        Executable::find(argv, home).map_err(|missing| path.fault(missing))?;
    }
    let declaration = Declaration {
        program: DeclaredProgram {
            argv: argv.to_vec(),
            ..program.clone()
        },
        once: true,
        streams: command.streams.clone(),
        params: command.params.clone(),
        ..Declaration::default()
    };
    let mut drawn = false;
    for place in argv.iter().flat_map(|text| places(text)) {
        check_placeholder(&declaration, place, &path)?;
        let is_param = declaration.params.iter().any(|spec| spec.name == place);
        drawn |= place != "nodes" && !is_param;
    }
    let alike = || path.fault("it would make the same instance of every sample");
    let help = "give it a seed as an argument: `\"{seed32}\"`";
    drawn
        .then_some(declaration)
        .ok_or_else(|| alike().help(help))
}

/// The names of the files that a pattern fits, relative to a folder and with slashes; at least one.
fn matching(pattern: &str, folder: &Path, path: &KeyPath) -> Checked<Vec<String>> {
    let absolute = std::path::absolute(Path::new(".").join(folder)).unwrap_or_default();
    let escaped = glob::Pattern::escape(&absolute.to_string_lossy());
    // An absolute pattern takes the place of the folder.
    let whole = Path::new(&escaped).join(pattern);
    let whole = whole.to_string_lossy();
    // As in a shell, hidden files are those that the pattern names with their point; asking so of the search itself
    // ends in a panic at a name that is no text.
    let shell = glob::MatchOptions {
        require_literal_separator: true,
        require_literal_leading_dot: true,
        ..glob::MatchOptions::new()
    };
    let is_meant = |file: &Path| {
        glob::Pattern::new(&whole).is_ok_and(|whole| whole.matches_path_with(file, shell))
    };
    let found = glob::glob(&whole)
        .map_err(|error| path.fault(format!("`{pattern}` is no pattern: {error}")))?;
    let (mut names, mut folders) = (Vec::new(), BTreeSet::new());
    for file in found {
        let file = file.map_err(|error| path.fault(error.to_string()))?;
        if !file.is_dir() && is_meant(&file) {
            folders.extend(file.parent().map(Path::to_path_buf));
            let name = file.strip_prefix(&absolute).unwrap_or(&file);
            names.push(name.to_string_lossy().replace(MAIN_SEPARATOR, "/"));
        }
    }
    let last = pattern.rsplit('/').next().unwrap_or(pattern);
    folders
        .iter()
        .try_for_each(|one| check_names(one, last, path))?;
    let told = |name: &String| path.fault(format!("the name {name:?} has a control character"));
    if let Some(name) = names.iter().find(|name| name.chars().any(char::is_control)) {
        return Err(told(name).help("rename the file: tables have a line for each instance"));
    }
    if names.is_empty() {
        let fault = path.fault(format!("no file fits `{pattern}`"));
        return Err(fault
            .expected(format!("tried {whole}"))
            .help("a relative pattern is relative to this experiment file"));
    }
    Ok(names)
}

/// Refuses names in a folder of matched files that are no text, where the last part of the pattern would fit them: the
/// search passes them over in silence.
fn check_names(folder: &Path, pattern: &str, path: &KeyPath) -> Checked {
    let pattern = glob::Pattern::new(pattern).unwrap_or_default();
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    let is_lost =
        |name: &OsString| name.to_str().is_none() && pattern.matches(&name.to_string_lossy());
    names.find(is_lost).map_or(Ok(()), |name| {
        let folder = folder.display();
        let fault = path.fault(format!("{folder}: the name {name:?} is no text"));
        Err(fault.help("rename the file"))
    })
}
