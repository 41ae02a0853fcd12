"""A Python function as a simulation, without a file, a protocol or a process of one's own."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import math
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Union

from . import _caller, _toml, _travel, _verbs
from ._identity import Identity, changed
from ._program import Failed, Place, StrPath, options, start
from ._result import Result
from ._sampler import Worker

Metric = Union[type, Mapping[str, Any]]

_METRICS: dict[type, dict[str, Any]] = {
    bool: {"kind": "flag"},
    int: {"kind": "total"},
    float: {"kind": "number"},
}
_PARAMS = {bool: "flag", int: "integer", float: "number", str: "text"}

# Parameters of a function that are streams by their names.
_STREAMS = ("seed", "rng")

# Samples of the first and the last cell that the decimals of a number are chosen from.
_PILOT = 4

# The decimals of a number of ordinary size, the most that there are, and the digits that they may make it have.
_USUAL, _MOST, _DIGITS = 12, 18, 15

# The most samples of a cell whose precision decides.
_CAP = 1_000_000


class Precision(NamedTuple):
    """The precision at which each cell may stop by itself: the half-width of the interval of `metric`, in its unit
    or, with `relative`, as a share of the cell's own estimate."""

    metric: str
    half_width: float | None = None
    relative: float | None = None


class Changed(Failed):
    """The function is not the one whose samples the folder holds, and draws others."""


def simulate(
    function: Callable[..., Any],
    *,
    metrics: Mapping[str, Metric],
    samples: int | None = None,
    until: Precision | None = None,
    params: Mapping[str, Any] | None = None,
    sweep: Mapping[str, Any] | None = None,
    streams: Sequence[str] = (),
    seed: int = 1,
    name: str | None = None,
    out: StrPath | None = None,
    files: Sequence[StrPath] = (),
    keep: bool = True,
    question: str | None = None,
    claims: Sequence[Mapping[str, Any]] = (),
    experiment: Mapping[str, Any] | None = None,
    threads: int | None = None,
    shard: str | None = None,
    force: bool = False,
    quiet: bool = False,
    patience: float = 60,
) -> Result:
    """Samples a function on all cores.

    The function is called with `params` by name, and with every combination of the values in `sweep`. Its
    parameters `seed` and `rng`, and those in `streams`, get a seed of their own for every sample: an integer for
    `random.Random` or `numpy.random.default_rng`, and of `rng` a `numpy.random.Generator`. It returns the values
    of `metrics`: one alone, several in a tuple in their order, or a dictionary by name. A metric is `bool` (a
    share), `int`, `float`, or what `[command.metrics]` of an experiment file would say, such as
    `{"kind": "number", "min": 0, "max": 600}`.

    It may be a lambda, a closure, a partial, a method or of a notebook: it travels to the processes that sample it
    as it is now, with what it uses. `files` names files that it reads. Whatever else it draws than the
    same call here is refused.

    `samples` is their number in each cell; with `until`, their cap. The same call goes on with its folder. `keep`
    writes every sample, for `Result.samples`. `experiment` has further keys of the experiment file. Raises
    `ValueError` or `TypeError` for what cannot be, `Changed` where the folder holds samples of another function,
    and `Failed` where the run fails.
    """
    _caller.forbid_in_worker("etude.simulate")
    if not callable(function):
        raise TypeError(f"{function!r} is not a function")
    label = _label(function)
    given = _values(params or {}, sweep or {})
    fixed = {name: value for name, value in given.items() if _is_object(value)}
    named = {name: value for name, value in given.items() if name not in fixed}
    own = _streams(function, label, given, streams)
    bound = functools.partial(function, **fixed) if fixed else function
    simulation = _Simulation(bound, label, own, named, metrics)
    name = name or _file_name(_name(function))
    output = {"output": {"samples": True}} if keep else {}
    claimed = {"claims": [dict(claim) for claim in claims]} if claims else {}
    table = {
        "name": name,
        "question": question,
        "task": "command",
        "seed": seed,
        "stop": _stop(samples, until),
        **simulation.declaration(seed, patience),
        **output,
        **claimed,
        **(experiment or {}),
    }
    folder = _verbs.folder_of(name, out, shard)
    identity = Identity(bound, [Path(path) for path in files])
    given_options = options(threads=threads, shard=shard, force=force, quiet=quiet)
    text, place = _toml.dumps(table), simulation.place(folder)

    def sample(goes_on: bool) -> None:
        start(["run", "-", "--out", folder.absolute(), *given_options, *options(resume=goes_on)], text, folder, place)

    _Bundle(folder, identity).sample(_packed(simulation, identity), force, label, sample)
    return Result(folder)


class _Simulation(NamedTuple):
    """A function with what it is called with, and what it returns."""

    function: Callable[..., Any]
    label: str
    streams: list[str]
    params: dict[str, Any]
    metrics: Mapping[str, Metric]

    def worker(self) -> Worker:
        return Worker(self.function, self.label.partition(" ")[0], list(self.metrics))

    def command(self) -> list[str]:
        return [_interpreter(), "-m", "etude.worker", f"{_verbs.PROGRAM}/function.pickle", *self.metrics]

    def place(self, folder: Path) -> Place:
        said = {f"`{' '.join(self.command())}`": self.label, str(folder.absolute()): str(folder)}
        return Place(said, self.label, _caller.Desk(self.worker().draw, self.ends()))

    def swept(self) -> dict[str, list[Any]]:
        return {name: values for name, values in self.params.items() if isinstance(values, list)}

    def ends(self) -> list[dict[str, Any]]:
        """The parameters of the first cell, and of the last if there are several."""
        ends = [
            {name: values[end] if isinstance(values, list) else values for name, values in self.params.items()}
            for end in (0, -1)
        ]
        return ends if ends[0] != ends[1] else ends[:1]

    def declaration(self, seed: int, patience: float) -> dict[str, Any]:
        """`[command]` and `[sweep]` of the experiment."""
        metrics = self.metrics
        if not isinstance(metrics, Mapping) or not metrics:
            raise ValueError(f'metrics is {metrics!r}: name what the function returns, such as {{"wait": float}}')
        swept = self.swept()
        params = {name: _param(name, swept.get(name, [value])) for name, value in self.params.items()}
        declared = {name: dict(_metric(name, metric)) for name, metric in metrics.items()}
        self.choose_decimals(declared, seed)
        command = {
            "run": self.command(),
            "files": [f"{_verbs.PROGRAM}/function.json"],
            "streams": self.streams,
            "patience": patience,
            "params": params,
            "metrics": declared,
        }
        return {"command": command, **({"sweep": swept} if swept else {})}

    def choose_decimals(self, metrics: Mapping[str, dict[str, Any]], seed: int) -> None:
        """Declares the decimals of numbers that leave them open, by the values of some samples."""
        free = [
            index
            for index, metric in enumerate(metrics.values())
            if metric.get("kind") == "number" and "decimals" not in metric
        ]
        if not free:
            return
        rows: list[list[Any]] = []
        worker = self.worker()
        with _caller.undisturbed():
            for params in self.ends():
                rows.extend(worker.draw({"params": params, "count": _PILOT, "seeds": self.pilot_seeds(seed)}))
        declared = list(metrics.values())
        for index in free:
            ends = [declared[index].get(end, 0) for end in ("min", "max")]
            drawn = [row[index] for row in rows if isinstance(row[index], (int, float))]
            declared[index]["decimals"] = _decimals([*ends, *drawn])

    def pilot_seeds(self, seed: int) -> dict[str, list[str]]:
        def one(stream: str, index: int) -> str:
            return hashlib.blake2b(f"{seed} {stream} {index}".encode(), digest_size=32).hexdigest()

        return {stream: [one(stream, index) for index in range(_PILOT)] for stream in self.streams}


class _Bundle:
    """The function in its run folder: as bytes, and its identity."""

    def __init__(self, folder: Path, identity: Identity) -> None:
        self.folder = folder
        self.identity = identity
        self.config = folder / "config.toml"
        self.entries = folder / _verbs.PROGRAM / "function.json"
        self.pickle = folder / _verbs.PROGRAM / "function.pickle"

    def sample(self, packed: bytes, force: bool, label: str, sample: Callable[[bool], Any]) -> None:
        """Samples the function, with whether a run goes on. One that goes on with another function puts that in
        its place only if stored samples come out the same."""
        goes_on = self.config.exists() and not force
        if self.config.exists() and not self.entries.exists():
            raise ValueError(f"{self.folder} holds a run of no function: choose another folder with `out`")
        self._refuse_foreign()
        before = [_contents(path) for path in (self.config, self.entries, self.pickle)]
        told = changed(json.loads(before[1]), self.identity.entries) if goes_on and before[1] else []
        what = "; ".join(told[:4]) + (f"; and {len(told) - 4} more" if len(told) > 4 else "")
        if told:
            print(f"{label} has changed: {what}. Stored samples are drawn again.", file=sys.stderr)
        self.entries.parent.mkdir(parents=True, exist_ok=True)
        _replace(self.entries, (json.dumps(self.identity.entries, indent=1, sort_keys=True) + "\n").encode())
        _replace(self.pickle, packed)
        try:
            sample(goes_on)
        except BaseException as error:
            if told and before[0] == _contents(self.config):
                _replace(self.entries, before[1])
                _replace(self.pickle, before[2])
            if told and isinstance(error, Failed) and "has changed since the run began" in str(error):
                raise Changed(error.returncode, error.cmd, stderr=self._refusal(label, what, str(error))) from None
            raise

    def _refusal(self, label: str, what: str, said: str) -> str:
        found = said.partition("\n")[0].rpartition("; ")[2]
        return (
            f"{label} is not the function whose samples {self.folder} holds: {what}; {found}\n"
            "help: start over with `force=True`, choose another folder with `out`, or restore what has changed"
        )

    def _refuse_foreign(self) -> None:
        """Leaves a folder alone that holds anything else."""
        held = set(os.listdir(self.folder)) if self.folder.is_dir() else set()
        if held - {_verbs.PROGRAM} and not self.config.exists():
            raise ValueError(f"{self.folder} holds other files, and no run: choose another folder with `out`")


def _contents(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _replace(path: Path, data: bytes) -> None:
    """Writes a file as a whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _packed(simulation: _Simulation, identity: Identity) -> bytes:
    """The function as bytes."""
    function, label = simulation.function, simulation.label
    try:
        return _travel.pack(label.partition(" ")[0], function, identity.names)
    except Exception as error:
        for name, value in identity.uses:
            try:
                _travel.dumps(value, identity.names)
            except Exception:
                kind = type(value).__name__
                raise TypeError(
                    f"{label} uses `{name}`, a {kind}, which cannot travel to other processes ({error}): "
                    "make it within the function"
                ) from None
        raise TypeError(f"{label} cannot travel to other processes: {error}") from error


def _values(params: Mapping[str, Any], sweep: Mapping[str, Any]) -> dict[str, Any]:
    """The values of all parameters; a list, a range or an array is swept."""
    for name in sweep:
        if not _is_swept(sweep[name]):
            raise TypeError(f"sweep[{name!r}] is {sweep[name]!r}: give a list, a range or an array of values")
        if name in params:
            raise ValueError(f"`{name}` is in params and in sweep: leave one out")
    values = {**params, **sweep}
    listed = {name: _listed(value) for name, value in values.items()}
    empty = [name for name, value in listed.items() if value == []]
    if empty:
        raise ValueError(f"`{empty[0]}` has no value: its list is empty")
    return listed


def _listed(value: Any) -> Any:
    return [_toml.plain(one) for one in value] if _is_swept(value) else _toml.plain(value)


def _is_swept(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or len(getattr(value, "shape", ())) == 1


def _is_object(value: Any) -> bool:
    """Whether a value travels with the function, because no experiment file can hold it."""
    return not isinstance(value, (list, bool, int, float, str)) and value is not None


def _streams(
    function: Callable[..., Any], label: str, given: Mapping[str, Any], streams: Sequence[str]
) -> list[str]:
    """The function's streams; refuses names that it does not have, and parameters without a value."""
    named = [streams] if isinstance(streams, str) else list(streams)
    try:
        known = inspect.signature(function).parameters
    except (TypeError, ValueError):
        raise ValueError(f"{label} does not say which parameters it has: call it in a function of your own") from None
    takes_any = any(param.kind is param.VAR_KEYWORD for param in known.values())
    for name in [*given, *named]:
        if name not in known and not takes_any:
            raise ValueError(f"{label} has no parameter `{name}`: it has {', '.join(known) or 'none'}")
    both = [name for name in named if name in given]
    if both:
        raise ValueError(f"`{both[0]}` is a stream and has a value: leave one out")
    named += [name for name in known if name in _STREAMS and name not in given and name not in named]
    for name, param in known.items():
        is_free = param.default is param.empty and param.kind not in (param.VAR_KEYWORD, param.VAR_POSITIONAL)
        if is_free and name not in given and name not in named:
            raise ValueError(
                f"{label}: its parameter `{name}` has no value: give it in params or sweep, or, if it is to be "
                f"a seed, in streams=[{name!r}]"
            )
        if param.kind is param.POSITIONAL_ONLY and (name in given or name in named):
            raise ValueError(f"{label}: its parameter `{name}` cannot be given by name: take the `/` away")
    if not named:
        raise ValueError(
            f"{label} takes no seed: each sample would be the same; write `def {_name(function)}(seed, ...)`"
        )
    return named


def _stop(samples: int | None, until: Precision | None) -> dict[str, Any]:
    """`[stop]` of the experiment."""
    if until is None:
        if samples is None:
            raise ValueError("neither samples nor until is given: say how many samples, or how precise")
        return {"samples": samples}
    given = {"target": until.half_width, "relative": until.relative}
    widths = {key: float(value) for key, value in given.items() if value is not None}
    if len(widths) != 1:
        raise ValueError(f"{until!r}: give either half_width, in the unit of the metric, or relative, such as 0.01")
    cap = _CAP if samples is None else samples
    return {"half-width": {"metric": until.metric, **widths, "each-cell": True, "max-samples": cap}}


def _param(name: str, values: list[Any]) -> dict[str, Any]:
    """A parameter, declared by the values that it takes."""
    kinds = {_PARAMS.get(type(value)) for value in values}
    if kinds == {"integer", "number"}:
        kinds = {"number"}
    [kind, *others] = kinds or {None}
    if kind is None or others:
        given = repr(values[0]) if len(values) == 1 else repr(values)
        raise TypeError(
            f"the parameter `{name}` is {given}: give a number, True, False or a text, or a list of one kind"
        )
    return {"kind": kind, "default": values[0]}


def _metric(name: str, metric: Metric) -> Mapping[str, Any]:
    if isinstance(metric, Mapping):
        return metric
    if isinstance(metric, type) and metric in _METRICS:
        return _METRICS[metric]
    help = 'give bool, int, float, or a dictionary such as {"kind": "number", "min": 0, "max": 600}'
    raise TypeError(f"the metric `{name}` is {metric!r}: {help}")


def _decimals(values: list[float]) -> int:
    """The decimals of a number that is as large as these: as many as it can have with all its digits, and more of
    one that begins with zeros."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    whole = math.floor(math.log10(largest)) + 1 if largest > 0 else 0
    return max(0, min(_USUAL - min(whole, 0), _MOST, _DIGITS - whole))


def _interpreter() -> str:
    """The name of this interpreter beside it, `python` where there is one."""
    folder, full = os.path.split(sys.executable)
    plain = "python" + os.path.splitext(full)[1]
    return "python" if os.path.isfile(os.path.join(folder, plain)) else "python3"


def _inner(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function within a partial, a method or a decorated one."""
    while True:
        inner = getattr(function, "func", None) or getattr(function, "__wrapped__", None)
        if inner is None:
            return function
        function = inner


def _name(function: Callable[..., Any]) -> str:
    inner = _inner(function)
    return str(getattr(inner, "__name__", type(inner).__name__))


def _label(function: Callable[..., Any]) -> str:
    """A function as messages name it, with the place where it is written."""
    inner = _inner(function)
    code = getattr(inner, "__code__", None) or getattr(getattr(type(inner), "__call__", None), "__code__", None)
    name = str(getattr(inner, "__qualname__", type(inner).__qualname__)).rpartition("<locals>.")[2]
    if code is None:
        return name
    file = code.co_filename
    is_of_notebook = "ipykernel" in file or file.startswith("<ipython")
    place = "a cell of the notebook" if is_of_notebook else os.path.basename(file)
    return f"{name} ({place}, line {code.co_firstlineno})"


def _file_name(name: str) -> str:
    """The name of a function as the name of an experiment: small letters, digits and hyphens."""
    letters = [c if c.isascii() and c.isalnum() else "-" for c in name.lower()]
    parts = [part for part in "".join(letters).split("-") if part]
    return "-".join(parts) or "simulation"
