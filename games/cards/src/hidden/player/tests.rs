//! The searches that a decision takes, and advice on it.

use super::*;
use crate::hidden::Advice;
use kit::rng::Streams;

/// One move, which scores by the first of three cards; the exact search keeps the budgets that it was given.
struct Cards<const DOUBTFUL: bool>;

impl<const DOUBTFUL: bool> HiddenGame for Cards<DOUBTFUL> {
    type Observation = Option<char>;
    type World = (Option<char>, usize);
    type Move = char;
    type Solver = Vec<u64>;
    type Guide = ();
    const TRIES_DOUBTFUL_FIRST: bool = DOUBTFUL;
    const FORESIGHT: Budget = Budget::nodes(77);

    fn observe(&self, world: &Self::World) -> Option<char> {
        world.0
    }

    fn canonical(&self, seen: &Option<char>) -> Self::World {
        (*seen, 0)
    }

    fn unseen(&self, _: &Option<char>) -> usize {
        3
    }

    fn redeal(&self, canonical: &Self::World, order: &[u8]) -> Self::World {
        (canonical.0, order[0].into())
    }

    fn moves(&self, (made, _): &Self::World) -> Vec<char> {
        made.map_or(vec!['a', 'b', 'c'], |_| Vec::new())
    }

    fn play(&self, world: &mut Self::World, play: char) {
        world.0 = Some(play);
    }

    fn score(&self, &(made, card): &Self::World) -> u32 {
        match made {
            Some('b') => [0, 4, 9][card],
            _ => [0, 5, 7][card],
        }
    }

    fn solve(&self, given: &mut Vec<u64>, world: &Self::World, (): &(), budget: Budget) -> u32 {
        given.push(budget.limit());
        self.score(world)
    }

    fn bound(&self, given: &mut Vec<u64>, world: &Self::World, budget: Budget) -> (u32, ()) {
        given.push(budget.limit());
        ([0, 5, 9][world.1], ())
    }
}

/// The player's choice, its searches and the budgets of all of them.
fn chosen<const DOUBTFUL: bool>(player: &HiddenPlayer) -> (Option<char>, u64, Vec<u64>) {
    let mut scratch = Scratch::default();
    let mut stream = Streams::new(64).key("players").stream(0);
    let play = player.decide(&Cards::<DOUBTFUL>, &mut scratch, &None, &mut stream);
    scratch.solver.dedup();
    (play, scratch.solves, scratch.solver)
}

/// Six worlds with the cards 0, 0, 1, 1, 2, 2 and 28 points at most: `a` loses 4 of them and `b` 2; `c` is out when it has
/// lost 2 as well, after five worlds, or after three if those in which `b` lost come first. With card 0 nothing is won.
#[test]
fn a_move_is_out_as_soon_as_it_cannot_win() {
    let hindsight = |nodes| HiddenPlayer::Hindsight { worlds: 6, nodes };
    assert_eq!(chosen::<false>(&hindsight(None)), (Some('b'), 17, vec![77]));
    assert_eq!(
        chosen::<true>(&hindsight(Some(9))),
        (Some('b'), 11, vec![9])
    );
    let rollout = HiddenPlayer::Rollout { worlds: 6 };
    assert_eq!(chosen::<true>(&rollout), (Some('b'), 0, vec![]));
}

#[test]
fn advice_holds_the_scores_of_every_move_in_the_same_worlds() {
    let game = Cards::<false>;
    let stream = || Streams::new(64).key("players").stream(0);
    let advice = |play, scores: &[u32]| Advice {
        play,
        scores: scores.to_vec(),
    };
    let (a, b) = ([0, 0, 5, 5, 7, 7], [0, 0, 4, 4, 9, 9]);
    let expected = |of: std::ops::Range<usize>| {
        let moves = [('a', a), ('b', b), ('c', a)];
        moves.map(|(play, scores)| advice(play, &scores[of.clone()]))
    };
    let player = HiddenPlayer::hindsight(6);
    let mut scratch = Scratch::default();
    assert_eq!(
        player.advise(&game, &mut scratch, &None, stream()),
        expected(0..6)
    );
    let judging = player.begin_advice(&game, &None, stream());
    assert_eq!(judging.worlds(), 6);
    for (asked, of) in [(2..5, 2..5), (4..99, 4..6), (8..99, 0..0)] {
        let judged = judging.judge(&game, &mut scratch, asked);
        assert_eq!(judging.advice(&judged), expected(of));
    }
    let greedy = HiddenPlayer::Greedy.advise(&game, &mut scratch, &None, stream());
    assert_eq!(greedy, expected(0..0));
}

#[test]
fn players_that_differ_in_their_foresight_alone_draw_the_same_worlds() {
    for (name, purpose, worlds) in [
        ("hindsight(8, 600)", "play of hindsight(8)", Some(8)),
        (
            "errs(20, race(9, hindsight(8, 600)))",
            "play of errs(20, race(9, hindsight(8)))",
            None,
        ),
        (
            "nested(3, hindsight(8, 600))",
            "play of nested(3, hindsight(8))",
            Some(3),
        ),
        (
            "close(2, 6, hindsight(8, 600), nested(3, hindsight(2, 50)))",
            "play of close(2, 6, hindsight(8), nested(3, hindsight(2)))",
            None,
        ),
        ("rollout(4)", "play of rollout(4)", Some(4)),
        ("ismcts(5, 2)", "play of ismcts(5, 2)", None),
    ] {
        let player: HiddenPlayer = name.parse().unwrap();
        assert_eq!(
            (player.purpose(), player.worlds()),
            (purpose.to_owned(), worlds)
        );
    }
}
