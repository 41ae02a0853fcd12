//! Games that have a page beside a site to play them in, and the links to these pages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::plot::escaped;
use crate::results::Results;

/// A game that can be played beside a site, at `../play/NAME/`.
#[derive(Clone, Debug, Default)]
pub struct PlayableGame {
    /// The name of the game and its folder.
    pub name: String,
    /// The samples of experiments that its page can deal.
    pub deals: Vec<PlayableDeal>,
}

/// Samples of experiments that a page can deal, an entry of its `deals.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct PlayableDeal {
    /// The address within the page, with `{seed}` and `{sample}` in their places.
    address: String,
    /// The words of a link to it.
    words: String,
    /// The values of the parameters with which it deals them.
    given: BTreeMap<String, Vec<String>>,
    /// Those of parameters that a run may lack.
    usual: BTreeMap<String, Vec<String>>,
}

/// The sample that a page shows step by step, as an experiment draws it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownSample {
    seed: u64,
    sample: u64,
    parameters: BTreeMap<String, String>,
}

/// A link to a page in which a game is played.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlayLink {
    /// The address, escaped for a page.
    href: String,
    text: String,
}

impl ShownSample {
    /// The sample of a run's exhibit.
    pub(crate) fn of(results: &Results) -> Option<Self> {
        let exhibit = results.exhibit.as_ref()?;
        let fixed = results.config.params.iter();
        let fixed = fixed.map(|(name, value)| (name.clone(), value.to_string()));
        let values = results.sweep.values(&exhibit.cell).unwrap_or_default();
        let axes = results.sweep.axes.iter().map(|axis| axis.name.clone());
        Some(Self {
            seed: results.config.seed,
            sample: exhibit.sample,
            parameters: fixed.chain(axes.zip(values.iter().cloned())).collect(),
        })
    }
}

impl PlayableDeal {
    /// The address of a sample within the page, if it deals that.
    fn address(&self, shown: &ShownSample) -> Option<String> {
        let fits = |(name, values): (&String, &Vec<String>), lacks| {
            let value = shown.parameters.get(name);
            value.map_or(lacks, |value| values.contains(value))
        };
        let is_dealt = self.given.iter().all(|one| fits(one, false))
            && self.usual.iter().all(|one| fits(one, true));
        let seed = shown.seed.to_string();
        let sample = shown.sample.to_string();
        let address = self.address.replace("{seed}", &seed);
        is_dealt.then(|| address.replace("{sample}", &sample))
    }
}

impl PlayLink {
    /// The link from a page on a game to where it is played: to the sample that the page shows, if that can be dealt.
    pub(super) fn of(
        played: &[PlayableGame],
        game: &str,
        shown: Option<&ShownSample>,
    ) -> Option<Self> {
        let own = played.iter().find(|one| one.name == game)?;
        let dealt = shown.and_then(|shown| {
            let mut deals = own.deals.iter();
            deals.find_map(|deal| Some((deal.address(shown)?, deal.words.clone())))
        });
        let (address, text) = dealt.unwrap_or_else(|| (String::new(), "Play".to_owned()));
        let href = escaped(&format!("../play/{game}/{address}"));
        Some(Self { href, text })
    }
}
