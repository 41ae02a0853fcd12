//! The examples in documents: fenced blocks with files to be written and commands to be run.

use crate::program::{Bench, Ending};

/// A fenced block and the text before it, where a file's name is given.
pub struct Block<'text> {
    before: &'text str,
    pub language: &'text str,
    pub body: &'text str,
}

/// The fenced blocks of a text.
pub fn blocks(section: &str) -> Vec<Block<'_>> {
    let parts: Vec<&str> = section.split("```").collect();
    let fenced = parts.chunks(2).filter_map(|pair| match pair {
        [before, block] => Some((*before, block.split_once('\n')?)),
        _ => None,
    });
    fenced
        .map(|(before, (language, body))| Block {
            before,
            language,
            body,
        })
        .collect()
}

/// The name that the text before a block gives to its file: the last thing in backquotes.
pub fn file_name<'text>(block: &Block<'text>) -> &'text str {
    block.before.rsplit('`').nth(1).expect("a file has a name")
}

/// Runs a command line of the program, with its output in a file where it says so.
pub fn run(bench: &Bench, line: &str) -> Ending {
    let command = line
        .strip_prefix("etude ")
        .expect("a command of the program");
    let (arguments, file) = command.split_once(" > ").unwrap_or((command, ""));
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let ending = bench.run(&arguments);
    if !file.is_empty() {
        bench.write(file, &ending.data);
    }
    ending
}
