"""A function as a worker: `python -m etude.worker queue_times.py:wait METRIC...`.

An experiment file can name it in `run` like any other program, and `etude.simulate` does so. The module is
imported from the current folder. Its function is called with the parameters by their names and, for each
stream, a seed: an integer of 256 bits. It returns the values of the metrics: one alone, several in a
tuple in their order, or a dictionary by name.
"""

from __future__ import annotations

import importlib
import json
import math
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from . import _worker_state
from ._toml import plain

# The largest integer that every reader of JSON takes; larger ones go as text.
_LARGEST = 2**53


class Worker:
    """A function, its metrics, and its answers to requests."""

    def __init__(self, target: str, metrics: list[str]) -> None:
        self.name = target.rpartition(":")[2]
        self.function = load(target)
        self.metrics = metrics

    def answer(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one request of protocol 1."""
        if "hello" in request:
            return {"hello": {"protocol": 1, "name": self.name}}
        [draw] = (request[verb] for verb in ("draw", "replay") if verb in request)
        rows: list[list[Any]] = []
        try:
            for seeds in _seeds(draw):
                rows.append(self.row(self.function(**draw["params"], **seeds)))
        except Exception as error:
            traceback.print_exc()
            fault = traceback.format_exception_only(type(error), error)[-1].strip()
            return {"id": request["id"], "at": draw["first"] + len(rows), "error": fault}
        return {"id": request["id"], "rows": rows}

    def row(self, result: Any) -> list[Any]:
        """What the function returned for a sample, in the order of the metrics."""
        if isinstance(result, Mapping):
            values = self._by_name(result)
        elif isinstance(result, tuple):
            values = list(result)
        else:
            values = [result]
        if len(values) != len(self.metrics):
            metrics = ", ".join(self.metrics)
            raise ValueError(
                f"{self.name} returned {len(values)} values for the metrics {metrics}: "
                "return a tuple in this order, or a dictionary by name"
            )
        return [_value(name, value) for name, value in zip(self.metrics, values)]

    def _by_name(self, result: Mapping[str, Any]) -> list[Any]:
        missing = [name for name in self.metrics if name not in result]
        strange = [name for name in result if name not in self.metrics]
        if missing or strange:
            told = f"no `{missing[0]}`" if missing else f"`{strange[0]}`, which is not a metric"
            metrics = ", ".join(self.metrics)
            raise ValueError(f"{self.name} returned {told}: its metrics are {metrics}")
        return [result[name] for name in self.metrics]


def load(target: str) -> Callable[..., Any]:
    """The function that `queue_times.py:wait` names, or `folder/queue_times.py:wait` in a package."""
    path, _, name = target.rpartition(":")
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except _worker_state.Reached as reached:
        found = reached.function
    return found  # type: ignore[no-any-return]


def _seeds(draw: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """The seeds of each sample by the names of their streams."""
    for index in range(draw["count"]):
        yield {name: int(seeds[index], 16) for name, seeds in draw["seeds"].items()}


def _value(metric: str, value: Any) -> Any:
    """A value as the protocol writes it."""
    value = plain(value)
    if value is None or isinstance(value, (bool, Mapping)):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _LARGEST else str(value)
    if isinstance(value, Fraction):
        return {"ratio": [str(value.numerator), str(value.denominator)]}
    if not isinstance(value, float):
        kind = type(value).__name__
        help = "return a number, True or False, a Fraction, or None where there is no value"
        raise TypeError(f"`{metric}` is {value!r}, a {kind}: {help}")
    if not math.isfinite(value):
        raise ValueError(f"`{metric}` is {value}: return None where there is no value")
    return value


def main(target: str, *metrics: str) -> None:
    """Answers the requests on standard input until it closes."""
    # What the module and its function print must not come between the answers.
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    _worker_state.wanted = target.rpartition(":")[2]
    worker = Worker(target, list(metrics))
    for line in sys.stdin.buffer:
        answers.write(json.dumps(worker.answer(json.loads(line))).encode() + b"\n")
        answers.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
