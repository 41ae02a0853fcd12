//! Riddle chess in a page.
//!
//! The worker makes a riddle as `etude make riddle` does, shows the numbers of that or all that there are, and
//! keeps the answer; the page tells it where the pieces stand, a cell or `-` for each in the army's order.

use kit::rng::Streams;
use kit::search::Budget;
use riddle::army::{Army, Placement};
use riddle::board::{CellSet, has, members, only, set_of};
use riddle::clues::{Clue, Clues};
use riddle::maker::{self, CHECK, Grade, MOST_PLACEMENTS, Maker};
use riddle::review::most_needed;
use riddle::rules::{Referee, Rule};
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use riddle::solver::RiddleSolver;
use riddle::variants::Variant;
use serde::Serialize;

use super::{Reply, first_word, json, number};

/// A riddle before a person.
pub struct Seat {
    referee: Referee,
    clues: Clues,
    answer: Placement,
}

/// Placements that are counted before "many" is answer enough.
const MANY: u64 = 1_000;

/// The cells of the pieces that a person placed.
type Placed = Vec<Option<usize>>;

/// Answers a request: a verb and its words.
pub fn answer(desk: &mut Option<Seat>, request: &str) -> Reply {
    let (verb, rest) = first_word(request);
    if verb == "make" {
        return json(&desk.insert(Seat::new(rest)?).view());
    }
    let seat = desk.as_ref().ok_or("no riddle is made")?;
    match verb {
        "prove" => json(&seat.prove()),
        "judge" => json(&seat.judge(&seat.placed(rest)?)),
        "hint" => json(&seat.hint(&seat.placed(rest)?)),
        "needed" => json(&seat.needed()),
        "answer" => json(&seat.names(seat.answer.iter())),
        other => Err(format!("riddle has no verb `{other}`")),
    }
}

#[derive(Serialize)]
struct View {
    width: usize,
    cells: Vec<Cell>,
    pieces: Vec<Man>,
    /// As `etude solve riddle --clues` takes it.
    id: String,
}

#[derive(Serialize)]
struct Cell {
    name: String,
    /// The number shown.
    number: Option<u8>,
}

#[derive(Serialize)]
struct Man {
    name: &'static str,
    short: &'static str,
    symbol: char,
    /// The cells that it may stand on.
    home: Vec<String>,
}

/// The proof that nothing else fits.
#[derive(Serialize)]
struct Proof {
    placements: u64,
    steps: u64,
    grade: String,
}

/// A judgement of the pieces as they stand.
#[derive(Serialize)]
struct Judgement {
    /// The number of pieces that attack each cell.
    counts: Vec<u8>,
    /// The cells that each piece attacks.
    attacks: Vec<Vec<String>>,
    /// The cells whose number is broken: more attack them, or fewer once all pieces stand.
    broken: Vec<String>,
    /// The faults, in sentences.
    told: Vec<String>,
    solved: bool,
}

/// A piece that stands where it does not belong, or where one not yet placed belongs.
#[derive(Serialize)]
struct Hint {
    piece: usize,
    cell: String,
    is_right: bool,
}

impl Seat {
    /// Makes the riddle of `VARIANT few|all SEED`.
    fn new(request: &str) -> Result<Seat, String> {
        let (name, rest) = first_word(request);
        let (numbers, seed) = first_word(rest);
        let variant: Variant = name
            .parse()
            .map_err(|_| format!("there is no variant `{name}`"))?;
        let referee = Referee::new(variant.army(), Rule::NonAttacking);
        let generator = Generator::new(referee, Sampler::Uniform, ConflictAlgorithm::Bitboard);
        let generator = generator.ok_or("nothing can be drawn")?;
        let mut stream = Streams::new(number(seed, "number of the riddle")?)
            .key("riddle")
            .stream(0);
        let riddle = Maker::new(&generator, false, CHECK).make(&mut stream, MOST_PLACEMENTS);
        let riddle = riddle.ok_or("no placement of this number has a map of its own")?;
        let referee = generator.referee().clone();
        let army = referee.army();
        let clues = match numbers {
            "few" => riddle.clues,
            "all" => Clues::of_map(&army.threats(&riddle.answer), army.board().all()),
            other => return Err(format!("the numbers shown are few or all, not `{other}`")),
        };
        Ok(Seat {
            clues,
            answer: riddle.answer,
            referee,
        })
    }

    fn army(&self) -> &Army {
        self.referee.army()
    }

    fn names(&self, cells: impl Iterator<Item = usize>) -> Vec<String> {
        cells.map(|cell| self.army().board().name(cell)).collect()
    }

    fn view(&self) -> View {
        let army = self.army();
        let board = army.board();
        let cell = |cell| Cell {
            name: board.name(cell),
            number: match self.clues.at(cell) {
                Clue::Threats(count) => Some(count),
                _ => None,
            },
        };
        let pieces = army.pieces().iter().map(|piece| Man {
            name: piece.name,
            short: piece.short,
            symbol: piece.symbol,
            home: self.names(members(piece.domain)),
        });
        View {
            width: board.width(),
            cells: (0..board.cells()).map(cell).collect(),
            pieces: pieces.collect(),
            id: maker::id(army, self.referee.rule(), &self.clues),
        }
    }

    fn prove(&self) -> Proof {
        let solver = RiddleSolver::new(&self.referee);
        let search = solver.count(&self.clues, 2, Budget::UNLIMITED);
        Proof {
            placements: search.solutions,
            steps: search.nodes,
            grade: Grade::of(search.nodes).as_ref().to_owned(),
        }
    }

    /// The number that decides the most, in words.
    fn needed(&self) -> String {
        let Some(needed) = most_needed(&self.referee, &self.clues, MANY) else {
            return "No single number decides: without any one of them the answer is the same."
                .to_owned();
        };
        let cell = self.army().board().name(needed.cell);
        let least = if needed.fitting == MANY {
            "at least "
        } else {
            ""
        };
        format!(
            "The number on {cell} decides the most: without it {least}{} placements fit.",
            needed.fitting
        )
    }

    fn placed(&self, words: &str) -> Result<Placed, String> {
        let army = self.army();
        let cell = |word| match word {
            "-" => Ok(None),
            name => match army.board().parse(name) {
                Some(cell) => Ok(Some(cell)),
                None => Err(format!("there is no cell `{name}`")),
            },
        };
        let placed: Placed = words
            .split_whitespace()
            .map(cell)
            .collect::<Result<_, _>>()?;
        if placed.len() != army.size() {
            return Err(format!("give {} cells, `-` for none", army.size()));
        }
        Ok(placed)
    }

    fn judge(&self, placed: &Placed) -> Judgement {
        let attacks = self.attacks(placed);
        let cells = self.army().board().cells();
        let attackers = |cell| {
            let attacks = attacks.iter().enumerate();
            attacks.filter(move |&(_, &set)| has(set, cell))
        };
        let counts: Vec<u8> = (0..cells)
            .map(|cell| attackers(cell).count() as u8)
            .collect();
        let is_full = placed.iter().all(Option::is_some);
        let broken: Vec<(usize, u8)> = (0..cells)
            .filter_map(|cell| match self.clues.at(cell) {
                Clue::Threats(shown) if counts[cell] > shown => Some((cell, shown)),
                Clue::Threats(shown) if is_full && counts[cell] < shown => Some((cell, shown)),
                _ => None,
            })
            .collect();
        let told = broken.iter().map(|&(cell, shown)| {
            let names = attackers(cell).map(|(piece, _)| self.army().pieces()[piece].name);
            let attack = attack(&names.collect::<Vec<_>>());
            let is_few = (1..shown).contains(&counts[cell]);
            let only = if is_few { "only " } else { "" };
            let cell = self.army().board().name(cell);
            format!("{cell} shows {shown}, but {only}{attack} it.")
        });
        let right = self.answer.iter().map(Some);
        Judgement {
            attacks: attacks
                .iter()
                .map(|&set| self.names(members(set)))
                .collect(),
            broken: self.names(broken.iter().map(|&(cell, _)| cell)),
            told: self
                .clashes(placed, &attacks)
                .into_iter()
                .chain(told)
                .collect(),
            solved: right.eq(placed.iter().copied()),
            counts,
        }
    }

    /// The cells that each piece attacks, those placed in each other's way.
    fn attacks(&self, placed: &Placed) -> Vec<CellSet> {
        let occupied = set_of(placed.iter().flatten().copied());
        let attacked = |(piece, cell): (usize, &Option<usize>)| {
            cell.map_or(0, |cell| self.army().attacks(piece, cell, occupied))
        };
        placed.iter().enumerate().map(attacked).collect()
    }

    /// Pairs that the rule forbids, in sentences.
    fn clashes(&self, placed: &Placed, attacks: &[CellSet]) -> Vec<String> {
        let (army, referee) = (self.army(), &self.referee);
        let mut told = Vec::new();
        for (piece, cell) in placed.iter().enumerate() {
            let Some(cell) = *cell else { continue };
            for (other, at) in placed.iter().enumerate() {
                let Some(at) = at.filter(|_| other != piece) else {
                    continue;
                };
                let names = (army.pieces()[piece].name, army.pieces()[other].name);
                let is_quiet = (attacks[piece] & only(at)) | (attacks[other] & only(cell)) == 0;
                if has(attacks[piece], at) {
                    told.push(format!("The {} attacks the {}.", names.0, names.1));
                } else if piece < other && is_quiet && has(referee.conflict(piece, cell, other), at)
                {
                    told.push(format!(
                        "The {} and the {} may not stand so.",
                        names.0, names.1
                    ));
                }
            }
        }
        told
    }

    /// A piece that stands wrong, or else the place of one that does not stand yet.
    fn hint(&self, placed: &Placed) -> Option<Hint> {
        let right: Vec<usize> = self.answer.iter().collect();
        let is_wrong = |piece: &usize| placed[*piece].is_some_and(|cell| cell != right[*piece]);
        let wrong = (0..right.len()).find(is_wrong);
        let piece = wrong.or_else(|| placed.iter().position(Option::is_none))?;
        let cell = placed[piece].unwrap_or(right[piece]);
        Some(Hint {
            piece,
            cell: self.army().board().name(cell),
            is_right: wrong.is_none(),
        })
    }
}

/// The attackers of a cell with their verb: `the queen and the rook attack`.
fn attack(names: &[&str]) -> String {
    match names {
        [] => "nothing attacks".to_owned(),
        [name] => format!("the {name} attacks"),
        [names @ .., last] => format!("the {} and the {last} attack", names.join(", the ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Desk;
    use super::*;
    use kit::rng::{Stream, choose};
    use serde_json::Value;

    fn ask(desk: &mut Desk, request: &str) -> Value {
        serde_json::from_str(&desk.answer(&format!("riddle {request}"))).unwrap()
    }

    /// Seed 7: the riddle that the verb `make` is tested with.
    #[test]
    fn a_riddle_is_the_programs_for_the_same_seed() {
        let mut desk = Desk::default();
        let id = "chess:....2.../.1....../.13...2./.1....../.01...../......1./...22.../........";
        assert_eq!(ask(&mut desk, "make chess few 7")["id"], id);
        let few = ask(&mut desk, "prove");
        let all = ask(&mut desk, "make chess all 7");
        let is_shown = |cell: &Value| cell["number"].is_u64();
        assert!(all["cells"].as_array().unwrap().iter().all(is_shown));
        let proof = ask(&mut desk, "prove");
        assert!(proof["steps"].as_u64() < few["steps"].as_u64());
        assert_eq!(
            [&few["grade"], &proof["grade"]],
            [&Value::from("fiendish"), &Value::from("easy")]
        );
        assert!(ask(&mut desk, "make go all 7")["error"].is_string());
        assert!(ask(&mut desk, "make chess 7")["error"].is_string());
        assert!(ask(&mut desk, "judge a1 - - -")["error"].is_string());
    }

    /// Seed 1 of each variant.
    #[test]
    fn hints_lead_from_an_empty_board_or_a_wrong_one_to_the_only_answer() {
        for variant in ["chess", "makruk", "xiangqi", "shogi"] {
            let mut desk = Desk::default();
            let view = ask(&mut desk, &format!("make {variant} few 1"));
            let needed = ask(&mut desk, "needed");
            assert!(
                needed.as_str().unwrap().contains("decides the most"),
                "{needed}"
            );
            assert_eq!(ask(&mut desk, "prove")["placements"], 1);
            let mut placed = vec!["-".to_owned(); view["pieces"].as_array().unwrap().len()];
            let answer = ask(&mut desk, "answer");
            placed[1] = if answer[1] == "d1" { "d3" } else { "d1" }.to_owned();
            loop {
                let hint = ask(&mut desk, &format!("hint {}", placed.join(" ")));
                let Some(piece) = hint["piece"].as_u64() else {
                    break;
                };
                placed[piece as usize] = match hint["is_right"].as_bool() {
                    Some(true) => hint["cell"].as_str().unwrap().to_owned(),
                    _ => "-".to_owned(),
                };
            }
            assert_eq!(serde_json::json!(placed), answer);
            let judgement = ask(&mut desk, &format!("judge {}", placed.join(" ")));
            assert_eq!(judgement["solved"], true);
        }
    }

    fn drawn(seat: &Seat, stream: &mut Stream) -> Placed {
        let domains = seat.army().pieces().iter().map(|piece| piece.domain);
        let draw = |domain| choose(stream, &members(domain).collect::<Vec<_>>()).copied();
        domains.map(draw).collect()
    }

    /// Attackers are "only" those where a number asks for more.
    fn tells_who_attacks(judgement: &Judgement) {
        for told in judgement
            .told
            .iter()
            .filter(|told| told.contains(" shows "))
        {
            let (number, attackers) = told.split_once(", but ").unwrap();
            let shown: usize = number.split(' ').next_back().unwrap().parse().unwrap();
            let attacking = match attackers {
                "nothing attacks it." => 0,
                names => names.matches("the ").count(),
            };
            let is_few = (1..shown).contains(&attacking);
            assert_eq!(attackers.starts_with("only the "), is_few, "{told}");
        }
    }

    /// Riddles 1 to 3 of each variant, and 2,000 placements of seed 1 for each: as only the answer fits, something
    /// is wrong with every other.
    #[test]
    fn every_placement_but_the_answer_breaks_a_number_or_the_rule() {
        for variant in ["chess", "makruk", "xiangqi", "shogi"] {
            for seed in 1..=3 {
                let seat = Seat::new(&format!("{variant} few {seed}")).unwrap();
                let mut stream = Streams::new(1).key("placements").stream(seed);
                let answer: Placed = seat.answer.iter().map(Some).collect();
                let drawn = (0..2_000).map(|_| drawn(&seat, &mut stream));
                for mut placed in drawn.chain([answer]) {
                    // Near the answer, where few numbers break.
                    let kept = placed.len() - 1;
                    for (piece, cell) in seat.answer.iter().enumerate().take(kept) {
                        if seed > 1 {
                            placed[piece] = Some(cell);
                        }
                    }
                    let judgement = seat.judge(&placed);
                    assert_eq!(judgement.told.is_empty(), judgement.solved, "{placed:?}");
                    tells_who_attacks(&judgement);
                }
            }
        }
    }
}
