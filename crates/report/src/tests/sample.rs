//! A run folder written by hand, for the tests of reports.

use std::path::Path;

use super::Results;
use lab::store::{Manifest, fingerprint_files};
use task::Application;

const CONFIG: &str = r#"
name = "coin"
question = "Is <b> & \"quoted\"?"
task = "coin/flip"
seed = 7
answer = "Heads come in {heads}."
analysis = "One.\n\n<script>alert(1)</script>"
[stop]
samples = 100
"#;
const SUMMARY: &str = "\
experiment,cell,p,metric,unit,n,n_unresolved,mean,mean_lo,mean_hi,sd,mcse,ci_lo,ci_hi,ci_level,\
ci_method,valid_under,stop_reason
coin,all,0.5,heads,,100,0,0.5,0.5,0.5,,,0.4,0.6,0.95,clopper-pearson,fixed-n,
coin,all,0.5,run,flips,100,3,,0.9,1.1,,,,,,,,
coin,all,0.5,tree,nodes,100,0,80.5,80.5,80.5,,,,,,untrusted,,
";
const WEIGHTS: &str =
    "cell,metric,unit,n,effective_n,largest_share,spread_share,trusted,log10_mean,at_least,at_least_level
all,tree,nodes,100,1.5,0.81,0.99,false,1.90579588037,4.025,0.95
";
const HISTOGRAMS: &str = "cell,metric,value,count,unresolved_from,unresolved_to
all,run,0,50,3,0
all,run,1,25,0,0
all,run,2,22,0,3
";
const CLAIMS: &str = "\
experiment,claim,source,text,holds,cell,unit,n,n_unresolved,mean,mean_lo,mean_hi,sd,mcse,ci_lo,\
ci_hi,ci_level,ci_method,valid_under,verdict,note
coin,1,folklore,A coin is fair.,heads.mean >= 0.5,all,,100,0,0.5,,,,,0.4,0.6,0.95,student-t,fixed-n,\
undecided,
";
const RATINGS: &str = "player,side,group,elo,elo_lo,elo_hi
weak,,,-100,-120,-80
strong,,,100,80,120
";
const TRUTHS: &str = "\
cell,metric,unit,n,n_unresolved,mean,mean_lo,mean_hi,sd,mcse,ci_lo,ci_hi,ci_level,ci_method,\
valid_under,truth,covered,source
all,heads,,100,0,0.5,,,,,0.4,0.6,0.95,student-t,fixed-n,0.5,true,its parameter
all,run,flips,100,0,0.9,,,,,0.8,0.95,0.95,student-t,fixed-n,1,false,its parameter
all,weight,,100,0,0.5,,,,,,,,,,0.5,,its parameter
";
const ELO: &str = "cell,metric,n,elo,elo_lo,elo_hi,nelo,ci_level
all,points,100,12.34,-3,27.5,15,
all,lost,100,,,-512,,
";
const EXHIBIT: &str = r##"{"cell": "all", "sample": 0, "instance": "H<T", "length": 1, "outcome": "Fell.", "rules": "Toss a coin.\nHeads wins.",
"steps": [{"number": 1, "caption": "flip", "board": "", "svg": "<svg onload='alert(1)'/>"}]}"##;

/// The results of a coin.
pub(super) fn results() -> Results {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    Results::read(folder.path()).unwrap()
}

fn write(folder: &Path) {
    for (name, text) in [
        ("config.toml", CONFIG),
        ("summary.csv", SUMMARY),
        ("histograms.csv", HISTOGRAMS),
        ("claims.csv", CLAIMS),
        ("ratings.csv", RATINGS),
        ("truths.csv", TRUTHS),
        ("elo.csv", ELO),
        ("weights.csv", WEIGHTS),
        ("exhibit.json", EXHIBIT),
    ] {
        std::fs::write(folder.join(name), text).unwrap();
    }
    let files = fingerprint_files(folder).unwrap();
    let manifest = Manifest {
        experiment: "coin".into(),
        etude_version: Application::LABORATORY.into(),
        config_hash: files["config.toml"].clone(),
        noun: "sample".into(),
        samples_done: 100,
        samples_planned: 100,
        files,
        ..Manifest::default()
    };
    std::fs::write(folder.join("manifest.json"), manifest.to_json()).unwrap();
}
