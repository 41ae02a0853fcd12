//! Every parser of text that others wrote, with what must hold of anything it accepts. The fuzz
//! targets call these on what a fuzzer makes up, the tests on the corpus that it left.

use std::path::Path;
use std::sync::LazyLock;

use etude::GAMES;

use etude::input::InputFile;
use experiment::{Experiment, Overrides};
use klondike::deal::Deal;
use klondike::layout::Layout;
use lab::store::laws::FileLaws;
use lab::store::{Manifest, fingerprint_files};
use report::{Results, TextStyle, to_text};
use riddle::clues::Clues;
use task::Metric;

/// A parser that must accept or refuse any bytes, and never panic.
#[allow(dead_code, reason = "a fuzz target names its function instead")]
pub struct Parser {
    /// The name of the fuzz target and of its corpus.
    pub name: &'static str,
    /// Parses, checks what was accepted, and returns whether anything was.
    pub check: fn(&[u8]) -> bool,
}

/// The list of all parsers.
#[allow(dead_code, reason = "a fuzz target names its function instead")]
pub const PARSERS: &[Parser] = &[
    Parser {
        name: "answer",
        check: answer,
    },
    Parser {
        name: "config",
        check: config,
    },
    Parser {
        name: "deal",
        check: deal,
    },
    Parser {
        name: "layout",
        check: layout,
    },
    Parser {
        name: "journal",
        check: journal,
    },
    Parser {
        name: "tally",
        check: tally,
    },
    Parser {
        name: "samples",
        check: samples,
    },
    Parser {
        name: "solitaire",
        check: solitaire,
    },
    Parser {
        name: "tables",
        check: tables,
    },
    Parser {
        name: "clues",
        check: clues,
    },
    Parser {
        name: "deals",
        check: deals,
    },
    Parser {
        name: "riddles",
        check: riddles,
    },
    Parser {
        name: "pegs",
        check: pegs,
    },
    Parser {
        name: "position",
        check: position,
    },
    Parser {
        name: "record",
        check: record,
    },
    Parser {
        name: "ugi",
        check: ugi,
    },
];

/// Checks the answer of a simulation in another program: rows of the declared width, or an error.
pub fn answer(bytes: &[u8]) -> bool {
    let columns = [
        Metric::number("wait", "min", 3, ""),
        Metric::flag("lost", ""),
        Metric::ratio("share", "", ""),
        Metric::weight("weight", "", ""),
        Metric::total("nodes", "", ""),
    ];
    programs::laws::check_answer(bytes, &columns).expect("a law holds")
}

/// Checks the lines of an engine and a referee: any line is answered or passed over.
pub fn ugi(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let mut engine = etude::foxes::ugi::UgiPlayer::new("random").expect("a built-in player");
    let mut is_heard = false;
    for line in text.lines().take(50) {
        is_heard |= programs::laws::check_engine_line(line).expect("a law holds");
        let Some(said) = engine.answer(line) else {
            break;
        };
        assert!(said.iter().all(|line| !line.contains('\n')));
        is_heard |= !said.is_empty();
    }
    is_heard
}

/// Checks that an accepted experiment resolves to a file that means the same.
pub fn config(bytes: &[u8]) -> bool {
    let parse = |text: &str| Experiment::parse(text, "fuzzed.toml", GAMES, &Overrides::default());
    match std::str::from_utf8(bytes).map(parse) {
        Ok(Ok(experiment)) => {
            let resolved = experiment.resolved_toml();
            let again = parse(&resolved).expect("what was resolved is accepted");
            assert_eq!(again.resolved_toml(), resolved);
            assert_eq!(again.fingerprint(), experiment.fingerprint());
            true
        }
        Ok(Err(error)) => {
            assert!(!error.render(false).is_empty());
            false
        }
        Err(_) => false,
    }
}

/// Checks that an accepted deal is written as it is read, of whole decks and cut-down ones, and in
/// the forms of other programs.
pub fn solitaire(bytes: &[u8]) -> bool {
    use solitaire::{deal::Deal, elsewhere, rules::DeckShape};
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let small = DeckShape::new(2, 1, 5).expect("five hearts");
    let mut is_deal = false;
    for deck in [DeckShape::FULL, small] {
        if let Ok(deal) = Deal::read(deck, text) {
            assert_eq!(Deal::read(deck, &deal.to_string()), Ok(deal));
            is_deal = true;
        }
    }
    if let Some(Ok(deal)) = elsewhere::read(text) {
        is_deal = true;
        for form in elsewhere::FORMS {
            let written = elsewhere::write(&deal, form).expect("a whole deck has every form");
            assert_eq!(elsewhere::read(&written), Some(Ok(deal.clone())));
        }
    }
    is_deal
}

/// Checks that the deals of a file make a file of as many, one a line.
pub fn deals(bytes: &[u8]) -> bool {
    use cards::tabletop::Dealer;
    use etude::cards::deals::read;
    use solitaire::rules::Rules;
    let Some(file) = file(bytes) else {
        return false;
    };
    let deal_of = |text: &str| {
        let table = Rules::DRAW_3.read(text).ok()?;
        Rules::DRAW_3.lay_out(&table).ok()?.deal
    };
    let texts = |file: &InputFile| read(file, |line| deal_of(line).is_some());
    let found = texts(&file).unwrap_or_default();
    let found: Vec<_> = found.iter().filter_map(|(_, text)| deal_of(text)).collect();
    let lines: Vec<String> = found.iter().map(ToString::to_string).collect();
    if let Some(again) = self::file(lines.join("\n").as_bytes()).filter(|_| !lines.is_empty()) {
        let again = texts(&again).expect("written deals are accepted");
        assert!(again.iter().map(|(_, text)| text).eq(&lines));
    }
    !lines.is_empty()
}

/// Checks that the riddles of a file are read back from their ids.
pub fn riddles(bytes: &[u8]) -> bool {
    use etude::riddle::written::WrittenRiddle;
    use riddle::maker::id;
    use riddle::rules::Rule;
    let Some(Ok(found)) = file(bytes).map(|file| WrittenRiddle::read_file(&file, None)) else {
        return false;
    };
    for riddle in &found {
        let id = id(
            &riddle.variant.army(),
            riddle.rule.unwrap_or(Rule::USUAL),
            &riddle.clues,
        );
        let again = WrittenRiddle::read("", &id, None).expect("a written riddle is accepted");
        assert_eq!((again.variant, again.clues), (riddle.variant, riddle.clues));
    }
    !found.is_empty()
}

/// A file of these bytes, if they are text.
fn file(bytes: &[u8]) -> Option<InputFile> {
    let text = std::str::from_utf8(bytes).ok()?.to_owned();
    let path = "fuzzed".to_owned();
    Some(InputFile { path, text })
}

/// Checks that an accepted deal is written as it is read.
pub fn deal(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    let Some(deal) = text.and_then(|text| text.parse::<Deal>().ok()) else {
        return false;
    };
    let again: Deal = deal
        .to_string()
        .parse()
        .expect("a written deal is accepted");
    assert_eq!(again.to_string(), deal.to_string());
    true
}

/// A layout holds the whole pack, whatever was written.
pub fn layout(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.parse::<Layout>().is_ok())
}

/// Clues of a riddle on the largest boards.
pub fn clues(bytes: &[u8]) -> bool {
    let mut are_clues = false;
    for board in [
        riddle::board::Chessboard::new(8, 8),
        riddle::board::Chessboard::new(9, 10),
    ] {
        if let Ok(Ok(clues)) = std::str::from_utf8(bytes).map(|text| Clues::parse(board, text)) {
            assert_eq!(Clues::parse(board, &clues.write(board)), Ok(clues));
            are_clues = true;
        }
    }
    are_clues
}

/// A peg problem: its board, its start and its end, a line each.
pub fn pegs(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let mut lines = text.split('\n');
    let mut line = || lines.next().unwrap_or_default();
    let (board, start, end) = (line(), line(), line());
    let is_problem =
        |diagonal| pegs::problem::parse("fuzzed", board, (start, end), diagonal).is_ok();
    [false, true].map(is_problem).contains(&true)
}

/// Checks that an accepted position is written as it is read, and that its moves can be listed and
/// read.
pub fn position(bytes: &[u8]) -> bool {
    let rules = &foxes::rules::Rules::ARSAC;
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let is_move = foxes::typed::read_move(text, rules, &rules.start()).is_ok();
    let Ok(position) = foxes::notation::read_position(text, rules.board) else {
        return is_move;
    };
    let written = foxes::notation::write_position(&position, rules.board);
    let again = foxes::notation::read_position(&written, rules.board);
    assert!(again.is_ok_and(|again| again == position), "{written}");
    rules.moves(&position, &mut Vec::new());
    true
}

/// Checks that an accepted match record is written as it is read.
pub fn record(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return false;
    };
    let Ok(record) = foxes::record::MatchRecord::read(text) else {
        return false;
    };
    let written = record.write();
    let again = foxes::record::MatchRecord::read(&written);
    assert!(
        again.is_ok_and(|again| again.write() == written),
        "{written}"
    );
    true
}

/// The laws of a journal.
pub fn journal(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a folder for the file");
    LAWS.check_journal(bytes, folder.path())
        .expect("a law holds")
}

/// The laws of a tally.
pub fn tally(bytes: &[u8]) -> bool {
    LAWS.check_tally(bytes).expect("a law holds")
}

/// A file of samples, read block by block.
pub fn samples(bytes: &[u8]) -> bool {
    let folder = tempfile::tempdir().expect("a folder for the file");
    LAWS.check_samples(bytes, folder.path())
        .expect("a law holds")
}

/// A table of a folder, read and shown, beside the summary of a run; it is accepted if it has rows.
pub fn tables(bytes: &[u8]) -> bool {
    const SUMMARY: &[u8] = include_bytes!("../../fuzz/corpus/tables/summary");
    let config = EXPERIMENT.resolved_toml();
    let is_shown = |name: &str| {
        let folder = tempfile::tempdir().expect("a folder for the files");
        let write = |name: &str, bytes: &[u8]| {
            std::fs::write(folder.path().join(name), bytes).expect("the file is written");
        };
        write("config.toml", config.as_bytes());
        write("summary.csv", SUMMARY);
        write(name, bytes);
        let files = fingerprint_files(folder.path()).expect("the files are read");
        let manifest = Manifest {
            experiment: EXPERIMENT.name().to_owned(),
            config_hash: files["config.toml"].clone(),
            fingerprint: EXPERIMENT.fingerprint(),
            samples_done: EXPERIMENT.stop.max_samples,
            samples_planned: EXPERIMENT.stop.max_samples,
            files,
            etude_version: task::Application::LABORATORY.into(),
            ..Manifest::default()
        };
        write("manifest.json", &manifest.to_json());
        let Ok(results) = Results::read(Path::new(folder.path())) else {
            return false;
        };
        assert!(!to_text(&results, TextStyle::default()).is_empty());
        true
    };
    let shown = ["summary.csv", "claims.csv", "pairs.csv"].map(is_shown);
    // A line of names alone is a table, too, and reaches no value.
    let lines = bytes.iter().filter(|&&byte| byte == b'\n').count();
    lines > 1 && shown.contains(&true)
}

/// The experiment that journals, samples and tables are read for. Of its run, archived too, are the sound files of the
/// corpus: a form that changes needs them anew.
pub const CONFIG: &str = r#"
question = "How many cards?"
task = "klondike/score"
seed = 8
[stop]
samples = 40
[sweep]
strategy = ["greedy", "random"]
[output]
samples = true
"#;

static EXPERIMENT: LazyLock<Experiment> = LazyLock::new(|| {
    Experiment::parse(CONFIG, "corpus.toml", GAMES, &Overrides::default())
        .expect("the experiment is sound")
});

static LAWS: LazyLock<FileLaws> =
    LazyLock::new(|| FileLaws::of(&EXPERIMENT).expect("its task can be built"));
