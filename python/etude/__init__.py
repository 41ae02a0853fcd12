"""The program etude, and a reader of the tables that it writes.

    import etude
    etude.run("queue.toml", out="results/queue")
    etude.tables("results/queue")["summary"]
"""

import collections
import csv
import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

__all__ = ["Failed", "program", "run", "tables"]

_READ = {
    "integer": int,
    "number": float,
    "boolean": lambda text: text == "true",
    "string": str,
}


def program():
    """The path of the program `etude`: the one that this package brought, else that on the PATH."""
    name = "etude" + (sysconfig.get_config_var("EXE") or "")
    places = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    for place in places:
        path = os.path.join(place, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program etude is neither in this environment nor on the PATH")
    return found


class Failed(subprocess.CalledProcessError):
    """The program failed; `stderr` holds the last lines of what it said."""

    def __str__(self):
        return f"etude ended with exit status {self.returncode}:\n{self.stderr}"


def run(experiment, out=None, *arguments):
    """Makes an experiment, as `etude run` does, and returns the folder of its results.

    What the program says goes to `sys.stderr`, which a notebook shows. Raises `Failed`, a
    `subprocess.CalledProcessError`, where the program fails. An interrupted run is told to stop; it
    continues with the argument `--resume`.
    """
    folder = Path(out) if out is not None else Path("results") / Path(experiment).stem
    line = [program(), "run", str(experiment), "--out", str(folder), *map(str, arguments)]
    pipes = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    process = subprocess.Popen(line, text=True, encoding="utf-8", **pipes)
    said = collections.deque(maxlen=30)
    try:
        for text in process.stderr:
            said.append(text)
            print(text, end="", file=sys.stderr)
    except BaseException:
        process.terminate()
        raise
    finally:
        process.stderr.close()
        process.wait()
    if process.returncode != 0:
        raise Failed(process.returncode, line, stderr="".join(said))
    return folder


def tables(folder, frames=None):
    """The tables of a run folder by name, each column of the type that datapackage.json gives it.

    `frames` is "pandas", "polars" or "lists"; unless given, the first of them that is installed.
    A value that is missing is `NaN`, `null` or `None`, whichever the frame has.
    """
    folder = Path(folder)
    package = json.loads((folder / "datapackage.json").read_text(encoding="utf-8"))
    make = _frame(frames)
    found = {}
    for resource in package["resources"]:
        path = folder / resource["path"]
        if path.suffix == ".csv" and path.exists():
            found[resource["name"]] = make(*_read(path, resource["schema"]["fields"]))
    return found


def _read(path, fields):
    """Names, types and columns of a table; a column without a value is None in every place."""
    types = {field["name"]: field.get("type", "string") for field in fields}
    with open(path, newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        names = next(rows)
        texts = list(zip(*rows)) or [()] * len(names)
    kinds = [types.get(name, "string") for name in names]
    columns = [
        [None if text == "" and kind != "string" else _READ.get(kind, str)(text) for text in column]
        for kind, column in zip(kinds, texts)
    ]
    return names, kinds, columns


def _frame(frames):
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


def _lists():
    return lambda names, kinds, columns: dict(zip(names, columns))


def _pandas():
    import pandas

    types = {"integer": "Int64", "number": "float64", "boolean": "boolean", "string": "string"}

    def make(names, kinds, columns):
        series = {
            name: pandas.Series(column, dtype=types.get(kind, "string"))
            for name, kind, column in zip(names, kinds, columns)
        }
        return pandas.DataFrame(series)

    return make


def _polars():
    import polars

    types = {"integer": polars.Int64, "number": polars.Float64, "boolean": polars.Boolean}

    def make(names, kinds, columns):
        schema = {name: types.get(kind, polars.String) for name, kind in zip(names, kinds)}
        return polars.DataFrame(dict(zip(names, columns)), schema=schema)

    return make
