//! The Universal Game Interface, which extends UCI to other games, from the referee's side.
//!
//! Reference: `ugi.md` in kz04px/cutegames. The referee judges legality and endings itself and
//! never asks. Unknown lines are skipped, as is usual with such engines.

use std::time::{Duration, Instant};

use super::pool::{Closing, Session};
use super::process::{Process, Surroundings};
use super::transcript::Transcript;
use base::{count, counted};
use task::outside::{
    Consent, DeclaredProgram, Reply, WorkerError, WorkerErrorKind, excerpt, quote, seconds,
};

/// The longest time that an engine may take for its handshake.
const HANDSHAKE: Duration = Duration::from_secs(10);

/// Nodes of a move at most: hours of any engine, and the sums of many matches are far from the greatest integer.
const MOST_NODES: u64 = 1_000_000_000_000;

/// Lines passed over before the one that is waited for.
const MOST_LINES: usize = 100_000;

/// An option that an engine declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EngineOption {
    /// The option's name.
    pub(crate) name: String,
    /// `string`, `spin`, `combo`, `check` or `button`.
    pub(crate) kind: String,
    /// The option's value where none is set.
    pub(crate) default: String,
    /// The least value of a spin.
    pub(crate) min: i64,
    /// The greatest value of a spin.
    pub(crate) max: i64,
    /// The values of a combo.
    pub(crate) words: Vec<String>,
}

/// A running engine that has said `ugiok`.
#[derive(Debug)]
pub(crate) struct UgiEngine {
    process: Process,
    /// The engine's own name.
    pub(crate) name: String,
    /// The options that it declares.
    pub(crate) options: Vec<EngineOption>,
    /// The conversation since the engine started or the last match began.
    pub(crate) transcript: Transcript,
    patience: Duration,
}

impl UgiEngine {
    /// Starts an engine.
    ///
    /// # Errors
    /// If it does not start.
    pub(crate) fn start(program: &DeclaredProgram, consent: &Consent) -> Result<Self, WorkerError> {
        Ok(Self {
            process: Process::start(
                consent,
                program,
                &program.argv[1..],
                Surroundings::default(),
            )?,
            name: String::new(),
            options: Vec::new(),
            patience: HANDSHAKE,
            transcript: Transcript::default(),
        })
    }

    /// Hears its handshake; from then on it may be silent for as long as `patience`.
    ///
    /// # Errors
    /// If it does not say `ugiok` in ten seconds.
    pub(crate) fn greet(&mut self, patience: Duration) -> Result<(), WorkerError> {
        self.send("ugi\n", "say ugiok")?;
        let mut lines = Vec::new();
        self.until("ugiok", |line| lines.push(line.to_owned()))?;
        for line in &lines {
            if let Some(name) = line.strip_prefix("id name ") {
                self.name = excerpt(name.trim());
            }
            self.options.extend(EngineOption::read(line));
        }
        self.patience = patience;
        Ok(())
    }

    /// The option of that name, in any case.
    pub(crate) fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sets an option that the engine declares.
    ///
    /// # Errors
    /// If it does not read.
    pub(crate) fn set(&mut self, name: &str, value: &str) -> Result<(), WorkerError> {
        self.send(
            &format!("setoption name {name} value {value}\n"),
            "take an option",
        )
    }

    /// Gives the engine the 32 bytes of a seed, if it declares the option `Seed`: in hex where it
    /// is a text, reduced to its range where it is a number.
    ///
    /// # Errors
    /// If it does not read.
    pub(crate) fn seed(&mut self, seed: &[u8; 32]) -> Result<(), WorkerError> {
        match self.option("Seed") {
            Some(option) => {
                let (name, value) = (option.name.clone(), option.seed(seed));
                self.set(&name, &value)
            }
            None => Ok(()),
        }
    }

    /// Begins a match: `uginewgame`, and `isready` until it is.
    ///
    /// # Errors
    /// If it does not say `readyok`.
    pub(crate) fn begin(&mut self) -> Result<(), WorkerError> {
        self.send("uginewgame\nisready\n", "say readyok")?;
        match self.stray_moves()?.first() {
            None => Ok(()),
            // Another process may do without.
            Some(line) => Err(self.process.error(
                WorkerErrorKind::Crashed,
                format_args!("wrote a late {line}: before `go`, no move is asked for"),
            )),
        }
    }

    /// Ends a match: `isready`, until it is. An engine that answers in order has then said all that
    /// it has to say of its moves.
    ///
    /// # Errors
    /// If it does not say `readyok`, or has answered more often than it was asked.
    pub(crate) fn settle(&mut self) -> Result<(), WorkerError> {
        self.send("isready\n", "say readyok after its last move")?;
        match self.stray_moves()?.last() {
            None => Ok(()),
            Some(line) => Err(self.process.fault(format_args!(
                "answered more than once to a `go` of this match; left over is {line}"
            ))),
        }
    }

    /// The moves that come before `readyok`, in quotes.
    fn stray_moves(&mut self) -> Result<Vec<String>, WorkerError> {
        let mut moves = Vec::new();
        self.until("readyok", |line| {
            if line.split_whitespace().next() == Some("bestmove") {
                moves.push(quote(line.as_bytes()));
            }
        })?;
        Ok(moves)
    }

    /// Sends a position and `go`, and waits for the move.
    ///
    /// # Errors
    /// If there is no `bestmove`.
    pub(crate) fn choose(&mut self, position_and_go: &str) -> Result<Reply, WorkerError> {
        self.send(position_and_go, "choose a move")?;
        let mut reply = Reply {
            candidates: 1,
            ..Reply::default()
        };
        let mut play = None;
        self.until("bestmove", |line| {
            if line.starts_with("info") {
                take_info(&mut reply, line);
            } else if let Some(rest) = line.strip_prefix("bestmove") {
                play = rest.split_whitespace().next().map(str::to_owned);
            }
        })?;
        if reply.nodes > MOST_NODES {
            let (said, most) = (count(reply.nodes), count(MOST_NODES));
            let problem = format!("said that a move cost {said} nodes, and at most {most} can be");
            return Err(self.process.fault(problem));
        }
        reply.play = play.unwrap_or_default();
        Ok(reply)
    }

    /// Reads lines up to the first whose first word is `last`, which is read, too. All of them together
    /// may take as long as the engine's patience.
    fn until(&mut self, last: &str, read: impl FnMut(&str)) -> Result<(), WorkerError> {
        self.process.limits.deadline = Instant::now().checked_add(self.patience);
        let result = self.read_until(last, read);
        self.process.limits.deadline = None;
        result
    }

    fn read_until(&mut self, last: &str, mut read: impl FnMut(&str)) -> Result<(), WorkerError> {
        let what = match last {
            "bestmove" => "choose a move".to_owned(),
            word => format!("say {word}"),
        };
        let mut stray = None;
        for count in 0..MOST_LINES {
            let line = match self.process.receive(self.patience, &what) {
                Ok(line) => String::from_utf8_lossy(line),
                Err(error) => return Err(self.without(last, error, (count, stray))),
            };
            self.transcript.note("< ", &line);
            let line = line.trim();
            read(line);
            let first = line.split_whitespace().next().unwrap_or_default();
            if first == last {
                return Ok(());
            }
            let is_known = ["id", "option", "info", "response", ""].contains(&first);
            // Engines tell people by `info string` why they do not answer.
            if !is_known || line.starts_with("info string ") {
                stray = Some(quote(line.as_bytes()));
            }
        }
        let problem = format!("wrote {MOST_LINES} lines and no {last}");
        Err(self.process.fault(problem))
    }

    /// The error of an engine that wrote other lines than the one that was waited for: so many, and
    /// the last that no one understands, or that is for people.
    fn without(
        &self,
        last: &str,
        mut error: WorkerError,
        (lines, stray): (usize, Option<String>),
    ) -> WorkerError {
        if error.kind == WorkerErrorKind::Silent && lines > 0 {
            let (lines, waited) = (counted(lines as u64, "other line"), seconds(self.patience));
            let problem = format!("wrote no {last} in {waited}, and {lines}");
            error = self.process.error(WorkerErrorKind::Silent, problem);
        }
        let is_told = matches!(error.kind, WorkerErrorKind::Fault | WorkerErrorKind::Silent);
        if let Some(line) = stray.filter(|_| is_told) {
            error.add_to_first_line(&format!(" (the last line it wrote was {line})"));
        }
        error
    }

    fn send(&mut self, text: &str, what: &str) -> Result<(), WorkerError> {
        for line in text.lines() {
            self.transcript.note("> ", line);
        }
        self.process.send(text.as_bytes(), self.patience, what)
    }
}

impl Session for UgiEngine {
    const STARTS: (u32, u32) = (5, 5);

    fn identity(&self) -> (&str, &str) {
        (&self.name, "")
    }

    /// Says `quit`.
    fn close(mut self) -> Closing {
        let _ = self.process.send(b"quit\n", Duration::from_secs(1), "quit");
        Closing {
            remark: self.process.stop("after quit"),
            doubtful: None,
        }
    }
}

/// Takes into a reply `info depth 3 nodes 120 candidates 2`.
fn take_info(reply: &mut Reply, line: &str) {
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let number = |text: Option<&str>| text.and_then(|text| text.parse().ok());
        match word {
            "nodes" => reply.nodes = number(words.next()).unwrap_or(reply.nodes),
            "candidates" => {
                let count = number(words.next()).and_then(|n: u64| usize::try_from(n).ok());
                reply.candidates = count.unwrap_or(reply.candidates);
            }
            _ => {}
        }
    }
}

impl EngineOption {
    /// Reads `option name Hash type spin default 16 min 1 max 1024`; `None` of another line.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        if words.next() != Some("option") {
            return None;
        }
        let mut option = Self {
            min: i64::MIN,
            max: i64::MAX,
            ..Self::default()
        };
        let mut key = "";
        for word in words {
            match word {
                "name" | "type" | "default" | "min" | "max" => key = word,
                "var" => {
                    key = word;
                    option.words.push(String::new());
                }
                value => option.take(key, value),
            }
        }
        (!option.name.is_empty()).then_some(option)
    }

    fn take(&mut self, key: &str, value: &str) {
        let text = match (key, self.words.last_mut()) {
            ("name", _) => &mut self.name,
            ("type", _) => &mut self.kind,
            ("default", _) => &mut self.default,
            ("var", Some(word)) => word,
            ("min", _) => {
                self.min = value.parse().unwrap_or(self.min);
                return;
            }
            ("max", _) => {
                self.max = value.parse().unwrap_or(self.max);
                return;
            }
            _ => return,
        };
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(value);
    }

    /// Returns whether it takes a value.
    pub(crate) fn takes(&self, value: &str) -> bool {
        match self.kind.as_str() {
            "combo" => self.words.iter().any(|word| word == value),
            "spin" => value
                .parse()
                .is_ok_and(|value| (self.min..=self.max).contains(&value)),
            _ => true,
        }
    }

    /// The value that stands for a seed.
    fn seed(&self, seed: &[u8; 32]) -> String {
        if self.kind != "spin" {
            return blake3::Hash::from_bytes(*seed).to_hex().to_string();
        }
        let (first, _) = seed.split_first_chunk::<8>().unwrap_or((&[0; 8], &[]));
        let number = u64::from_le_bytes(*first);
        let span = self.max.wrapping_sub(self.min) as u64;
        let offset = match span.checked_add(1) {
            Some(count) => number % count,
            None => number,
        };
        self.min.wrapping_add(offset as i64).to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_in_any_order() {
        let option = EngineOption::read("option name Seed type spin min 0 max 99 default 7");
        let option = option.unwrap();
        assert_eq!(
            (option.name.as_str(), option.min, option.max),
            ("Seed", 0, 99)
        );
        assert!(option.takes("99") && !option.takes("100") && !option.takes("x"));
        let combo = "option name Board type combo default cross var cross var small cross";
        let combo = EngineOption::read(combo).unwrap();
        assert_eq!(combo.words, ["cross", "small cross"]);
        assert_eq!(EngineOption::read("option"), None);
        assert_eq!(EngineOption::read("id name x"), None);
    }

    #[test]
    fn seeds_are_hex_for_texts_and_reduced_for_numbers() {
        let seed: [u8; 32] = std::array::from_fn(|at| at as u8);
        let text = EngineOption::read("option name Seed type string default 0").unwrap();
        assert_eq!(text.seed(&seed).len(), 64);
        assert!(text.seed(&seed).starts_with("000102"));
        let spin = EngineOption::read("option name Seed type spin default 0 min -5 max 4").unwrap();
        let number = u64::from_le_bytes([0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(spin.seed(&seed), ((number % 10) as i64 - 5).to_string());
        let all = EngineOption::read("option name Seed type spin default 0").unwrap();
        assert!(all.seed(&seed).parse::<i64>().is_ok());
    }

    #[test]
    fn info_lines_tell_nodes_and_candidates() {
        let mut reply = Reply::default();
        take_info(
            &mut reply,
            "info depth 3 score cp 5 nodes 120 candidates 2 pv a b",
        );
        assert_eq!((reply.nodes, reply.candidates), (120, 2));
        take_info(&mut reply, "info nodes many");
        assert_eq!(reply.nodes, 120);
    }
}
