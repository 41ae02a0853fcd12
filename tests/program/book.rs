//! The documents lead somewhere: every relative link of the book and of the documents at the root
//! points to a file, and to a heading where it names one; every page of the book is in its summary.

use std::path::{Path, PathBuf};

/// The documents, seen from the root.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in [
        "",
        "book/src",
        "book/src/games",
        "book/src/appendix",
        "examples",
        "results",
    ] {
        let files = std::fs::read_dir(root.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().path());
        found.extend(files.filter(|file| file.extension().is_some_and(|end| end == "md")));
    }
    found.sort();
    found
}

/// The text with what `{{#include FILE}}` names put in.
fn read(document: &Path) -> String {
    let text = std::fs::read_to_string(document).unwrap();
    match text.trim().strip_prefix("{{#include ") {
        Some(rest) => {
            let name = rest.trim_end_matches('}').trim();
            std::fs::read_to_string(document.with_file_name(name)).unwrap()
        }
        None => text,
    }
}

/// Returns the targets of the links of a document, those in code left out.
fn links(text: &str) -> Vec<String> {
    let prose = text.split("```").step_by(2);
    let prose = prose.flat_map(|part| part.split('`').step_by(2));
    let ends = prose.flat_map(|part| {
        let after = part.split("](").skip(1);
        after.filter_map(|rest| rest.split_once(')').map(|(target, _)| target.to_owned()))
    });
    ends.map(|target| target.split_whitespace().collect())
        .collect()
}

/// Returns whether a link leads to a page that the repository's host has beside the files.
fn is_of_the_host(link: &str) -> bool {
    ["actions", "releases", "deployments/github-pages"]
        .iter()
        .any(|page| link.strip_prefix("../../") == Some(*page))
}

/// The name under which a heading is linked to.
fn anchor(heading: &str) -> String {
    // A heading that is a link goes by its text.
    let text = match heading.split_once("](") {
        Some((text, _)) => text.trim_start_matches('['),
        None => heading,
    };
    let kept = text.to_lowercase();
    let kept = kept
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

fn anchors(text: &str) -> Vec<String> {
    let outside_code = text.split("```").step_by(2);
    let headings = outside_code
        .flat_map(str::lines)
        .filter(|line| line.starts_with('#'));
    headings
        .map(|line| anchor(line.trim_start_matches('#').trim()))
        .collect()
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let mut faults = Vec::new();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        // What another document includes is checked where it lies; the built book turns its links.
        for link in links(&text) {
            let is_elsewhere = link.starts_with("http") || link.starts_with("mailto:");
            if is_elsewhere || is_of_the_host(&link) {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((&link, ""));
            let target = match file {
                "" => document.clone(),
                file => document.with_file_name(file),
            };
            let is_there = target.exists();
            let leads = is_there
                && (heading.is_empty() || anchors(&read(&target)).iter().any(|one| one == heading));
            if !leads {
                faults.push(format!("{}: {link}", document.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_of_the_book_is_in_its_summary() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src");
    let listed = links(&read(&source.join("SUMMARY.md")));
    assert!(listed.len() >= 15, "{listed:?}");
    for document in documents() {
        let Ok(page) = document.strip_prefix(&source) else {
            continue;
        };
        let page = page.to_string_lossy();
        let is_listed = page == "SUMMARY.md" || listed.iter().any(|link| *link == page);
        assert!(is_listed, "{page} is not in SUMMARY.md");
    }
}

#[test]
fn anchors_are_those_of_the_web_pages() {
    assert_eq!(
        anchor("How often intervals miss"),
        "how-often-intervals-miss"
    );
    assert_eq!(
        anchor("[foxes-claim](foxes-claim/summary.csv)"),
        "foxes-claim"
    );
    assert_eq!(links("a [b](c.md#d) `[x](y)`"), ["c.md#d"]);
}
