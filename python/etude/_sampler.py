"""A function that answers requests of protocol 1, in a worker or where it was called."""

from __future__ import annotations

import json
import math
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from . import _caller
from ._toml import plain

# The largest integer that every reader of JSON takes; larger ones go as text.
_LARGEST = 2**53


class Worker:
    """A function, its metrics, and its answers to requests."""

    def __init__(self, function: Callable[..., Any], name: str, metrics: list[str]) -> None:
        self.name = name
        self.function = function
        self.metrics = metrics

    def draw(self, request: Mapping[str, Any]) -> Iterator[list[Any]]:
        """The rows of the samples that are asked for, one by one."""
        for seeds in seeds_of(request):
            yield self.row(self.function(**request["params"], **generators(seeds)))

    def answer(self, request: Mapping[str, Any], caller: _caller.Link | None = None) -> dict[str, Any]:
        """The answer to one request of protocol 1, compared with what the caller draws, if it is asked."""
        if "hello" in request:
            return {"hello": {"protocol": 1, "name": self.name}}
        [draw] = (request[verb] for verb in ("draw", "replay") if verb in request)
        rows: list[list[Any]] = []
        asked = caller.ask(draw) if caller is not None else False
        try:
            for row in self.draw(draw):
                rows.append(row)
        except Exception as error:
            # What no caller's call does is the fault of its surroundings.
            fault = traceback.format_exception_only(type(error), error)[-1].strip()
            told = self.told(draw, len(rows), error)
            if caller is not None:
                caller.refuse(draw, len(rows), fault, told)
            print(told, file=sys.stderr)
            return {"id": request["id"], "at": draw["first"] + len(rows), "error": fault}
        if asked and caller is not None:
            differing = caller.compare(draw, rows, self.metrics)
            if differing is not None:
                return {"id": request["id"], "at": draw["first"] + differing[0], "error": differing[1]}
        return {"id": request["id"], "rows": rows}

    def told(self, request: Mapping[str, Any], row: int, error: BaseException) -> str:
        """How the fault came about, in the caller's own files, and the call that shows it again."""
        here = os.path.dirname(__file__)
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if os.path.dirname(frame.filename) != here]
        seeds = list(seeds_of(request))[row]
        given = ", ".join(f"{name}={value!r}" for name, value in {**request["params"], **seeds}.items())
        text = "".join(traceback.format_list(own) + traceback.format_exception_only(type(error), error))
        return f"{text}to see it alone: {self.name}({given})"

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


def seeds_of(draw: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    """The seeds of each sample by the names of their streams."""
    for index in range(draw["count"]):
        yield {name: int(seeds[index], 16) for name, seeds in draw["seeds"].items()}


def generators(seeds: Mapping[str, int]) -> dict[str, Any]:
    """The values of streams: for one named `rng` a generator of numpy, for any other its seed."""
    return {name: _generator(seed) if name == "rng" else seed for name, seed in seeds.items()}


def _generator(seed: int) -> Any:
    import numpy

    return numpy.random.default_rng(seed)


def _value(metric: str, value: Any) -> Any:
    """A value as the protocol writes it."""
    value = plain(value)
    if value is None or isinstance(value, (bool, Mapping)):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) <= _LARGEST else str(int(value))
    if isinstance(value, Fraction):
        return {"ratio": [str(value.numerator), str(value.denominator)]}
    if not isinstance(value, float):
        kind = type(value).__name__
        help = "return a number, True or False, a Fraction, or None where there is no value"
        raise TypeError(f"`{metric}` is {value!r}, a {kind}: {help}")
    if not math.isfinite(value):
        raise ValueError(f"`{metric}` is {value}: return None where there is no value")
    return float(value)
