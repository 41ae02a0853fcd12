//! Laws of the pruned engine of the Klondike casino, on games in progress of the whole deck, and of the values
//! without sight on small decks.

use super::{Findings, Law, Trial};
use kit::rng::{Stream, below, choose, shuffle};
use kit::search::{Budget, Verdict};
use klondike::card::Card;
use klondike::deal::Deal;
use klondike::deck::Deck;
use klondike::hidden_value::totals;
use klondike::layout::{ColumnShape, Layout};
use klondike::pruned::{PrunedEngine, World};

/// The laws.
pub static LAWS: [Law; 6] = [
    Law {
        name: "klondike/best-move",
        says: "A position is worth the best of its moves, and no less than lies on the foundations.",
        instances: 200_000,
        sample: 2_000,
        start: best_move,
    },
    Law {
        name: "klondike/face-up",
        says: "Cards that lie face up from the start never hurt.",
        instances: 200_000,
        sample: 2_000,
        start: face_up,
    },
    Law {
        name: "klondike/line",
        says: "A solution's moves are legal and reach its score, and each position on the way is worth the same.",
        instances: 200_000,
        sample: 2_000,
        start: line,
    },
    Law {
        name: "klondike/relabelled",
        says: "Suits under other names and columns in another order are worth the same.",
        instances: 200_000,
        sample: 2_000,
        start: relabelled,
    },
    Law {
        name: "klondike/budget",
        says: "Bounds from a small budget hold the value, whatever the engine did before.",
        instances: 200_000,
        sample: 2_000,
        start: budget,
    },
    Law {
        name: "klondike/sight",
        says: "On small decks no player without sight beats the best one, nor that one perfect sight; cards face up never \
               hurt.",
        instances: 1_000,
        sample: 20,
        start: sight,
    },
];

/// Positions that a search may look at.
const NODES: u64 = 100_000;

/// A game in progress: its deal and the moves since.
struct Played {
    deal: Deal,
    moves: Vec<Card>,
}

impl Played {
    fn draw(stream: &mut Stream) -> Played {
        let deal = Deal::draw(&some_layout(stream), stream);
        let mut played = Played {
            deal,
            moves: Vec::new(),
        };
        let mut world = World::new(&played.deal);
        for _ in 0..below(stream, 12) {
            let moves: Vec<Card> = world.moves().collect();
            let Some(&card) = choose(stream, &moves) else {
                break;
            };
            world.play(card);
            played.moves.push(card);
        }
        played
    }

    fn world(&self) -> World {
        self.in_world(&self.deal, |card| card)
    }

    /// The world after the moves in another deal, in which the cards have other names.
    fn in_world(&self, deal: &Deal, name: impl Fn(Card) -> Card) -> World {
        let mut world = World::new(deal);
        self.moves.iter().for_each(|&card| world.play(name(card)));
        world
    }

    fn written(&self) -> String {
        let moves: Vec<String> = self.moves.iter().map(Card::to_string).collect();
        format!("{}, after {}", self.deal, moves.join(" "))
    }
}

/// The layout of the casino, or a full deck in columns of random shapes.
fn some_layout(stream: &mut Stream) -> Layout {
    let yukon = || {
        "yukon"
            .parse()
            .unwrap_or_else(|_| unreachable!("it is one of the named layouts"))
    };
    if below(stream, 2) == 0 {
        return yukon();
    }
    let mut heights = [0u8; 8];
    (0..52).for_each(|_| heights[below(stream, 8) as usize] += 1);
    let columns = heights.map(|height| {
        let down = below(stream, u64::from(height.min(7)).max(1)) as u8;
        ColumnShape {
            down,
            up: height - down,
        }
    });
    Layout::of_deck(columns.to_vec(), Deck::FULL).unwrap_or_else(|_| yukon())
}

fn worth(engine: &mut PrunedEngine, world: &World) -> Verdict<u8> {
    engine.value(world, Budget::nodes(NODES))
}

/// A trial with its engine.
fn trial(mut of: impl FnMut(&mut PrunedEngine, &mut Stream, &mut Findings) + 'static) -> Trial {
    let mut engine = PrunedEngine::new();
    Box::new(move |stream, found| of(&mut engine, stream, found))
}

fn best_move() -> Trial {
    trial(|engine, stream, found| {
        let played = Played::draw(stream);
        let world = played.world();
        let whole = worth(engine, &world);
        let mut best = Some(world.score());
        for card in world.moves() {
            let mut after = world.clone();
            after.play(card);
            let part = worth(engine, &after);
            best = best
                .filter(|_| part.is_proved())
                .map(|best| best.max(part.lower()));
            found.at_least(whole, part, || {
                format!(
                    "{whole:?} here, {part:?} after {card}: {}",
                    played.written()
                )
            });
        }
        if let (Some(best), Verdict::Proved(whole)) = (best, whole) {
            found.check(whole == best, || {
                format!(
                    "{whole} here, {best} after the best move: {}",
                    played.written()
                )
            });
        }
    })
}

fn face_up() -> Trial {
    trial(|engine, stream, found| {
        let played = Played::draw(stream);
        let Some(open) = turned_up(played.deal.layout(), stream) else {
            return;
        };
        let Some(deal) = Deal::with_cards(&open, played.deal.cards()) else {
            return;
        };
        let closed = worth(engine, &played.world());
        let opened = worth(engine, &played.in_world(&deal, |card| card));
        found.at_least(opened, closed, || {
            format!("{closed:?}, {opened:?} as {deal}: {}", played.written())
        });
    })
}

/// The layout with some of its cards turned up.
fn turned_up(layout: &Layout, stream: &mut Stream) -> Option<Layout> {
    let columns = layout.columns().iter().map(|shape| {
        let down = below(stream, u64::from(shape.down) + 1) as u8;
        ColumnShape {
            down,
            up: shape.cards() as u8 - down,
        }
    });
    Layout::of_deck(columns.collect(), layout.deck()).ok()
}

fn line() -> Trial {
    trial(|engine, stream, found| {
        let played = Played::draw(stream);
        let mut world = played.world();
        let solved = engine.solve_from(&world, Budget::nodes(NODES));
        let stop = below(stream, solved.moves.len() as u64 + 1) as usize;
        let (mut middle, mut is_legal) = (world.clone(), true);
        for (made, &card) in (1..).zip(&solved.moves) {
            is_legal = is_legal && world.moves().contains(card);
            if !is_legal {
                break;
            }
            world.play(card);
            if made == stop {
                middle = world.clone();
            }
        }
        let reached = solved.score.lower();
        found.check(is_legal && world.score() == reached, || {
            format!(
                "the moves to {reached} reach {}, legal {is_legal}: {}",
                world.score(),
                played.written()
            )
        });
        let later = worth(engine, &middle);
        found.equal(solved.score, later, || {
            format!(
                "{:?} here, {later:?} after {stop} of its moves: {}",
                solved.score,
                played.written()
            )
        });
    })
}

fn relabelled() -> Trial {
    trial(|engine, stream, found| {
        let played = Played::draw(stream);
        let mut suits = [0, 1, 2, 3];
        shuffle(stream, &mut suits);
        let name = |card: Card| Card::new(suits[card.suit()], card.rank()).unwrap_or(card);
        let mut columns: Vec<(ColumnShape, Vec<Card>)> = played
            .deal
            .columns()
            .map(|(shape, cards)| (shape, cards.iter().map(|&card| name(card)).collect()))
            .collect();
        shuffle(stream, &mut columns);
        let shapes = columns.iter().map(|&(shape, _)| shape).collect();
        let cards: Vec<Card> = columns.into_iter().flat_map(|(_, cards)| cards).collect();
        let layout = Layout::of_deck(shapes, Deck::FULL).ok();
        let Some(deal) = layout.and_then(|layout| Deal::with_cards(&layout, &cards)) else {
            return;
        };
        let here = worth(engine, &played.world());
        let there = worth(engine, &played.in_world(&deal, name));
        found.equal(here, there, || {
            format!("{here:?}, {there:?} as {deal}: {}", played.written())
        });
    })
}

fn budget() -> Trial {
    trial(|engine, stream, found| {
        let played = Played::draw(stream);
        let nodes = below(stream, 300);
        let few = engine.value(&played.world(), Budget::nodes(nodes));
        let Verdict::Proved(score) = worth(engine, &played.world()) else {
            return;
        };
        found.check((few.lower()..=few.upper()).contains(&score), || {
            format!(
                "{few:?} within {nodes} nodes, {score}: {}",
                played.written()
            )
        });
    })
}

fn sight() -> Trial {
    Box::new(|stream: &mut Stream, found: &mut Findings| {
        let Some(layout) = small_layout(stream) else {
            return;
        };
        let Some(open) = turned_up(&layout, stream) else {
            return;
        };
        let (Some(closed), Some(opened)) = (totals(&layout), totals(&open)) else {
            return;
        };
        let written = || {
            format!(
                "{closed:?}, {opened:?} as {open}: {layout} of {}",
                layout.deck()
            )
        };
        for sums in [closed, opened] {
            let best = sums.hidden;
            found.check(
                sums.greedy <= best && sums.hindsight <= best && best <= sums.perfect,
                written,
            );
        }
        found.check(
            closed.perfect <= opened.perfect && closed.hidden <= opened.hidden,
            written,
        );
    })
}

/// Four to eight cards in two to four columns.
fn small_layout(stream: &mut Stream) -> Option<Layout> {
    let deck = [(1, 4), (1, 5), (1, 6), (2, 3), (2, 4), (3, 2)][below(stream, 6) as usize];
    let deck = Deck::new(deck.0, deck.1)?;
    let mut heights = vec![0u8; 2 + below(stream, 3) as usize];
    (0..deck.size()).for_each(|_| {
        let column = below(stream, heights.len() as u64) as usize;
        heights[column] += 1;
    });
    let columns = heights.iter().map(|&height| {
        let down = below(stream, u64::from(height).max(1)) as u8;
        ColumnShape {
            down,
            up: height - down,
        }
    });
    Layout::of_deck(columns.collect(), deck).ok()
}
