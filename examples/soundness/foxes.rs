//! Laws of foxes and hens: draws that are foreseen, the search, and the exact solutions of small boards.

use super::{Findings, Law, Trial};
use foxes::alphabeta::{SearchAnswer, Searcher};
use foxes::board::{Board, LOW_CROSS, SMALL_SQUARE, STRIP};
use foxes::game::Game;
use foxes::moves::Move;
use foxes::notation::write_position;
use foxes::opening::Opening;
use foxes::position::{Position, Side};
use foxes::rules::{Capture, Rules, Stuck};
use foxes::solved::DrawLimits;
use foxes::solved::retrograde::{Tablebase, Worth, shared};
use kit::rng::{Stream, below, choose};
use kit::search::Budget;

/// The laws.
pub static LAWS: [Law; 6] = [
    Law {
        name: "foxes/draws",
        says: "The moves that are said to draw are those after which the game is drawn, with every limit on quiet play from 1 \
               to 8 and none, and with both or one of the rules for draws.",
        instances: 100_000,
        sample: 200,
        start: draws,
    },
    Law {
        name: "foxes/best-move",
        says: "A search to a depth has the value of its best moves to one ply less, and all of them.",
        instances: 100_000,
        sample: 500,
        start: best_move,
    },
    Law {
        name: "foxes/mirrored",
        says: "A mirrored position has the same value and as many best moves.",
        instances: 100_000,
        sample: 500,
        start: mirrored,
    },
    Law {
        name: "foxes/memory",
        says: "A search with a small table that was used before answers as a new one with a large table.",
        instances: 100_000,
        sample: 100,
        start: memory,
    },
    Law {
        name: "foxes/solved",
        says: "On small boards a solved position is worth the best of its moves, with its distance, and so is its mirror image.",
        instances: 100_000,
        sample: 1_000,
        start: solved,
    },
    Law {
        name: "foxes/quiet",
        says: "Whoever follows a win in so many plies wins before quiet play of as many, or a second occurrence, is a draw.",
        instances: 100_000,
        sample: 500,
        start: quiet,
    },
];

fn pick<T: Copy, const N: usize>(stream: &mut Stream, items: [T; N]) -> T {
    items[below(stream, N as u64) as usize]
}

/// Rules of eating and of stuck hens on a board.
fn some_rules(stream: &mut Stream, board: &'static Board) -> Rules {
    Rules {
        capture: pick(stream, [Capture::Longest, Capture::Any, Capture::Optional]),
        stuck: pick(stream, [Stuck::FoxesWin, Stuck::Pass]),
        ..Rules::on(board)
    }
}

/// A position in progress: some hens eaten, some plies played at random.
fn some_position(stream: &mut Stream, rules: &Rules, plies: u64) -> Position {
    let spare = rules.board.enough_eaten.min(6);
    let opening = Opening {
        root: rules.start(),
        missing: below(stream, spare.into()) as u32,
        plies: below(stream, plies) as u32,
    };
    opening.draw(rules, stream)
}

fn legal(rules: &Rules, position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    rules.moves(position, &mut moves);
    moves
}

fn written(rules: &Rules, position: &Position) -> String {
    let Rules {
        board,
        capture,
        stuck,
        quiet,
        repetition,
    } = rules;
    format!(
        "{} (capture {capture:?}, stuck {stuck:?}, quiet {quiet}, repetition {repetition}): {}",
        board.name,
        write_position(position, board)
    )
}

fn draws() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let rules = Rules {
            quiet: below(stream, 9) as u32,
            repetition: pick(stream, [0, 2, 3]),
            ..some_rules(stream, Rules::ARSAC.board)
        };
        let mut game = Game::from(rules, some_position(stream, &rules, 60));
        for _ in 0..200 {
            if game.ending().is_some() {
                break;
            }
            let moves = legal(&rules, game.position());
            for &play in &moves {
                let mut next = game.clone();
                next.play(play);
                let is_drawn = next
                    .ending()
                    .is_some_and(|ending| ending.winner().is_none());
                found.check(game.is_drawn_by(play) == is_drawn, || {
                    let quiet = game.quiet_plies();
                    format!(
                        "{play:?} after {quiet} quiet plies: {}",
                        written(&rules, game.position())
                    )
                });
            }
            match choose(stream, &moves) {
                Some(&play) => game.play(play),
                None => break,
            }
        }
    })
}

fn answer(searcher: &mut Searcher, rules: &Rules, position: &Position, depth: u32) -> SearchAnswer {
    searcher.search(rules, position, (depth, Budget::UNLIMITED), &|_| false)
}

/// The value of a move for its side: of a won or lost game its sign alone, as a search to less depth may see the end
/// elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum MoveValue {
    Loses,
    Open(i32),
    Wins,
}

impl MoveValue {
    fn of(
        searcher: &mut Searcher,
        rules: &Rules,
        (position, play): (&Position, Move),
        depth: u32,
    ) -> MoveValue {
        let after = rules.after(position, play);
        if let Some(ending) = rules.ending(&after) {
            return MoveValue::decided(ending.winner() == Some(position.side));
        }
        let answer = answer(searcher, rules, &after, depth);
        if answer.is_exact() {
            MoveValue::decided(answer.value < 0)
        } else {
            MoveValue::Open(-answer.value)
        }
    }

    fn decided(wins: bool) -> MoveValue {
        if wins {
            MoveValue::Wins
        } else {
            MoveValue::Loses
        }
    }
}

fn best_move() -> Trial {
    let mut searcher = Searcher::new(14);
    Box::new(move |stream: &mut Stream, found: &mut Findings| {
        let rules = some_rules(stream, Rules::ARSAC.board);
        let position = some_position(stream, &rules, 80);
        let whole = answer(
            &mut searcher,
            &rules,
            &position,
            2 + below(stream, 3) as u32,
        );
        if whole.depth < 2 {
            return;
        }
        let moves = legal(&rules, &position);
        let values: Vec<MoveValue> = moves
            .iter()
            .map(|&play| MoveValue::of(&mut searcher, &rules, (&position, play), whole.depth - 1))
            .collect();
        let expected = if whole.is_exact() {
            MoveValue::decided(whole.value > 0)
        } else {
            MoveValue::Open(whole.value)
        };
        let best = values.iter().max().copied();
        let are_best = moves.iter().zip(&values).all(|(play, &value)| {
            let is_best = whole.best.contains(play);
            // Of several wins only the quickest are best.
            if whole.is_exact() {
                !is_best || value == expected
            } else {
                is_best == (value == expected)
            }
        });
        found.check(best == Some(expected) && are_best, || {
            format!(
                "{whole:?}, its moves {values:?}: {}",
                written(&rules, &position)
            )
        });
    })
}

fn mirrored() -> Trial {
    let mut searcher = Searcher::new(14);
    Box::new(move |stream: &mut Stream, found: &mut Findings| {
        let rules = some_rules(stream, Rules::ARSAC.board);
        let position = some_position(stream, &rules, 80);
        let depth = 1 + below(stream, 4) as u32;
        let image = position.mirrored(rules.board);
        let [here, there] =
            [position, image].map(|position| answer(&mut searcher, &rules, &position, depth));
        let facts = |answer: &SearchAnswer| (answer.value, answer.depth, answer.best.len());
        found.check(facts(&here) == facts(&there), || {
            format!(
                "{here:?}, mirrored {there:?}: {}",
                written(&rules, &position)
            )
        });
    })
}

fn memory() -> Trial {
    let mut used = Searcher::new(6);
    Box::new(move |stream: &mut Stream, found: &mut Findings| {
        // One game: keys are exact within it, and another must be forgotten.
        let rules = some_rules(stream, Rules::ARSAC.board);
        used.forget();
        let mut position = some_position(stream, &rules, 80);
        for _ in 0..4 {
            let depth = 1 + below(stream, 4) as u32;
            let here = answer(&mut used, &rules, &position, depth);
            let there = answer(&mut Searcher::new(12), &rules, &position, depth);
            let facts = |answer: &SearchAnswer| (answer.value, answer.depth, answer.best.clone());
            found.check(facts(&here) == facts(&there), || {
                format!("{here:?}, new {there:?}: {}", written(&rules, &position))
            });
            match choose(stream, &here.best) {
                Some(&play) => position = rules.after(&position, play),
                None => break,
            }
            if rules.ending(&position).is_some() {
                break;
            }
        }
    })
}

/// A solved board under some rules; the largest under its usual ones alone.
fn some_solution(stream: &mut Stream) -> (Rules, std::sync::Arc<Tablebase>) {
    let rules = match below(stream, 3) {
        0 => some_rules(stream, &SMALL_SQUARE),
        1 => Rules {
            stuck: pick(stream, [Stuck::FoxesWin, Stuck::Pass]),
            ..Rules::on(&STRIP)
        },
        _ => Rules::on(&LOW_CROSS),
    };
    (rules, shared(rules))
}

/// The value that its moves give a position.
fn by_moves(rules: &Rules, table: &Tablebase, position: &Position) -> Worth {
    let after = legal(rules, position)
        .into_iter()
        .map(|play| table.worth(&rules.after(position, play)));
    let (mut quickest, mut slowest, mut is_lost) = (None, 0, true);
    for worth in after {
        match worth {
            Worth::Won { winner, plies } if winner == position.side => {
                quickest = Some(quickest.map_or(plies, |quickest: u16| quickest.min(plies)));
            }
            Worth::Won { plies, .. } => slowest = slowest.max(plies),
            Worth::Draw => is_lost = false,
        }
    }
    let won = |winner, plies| Worth::Won {
        winner,
        plies: plies + 1,
    };
    match quickest {
        Some(plies) => won(position.side, plies),
        None if is_lost => won(position.side.other(), slowest),
        None => Worth::Draw,
    }
}

fn solved() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (rules, table) = some_solution(stream);
        let position = some_position(stream, &rules, 40);
        let worth = table.worth(&position);
        let moves = by_moves(&rules, &table, &position);
        found.check(worth == moves, || {
            format!(
                "{worth:?}, by its moves {moves:?}: {}",
                written(&rules, &position)
            )
        });
        let image = table.worth(&position.mirrored(rules.board));
        found.check(worth == image, || {
            format!(
                "{worth:?}, mirrored {image:?}: {}",
                written(&rules, &position)
            )
        });
    })
}

fn quiet() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let (rules, table) = some_solution(stream);
        let position = some_position(stream, &rules, 40);
        let Worth::Won { winner, plies } = table.worth(&position) else {
            return;
        };
        let rules = Rules {
            quiet: DrawLimits::of_plies(plies.into()).quiet(),
            repetition: 2,
            ..rules
        };
        let mut game = Game::from(rules, position);
        while game.ending().is_none() {
            let moves = legal(&rules, game.position());
            let play = if game.position().side == winner {
                quickest(&rules, &table, (game.position(), winner), &moves)
            } else {
                choose(stream, &moves).copied()
            };
            let Some(play) = play else {
                break;
            };
            game.play(play);
        }
        let ending = game.ending();
        found.check(
            ending.and_then(|ending| ending.winner()) == Some(winner),
            || {
                format!(
                    "{winner:?} win in {plies}, ends {ending:?}: {}",
                    written(&rules, &position)
                )
            },
        );
    })
}

/// The move that wins soonest.
fn quickest(
    rules: &Rules,
    table: &Tablebase,
    (position, side): (&Position, Side),
    moves: &[Move],
) -> Option<Move> {
    let distance = |play: &Move| match table.worth(&rules.after(position, *play)) {
        Worth::Won { winner, plies } if winner == side => plies,
        _ => u16::MAX,
    };
    moves.iter().copied().min_by_key(distance)
}
