use etude::solitaire::{
    casino::Casino,
    deal::Deal,
    players,
    rules::{Deck, Rules},
    table::Table,
};
use lab::rng::Streams;
use lab::search::hidden::{Player, Scratch};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules = Rules::named(&args[1]).unwrap();
    let player: Player = args[2].parse().unwrap();
    let n: u64 = args[3].parse().unwrap();
    let nodes: u64 = args.get(4).map_or(1000, |x| x.parse().unwrap());
    let streams = Streams::new(77);
    let (deals, draws) = (streams.key("deal"), streams.key("draws"));
    let mut scratch = Scratch::<Casino>::default();
    scratch.solver.budget = lab::search::Budget::nodes(nodes);
    let t = std::time::Instant::now();
    let (mut s, mut q, mut wins, mut dec, mut pl) = (0.0, 0.0, 0, 0, 0);
    for i in 0..n {
        let table = Table::new(&Deal::draw(Deck::FULL, &mut deals.stream(i)), rules);
        let game = players::play(&table, &player, &mut scratch, (&draws, i));
        let m = 5.0 * f64::from(game.score) - 52.0;
        s += m;
        q += m * m;
        wins += u32::from(game.score == 52);
        dec += game.decisions;
        pl += game.plays.len();
    }
    let n = n as f64;
    let mean = s / n;
    println!(
        "{} {}: ${:.2} +- {:.2}  wins {:.2}%  decisions {:.1} plays {:.1}  {:.3} ms/game",
        args[1],
        args[2],
        mean,
        1.96 * ((q / n - mean * mean) / n).sqrt(),
        100.0 * f64::from(wins) / n,
        dec as f64 / n,
        pl as f64 / n,
        t.elapsed().as_secs_f64() * 1e3 / n
    );
}
