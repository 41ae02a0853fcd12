//! `etude report`: shows run folders as tables on the terminal or as a page.

mod pages;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use ::report::{
    Export, PageFigure, PaperPdf, PlotPoint, Report, ResultPage, Results, TextStyle,
    leading_cautions, to_text,
};
use base::visible_json;
use base::words::join;
use clap::{Args, ValueEnum};
use task::Application;

use super::failure::Failure;
use super::progress::Display;
use super::table::{Format, Printed, write_stdout};
use super::terminal;
use pages::{write_page, write_site};

/// Show the results in run folders
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  etude report results/klondike-casino
  etude report results/klondike-casino --html casino.html
  etude report results/* --html all.html           one page for all runs
  etude report results/* --html site/              a page for each run, and a searchable index
  etude report results/* --format csv              all estimates in one table; latex for a paper
  etude report results/pegs-speed-bench --figure share --format pdf > share.pdf

Pages need no network and no other files; they work from a disk and on any web server.")]
pub(crate) struct ReportArguments {
    /// The run folders
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Write pages with plots and boards instead: one to a FILE (`-` for standard output), or a
    /// site into a FOLDER/
    #[arg(long, value_name = "FILE|FOLDER/")]
    html: Option<PathBuf>,
    /// Show all tables and metrics, not only those that answer the question
    #[arg(long, conflicts_with = "html")]
    all: bool,
    /// One picture of the page of a folder: as SVG, or with --format pdf as PDF, with --format csv the numbers in it;
    /// another NAME shows which there are
    #[arg(long, value_name = "NAME", conflicts_with_all = ["html", "all"])]
    figure: Option<String>,
    /// Output format
    #[arg(long, value_enum, default_value = "text", conflicts_with = "html")]
    format: ReportFormat,
}

/// The format of a report on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ReportFormat {
    /// Tables for people.
    Text,
    /// Every estimate with its interval, a row each.
    Csv,
    /// Questions, answers, estimates and tables.
    Json,
    /// Tables for a paper (package booktabs).
    Latex,
    /// Questions, answers and tables for a document.
    Markdown,
    /// A picture, with --figure.
    Svg,
    /// A picture on a page of its size, with --figure.
    Pdf,
}

impl ReportArguments {
    pub(crate) fn run(self, app: &Application) -> Result<(), Failure> {
        let folders = &self.folders;
        if let Some(name) = &self.figure {
            return self.write_figure(app, name);
        }
        match &self.html {
            Some(folder) if is_folder(folder) => return write_site(folders, folder, app),
            Some(file) => return write_page(folders, file, app),
            None if matches!(self.format, ReportFormat::Svg | ReportFormat::Pdf) => {
                return Err(Failure::usage("--format svg and pdf are for one picture")
                    .with_help("name it: --figure NAME; --html FILE writes all of them"));
            }
            None if self.format != ReportFormat::Text => {
                return self.export(app);
            }
            None => {}
        }
        for (number, folder) in folders.iter().enumerate() {
            if number > 0 {
                write_stdout(b"\n")?;
            }
            print(app, folder, self.all)?;
        }
        if let [folder] = self.folders.as_slice() {
            tell_next(app, folder);
        }
        Ok(())
    }
}

impl ReportArguments {
    /// Writes one picture of the only folder's page, or its numbers, to standard output.
    fn write_figure(&self, app: &Application, name: &str) -> Result<(), Failure> {
        let [folder] = self.folders.as_slice() else {
            return Err(Failure::usage("--figure is for one folder").with_help("name one"));
        };
        let page = read(app, folder)?.to_page(app);
        let figures = page.figures();
        let figure = find_figure(&figures, name)?;
        match self.format {
            ReportFormat::Text | ReportFormat::Svg => write_stdout(figure.to_svg().as_bytes()),
            ReportFormat::Pdf => {
                let undrawn = || Failure::usage(format!("`{}` cannot be drawn alone", figure.name));
                write_pdf(figure.to_pdf().ok_or_else(undrawn)?)
            }
            ReportFormat::Csv if figure.points().is_empty() => Err(Failure::usage(format!(
                "`{}` has no table of its numbers",
                figure.name
            ))
            .with_help("they are in the tables of the run folder; --format svg has the picture")),
            ReportFormat::Csv => points_table(figure.points()).print(Format::Csv),
            _ => Err(Failure::usage("a picture has the formats svg, pdf and csv")
                .with_help("the tables have the others: leave --figure out")),
        }
    }

    /// Writes the reports of all folders in a format for other programs.
    fn export(&self, app: &Application) -> Result<(), Failure> {
        let reports = read_all(app, &self.folders)?;
        let exports = reports
            .iter()
            .filter_map(|report| report.to_export(self.all));
        let exports: Vec<Export> = exports.collect();
        if exports.is_empty() {
            return Err(
                Failure::usage("a proof has no estimates").with_help("--html FILE writes its page")
            );
        }
        let joined = |text: fn(&Export) -> String| {
            let texts: Vec<String> = exports.iter().map(text).collect();
            write_stdout(texts.join("\n").as_bytes())
        };
        match self.format {
            ReportFormat::Latex => joined(Export::to_latex),
            ReportFormat::Markdown => joined(Export::to_markdown),
            ReportFormat::Json => {
                let text = serde_json::to_string_pretty(&exports).unwrap_or_default();
                write_stdout((visible_json(&text) + "\n").as_bytes())
            }
            ReportFormat::Csv | ReportFormat::Text | ReportFormat::Svg | ReportFormat::Pdf => {
                figures_table(&exports).print(Format::Csv)
            }
        }
    }
}

/// Writes a PDF to standard output, unless that is a screen.
fn write_pdf(pdf: PaperPdf) -> Result<(), Failure> {
    if std::io::stdout().is_terminal() {
        return Err(Failure::usage("a PDF is not for a screen").with_help("add `> FILE.pdf`"));
    }
    if !pdf.missing.is_empty() {
        let letters: String = pdf.missing.iter().collect();
        warning!(
            "the PDF has `?` in place of each of these letters: {letters}; --format svg has them"
        );
    }
    write_stdout(&pdf.bytes)
}

/// The picture of a name, or the only one whose name begins so.
fn find_figure<'a, 'page>(
    figures: &'a [PageFigure<'page>],
    name: &str,
) -> Result<&'a PageFigure<'page>, Failure> {
    let whole = figures.iter().find(|figure| figure.name == name);
    let mut begins = figures
        .iter()
        .filter(|figure| figure.name.starts_with(name));
    let only = begins.next().filter(|_| begins.next().is_none());
    whole.or(only).ok_or_else(|| {
        let names: Vec<&str> = figures.iter().map(|figure| &*figure.name).collect();
        let help = match names.as_slice() {
            [] => "this page has no pictures".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        Failure::usage(format!("no picture is called `{name}`")).with_help(help)
    })
}

/// The numbers of a picture, a row each.
fn points_table(points: &[PlotPoint]) -> Printed {
    let mut table = Printed::default();
    for point in points {
        table.push_named([
            ("series", point.series.as_str().into()),
            ("x", point.x.as_str().into()),
            ("y", point.y.into()),
            ("lo", point.ends.map(|ends| ends.lo).into()),
            ("hi", point.ends.map(|ends| ends.hi).into()),
        ]);
    }
    table
}

/// Every figure of all reports, a row each.
fn figures_table(exports: &[Export]) -> Printed {
    let mut table = Printed::default();
    for export in exports {
        for figure in &export.figures {
            table.push_named([
                ("experiment", export.experiment.as_str().into()),
                ("cell", figure.cell.as_str().into()),
                ("metric", figure.metric.as_str().into()),
                ("unit", figure.unit.as_str().into()),
                ("value", figure.value.into()),
                ("lo", figure.lo.into()),
                ("hi", figure.hi.into()),
                ("level", figure.level.into()),
                ("method", figure.method.as_str().into()),
                ("valid_under", figure.valid_under.as_str().into()),
                ("n", figure.n.into()),
                ("n_unresolved", figure.n_unresolved.into()),
                ("text", figure.text.as_str().into()),
            ]);
        }
    }
    table
}

/// Prints the results in one folder, in short or with all tables, and warns of estimates that
/// cannot be trusted.
pub(crate) fn print(app: &Application, folder: &Path, all: bool) -> Result<(), Failure> {
    let results = match read(app, folder)? {
        Report::Proof(proof) => {
            let text = proof.to_text(app.name, terminal::width(), all);
            return write_stdout(text.as_bytes());
        }
        Report::Race(race) => return write_stdout(race.to_text(terminal::width()).as_bytes()),
        Report::Run(results) => results,
    };
    let style = TextStyle {
        colour: terminal::has_colours(&std::io::stdout()),
        width: terminal::width(),
        all,
    };
    write_stdout(to_text(&results, style).as_bytes())?;
    warn_of_foreign(&results);
    warn(results.warnings());
    Ok(())
}

/// Names the command that makes a page of the results in a folder.
pub(crate) fn tell_next(app: &Application, folder: &Path) {
    let folder = folder.to_string_lossy();
    let words = [app.name, "report", &folder, "--html", "page.html"];
    // In one line, for it is copied.
    terminal::put(&format!("Next: {}\n", join(words)));
}

/// Says on standard error which estimates cannot be trusted: the first, and how many more.
pub(crate) fn warn(warnings: impl Iterator<Item = String>) {
    terminal::warn_of_many(warnings, "such estimates; weights.csv lists them");
}

/// Says on standard error what the text of a report says below the estimates.
pub(crate) fn warn_of_cautions(results: &Results) {
    let cautions = leading_cautions(results).into_iter();
    terminal::warn_of_many(
        cautions,
        "such cautions; the report shows the first of them",
    );
}

/// Says on standard error which tables are left out.
fn warn_of_foreign(results: &Results) {
    for name in &results.foreign {
        let path = results.folder.join(name);
        let path = path.display();
        warning!("{path} is left out: manifest.json does not list it, so the run did not write it");
    }
}

/// The results in a folder.
fn read(app: &Application, folder: &Path) -> Result<Report, Failure> {
    Report::read(app, folder, &mut Display::default())
}

/// Returns whether pages go into a folder: it is one, or its name ends like one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(['/', '\\'])
}

/// The results in all folders, runs first. Those that hold none, such as files beside the runs in
/// `results/*`, are passed over, if any holds some.
fn read_all(app: &Application, folders: &[PathBuf]) -> Result<Vec<Report>, Failure> {
    let mut there: Vec<&PathBuf> = folders
        .iter()
        .filter(|folder| Report::is_in(folder))
        .collect();
    if there.is_empty() {
        there = folders.iter().collect();
    }
    let reports = there.into_iter().map(|folder| read(app, folder));
    let mut reports: Vec<Report> = reports.collect::<Result<_, _>>()?;
    reports.sort_by_key(|report| !matches!(report, Report::Run(_)));
    for report in &reports {
        if let Report::Run(results) = report {
            warn_of_foreign(results);
        }
    }
    Ok(reports)
}

/// The pages that stand together on one: those of runs, where there are any. Says which others are left out.
fn together(mut pages: Vec<ResultPage>, runs: usize) -> Vec<ResultPage> {
    if runs > 0 && runs < pages.len() {
        let others: Vec<String> = pages.drain(runs..).map(|page| page.name).collect();
        let others = others.join(", ");
        note!(
            "only runs share a page (--html site/ has a page for each), and left out are: {others}"
        );
    }
    pages
}
