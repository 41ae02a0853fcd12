"""The result of a run: its folder, its tables, and what a notebook shows of it."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any

from . import _program, _tables

_WIDTH, _ROW = 360, 22


class Result(os.PathLike[str]):
    """The folder of a run, which any function that takes a folder takes."""

    def __init__(self, folder: _program.StrPath) -> None:
        self.folder = Path(folder)

    def __fspath__(self) -> str:
        return str(self.folder)

    def __repr__(self) -> str:
        return f"etude.Result({str(self.folder)!r})"

    def __str__(self) -> str:
        return _program.start(["report", self.folder]).strip()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Result) and self.folder == other.folder

    def __hash__(self) -> int:
        return hash(self.folder)

    @property
    def summary(self) -> Any:
        """The estimates: one row for each metric of each cell, with its interval."""
        return _tables.summary(self.folder)

    @property
    def samples(self) -> Any:
        """Every sample, where the run kept them."""
        return _tables.samples(self.folder)

    @property
    def claims(self) -> Any:
        """The claims with their verdicts."""
        return _tables.claims(self.folder)

    def tables(self, frames: str | None = None) -> dict[str, Any]:
        """Every table by name; see `etude.tables`."""
        return _tables.tables(self.folder, frames)

    @property
    def answer(self) -> str:
        """The experiment's answer with its figures; empty where it has none."""
        return str(self._report()["answer"])

    def _report(self) -> dict[str, Any]:
        [report] = json.loads(_program.start(["report", self.folder, "--format", "json"]))
        return dict(report)

    def _repr_html_(self) -> str:
        """The question and the answer, the estimates as a table, and a picture of their intervals."""
        report = self._report()
        figures = report["figures"]
        columns = ["cell", "metric", "text", "n"]
        head = "".join(f"<th>{name}</th>" for name in ["cell", "metric", "estimate, interval", "n"])
        rows = ("".join(f"<td>{html.escape(str(row[name]))}</td>" for name in columns) for row in figures)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        texts = [f"<p>{html.escape(report[name])}</p>" for name in ("question", "answer") if report[name]]
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return "".join([*texts, table, *_pictures(figures)])


def _pictures(figures: list[dict[str, Any]]) -> list[str]:
    """A picture for each metric and unit whose cells have intervals."""
    drawn: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for figure in figures:
        if None not in (figure["value"], figure["lo"], figure["hi"]):
            drawn.setdefault((figure["metric"], figure["unit"]), []).append(figure)
    return [_picture(metric, rows) for (metric, _), rows in drawn.items()]


def _picture(metric: str, rows: list[dict[str, Any]]) -> str:
    low, high = float(min(row["lo"] for row in rows)), float(max(row["hi"] for row in rows))
    scale = (_WIDTH - 20) / (high - low or 1.0)

    def place(value: float) -> float:
        return 130 + (value - low) * scale

    marks = []
    for index, row in enumerate(rows):
        y = 30 + index * _ROW
        lo, at, hi = (place(row[end]) for end in ("lo", "value", "hi"))
        marks.append(f'<text x="0" y="{y + 4}">{html.escape(str(row["cell"]))[:18]}</text>')
        marks.append(f'<path d="M{lo:.1f} {y}H{hi:.1f}" stroke="currentColor"/>')
        marks.append(f'<circle cx="{at:.1f}" cy="{y}" r="4" fill="currentColor"/>')
    y = 30 + len(rows) * _ROW
    ends = f'<text x="130" y="{y}">{low:.4g}</text>'
    ends += f'<text x="{_WIDTH + 110}" y="{y}" text-anchor="end">{high:.4g}</text>'
    head = f'<text x="130" y="14">{html.escape(metric)}</text>'
    size = f'width="{_WIDTH + 130}" height="{y + 8}"'
    style = 'font-family="sans-serif" font-size="12" fill="currentColor"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {style}>{head}{"".join(marks)}{ends}</svg>'
