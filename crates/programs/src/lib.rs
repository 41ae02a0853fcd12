#![doc = include_str!("../README.md")]

pub mod asker;
mod chore;
pub mod command;
mod command_task;
mod engines;
mod entrant;
mod generator;
mod groups;
pub mod hello;
mod memory;
mod once;
mod output_lines;
pub mod pool;
pub mod process;
mod seat;
mod session;
mod tail;
mod task_server;
#[cfg(any(windows, test))]
mod threaded;
mod transcript;
pub mod ugi;
#[cfg(unix)]
mod unix;
mod usage;
mod value;
#[cfg(unix)]
mod watchdog;
mod watched_child;
#[cfg(windows)]
mod windows;
pub mod wire;

use std::sync::Arc;

use task::Entrant;
use task::outside::{
    Consent, Declaration, Engines, Instances, PlayerDeclaration, ProgramContender, Simulation,
    Starter,
};

#[cfg(test)]
use task::coin;

pub use task_server::TaskServer;
#[cfg(unix)]
pub(crate) use watchdog::Watchdog;
#[cfg(windows)]
pub(crate) use windows::Watchdog;

#[cfg(unix)]
use unix as system;
#[cfg(windows)]
use windows as system;

/// The starter of programs that this crate supervises.
pub const SUPERVISOR: Supervisor = Supervisor;

/// A starter whose programs are processes under supervision.
#[derive(Clone, Copy, Debug)]
pub struct Supervisor;

impl Starter for Supervisor {
    fn simulation(&self, declaration: Declaration) -> Arc<dyn Simulation> {
        Arc::new(command::ExternalCommand::new(declaration))
    }

    fn generator(&self, declaration: Declaration, seed: u64) -> Arc<dyn Instances> {
        Arc::new(generator::InstanceGenerator::new(declaration, seed))
    }

    fn engines(&self, declaration: &PlayerDeclaration) -> Arc<dyn Engines> {
        Arc::new(engines::UgiEngines::new(declaration.clone()))
    }

    fn set_up(&self, contender: &mut ProgramContender, consent: &Consent) -> Result<(), String> {
        entrant::set_up(contender, consent)
    }

    fn entrant(
        &self,
        contender: ProgramContender,
        consent: &Consent,
    ) -> Result<Box<dyn Entrant>, String> {
        entrant::entrant(contender, consent)
    }
}
