//! The cells of a table, and conversions to them.

/// A cell of a verb's table.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum TableCell {
    /// Text.
    Text(String),
    /// An integer, counts of any size included.
    Integer(i128),
    /// A number.
    Number(f64),
    /// A number that is written with all of its digits.
    Exact(f64),
    /// `true` or `false`.
    Flag(bool),
    /// No value.
    #[default]
    Empty,
}

impl TableCell {
    /// A number that is written with all of its digits, if there is one.
    pub fn exact(number: Option<f64>) -> Self {
        number.map_or(Self::Empty, Self::Exact)
    }
}

impl From<&str> for TableCell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for TableCell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<f64> for TableCell {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<bool> for TableCell {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

/// `None` is a cell without a value.
impl<T: Into<TableCell>> From<Option<T>> for TableCell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, T::into)
    }
}

macro_rules! integer_cells {
    ($($integer:ty),*) => {$(
        impl From<$integer> for TableCell {
            fn from(integer: $integer) -> Self {
                Self::Integer(integer as i128)
            }
        }
    )*};
}

integer_cells!(u8, u32, u64, usize, i32, i64, i128);
