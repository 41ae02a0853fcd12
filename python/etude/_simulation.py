"""A Python function as a simulation, without a file, a protocol or a process of one's own."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType
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

# What the program says of a folder whose function is another one.
_CHANGED = "has changed since the run began"

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
    as it is now, with what it uses. `files` names files that it reads, which stop the run if they change.
    Whatever else it draws than the same call here is refused.

    `samples` is their number in each cell; with `until`, their cap. The same call goes on with its folder. `keep`
    writes every sample, for `Result.samples`. `experiment` has further keys of the experiment file. Raises
    `ValueError` or `TypeError` for what cannot be, `Changed` where the folder holds samples of another function,
    and `Failed` where the run fails.
    """
    _caller.forbid_in_worker("etude.simulate")
    if not callable(function):
        raise TypeError(f"{function!r} is not a function")
    for key, table in (("params", params), ("sweep", sweep), ("experiment", experiment)):
        if not isinstance(table or {}, Mapping):
            raise TypeError(f"{key} is {table!r}: give a dictionary by names")
    read = _files(files)
    label = _label(function)
    given = _values(params or {}, sweep or {})
    fixed = {name: value for name, value in given.items() if _is_object(value)}
    named = {name: value for name, value in given.items() if name not in fixed}
    own = _streams(function, label, given, streams)
    bound = functools.partial(function, **fixed) if fixed else function
    simulation = _Simulation(bound, label, own, named, metrics)
    name = name or _file_name(_name(function))
    output = {"output": {"samples": True}} if keep else {}
    claimed = {"claims": _claims(claims)} if claims else {}
    declared = {
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
    identity = Identity(bound, read)
    given_options = options(threads=threads, shard=shard, force=force, quiet=quiet)
    text, place = _toml.dumps(declared), simulation.place(folder)

    def sample(goes_on: bool) -> None:
        start(["run", "-", "--out", folder.absolute(), *given_options, *options(resume=goes_on)], text, folder, place)

    bundle = _Bundle(folder, identity, label)
    bundle.sample(_packed(simulation, identity), sample, text if force else None)
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

    def __init__(self, folder: Path, identity: Identity, label: str) -> None:
        self.folder = folder
        self.identity = identity
        self.label = label
        self.config = folder / "config.toml"
        self.entries = folder / _verbs.PROGRAM / "function.json"
        self.pickle = folder / _verbs.PROGRAM / "function.pickle"

    def sample(self, packed: bytes, sample: Callable[[bool], None], forced: str | None) -> None:
        """Samples the function, with whether a run goes on; with the text of a `forced` experiment, starts over.

        A run that goes on with another function puts that in its place only if stored samples come out the same.
        """
        goes_on = self.config.exists() and forced is None
        if self.config.exists() and not self.entries.exists():
            raise ValueError(f"{self.folder} holds a run of no function: choose another folder with `out`")
        self._refuse_foreign()
        held = _contents(self.entries)
        told = changed(json.loads(held), self.identity.entries) if goes_on and held else []
        what = "; ".join(told[:4]) + (f"; and {len(told) - 4} more" if len(told) > 4 else "")
        if told:
            print(f"{self.label} has changed: {what}. Stored samples are drawn again.", file=sys.stderr)
        try:
            with self._unless_begun():
                self.entries.parent.mkdir(parents=True, exist_ok=True)
                _replace(self.entries, (json.dumps(self.identity.entries, indent=1, sort_keys=True) + "\n").encode())
                _replace(self.pickle, packed)
                self._start(sample, goes_on, forced)
        except Failed as error:
            if told and _CHANGED in str(error):
                raise Changed(error.returncode, error.cmd, stderr=self._refusal(what, str(error))) from None
            raise

    def _start(self, sample: Callable[[bool], None], goes_on: bool, forced: str | None) -> None:
        """Samples; a forced run takes the place of another one, too, which the program alone would not lose."""
        if forced is None:
            return sample(goes_on)
        try:
            return sample(goes_on)
        except Failed as error:
            if not any(said in str(error) for said in (_CHANGED, "the folder holds another run")):
                raise
        with self._set_aside(forced):
            sample(goes_on)

    @contextlib.contextmanager
    def _unless_begun(self) -> Iterator[None]:
        """Puts the function back that was there where a call fails before the run's file is written."""
        before = {path: _contents(path) for path in (self.config, self.entries, self.pickle)}
        try:
            yield
        except BaseException:
            if before[self.config] == _contents(self.config):
                _restore(self.entries, before[self.entries])
                _restore(self.pickle, before[self.pickle])
                for folder in (self.entries.parent, self.folder):
                    with contextlib.suppress(OSError):  # It holds something.
                        folder.rmdir()
            raise

    @contextlib.contextmanager
    def _set_aside(self, text: str) -> Iterator[None]:
        """Makes an earlier run one of this experiment, without samples, and brings it back if that is not begun."""
        before = _contents(self.config)
        paths = [self.folder / name for name in ("manifest.json", "blocks.csv")]
        aside = [(path, path.with_name(f".{path.name}.before")) for path in paths if path.exists()]
        for path, kept in aside:
            path.replace(kept)
        _replace(self.config, text.encode())
        try:
            yield
        finally:
            is_begun = _contents(self.config) != text.encode()
            for path, kept in aside:
                kept.unlink() if is_begun else kept.replace(path)
            if not is_begun:
                _restore(self.config, before)

    def _refusal(self, what: str, said: str) -> str:
        found = said.partition("\n")[0].rpartition("; ")[2]
        return (
            f"{self.label} is not the function whose samples {self.folder} holds: {what}; {found}\n"
            "help: start over with `force=True`, choose another folder with `out`, or restore what has changed"
        )

    def _refuse_foreign(self) -> None:
        """Leaves a folder alone that holds anything else."""
        held = set(os.listdir(self.folder)) if self.folder.is_dir() else set()
        if held - {_verbs.PROGRAM} and not self.config.exists():
            raise ValueError(f"{self.folder} holds other files, and no run: choose another folder with `out`")


def _contents(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def _restore(path: Path, data: bytes | None) -> None:
    """Makes a file what it was, which may be none."""
    if data is None:
        path.unlink(missing_ok=True)
    else:
        _replace(path, data)


def _replace(path: Path, data: bytes) -> None:
    """Writes a file as a whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _packed(simulation: _Simulation, identity: Identity) -> bytes:
    """The function as bytes."""
    function, label = simulation.function, simulation.label
    for name, value in identity.uses:
        if isinstance(value, dict) and os.environ and os.environ.items() <= value.items():
            raise TypeError(
                f"{label} uses `{name}`, a copy of all environment variables, which the run folder would hold: "
                "use os.environ within the function"
            )
    try:
        return _travel.pack(label.partition(" ")[0], function, identity.names, identity.files)
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
    return isinstance(value, (list, tuple, range)) or hasattr(type(value), "shape") and len(value.shape) == 1


def _is_object(value: Any) -> bool:
    """Whether a value travels with the function, because no experiment file can hold it."""
    return not isinstance(value, (list, bool, int, float, str)) and value is not None


def _files(files: Sequence[StrPath]) -> list[Path]:
    """The files that the function reads."""
    paths = [Path(path) for path in ([files] if isinstance(files, (str, os.PathLike)) else files)]
    for path in paths:
        if not path.is_file():
            raise ValueError(f"files has {str(path)!r}, which is no file: give what the function reads")
    return paths


def _claims(claims: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(claims, (str, Mapping)) or not all(isinstance(claim, Mapping) for claim in claims):
        example = '[{"source": "...", "text": "...", "holds": "wait.mean > 0"}]'
        raise TypeError(f"claims is {claims!r}: give a list of dictionaries such as {example}")
    return [dict(claim) for claim in claims]


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
    if not isinstance(until, Precision):
        raise TypeError(f'until is {until!r}: name the metric, such as etude.Precision("late", 0.01)')
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
        inner = function.func if isinstance(function, functools.partial) else _own(function).get("__wrapped__")
        if inner is None:
            return function
        function = inner


def _own(value: Any) -> Mapping[str, Any]:
    """The attributes that a value has, when it may answer to any name."""
    own = getattr(value, "__dict__", None)
    return own if isinstance(own, Mapping) else {}


def _name(function: Callable[..., Any]) -> str:
    inner = _inner(function)
    name = getattr(inner, "__name__", None)
    return name if isinstance(name, str) else type(inner).__name__


def _label(function: Callable[..., Any]) -> str:
    """A function as messages name it, with the place where it is written."""
    inner = _inner(function)
    code = getattr(inner, "__code__", None)
    if not isinstance(code, CodeType):
        code = getattr(getattr(type(inner), "__call__", None), "__code__", None)
    name = getattr(inner, "__qualname__", None)
    name = (name if isinstance(name, str) else type(inner).__qualname__).rpartition("<locals>.")[2]
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
