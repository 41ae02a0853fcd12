//! Enums whose values have names.

/// Declares an enum whose values have names in files and on the command line.
///
/// The enum has its values as `ALL` and their names as `NAMES`, both in the order of declaration,
/// `name` for the name of a value, and `from_name` for the value of a name. It must be `Clone`, for
/// the options of a verb take it as a [`clap::ValueEnum`].
///
/// ```
/// lab::named! {
///     /// A side of a coin.
///     #[derive(Clone, Copy, Debug, PartialEq)]
///     pub enum Side {
///         /// The portrait.
///         Heads = "heads",
///         /// The other one.
///         Tails = "tails",
///     }
/// }
/// assert_eq!(Side::ALL, [Side::Heads, Side::Tails]);
/// assert_eq!(Side::NAMES, &["heads", "tails"]);
/// assert_eq!(Side::Heads.name(), "heads");
/// assert_eq!(Side::from_name("tails"), Some(Side::Tails));
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$attribute:meta])*
        $scope:vis enum $Enum:ident {
            $( $(#[$doc:meta])* $Value:ident = $name:literal, )+
        }
    ) => {
        $(#[$attribute])*
        $scope enum $Enum {
            $( $(#[$doc])* $Value, )+
        }

        impl $Enum {
            /// Every value.
            pub const ALL: [Self; Self::NAMES.len()] = [$( Self::$Value, )+];

            /// The names of all values, in the same order.
            pub const NAMES: &'static [&'static str] = &[$( $name, )+];

            /// Its name in files and parameters, which never changes.
            pub const fn name(self) -> &'static str {
                match self {
                    $( Self::$Value => $name, )+
                }
            }

            /// The value of a name.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|value| value.name() == name)
            }
        }

        impl $crate::clap::ValueEnum for $Enum {
            fn value_variants<'a>() -> &'a [Self] {
                &Self::ALL
            }

            fn to_possible_value(&self) -> Option<$crate::clap::builder::PossibleValue> {
                Some(self.name().into())
            }
        }
    };
}
