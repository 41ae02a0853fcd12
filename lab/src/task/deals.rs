//! The deals that a verb's options name: those in a file, one given as text, or one drawn from a
//! seed.

use super::{Arguments, VerbError, read_csv_columns};

/// A deal that the options name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chosen<D> {
    /// Its place in the file, or its sample's index.
    pub index: u64,
    /// The deal.
    pub deal: D,
}

const ONE: &str = "give one of --deals FILE, --deal DEAL, or --seed S with --index I";

/// The deals of `--deals FILE` (its column `deal`), `--deal DEAL`, or `--seed S` with `--index I`.
/// `read` is given a place for its errors and a text, `draw` a seed and an index.
///
/// # Errors
/// If not exactly one of the three is given, if `--index` goes with a deal that is written out, or
/// as `read` and `draw` say.
pub fn chosen_deals<D>(
    arguments: &Arguments,
    read: impl Fn(&str, &str) -> Result<D, VerbError>,
    draw: impl FnOnce(u64, u64) -> Result<D, VerbError>,
) -> Result<Vec<Chosen<D>>, VerbError> {
    let no_index = || arguments.refuse(&["index"], "goes with --seed alone", "leave it out");
    match (
        arguments.file("deals"),
        arguments.text("deal"),
        arguments.integer("seed"),
    ) {
        (Some(file), None, None) => {
            no_index()?;
            let records = read_csv_columns(file, &["deal"])?;
            let chosen = |(index, (line, fields)): (usize, (u64, Vec<String>))| {
                let place = format!("{}:{line}", file.path);
                let deal = read(&place, &fields.concat())?;
                let index = index as u64;
                Ok(Chosen { index, deal })
            };
            records.into_iter().enumerate().map(chosen).collect()
        }
        (None, Some(text), None) => {
            no_index()?;
            let deal = read("--deal", text)?;
            Ok(vec![Chosen { index: 0, deal }])
        }
        (None, None, Some(seed)) => {
            let index = arguments.integer("index").unwrap_or_default();
            let deal = draw(seed, index)?;
            Ok(vec![Chosen { index, deal }])
        }
        (None, None, None) => Err(VerbError::usage("", "no deal given", ONE)),
        _ => Err(VerbError::usage(
            "",
            "deals given in more than one way",
            ONE,
        )),
    }
}
