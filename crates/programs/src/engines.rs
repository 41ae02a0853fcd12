//! The engines of a player, which speak the Universal Game Interface.

use std::sync::Arc;

use super::pool::Pool;
use super::seat::UgiSeat;
use super::ugi::UgiEngine;
use task::outside::{
    Consent, Engines, OutsidePlayer, PlayerDeclaration, ProgramLog, Seat, WorkerError,
};

/// The engines of a player, shared by all cells and threads.
#[derive(Debug)]
pub struct UgiEngines {
    /// The player as the file declares it.
    pub(crate) declaration: PlayerDeclaration,
    /// The processes.
    pub(crate) pool: Pool<UgiEngine>,
}

impl UgiEngines {
    /// The engines of a declaration; nothing is started yet.
    pub fn new(declaration: PlayerDeclaration) -> Self {
        Self {
            pool: Pool::new(&declaration.program),
            declaration,
        }
    }

    /// Starts an engine and hears its handshake.
    ///
    /// # Errors
    /// If it cannot be started or does not say `ugiok`.
    pub(crate) fn open(&self) -> Result<UgiEngine, WorkerError> {
        let program = &self.declaration.program;
        self.pool.start(|consent| {
            let mut engine = UgiEngine::start(program, consent)?;
            engine.greet(program.patience).inspect_err(|error| {
                let said = engine.transcript.text();
                self.pool.log.keep_transcript(format!("{error}\n\n{said}"));
            })?;
            Ok(engine)
        })
    }
}

impl Engines for UgiEngines {
    fn log(&self) -> &Arc<ProgramLog> {
        &self.pool.log
    }

    fn allow(&self, consent: &Consent) {
        self.pool.allow(consent);
    }

    fn close(&self) {
        self.pool.close();
    }

    fn ask_second(&self, are_asked: bool) {
        self.pool.ask_second(are_asked);
    }

    fn end_second(&self) {
        self.pool.end_second();
    }

    fn handshake(&self) -> Result<(), WorkerError> {
        self.pool.give_back([self.open()?]);
        Ok(())
    }

    fn introduction(&self) -> Result<(String, Vec<String>), WorkerError> {
        let engine = self.open()?;
        let options = engine.options.iter().map(|option| option.name.clone());
        let said = (engine.name.clone(), options.collect());
        self.pool.give_back([engine]);
        Ok(said)
    }

    fn seat(self: Arc<Self>, player: &Arc<OutsidePlayer>, side: &'static str) -> Box<dyn Seat> {
        Box::new(UgiSeat::new(self, player, side))
    }
}
