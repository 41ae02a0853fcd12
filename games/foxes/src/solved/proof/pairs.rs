//! Sets of pairs of free cells in one machine word: where the two foxes may stand.
//!
//! The free cells of a configuration are numbered row by row from the lower left. Pair (high, low)
//! is bit `high * (high - 1) / 2 + low`, so sixteen free cells need 120 bits. Unpacked, a set is a
//! symmetric matrix of sixteen rows of sixteen bits. Knows no board.

/// A set of pairs of free cells.
pub type Pairs = u128;

/// A matrix of bits, one row for each free cell.
pub(crate) type BitMatrix = [u16; MAX_FREE];

/// Most free cells a configuration may have.
pub const MAX_FREE: usize = 16;

/// Pairs among the first `free` cells; also the first bit of row `free`.
#[inline(always)]
pub const fn pairs(free: usize) -> usize {
    free * free.saturating_sub(1) / 2
}

/// All pairs of `free` cells.
#[inline(always)]
pub(crate) const fn all(free: usize) -> Pairs {
    (1 << pairs(free)) - 1
}

/// The bit of a pair, `low < high`.
pub const fn pair(high: usize, low: usize) -> Pairs {
    1 << (pairs(high) + low)
}

/// Bytes that hold a set of pairs of `free` cells.
pub const fn bytes(free: usize) -> usize {
    pairs(free).div_ceil(8)
}

struct Masks {
    /// Pairs with that cell.
    with: [Pairs; MAX_FREE],
    /// The mask of bits that [`moved`] leaves in place, by the cell taken out and the cell put in.
    keep: [[Pairs; MAX_FREE]; MAX_FREE],
    /// The mask of bits that [`moved`] shifts down by one, at their new positions.
    slide: [[Pairs; MAX_FREE]; MAX_FREE],
}

static MASKS: Masks = Masks::new();

impl Masks {
    const fn new() -> Masks {
        let mut masks = Masks {
            with: [0; MAX_FREE],
            keep: [[0; MAX_FREE]; MAX_FREE],
            slide: [[0; MAX_FREE]; MAX_FREE],
        };
        let mut high = 1;
        while high < MAX_FREE {
            let mut low = 0;
            while low < high {
                masks.add(high, low);
                low += 1;
            }
            high += 1;
        }
        masks
    }

    const fn add(&mut self, high: usize, low: usize) {
        let bit = pair(high, low);
        self.with[high] |= bit;
        self.with[low] |= bit;
        let mut out = 0;
        while out < MAX_FREE {
            let mut into = out;
            while into < MAX_FREE {
                if high < out || high > into && (low < out || low > into) {
                    self.keep[out][into] |= bit;
                } else if high > into && low < into {
                    self.slide[out][into] |= bit;
                }
                into += 1;
            }
            out += 1;
        }
    }
}

/// The pairs without those that have `cell`.
#[inline]
pub fn without(set: Pairs, cell: usize) -> Pairs {
    set & !MASKS.with[cell]
}

/// The set after cell `out` ceased to be free and a cell became free that is number `into` from
/// then on, `out <= into`: cells between move down by one, pairs with either are left out.
#[inline]
pub(crate) fn moved(set: Pairs, out: usize, into: usize) -> Pairs {
    let mut after = set & MASKS.keep[out][into] | (set >> 1) & MASKS.slide[out][into];
    for high in out.max(1)..into {
        let row = removed((set >> pairs(high + 1)) as u16, out) & below(high);
        after |= Pairs::from(row) << pairs(high);
    }
    after
}

/// A row without its bit `cell`; higher bits move down.
#[inline(always)]
pub(crate) const fn removed(row: u16, cell: usize) -> u16 {
    row & below(cell) | (row >> 1) & !below(cell)
}

/// The bits below bit `cell` of a row.
#[inline(always)]
const fn below(cell: usize) -> u16 {
    (1 << cell) - 1
}

/// The cells that form a pair of the set with `cell`, among `free` cells.
#[inline]
pub(crate) fn partners(set: Pairs, cell: usize, free: usize) -> u16 {
    let mut row = (set >> pairs(cell)) as u16 & below(cell);
    for high in cell + 1..free {
        row |= ((set >> (pairs(high) + cell)) as u16 & 1) << high;
    }
    row
}

/// A renumbering of the cells, applied to whole sets byte by byte.
pub(crate) struct Renumbering {
    /// The image of each byte of a set, by its value.
    tables: Vec<[Pairs; 256]>,
}

impl Renumbering {
    /// The renumbering that takes each cell to its number in the list.
    pub(crate) fn new(numbers: &[usize]) -> Renumbering {
        let mut images = [0; 8 * MAX_FREE];
        for (high, &one) in numbers.iter().enumerate() {
            for (low, &other) in numbers[..high].iter().enumerate() {
                images[pairs(high) + low] = pair(one.max(other), one.min(other));
            }
        }
        let table = |byte: &[Pairs]| {
            let image = |value: usize| {
                let bits = (0..8).filter(|bit| value >> bit & 1 == 1);
                bits.fold(0, |set, bit| set | byte[bit])
            };
            std::array::from_fn(image)
        };
        let bytes = images.chunks_exact(8).take(bytes(numbers.len()));
        Renumbering {
            tables: bytes.map(table).collect(),
        }
    }

    /// The pairs by their new numbers.
    #[inline]
    pub(crate) fn applied(&self, set: Pairs) -> Pairs {
        let bytes = self.tables.iter().zip(set.to_le_bytes());
        bytes.fold(0, |after, (table, byte)| after | table[usize::from(byte)])
    }
}

/// The set as a symmetric matrix.
#[inline(always)]
pub(crate) fn unpacked(set: Pairs) -> BitMatrix {
    let mut matrix = [0; MAX_FREE];
    for (high, row) in matrix.iter_mut().enumerate().skip(1) {
        *row = (set >> pairs(high)) as u16 & below(high);
    }
    let other = transposed(&matrix);
    for (row, other) in matrix.iter_mut().zip(other) {
        *row |= other;
    }
    matrix
}

/// The pairs whose bits are set on both sides of the diagonal.
#[inline(always)]
pub(crate) fn agreed(matrix: &BitMatrix) -> Pairs {
    let other = transposed(matrix);
    let mut set = 0;
    for high in 1..MAX_FREE {
        let row = matrix[high] & other[high] & below(high);
        set |= Pairs::from(row) << pairs(high);
    }
    set
}

/// The pairs with a bit set on either side of the diagonal.
#[inline]
pub(crate) fn either(matrix: &BitMatrix) -> Pairs {
    let empty = agreed(&matrix.map(|row| !row));
    !empty & all(MAX_FREE)
}

/// The matrix mirrored at its diagonal: blocks of eight, four, two and one bits change places
/// (Warren, *Hacker's Delight*, 7-3).
#[inline(always)]
fn transposed(matrix: &BitMatrix) -> BitMatrix {
    let mut quads = [0; 4];
    for row in 0..MAX_FREE {
        quads[row / 4] |= u64::from(matrix[row]) << (16 * (row % 4));
    }
    swap(&mut quads, 0, 2, (8, 0x00ff_00ff_00ff_00ff));
    swap(&mut quads, 1, 3, (8, 0x00ff_00ff_00ff_00ff));
    swap(&mut quads, 0, 1, (4, 0x0f0f_0f0f_0f0f_0f0f));
    swap(&mut quads, 2, 3, (4, 0x0f0f_0f0f_0f0f_0f0f));
    for quad in &mut quads {
        let pairs = ((*quad >> 2) ^ (*quad >> 32)) & 0x3333_3333;
        *quad ^= (pairs << 2) ^ (pairs << 32);
        let single = ((*quad >> 1) ^ (*quad >> 16)) & 0x0000_5555_0000_5555;
        *quad ^= (single << 1) ^ (single << 16);
    }
    let mut transposed = [0; MAX_FREE];
    for row in 0..MAX_FREE {
        transposed[row] = (quads[row / 4] >> (16 * (row % 4))) as u16;
    }
    transposed
}

#[inline(always)]
fn swap(quads: &mut [u64; 4], low: usize, high: usize, (shift, mask): (u32, u64)) {
    let differ = ((quads[low] >> shift) ^ quads[high]) & mask;
    quads[high] ^= differ;
    quads[low] ^= differ << shift;
}

#[cfg(test)]
mod tests {
    use super::*;
    use kit::rng::{Stream, Streams, below as draw};

    fn random_set(rng: &mut Stream) -> Pairs {
        let halves = [0; 2].map(|_: u32| Pairs::from(draw(rng, u64::MAX)));
        (halves[0] << 64 | halves[1]) & all(MAX_FREE)
    }

    fn has(set: Pairs, one: usize, other: usize) -> bool {
        one != other && set & pair(one.max(other), one.min(other)) != 0
    }

    /// Seed 31: every operation against its definition, pair by pair, in random sets.
    #[test]
    fn sets_of_pairs_behave_as_sets_of_pairs() {
        let mut rng = Streams::new(31).key("pairs").stream(0);
        for _ in 0..300 {
            let set = random_set(&mut rng);
            let matrix = unpacked(set);
            let gone = draw(&mut rng, MAX_FREE as u64) as usize;
            for (one, &row) in matrix.iter().enumerate() {
                assert_eq!(row, partners(set, one, MAX_FREE));
                for other in 0..MAX_FREE {
                    assert_eq!(row >> other & 1 == 1, has(set, one, other));
                    let kept = has(set, one, other) && one != gone && other != gone;
                    assert_eq!(has(without(set, gone), one, other), kept);
                }
            }
            assert_eq!(agreed(&matrix), set);
            let lopsided: BitMatrix = [0; MAX_FREE].map(|_: u16| draw(&mut rng, 1 << 16) as u16);
            for high in 1..MAX_FREE {
                for low in 0..high {
                    let sides = [lopsided[high] >> low & 1, lopsided[low] >> high & 1];
                    assert_eq!(has(agreed(&lopsided), high, low), sides == [1, 1]);
                    assert_eq!(has(either(&lopsided), high, low), sides != [0, 0]);
                }
            }
        }
    }

    /// Seed 35.
    #[test]
    fn renumbered_pairs_are_pairs_of_renumbered_cells() {
        let mut rng = Streams::new(35).key("renumbered").stream(0);
        for free in 2..=MAX_FREE {
            let mut numbers: Vec<usize> = (0..free).collect();
            kit::rng::shuffle(&mut rng, &mut numbers);
            let set = random_set(&mut rng) & all(free);
            let after = Renumbering::new(&numbers).applied(set);
            for one in 0..free {
                for other in 0..one {
                    let moved = has(after, numbers[one], numbers[other]);
                    assert_eq!(moved, has(set, one, other));
                }
            }
        }
    }

    /// Seed 32.
    #[test]
    fn a_cell_taken_out_and_another_put_in_renumber_the_cells_between() {
        let mut rng = Streams::new(32).key("moved").stream(0);
        for _ in 0..20 {
            let set = random_set(&mut rng);
            for out in 0..MAX_FREE {
                for into in out..MAX_FREE {
                    let after = moved(set, out, into);
                    let before = |cell: usize| cell + usize::from((out..into).contains(&cell));
                    for high in 1..MAX_FREE {
                        for low in 0..high {
                            let known = high != into && low != into;
                            let expected = known && has(set, before(high), before(low));
                            assert_eq!(has(after, high, low), expected);
                        }
                    }
                }
            }
        }
    }
}
