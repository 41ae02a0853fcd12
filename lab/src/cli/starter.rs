//! The common parts of all starting points that `etude init` writes: a name and new files.

use std::fs;
use std::path::Path;

use super::failure::Failure;

/// The last part of a path, which is a name: small letters, digits and hyphens.
pub fn checked_name(path: &str) -> Result<String, Failure> {
    let name = Path::new(path)
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let fits = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    if !name.is_empty() && name.bytes().all(fits) && name.as_bytes()[0].is_ascii_lowercase() {
        Ok(name)
    } else {
        Err(Failure::usage(format!("`{name}` cannot be a name"))
            .with_help("use small letters, digits and hyphens, a letter first"))
    }
}

/// Writes a file that is not there yet.
pub fn write_new(path: &Path, text: &str) -> Result<(), Failure> {
    let told = |error: std::io::Error| Failure::usage(format!("{}: {error}", path.display()));
    if path.exists() {
        return Err(Failure::usage(format!("{} already exists", path.display()))
            .with_help("choose another name, or move the folder away"));
    }
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(told)?;
    }
    fs::write(path, text).map_err(told)?;
    note!("wrote {}", path.display());
    Ok(())
}
