//! What every page holds, of a folder written by hand.

use std::path::Path;

use super::*;

const CONFIG: &str = r#"
question = "Is <b> & \"quoted\"?"
task = "coin/flip"
seed = 7
answer = "Heads come in {heads}."
analysis = "One.\n\n<script>alert(1)</script>"
"#;
const SUMMARY: &str = "experiment,cell,p,metric,unit,n,n_unresolved,mean,mean_lo,mean_hi,sd,mcse,ci_lo,ci_hi,ci_level,ci_method,valid_under,stop_reason
coin,all,0.5,heads,,100,0,0.5,0.5,0.5,0.5,0.05,0.4,0.6,0.95,wilson,fixed-n,samples
coin,all,0.5,run,flips,100,3,,0.9,1.1,1,0.1,0.7,1.3,0.95,student-t,fixed-n,samples
";
const HISTOGRAMS: &str = "experiment,cell,metric,value,count,unresolved_from,unresolved_to
coin,all,run,0,50,3,0
coin,all,run,1,25,0,0
coin,all,run,2,22,0,3
";
const CLAIMS: &str = "experiment,claim,source,text,holds,cell,unit,n,n_unresolved,mean,ci_lo,ci_hi,ci_level,ci_method,verdict,note
coin,1,folklore,A coin is fair.,heads.mean >= 0.5,all,,100,0,0.5,0.4,0.6,0.95,wilson,undecided,
";
const EXHIBIT: &str = r##"{"cell": "all", "sample": 0, "instance": "H<T", "length": 1, "outcome": "Fell.",
"steps": [{"number": 1, "caption": "flip", "board": "", "svg": "<svg onload='alert(1)'/>"}]}"##;

fn write(folder: &Path) {
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let manifest = crate::output::Manifest {
        experiment: "coin".into(),
        ..Default::default()
    };
    write("config.toml", CONFIG);
    write("summary.csv", SUMMARY);
    write("histograms.csv", HISTOGRAMS);
    write("claims.csv", CLAIMS);
    write("exhibit.json", EXHIBIT);
    std::fs::write(folder.join("manifest.json"), manifest.to_json()).unwrap();
}

fn page(runs: usize) -> String {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    let results = Results::read(folder.path()).unwrap();
    to_html(&vec![results; runs]).unwrap()
}

#[test]
fn a_page_holds_question_answer_claims_figures_plots_and_provenance() {
    let page = page(1);
    for part in [
        "Heads come in 50 % (40 to 60 %).",
        "A coin is fair.",
        "undecided",
        "between 0.90 and 1.10 flips",
        "100 (3 unresolved)",
        "<svg",
        "Hollow: unresolved",
        "etude verify",
        "<title>coin – etude</title>",
    ] {
        assert!(page.contains(part), "{part} is not in\n{page}");
    }
    assert_eq!(page.matches("<h1").count(), 1);
}

#[test]
fn nothing_in_a_file_becomes_markup() {
    let page = page(1);
    assert!(page.contains("Is &lt;b&gt; &amp; &quot;quoted&quot;?"));
    assert!(!page.contains("<script"));
    assert!(!page.contains("onload='"));
    assert!(page.contains("data:image/svg+xml,%3Csvg onload="));
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
