//! What a race does beside a run: its entrants, and the times that they take.
//!
//! Reference: Kalibera and Jones 2013, *Rigorous benchmarking in reasonable time*.

mod costs;
mod inside;

pub use costs::{RaceCosts, Timing};
pub use inside::Inside;

use crate::experiment::Setting;
use crate::failure::Failure;
use crate::task::Entrant;
use crate::task::outside::Starter;

/// Makes what answers for a contender: the task itself in this process, or a program.
///
/// # Errors
/// If the program is not there, or the task refuses the parameters.
pub fn entrant(
    setting: &Setting,
    contender: usize,
    starter: &dyn Starter,
) -> Result<Box<dyn Entrant>, Failure> {
    let contender = &setting.contenders[contender];
    match setting.program(contender)? {
        Some(program) => starter
            .entrant(program)
            .map_err(|fault| contender.failure(&fault)),
        None => Ok(Box::new(Inside::of(setting, contender)?)),
    }
}
