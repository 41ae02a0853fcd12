//! A peg problem and its exact answer.

use super::board::{Jump, PegBoard, Position, bits};
use super::completions::Completions;
use super::engine::JumpEngine;
use super::graph::{Limits, Meeting, meet};
use super::symmetry::{Symmetry, SymmetryGroup};
use kit::search::Meter;

/// The problem of playing from these pegs to those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PegProblem {
    /// The problem's name.
    pub name: String,
    /// The board and its jumps.
    pub board: PegBoard,
    /// Pegs at the start.
    pub start: Position,
    /// Pegs at the end.
    pub end: Position,
}

/// The answer of exact search to a problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExactAnswer {
    /// The problem can be solved.
    Solved(Solution),
    /// The problem cannot be solved.
    Unreachable(Reason),
    /// The budget ran out first.
    Unresolved,
}

/// A solution of a problem, with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The fewest moves, consecutive jumps of one peg being one move.
    pub moves: u32,
    /// The jump sequences that solve it.
    pub solutions: u128,
    /// The solutions with the fewest moves.
    pub fewest: u128,
    /// A solution with the fewest moves.
    pub example: Vec<Jump>,
}

/// The reason for which a problem has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// Jumps take pegs away: the end has too many, or none.
    Pegs,
    /// Start and end differ in a parity that no jump changes.
    Class,
    /// All reachable positions were examined.
    Exhausted,
}

impl Reason {
    /// Returns the reason as a sentence without its final stop.
    pub const fn text(self) -> &'static str {
        match self {
            Reason::Pegs => "no number of jumps leaves that many pegs",
            Reason::Class => "start and end differ in a parity that no jump changes",
            Reason::Exhausted => "the positions before the end and after the start never meet",
        }
    }
}

impl PegProblem {
    /// The jumps of any solution: each takes one peg.
    pub fn jumps(&self) -> u32 {
        self.start
            .count_ones()
            .saturating_sub(self.end.count_ones())
    }

    /// The symmetries that keep the board, the start and the end.
    pub(crate) fn symmetries(&self) -> SymmetryGroup {
        SymmetryGroup::keeping(&self.board, &[self.start, self.end])
    }

    /// Solves it exactly. Every position held counts as a node.
    pub fn solve(&self, meter: &mut Meter) -> ExactAnswer {
        self.search(Limits { meter, width: None })
    }

    /// Looks for some solutions, holding at most `width` positions after each number of jumps.
    ///
    /// This search finds solutions, but not the fewest moves nor all solutions; finding none
    /// leaves the problem unresolved unless nothing was left out.
    pub fn solve_within(&self, width: usize, meter: &mut Meter) -> ExactAnswer {
        let width = Some(width);
        self.search(Limits { meter, width })
    }

    fn search(&self, limits: Limits) -> ExactAnswer {
        if let Some(reason) = self.obstacle() {
            return ExactAnswer::Unreachable(reason);
        }
        match self.symmetries() {
            SymmetryGroup::One(group) => self.solve_up_to(group, limits),
            SymmetryGroup::Two(group) => self.solve_up_to(group, limits),
            SymmetryGroup::Four(group) => self.solve_up_to(group, limits),
            SymmetryGroup::Eight(group) => self.solve_up_to(group, limits),
        }
    }

    /// A reason against any solution that needs no search.
    pub fn obstacle(&self) -> Option<Reason> {
        if self.start == self.end {
            return None;
        }
        if self.end == 0 || self.jumps() == 0 {
            return Some(Reason::Pegs);
        }
        let differ = parity_class(self.start) != parity_class(self.end);
        (differ && !self.board.has_diagonals()).then_some(Reason::Class)
    }

    fn solve_up_to<const G: usize>(
        &self,
        symmetries: [Symmetry; G],
        limits: Limits,
    ) -> ExactAnswer {
        if self.start == self.end {
            return ExactAnswer::Solved(Solution {
                moves: 0,
                solutions: 1,
                fewest: 1,
                example: Vec::new(),
            });
        }
        let engine = JumpEngine::new(&self.board, symmetries);
        let ends = (self.start, self.end);
        match meet(&engine, ends, self.jumps() as usize, limits) {
            Meeting::Nowhere => ExactAnswer::Unreachable(Reason::Exhausted),
            Meeting::Unresolved => ExactAnswer::Unresolved,
            Meeting::Solutions(graph) => {
                let completions = Completions::new(&engine, graph);
                let example = completions.example(self.start);
                ExactAnswer::Solved(Solution {
                    moves: count_moves(&example),
                    solutions: completions.solutions,
                    fewest: completions.fewest,
                    example,
                })
            }
        }
    }
}

/// The moves of a sequence of jumps.
pub fn count_moves(jumps: &[Jump]) -> u32 {
    let chained = jumps.windows(2).filter(|pair| pair[0].to == pair[1].from);
    jumps.len() as u32 - chained.count() as u32
}

/// Four parities that no orthogonal jump changes (de Bruijn 1972, "A solitaire game and its
/// relation to a finite field"; Reiss 1857): label the holes by column plus row modulo 3, and by
/// column minus row; a jump changes the number of pegs of every label by one.
fn parity_class(pegs: Position) -> u8 {
    let mut odd = [0u8; 6];
    for hole in bits(pegs) {
        let (column, row) = (hole % 8, hole / 8);
        odd[((column + row) % 3) as usize] ^= 1;
        odd[3 + ((column + 9 - row) % 3) as usize] ^= 1;
    }
    let differences = [
        odd[0] ^ odd[1],
        odd[1] ^ odd[2],
        odd[3] ^ odd[4],
        odd[4] ^ odd[5],
    ];
    differences.iter().fold(0, |class, bit| class << 1 | bit)
}

#[cfg(test)]
mod tests {
    use super::super::problem::{NamedProblem, parse};
    use super::*;
    use kit::search::Budget;

    fn named(name: &str) -> PegProblem {
        NamedProblem::find(name).unwrap().problem(false).unwrap()
    }

    fn solved(problem: &PegProblem) -> Solution {
        match problem.solve(&mut Budget::UNLIMITED.meter()) {
            ExactAnswer::Solved(solution) => solution,
            other => panic!("{}: {other:?}", problem.name),
        }
    }

    /// Replays jumps on a plain set of named holes, knowing nothing of the engine's masks.
    fn replays(problem: &PegProblem, jumps: &[Jump]) -> bool {
        use super::super::board::{hole_name, hole_names};
        let names = |pegs| {
            hole_names(pegs)
                .split(' ')
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let holes = names(problem.board.holes());
        let mut pegs = names(problem.start);
        for jump in jumps {
            let [from, over, to] = [jump.from, jump.over, jump.to].map(hole_name);
            let digit = |name: &str, at: usize| i32::from(name.as_bytes()[at]);
            let middle = (0..2).all(|at| digit(&from, at) + digit(&to, at) == 2 * digit(&over, at));
            let apart: i32 = (0..2)
                .map(|at| (digit(&to, at) - digit(&from, at)).abs())
                .sum();
            let legal = pegs.contains(&from) && pegs.contains(&over) && !pegs.contains(&to);
            if !middle || apart != 2 || !legal || !holes.contains(&to) {
                return false;
            }
            pegs.retain(|peg| *peg != from && *peg != over);
            pegs.push(to);
        }
        pegs.sort();
        pegs == names(problem.end)
    }

    /// Solutions by number of moves, by following every sequence of jumps.
    fn by_all_sequences(problem: &PegProblem) -> Vec<u128> {
        fn follow(problem: &PegProblem, pegs: Position, line: &mut Vec<Jump>, counts: &mut [u128]) {
            if line.len() as u32 == problem.jumps() {
                counts[count_moves(line) as usize] += u128::from(pegs == problem.end);
                return;
            }
            for jump in problem.board.jumps(pegs) {
                line.push(jump);
                follow(problem, pegs ^ jump.mask(), line, counts);
                line.pop();
            }
        }
        let mut counts = vec![0; problem.jumps() as usize + 1];
        follow(problem, problem.start, &mut Vec::new(), &mut counts);
        counts
    }

    fn assert_exact(problem: &PegProblem) {
        let counts = by_all_sequences(problem);
        let fewest = counts.iter().position(|&count| count > 0);
        match (problem.solve(&mut Budget::UNLIMITED.meter()), fewest) {
            (ExactAnswer::Solved(solution), Some(moves)) => {
                assert_eq!(solution.moves as usize, moves, "{}", problem.name);
                assert_eq!(
                    solution.solutions,
                    counts.iter().sum::<u128>(),
                    "{}",
                    problem.name
                );
                assert_eq!(solution.fewest, counts[moves], "{}", problem.name);
                assert!(problem.board.has_diagonals() || replays(problem, &solution.example));
            }
            (ExactAnswer::Unreachable(_), None) => {}
            (answer, counted) => panic!("{}: {answer:?}, {counted:?}", problem.name),
        }
    }

    #[test]
    fn small_figures_have_the_counts_of_all_their_jump_sequences() {
        for name in ["latin-cross", "greek-cross", "fireplace"] {
            assert_exact(&named(name));
            let diagonal = NamedProblem::find(name).unwrap().problem(true).unwrap();
            if diagonal.start.count_ones() < 8 {
                assert_exact(&diagonal);
            }
        }
    }

    /// All 16 x 16 problems from one vacancy to one peg on a board of four by four.
    #[test]
    fn every_single_vacancy_of_a_small_board_is_solved_as_by_all_sequences() {
        let board = PegBoard::parse("oooo/oooo/ooo").unwrap();
        let full = board.holes();
        for vacancy in bits(full) {
            for last in bits(full).step_by(3) {
                assert_exact(&PegProblem {
                    name: format!("{vacancy} to {last}"),
                    board: board.clone(),
                    start: full & !(1 << vacancy),
                    end: 1 << last,
                });
            }
        }
    }

    /// The source prints the solution of the Latin cross: five moves.
    #[test]
    fn the_latin_cross_takes_five_moves_and_four_with_diagonals() {
        assert_eq!(solved(&named("latin-cross")).moves, 5);
        let diagonal = NamedProblem::find("latin-cross")
            .unwrap()
            .problem(true)
            .unwrap();
        assert_eq!(solved(&diagonal).moves, 4);
    }

    #[test]
    fn solutions_of_the_figures_replay_on_a_plain_board() {
        for name in ["pyramid", "lamp", "inclined-square", "pinwheel", "square"] {
            let problem = named(name);
            let solution = solved(&problem);
            assert!(replays(&problem, &solution.example), "{name}");
            assert_eq!(count_moves(&solution.example), solution.moves, "{name}");
        }
    }

    #[test]
    fn unreachable_ends_are_proved_unreachable() {
        let class = ExactAnswer::Unreachable(Reason::Class);
        assert_eq!(
            named("full-square").solve(&mut Budget::UNLIMITED.meter()),
            class
        );
        assert_eq!(
            named("french-central").solve(&mut Budget::UNLIMITED.meter()),
            class
        );
        let apart = parse("apart", "english", ("44 54 46", "74 71"), false);
        assert!(apart.is_err());
        let stuck = parse("stuck", "english", ("13 14 44 45 73", "74"), false).unwrap();
        assert!(matches!(
            stuck.solve(&mut Budget::UNLIMITED.meter()),
            ExactAnswer::Unreachable(_)
        ));
        let more = parse("more", "english", ("44", "45 46"), false).unwrap();
        assert_eq!(
            more.solve(&mut Budget::UNLIMITED.meter()),
            ExactAnswer::Unreachable(Reason::Pegs)
        );
    }

    /// One peg jumps diagonally over another, which changes the class.
    #[test]
    fn a_parity_is_no_obstacle_where_jumps_are_diagonal() {
        let problem = |diagonal| parse("step", "english", ("33 44", "55"), diagonal).unwrap();
        let plain = problem(false);
        assert_ne!(parity_class(plain.start), parity_class(plain.end));
        assert_eq!(plain.obstacle(), Some(Reason::Class));
        assert_eq!(problem(true).obstacle(), None);
        let Solution {
            moves,
            solutions,
            fewest,
            ..
        } = solved(&problem(true));
        assert_eq!((moves, solutions, fewest), (1, 1, 1));
    }

    /// Each of the four parities is one of its own: all sixteen classes occur among three pegs.
    #[test]
    fn there_are_sixteen_parity_classes() {
        let holes: Vec<u32> = bits(PegBoard::english().holes()).collect();
        let mut classes = std::collections::BTreeSet::new();
        for one in &holes {
            for other in &holes {
                classes.insert(parity_class(1 << one | 1 << other | 1 << holes[0]));
            }
        }
        assert_eq!(classes.len(), 16, "{classes:?}");
    }

    /// Sound only if no jump changes the class: all jumps of some hundred positions.
    #[test]
    fn no_jump_changes_the_parity_class() {
        let board = PegBoard::french();
        let mut pegs = board.holes() & 0x5A5A_F0F0_3C3C_9999;
        for _ in 0..300 {
            pegs = pegs.rotate_left(13).wrapping_mul(0x9E37_79B9_7F4A_7C15) & board.holes();
            for jump in board.jumps(pegs) {
                assert_eq!(parity_class(pegs ^ jump.mask()), parity_class(pegs));
            }
        }
    }

    #[test]
    fn a_narrow_search_finds_solutions_but_proves_nothing() {
        let meter = &mut Budget::UNLIMITED.meter();
        let problem = named("inclined-square");
        let ExactAnswer::Solved(solution) = problem.solve_within(2_000, meter) else {
            panic!("2,000 positions a level are enough");
        };
        assert!(replays(&problem, &solution.example));
        assert!(solution.moves >= 8 && solution.solutions < 51_986_959_602_344);
        assert_eq!(problem.solve_within(1, meter), ExactAnswer::Unresolved);
    }

    #[test]
    fn a_problem_past_its_budget_is_unresolved() {
        assert_eq!(
            named("central").solve(&mut Budget::nodes(100).meter()),
            ExactAnswer::Unresolved
        );
    }

    /// 18 moves: Bergholt 1912, proved by Beasley 1964; the count of solutions was published with
    /// several enumerations. Run with `cargo test --release -- --ignored`; some seconds.
    #[test]
    #[ignore = "seconds in release"]
    fn the_central_game_takes_18_moves_and_has_its_known_number_of_solutions() {
        let solution = solved(&named("central"));
        assert_eq!(solution.moves, 18);
        assert_eq!(solution.solutions, 40_861_647_040_079_968);
        assert!(replays(&named("central"), &solution.example));
    }
}
