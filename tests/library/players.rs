//! Every player of the games: without a budget it ends a game within nodes that can be counted, and
//! its name means the same game wherever it plays.

use std::cell::Cell;

use cards::advice::CardPlayer;
use cards::hidden::{HiddenGame, PlayedGame, Scratch};
use cards::review::{Finisher as _, StartValue};
use cards::tabletop::deal_stream;
use etude::GAMES;
use foxes::board::CROSS;
use foxes::notation::read_position;
use foxes::typed::read_move;
use foxes::typed::write_move;
use kit::rng::Streams;
use kit::search::Budget;
use klondike::{deal::Deal, layout::Layout, pruned};
use solitaire::rules::{DeckShape, Rules};
use solitaire::{round::Round, table::CardTable, unseen::game::Macros};
use task::{Draw, GameSpec, Params, Row, Script, Value, Workspace};

/// A player of each form that the games list; none where a game needs more than a name.
fn examples(form: &str) -> &'static [&'static str] {
    match form {
        "greedy" => &["greedy"],
        "random" => &["random"],
        "rollout(N)" => &["rollout(3)"],
        "hindsight(N, NODES)" => &["hindsight(3)", "hindsight(2, 50)"],
        "nested(N, PLAYER)" => &["nested(2, rollout(1))"],
        "race(N, PLAYER)" => &["race(6, rollout(2))", "race(4, hindsight(2))"],
        "close(MARGIN, MOST, JUDGE, PLAYER)" => &[
            "close(1, 3, rollout(2), race(6, rollout(2)))",
            "close(2, 2, hindsight(2), nested(2, greedy))",
        ],
        "errs(PERCENT, PLAYER)" => &["errs(20, greedy)"],
        "ismcts(N, C)" => &["ismcts(20, 2)"],
        "macros(PLAYER)" => &[
            "macros(hindsight(3))",
            "macros(greedy)",
            "macros(rollout(2))",
        ],
        "turns(PLAYER)" => &["turns(hindsight(2))"],
        "arsac" => &["arsac"],
        "advance" => &["advance"],
        "safe" => &["safe"],
        "safe-advance" => &["safe-advance"],
        "search(depth, nodes)" => &["search(2)"],
        "mcts(playouts)" => &["mcts(20)"],
        // Two decide an instance by the budget, the third reads a proof.
        "optimal" | "win-or-lose" | "perfect(folder)" => &[],
        other => panic!("the player {other} has no example"),
    }
}

fn game(name: &str) -> &'static GameSpec {
    GAMES.iter().find(|game| game.name == name).unwrap()
}

fn players(game: &GameSpec) -> impl Iterator<Item = &'static str> {
    game.players
        .iter()
        .flat_map(|spec| examples(spec.name))
        .copied()
}

/// A game that counts what its players do, and sees the limit of each of their searches.
struct Counted<G> {
    game: G,
    steps: Cell<u64>,
}

impl<G> Counted<G> {
    fn new(game: G) -> Self {
        let steps = Cell::new(0);
        Self { game, steps }
    }

    fn step(&self) {
        self.steps.set(self.steps.get() + 1);
        assert!(
            self.steps.get() <= MOST_STEPS,
            "more than {MOST_STEPS} steps"
        );
    }

    fn search(&self, budget: Budget) {
        self.step();
        assert!(
            budget.limit() <= MOST_NODES,
            "a world is searched without limit"
        );
    }
}

/// The moves, the games played on and the searches of a game: far more than any example needs.
const MOST_STEPS: u64 = 5_000_000;
/// The nodes of a search, at most.
const MOST_NODES: u64 = 1_000_000;

impl<G: HiddenGame> HiddenGame for Counted<G> {
    type Observation = G::Observation;
    type World = G::World;
    type Move = G::Move;
    type Solver = G::Solver;
    type Guide = G::Guide;
    const TRIES_DOUBTFUL_FIRST: bool = G::TRIES_DOUBTFUL_FIRST;
    const FORESIGHT: Budget = G::FORESIGHT;

    fn observe(&self, world: &G::World) -> G::Observation {
        self.game.observe(world)
    }

    fn canonical(&self, seen: &G::Observation) -> G::World {
        self.game.canonical(seen)
    }

    fn unseen(&self, seen: &G::Observation) -> usize {
        self.game.unseen(seen)
    }

    fn redeal(&self, canonical: &G::World, order: &[u8]) -> G::World {
        self.step();
        self.game.redeal(canonical, order)
    }

    fn moves(&self, world: &G::World) -> Vec<G::Move> {
        self.step();
        self.game.moves(world)
    }

    fn roll_out(&self, world: G::World) -> u32 {
        self.step();
        self.game.roll_out(world)
    }

    fn play(&self, world: &mut G::World, play: G::Move) {
        self.step();
        self.game.play(world, play);
    }

    fn score(&self, world: &G::World) -> u32 {
        self.game.score(world)
    }

    fn solve(
        &self,
        solver: &mut G::Solver,
        world: &G::World,
        guide: &G::Guide,
        budget: Budget,
    ) -> u32 {
        self.search(budget);
        self.game.solve(solver, world, guide, budget)
    }

    fn bound(&self, solver: &mut G::Solver, world: &G::World, budget: Budget) -> (u32, G::Guide) {
        self.search(budget);
        self.game.bound(solver, world, budget)
    }
}

/// Plays a world to its end.
fn play<G: HiddenGame>(game: G, player: &CardPlayer, start: G::World) {
    let draws = Streams::new(5).key("draws");
    let (counted, mut scratch) = (Counted::new(game), Scratch::default());
    PlayedGame::play(&counted, start, player.judge(), &mut scratch, (&draws, 0));
    assert!(counted.steps.get() > 0);
}

/// Seed 5, sample 0, by draw three and by the layout of the book.
#[test]
fn every_player_of_cards_ends_a_game_within_limited_searches() {
    let mut stream = Streams::new(5).key("deal").stream(0);
    let deal = solitaire::deal::Deal::draw(DeckShape::FULL, &mut stream);
    let round = Round::new(CardTable::new(&deal, Rules::DRAW_3));
    for player in players(game("solitaire")).map(|name| name.parse().unwrap()) {
        match &player {
            CardPlayer::ByMoves(_) => play(solitaire::casino::Casino, &player, round),
            CardPlayer::ByMacros(_) => play(Macros::LookingFirst, &player, round),
            CardPlayer::TurningFirst(_) => play(Macros::TurningFirst, &player, round),
        }
    }
    let deal = klondike::deal::Deal::draw(&"yukon".parse::<Layout>().unwrap(), &mut stream);
    for player in players(game("klondike")).map(|name| name.parse().unwrap()) {
        play(klondike::casino::Casino, &player, pruned::World::new(&deal));
    }
}

/// The metrics of a sample of a task with seed 5.
fn sample(task: &str, params: &[(&str, &str)], index: u64) -> impl Fn(&str) -> Value + use<> {
    let spec = game(task.split('/').next().unwrap()).tasks.iter();
    let spec = spec.clone().find(|spec| spec.name == task).unwrap();
    let set = |set: Params, (name, value): &(&str, &str)| set.with_text(name, value);
    let params = params.iter().fold(Params::defaults(&spec.params), set);
    let (task, mut workspace, mut row) = (
        spec.build(&params).unwrap(),
        Workspace::default(),
        Row::new(),
    );
    let draw = Draw {
        index,
        budget: Budget::UNLIMITED,
    };
    task.worker(&Streams::new(5), &mut workspace)
        .sample(draw, &mut row)
        .unwrap();
    let values = row.values().to_vec();
    move |metric| {
        let place = spec.metrics.iter().position(|known| known.name == metric);
        values[place.unwrap()]
    }
}

/// Seed 5, sample 0, against a player that draws among all moves.
#[test]
fn every_player_of_foxes_ends_a_match_within_limited_searches() {
    let foxes = game("foxes");
    for spec in foxes.players {
        for name in examples(spec.name) {
            for side in ["fox", "hens"] {
                let is_its = spec.side == "both" || spec.side.starts_with(side);
                let other = if side == "fox" { "hens" } else { "fox" };
                if is_its {
                    let row = sample("foxes/match", &[(side, name), (other, "random")], 0);
                    let Value::Ratio { numerator, .. } = row(&format!("{side}-nodes")) else {
                        panic!("{name} has no nodes");
                    };
                    assert!(numerator < 10_000_000, "{name}: {numerator}");
                }
            }
        }
    }
}

/// A game as tables tell it: the score and the number of moves.
type Told = [String; 2];

fn in_a_run(game: &str, player: &str, index: u64) -> Told {
    let row = sample(&format!("{game}/score"), &[("strategy", player)], index);
    let number = |metric: &str| match row(metric) {
        Value::Exact(number) => number,
        other => panic!("{player}: {metric} is {other:?}"),
    };
    let score = if game == "klondike" {
        "score"
    } else {
        "foundation"
    };
    [
        number(score).to_string(),
        (number("positions") - 1).to_string(),
    ]
}

fn verb(game: &GameSpec, name: &str, options: &[&str], answers: &[&str]) -> Script {
    let verb = game.verbs.iter().find(|verb| verb.name == name).unwrap();
    Script::answering(answers).run(verb, options).unwrap()
}

/// Seed 5, samples 0 and 1: the game of a run is that of `solve --play`, and begins as advised.
#[test]
fn a_players_name_means_the_same_game_in_run_solve_and_advice() {
    for game in [game("klondike"), game("solitaire")] {
        for player in players(game) {
            for index in ["0", "1"] {
                let deal = ["--hidden", "--seed=5", "--index", index];
                let played = verb(
                    game,
                    "solve",
                    &[&deal[..], &["--play", player, "--budget-nodes=1"]].concat(),
                    &[],
                );
                let told = [played.column(2).concat(), played.column(3).concat()];
                assert_eq!(
                    told,
                    in_a_run(game.name, player, index.parse().unwrap()),
                    "{player}"
                );
                let judge = player.parse::<CardPlayer>().unwrap();
                if judge.judge().worlds().is_some() {
                    let advice = verb(
                        game,
                        "solve",
                        &[&deal[..], &["--player", player]].concat(),
                        &[],
                    );
                    let best = &advice.column(0)[0];
                    assert!(
                        played.column(5)[0].starts_with(best.as_str()),
                        "{player}: {best}"
                    );
                }
            }
        }
    }
}

/// Seed 5, sample 0: the player that a person is compared with.
#[test]
fn a_rivals_name_means_the_same_game_in_play_and_run() {
    for game in [game("klondike"), game("solitaire")] {
        let console = verb(game, "play", &["--seed=5"], &["quit"]);
        let told = console
            .notes
            .iter()
            .find_map(|note| note.split_once(", which saw only what you saw, scores "));
        let (rival, told) = told.unwrap();
        let [score, _] = in_a_run(game.name, rival, 0);
        assert_eq!(told.split(';').next(), Some(score.as_str()), "{rival}");
    }
}

/// The page on players shows this capture.
#[test]
fn the_chain_in_the_book_can_occur() {
    let page = include_str!("../../book/src/bring-your-own-player.md");
    assert!(page.contains("`d6xd2:d3,d5`"));
    let position = read_position("f2/1f1/3h3/7/3h3/3/3 f 10", &CROSS).unwrap();
    let chain = read_move("d6 d4 d2", &foxes::rules::Rules::ARSAC, &position).map(write_move);
    assert_eq!(chain.as_deref(), Ok("d6xd2:d3,d5"));
}

/// The numbers of a metric in the row of a cell of a result, from the end: reason, validity, method, level, upper and
/// lower end, error, deviation, three means.
fn numbers_from_the_end(result: &str, cell: &str, metric: &str) -> Vec<f64> {
    let root = env!("CARGO_MANIFEST_DIR");
    let summary = std::fs::read_to_string(format!("{root}/results/{result}/summary.csv")).unwrap();
    let metric = format!(",{metric},");
    let is_row = |line: &&str| line.contains(cell) && line.contains(&metric);
    let fields = summary.lines().find(is_row).unwrap().rsplit(',');
    (fields
        .take(9)
        .map(|field| field.parse().unwrap_or(f64::NAN)))
    .collect()
}

/// The results `solitaire-finishers` and `klondike-hidden` are where the known means come from.
#[test]
fn known_means_are_those_of_the_results() {
    let rounded = |value: f64| (1e4 * value).round();
    let check = |known: StartValue, numbers: &[f64], paid: f64| {
        for (known, place) in [
            (known.mean, 8),
            (known.interval.lo, 5),
            (known.interval.hi, 4),
        ] {
            assert_eq!(rounded(known), rounded(numbers[place] - paid));
        }
    };
    for (name, rules) in [("draw-3", Rules::DRAW_3), ("draw-1", Rules::DRAW_1)] {
        for finisher in ["macros(hindsight(8))", "turns(hindsight(8))"] {
            let cell = format!("\"rules={name},strategy={finisher}\"");
            let numbers = numbers_from_the_end("solitaire-finishers", &cell, "win");
            let finisher =
                solitaire::review::SolitaireFinisher::new(finisher.parse().unwrap()).unwrap();
            check(finisher.known(rules).unwrap(), &numbers, 0.0);
        }
    }
    let layout: Layout = "yukon".parse().unwrap();
    let start = pruned::World::new(&Deal::draw(&layout, &mut deal_stream((1, 0))));
    let player = klondike::review::CasinoFinisher::FOR_PEOPLE;
    let numbers = numbers_from_the_end("klondike-hidden", &format!(",{player},"), "payout");
    let finisher = klondike::review::CasinoFinisher::new(player, layout);
    check(finisher.known_start(&start).unwrap(), &numbers, 55.0);
}
