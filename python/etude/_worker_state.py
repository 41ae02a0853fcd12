"""The one thing that a worker knows and a person's process does not: which function it waits for.

A worker imports the module of its function. Where that module is a script without
`if __name__ == "__main__"`, the import comes to the call of `etude.simulate` that started the worker:
it ends there, with the function.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn, Optional

# The name of the function; `None` outside of workers.
wanted: Optional[str] = None


class Reached(BaseException):
    """The import has come to the simulation of the wanted function."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function


def forbid_in_worker(call: str) -> None:
    """Refuses to start a run where a worker only imports a function."""
    if wanted is not None:
        _refuse(call)


def stop_at(function: Callable[..., Any]) -> None:
    """Ends the import of a worker whose function this is."""
    if wanted is None:
        return
    if getattr(function, "__qualname__", None) == wanted:
        raise Reached(function)
    _refuse("etude.simulate")


def _refuse(call: str) -> NoReturn:
    raise RuntimeError(
        f"the import of `{wanted}` for a simulation would start another one: {call} is called at the top "
        'of its module; put the call below `if __name__ == "__main__":`'
    )
