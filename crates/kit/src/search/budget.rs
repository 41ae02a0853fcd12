//! Node budgets.

/// The number of nodes that a search may visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget {
    nodes: u64,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Budget = Budget { nodes: u64::MAX };

    /// Makes a budget of at most `nodes` nodes.
    pub const fn nodes(nodes: u64) -> Self {
        Self { nodes }
    }

    /// The limit in nodes; `u64::MAX` for none.
    pub const fn limit(self) -> u64 {
        self.nodes
    }

    /// A meter that has spent nothing yet.
    pub const fn meter(self) -> Meter {
        Meter {
            spent: 0,
            limit: self.nodes,
        }
    }
}

/// A running count of visited nodes against a budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meter {
    spent: u64,
    limit: u64,
}

impl Meter {
    /// Counts one node and says whether the budget covered it.
    #[inline]
    pub fn spend(&mut self) -> bool {
        if self.spent >= self.limit {
            return false;
        }
        self.spent += 1;
        true
    }

    /// Counts `nodes` nodes and says whether the budget covered them all.
    pub fn spend_many(&mut self, nodes: u64) -> bool {
        let covered = nodes <= self.limit - self.spent;
        self.spent = self.spent.saturating_add(nodes).min(self.limit);
        covered
    }

    /// Nodes counted so far.
    pub const fn spent(&self) -> u64 {
        self.spent
    }

    /// The budget that is left.
    pub const fn rest(&self) -> Budget {
        Budget::nodes(self.limit - self.spent)
    }

    /// Returns whether nothing is left.
    pub const fn is_exhausted(&self) -> bool {
        self.spent >= self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_nodes_are_covered_up_to_the_limit_and_not_one_beyond() {
        for (before, nodes, covered, spent) in [
            (0, 5, true, 5),
            (2, 3, true, 5),
            (2, 4, false, 5),
            (5, 0, true, 5),
            (5, 1, false, 5),
            (1, u64::MAX, false, 5),
            (0, 4, true, 4),
        ] {
            let mut meter = Budget::nodes(5).meter();
            assert!(meter.spend_many(before));
            assert_eq!(meter.spend_many(nodes), covered, "{before} + {nodes}");
            assert_eq!(meter.spent(), spent, "{before} + {nodes}");
        }
    }

    #[test]
    fn a_meter_stops_at_its_limit_and_stays_there() {
        let mut meter = Budget::nodes(2).meter();
        assert!(meter.spend() && !meter.is_exhausted());
        assert_eq!((meter.rest(), meter.rest().limit()), (Budget::nodes(1), 1));
        assert!(meter.spend());
        assert!(!meter.spend() && meter.is_exhausted());
        assert_eq!(meter.spent(), 2);
    }
}
