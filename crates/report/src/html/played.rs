//! Games that have a page beside a site to play them in, and the links to these pages.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::results::Results;

/// A game that can be played beside a site, at `../play/NAME/`.
#[derive(Clone, Debug, Default)]
pub struct PlayedGame {
    /// The name of the game and its folder.
    pub name: String,
    /// The samples of experiments that its page can deal.
    pub deals: Vec<PlayedDeal>,
}

/// Samples of experiments that a page can deal, an entry of its `deals.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct PlayedDeal {
    /// The address within the page, with `{seed}` and `{sample}` in their places.
    address: String,
    /// The values of the parameters with which it deals them; a run may lack some of these parameters.
    parameters: BTreeMap<String, Vec<String>>,
}

/// The sample that a page shows step by step, as an experiment draws it.
#[derive(Clone, Debug, Default)]
pub struct ShownSample {
    seed: u64,
    sample: u64,
    noun: String,
    parameters: BTreeMap<String, String>,
}

/// A link to a page in which a game is played.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct PlayLink {
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
            noun: results.manifest.noun.clone(),
            parameters: fixed.chain(axes.zip(values.iter().cloned())).collect(),
        })
    }
}

impl PlayedDeal {
    /// The address of a sample within the page, if it deals that.
    fn address(&self, shown: &ShownSample) -> Option<String> {
        let mut named = self.parameters.iter().filter_map(|(name, values)| {
            let value = shown.parameters.get(name)?;
            Some(values.contains(value))
        });
        // A run with none of these parameters draws something else.
        if !named.next()? || !named.all(|is_dealt| is_dealt) {
            return None;
        }
        let address = self.address.replace("{seed}", &shown.seed.to_string());
        Some(address.replace("{sample}", &shown.sample.to_string()))
    }
}

impl PlayLink {
    /// The link from a page on a game to where it is played: to the sample that the page shows, if that can be dealt.
    pub(super) fn of(
        played: &[PlayedGame],
        game: &str,
        shown: Option<&ShownSample>,
    ) -> Option<Self> {
        let own = played.iter().find(|one| one.name == game)?;
        let dealt = shown.and_then(|shown| {
            let address = own.deals.iter().find_map(|deal| deal.address(shown))?;
            Some((address, format!("Play this {}", shown.noun)))
        });
        let (address, text) = dealt.unwrap_or_else(|| (String::new(), "Play".to_owned()));
        let href = format!("../play/{game}/{address}");
        Some(Self { href, text })
    }
}
