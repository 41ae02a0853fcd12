//! Run folders as one self-contained page: no scripts, no fonts, no network.
//!
//! `sections` says what is shown of a run, `plots` which pictures; the template puts them in
//! order. Everything from files is escaped, and boards are embedded as images, in which no script
//! runs. Accessible as WCAG 2.2 asks at level AA (<https://www.w3.org/TR/WCAG22/>).

mod gallery;
mod section;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};

use super::results::Results;
use section::Section;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");

/// A page with a section for each run; with several, an index comes first.
pub fn to_html(runs: &[Results]) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    let sections: Vec<Section> = runs.iter().zip(1..).map(Section::of).collect();
    let title = match &sections[..] {
        [one] => one.name.clone(),
        many => format!("{} experiments", many.len()),
    };
    let sections = Value::from(Serde(&sections));
    environment.render_str(TEMPLATE, context! { style => STYLE, title, sections })
}

#[cfg(test)]
mod tests;
