//! The backtracking program as an automaton, in the four versions of its derivation.
//!
//! Each version is kept as its author left it, including its states. It counts the fields examined
//! and the queens placed and removed. Rows and columns are counted from 1, as in the text. As
//! printed, the last version loses the jump from "go back" to "seek" after the queen is removed;
//! without it the program stops there. The text before it says where the jump goes. Reference: J.
//! Arsac, "Jeux et casse-tete a programmer" (1985), the game of eight queens.

/// A version of the automaton.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, strum::EnumString, strum::EnumIter, strum::AsRefStr,
)]
pub enum Version {
    /// The place of a queen to be removed is found again by searching its row.
    #[strum(serialize = "automaton-1")]
    One,
    /// The place of queen `k` is kept in `c[k]`.
    #[strum(serialize = "automaton-2")]
    Two,
    /// The two searches for a free field become one state.
    #[strum(serialize = "automaton-3")]
    Three,
    /// The last row is recognised before its queen is placed.
    #[strum(serialize = "automaton-4")]
    Four,
}

/// The counts of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MachineSteps {
    /// Fields looked at, whether for a free field or for a queen.
    pub examined: u64,
    /// Queens placed.
    pub placed: u64,
    /// Queens removed.
    pub removed: u64,
    /// States entered.
    pub states: u64,
    /// Free fields gone on with: the nodes of the search tree but its root.
    advances: u64,
    /// Solutions written.
    pub solutions: u64,
}

impl MachineSteps {
    /// The elementary steps: fields examined, queens placed, queens removed.
    pub fn total(&self) -> u64 {
        self.examined + self.placed + self.removed
    }

    /// The nodes of the search tree, its root included.
    pub fn tree_nodes(&self) -> u64 {
        self.advances + 1
    }
}

/// Runs a version on an `n` by `n` board and hands every solution to `written`, its columns
/// counted from 0.
pub fn run(version: Version, n: usize, written: &mut dyn FnMut(&[u8])) -> MachineSteps {
    let mut machine = Machine::new(version, n);
    while machine.state != MachineState::End {
        let solutions = machine.steps.solutions;
        machine.step();
        if machine.steps.solutions > solutions {
            written(&machine.written);
        }
    }
    machine.steps
}

/// A state of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum MachineState {
    /// A row is begun before its first field.
    Search,
    /// The next free field of the row is looked for.
    Seek,
    /// A free field was found.
    GoOn,
    /// The row has no free field left.
    GoBack,
    /// All rows have their queens: the first three versions write here.
    Write,
    /// Every solution was written.
    End,
}

impl MachineState {
    /// The state's name: `go-on`.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// The program's variables: the row `k`, the field `i`, the places `c`, the board.
pub struct Machine {
    version: Version,
    state: MachineState,
    n: usize,
    k: usize,
    i: usize,
    c: Vec<usize>,
    board: HeldFields,
    steps: MachineSteps,
    /// The solution written last.
    written: Vec<u8>,
}

impl Machine {
    /// A version before its first state, on an `n` by `n` board.
    pub fn new(version: Version, n: usize) -> Self {
        Self {
            version,
            state: MachineState::Search,
            n,
            k: 1,
            i: 0,
            c: vec![0; n + 1],
            board: HeldFields::new(n),
            steps: MachineSteps::default(),
            written: Vec::new(),
        }
    }

    /// Enters the next state; the end is not left.
    pub fn step(&mut self) {
        if self.state == MachineState::End {
            return;
        }
        self.steps.states += 1;
        self.state = match self.version {
            Version::One => self.version_one(self.state),
            Version::Two => self.version_two(self.state),
            Version::Three => self.version_three(self.state),
            Version::Four => self.version_four(self.state),
        };
    }

    /// The state that is entered next.
    pub fn state(&self) -> MachineState {
        self.state
    }

    /// The row, from 1; 0 at the end.
    pub fn row(&self) -> usize {
        self.k
    }

    /// The place in the row that versions two to four keep: the field gone on with, or sought from; 0 before the first.
    pub fn field(&self) -> usize {
        self.c.get(self.k).copied().unwrap_or(0)
    }

    /// The places of the queens in the rows above, from 1, in versions two to four.
    pub fn queens(&self) -> &[usize] {
        &self.c[1..self.k.max(1)]
    }

    /// The counts so far.
    pub fn steps(&self) -> &MachineSteps {
        &self.steps
    }

    /// The solution written last, its columns counted from 0.
    pub fn written(&self) -> &[u8] {
        &self.written
    }

    fn version_one(&mut self, state: MachineState) -> MachineState {
        match state {
            MachineState::Search if self.k > self.n => MachineState::Write,
            MachineState::Search => self.first_free_after(0),
            MachineState::GoOn => {
                self.place(self.i);
                self.k += 1;
                MachineState::Search
            }
            MachineState::GoBack => {
                self.k -= 1;
                if self.k == 0 {
                    return MachineState::End;
                }
                self.i = self.find_queen(self.k);
                self.remove(self.k, self.i);
                self.first_free_after(self.i)
            }
            MachineState::Write => {
                let places: Vec<usize> = (1..=self.n).map(|row| self.find_queen(row)).collect();
                self.write(&places);
                self.i = self.find_queen(self.n);
                self.remove(self.n, self.i);
                self.k = self.n;
                MachineState::GoBack
            }
            MachineState::Seek | MachineState::End => MachineState::End,
        }
    }

    fn version_two(&mut self, state: MachineState) -> MachineState {
        match state {
            MachineState::Search if self.k > self.n => MachineState::Write,
            MachineState::Search => self.first_free_after(0),
            MachineState::GoOn => {
                self.c[self.k] = self.i;
                self.place(self.i);
                self.k += 1;
                MachineState::Search
            }
            MachineState::GoBack => {
                self.k -= 1;
                if self.k == 0 {
                    return MachineState::End;
                }
                self.remove(self.k, self.c[self.k]);
                self.first_free_after(self.c[self.k])
            }
            MachineState::Write => self.write_and_remove_last(),
            MachineState::Seek | MachineState::End => MachineState::End,
        }
    }

    fn version_three(&mut self, state: MachineState) -> MachineState {
        match state {
            MachineState::Search if self.k > self.n => MachineState::Write,
            MachineState::Search => {
                self.c[self.k] = 0;
                MachineState::Seek
            }
            MachineState::Seek => self.seek(),
            MachineState::GoOn => {
                self.place(self.c[self.k]);
                self.k += 1;
                MachineState::Search
            }
            MachineState::GoBack => self.go_back(),
            MachineState::Write => self.write_and_remove_last(),
            MachineState::End => MachineState::End,
        }
    }

    fn version_four(&mut self, state: MachineState) -> MachineState {
        match state {
            MachineState::Search => {
                self.c[self.k] = 0;
                MachineState::Seek
            }
            MachineState::Seek => self.seek(),
            MachineState::GoOn if self.k == self.n => {
                let places = self.c[1..].to_vec();
                self.write(&places);
                MachineState::GoBack
            }
            MachineState::GoOn => {
                self.place(self.c[self.k]);
                self.k += 1;
                MachineState::Search
            }
            MachineState::GoBack => self.go_back(),
            MachineState::Write | MachineState::End => MachineState::End,
        }
    }

    /// "Go back" of the last two versions, with the jump that the last listing leaves out.
    fn go_back(&mut self) -> MachineState {
        self.k -= 1;
        if self.k == 0 {
            return MachineState::End;
        }
        self.remove(self.k, self.c[self.k]);
        MachineState::Seek
    }

    fn seek(&mut self) -> MachineState {
        let next = self.first_free_after(self.c[self.k]);
        self.c[self.k] = self.i;
        next
    }

    fn write_and_remove_last(&mut self) -> MachineState {
        let places = self.c[1..].to_vec();
        self.write(&places);
        self.k = self.n;
        self.remove(self.k, self.c[self.k]);
        MachineState::GoBack
    }

    /// Looks in row `k` for the first free field after field `after` and leaves it in `i`.
    fn first_free_after(&mut self, after: usize) -> MachineState {
        for i in after + 1..=self.n {
            self.steps.examined += 1;
            if self.board.is_free(self.k, i) {
                self.i = i;
                self.steps.advances += 1;
                return MachineState::GoOn;
            }
        }
        MachineState::GoBack
    }

    /// Looks for the queen of a row from its first field.
    fn find_queen(&mut self, row: usize) -> usize {
        let place = self.board.queen_of(row);
        self.steps.examined += place as u64;
        place
    }

    fn place(&mut self, i: usize) {
        self.steps.placed += 1;
        self.board.set(self.k, i, true);
    }

    fn remove(&mut self, row: usize, i: usize) {
        self.steps.removed += 1;
        self.board.set(row, i, false);
    }

    fn write(&mut self, places: &[usize]) {
        self.steps.solutions += 1;
        self.written.clear();
        self.written
            .extend(places.iter().map(|&place| (place - 1) as u8));
    }
}

/// The board and the lines its queens hold.
struct HeldFields {
    n: usize,
    fields: Vec<bool>,
    columns: Vec<bool>,
    rising: Vec<bool>,
    falling: Vec<bool>,
}

impl HeldFields {
    fn new(n: usize) -> Self {
        Self {
            n,
            fields: vec![false; n * n],
            columns: vec![false; n + 1],
            rising: vec![false; 2 * n + 1],
            falling: vec![false; 2 * n + 1],
        }
    }

    fn is_free(&self, row: usize, i: usize) -> bool {
        !self.columns[i] && !self.rising[row + i] && !self.falling[self.n + row - i]
    }

    fn set(&mut self, row: usize, i: usize, held: bool) {
        self.fields[(row - 1) * self.n + i - 1] = held;
        self.columns[i] = held;
        self.rising[row + i] = held;
        self.falling[self.n + row - i] = held;
    }

    /// The field of a row's queen; the row has one.
    fn queen_of(&self, row: usize) -> usize {
        let fields = &self.fields[(row - 1) * self.n..row * self.n];
        fields.iter().position(|&held| held).map_or(0, |at| at + 1)
    }
}

#[cfg(test)]
mod tests {
    use strum::IntoEnumIterator;

    use super::*;

    fn solutions(version: Version, n: usize) -> (Vec<Vec<u8>>, MachineSteps) {
        let mut placements = Vec::new();
        let steps = run(version, n, &mut |columns| placements.push(columns.to_vec()));
        (placements, steps)
    }

    #[test]
    fn all_versions_write_the_same_solutions_in_the_same_order() {
        for n in 1..=8 {
            let (first, steps) = solutions(Version::One, n);
            for version in Version::iter() {
                let (placements, other) = solutions(version, n);
                assert_eq!(placements, first, "{} n={n}", version.as_ref());
                assert_eq!(other.tree_nodes(), steps.tree_nodes());
            }
        }
    }

    /// 92 solutions: the text; 2057 nodes: the tree is counted by every engine.
    #[test]
    fn eight_queens_stand_in_92_ways_in_a_tree_of_2057_nodes() {
        let (placements, steps) = solutions(Version::Four, 8);
        assert_eq!(placements.len(), 92);
        assert_eq!(steps.tree_nodes(), 2_057);
        assert_eq!(placements[0], [0, 4, 7, 5, 2, 6, 1, 3]);
    }

    /// Keeping the place saves exactly the searches for it, merging the states saves nothing but
    /// text, moving the test saves placing and removing the last queen of every solution.
    #[test]
    fn each_version_saves_what_its_text_says() {
        for n in 4..=9 {
            let steps: Vec<_> = Version::iter()
                .map(|version| solutions(version, n).1)
                .collect();
            assert!(steps[1].examined < steps[0].examined);
            assert_eq!(steps[1].placed, steps[0].placed);
            assert_eq!(steps[2].total(), steps[1].total());
            assert!(steps[2].states > steps[1].states);
            assert_eq!(steps[3].examined, steps[2].examined);
            assert_eq!(steps[3].placed, steps[2].placed - steps[2].solutions);
            assert_eq!(steps[3].removed, steps[2].removed - steps[2].solutions);
        }
    }

    /// The counts of the published run (`results/queens-automaton`), for four and for eight queens.
    #[test]
    fn operations_are_those_that_were_published() {
        let published = [
            (Version::One, [117, 16, 50], [27_962, 2_056, 6_170]),
            (Version::Two, [57, 16, 50], [15_398, 2_056, 6_170]),
            (Version::Three, [57, 16, 79], [15_398, 2_056, 10_099]),
            (Version::Four, [57, 14, 75], [15_398, 1_964, 9_915]),
        ];
        for (version, four, eight) in published {
            for (n, counts) in [(4, four), (8, eight)] {
                let steps = solutions(version, n).1;
                let found = [steps.examined, steps.placed, steps.states];
                assert_eq!(found, counts, "{} n={n}", version.as_ref());
                assert_eq!(steps.total(), steps.examined + 2 * steps.placed);
            }
        }
    }

    /// On four by four: the first queen stands on the first field and the second on the third, and the third row has no
    /// free field.
    #[test]
    fn each_state_shows_its_row_its_field_and_the_queens_above() {
        use MachineState::{GoBack, GoOn, Search, Seek};
        let mut machine = Machine::new(Version::Four, 4);
        let shown: [(MachineState, usize, usize, &[usize]); 9] = [
            (Seek, 1, 0, &[]),
            (GoOn, 1, 1, &[]),
            (Search, 2, 0, &[1]),
            (Seek, 2, 0, &[1]),
            (GoOn, 2, 3, &[1]),
            (Search, 3, 0, &[1, 3]),
            (Seek, 3, 0, &[1, 3]),
            (GoBack, 3, 3, &[1, 3]),
            (Seek, 2, 3, &[1]),
        ];
        for expected in shown {
            machine.step();
            let found = (machine.state(), machine.row(), machine.field());
            assert_eq!(found, (expected.0, expected.1, expected.2));
            assert_eq!(machine.queens(), expected.3, "{found:?}");
        }
    }

    #[test]
    fn what_is_placed_is_removed() {
        for version in Version::iter() {
            let (_, steps) = solutions(version, 6);
            assert_eq!(steps.placed, steps.removed);
        }
    }
}
