//! `[[claims]]`: from its tables to what they say of metrics and cells.

use super::document::Document;
use super::error::{Faults, Problem};
use super::file::ClaimTable;
use super::relation::Scope;
use super::{ClaimSpec, ClaimTest, Selector, StopRule, Subject, ratio_claim};

/// Compiles the claims, except those of ratios; each selector is written as every selector is.
pub(super) fn compile(
    tables: &mut [ClaimTable],
    document: &Document,
    scope: Scope,
    faults: &mut Faults,
) -> Option<Vec<ClaimSpec>> {
    let compiled = (tables.iter_mut().enumerate())
        .filter(|(_, table)| !ratio_claim::is_one(table))
        .map(|(index, table)| claim(&format!("claims.{index}"), table, document, scope));
    faults.keep_all(compiled)
}

fn claim(
    path: &str,
    table: &mut ClaimTable,
    document: &Document,
    scope: Scope,
) -> Result<ClaimSpec, Problem> {
    let holds = scope
        .holds(&table.holds)
        .map_err(|problem| document.within(&format!("{path}.holds"), &table.holds, problem))?;
    let selector = selector(&mut table.selector, path, document, scope)?;
    check_pairs(&holds.subject, &selector)
        .map_err(|message| document.fault(&format!("{path}.where"), message))
        .map_err(|problem| problem.help("select by other swept parameters only"))?;
    Ok(ClaimSpec {
        subject: holds.subject,
        test: holds.test,
        selector,
    })
}

/// Refuses a run that would wait for a claim which is never decided but by being refuted.
pub(super) fn check_stop(
    claims: &[ClaimSpec],
    stop: StopRule,
    document: &Document,
) -> Result<(), Problem> {
    let is_agreement = |claim: &ClaimSpec| matches!(claim.test, ClaimTest::Agrees(_));
    let waits = matches!(stop, StopRule::Claims { .. });
    match claims.iter().position(is_agreement).filter(|_| waits) {
        None => Ok(()),
        Some(index) => Err(document
            .fault(
                &format!("claims.{index}.holds"),
                "a claim that `agrees` is never decided by waiting, and the run stops when every \
                 claim is decided",
            )
            .help("set `samples` under [stop], or use [stop.half-width]")),
    }
}

/// Compiles the key `where` of the table at a path; without it, all cells are meant.
pub(super) fn selector(
    text: &mut Option<String>,
    path: &str,
    document: &Document,
    scope: Scope,
) -> Result<Selector, Problem> {
    let Some(written) = text else {
        return Ok(Selector::default());
    };
    let selector = scope
        .selector(written)
        .map_err(|problem| document.within(&format!("{path}.where"), written, problem))?;
    *text = scope.written(&selector);
    Ok(selector)
}

/// A difference compares two values of a parameter, so `where` cannot select one of them.
fn check_pairs(subject: &Subject, selector: &Selector) -> Result<(), &'static str> {
    match subject {
        Subject::Difference { axis, .. }
            if selector.terms.iter().any(|(selected, _)| selected == axis) =>
        {
            Err("this selects by the parameter that `diff` compares")
        }
        _ => Ok(()),
    }
}
