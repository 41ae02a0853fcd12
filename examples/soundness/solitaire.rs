//! Laws of solitaire's exact search, on games in progress of the whole deck.

use super::layouts::Layout;
use super::{Findings, Law, Trial};
use kit::rng::{Stream, below, choose};
use kit::search::{Budget, Verdict};
use solitaire::card::Card;
use solitaire::exact::{Solver, TableSolution};
use solitaire::rules::Rules;
use solitaire::table::{CardTable, Move};

/// The laws.
pub static LAWS: [Law; 8] = [
    Law {
        name: "solitaire/passes",
        says: "More passes never hurt: 1, 2, 3, 15, and without limit.",
        instances: 40_000,
        sample: 2_000,
        start: passes,
    },
    Law {
        name: "solitaire/draws",
        says: "A line that draws two or three at once is one that draws them singly.",
        instances: 40_000,
        sample: 600,
        start: draws,
    },
    Law {
        name: "solitaire/worrying-back",
        says: "The right to take cards back from the foundations never hurts.",
        instances: 40_000,
        sample: 600,
        start: worrying_back,
    },
    Law {
        name: "solitaire/best-move",
        says: "A table is worth the best of its moves, and no less than lies on the foundations.",
        instances: 40_000,
        sample: 400,
        start: best_move,
    },
    Law {
        name: "solitaire/step-back",
        says: "A move that the next move can take back changes nothing.",
        instances: 40_000,
        sample: 600,
        start: step_back,
    },
    Law {
        name: "solitaire/line",
        says: "A solution's line is legal and reaches its count, and each table on it is worth the same.",
        instances: 40_000,
        sample: 600,
        start: line,
    },
    Law {
        name: "solitaire/relabelled",
        says: "Suits under other names and columns in another order are worth the same.",
        instances: 40_000,
        sample: 600,
        start: relabelled,
    },
    Law {
        name: "solitaire/budget",
        says: "Bounds from a small budget hold the value, whatever the search did before.",
        instances: 40_000,
        sample: 600,
        start: budget,
    },
];

/// Passes in ascending order.
const PASSES: [Option<u8>; 5] = [Some(1), Some(2), Some(3), Some(15), None];

/// A table as `etude solve solitaire` reads it, with its rules.
fn written(table: &CardTable) -> String {
    let Rules {
        draw,
        passes,
        worrying_back,
    } = table.rules();
    let some = |text: String| {
        if text.is_empty() {
            "--".to_owned()
        } else {
            text
        }
    };
    let line = |cards: &[Card]| {
        some(
            cards
                .iter()
                .map(Card::to_string)
                .collect::<Vec<_>>()
                .join(" "),
        )
    };
    let tops: Vec<Card> = (0..4)
        .filter_map(|suit| table.foundation_top(suit))
        .collect();
    let columns = table.columns().iter().map(|column| {
        let (down, up) = column.cards().split_at(column.face_down());
        let down = down.iter().map(|card| {
            let symbol = card.to_string();
            let (rank, suit) = symbol.split_at(1);
            format!("{rank}{}", suit.to_lowercase())
        });
        some(
            down.chain(up.iter().map(Card::to_string))
                .collect::<Vec<_>>()
                .join(" "),
        )
    });
    format!(
        "draw {draw}, passes {passes:?}, worrying back {worrying_back}: foundations: {} | {} | waste: {} | stock: {} | \
         pass: {}",
        line(&tops),
        columns.collect::<Vec<_>>().join(" | "),
        line(table.waste()),
        line(table.stock()),
        table.pass() + 1
    )
}

/// Rules of the parlour and of casinos, the usual ones more often.
fn some_rules(stream: &mut Stream) -> Rules {
    let draw = [1, 1, 2, 3, 3][below(stream, 5) as usize];
    let passes = [None, None, Some(1), Some(2), Some(3)][below(stream, 5) as usize];
    Rules::new(draw, passes).with_worrying_back(below(stream, 4) > 0)
}

/// The searches, one for each kind of table.
#[derive(Default)]
struct Solvers {
    limited: Solver,
    unlimited: Solver,
}

/// Positions that a search may look at, without limit of passes and with one: few enough that a table that needs
/// more costs little.
const NODES: [u64; 2] = [60_000, 12_000];

impl Solvers {
    fn solution(&mut self, table: &CardTable) -> TableSolution {
        let is_limited = table.rules().passes.is_some();
        self.within(table, NODES[usize::from(is_limited)])
    }

    fn within(&mut self, table: &CardTable, nodes: u64) -> TableSolution {
        let solver = match table.rules().passes {
            Some(_) => &mut self.limited,
            None => &mut self.unlimited,
        };
        solver.solve(table, Budget::nodes(nodes))
    }

    fn worth(&mut self, table: &CardTable) -> Verdict<u8> {
        self.solution(table).foundation
    }
}

/// A trial with its searches.
fn trial(mut of: impl FnMut(&mut Solvers, &mut Stream, &mut Findings) + 'static) -> Trial {
    let mut solvers = Solvers::default();
    Box::new(move |stream, found| of(&mut solvers, stream, found))
}

fn passes() -> Trial {
    trial(|solvers, stream, found| {
        let layout = Layout::draw(stream);
        let rules = some_rules(stream);
        let tables = PASSES.map(|passes| layout.table(Rules { passes, ..rules }));
        let worth = tables.map(|table| solvers.worth(&table));
        for (pair, table) in worth.windows(2).zip(&tables[1..]) {
            found.at_least(pair[1], pair[0], || {
                format!(
                    "{:?} here, {:?} with fewer passes: {}",
                    pair[1],
                    pair[0],
                    written(table)
                )
            });
        }
    })
}

fn draws() -> Trial {
    trial(|solvers, stream, found| {
        let layout = Layout::draw(stream);
        let rules = some_rules(stream);
        let single = layout.table(Rules { draw: 1, ..rules });
        let [one, two, three] =
            [1, 2, 3].map(|draw| solvers.worth(&layout.table(Rules { draw, ..rules })));
        for several in [two, three] {
            found.at_least(one, several, || {
                format!(
                    "{one:?} here, {several:?} drawing more: {}",
                    written(&single)
                )
            });
        }
    })
}

fn worrying_back() -> Trial {
    trial(|solvers, stream, found| {
        let layout = Layout::draw(stream);
        let rules = some_rules(stream);
        let free = layout.table(rules.with_worrying_back(true));
        let with = solvers.worth(&free);
        let without = solvers.worth(&layout.table(rules.with_worrying_back(false)));
        found.at_least(with, without, || {
            format!(
                "{with:?} here, {without:?} without worrying back: {}",
                written(&free)
            )
        });
    })
}

/// A table that some moves at random have led to.
fn some_table(stream: &mut Stream) -> CardTable {
    let rules = some_rules(stream);
    let passed = below(stream, rules.passes.unwrap_or(1).into()) as u8;
    let mut table = Layout::draw(stream).table_after(passed, rules);
    for _ in 0..below(stream, 8) {
        let moves = table.moves();
        let Some(&play) = choose(stream, &moves) else {
            break;
        };
        table.play(play);
    }
    table
}

fn best_move() -> Trial {
    trial(|solvers, stream, found| {
        let table = some_table(stream);
        let whole = solvers.worth(&table);
        let mut best = Some(table.founded());
        for play in table.moves() {
            let after = table.after(play);
            let part = solvers.worth(&after);
            best = best
                .filter(|_| part.is_proved())
                .map(|best| best.max(part.lower()));
            found.at_least(whole, part, || {
                format!("{whole:?} here, {part:?} after {play}: {}", written(&table))
            });
        }
        if let (Some(best), Verdict::Proved(whole)) = (best, whole) {
            found.check(whole == best, || {
                format!(
                    "{whole} here, {best} after the best move: {}",
                    written(&table)
                )
            });
        }
    })
}

fn step_back() -> Trial {
    trial(|solvers, stream, found| {
        let table = some_table(stream);
        let goes_back = |play: &Move| {
            let after = table.after(*play);
            after.moves().iter().any(|&back| after.after(back) == table)
        };
        let moves: Vec<Move> = table.moves().into_iter().filter(goes_back).collect();
        let Some(&play) = choose(stream, &moves) else {
            return;
        };
        let [here, there] = [table, table.after(play)].map(|table| solvers.worth(&table));
        found.equal(here, there, || {
            format!("{here:?} here, {there:?} after {play}: {}", written(&table))
        });
    })
}

fn line() -> Trial {
    trial(|solvers, stream, found| {
        let table = some_table(stream);
        let solution = solvers.solution(&table);
        let line = solution.line(&table);
        let stop = below(stream, line.len() as u64 + 1) as usize;
        let (mut now, mut middle, mut is_legal) = (table, table, true);
        for (made, &play) in (1..).zip(&line) {
            is_legal = is_legal && now.allows(play);
            if !is_legal {
                break;
            }
            now.play(play);
            if made == stop {
                middle = now;
            }
        }
        let reached = solution.foundation.lower();
        found.check(is_legal && now.founded() == reached, || {
            format!(
                "the line to {reached} reaches {}, legal {is_legal}: {}",
                now.founded(),
                written(&table)
            )
        });
        if let Verdict::Proved(_) = solution.foundation {
            let [here, later] = [solution.foundation, solvers.worth(&middle)];
            found.equal(here, later, || {
                format!(
                    "{here:?} here, {later:?} after {stop} moves of its line: {}",
                    written(&table)
                )
            });
        }
    })
}

fn relabelled() -> Trial {
    trial(|solvers, stream, found| {
        let layout = Layout::draw(stream);
        let rules = some_rules(stream);
        let table = layout.table(rules);
        let other = layout.relabelled(stream).table(rules);
        let [here, there] = [table, other].map(|table| solvers.worth(&table));
        found.equal(here, there, || {
            format!(
                "{here:?} here, {there:?} as {}: {}",
                written(&other),
                written(&table)
            )
        });
    })
}

fn budget() -> Trial {
    trial(|solvers, stream, found| {
        let table = some_table(stream);
        let nodes = below(stream, 2_000);
        let few = solvers.within(&table, nodes).foundation;
        let Verdict::Proved(count) = solvers.worth(&table) else {
            return;
        };
        found.check((few.lower()..=few.upper()).contains(&count), || {
            format!("{few:?} within {nodes} nodes, {count}: {}", written(&table))
        });
    })
}
