//! Records the revision the program is built from, for the provenance of results.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=.git/HEAD");
    println!("cargo::rerun-if-changed=.git/refs/heads");
    println!("cargo::rerun-if-changed=src");
    if let Some(revision) = revision() {
        println!("cargo::rustc-env=ETUDE_GIT_REVISION={revision}");
    }
}

fn revision() -> Option<String> {
    let head = git(&["rev-parse", "--short=12", "HEAD"])?;
    let changed = git(&[
        "status",
        "--porcelain",
        "--",
        "src",
        "Cargo.toml",
        "Cargo.lock",
    ])?;
    Some(if changed.is_empty() { head } else { head + "+" })
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
