//! Riddle chess as random experiments.
//!
//! The tasks share the parameters that choose a variant, a rule and a sampler, and the
//! generator built from them. Knows the engines of this folder and the task contract only.

mod bias;
mod clues;
mod generate;
mod unique;

pub use bias::BIAS;
pub use clues::CLUES;
pub use generate::GENERATE;
pub use unique::UNIQUE;

use riddle::army::{Army, Placement};
use riddle::census::Census;
use riddle::clues::Clues;
use riddle::picture;
use riddle::rules::{Referee, Rule};
use riddle::sampler::{ConflictAlgorithm, Generator, Sampler};
use riddle::variants::Variant;
use std::str::FromStr;
use strum::VariantNames;

use base::count;
use task::{Frame, ParamError, ParamSpec, Params};

/// The stream of the draws of placements; shared by all tasks, so that they meet the same riddles.
const PLACEMENT: &str = "placement";

const VARIANT: ParamSpec = ParamSpec::choice(
    "variant",
    Variant::VARIANTS,
    "The chess variant, with its pieces and board.",
)
.or_text("chess");

const RULE: ParamSpec = ParamSpec::choice("rule", Rule::VARIANTS, "Which placements are accepted.")
    .or_text("non-attacking");

const SAMPLER: ParamSpec = ParamSpec::choice(
    "sampler",
    Sampler::VARIANTS,
    "Whether a conflict keeps the first piece (`seed`: the book's program) or nothing (`uniform`).",
)
.or_text("uniform");

const ALGORITHM: ParamSpec = ParamSpec::choice(
    "algorithm",
    ConflictAlgorithm::VARIANTS,
    "Whether conflicts are found in the difference table or in bitboards.",
)
.or_text("bitboard");

const MARKED: ParamSpec = ParamSpec::flag(
    "marked",
    "Whether occupied cells are marked with a star, which hides their threats.",
)
.or_flag(false);

/// The parameter's value, parsed from its word.
fn choice<T: FromStr>(params: &Params, spec: &ParamSpec) -> Result<T, ParamError> {
    let word = params.text(&spec.name)?;
    word.parse().map_err(|_| {
        ParamError::new(
            &spec.name,
            format!("there is no {} `{word}`", spec.name),
            "see `etude list tasks` for the words it takes",
        )
    })
}

/// The referee of the parameters `variant` and `rule`.
fn referee(params: &Params) -> Result<Referee, ParamError> {
    let variant = choice::<Variant>(params, &VARIANT)?;
    Ok(Referee::new(variant.army(), choice::<Rule>(params, &RULE)?))
}

/// The exact census of a referee; none where every placement is accepted, which is known to end
/// and costs too much to count.
fn census(referee: &Referee) -> Option<Census> {
    (referee.rule() != Rule::Any).then(|| Census::new(referee))
}

/// A count for people, in groups of three digits from five on.
fn grouped(number: u64) -> String {
    if number < 10_000 {
        number.to_string()
    } else {
        count(number)
    }
}

/// The source of a truth that a census tells.
fn counted_by(census: &Census) -> String {
    format!(
        "an exact census of {} placements",
        grouped(census.placements())
    )
}

/// The story of a riddle: the clues, and the pieces that they are about.
fn frames(
    army: &Army,
    clues: &Clues,
    placement: &Placement,
    captions: [&'static str; 2],
) -> Vec<Frame> {
    let drawn = |answer| picture::svg(army, clues, answer);
    let [shown, pieces] = captions;
    vec![
        Frame::text(shown, picture::clues(army, clues)).with_svg(drawn(None)),
        Frame::text(pieces, picture::placement(army, placement)).with_svg(drawn(Some(placement))),
    ]
}

/// The uniform generator of the parameters `variant` and `rule`, with the census where there is one.
fn uniform(params: &Params) -> Result<(Generator, Option<Census>), ParamError> {
    let referee = referee(params)?;
    let census = census(&referee);
    let (sampler, algorithm) = (Sampler::Uniform, ConflictAlgorithm::Bitboard);
    let generator = generator(referee, census.as_ref(), sampler, algorithm)?;
    Ok((generator, census))
}

/// A generator that is known to end.
fn generator(
    referee: Referee,
    census: Option<&Census>,
    sampler: Sampler,
    algorithm: ConflictAlgorithm,
) -> Result<Generator, ParamError> {
    let rule = referee.rule();
    let name = rule.as_ref();
    if census.is_some_and(|census| !census.is_completable(sampler)) {
        return Err(ParamError::new(
            &RULE.name,
            format!("rule `{name}` leaves some first cell without any placement"),
            "choose another rule, or the uniform sampler",
        ));
    }
    Generator::new(referee, sampler, algorithm).ok_or_else(|| {
        ParamError::new(
            &ALGORITHM.name,
            format!("rule `{name}` is no table of differences"),
            "with algorithm `table` choose rule `table`, `table-published` or `universal`",
        )
    })
}
