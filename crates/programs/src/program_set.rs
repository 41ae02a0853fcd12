//! The programs of an experiment, made of their declarations.

use std::sync::Arc;

use kit::rng::Streams;
use task::outside::{Consent, Declaration, Engines, OutsidePlayer, PlayerDeclaration, Players};
use task::{ParamError, Params, Task, TaskSpec};

use super::command::ExternalCommand;
use super::command_task::CommandTask;
use super::{Instances, UgiEngines};

/// The programs made of an experiment's declarations; none is started before a consent is there.
#[derive(Clone, Debug, Default)]
pub struct ProgramSet {
    /// The simulation in another program.
    pub command: Option<Arc<ExternalCommand>>,
    /// The instances of its samples.
    pub instances: Option<Arc<Instances>>,
    players: Option<Arc<Players>>,
}

impl ProgramSet {
    /// The programs of these declarations; `streams` are those of the experiment.
    pub fn new(
        command: Option<&Declaration>,
        players: &[PlayerDeclaration],
        streams: &Streams,
    ) -> Self {
        let declared = command.and_then(|command| command.instances.as_ref());
        let instances = declared.map(|declared| Arc::new(Instances::new(declared, streams)));
        let command = command.cloned().map(ExternalCommand::new);
        let command = command.map(|command| command.with_instances(instances.clone()));
        let player = |declaration: &PlayerDeclaration| {
            let engines = Arc::new(UgiEngines::new(declaration.clone()));
            Arc::new(OutsidePlayer::new(declaration.clone(), engines))
        };
        let players = Players(players.iter().map(player).collect());
        Self {
            command: command.map(Arc::new),
            instances,
            players: (!players.0.is_empty()).then(|| Arc::new(players)),
        }
    }

    /// The players, in file order.
    pub fn players(&self) -> &[Arc<OutsidePlayer>] {
        self.players.as_ref().map_or(&[], |players| &players.0)
    }

    /// A task with these parameters: one whose samples another program draws, or one that its players may play.
    ///
    /// # Errors
    /// As the task says of these parameters.
    pub fn task(&self, spec: &TaskSpec, params: &Params) -> Result<Box<dyn Task>, ParamError> {
        match (&self.command, &self.players) {
            (Some(command), _) => Ok(Box::new(CommandTask::new(Arc::clone(command), params))),
            (None, Some(players)) => spec.build(&params.clone().with_players(players)),
            (None, None) => spec.build(params),
        }
    }

    /// Does some work for which this thread starts processes of its own, which keep no state of what others drew;
    /// [`end_second`](Self::end_second) ends them.
    pub fn by_second<T>(&self, work: impl FnOnce() -> T) -> T {
        let ask = |are_asked: bool| {
            (self.command.iter()).for_each(|command| command.pool.ask_second(are_asked));
            self.engines()
                .for_each(|engines| engines.ask_second(are_asked));
        };
        ask(true);
        let done = work();
        ask(false);
        done
    }

    /// Ends the processes of this thread alone.
    pub fn end_second(&self) {
        (self.command.iter()).for_each(|command| command.pool.end_second());
        self.engines().for_each(|engines| engines.end_second());
    }

    fn engines(&self) -> impl Iterator<Item = &dyn Engines> {
        let players = self.players().iter();
        players.filter_map(|player| player.engines().map(|engines| &**engines))
    }

    /// Lets the programs be started by this consent; before, none can be.
    pub fn allow(&self, consent: &Consent) {
        (self.command.iter()).for_each(|command| command.pool.allow(consent));
        self.engines().for_each(|engines| engines.allow(consent));
        (self.instances.iter()).for_each(|instances| instances.allow(consent));
    }
}
