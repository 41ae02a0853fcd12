//! The rows of book/src/soundness.md and the laws that attack them, as the page itself names them.

use std::path::Path;

use super::{Findings, Law, grouped};

/// A claim of the page, and the laws that its column "Refuted by" names.
struct ClaimRow {
    claim: String,
    laws: Vec<String>,
}

/// Prints a row for each claim that a law attacks.
pub fn print(tried: &[(&Law, Findings)]) {
    println!("| claim | attacked by | comparisons | violations |");
    println!("|---|---|---|---|");
    for row in read() {
        let findings = |name: &String| {
            let law = tried.iter().find(|(law, _)| law.name == *name);
            law.map(|(_, found)| [found.comparisons, found.violations])
        };
        let found: Vec<[u64; 2]> = row.laws.iter().filter_map(findings).collect();
        if found.is_empty() {
            continue;
        }
        let names: Vec<String> = row.laws.iter().map(|name| format!("`{name}`")).collect();
        let sums = [0, 1].map(|part| grouped(found.iter().map(|counts| counts[part]).sum()));
        println!(
            "| {} | {} | {} |",
            row.claim,
            names.join(", "),
            sums.join(" | ")
        );
    }
}

/// Reads the rows that name a law. An unreadable page has none.
fn read() -> Vec<ClaimRow> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/soundness.md");
    let page = std::fs::read_to_string(path).unwrap_or_default();
    let rows = page.lines().filter(|line| line.starts_with("| "));
    rows.filter_map(row).collect()
}

fn row(line: &str) -> Option<ClaimRow> {
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [claim, _, refuted] = cells[..] else {
        return None;
    };
    let (_, laws) = refuted
        .split_once("laws ")
        .or_else(|| refuted.split_once("law "))?;
    let laws: Vec<String> = laws
        .split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| name.contains('/') && !name.contains(['.', ' ']))
        .map(str::to_owned)
        .collect();
    let claim = claim.split_once(". ").map_or(claim, |(first, _)| first);
    let claim = claim.trim_end_matches('.').to_owned();
    (!laws.is_empty()).then_some(ClaimRow { claim, laws })
}

#[cfg(test)]
mod tests {
    use super::super::laws;
    use super::*;
    use std::collections::BTreeSet;

    /// The page names each law in a row at least, and no other.
    #[test]
    fn the_page_and_the_program_name_the_same_laws() {
        let rows = read();
        let named: BTreeSet<&str> = rows
            .iter()
            .flat_map(|row| &row.laws)
            .map(String::as_str)
            .collect();
        let known: BTreeSet<&str> = laws().iter().map(|law| law.name).collect();
        assert_eq!(named, known);
    }

    /// The appendix has a line for each law and for each claim that one attacks.
    #[test]
    fn the_table_in_the_book_is_of_these_laws_and_claims() {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src/appendix/soundness.md");
        let page = std::fs::read_to_string(path).unwrap();
        for law in laws() {
            let start = format!("| `{}` | {} | ", law.name, law.says);
            let line = page.lines().find(|line| line.starts_with(&start));
            let line = line.unwrap_or_else(|| panic!("no line begins with {start}"));
            assert!(line.ends_with("| 0 |"), "{line}");
        }
        for row in read() {
            assert!(
                page.contains(&format!("| {} | ", row.claim)),
                "{}",
                row.claim
            );
        }
    }
}
