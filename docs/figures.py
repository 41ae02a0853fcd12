#!/usr/bin/env python3
"""The figures in README, results/README and the pages of games: puts what `etude report` says between markers.

    python3 docs/figures.py [PROGRAM]           updates the documents
    python3 docs/figures.py --check [PROGRAM]   fails at the first figure that the results do not have

PROGRAM is target/release/etude. The text between <!-- etude: FOLDER PLACE --> and <!-- /etude --> is
replaced. FOLDER is relative to the document; PLACE is METRIC or CELL:METRIC for a figure with its
interval, or answer, claims, or figures METRIC METRIC ... Powers of ten are written as on pages.

In results/README.md, the questions in the table of experiments and below the headings of results are those of
the results, too. In the tables "Questions answered" of the games' pages, each answer begins as that of its result.
"""

import functools
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "web/site").glob("*/index.html"))
GAMES = sorted((ROOT / "book/src/games").glob("*.md"))
DOCUMENTS = [ROOT / "README.md", ROOT / "results/README.md", *PAGES, *GAMES]
MARKER = re.compile(r"(<!-- etude: (\S+) (.+?) -->)(.*?)(<!-- /etude -->)", re.DOTALL)
TAG = re.compile("<(?=[A-Za-z/!?])")
POWER = re.compile(r"(?<![\w.])([\d.]+)e(-?\d+)\b")
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# A row of the table of experiments, and the heading of a result with the paragraph below it.
ROW = re.compile(r"^(\| \[([\w-]+)\]\(#\2\) \| )(.+)( \|)$", re.MULTILINE)
# A row of a table of questions, with its answer.
ANSWERED = re.compile(r"^(\| \[[\w-]+\]\(\.\./\.\./\.\./results/README\.md#([\w-]+)\) \| [^|]+ \| )([^|]*)( \|)$", re.MULTILINE)
HEADING = re.compile(r"^(## \[([\w-]+)\]\(\2/\S+\)\n\n)(.+)()$", re.MULTILINE)


@functools.cache
def report(program, folder):
    command = [program, "report", folder, "--all", "--format", "json"]
    return json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)[0]


def text(program, folder, place):
    results = report(program, folder)
    if place == "answer":
        return results["answer"]
    if place == "claims":
        marked = {"verdict": "**{}**", "tested as": "`{}`"}
        return markdown(table(results, "Claims"), marked)
    if place.startswith("figures "):
        estimates, metrics = table(results, "Estimates"), place.split()[1:]
        at = [column["name"] for column in estimates["columns"]].index("metric")
        rows = [row for row in estimates["rows"] if row[at] in metrics]
        return markdown(estimates | {"rows": rows}, {}, left_out=["samples", "level, method"])
    figures = results["figures"]
    cell, _, metric = place.rpartition(":")
    cell = cell or figures[0]["cell"]
    found = [one["text"] for one in figures if (one["cell"], one["metric"]) == (cell, metric)]
    return found[0] if found else sys.exit(f"{folder}: there is no figure `{place}`")


def table(results, title):
    found = [table for table in results["tables"] if table["title"] == title]
    return found[0] if found else sys.exit(f"{results['experiment']}: there is no table `{title}`")


def markdown(table, marked, left_out=()):
    names = [column["name"] for column in table["columns"]]
    kept = [at for at, name in enumerate(names) if name not in left_out]
    lines = [[names[at] for at in kept]]
    for row in table["rows"]:
        lines.append([marked.get(names[at], "{}").format(row[at]) for at in kept])
    lines = ["| " + " | ".join(field.replace("|", r"\|") for field in line) + " |" for line in lines]
    return "\n".join([lines[0], "|" + "---|" * len(kept)] + lines[1:])


def in_print(text):
    """The text with its powers of ten as pages write them, but for code."""
    def power(number):
        return f"{number[1]} × 10{number[2].translate(RAISED)}"

    parts = text.split("`")
    return "`".join(part if at % 2 else POWER.sub(power, part) for at, part in enumerate(parts))


def question(folder):
    """The question of a run, or that of a proof; `None` of a folder that asks none."""
    files = [file for name in ("config.toml", "proof.toml") if (file := folder / name).is_file()]
    return tomllib.loads(files[0].read_text()).get("question") if files else None


def with_questions(document, old):
    def asked(place):
        before, name, text, after = place.groups()
        return before + (question(document.parent / name) or text) + after

    return HEADING.sub(asked, ROW.sub(asked, old))


def first_sentence(text):
    """The first sentence of an answer; with the second where that is only a word or two, such as `Yes.`"""
    ends = [found.end() for found in re.finditer(r"[.:](?= [A-Z]|$)", text)]
    return next((text[:end] for end in ends if end > 25), text)


def with_answers(program, old):
    def answered(row):
        before, name, said, after = row.groups()
        folder = ROOT / "results" / name
        if not (folder / "summary.csv").is_file():
            return row[0]
        answer = report(program, str(folder))["answer"] or said
        return before + in_print(first_sentence(answer)).replace("|", r"\|") + after

    return ANSWERED.sub(answered, old)


def fresh(program, document, old):
    def filled(marker):
        opening, folder, place, enclosed, closing = marker.groups()
        new = TAG.sub("&lt;", in_print(text(program, str(document.parent / folder), place)))
        lines = "\n" in enclosed or "\n" in new
        return opening + (f"\n{new.rstrip()}\n" if lines else new) + closing

    new = MARKER.sub(filled, old)
    if document in GAMES:
        return with_answers(program, new)
    return with_questions(document, new) if document.parent.name == "results" else new


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    program = words[0] if words else str(ROOT / "target/release/etude")
    for document in DOCUMENTS:
        old = document.read_text()
        new = fresh(program, document, old)
        if old == new:
            continue
        if "--check" not in sys.argv:
            document.write_text(new)
            continue
        lines = zip(old.splitlines(), new.splitlines())
        is_, should = next((is_, should) for is_, should in lines if is_ != should)
        sys.exit(f"{document}: a figure is not that of the results\n  is:     {is_}\n  should: {should}")


if __name__ == "__main__":
    main()
