//! The games in a page.
//!
//! A page asks in lines of text, as a person types at the program, and is answered in JSON. Each worker
//! of a page has an instance of this library, and each instance one [`Desk`]: the worker that referees keeps
//! the deal, the one that advises is told what the player sees. Knows the games' engines and `stats`, and
//! nothing of files, clocks or the laboratory.

#[cfg(any(feature = "klondike", feature = "solitaire"))]
mod cards;
#[cfg(any(feature = "klondike", feature = "review", feature = "solitaire"))]
mod dealt;
mod exports;
#[cfg(feature = "foxes")]
mod foxes;
#[cfg(feature = "klondike")]
mod klondike;
#[cfg(any(feature = "klondike", feature = "solitaire"))]
mod mean;
#[cfg(feature = "pegs")]
mod pegs;
#[cfg(feature = "queens")]
mod queens;
mod record;
#[cfg(feature = "review")]
mod review;
#[cfg(feature = "riddle")]
mod riddle;
#[cfg(feature = "solitaire")]
mod solitaire;

use serde::Serialize;

/// The state of one worker.
#[derive(Default)]
pub struct Desk {
    #[cfg(feature = "klondike")]
    klondike: klondike::Seats,
    #[cfg(feature = "riddle")]
    riddle: Option<riddle::Seat>,
    #[cfg(feature = "solitaire")]
    solitaire: solitaire::Seats,
    #[cfg(feature = "review")]
    review: review::Reviewing,
}

/// The reply to a request that cannot be met.
#[derive(Serialize)]
struct Refusal {
    error: String,
}

/// A reply in JSON, or why there is none.
type Reply = Result<String, String>;

impl Desk {
    /// Answers a request: the name of a game, or `record`, then what is asked of it.
    pub fn answer(&mut self, request: &str) -> String {
        let (about, rest) = first_word(request);
        let reply = match about {
            #[cfg(feature = "solitaire")]
            "solitaire" => solitaire::answer(&mut self.solitaire, rest),
            #[cfg(feature = "foxes")]
            "foxes" => foxes::answer(rest),
            #[cfg(feature = "klondike")]
            "klondike" => klondike::answer(&mut self.klondike, rest),
            #[cfg(feature = "pegs")]
            "pegs" => pegs::answer(rest),
            #[cfg(feature = "queens")]
            "queens" => queens::answer(rest),
            #[cfg(feature = "riddle")]
            "riddle" => riddle::answer(&mut self.riddle, rest),
            #[cfg(feature = "review")]
            "review" => review::answer(&mut self.review, rest),
            "record" => record::answer(rest),
            other => Err(format!("there is no game `{other}`")),
        };
        reply.unwrap_or_else(|error| json(&Refusal { error }).unwrap_or_default())
    }
}

/// The first word of a text, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// A whole number that a request has in the place of `what`.
fn number<T: std::str::FromStr>(word: &str, what: &str) -> Result<T, String> {
    word.trim()
        .parse()
        .map_err(|_| format!("the {what} is `{word}`: give a whole number"))
}

fn json(reply: &impl Serialize) -> Reply {
    serde_json::to_string(reply).map_err(|error| error.to_string())
}
