//! A person's game against a player: the requests it accepts, and its answers.
//!
//! Knows nothing of prompts. Every request gives a sentence to show.

use super::super::players::{Contestant, PlayerName};
use super::solve;
use foxes::game::Game;
use foxes::moves::Move;
use foxes::position::{Position, Side};
use foxes::record::MatchRecord;
use foxes::rules::Rules;
use foxes::typed::write_move;
use kit::rng::Stream;
use kit::search::Budget;

/// A game between a person and a player.
pub(super) struct Session {
    record: MatchRecord,
    game: Game,
    person: Side,
    player: Box<dyn Contestant>,
    rng: Stream,
}

/// Nodes the player may spend on a move.
const BUDGET: Budget = Budget::nodes(2_000_000);

impl Session {
    pub(super) fn new(
        record: MatchRecord,
        person: Side,
        player: &PlayerName,
        rng: Stream,
    ) -> Session {
        Session {
            game: record.game(),
            record,
            person,
            player: player.build(),
            rng,
        }
    }

    pub(super) fn rules(&self) -> &Rules {
        &self.record.rules
    }

    pub(super) fn position(&self) -> &Position {
        self.game.position()
    }

    /// Returns the ending of the game, if it has ended.
    pub(super) fn outcome(&self) -> Option<&'static str> {
        self.game.ending().map(|ending| ending.sentence())
    }

    pub(super) fn is_persons_turn(&self) -> bool {
        self.position().side == self.person
    }

    pub(super) fn play(&mut self, play: Move) {
        self.game.play(play);
        self.record.moves.push(play);
    }

    /// Lets the player move, and returns its move in words.
    pub(super) fn reply(&mut self) -> String {
        let side = self.position().side.name();
        let choice = match self.player.choose(&self.game, &mut self.rng, BUDGET) {
            Ok(choice) => choice,
            Err(fault) => return format!("the {side} do not move: {fault:?}"),
        };
        self.play(choice.play);
        format!("the {side} play {}", write_move(choice.play))
    }

    /// Takes back the person's last move and all later ones; returns whether there was one.
    pub(super) fn undo(&mut self) -> bool {
        let persons = |ply: &usize| {
            let even = self.record.start.side == self.person;
            ply.is_multiple_of(2) == even
        };
        match (0..self.record.moves.len()).rev().find(persons) {
            None => false,
            Some(ply) => {
                self.record.moves.truncate(ply);
                self.game = self.record.game();
                self.player.begin();
                true
            }
        }
    }

    /// A good move for the person, and what it is worth.
    pub(super) fn advice(&self) -> String {
        solve::advice(self.rules(), self.position())
            .unwrap_or_else(|| "There is no advice for this position.".to_owned())
    }

    /// The legal moves, numbered, a line each.
    pub(super) fn legal(&self) -> String {
        let lines = (1..).zip(self.moves());
        let lines: Vec<String> = lines
            .map(|(number, play)| format!("{number:>3}. {}", write_move(play)))
            .collect();
        lines.join("\n")
    }

    /// The legal move of this number in the list, counted from 1.
    pub(super) fn numbered(&self, number: usize) -> Option<Move> {
        self.moves().into_iter().nth(number.checked_sub(1)?)
    }

    fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        self.rules().moves(self.position(), &mut moves);
        moves
    }

    /// Goes on from a record; the sides stay as they are.
    pub(super) fn load(&mut self, record: MatchRecord) {
        self.game = record.game();
        self.record = record;
        self.player.begin();
    }

    pub(super) fn record(&self) -> &MatchRecord {
        &self.record
    }
}
