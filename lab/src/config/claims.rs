//! `[[claims]]`: from its tables to what they say of metrics and cells.

use toml::Spanned;

use super::error::{Faults, Problem};
use super::relation::Scope;
use super::value::{self, optional, required};
use super::wire::{ClaimTable, Item, TomlTable};
use super::{ClaimSpec, Selector, Subject};

/// Reads the claims of the file with this text.
pub(super) fn read(
    text: &str,
    tables: &[Spanned<TomlTable<ClaimTable>>],
    scope: Scope,
    faults: &mut Faults,
) -> Option<Vec<ClaimSpec>> {
    faults.keep_all(tables.iter().map(|table| claim(text, table, scope)))
}

fn claim(
    source: &str,
    table: &Spanned<TomlTable<ClaimTable>>,
    scope: Scope,
) -> Result<ClaimSpec, Problem> {
    let place = table.span();
    let table = table.get_ref();
    let text = |key: &str, item| required(key, item, Some(place.clone()), value::text);
    let read_holds = |key: &str, item: &Item| inside(source, key, item, |text| scope.holds(text));
    let holds = required("holds", &table.holds, Some(place.clone()), read_holds)?;
    let read_where =
        |key: &str, item: &Item| inside(source, key, item, |text| scope.selector(text));
    let selector = optional("where", &table.selector, Selector::default(), read_where)?;
    check_pairs(&holds.subject, &selector, &table.selector)?;
    Ok(ClaimSpec {
        source: text("source", &table.source)?,
        text: text("text", &table.text)?,
        holds: text("holds", &table.holds)?,
        subject: holds.subject,
        relation: holds.relation,
        number: holds.number,
        selector,
        post_hoc: optional("post-hoc", &table.post_hoc, false, value::flag)?,
    })
}

/// Parses a text; a fault within it is moved to its place in the file.
pub(super) fn inside<T>(
    source: &str,
    key: &str,
    item: &Item,
    parse: impl FnOnce(&str) -> Result<T, Problem>,
) -> Result<T, Problem> {
    let text = value::text(key, item)?;
    parse(&text).map_err(|problem| {
        let span = item.span();
        // With escapes the text does not stand in the file as it is; then all of it is at fault.
        let start = source.get(span.clone()).and_then(|raw| raw.find(&text));
        let place = match (start, &problem.span) {
            (Some(start), Some(within)) => {
                let start = span.start + start;
                start + within.start..start + within.end
            }
            _ => span,
        };
        Problem {
            span: Some(place),
            ..problem
        }
    })
}

/// A difference compares two values of a parameter, so `where` cannot select one of them.
fn check_pairs(subject: &Subject, selector: &Selector, item: &Option<Item>) -> Result<(), Problem> {
    match (subject, item) {
        (Subject::Difference { axis, .. }, Some(item))
            if selector.terms.iter().any(|(selected, _)| selected == axis) =>
        {
            Err(Problem::at(
                item.span(),
                "this selects by the parameter that `diff` compares",
            )
            .help("select by other swept parameters only"))
        }
        _ => Ok(()),
    }
}
