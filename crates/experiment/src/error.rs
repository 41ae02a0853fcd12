//! Errors in an experiment file, shown at their place in the text.
//!
//! Every error names what was expected there and, if there is one, the closest accepted
//! alternative. The layout is that of the Rust compiler
//! (<https://rustc-dev-guide.rust-lang.org/diagnostics.html>).

use std::fmt;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use base::{Failure, suggest, visible};

/// A value of the file, or its fault.
pub(super) type Checked<T = ()> = Result<T, Problem>;

/// The fault of an experiment file, at its place in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    source_name: String,
    text: String,
    problem: Box<Problem>,
}

/// A fault of an experiment file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The fault, as a sentence without its final stop.
    pub message: String,
    /// The bytes of the text at fault; `None` where it is none in particular.
    pub(crate) span: Option<Range<usize>>,
    /// The expected value; empty if the message says it.
    pub(crate) expected: String,
    /// The advice.
    pub help: Option<String>,
}

impl ConfigError {
    /// The fault of a text.
    pub(super) fn new(source_name: &str, text: &str, problem: Problem) -> Self {
        Self {
            source_name: source_name.to_owned(),
            text: text.to_owned(),
            problem: Box::new(problem),
        }
    }

    /// The fault.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The fault for a person, with its file, line and caret; with colour codes on request.
    pub fn render(&self, colour: bool) -> String {
        let renderer = if colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        renderer.render(&[self.group()])
    }

    fn group(&self) -> Group<'_> {
        let problem = &self.problem;
        let title = Level::ERROR.primary_title(visible(&problem.message));
        let group = match problem.span.clone().and_then(|span| self.within(span)) {
            Some(span) => title.element(
                Snippet::source(&self.text)
                    .path(&self.source_name)
                    .annotation(AnnotationKind::Primary.span(span).label(&problem.expected)),
            ),
            None => title.element(Origin::path(&self.source_name)),
        };
        match &problem.help {
            Some(help) => group.element(Level::HELP.message(visible(help))),
            None => group,
        }
    }

    /// The span cut to the text and to whole characters.
    fn within(&self, span: Range<usize>) -> Option<Range<usize>> {
        let start = self.text.floor_char_boundary(span.start);
        let end = self.text.ceil_char_boundary(span.end);
        (start <= end).then_some(start..end)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for ConfigError {}

impl Problem {
    /// A fault of the text's bytes `span`.
    pub(super) fn at(span: impl Into<Option<Range<usize>>>, message: impl Into<String>) -> Self {
        Self {
            span: span.into(),
            ..Self::nowhere(message)
        }
    }

    /// Returns the fault, at the text's bytes `span`.
    pub(super) fn placed(self, span: Range<usize>) -> Self {
        Self {
            span: Some(span),
            ..self
        }
    }

    /// A fault of no place in particular.
    pub(super) fn nowhere(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }

    /// Returns the problem with the expected value.
    pub(super) fn expected(mut self, expected: impl Into<String>) -> Self {
        self.expected = expected.into();
        self
    }

    /// Returns the problem with advice.
    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// The position of a name among the known ones; the fault of an unknown one has the closest of them, or a list.
pub(super) fn position_of<'a>(
    name: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    fault: impl FnOnce() -> Problem,
) -> Checked<usize> {
    let position = known.clone().position(|one| one == name);
    position.ok_or_else(|| fault().help(suggest::help(name, known)))
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self {
            cause: Some(Box::new(error.clone())),
            ..Self::usage(error)
        }
    }
}
