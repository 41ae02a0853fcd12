//! Run folders as self-contained pages: no fonts, no network. A page is whole without its script,
//! which sorts tables, steps through a game and shows values under a pointer.
//!
//! `run` says what is shown of a run, `gallery` which pictures; the templates put them in order. Everything
//! from files is escaped, and boards are embedded as images, in which no script runs. Accessible as WCAG 2.2 asks at level AA (<https://www.w3.org/TR/WCAG22/>).

mod boards;
mod citation;
mod claims;
mod exhibit;
mod figure_file;
mod gallery;
mod index;
mod matrix;
mod page;
mod played;
mod run;
mod share;
mod story;
mod top;

use std::collections::BTreeSet;
use std::iter;

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, Value, context};

use crate::format::typeset;
use crate::plot::escaped;
use crate::verdicts::tally;
use base::visible;
use boards::address;
use figures::capitalized;
use played::PlayLink;

pub(crate) use citation::Citation;
pub(crate) use claims::{ClaimCard, track};
pub(crate) use exhibit::Shown;
pub use figure_file::PageFigure;
pub(crate) use gallery::Picture;
pub use page::ResultPage;
pub use played::{PlayableDeal, PlayableGame};
pub(crate) use run::cited;

/// The templates, by the names with which they refer to each other.
const TEMPLATES: [(&str, &str); 3] = [
    ("parts.html", include_str!("parts.html")),
    ("page.html", include_str!("page.html")),
    ("index.html", include_str!("index.html")),
];
const STYLE: &str = include_str!("style.css");

/// A page with a section for each of these results; with several, an index comes first.
///
/// # Errors
/// If a template cannot be filled, which no results should cause.
pub fn to_html(pages: &[ResultPage]) -> Result<String, minijinja::Error> {
    page(&environment(Vec::new(), &[]), pages, &Site::default())
}

/// The name of a site's index.
const INDEX: &str = "index.html";

/// The files of a site by their names: a searchable index first, then each page, named after it. Links are
/// relative, so that the pages work from a disk as from a server. A page that another one's prose names is
/// linked, and so are the pages of the games that can be played beside the site. A page and its picture, for those who
/// share it, have one name.
///
/// # Errors
/// If a template cannot be filled, which no results should cause.
pub fn to_site(
    mut pages: Vec<ResultPage>,
    played: &[PlayableGame],
) -> Result<Vec<(String, String)>, minijinja::Error> {
    name_apart(&mut pages);
    let pages = &pages;
    let names = pages.iter().map(|page| page.name.clone());
    let games: Vec<String> = played.iter().map(|game| game.name.clone()).collect();
    let environment = environment(names.filter(|name| name.contains('-')).collect(), &games);
    let mut files = vec![(INDEX.to_owned(), index::index(&environment, pages)?)];
    for one in pages {
        let image = format!("{}.svg", one.name);
        let site = Site {
            home: Some(INDEX),
            play: PlayLink::of(played, &one.game, one.shown.as_ref()),
            image: Some(&image),
        };
        let text = page(&environment, std::slice::from_ref(one), &site)?;
        files.push((format!("{}.html", one.name), text));
        files.push((image, share::picture(one)));
    }
    Ok(files)
}

/// Gives each page a name that no other file of the site has, wherever capitals count for nothing: that of its
/// experiment, or with the folder of the run behind it, or a number.
fn name_apart(pages: &mut [ResultPage]) {
    let mut taken = BTreeSet::from(["index".to_owned()]);
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    for page in pages {
        let own = std::mem::take(&mut page.name);
        let folder = Some(&page.folder).filter(|folder| !folder.is_empty());
        let folder = folder.filter(|folder| folder.chars().all(is_plain));
        let in_folder = folder.map(|folder| format!("{own}-{folder}"));
        let numbered = (2..).map(|number| format!("{own}-{number}"));
        let mut names = iter::once(own.clone()).chain(in_folder).chain(numbered);
        page.name = names
            .find(|name| taken.insert(name.to_lowercase()))
            .unwrap_or(own);
    }
}

/// The parts of a site's page beside its contents.
#[derive(Default)]
struct Site<'site> {
    /// The site's index.
    home: Option<&'site str>,
    /// The link to where its game is played.
    play: Option<PlayLink>,
    /// The picture for those who share it.
    image: Option<&'site str>,
}

fn page(
    environment: &Environment<'_>,
    pages: &[ResultPage],
    site: &Site<'_>,
) -> Result<String, minijinja::Error> {
    let (title, about) = match pages {
        [one] => (plain(&one.question), share::description(one)),
        many => (format!("{} experiments", many.len()), String::new()),
    };
    let pages = Value::from(Serde(pages));
    let Site { home, play, image } = site;
    let play = Value::from(Serde(play));
    let context = context! { title, about, pages, home, play, image };
    filled(environment, "page.html", context)
}

/// A text of a file without its marks, as a title has it.
fn plain(text: &str) -> String {
    typeset(&text.replace('`', ""))
}

/// A template with its places filled.
fn filled(
    environment: &Environment<'_>,
    template: &str,
    context: Value,
) -> Result<String, minijinja::Error> {
    let page = environment.get_template(template)?.render(context)?;
    Ok(visible(&page))
}

/// The templates' filters; `linked` are the runs that prose may name and a site has a page of: names with
/// hyphens, as other names are words. `played` are the games with a page to play them in.
fn environment(linked: Vec<String>, played: &[String]) -> Environment<'static> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::Html);
    for (name, template) in TEMPLATES {
        // One that cannot be read is missing when it is asked for, which is told.
        let _ = environment.add_template(name, template);
    }
    environment.add_global("style", STYLE);
    environment.add_global("played", played.to_vec());
    environment.add_global("script", include_str!("page.js"));
    environment.add_filter("prose", prose);
    environment.add_filter("mark", claims::mark);
    environment.add_filter("source_address", |text: &str| address("text/plain", text));
    environment.add_filter("tally", |verdicts: Vec<String>| {
        tally(verdicts.iter().map(String::as_str))
    });
    environment.add_filter("with_capital", |text: &str| capitalized(text));
    // A line breaks behind no minus.
    let number = |text: &str| typeset(text).replace("\u{2212}$", "\u{2212}\u{2060}$");
    environment.add_filter("number", number);
    environment.add_filter("breakable", breakable);
    environment.add_filter("linked_prose", move |text: &str| {
        let set = prose(text);
        Value::from_safe_string(with_links(&set.to_string(), &linked))
    });
    environment
}

/// A text as it is set: what stands between backticks as code, its numbers as on a page.
fn prose(text: &str) -> Value {
    let lines: Vec<String> = text.split('\n').map(set_line).collect();
    Value::from_safe_string(lines.join("\n"))
}

/// A name as it is set, which may break after a comma: names of layouts have no spaces.
fn breakable(name: &str) -> Value {
    Value::from_safe_string(escaped(&typeset(name)).replace(',', ",<wbr>"))
}

/// The text with links to the pages of the runs that it names.
fn with_links(text: &str, linked: &[String]) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut out = String::new();
    for part in text.split_inclusive(|c: char| !is_part(c)) {
        let word = part.trim_end_matches(|c: char| !is_part(c));
        if linked.iter().any(|name| name == word) {
            out.push_str(&format!(
                "<a href=\"{word}.html\">{word}</a>{}",
                &part[word.len()..]
            ));
        } else {
            out.push_str(part);
        }
    }
    out
}

fn set_line(line: &str) -> String {
    let line = escaped(line);
    let parts: Vec<&str> = line.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return typeset(&line);
    }
    let set = |(place, part): (usize, &&str)| match place % 2 {
        0 => typeset(part),
        _ => format!("<code>{part}</code>"),
    };
    parts.iter().enumerate().map(set).collect()
}

#[cfg(test)]
mod tests;
