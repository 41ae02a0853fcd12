"""A function that answers requests of protocol 1, in a worker or where it was called."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from types import FunctionType
from typing import Any

from . import _caller
from ._identity import digest
from ._toml import plain
from ._travel import CACHED

# The largest integer that every reader of JSON takes; larger ones go as text.
_LARGEST = 2**53

# Nanoseconds for which a file must have been left alone before its marks stand for its contents.
_COARSEST = 3 * 10**9


class Worker:
    """A function, its metrics, and its answers to requests, as long as the files that it reads have their hashes."""

    def __init__(
        self, function: Callable[..., Any], name: str, metrics: list[str], files: Mapping[str, str] = {}
    ) -> None:
        self.name = name
        self.function = function
        self.metrics = metrics
        self.files = files
        self.seen: dict[str, tuple[int, int]] = {}

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
            self.check_files()
        except Exception as error:
            # What no caller's call does is the fault of its surroundings.
            fault = traceback.format_exception_only(type(error), error)[-1].strip()
            at = min(len(rows), draw["count"] - 1)
            told = self.told(draw, at, error)
            if caller is not None:
                caller.refuse(draw, at, fault, told)
            print(told, file=sys.stderr)
            return {"id": request["id"], "at": draw["first"] + at, "error": fault}
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
        text = "".join(traceback.format_list(own) + traceback.format_exception_only(type(error), error))
        seeds = list(seeds_of(request))[row]
        return f"{text}to see it alone: {self.call(request['params'], seeds)}"

    def call(self, params: Mapping[str, Any], seeds: Mapping[str, int]) -> str:
        """A call as a person types it, in words where no text can stand for what is given."""
        kept = self.function if isinstance(self.function, functools.partial) else functools.partial(self.function)
        texts = {name: repr(value) for name, value in params.items()}
        texts |= {name: f"numpy.random.default_rng({n})" if name == "rng" else str(n) for name, n in seeds.items()}
        texts |= {name: repr(value) if _is_literal(value) else name for name, value in kept.keywords.items()}
        given = ", ".join(f"{name}={text}" for name, text in texts.items())
        objects = [f"`{name}`" for name, value in kept.keywords.items() if not _is_literal(value)]
        as_given = f", with {' and '.join(objects)} as it was given" if objects else ""
        is_named = isinstance(kept.func, (FunctionType, CACHED)) and self.name.replace(".", "").isidentifier()
        if is_named and not kept.args:
            return f"{self.name}({given}){as_given}"
        return f"call the function as it was given to etude.simulate, with {given}{as_given}"

    def check_files(self) -> None:
        """Refuses rows for which a file may not have been what it was; reads only what was written to."""
        for name, wanted in self.files.items():
            path = Path(name)
            if not path.exists():
                continue  # The function says what it misses.
            marks = path.stat().st_mtime_ns, path.stat().st_size
            if self.seen.get(name) != marks and digest(path.read_bytes()) != wanted:
                help = "restore it, or call again with it as it is"
                raise ValueError(f"the file {name} has changed since the call: {help}")
            # Two changes within the tick of a file system's clock have the same marks.
            if time.time_ns() - marks[0] > _COARSEST:
                self.seen[name] = marks

    def row(self, result: Any) -> list[Any]:
        """What the function returned for a sample, in the order of the metrics."""
        # A metric that is alone may be known only within bounds, or as a ratio.
        is_alone = len(self.metrics) == 1 and self.metrics[0] not in ("lo", "hi", "ratio")
        if isinstance(result, Mapping) and not (is_alone and set(result) in ({"lo", "hi"}, {"ratio"})):
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
    if isinstance(value, Mapping):
        return {key: _part(metric, part) for key, part in value.items()}
    if value is None or isinstance(value, bool):
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


def _part(metric: str, value: Any) -> Any:
    """A bound, or the terms of a ratio, of which each is one number."""
    if isinstance(value, (list, tuple)):
        return [_part(metric, one) for one in value]
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else float(value)
    return _value(metric, value)


def _is_literal(value: Any) -> bool:
    return value is None or isinstance(value, (bool, int, float, str))
