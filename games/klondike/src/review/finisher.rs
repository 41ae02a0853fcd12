//! The player that a game is measured by.

use crate::casino::Casino;
use crate::deal::Deal;
use crate::layout::Layout;
use crate::pruned::World;
use cards::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use cards::review::{self, OwnMoves, ReviewedGame, StartValue};
use kit::rng::{Stream, StreamKey};

/// A player that plays games of a layout on to their ends.
#[derive(Clone, Debug, PartialEq)]
pub struct CasinoFinisher {
    player: HiddenPlayer,
    layout: Layout,
}

impl CasinoFinisher {
    /// The player that people's games are measured by.
    pub const FOR_PEOPLE: HiddenPlayer = HiddenPlayer::hindsight(32);

    /// A player at deals of a layout.
    pub fn new(player: HiddenPlayer, layout: Layout) -> CasinoFinisher {
        CasinoFinisher { player, layout }
    }
}

impl review::Finisher for CasinoFinisher {
    type Game = Casino;
    type Memory = Scratch<Casino>;

    fn name(&self) -> String {
        self.player.to_string()
    }

    fn own_moves(
        &self,
        world: &World,
        memory: &mut Scratch<Casino>,
        stream: &mut Stream,
    ) -> OwnMoves<Casino> {
        let (mut world, mut moves) = (world.clone(), Vec::new());
        let hidden = world.hidden();
        while world.hidden() == hidden {
            let seen = Casino.observe(&world);
            let Some(card) = self.player.decide(&Casino, memory, &seen, stream) else {
                break;
            };
            world.play(card);
            moves.push(card);
        }
        OwnMoves {
            is_over: world.hidden() == hidden,
            moves,
            world,
        }
    }

    fn finish(&self, world: World, memory: &mut Scratch<Casino>, draws: (&StreamKey, u64)) -> i64 {
        Casino.result(&PlayedGame::play(&Casino, world, &self.player, memory, draws).end)
    }

    fn play_other(
        &self,
        _: &World,
        memory: &mut Scratch<Casino>,
        (draws, number): (&StreamKey, u64),
    ) -> i64 {
        let deal = Deal::draw(&self.layout, &mut draws.stream(number));
        self.finish(World::new(&deal), memory, (draws, number))
    }

    /// Returns the mean of 50,000 deals of the result `klondike-hidden`.
    fn known_start(&self, _: &World) -> Option<StartValue> {
        let usual = "yukon".parse();
        let is_known = self.player == Self::FOR_PEOPLE && usual.as_ref() == Ok(&self.layout);
        is_known.then(|| StartValue::new(-28.3661, -28.8623, -27.8631))
    }
}
