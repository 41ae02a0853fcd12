"""The identity of a function: its code and the values that it uses, each by its name.

The code is what the interpreter compiled, so that neither a comment nor a new line changes it, and a file that
was edited since its import does not stand for what runs. Another version of Python compiles otherwise; such a
change, like any that alters no number, is settled by drawing stored samples again.
"""

from __future__ import annotations

import dis
import hashlib
import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ._travel import CACHED, Environment, Names, is_of_project, reduced

# Texts up to this length are kept as they are, so that a message can quote them.
_SHORT = 60

# Attributes of a class that say nothing of what it does.
_PASSED = {"__dict__", "__weakref__", "__doc__", "__module__", "__annotations__", "__annotate__"}
_PASSED |= {"__firstlineno__", "__static_attributes__", "__annotate_func__", "__annotations_cache__"}
_PASSED |= {"_abc_impl", "__orig_bases__", "__parameters__"}

# The names by which code reaches the environment.
_ENVIRONMENT = {"environ", "environb", "getenv", "getenvb"}

# The flag of classes that Python code made, and no library in C.
_HEAP_TYPE = 1 << 9

# Steps of the interpreter that stand between a name and what it is called with.
_FILLERS = {"EXTENDED_ARG", "CACHE", "PUSH_NULL", "PRECALL"}


class Identity:
    """What determines the numbers of a function: `entries` has the texts of its parts, by their names.

    `names` has the names of attributes that its code mentions, for each module of the project, `uses` the values
    that its parts use, by name, and `files` the hashes of files that it reads, by their paths.
    """

    def __init__(self, function: Callable[..., Any], files: list[Path]) -> None:
        self.entries: dict[str, str] = {}
        self.names: Names = {}
        self.uses: list[tuple[str, Any]] = []
        self._open: list[int] = []
        self._known: dict[int, str] = {}
        self._kept: list[Any] = []
        self.entries["the function"] = self._text(function)
        self.files: dict[str, str] = {}
        for path in files:
            hashed = digest(path.read_bytes())
            self.entries[f"the file {path}"] = self.files[str(path.absolute())] = hashed

    def digest(self) -> str:
        """The identity as a hash."""
        return digest("\n".join(f"{name}\t{text}" for name, text in sorted(self.entries.items())).encode())

    def _note(self, name: str, value: Any) -> None:
        """Has a part that other parts use by this name."""
        self.uses.append((name, value))
        text = self._text(value)
        if text != name:
            self.entries[name] = text if len(text) <= _SHORT else digest(text.encode())

    def _text(self, value: Any) -> str:
        """A value as a text that is the same in every interpreter."""
        if value is None or isinstance(value, (bool, int, float, complex, str)) and _is_plain(value):
            return repr(value)
        if type(value) in (bytes, bytearray):
            return f"{type(value).__name__} {digest(bytes(value))}"
        if id(value) in self._open:
            return self._known.get(id(value), f"above, {len(self._open) - self._open.index(id(value))}")
        self._open.append(id(value))
        try:
            return self._text_of_object(value)
        finally:
            self._open.pop()

    def _text_of_object(self, value: Any) -> str:
        if isinstance(value, ModuleType):
            return self._reference(value.__name__, value)
        if isinstance(value, Environment):
            return "the environment"
        if isinstance(value, CodeType):
            return f"code {[self._code(code) for code in _codes(value)]}"
        if type(value) is CACHED:
            return f"cached {self._text(value.__wrapped__)}"
        if isinstance(value, (FunctionType, type)):
            return self._definition(value)
        if isinstance(value, MethodType):
            return f"{self._text(value.__func__)} of {self._text(value.__self__)}"
        if isinstance(value, (property, staticmethod, classmethod)):
            parts = [getattr(value, name, None) for name in ("fget", "fset", "fdel", "__func__")]
            return f"{self._text(type(value))} {[self._text(part) for part in parts]}"
        if type(value) in (tuple, list):
            return f"{type(value).__name__} [{', '.join(map(self._text, value))}]"
        if type(value) in (set, frozenset):
            return f"{type(value).__name__} [{', '.join(sorted(map(self._text, value)))}]"
        if isinstance(value, (set, frozenset)):
            kind, own = self._text(type(value)), self._text(getattr(value, "__dict__", None))
            return f"{kind} [{', '.join(sorted(map(self._text, value)))}] {own}"
        if type(value) is dict:
            pairs = (f"{self._text(key)}: {self._text(one)}" for key, one in value.items())
            return f"{{{', '.join(pairs)}}}"
        if _is_array(value):
            return f"array {value.dtype} {value.shape} {digest(value.tobytes())}"
        return self._text_of_instance(value)

    def _text_of_instance(self, value: Any) -> str:
        """An object as its class and what travels of it."""
        try:
            kept = reduced(value)
        except Exception:
            return f"a {type(value).__qualname__}"  # It cannot travel, and is refused for that.
        if isinstance(kept, str):
            return f"{getattr(value, '__module__', None) or type(value).__module__}.{kept}"
        parts = [list(part) if isinstance(part, Iterator) else part for part in kept]
        self._kept.append(parts)
        return f"{self._text(type(value))} {[self._text(part) for part in parts]}"

    def _definition(self, value: Any) -> str:
        """A function or a class: the name of its entry, or of what an installation brings."""
        module = sys.modules.get(getattr(value, "__module__", None) or "")
        name = f"{value.__module__}.{value.__qualname__}"
        is_in_c = isinstance(value, type) and not value.__flags__ & _HEAP_TYPE
        if not is_of_project(module) and module is not None and (is_in_c or _is_found(module, value)):
            return self._reference(name, module)
        name = name.removeprefix("__main__.")
        if id(value) in self._known:
            return self._known[id(value)]
        while name in self.entries:
            name += "'"
        self._known[id(value)] = name
        self._kept.append(value)
        self.entries[name] = ""
        parts = self._class(value, name) if isinstance(value, type) else self._function(value, name)
        self.entries[name] = digest("\n".join(parts).encode())
        return name

    def _reference(self, name: str, module: ModuleType) -> str:
        """The name of what travels by it, with the version of the library that it is from."""
        library = sys.modules.get(module.__name__.partition(".")[0])
        version = getattr(library, "__version__", None)
        if library is not None and isinstance(version, str) and not is_of_project(library):
            self.entries[f"the version of {library.__name__}"] = version
        return name

    def _class(self, value: type, name: str) -> list[str]:
        above = [*value.__bases__, type(value)]
        parts = [self._text(one) for one in above if one not in (object, type)]
        for attribute, one in sorted(vars(value).items()):
            if attribute in _PASSED or type(one).__name__ in ("member_descriptor", "getset_descriptor"):
                continue
            if _is_definition(one):
                parts.append(f"{attribute} {self._text(one)}")
            else:
                self._note(f"{name}.{attribute}", one)
        return parts

    def _function(self, function: FunctionType, name: str) -> list[str]:
        codes = list(_codes(function.__code__))
        mentioned = {one for code in codes for one in code.co_names}
        texts = {one for code in codes for one in code.co_consts if isinstance(one, str)}
        prefix = "" if function.__module__ == "__main__" else f"{function.__module__}."
        used = [(prefix + one, function.__globals__[one]) for one in sorted(mentioned & function.__globals__.keys())]
        for one, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            try:
                used.append((f"{name}.{one}", cell.cell_contents))
            except ValueError:
                continue  # It has no value yet.
        package = function.__globals__.get("__package__")
        used += [(module.__name__, module) for code in codes for module in _imported(code, package)]
        known = len(self.uses)
        for one, value in used:
            self._use(one, value, mentioned | texts)
        for one, default in (function.__kwdefaults__ or {}).items():
            self._note(f"the default of {one} in {name}", default)
        for index, default in enumerate(function.__defaults__ or ()):
            self._note(f"default {index + 1} of {name}", default)
        for one, attribute in vars(function).items():
            if one != "__wrapped__":
                self._note(f"{name}.{one}", attribute)
        if mentioned & _ENVIRONMENT or any(_is_of_environment(value) for _, value in self.uses[known:]):
            for text in sorted(text for text in texts if text.isidentifier()):
                self.entries[f"the environment variable {text}"] = repr(os.environ.get(text))
        if "argv" in mentioned:
            self.entries["sys.argv"] = repr(sys.argv)
        return [self._code(code) for code in codes]

    def _use(self, name: str, value: Any, mentioned: set[str]) -> None:
        """Has a value that a function uses by this name, of a module the attributes that it mentions."""
        if not (isinstance(value, ModuleType) and is_of_project(value)):
            self._note(name, value)
            return
        known = self.names.setdefault(value.__name__, set())
        new = (mentioned & vars(value).keys()) - known
        known |= new
        for attribute in sorted(new):
            self._use(f"{value.__name__}.{attribute}", vars(value)[attribute], mentioned)

    def _code(self, code: CodeType) -> str:
        consts = [one for one in code.co_consts if not isinstance(one, CodeType)]
        counts = (code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount, code.co_flags)
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        table = getattr(code, "co_exceptiontable", b"")
        return f"{code.co_code.hex()} {table.hex()} {counts} {names} {[self._text(one) for one in consts]}"


def changed(old: dict[str, str], new: dict[str, str]) -> list[str]:
    """Sentences on the parts that are not what they were, the one that is told most first."""
    told = []
    for name in sorted({*old, *new}, key=lambda name: (name == "the function", name)):
        before, now = old.get(name), new.get(name)
        if before == now:
            continue
        if before is None or now is None:
            told.append(f"{name} is {'no longer' if now is None else 'now'} used")
        elif max(len(before), len(now)) < _SHORT:
            told.append(f"{name} was {before}, and is {now}")
        else:
            told.append(f"{name} is not what it was")
    return told


def _is_plain(value: Any) -> bool:
    return type(value) in (bool, int, float, complex, str)


def _is_definition(value: Any) -> bool:
    return isinstance(value, (FunctionType, type, property, staticmethod, classmethod))


def _is_found(module: ModuleType, value: Any) -> bool:
    """Whether a module has this value by the value's name, so that it can travel by name."""
    found: Any = module
    for part in value.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is value


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions within it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)


def _imported(code: CodeType, package: str | None) -> list[ModuleType]:
    """The modules that code of a package imports when it runs, each after those that it is in."""
    modules: list[ModuleType | None] = []
    for name, taken in _imports(code):
        try:
            full = importlib.util.resolve_name(name, package)
        except (ImportError, ValueError):
            continue  # It is in no package, which the samples tell.
        inside = [_module(one) for one in itertools.accumulate(full.split("."), "{}.{}".format)]
        below = [f"{full}.{one}" for one in taken if inside[-1] is not None and not hasattr(inside[-1], one)]
        modules += [*inside, *map(_module, below)]
    return [module for module in modules if module is not None]


def _imports(code: CodeType) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What code imports: the name of a module, a relative one with its dots, and the names that are taken from it."""
    steps = [step for step in dis.get_instructions(code) if step.opname not in _FILLERS]
    for one, two, three in zip(steps, steps[1:], steps[2:]):
        if three.opname == "IMPORT_NAME":
            yield "." * one.argval + three.argval, two.argval or ()
        elif one.argval in ("import_module", "__import__") and isinstance(two.argval, str):
            yield two.argval, ()


def _module(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except Exception:
        return None  # It is missing, or fails, which the samples tell.


def _is_of_environment(value: Any) -> bool:
    return isinstance(value, Environment) or value is os.getenv or value is vars(os).get("getenvb", os.getenv)


def _is_array(value: Any) -> bool:
    """Whether a value is an array or a number of numpy's own, and its bytes are all that there is to it."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, (numpy.ndarray, numpy.generic)):
        return False
    return type(value) in (numpy.ndarray, value.dtype.type) and not value.dtype.hasobject


def digest(data: bytes) -> str:
    """The hash of data."""
    return hashlib.blake2b(data, digest_size=32).hexdigest()
