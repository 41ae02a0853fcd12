//! Every order of the unseen cards is as likely as any other, for all who draw worlds.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::observation_tree::ObservationTree;
use super::{HiddenGame, HiddenPlayer, PlayedGame, Scratch, Shortlist, count_worlds, worlds};
use kit::rng::{Stream, Streams};
use kit::search::Budget;

/// A game of one move with four unseen cards. It keeps the orders it was asked to deal them in.
#[derive(Default)]
struct Recorder {
    orders: RefCell<Vec<Vec<u8>>>,
    /// The score of the first move; the other's is 0.
    first: u32,
}

impl HiddenGame for Recorder {
    /// The move made.
    type Observation = Option<char>;
    type World = Option<char>;
    type Move = char;
    type Solver = ();
    type Guide = ();
    const FORESIGHT: Budget = Budget::UNLIMITED;

    fn observe(&self, world: &Option<char>) -> Option<char> {
        *world
    }

    fn canonical(&self, seen: &Option<char>) -> Option<char> {
        *seen
    }

    fn unseen(&self, _: &Option<char>) -> usize {
        4
    }

    fn redeal(&self, canonical: &Option<char>, order: &[u8]) -> Option<char> {
        self.orders.borrow_mut().push(order.to_vec());
        *canonical
    }

    fn moves(&self, world: &Option<char>) -> Vec<char> {
        world.map_or(vec!['a', 'b'], |_| Vec::new())
    }

    fn play(&self, world: &mut Option<char>, play: char) {
        *world = Some(play);
    }

    fn score(&self, world: &Option<char>) -> u32 {
        if *world == Some('a') { self.first } else { 0 }
    }

    fn solve(&self, (): &mut (), _: &Option<char>, (): &(), _: Budget) -> u32 {
        0
    }

    fn bound(&self, _: &mut (), _: &Option<char>, _: Budget) -> (u32, ()) {
        (0, ())
    }
}

/// Counts how often each order is dealt in 1,000 decisions that draw from the streams of a seed.
fn counts(seed: u64, decide: impl Fn(&Recorder, &mut Stream)) -> BTreeMap<Vec<u8>, u32> {
    let recorder = Recorder::default();
    let key = Streams::new(seed).key("worlds");
    (0..1_000).for_each(|index| decide(&recorder, &mut key.stream(index)));
    let mut counts = BTreeMap::new();
    for order in recorder.orders.into_inner() {
        *counts.entry(order).or_default() += 1;
    }
    counts
}

/// Refuses counts of the 24 orders of four cards beyond the 0.1 % point of chi-square with 23
/// degrees of freedom.
fn assert_uniform(counts: &BTreeMap<Vec<u8>, u32>) {
    assert_eq!(counts.len(), 24, "{counts:?}");
    let expected = f64::from(counts.values().sum::<u32>()) / 24.0;
    let square = |&count: &u32| (f64::from(count) - expected).powi(2) / expected;
    let chi_square: f64 = counts.values().map(square).sum();
    assert!(chi_square < 49.7, "chi-square {chi_square}: {counts:?}");
}

/// Seed 61: 23 worlds a decision, one less than there are.
#[test]
fn drawn_worlds_are_uniform_by_chi_square() {
    let drawn = counts(61, |game, stream| {
        assert_eq!(worlds(game, &None, &None, 23, stream).len(), 23);
    });
    assert_uniform(&drawn);
    let all = counts(61, |game, stream| {
        worlds(game, &None, &None, 24, stream);
    });
    assert!(all.len() == 24 && all.values().all(|&count| count == 1_000));
}

/// Seed 62: two moves that are alike are tried in turn to the end.
#[test]
fn the_worlds_of_a_trees_descents_are_uniform_by_chi_square() {
    let descents = counts(62, |game, stream| {
        let chosen = ObservationTree::new(2.0).search(game, &None, 20, stream);
        assert_eq!(chosen, Some('a'));
    });
    assert_eq!(descents.values().sum::<u32>(), 20_000);
    assert_uniform(&descents);
}

/// The second move is tried once. The search ends when it could not catch up, which of 16 descents is sure after 10;
/// or when the first has more than ten times its visits, which is after 12, but not before an eighth of all.
#[test]
fn a_search_ends_as_soon_as_its_choice_is_clear() {
    for (iterations, descents) in [(16, 10), (40, 12), (400, 51)] {
        let game = Recorder {
            first: 100,
            ..Recorder::default()
        };
        let mut stream = Streams::new(62).key("worlds").stream(0);
        let chosen = ObservationTree::new(0.1).search(&game, &None, iterations, &mut stream);
        assert_eq!(chosen, Some('a'));
        assert_eq!(game.orders.into_inner().len(), descents, "{iterations}");
    }
    assert_eq!(count_worlds(&Recorder::default(), &None), 24);
}

/// Two moves, of which the base player likes `a` and then `x` best; one of two cards adds its number to the score.
pub(super) struct TwoMoves;

impl HiddenGame for TwoMoves {
    /// The moves made.
    type Observation = Vec<char>;
    /// The moves made, and the card.
    type World = (Vec<char>, u8);
    type Move = char;
    type Solver = ();
    type Guide = ();
    const FORESIGHT: Budget = Budget::UNLIMITED;

    fn observe(&self, world: &Self::World) -> Vec<char> {
        world.0.clone()
    }

    fn canonical(&self, seen: &Vec<char>) -> Self::World {
        (seen.clone(), 0)
    }

    fn unseen(&self, _: &Vec<char>) -> usize {
        2
    }

    fn redeal(&self, canonical: &Self::World, order: &[u8]) -> Self::World {
        (canonical.0.clone(), order[0])
    }

    fn moves(&self, (made, _): &Self::World) -> Vec<char> {
        match made.len() {
            0 => vec!['a', 'b', 'c'],
            1 => vec!['x', 'y'],
            _ => Vec::new(),
        }
    }

    fn play(&self, world: &mut Self::World, play: char) {
        world.0.push(play);
    }

    /// After `b`, `x` is better than after all others, and `y` after `c` than anything.
    fn score(&self, (made, card): &Self::World) -> u32 {
        let score = match made[..] {
            ['a', 'x'] => 3,
            ['a', 'y'] => 4,
            ['b', 'x'] => 5,
            ['c', 'x'] => 1,
            ['c', 'y'] => 9,
            _ => 0,
        };
        score + u32::from(*card)
    }

    fn solve(&self, (): &mut (), world: &Self::World, (): &(), _: Budget) -> u32 {
        let plays = self.moves(world).into_iter().map(|play| {
            let mut after = world.clone();
            self.play(&mut after, play);
            self.score(&after)
        });
        plays.max().unwrap_or_else(|| self.score(world))
    }

    fn bound(&self, _: &mut (), _: &Self::World, _: Budget) -> (u32, ()) {
        (10, ())
    }
}

/// Seed 63. Who plays on as the base player does sees no further than `b`, who looks on chooses `c`.
#[test]
fn each_player_chooses_by_what_it_foresees() {
    let chosen = |player: &HiddenPlayer, made: &[char]| {
        let mut chosen: Vec<Option<char>> = (0..40)
            .map(|index| {
                let mut stream = Streams::new(63).key("players").stream(index);
                player.decide(
                    &TwoMoves,
                    &mut Scratch::default(),
                    &made.to_vec(),
                    &mut stream,
                )
            })
            .collect();
        chosen.sort_unstable();
        chosen.dedup();
        chosen
    };
    let rollout = HiddenPlayer::Rollout { worlds: 2 };
    let worlds = 2;
    let nested = |player: HiddenPlayer| HiddenPlayer::Nested {
        worlds,
        player: Box::new(player),
    };
    let errs = |percent, player: &HiddenPlayer| HiddenPlayer::Errs {
        percent,
        player: Box::new(player.clone()),
    };
    let race = |player: HiddenPlayer| HiddenPlayer::Race {
        worlds: 8,
        player: Box::new(player),
    };
    let close = |margin, most, player| HiddenPlayer::Close {
        shortlist: Shortlist { margin, most },
        judge: Box::new(rollout.clone()),
        player: Box::new(player),
    };
    let tree = |iterations, exploration| HiddenPlayer::Ismcts {
        iterations,
        exploration,
    };
    let any = "abc";
    for (player, expected) in [
        (HiddenPlayer::Greedy, "a"),
        (HiddenPlayer::Random, any),
        (rollout.clone(), "b"),
        (HiddenPlayer::hindsight(worlds), "c"),
        (nested(HiddenPlayer::Greedy), "b"),
        (nested(rollout.clone()), "c"),
        (race(rollout.clone()), "b"),
        (race(HiddenPlayer::hindsight(1)), "c"),
        // By the rollout `b` is two points better than `a` and four better than `c`.
        (close(3, 3, HiddenPlayer::hindsight(worlds)), "b"),
        (close(4, 3, HiddenPlayer::hindsight(worlds)), "c"),
        (close(4, 2, HiddenPlayer::hindsight(worlds)), "b"),
        (close(4, 3, HiddenPlayer::Greedy), "b"),
        (close(4, 3, errs(100, &rollout)), any),
        (close(2, 3, HiddenPlayer::Random), "ab"),
        (close(1, 3, HiddenPlayer::Random), "b"),
        (errs(0, &rollout), "b"),
        (errs(50, &rollout), any),
        (errs(100, &rollout), any),
        (tree(2_000, 20.0), "c"),
        // Who looks at `c` only a few times has not tried `y` after it.
        (tree(24, 5.0), "b"),
    ] {
        let expected: Vec<_> = expected.chars().map(Some).collect();
        assert_eq!(chosen(&player, &[]), expected, "{player:?}");
        assert_eq!(chosen(&player, &['c', 'y']), [None], "{player:?}");
    }
    assert_eq!(chosen(&rollout, &['c']), [Some('y')]);
}

/// A played game tells its moves, the choices at each position, and its own searches only.
#[test]
fn a_played_game_holds_every_position_to_the_end() {
    let played = |player: &HiddenPlayer| {
        let mut scratch = Scratch {
            solves: 5,
            ..Scratch::default()
        };
        let draws = Streams::new(63).key("play");
        let start = (Vec::new(), 1);
        PlayedGame::play(&TwoMoves, start, player, &mut scratch, (&draws, 0))
    };
    let greedy = played(&HiddenPlayer::Greedy);
    assert_eq!((&*greedy.plays, greedy.solves), (&['a', 'x'][..], 0));
    assert_eq!((&*greedy.widths, greedy.decisions()), (&[3, 2, 0][..], 2));
    assert_eq!(greedy.end, (vec!['a', 'x'], 1));
    let best = played(&HiddenPlayer::hindsight(2));
    assert_eq!((&*best.plays, best.solves), (&['c', 'y'][..], 10));
}

/// Seed 64: of 2,000 decisions so many per cent are any of three moves, of which two are not the base player's.
#[test]
fn a_player_errs_in_its_share_of_decisions() {
    let key = Streams::new(64).key("errs");
    for (percent, least, most) in [(0, 0, 0), (30, 340, 460), (100, 1_270, 1_400)] {
        let player = HiddenPlayer::Errs {
            percent,
            player: Box::new(HiddenPlayer::Greedy),
        };
        let mut scratch = Scratch::default();
        let errs = |&index: &u64| {
            let mut stream = key.stream(index);
            let play = player.decide(&TwoMoves, &mut scratch, &Vec::new(), &mut stream);
            play != Some('a')
        };
        let errors = (0..2_000).filter(errs).count();
        assert!((least..=most).contains(&errors), "{percent}: {errors}");
    }
}
