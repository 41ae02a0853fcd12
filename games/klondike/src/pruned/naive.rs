//! A naive reading of the rules, on the text of a deal, against which solutions are checked. It
//! shares nothing with the engines, not even the cards.

/// The tableau as a person would write it down: columns of symbols, lower case face down.
pub(super) struct NaiveTableau {
    columns: Vec<Vec<String>>,
    founded: Vec<String>,
}

const RANKS: &str = "A23456789TJQK";

impl NaiveTableau {
    pub(super) fn deal(text: &str) -> NaiveTableau {
        let column = |text: &str| {
            let cards = text.split_whitespace().filter(|&symbol| symbol != "--");
            cards.map(str::to_owned).collect()
        };
        let mut table = NaiveTableau {
            columns: text.split('|').map(column).collect(),
            founded: Vec::new(),
        };
        table.tidy();
        table
    }

    /// Returns the number of cards on the foundations.
    pub(super) fn founded(&self) -> usize {
        self.founded.len()
    }

    /// Turns last cards and plays cards to the foundations until nothing changes.
    fn tidy(&mut self) {
        loop {
            for last in self
                .columns
                .iter_mut()
                .filter_map(|column| column.last_mut())
            {
                *last = last.to_uppercase();
            }
            let founded = self.founded.clone();
            let fits = |card: &String| match before(card) {
                Some(lower) => founded.contains(&lower),
                None => true,
            };
            let column = self
                .columns
                .iter_mut()
                .find(|column| column.last().is_some_and(fits));
            match column {
                Some(column) => self.founded.extend(column.pop()),
                None => return,
            }
        }
    }

    /// Plays a card, which must lie face up and have somewhere to go in another column.
    pub(super) fn play(&mut self, card: &str) {
        let lies_in = |column: &Vec<String>| column.iter().any(|other| other == card);
        let from = self
            .columns
            .iter()
            .position(lies_in)
            .expect("the card lies face up");
        let depth = self.columns[from]
            .iter()
            .position(|other| other == card)
            .unwrap();
        let to = self.destination(card, from, depth);
        let pile = self.columns[from].split_off(depth);
        self.columns[to].extend(pile);
        self.tidy();
    }

    fn destination(&self, card: &str, from: usize, depth: usize) -> usize {
        if card.starts_with('K') {
            assert!(depth > 0, "{card} heads a column already");
            return self
                .columns
                .iter()
                .position(Vec::is_empty)
                .expect("an empty column");
        }
        let takes = |column: &Vec<String>| column.last().and_then(|last| before(last));
        let to = self
            .columns
            .iter()
            .position(|column| takes(column).as_deref() == Some(card));
        let to = to.expect("the next card of the suit is the last of a column");
        assert_ne!(to, from, "{card} would land on its own pile");
        to
    }
}

/// The card one rank lower.
fn before(card: &str) -> Option<String> {
    let rank = RANKS.find(&card[..1])?;
    let lower = rank.checked_sub(1)?;
    Some(format!("{}{}", &RANKS[lower..=lower], &card[1..]))
}
