//! The command line of etude: the laboratory's command line with the games and experiments of this
//! package.

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(&etude::PROGRAM)
}
