"""A function on its way to the workers: by value, with whatever of the caller's it uses.

What an installation brings travels by name. Everything else, of the script, the notebook and the modules of
the project, travels as the caller's interpreter has it now.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import pickle
import site
import sys
import sysconfig
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import cloudpickle  # type: ignore[import-untyped]

# The type of what `functools.cache` makes, which pickles by a name that workers do not have.
CACHED: Any = type(functools.lru_cache(lambda: None))

# The type of `os.environ`, which holds more than a function may carry, secrets too.
Environment = type(os.environ)

# Paths below which modules are installed, with a separator at the end.
_PLACES = {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
_PLACES |= {*site.getsitepackages(), site.getusersitepackages(), os.path.dirname(__file__)}
_INSTALLED = tuple(os.path.realpath(place) + os.sep for place in _PLACES)

Names = dict[str, set[str]]


class Package(NamedTuple):
    """A function with its name in messages, the surroundings that it runs in, and the hashes of files that it reads."""

    name: str
    function: bytes
    argv: list[str]
    path: list[str]
    folder: str
    files: dict[str, str] = {}


def is_of_project(module: ModuleType | None) -> bool:
    """Whether a module is the caller's own, and no part of an installation."""
    path = getattr(module, "__file__", None)
    if module is None or not path:
        return module is not None and module.__name__ == "__main__"
    return not os.path.realpath(path).startswith(_INSTALLED)


def pack(name: str, function: Callable[..., Any], names: Names, files: dict[str, str]) -> bytes:
    """A function with its surroundings as bytes; of modules of the project, the attributes with these names."""
    package = Package(
        name,
        dumps(function, names),
        list(sys.argv),
        [os.path.abspath(place) for place in sys.path],
        os.getcwd(),
        files,
    )
    return pickle.dumps(tuple(package))


def unpack(data: bytes) -> tuple[str, Callable[..., Any], dict[str, str]]:
    """The function, its name and its files, once the surroundings are those of the caller."""
    package = Package(*pickle.loads(data))
    sys.argv[:] = package.argv
    sys.path[:] = [*package.path, *(place for place in sys.path if place not in package.path)]
    if os.path.isdir(package.folder):
        os.chdir(package.folder)
    return package.name, pickle.loads(package.function), package.files


def dumps(value: Any, names: Names) -> bytes:
    """A value as bytes, with what it uses of the project."""
    file = io.BytesIO()
    with _by_value():
        _Pickler(file, names).dump(value)
    return file.getvalue()


@contextlib.contextmanager
def _by_value() -> Iterator[None]:
    """Lets functions and classes of the project's modules travel by value."""
    known = cloudpickle.list_registry_pickle_by_value()
    # The script has two names where `multiprocessing` is imported.
    found = {module.__name__: module for module in list(sys.modules.values()) if isinstance(module, ModuleType)}
    own = [one for name, one in found.items() if is_of_project(one) and sys.modules.get(name) is one]
    own = [one for one in own if one.__name__ not in known]
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        yield
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


class _Pickler(cloudpickle.Pickler):  # type: ignore[misc]
    def __init__(self, file: io.BytesIO, names: Names) -> None:
        super().__init__(file)
        self.names = names

    def reducer_override(self, value: Any) -> Any:
        if type(value) is CACHED:
            return _cached, (value.__wrapped__, *value.cache_parameters().values())
        if isinstance(value, ModuleType) and is_of_project(value):
            names = self.names.get(value.__name__, set())
            used = {name: one for name, one in vars(value).items() if name in names}
            return _module, (value.__name__,), used, None, None, _fill
        if isinstance(value, Environment):
            return getattr, (os, "environ" if value is os.environ else "environb")
        return super().reducer_override(value)


def reduced(value: Any) -> Any:
    """What travels of an object: how it is made anew, and of what."""
    reduce = cloudpickle.Pickler.dispatch_table.get(type(value))
    return value.__reduce_ex__(4) if reduce is None else reduce(value)


def _cached(function: Callable[..., Any], maxsize: int | None, typed: bool) -> Any:
    return functools.lru_cache(maxsize, typed)(function)


def _module(name: str) -> ModuleType:
    return ModuleType(name, "A module of the caller's, as far as the function uses it.")


def _fill(module: ModuleType, used: dict[str, Any]) -> None:
    vars(module).update(used)


def load(target: str) -> Callable[..., Any]:
    """The function that `queue_times.py:wait` names, or `folder/queue_times.py:wait` in a package."""
    path, _, name = target.rpartition(":")
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found  # type: ignore[no-any-return]
