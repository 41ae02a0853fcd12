"""A Python function as a simulation, without a file, a protocol or a process of one's own."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Optional, Union

from . import _toml, _worker_state
from ._program import StrPath, start

Metric = Union[type, Mapping[str, Any]]

_METRICS: dict[type, dict[str, Any]] = {
    bool: {"kind": "flag"},
    int: {"kind": "total"},
    float: {"kind": "number"},
}
_PARAMS = {bool: "flag", int: "integer", float: "number", str: "text"}


class _Source(NamedTuple):
    """The place of a function: a folder to import its module from, and the module's path there."""

    folder: Path
    path: str


def simulate(
    function: Callable[..., Any],
    *,
    params: Optional[Mapping[str, Any]] = None,
    metrics: Mapping[str, Metric],
    samples: int,
    seed: int = 1,
    name: Optional[str] = None,
    out: Optional[StrPath] = None,
    files: Sequence[str] = (),
    keep: bool = True,
    experiment: Optional[Mapping[str, Any]] = None,
    arguments: Sequence[object] = (),
) -> Path:
    """Samples a function on all cores, and returns the folder of the results.

    The function is called with `params` by name; a list of values is swept. Each of its other parameters
    is a stream: it gets a seed of its own for every sample, an integer for `random.Random` or
    `numpy.random.default_rng`. It returns the values of `metrics`: one alone, several in a tuple in their
    order, or a dictionary by name. A metric is `bool` (a share), `int`, `float`, or what `[command.metrics]`
    of an experiment file would say, such as `{"kind": "number", "min": 0, "max": 600}`.

    `keep` writes every sample, for `etude.samples`. `files` names other files that determine the numbers,
    relative to the function's folder, where it runs. `experiment` has further keys of the experiment file,
    such as `{"question": "...", "claims": [...]}`, and `arguments` are those of `etude run`, such as
    `["--resume"]` or `["--force"]`. The numbers are those of a file that says the same.

    The function must be importable, so it is defined at the top of a module or script, not in a notebook.
    Raises `ValueError` or `TypeError` if it is not, and `etude.Failed` where the run fails.
    """
    _worker_state.stop_at(function)
    source = _source(function)
    name = name or _file_name(function.__name__)
    table = {
        "name": name,
        "task": "command",
        "seed": seed,
        "stop": {"samples": samples},
        **_declaration(function, source, params or {}, metrics, files),
        **({"output": {"samples": True}} if keep else {}),
        **(experiment or {}),
    }
    folder = Path("results", name) if out is None else Path(out)
    line = ["run", "-", "--out", folder.absolute(), *arguments]
    start(line, text=_toml.dumps(table), cwd=source.folder)
    return folder


def _declaration(
    function: Callable[..., Any],
    source: _Source,
    params: Mapping[str, Any],
    metrics: Mapping[str, Metric],
    files: Sequence[str],
) -> dict[str, Any]:
    """`[command]` and `[sweep]` of the experiment."""
    if not isinstance(metrics, Mapping) or not metrics:
        raise ValueError(f'metrics is {metrics!r}: name what the function returns, such as {{"wait": float}}')
    swept = {name: list(values) for name, values in params.items() if _is_swept(values)}
    command = {
        "run": [_interpreter(), "-m", "etude.worker", f"{source.path}:{function.__qualname__}", *metrics],
        "files": [source.path, *files],
        "streams": _streams(function, params),
        "params": {name: _param(name, swept.get(name, [value])) for name, value in params.items()},
        "metrics": {name: _metric(name, metric) for name, metric in metrics.items()},
    }
    return {"command": command, **({"sweep": swept} if swept else {})}


def _is_swept(values: Any) -> bool:
    return isinstance(values, (list, tuple, range))


def _streams(function: Callable[..., Any], params: Mapping[str, Any]) -> list[str]:
    """The function's parameters that have no value: each is a stream of seeds."""
    known = inspect.signature(function).parameters
    if not any(param.kind is param.VAR_KEYWORD for param in known.values()):
        for name in params:
            if name not in known:
                has = ", ".join(known) or "none"
                raise ValueError(f"{function.__name__} has no parameter `{name}`: it has {has}")
    named = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    free = [name for name, param in known.items() if name not in params and param.default is param.empty]
    streams = [name for name in free if known[name].kind in named]
    if not streams:
        raise ValueError(
            f"{function.__name__} takes no seed: each sample would be the same; "
            f"write `def {function.__name__}(seed, ...)`"
        )
    return streams


def _param(name: str, values: list[Any]) -> dict[str, Any]:
    """A parameter, declared by the values that it takes."""
    values = [_toml.plain(value) for value in values]
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


def _interpreter() -> str:
    """The name of this interpreter beside it, `python` where there is one."""
    folder, full = os.path.split(sys.executable)
    plain = "python" + os.path.splitext(full)[1]
    return "python" if os.path.isfile(os.path.join(folder, plain)) else "python3"


def _source(function: Callable[..., Any]) -> _Source:
    """The place that workers import the function from."""
    name = getattr(function, "__qualname__", None)
    if name is None or not callable(function):
        raise TypeError(f"{function!r} is not a function")
    if inspect.ismethod(function) and not inspect.isclass(function.__self__):
        raise ValueError(f"{name} is a method of an object, which no other process has: write a function")
    if "<lambda>" in name:
        raise ValueError("a lambda has no name to import it by: write `def`")
    if "<locals>" in name:
        raise ValueError(f"{name} is defined inside of a function: move it to the top of its module")
    module = sys.modules[function.__module__]
    path = getattr(module, "__file__", None)
    if path is None or not path.endswith(".py") or not os.path.isfile(path):
        where = "a notebook or a prompt" if function.__module__ == "__main__" else function.__module__
        raise ValueError(
            f"{name} is defined in {where}, and no other process can import it from there: "
            "write it into a file, such as simulation.py, and `from simulation import "
            f"{name}` (in a notebook, `%%writefile simulation.py` in the first line of its cell does so)"
        )
    return _place(Path(path).resolve(), getattr(module, "__spec__", None))


def _place(path: Path, spec: Any) -> _Source:
    """The place of a module's file, given the spec that a module of a package has."""
    names = spec.name.split(".") if spec is not None else [path.stem]
    folder = path.parents[len(names) - (path.stem != "__init__")]
    place = path.relative_to(folder)
    for part in place.with_suffix("").parts:
        if "." in part:
            raise ValueError(f"{path} cannot be imported: `{part}` has a point; rename it")
    return _Source(folder, place.as_posix())


def _file_name(name: str) -> str:
    """The name of a function as the name of an experiment: small letters, digits and hyphens."""
    letters = [c if c.isascii() and c.isalnum() else "-" for c in name.lower()]
    return "".join(letters).strip("-") or "simulation"
