//! The fault of a sample.

/// A sample that could not be drawn. It is recorded and never counted as a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cell {cell}, sample {sample}: {cause}")]
pub struct Fault {
    /// The cell's number.
    pub cell: usize,
    /// The sample's index.
    pub sample: u64,
    /// The cause.
    pub cause: Cause,
}

impl Fault {
    /// The fault of a sample in a cell.
    pub(crate) fn new(cell: usize, sample: u64, cause: Cause) -> Self {
        Self {
            cell,
            sample,
            cause,
        }
    }

    /// The fault, in a cell of that name.
    pub fn in_cell(&self, name: &str) -> String {
        match &self.cause {
            Cause::Race(told) | Cause::NoAnswer(told) => told.clone(),
            cause => format!("cell {name}, sample {}: {cause}", self.sample),
        }
    }
}

/// The cause of a sample's fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// The task has a mistake: what its panic said.
    #[error("the task panicked: {0}")]
    Panic(String),
    /// The task could not draw it, or drew what it does not declare: why.
    #[error("{0}")]
    Error(String),
    /// The answers of a race differ, in a whole sentence.
    #[error("{0}")]
    Race(String),
    /// A contender of a race answers nothing, in a whole sentence.
    #[error("{0}")]
    NoAnswer(String),
}
