//! Tests of the contents of every page.

use super::*;
use crate::report::sample::results;
use crate::store::ExhibitStep;

fn page(runs: usize) -> String {
    to_html(&vec![results(); runs]).unwrap()
}

#[test]
fn a_page_holds_question_answer_claims_figures_plots_and_provenance() {
    let page = page(1);
    for part in [
        "Heads come in 50\u{a0}% (95\u{a0}%: 40 to 60).",
        "A coin is fair.",
        "undecided",
        "between 0.90 and 1.10 flips",
        "100 (3 unresolved)",
        "Hollow bars: unresolved",
        "<td>untrusted",
        "more than 4.02 nodes (95\u{a0}%)",
        "Ratings (Elo). strong: 100; weak: \u{2212}100",
        "etude verify",
        "Exact values: 1 of 2 intervals cover them",
        "<td>missed",
        "at most \u{2212}512.0",
        "class=\"headline\">50\u{a0}%",
        "95\u{a0}%: 40 to 60 · 100 samples",
        "<title>coin – etude</title>",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert_eq!(page.matches("<h1").count(), 1);
}

#[test]
fn nothing_in_a_file_becomes_markup() {
    let page = page(1);
    assert!(
        page.contains("Is &lt;b&gt; &amp; &quot;quoted&quot;?"),
        "{page}"
    );
    assert_eq!(page.matches("<script").count(), 1);
    assert!(!page.contains("onload='"));
    assert!(page.contains("svg+xml,%3Csvg onload="));
}

#[test]
fn a_page_fetches_nothing() {
    let page = page(2);
    for source in ["src=\"", "href=\""] {
        for (at, _) in page.match_indices(source) {
            let target = &page[at + source.len()..];
            assert!(target.starts_with('#') || target.starts_with("data:"));
        }
    }
    assert!(!page.contains("@import") && !page.contains("url("));
}

#[test]
fn a_collection_has_an_index_whose_links_lead_somewhere() {
    let page = page(2);
    for run in ["run-1", "run-2"] {
        assert!(page.contains(&format!("href=\"#{run}\"")));
        assert!(page.contains(&format!("id=\"{run}\"")));
    }
    assert_eq!(page.matches("<h1").count(), 1);
    assert!(page.contains("Claims: 1 undecided"));
}

#[test]
fn a_site_links_the_runs_that_its_prose_names() {
    let mut results = [results(), results()];
    for (one, name) in results.iter_mut().zip(["coin", "coin-two"]) {
        one.manifest.experiment = name.into();
        one.config.answer = Some("As in coin-two, not in coin-two-b or coin.".into());
    }
    let site = to_site(&results, &[]).unwrap();
    let link = "As in <a href=\"coin-two.html\">coin-two</a>, not in coin-two-b or coin.";
    assert!(site.pages[1].1.contains(link));
    assert!(!to_html(&results).unwrap().contains("coin-two.html"));
}

#[test]
fn a_site_has_a_searchable_index_and_pages_that_lead_back() {
    let site = to_site(&[results()], &[]).unwrap();
    let names: Vec<&str> = site.pages.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "coin.html"]);
    let (index, page) = (&site.pages[0].1, &site.pages[1].1);
    assert!(index.contains("href=\"coin.html\"") && index.contains("type=\"search\""));
    assert!(index.contains("Is &lt;b&gt; &amp;"));
    assert!(index.contains("<h2>Coin</h2>") && index.contains("50\u{a0}% (40 to 60)"));
    assert!(index.contains("data-verdicts=\"undecided \""));
    assert_eq!(index.matches("<script>").count(), 1);
    assert!(page.contains("href=\"index.html\""));
}

#[test]
fn code_is_set_as_code_and_nothing_else_becomes_markup() {
    let set = |text: &str| prose(text).to_string();
    assert_eq!(set("`a<b>` at 5 %"), "<code>a&lt;b&gt;</code> at 5\u{a0}%");
    assert_eq!(set("one ` alone\nnext"), "one ` alone\nnext");
}

#[test]
fn a_stored_run_takes_the_answer_of_its_file_if_its_places_fit() {
    let told = |answer: &str| {
        let file = format!("answer = \"{answer}\"");
        to_html(&[results().with_page_of(&file)]).unwrap()
    };
    assert!(
        told("Now {heads} are heads.").contains("Now 50\u{a0}% (95\u{a0}%: 40 to 60) are heads.")
    );
    assert!(
        told("Now {tails} are tails.").contains("Heads come in 50\u{a0}% (95\u{a0}%: 40 to 60).")
    );
}

#[test]
fn an_index_draws_the_board_in_the_middle_of_each_game() {
    let mut run = results();
    let svg = "<svg viewBox=\"0 0 9 9\"><rect x=\"7\" y=\"7\"/></svg>";
    run.exhibit.as_mut().unwrap().steps[0].svg = Some(svg.to_owned());
    let site = to_site(&[run], &[]).unwrap();
    for page in &site.pages {
        let board = page.1.split("<svg class=\"board\"").nth(1).unwrap();
        assert!(
            board.contains("<rect x=\"7\" y=\"7\"/></svg>"),
            "{}",
            page.0
        );
    }
    assert!(
        !to_site(&[results()], &[]).unwrap().pages[0]
            .1
            .contains("class=\"board\"")
    );
}

/// A story with a card that its player does not see.
#[test]
fn face_down_cards_are_hidden_until_the_switch_is_set() {
    let mut run = results();
    let step = &mut run.exhibit.as_mut().unwrap().steps[0];
    let card = |class: &str| {
        format!("<svg viewBox=\"0 0 9 9\"><rect x=\"7\"/><text {class}x=\"7\">Q</text></svg>")
    };
    step.svg = Some(card("class=\"down\" "));
    let page = to_html(&[run.clone()]).unwrap();
    let switch = "<input type=\"checkbox\"> Show the face-down cards</label>";
    assert!(page.contains(switch) && page.contains("<text class=\"down\" x=\"7\">Q</text>"));
    assert!(page.contains(".down { visibility: var(--down, hidden); }"));
    run.exhibit.as_mut().unwrap().steps[0].svg = Some(card(""));
    assert!(!to_html(&[run]).unwrap().contains("face-down"));
}

/// 473 boards as small as those of a long game, and as many that are too large for a page.
#[test]
fn a_page_shows_every_step_unless_it_grew_too_large() {
    let told = |board: usize| {
        let mut run = results();
        let exhibit = run.exhibit.as_mut().unwrap();
        let step = |number| ExhibitStep {
            number,
            caption: "hens: f4-e4".into(),
            board: "h".repeat(board),
            svg: None,
        };
        exhibit.steps = (1..=473).map(step).collect();
        exhibit.length = 473;
        to_html(&[run]).unwrap()
    };
    let small = told(150);
    assert_eq!(small.matches("hens: f4-e4</figcaption>").count(), 473);
    assert!(!small.contains("not shown"));
    let large = told(2_000);
    assert!(large.len() < 300_000, "{}", large.len());
    let shown = large.matches("hens: f4-e4</figcaption>").count();
    assert!((50..473).contains(&shown));
    assert!(large.contains(&format!("{} of 473 steps are not shown.", 473 - shown)));
    for end in [1, 473] {
        assert!(large.contains(&format!("<span class=\"step\">{end}</span>")));
    }
}
