//! Writes the manual pages of etude and of its verbs into a folder: `cargo run --example man FOLDER`.

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).expect("the folder is named"));
    std::fs::create_dir_all(&folder)?;
    clap_mangen::generate_to(cli::command_tree(&etude::PROGRAM), &folder)
}
