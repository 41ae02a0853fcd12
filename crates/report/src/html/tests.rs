//! Tests of the contents of every page.

use std::num::NonZeroUsize;

use super::*;
use crate::Results;
use crate::cells::Sweep;
use crate::plot::Plot;
use crate::sample::results;
use crate::sheet::Sheet;
use experiment::PageTable;
use lab::store::ExhibitStep;
use lab::tables::{ClaimRow, Exact, PairRow, SummaryRow, TruthRow};
use stats::ClaimVerdict;
use task::ParamValue;

/// The page on these runs.
fn to_html(runs: &[Results]) -> Result<String, minijinja::Error> {
    let pages: Vec<ResultPage> = runs.iter().map(ResultPage::of).collect();
    super::to_html(&pages)
}

/// The index and the pages of a site with these runs and other results.
fn to_site(
    runs: &[Results],
    others: impl IntoIterator<Item = ResultPage>,
    played: &[PlayableGame],
) -> Vec<(String, String)> {
    let pages: Vec<ResultPage> = runs.iter().map(ResultPage::of).chain(others).collect();
    super::to_site(pages, played).unwrap()
}

fn page(runs: usize) -> String {
    to_html(&vec![results(); runs]).unwrap()
}

/// Labels names in the words of people.
fn label(results: &mut Results, words: &[(&str, &str)]) {
    let words = words
        .iter()
        .map(|(name, word)| (name.to_string(), word.to_string()));
    results.config.labels.extend(words);
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
        "<title>Is &lt;b&gt; &amp; &quot;quoted&quot;? – etude</title>",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert_eq!(page.matches("<h1").count(), 1);
}

/// Two coins in two hands, of which one coin falls heads more often; a claim about both hands.
fn two_coins() -> Results {
    let mut results = results();
    let names: Vec<String> = ["fair", "bent"]
        .iter()
        .flat_map(|coin| ["left", "right"].map(|hand| format!("coin={coin},hand={hand}")))
        .collect();
    let values = |name: &String| {
        let values = name.split(',').map(|term| term[5..].to_owned());
        (name.clone(), values.collect())
    };
    let axes = ["coin", "hand"].map(str::to_owned).into();
    results.sweep = Sweep::new(axes, names.iter().map(values).collect());
    let one = results.summary[0].clone();
    let rows = names.iter().map(|cell| SummaryRow {
        cell: cell.clone(),
        ..one.clone()
    });
    results.summary = rows.collect();
    let claim = ClaimRow {
        holds: "diff(coin=bent, coin=fair).heads > -0.05".into(),
        threshold: Some(Exact(-0.05)),
        ..results.claims[0].clone()
    };
    results.claims = (names[2..].iter().zip(&names))
        .map(|(bent, fair)| ClaimRow {
            cell: format!("{bent} - {fair}"),
            ..claim.clone()
        })
        .collect();
    results.pairs = vec![PairRow {
        first: names[2].clone(),
        second: names[0].clone(),
        experiment: String::new(),
        metric: "heads".into(),
        unit: String::new(),
        estimate: one.estimate,
        correlation: None,
        variance_reduction: None,
        mcnemar_p: None,
    }];
    results
}

#[test]
fn a_difference_of_shares_is_in_percentage_points_in_tables_and_pictures() {
    let results = two_coins();
    let page = to_html(std::slice::from_ref(&results)).unwrap();
    let (_, claims) = page.split_once("<section aria-label=\"Claims\">").unwrap();
    let (claims, _) = claims.split_once("</section>").unwrap();
    assert!(
        claims.contains("<caption>Verdicts (percentage points)</caption>"),
        "{claims}"
    );
    assert!(claims.contains(">?\u{a0}50<span class=\"detail\">40 to 60"));
    assert!(!claims.contains("50\u{a0}%"), "{claims}");
    // No picture has a line at the claimed value.
    assert!(claims.contains("Holm") && !claims.contains("dashed"));
    let (_, picture) = page.split_once(">heads (percentage points)</p>").unwrap();
    let (picture, _) = picture.split_once("</figure>").unwrap();
    assert!(picture.contains("bent − fair (hand=left): 50 (40 to 60)"));
    assert!(!picture.contains("50\u{a0}%"), "{picture}");
    let mut one = results.clone();
    one.claims.truncate(1);
    let page = to_html(&[one]).unwrap();
    assert!(page.contains("claimed: \u{2212}5\"") && page.contains("A dashed line marks"));
    assert!(!page.contains("Holm"));
}

#[test]
fn effects_are_differences_from_the_first_cell_whichever_way_they_are_stored() {
    let mut results = two_coins();
    let names: Vec<String> = results.summary.iter().map(|row| row.cell.clone()).collect();
    let pair = results.pairs[0].clone();
    let row = |first: &String, second: &String| PairRow {
        first: first.clone(),
        second: second.clone(),
        ..pair.clone()
    };
    results.pairs = vec![
        row(&names[2], &names[0]),
        row(&names[0], &names[1]),
        row(&names[3], &names[2]),
    ];
    results.config.page = Some(PageTable {
        pictures: vec!["effects of heads".into()],
        ..PageTable::default()
    });
    label(
        &mut results,
        &[("hand", "thrown with"), ("bent", "bent a little")],
    );
    let page = to_html(&[results]).unwrap();
    let (_, hero) = page.split_once("class=\"hero\"").unwrap();
    let (hero, _) = hero.split_once("</figure>").unwrap();
    let told = [
        "thrown with: right: \u{2212}50 (\u{2212}60 to \u{2212}40)",
        "coin: bent a little: 50 (40 to 60)",
    ];
    let places = told.map(|told| hero.find(told));
    assert!(
        places.is_sorted() && places[0].is_some(),
        "{places:?} {hero}"
    );
    assert_eq!(hero.matches("class=\"dot\"").count(), 2);
}

#[test]
fn a_published_value_that_was_met_exactly_is_said_to_be() {
    let mut results = results();
    results.claims[0].verdict = ClaimVerdict::Agrees;
    for (ends, told) in [
        ([0.0, 0.0], "which is the claimed value"),
        ([-0.01, 0.02], "any difference is below 2"),
    ] {
        let claim = &mut results.claims[0];
        [claim.difference_lo, claim.difference_hi] = ends.map(|end| Some(Exact(end)));
        let page = to_html(std::slice::from_ref(&results)).unwrap();
        assert!(page.contains(told), "{told}");
    }
}

#[test]
fn estimates_over_their_exact_values_can_be_the_picture_on_top() {
    let mut results = two_coins();
    let estimated = results.summary.iter().filter(|row| row.metric == "heads");
    let truth = |row: &SummaryRow| TruthRow {
        experiment: row.experiment.clone(),
        cell: row.cell.clone(),
        metric: row.metric.clone(),
        unit: row.unit.clone(),
        estimate: row.estimate,
        truth: row.estimate.value.map(|value| Exact(value / 2.0)),
        contradicted: None,
        covered: Some(false),
        source: "counted".into(),
    };
    results.truths = estimated.map(truth).collect();
    results.config.page = Some(PageTable {
        pictures: vec!["ratios of heads".into()],
        ..PageTable::default()
    });
    let page = to_html(&[results]).unwrap();
    let (_, hero) = page.split_once("class=\"hero\"").unwrap();
    let (hero, _) = hero.split_once("</figure>").unwrap();
    assert!(hero.contains("the estimate over the exact value"), "{hero}");
    assert!(hero.contains("coin=bent, hand=left: 2;"), "{hero}");
}

#[test]
fn a_difference_in_the_headline_stands_the_same_way_round_in_the_picture() {
    let results = two_coins();
    let PairRow { first, second, .. } = results.pairs[0].clone();
    let hero = |results: &Results, one: &str, other: &str| {
        let mut results = results.clone();
        results.config.page = Some(PageTable {
            headline: Some(format!("{{{one} - {other}:heads}}")),
            pictures: vec!["differences of heads".into()],
            ..PageTable::default()
        });
        let page = to_html(&[results]).unwrap();
        let (_, hero) = page.split_once("class=\"hero\"").unwrap();
        hero.split_once("</figure>").unwrap().0.to_owned()
    };
    let stored = hero(&results, &first, &second);
    assert!(
        stored.contains("bent − fair (hand=left): 50 (40 to 60)"),
        "{stored}"
    );
    let turned = hero(&results, &second, &first);
    let told = "fair − bent (hand=left): \u{2212}50 (\u{2212}60 to \u{2212}40)";
    assert!(turned.contains(told), "{turned}");
}

#[test]
fn a_matrix_heads_its_rows_and_columns_with_labels_and_says_per_cent_once() {
    let mut results = two_coins();
    label(
        &mut results,
        &[("coin", "The coin"), ("left", "the left hand")],
    );
    let page = to_html(&[results]).unwrap();
    let (_, hero) = page.split_once("class=\"hero\"").unwrap();
    let (matrix, _) = hero.split_once("</figure>").unwrap();
    for part in [
        ">The coin</th>",
        "<span>the left hand</span></th>",
        "(%)</p>",
        "\">50<span",
    ] {
        assert!(matrix.contains(part), "{part} in {matrix}");
    }
}

/// The code name stands small beside the label, as it is what the tables and the command line take.
#[test]
fn all_data_has_labels_beside_code_names() {
    let mut results = two_coins();
    label(
        &mut results,
        &[("left", "the left hand"), ("heads", "falls heads")],
    );
    let page = to_html(&[results]).unwrap();
    let (_, data) = page.split_once("-estimates\">").unwrap();
    for part in [
        ", the left hand <code>coin=",
        "<td>falls heads <code>heads</code>",
    ] {
        assert!(data.contains(part), "{part} in {data}");
    }
}

#[test]
fn a_picture_of_several_shares_is_not_titled_as_the_first_of_them() {
    let mut results = results();
    results.config.page = Some(PageTable {
        pictures: vec!["heads".into()],
        ..PageTable::default()
    });
    label(&mut results, &[("heads", "falls heads")]);
    results.config.answer = Some("{heads}, {edge}, {stake}".into());
    let title = |results: &Results| {
        let page = to_html(std::slice::from_ref(results)).unwrap();
        let (_, hero) = page.split_once("class=\"hero\"").unwrap();
        let (_, title) = hero.split_once("<p class=\"title\">").unwrap();
        title.split_once("</p>").unwrap().0.to_owned()
    };
    assert_eq!(title(&results), "Falls heads");
    let mut bin = results.histograms[0].clone();
    (bin.metric, bin.value) = ("stake".into(), Exact(0.5));
    results.histograms.push(bin);
    // A share of the stake is no share of the samples.
    for metric in ["stake", "edge"] {
        let mut row = results.summary[0].clone();
        row.metric = metric.into();
        results.summary.push(row);
        let is_first = metric == "stake";
        let expected = if is_first {
            "Falls heads"
        } else {
            "Shares of the samples"
        };
        assert_eq!(title(&results), expected);
    }
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
    let site = to_site(&results, [], &[]);
    let link = "As in <a href=\"coin-two.html\">coin-two</a>, not in coin-two-b or coin.";
    assert!(site[1].1.contains(link));
    assert!(!to_html(&results).unwrap().contains("coin-two.html"));
}

/// Several runs of one file, and names that an index or a disk that ignores capitals would take for one.
#[test]
fn every_page_of_a_site_has_a_file_of_its_own() {
    let run = |name: &str, folder: &str| {
        let mut run = results();
        run.manifest.experiment = name.into();
        run.folder = folder.into();
        run
    };
    let runs = [
        run("coin", "results/coin"),
        run("coin", "results/seed8"),
        run("Coin", "results/a b"),
        run("index", ""),
    ];
    let site = to_site(&runs, [], &[]);
    let pages = site.iter().filter(|(name, _)| name.ends_with(".html"));
    let names: Vec<&str> = pages.map(|(name, _)| &**name).collect();
    let expected = ["coin", "coin-seed8", "Coin-2", "index-2"].map(|name| format!("{name}.html"));
    assert_eq!(names[0], INDEX);
    assert_eq!(names[1..], expected);
    for page in &expected {
        assert!(site[0].1.contains(&format!("href=\"{page}\"")), "{page}");
    }
}

#[test]
fn a_site_links_the_page_in_which_its_game_is_played() {
    let mut run = results();
    // Programs of a command play it.
    let task = std::mem::replace(&mut run.config.task, "command".to_owned());
    let (game, _) = task.split_once('/').unwrap();
    run.config.page.get_or_insert_default().game = Some(game.to_owned());
    let proof = || ResultPage {
        name: "proved".to_owned(),
        game: game.to_owned(),
        tables: vec![Sheet::default()],
        ..ResultPage::default()
    };
    let pages = |played: &str| {
        let played = ["other", played].map(|name| PlayableGame {
            name: name.to_owned(),
            deals: Vec::new(),
        });
        let site = to_site(std::slice::from_ref(&run), [proof()], &played);
        pages_of(&site)
    };
    let link = format!("href=\"../play/{game}/\">Play</a>");
    assert_eq!(pages(game).len(), 3);
    assert!(pages(game).iter().all(|(_, page)| page.contains(&link)));
    assert!(!(pages("coins").iter()).any(|(_, page)| page.contains(&link)));
}

/// The pages of a site, without the pictures beside them.
fn pages_of(site: &[(String, String)]) -> Vec<(String, String)> {
    let pages = site.iter().filter(|(name, _)| name.ends_with(".html"));
    pages.cloned().collect()
}

#[test]
fn a_page_links_the_deal_that_it_shows_where_that_can_be_played() {
    let mut run = results();
    let (game, _) = run.config.task.split_once('/').unwrap();
    let game = game.to_owned();
    run.exhibit.as_mut().unwrap().sample = 9;
    run.config.seed = 2026;
    run.config
        .params
        .insert("rules".to_owned(), ParamValue::Text("draw-3".into()));
    let page = |rules: &str| {
        let deals = format!(
            r##"[{{ "address": "#{{seed}}.{{sample}}", "words": "Play this deal", "given": {{ "rules": ["{rules}"] }}, "usual": {{ "passes": ["1"] }} }}]"##
        );
        let played = [PlayableGame {
            name: game.clone(),
            deals: serde_json::from_str(&deals).unwrap(),
        }];
        to_site(std::slice::from_ref(&run), [], &played)[1]
            .1
            .clone()
    };
    let link = format!("href=\"../play/{game}/#2026.9\">Play this deal</a>");
    assert_eq!(page("draw-3").matches(&link).count(), 2);
    assert_eq!(page("draw-1").matches(&link).count(), 0);
}

#[test]
fn a_page_says_to_others_what_it_answers() {
    let site = to_site(&[results()], [], &[]);
    let page = &site[1].1;
    let question = super::plain(&results().config.question);
    let question = escaped(&question);
    assert!(page.contains(&format!("<title>{question} – etude</title>")));
    let description = page.split("<meta name=\"description\" content=\"").nth(1);
    assert!(description.unwrap().starts_with("50"));
    assert!(page.contains("<meta property=\"og:image\" content=\"coin.svg\">"));
    assert!(site[2].0 == "coin.svg" && site[2].1.contains("50"));
}

#[test]
fn a_page_that_states_a_result_has_the_links_of_all_others() {
    let picture = Plot {
        title: "times".to_owned(),
        caption: String::new(),
        ..Plot::default()
    };
    let stated = [vec![picture], Vec::new()].map(|pictures| ResultPage {
        pictures: pictures.into_iter().map(Picture::Plot).collect(),
        source: "seed = 7".to_owned(),
        tables: vec![Sheet::default(), Sheet::default()],
        ..ResultPage::default()
    });
    let pages = stated.map(|page| super::to_html(&[page]).unwrap());
    let pages = pages.into_iter();
    for page in pages.chain([page(1)]) {
        let links: Vec<&str> = (page.split("<p class=\"get\">").nth(1).unwrap())
            .split("</p>")
            .take(1)
            .flat_map(|links| links.split("href=\"").skip(1))
            .collect();
        assert_eq!(links.len(), 3);
        for (link, text) in links.iter().zip([">CSV", ">TOML", ">Cite"]) {
            assert!(link.contains(text), "{link}");
            let (target, _) = link.split_once('"').unwrap();
            let id = target.strip_prefix('#').map(|id| format!("id=\"{id}\""));
            assert!(
                id.is_none_or(|id| page.matches(&id).count() == 1),
                "{target}"
            );
        }
    }
}

#[test]
fn a_site_has_a_searchable_index_and_pages_that_lead_back() {
    let site = to_site(&[results()], [], &[]);
    let names: Vec<&str> = site.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["index.html", "coin.html", "coin.svg"]);
    let (index, page) = (&site[0].1, &site[1].1);
    assert!(index.contains("href=\"coin.html\"") && index.contains("type=\"search\""));
    assert!(index.contains("Is &lt;b&gt; &amp;"));
    assert!(index.contains("<h2>Coin</h2>") && index.contains("50\u{a0}%"));
    assert!(index.contains("data-verdicts=\"undecided \""));
    assert_eq!(index.matches("<script>").count(), 1);
    assert!(page.contains("href=\"index.html\""));
}

#[test]
fn an_index_says_the_number_in_its_sentence_and_begins_with_what_is_featured_and_the_game_of_most_pages()
 {
    let mut run = results();
    run.config.page = Some(PageTable {
        sentence: Some("of the throws.".to_owned()),
        ..PageTable::default()
    });
    let proof = |name: &str| ResultPage {
        name: name.to_owned(),
        game: "zebra".to_owned(),
        tables: vec![Sheet::default()],
        ..ResultPage::default()
    };
    let mut stated = [proof("one"), proof("two"), proof("three")];
    stated[2].featured = true;
    let plot = |svg: &str| Plot {
        title: String::new(),
        caption: String::new(),
        svg: svg.to_owned(),
        ..Plot::default()
    };
    stated[0].pictures = vec![Picture::Plot(plot("<svg>all of them</svg>"))];
    stated[0].card = Some(plot("<svg>short</svg>"));
    let index = &to_site(&[run], stated, &[])[0].1;
    assert!(index.contains("<small>of the throws.</small>"));
    assert!(index.contains("<svg>short</svg>") && !index.contains("all of them"));
    let titles =
        ["Start here", "Zebra", "Coin"].map(|title| index.find(&format!("<h2>{title}</h2>")));
    assert!(
        titles.iter().all(Option::is_some) && titles.is_sorted(),
        "{titles:?}"
    );
    let featured = &index[titles[0].unwrap()..titles[1].unwrap()];
    assert!(featured.contains("three.html") && !featured.contains("one.html"));
}

#[test]
fn a_section_of_an_index_begins_with_runs_and_counts_their_verdicts() {
    let proof = ResultPage {
        name: "proved".to_owned(),
        game: "coin".to_owned(),
        tables: vec![Sheet::default()],
        ..ResultPage::default()
    };
    let mut run = two_coins();
    run.claims.truncate(2);
    for (row, text) in run.claims.iter_mut().zip(["one", "other"]) {
        row.verdict = ClaimVerdict::Agrees;
        row.text = text.to_owned();
    }
    let index = &to_site(&[run], [proof], &[])[0].1;
    let places = ["coin.html", "proved.html"].map(|page| index.find(&format!("href=\"{page}\"")));
    assert!(
        places.iter().all(Option::is_some) && places.is_sorted(),
        "{places:?}"
    );
    assert!(index.contains("data-verdicts=\"agrees \""));
    assert!(index.contains("Claims: 2 agree<"));
}

#[test]
fn code_is_set_as_code_and_nothing_else_becomes_markup() {
    let set = |text: &str| prose(text).to_string();
    assert_eq!(set("`a<b>` at 5 %"), "<code>a&lt;b&gt;</code> at 5\u{a0}%");
    assert_eq!(set("one ` alone\nnext"), "one ` alone\nnext");
}

#[test]
fn steps_of_one_caption_are_one_and_say_how_many() {
    let mut run = results();
    let exhibit = run.exhibit.as_mut().unwrap();
    let captions = [
        "the deal",
        "draws",
        "draws",
        "draws",
        "moves the 4♣",
        "draws",
    ];
    let steps = captions
        .iter()
        .zip(1..)
        .map(|(caption, number)| ExhibitStep {
            number,
            caption: (*caption).to_owned(),
            board: format!("board {number}"),
            svg: None,
        });
    (exhibit.steps, exhibit.length) = (steps.collect(), 6);
    let page = to_html(std::slice::from_ref(&run)).unwrap();
    assert!(page.contains("<span class=\"step\">4</span> draws three times</figcaption>"));
    assert!(page.contains("board 4") && !page.contains("board 3"));
    assert!(page.contains("<span class=\"step\">6</span> draws</figcaption>"));
    // Between two steps that are not neighbours there may be others.
    run.exhibit.as_mut().unwrap().steps.remove(2);
    assert_eq!(
        to_html(&[run])
            .unwrap()
            .matches("</span> draws</figcaption>")
            .count(),
        3
    );
}

#[test]
fn a_card_of_an_index_draws_the_number_without_stops_of_its_own() {
    let mut run = results();
    let card = |run: &Results| {
        let site = to_site(std::slice::from_ref(run), [], &[]);
        let (_, card) = site[0].1.split_once("class=\"card\">")?;
        let card = card.split_once("</li>")?.0.to_owned();
        assert!(!card.contains("tabindex"), "{card}");
        Some(card)
    };
    assert!(card(&run).unwrap().contains("class=\"fill\""));
    let one = run.summary[0].clone();
    let cells = |count: usize| {
        let named = |number: usize| SummaryRow {
            cell: format!("coin {number}"),
            ..one.clone()
        };
        (0..count).map(named).collect::<Vec<_>>()
    };
    run.summary = cells(7);
    assert_eq!(card(&run).unwrap().matches("class=\"dot").count(), 7);
    run.summary = cells(8);
    assert_eq!(card(&run).unwrap().matches("class=\"bar\"").count(), 8);
    run.summary.truncate(1);
    run.summary[0].estimate.n = 1;
    assert_eq!(card(&run), None);
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
    let image = |class: &str| {
        let images = page
            .split(&format!("<img class=\"{class}\""))
            .nth(1)
            .unwrap();
        images[..images.find('>').unwrap()].contains("%3EQ%3C%2Ftext%3E")
    };
    assert!(page.contains(switch) && image("board down") && !image("board"));
    assert!(
        page.contains("<li data-seen=\"0 0 0 1 2\" data-hidden=\"0 0 0 3 4 2\">"),
        "{page}"
    );
    assert!(page.contains(".down { visibility: var(--down, hidden);"));
    assert!(!page.contains("comes to light"));
    let steps = &mut run.exhibit.as_mut().unwrap().steps;
    steps.push(ExhibitStep {
        caption: "turns the Q".to_owned(),
        svg: Some(card("")),
        ..steps[0].clone()
    });
    steps.push(ExhibitStep {
        caption: "takes the Q".to_owned(),
        ..steps[1].clone()
    });
    let page = to_html(&[run.clone()]).unwrap();
    assert!(page.contains("turns the Q<strong>: the last face-down card comes to light</strong>"));
    assert_eq!(page.matches("comes to light").count(), 1);
    run.exhibit.as_mut().unwrap().steps.remove(0);
    assert!(!to_html(&[run]).unwrap().contains("face-down"));
}

#[test]
fn cells_after_the_first_that_a_page_asks_for_stand_behind_them() {
    let mut run = results();
    let one = run.summary[0].clone();
    let cell = |number: usize| SummaryRow {
        cell: format!("coin {number}"),
        ..one.clone()
    };
    run.summary = (0..4).map(cell).collect();
    run.config.page = Some(PageTable {
        rows: NonZeroUsize::new(3),
        ..PageTable::default()
    });
    let page = to_html(&[run.clone()]).unwrap();
    assert!(page.contains("> coin 0 to coin 2</label>") && page.contains("> coin 3</label>"));
    run.config.page.as_mut().unwrap().rows = NonZeroUsize::new(4);
    assert!(!to_html(&[run]).unwrap().contains("coin 0 to"));
}

/// 473 boards as small as those of a long game, and as many that are too large for a page.
#[test]
fn a_page_shows_every_step_unless_it_grew_too_large() {
    let told = |board: usize| {
        let mut run = results();
        let exhibit = run.exhibit.as_mut().unwrap();
        let step = |number| ExhibitStep {
            number,
            caption: format!("hens: f4-e4 {number}"),
            board: "h".repeat(board),
            svg: None,
        };
        exhibit.steps = (1..=473).map(step).collect();
        exhibit.length = 473;
        to_html(&[run]).unwrap()
    };
    let small = told(150);
    assert_eq!(small.matches("</span> hens: f4-e4").count(), 473);
    assert!(!small.contains("not shown"));
    let large = told(2_000);
    assert!(large.len() < 400_000, "{}", large.len());
    let shown = large.matches("</span> hens: f4-e4").count();
    assert!((50..473).contains(&shown));
    assert!(large.contains(&format!("{} of 473 steps are not shown.", 473 - shown)));
    for end in [1, 473] {
        assert!(large.contains(&format!("<span class=\"step\">{end}</span>")));
    }
}

/// 473 boards of 33 cells, in each of which one piece stands elsewhere.
#[test]
fn a_page_of_a_long_game_has_one_board_and_what_changes() {
    let mut run = results();
    let exhibit = run.exhibit.as_mut().unwrap();
    let cell = |number: usize, piece: usize| {
        let mark = if number == piece {
            "#b5361e"
        } else {
            "#f4f1e6"
        };
        format!(
            "<rect x=\"{number}\" y=\"240\" width=\"40\" height=\"40\" fill=\"{mark}\" stroke=\"#777\"/>\n"
        )
    };
    let step = |number: usize| ExhibitStep {
        number,
        caption: format!("hens: f4-e4 {number}"),
        board: "h".repeat(150),
        svg: Some(format!(
            "<svg viewBox=\"0 0 320 350\">{}</svg>",
            (0..33).map(|at| cell(at, number % 33)).collect::<String>()
        )),
    };
    (exhibit.steps, exhibit.length) = ((1..=473).map(step).collect(), 473);
    let page = to_html(&[run]).unwrap();
    assert!(page.len() < 400_000, "{}", page.len());
    assert_eq!(page.matches("src=\"data:image").count(), 1);
    assert_eq!(page.matches("<li data-seen=").count(), 473);
}

#[test]
fn without_a_page_the_number_has_the_answers_first_sentence_or_is_the_range_over_the_cells() {
    let top = |results: &Results| {
        let page = to_html(std::slice::from_ref(results)).unwrap();
        let (_, after) = page.split_once("class=\"headline\"").unwrap();
        after.split_once("<figure").unwrap().0.to_owned()
    };
    let mut results = two_coins();
    results.config.page = None;
    results.config.answer = Some("{coin=bent,hand=left:heads} fall. The others lie.".into());
    let told = top(&results);
    assert!(
        told.contains(" fall.") && !told.contains("The others"),
        "{told}"
    );
    results.config.answer = None;
    results.summary[2].estimate.value = Some(0.9);
    let told = top(&results);
    assert!(
        told.contains(" to 90") && told.contains("over 4 cells"),
        "{told}"
    );
}
