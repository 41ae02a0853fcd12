"""The tables of a run folder as frames of pandas or polars, or as lists."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Optional

from ._program import StrPath

Make = Callable[[list[str], list[str], list[list[Any]]], Any]

_READ: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "boolean": lambda text: text == "true",
    "string": str,
}


def summary(folder: StrPath, frames: Optional[str] = None) -> Any:
    """The estimates of a run: one row for each metric of each cell, with its interval.

    `frames` is as in `tables`.
    """
    return _table(Path(folder), "summary", frames, "give the folder that etude.run returned")


def samples(folder: StrPath, frames: Optional[str] = None) -> Any:
    """Every sample of a run: one row for each sample of each cell.

    A run keeps them where its file has `samples = true` in `[output]`, as `etude.simulate` does.
    `frames` is as in `tables`.
    """
    help = "run with `samples = true` in `[output]`, or etude.simulate(..., keep=True)"
    return _table(Path(folder), "samples", frames, help)


def tables(folder: StrPath, frames: Optional[str] = None) -> dict[str, Any]:
    """The tables of a run folder by name, each column of the type that datapackage.json gives it.

    `frames` is "pandas", "polars" or "lists"; unless given, the first of them that is installed.
    A value that is missing is `NaN`, `null` or `None`, whichever the frame has.
    """
    resources = _resources(Path(folder))
    make = _frame(frames)
    return {name: _read(Path(folder), resource, make) for name, resource in resources.items()}


def _table(folder: Path, name: str, frames: Optional[str], help: str) -> Any:
    resource = _resources(folder).get(name)
    if resource is None:
        raise FileNotFoundError(f"{folder} has no {name}.csv: {help}")
    return _read(folder, resource, _frame(frames))


def _resources(folder: Path) -> dict[str, Mapping[str, Any]]:
    """The descriptions of the tables that are there, by name."""
    description = folder / "datapackage.json"
    if not description.is_file():
        raise FileNotFoundError(
            f"{folder} holds no complete run: it has no datapackage.json; "
            "give the folder that etude.run returned"
        )
    package = json.loads(description.read_text(encoding="utf-8"))
    return {
        resource["name"]: resource
        for resource in package["resources"]
        if resource["path"].endswith(".csv") and (folder / resource["path"]).exists()
    }


def _read(folder: Path, resource: Mapping[str, Any], make: Make) -> Any:
    """One table; a column without a value is None in every place."""
    types = {field["name"]: field.get("type", "string") for field in resource["schema"]["fields"]}
    with open(folder / resource["path"], newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        texts = list(zip(*rows)) or [()] * len(names)
    kinds = [types.get(name, "string") for name in names]
    columns = [
        [None if text == "" and kind != "string" else _READ.get(kind, str)(text) for text in column]
        for kind, column in zip(kinds, texts)
    ]
    return make(names, kinds, columns)


def _frame(frames: Optional[str]) -> Make:
    makers = {"pandas": _pandas, "polars": _polars, "lists": _lists}
    if frames is not None:
        if frames not in makers:
            raise ValueError(f"frames is {frames!r}: give 'pandas', 'polars' or 'lists'")
        return makers[frames]()
    for name in ("pandas", "polars"):
        try:
            return makers[name]()
        except ImportError:
            continue
    return _lists()


def _lists() -> Make:
    return lambda names, kinds, columns: dict(zip(names, columns))


def _pandas() -> Make:
    import pandas

    types = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "string"}

    def make(names: list[str], kinds: list[str], columns: list[list[Any]]) -> Any:
        series = {
            name: pandas.Series(column, dtype=types.get(kind, "string"))
            for name, kind, column in zip(names, kinds, columns)
        }
        return pandas.DataFrame(series)

    return make


def _polars() -> Make:
    import polars

    types: dict[str, Any] = {
        "integer": polars.Int64,
        "number": polars.Float64,
        "boolean": polars.Boolean,
    }

    def make(names: list[str], kinds: list[str], columns: list[list[Any]]) -> Any:
        schema = {name: types.get(kind, polars.String) for name, kind in zip(names, kinds)}
        return polars.DataFrame(dict(zip(names, columns)), schema=schema)

    return make
