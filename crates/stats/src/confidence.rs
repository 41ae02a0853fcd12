//! The confidence of an interval: its level, and the way in which the number of samples may have been chosen.
//!
//! An interval for a fixed number of samples misses far more often than it says if one looks
//! again and again and stops at will; a confidence sequence does not. Reference: Howard, Ramdas,
//! McAuliffe, Sekhon 2021, *Annals of Statistics* 49.

use super::{Level, Validity};

/// A confidence level together with the way samples are looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence {
    /// The probability with which an interval covers the truth.
    pub level: Level,
    /// The looks at the samples.
    pub looks: Looks,
}

/// The looks at the samples before sampling stops, if they are but samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looks {
    /// Once, at a number of samples fixed before the first was seen.
    Once,
    /// Any number of times.
    Many {
        /// The number of samples at which intervals should be narrowest. It must be chosen
        /// before the first sample is seen; whatever it is, the level holds.
        planned: u64,
    },
    /// The samples are all there is: what they say is known, not estimated.
    Exhaustive,
}

impl Looks {
    /// Returns the condition under which intervals for these looks have their level.
    pub fn validity(self) -> Validity {
        match self {
            Looks::Many { .. } => Validity::AnyTime,
            Looks::Once | Looks::Exhaustive => Validity::FixedN,
        }
    }
}

impl Confidence {
    /// Returns these looks at another level.
    pub fn at(self, level: Level) -> Self {
        Self { level, ..self }
    }

    /// Returns the confidence of what two runs say pair by pair: the lower level, and the looks of the larger plan,
    /// because pairs end with the shorter run.
    pub fn joint(self, other: Self) -> Self {
        let planned = |looks: Looks| match looks {
            Looks::Many { planned } => Some(planned),
            _ => None,
        };
        let most = planned(self.looks).max(planned(other.looks));
        let is_lower = self.level < other.level;
        Self {
            level: if is_lower { self.level } else { other.level },
            looks: most.map_or(Looks::Once, |planned| Looks::Many { planned }),
        }
    }
}

impl From<Level> for Confidence {
    /// Returns the confidence of a single look.
    fn from(level: Level) -> Self {
        Self {
            level,
            looks: Looks::Once,
        }
    }
}
