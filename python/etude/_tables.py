"""The tables of a run folder as frames of pandas, polars or Arrow, by their own readers, or as lists."""

from __future__ import annotations

import csv
import json
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ._program import StrPath

# The types of columns by their names, as datapackage.json has them.
Types = Mapping[str, str]
Read = Callable[[Path, Types], Any]

_OF_RUN = "give what etude.run or etude.simulate returned, or its folder"


def summary(folder: StrPath, frames: str | None = None) -> Any:
    """The estimates of a run: one row for each metric of each cell, with its interval.

    `frames` is as in `tables`.
    """
    return table(Path(folder), "summary", frames, _OF_RUN)


def samples(folder: StrPath, frames: str | None = None) -> Any:
    """Every sample of a run: one row for each sample of each cell.

    A run keeps them where its file has `samples = true` in `[output]`, as `etude.simulate` does.
    `frames` is as in `tables`.
    """
    help = "run with `samples = true` in `[output]`, or etude.simulate(..., keep=True)"
    return table(Path(folder), "samples", frames, help)


def claims(folder: StrPath, frames: str | None = None) -> Any:
    """The claims of a run with their verdicts; `frames` is as in `tables`."""
    return table(Path(folder), "claims", frames, "its experiment makes no claims")


def tables(folder: StrPath, frames: str | None = None) -> dict[str, Any]:
    """The tables of a run folder by name, each column of the type that datapackage.json gives it.

    `frames` is "pandas", "polars", "arrow" or "lists"; unless given, the first of them that is installed.
    A value that is missing is `NA`, `NaN`, `null` or `None`, whichever the frame has.
    """
    read = _reader(frames)
    found = _resources(Path(folder))
    return {name: read(path, types) for name, (path, types) in found.items()}


def table(folder: Path, name: str, frames: str | None, help: str) -> Any:
    """One table of a folder, which may lack it for the reason that `help` mends."""
    found = _resources(folder).get(name)
    if found is None:
        raise FileNotFoundError(f"{folder} has no {name}.csv: {help}")
    return _reader(frames)(*found)


def frame(path: Path, frames: str | None) -> Any:
    """A table that no run folder describes."""
    return _reader(frames)(path, {})


def _resources(folder: Path) -> dict[str, tuple[Path, Types]]:
    """The tables that are there, by name, with the types of their columns."""
    description = folder / "datapackage.json"
    if not description.is_file():
        raise FileNotFoundError(
            f"{folder} holds no complete run: it has no datapackage.json; {_OF_RUN}"
        )
    package = json.loads(description.read_text(encoding="utf-8"))
    return {
        resource["name"]: (
            folder / resource["path"],
            {field["name"]: field.get("type", "string") for field in resource["schema"]["fields"]},
        )
        for resource in package["resources"]
        if resource["path"].endswith(".csv") and (folder / resource["path"]).exists()
    }


def _reader(frames: str | None) -> Read:
    readers: dict[str, Callable[[], Read]] = {
        "pandas": _pandas,
        "polars": _polars,
        "arrow": _arrow,
        "lists": lambda: _lists,
    }
    if frames is not None:
        if frames not in readers:
            raise ValueError(f"frames is {frames!r}: give 'pandas', 'polars', 'arrow' or 'lists'")
        return readers[frames]()
    for name in ("pandas", "polars", "arrow"):
        try:
            return readers[name]()
        except ImportError:
            continue
    return _lists


def _pandas() -> Read:
    import pandas

    final = {"integer": "Int64", "boolean": "boolean", "string": "string"}

    def is_lossy(column: Any, kind: str) -> bool:
        if kind == "string":
            # Texts that look like numbers were read as numbers.
            return pandas.api.types.infer_dtype(column, skipna=False) != "string"
        # Integers of which some are missing were read as floating point, which keeps 53 bits.
        return kind == "integer" and bool(column.dtype.kind == "f" and not column.abs().max() < 2**53)

    def read(path: Path, types: Types) -> Any:
        numbers = {name: "float64" for name, kind in types.items() if kind == "number"}
        # Only an empty field is a missing value, and a text that is empty is a text.
        missing = {name: [""] for name, kind in types.items() if kind != "string"}
        options: dict[str, Any] = {"keep_default_na": not types, "na_values": missing or None}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", pandas.errors.DtypeWarning)
            # The reader finds texts by itself in half the time that it takes to be told of them.
            data = pandas.read_csv(path, dtype=numbers or None, **options)
        lossy = {name: final[kind] for name, kind in types.items() if is_lossy(data[name], kind)}
        if lossy:
            exact = pandas.read_csv(path, usecols=list(lossy), dtype=lossy, **options)
            data[list(lossy)] = exact[list(lossy)]
        return data.astype({name: final[kind] for name, kind in types.items() if kind in final})

    return read


def _polars() -> Read:
    import polars

    known: dict[str, Any] = {"integer": polars.Int64, "number": polars.Float64}

    def read(path: Path, types: Types) -> Any:
        # Flags are 0 and 1, or words: the reader sees which.
        kinds = {name: known.get(kind, polars.String) for name, kind in types.items() if kind != "boolean"}
        nulls = {name: "" for name, kind in types.items() if kind != "string"}
        data = polars.read_csv(path, schema_overrides=kinds, null_values=nulls or None)
        flags = [name for name, kind in types.items() if kind == "boolean"]
        texts = [name for name in data.columns if data[name].dtype == polars.String and data[name].has_nulls()]
        words = [name for name in texts if name in flags]
        return data.with_columns(
            *(polars.col(name).fill_null("") for name in texts if types.get(name) == "string"),
            *(polars.col(name) == "true" for name in words),
            *(polars.col(name).cast(polars.Boolean) for name in flags if name not in words),
        )

    return read


def _arrow() -> Read:
    import pyarrow  # type: ignore[import-untyped]
    import pyarrow.csv  # type: ignore[import-untyped]

    known = {"integer": pyarrow.int64(), "number": pyarrow.float64(), "boolean": pyarrow.bool_()}

    def read(path: Path, types: Types) -> Any:
        kinds = {name: known.get(kind, pyarrow.string()) for name, kind in types.items()}
        convert = pyarrow.csv.ConvertOptions(column_types=kinds, null_values=[""])
        return pyarrow.csv.read_csv(path, convert_options=convert)

    return read


_VALUES: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "number": float,
    "boolean": lambda text: text in ("1", "true"),
}


def _lists(path: Path, types: Types) -> dict[str, list[Any]]:
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        texts = list(zip(*rows)) or [()] * len(names)
    values = [_VALUES.get(types.get(name, "string")) for name in names]
    return {
        name: list(column) if value is None else [None if text == "" else value(text) for text in column]
        for name, value, column in zip(names, values, texts)
    }
