//! A position of the search: which cards are locked, founded, in the stock; not who lies on whom.
//!
//! The arrangement of free face-up cards is left out. Of the two cards of a rank and colour, the
//! *parents*, and the two cards that fit on them, the *children*, it matters only how many lie in
//! the columns: as long as there are more parents than free children, any parent can be bared by
//! moving a child, and if there are as many, none can. `book/src/soundness.md` has the argument.

use super::super::card::Card;
use super::super::table::CardTable;
use super::seen::ANY;
use super::world::{SearchConstants, bit, locked};

/// The lower bit of each pair of cards of a rank and a colour.
const PAIRS: u64 = 0x5555_5555_5555_5555;
/// The red cards.
const RED: u64 = 0x3333_3333_3333_3333;
/// The bits of all cards of the first suit, and some bits above its king.
const SUIT: u64 = 0x1111_1111_1111_1111;
/// The aces.
const ACES: u64 = 0xf;
/// Aces and twos: no card one rank lower than they lies on a card that could be missed.
const UP_TO_TWO: u64 = 0xff;
/// Aces, twos and threes.
const UP_TO_THREE: u64 = 0xfff;
/// Stands for a set of cards that was not computed yet.
const UNKNOWN: u64 = u64::MAX;

/// A position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// Cards face up in the columns.
    pub(crate) visible: u64,
    /// The bases among them: they lie on face-down cards, or on none and are no kings.
    pub(crate) bases: u64,
    /// Cards on the foundations; all of a suit that the deck has not, as if complete.
    pub(crate) founded: u64,
    /// Cards in stock and waste.
    pub(crate) in_stock: u64,
    /// The cards among them that can be drawn in this pass or a later one, or `UNKNOWN`.
    at_hand: u64,
    /// The places of `SearchConstants::stock` that still hold a card.
    pub(crate) stock: u32,
    /// The mixed-radix number of locked cards and heights.
    code: u32,
    /// Cards in the waste.
    pub(crate) waste: u8,
    /// Passes completed.
    pub(crate) pass: u8,
    /// Columns without cards.
    pub(crate) empty: u8,
    /// The number of cards on the foundations.
    pub(crate) count: u8,
    /// The number of locked cards.
    pub(crate) locked: u8,
}

/// The cards that can be bared and placed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slots {
    /// Cards that would find a place in the columns.
    pub(crate) landing: u64,
    /// Cards that are the last of their columns, or can be made so.
    pub(crate) bare: u64,
}

impl State {
    /// The position of a table.
    pub(crate) fn new(world: &SearchConstants, table: &CardTable) -> State {
        let mut state = State {
            visible: 0,
            bases: 0,
            founded: 0,
            in_stock: table.talon().iter().map(|&card| bit(card)).sum(),
            at_hand: UNKNOWN,
            stock: ((1_u64 << table.talon().len()) - 1) as u32,
            code: 0,
            waste: table.waste().len() as u8,
            pass: table.pass(),
            empty: 0,
            count: table.founded(),
            locked: 0,
        };
        for column in table.columns() {
            let locked = locked(column, table.king());
            if let Some(&base) = locked.last() {
                state.bases |= bit(base);
                let weight = world.lock_weight[usize::from(base.number())];
                state.code += weight * locked.len() as u32;
                state.locked += locked.len() as u8;
            }
            state.visible |= column.run().iter().map(|&card| bit(card)).sum::<u64>();
            state.empty += u8::from(column.cards().is_empty());
        }
        let heights = table.foundations().map(u32::from);
        for (suit, (weight, height)) in world.height_weight.iter().zip(heights).enumerate() {
            state.code += weight * height;
            state.founded |= SUIT << suit & ((1 << (4 * height)) - 1);
        }
        state.found_missing_suits(table);
        state.rest(world);
        state
    }

    /// Suits that the deck has not count as complete: their cards wait nowhere.
    fn found_missing_suits(&mut self, table: &CardTable) {
        let in_columns = table.columns().iter().flat_map(|column| column.cards());
        let cards = in_columns.chain(table.talon());
        let dealt = cards.fold(self.founded, |set, &card| set | bit(card));
        for suit in (0..4).map(|suit| SUIT << suit) {
            if dealt & suit == 0 {
                self.founded |= suit;
            }
        }
    }

    /// Returns the position as one number, whose parts are, in this order: passes, waste, stock, code.
    #[inline]
    pub(crate) fn entry(&self) -> u64 {
        u64::from(self.pass) << 60
            | u64::from(self.waste) << 55
            | u64::from(self.stock) << 31
            | u64::from(self.code)
    }

    /// The cards that the foundations wait for.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        (self.founded << 4 | ACES) & !self.founded
    }

    /// Returns the cards that can be bared and the cards that can be placed.
    #[inline]
    pub(crate) fn slots(&self, world: &SearchConstants) -> Slots {
        let (any_parent, both_parents) = pairs(swap_colours(self.visible) >> 4);
        let (any_child, both_children) = pairs(self.visible & !self.bases);
        let pairs = any_parent & !any_child | both_parents & !both_children;
        let open = pairs | pairs << 1;
        let kings = if self.empty > 0 { world.kings } else { 0 };
        Slots {
            landing: open | kings,
            bare: swap_colours(open) << 4 | ACES,
        }
    }

    /// The cards that may go to their foundations at once if these wait for them, as no card that
    /// could want to lie on one is needed in the columns: both foundations of the other colour
    /// reach two ranks below it, its twin's three.
    #[inline]
    pub(crate) fn safe(&self) -> u64 {
        let (_, both) = pairs(self.founded);
        let others = swap_colours(both | both << 1) << 8 | UP_TO_TWO;
        others & (twins(self.founded) << 12 | UP_TO_THREE)
    }

    /// Returns those of the `cards`, which may come back from their foundations, that are of use in the
    /// columns now: they bare a twin that is next, or give a place to a card that has none (a base,
    /// a card at hand, or one that is of use there itself, for any of these reasons), or lie on a card that is of use. Cards
    /// that cannot come back may be among them.
    #[inline]
    pub(crate) fn useful_returns(&self, slots: Slots, cards: u64) -> u64 {
        let bared = self.next() & self.visible & !slots.bare;
        let mut useful = twins(bared) & self.founded;
        // A card that bares its twin needs a place, too.
        let mut wanting = self.bases | self.at_hand() | useful;
        while cards & !useful != 0 {
            let hosts = parents(wanting & !slots.landing);
            let more = (hosts | useful << 4) & self.founded & !useful;
            if more == 0 {
                break;
            }
            useful |= more;
            wanting |= more;
        }
        useful
    }

    /// Returns the cards of foundations and stock that are of use in the columns now, drawing one
    /// without limit: they bare a twin that is next, or give a place to a card that has none (a
    /// base, or one that is of use there itself), or lie on a founded card that is of use. Cards that
    /// cannot come into the columns may be among them.
    #[inline]
    pub(crate) fn useful_arrivals(&self, world: &SearchConstants, slots: Slots) -> u64 {
        let returning = if world.rules.worrying_back {
            self.founded
        } else {
            0
        };
        let arriving = returning | self.in_stock;
        let bared = self.next() & self.visible & !slots.bare;
        let mut useful = twins(bared) & arriving;
        let mut wanting = self.bases | useful;
        loop {
            let hosts = parents(wanting & !slots.landing) & arriving;
            let more = (hosts | (useful & returning) << 4 & returning) & !useful;
            if more == 0 {
                return useful;
            }
            useful |= more;
            wanting |= more;
        }
    }

    /// The position in the game that draws one card at a time, without limit.
    pub(crate) fn drawing_one(&self) -> State {
        State {
            waste: 0,
            pass: 0,
            at_hand: UNKNOWN,
            ..*self
        }
    }

    /// The mixed-radix number of locked cards and heights.
    #[inline]
    pub(crate) fn code(&self) -> u32 {
        self.code
    }

    /// The waste size at which a card of the stock is the waste's top.
    #[inline]
    pub(crate) fn waste_size(&self, world: &SearchConstants, card: Card) -> u8 {
        let place = u32::from(world.place[usize::from(card.number())]);
        (self.stock & ((2 << place) - 1)).count_ones() as u8
    }

    /// Cards in stock and waste.
    #[inline]
    pub(crate) fn stock_len(&self) -> u8 {
        self.stock.count_ones() as u8
    }

    /// Sets of waste sizes, as bits: those that this pass comes by from now on, and those that a
    /// later pass does.
    #[inline]
    fn waste_sizes(&self, world: &SearchConstants) -> (u32, u32) {
        let end = 1 << self.stock_len();
        let now = world.packets << self.waste | end;
        let later = world.rules.allow_pass(self.pass + 1);
        (now, if later { world.packets | end } else { 0 })
    }

    /// Computes which cards of the stock are at hand, unless it is known.
    #[inline]
    pub(crate) fn look_through_stock(&mut self, world: &SearchConstants) {
        if world.is_all_at_hand() {
            self.at_hand = self.in_stock;
        } else if self.at_hand == UNKNOWN {
            let (now, later) = self.waste_sizes(world);
            self.at_hand = self.cards_at(world, now | later);
        }
    }

    /// The cards that lie on top of wastes of some sizes.
    fn cards_at(&self, world: &SearchConstants, sizes: u32) -> u64 {
        let (mut set, mut places, mut sizes) = (0, self.stock, sizes >> 1);
        while places != 0 {
            let card = world.stock[places.trailing_zeros() as usize];
            set |= card & 0_u64.wrapping_sub(u64::from(sizes & 1));
            places &= places - 1;
            sizes >>= 1;
        }
        set
    }

    /// Leaves of the cards at hand those on top of wastes of some sizes.
    #[inline]
    pub(crate) fn offer_only(&mut self, world: &SearchConstants, sizes: u32) {
        if sizes != ANY {
            self.at_hand &= self.cards_at(world, sizes);
        }
    }

    /// The cards of the stock that can be drawn in this pass or a later one; must be known.
    #[inline]
    pub(crate) fn at_hand(&self) -> u64 {
        debug_assert_ne!(self.at_hand, UNKNOWN);
        self.at_hand
    }

    /// Takes a card at hand out of the stock, in the earliest pass in which it can be drawn.
    #[inline]
    pub(crate) fn draw(&mut self, world: &SearchConstants, card: Card) {
        let size = self.waste_size(world, card);
        if world.rules.passes.is_some() {
            let (now, _) = self.waste_sizes(world);
            self.pass += u8::from(now >> size & 1 == 0);
        }
        self.waste = size - 1;
        self.stock &= !(1 << world.place[usize::from(card.number())]);
        self.in_stock &= !bit(card);
        self.at_hand = UNKNOWN;
        self.rest(world);
    }

    /// Without limit of passes a waste of whole packets, or the whole stock, is as good as none.
    #[inline]
    fn rest(&mut self, world: &SearchConstants) {
        let is_whole = world.packets >> self.waste & 1 == 1 || self.waste == self.stock_len();
        if world.rules.passes.is_none() && is_whole {
            self.waste = 0;
        }
    }

    /// Puts a card that lies nowhere on its foundation.
    #[inline]
    pub(crate) fn found(&mut self, world: &SearchConstants, card: Card) {
        self.founded |= bit(card);
        self.code += world.height_weight[usize::from(card.suit())];
        self.count += 1;
    }

    /// Takes a card out of the columns.
    #[inline]
    pub(crate) fn lift(&mut self, world: &SearchConstants, card: Card) {
        self.visible &= !bit(card);
        if self.bases & bit(card) != 0 {
            self.unlock(world, card);
        } else if world.kings & bit(card) != 0 {
            self.empty += 1;
        }
    }

    /// Puts a card that lies nowhere into the columns.
    #[inline]
    pub(crate) fn land(&mut self, world: &SearchConstants, card: Card) {
        self.visible |= bit(card);
        self.settle_king(world, card);
    }

    /// Takes the top card off its foundation.
    #[inline]
    pub(crate) fn take_back(&mut self, world: &SearchConstants, card: Card) {
        self.founded &= !bit(card);
        self.code -= world.height_weight[usize::from(card.suit())];
        self.count -= 1;
    }

    /// A base leaves the cards it lies on for another card or, a king, for an empty column.
    #[inline]
    pub(crate) fn free_base(&mut self, world: &SearchConstants, card: Card) {
        self.settle_king(world, card);
        self.unlock(world, card);
    }

    #[inline]
    fn settle_king(&mut self, world: &SearchConstants, card: Card) {
        self.empty -= u8::from(world.kings & bit(card) != 0);
    }

    /// A base is locked no longer: the card below it becomes the base, or a free king.
    #[inline]
    fn unlock(&mut self, world: &SearchConstants, card: Card) {
        let number = usize::from(card.number());
        let (weight, below) = (world.lock_weight[number], world.below[number]);
        let is_king = below & world.lowest & world.kings != 0;
        let unlocked = 1 + u8::from(is_king);
        self.locked -= unlocked;
        self.code -= weight * u32::from(unlocked);
        self.visible |= below;
        self.bases &= !bit(card);
        self.bases |= if is_king { 0 } else { below };
        self.empty += u8::from(below == 0);
    }
}

/// Every card of a set changed for the card of its rank and the other colour, hearts for clubs.
#[inline]
fn swap_colours(set: u64) -> u64 {
    (set & RED) << 2 | set >> 2 & RED
}

/// Returns a card and its twin, given its bit, and the cards that fit on them.
#[inline]
pub(crate) fn twins_and_children(card: u64) -> (u64, u64) {
    let (lower, _) = pairs(card);
    let twins = lower | lower << 1;
    (twins, swap_colours(twins) >> 4)
}

/// The twins of the cards of a set.
#[inline]
fn twins(set: u64) -> u64 {
    set >> 1 & PAIRS | (set & PAIRS) << 1
}

/// The cards on which the cards of a set fit.
#[inline]
fn parents(set: u64) -> u64 {
    let (lower, _) = pairs(set);
    swap_colours(lower | lower << 1) << 4
}

/// Returns the pairs of cards, by their lower bit, of which the set has at least one, and those of
/// which it has both.
#[inline]
fn pairs(set: u64) -> (u64, u64) {
    let (one, other) = (set & PAIRS, set >> 1 & PAIRS);
    (one | other, one & other)
}
