//! A game that a person plays in the terminal, with advice on request.

use super::advice::estimates;
use super::tabletop::{MoveOf, Tabletop, WorldOf, seat_number};
use lab::rng::Streams;
use lab::search::hidden::{HiddenGame, HiddenPlayer, PlayedGame, Scratch};
use lab::task::{Arguments, Console};

const COMMANDS: &str = "Or: moves, advice, undo, board, reveal (tells what perfect sight reaches), \
    help, quit. A card undone stays seen.";

/// A game in progress.
struct Session<'a, T: Tabletop> {
    seat: &'a T,
    seed: u64,
    index: u64,
    played: Vec<MoveOf<T>>,
    /// Moves taken back that had shown a card: knowledge that no player here has.
    undone: usize,
}

/// Plays a game with a person to its end, or until they stop.
pub fn play<T: Tabletop>(arguments: &Arguments, seat: &T, console: &mut dyn Console) {
    let (seed, index) = seat_number(arguments);
    let mut session = Session {
        seat,
        seed,
        index,
        played: Vec::new(),
        undone: 0,
    };
    session.help(console);
    session.show(console);
    loop {
        if seat.legal(&session.world()).is_empty() {
            console.note("Nothing can move: the game is over.");
            break;
        }
        let line = console.ask("move> ").map(|line| line.trim().to_lowercase());
        let Some(line) = line.filter(|line| !matches!(line.as_str(), "quit" | "q" | "exit")) else {
            break;
        };
        session.answer(&line, console);
    }
    session.conclude(console);
}

impl<T: Tabletop> Session<'_, T> {
    fn world(&self) -> WorldOf<T> {
        let mut world = self.seat.start().clone();
        for &play in &self.played {
            self.seat.game().play(&mut world, play);
        }
        world
    }

    fn unseen(&self) -> usize {
        let game = self.seat.game();
        game.unseen(&game.observe(&self.world()))
    }

    fn help(&self, console: &mut dyn Console) {
        console.note(&format!("{} {COMMANDS}", T::HELP));
    }

    fn show(&self, console: &mut dyn Console) {
        console.draw(&self.seat.board(&self.world(), &self.played));
    }

    /// Does what a line asks for.
    fn answer(&mut self, line: &str, console: &mut dyn Console) {
        match line {
            "" | "help" | "?" => self.help(console),
            "board" | "b" => self.show(console),
            "moves" | "m" => console.note(&self.seat.legal(&self.world()).join("\n")),
            "advice" | "a" | "hint" => self.advise(console),
            "reveal" => console.note(&self.reveal()),
            "undo" | "u" => self.undo(console),
            _ => self.play(line, console),
        }
    }

    fn undo(&mut self, console: &mut dyn Console) {
        let unseen = self.unseen();
        if self.played.pop().is_none() {
            return console.note("there is nothing to undo");
        }
        self.undone += usize::from(self.unseen() != unseen);
        self.show(console);
    }

    fn play(&mut self, line: &str, console: &mut dyn Console) {
        let world = self.world();
        let Some(play) = self.seat.read(&world, line) else {
            let legal = self.seat.legal(&world).join("; ");
            return console.note(&format!("`{line}` cannot be played; these can: {legal}"));
        };
        console.note(&self.seat.told(&world, play));
        self.played.push(play);
        self.show(console);
    }

    fn advise(&self, console: &mut dyn Console) {
        let Ok(adviser) = T::ADVISER.parse() else {
            return;
        };
        let world = self.world();
        let estimates = estimates(self.seat.game(), &world, &adviser, self.seed);
        for estimate in &estimates {
            let (lo, hi) = estimate.interval;
            console.note(&format!(
                "{}: {:.2} cards ({lo:.2} to {hi:.2}) over {} worlds",
                self.seat.told(&world, estimate.play),
                estimate.mean,
                estimate.worlds
            ));
        }
        if let Some(best) = estimates.first() {
            let best = self.seat.told(&world, best.play);
            console.note(&format!("{adviser} would play: {best}."));
        }
    }

    /// The score that can still be reached by a player who sees all cards.
    fn reveal(&self) -> String {
        let best = self.seat.perfect(&self.world());
        let or_more = if best.is_proved() { "" } else { " or more" };
        format!("From here perfect sight scores {}{or_more}.", best.lower())
    }

    /// The score, and what others would have made of the deal.
    fn conclude(&self, console: &mut dyn Console) {
        let game = self.seat.game();
        console.note(&self.seat.result(game.score(&self.world())));
        let Ok(rival) = T::RIVAL.parse::<HiddenPlayer>() else {
            return;
        };
        let draws = Streams::new(self.seed).key(&format!("play of {rival}"));
        let (start, mut scratch) = (self.seat.start(), Scratch::default());
        let draws = (&draws, self.index);
        let played = PlayedGame::play(game, start.clone(), &rival, &mut scratch, draws);
        let optimum = self.seat.perfect(start);
        let at_least = if optimum.is_proved() { "" } else { "at least " };
        console.note(&format!(
            "{rival}, which saw only what you saw, scores {}; perfect sight scores {at_least}{}.",
            game.score(&played.end),
            optimum.lower()
        ));
        match self.undone {
            0 => (),
            1 => console.note("You took back a move and knew what it had shown."),
            moves => console.note(&format!(
                "You took back {moves} moves and knew what they had shown."
            )),
        }
    }
}
