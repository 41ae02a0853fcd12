"""Experiments as TOML, which is what the program reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any


def dumps(table: Mapping[str, Any]) -> str:
    """The text of an experiment file; a key whose value is `None` is left out."""
    return "\n".join(_lines(table, ())) + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Plain keys come first: whatever follows a table's head belongs to it."""
    below: list[tuple[str, Any]] = []
    for key, value in table.items():
        if isinstance(value, Mapping) or _is_list_of_tables(value):
            below.append((key, value))
        elif value is not None:
            yield f"{_key(key)} = {_value(value, key)}"
    for key, value in below:
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        if isinstance(value, Mapping):
            yield f"[{name}]"
            yield from _lines(value, inner)
        else:
            for item in value:
                yield f"[[{name}]]"
                yield from _lines(item, inner)


def _is_list_of_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{key!r} cannot be a key of an experiment: keys are texts")
    return _text(key)


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def plain(value: Any) -> Any:
    """A number of numpy as one of Python's; anything else as it is."""
    # An object may answer to any name, its type has those that are meant.
    is_number = hasattr(type(value), "item") and hasattr(type(value), "shape") and value.shape == ()
    return value.item() if is_number else value


def _value(value: Any, key: str) -> str:
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, (list, tuple, range)):
        return "[" + ", ".join(_value(item, key) for item in value) + "]"
    kind = type(value).__name__
    raise TypeError(
        f"`{key}` is {value!r}, a {kind}, which an experiment cannot hold: "
        "give a text, a number, True, False, a list or a dictionary"
    )
