//! The fast totals against the plain ones.
