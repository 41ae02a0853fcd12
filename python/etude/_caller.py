"""The line between the workers and the interpreter that called `etude.simulate`.

The first worker that is asked for the first samples of a cell asks the caller for the same. Whatever differs
is told as the error of that sample. A worker also tells the caller how a fault came about.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import queue
import random
import secrets
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Client, Connection, Listener
from typing import Any

# The environment variable that tells workers where the caller listens.
_VARIABLE = "ETUDE_CALLER"

# Seconds after which the caller draws no further sample.
_ENOUGH = 2.0

CAUSES = (
    "usual causes: something that the function reads is not what it was when the function was called from here, "
    "such as a global of a library, an environment variable, a file, a clock, the order of a set, or a random "
    "number without a seed"
)

# Whether this process is a worker, where no run may be started.
is_worker = False


def forbid_in_worker(call: str) -> None:
    """Refuses to start a run where a worker only imports a function."""
    if is_worker:
        raise RuntimeError(
            f"a worker that imports a function would start another run: {call} is called at the top of its "
            'module; put the call below `if __name__ == "__main__":`'
        )


class Link:
    """A worker's end of the line."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection

    def ask(self, draw: Mapping[str, Any]) -> bool:
        """Asks the caller for the same samples, if they are the first of a cell."""
        if draw["first"] != 0:
            return False
        return self.tell({"draw": draw})

    def tell(self, message: Mapping[str, Any]) -> bool:
        """Sends a message; returns whether the caller is there."""
        try:
            self.connection.send_bytes(json.dumps(message).encode())
        except OSError:
            return False
        return True

    def compare(
        self, draw: Mapping[str, Any], rows: list[list[Any]], metrics: list[str]
    ) -> tuple[int, str] | None:
        """The first row that differs from the caller's, and the difference."""
        try:
            answer = json.loads(self.connection.recv_bytes())
        except (OSError, EOFError):
            return None
        for index, (here, there) in enumerate(zip(rows, answer["rows"])):
            for metric, one, other in zip(metrics, here, there):
                if one != other:
                    told = f"`{metric}` is {json.dumps(other)} where it was called, and {json.dumps(one)} in a worker"
                    return self.refuse(draw, index, f"{told}; {CAUSES}")
        if "error" in answer:
            index = len(answer["rows"])
            told = f"the call fails with {answer['error']}, but not in a worker; {CAUSES}"
            return self.refuse(draw, index, told)
        return None

    def refuse(self, draw: Mapping[str, Any], index: int, fault: str, told: str = "") -> tuple[int, str]:
        """Tells the caller of a fault in a row; returns both."""
        sample = draw["first"] + index
        self.tell({"fault": fault, "params": draw["params"], "sample": sample, "told": told})
        return index, fault


def connect() -> Link | None:
    """The line to the caller, if there is one."""
    place = os.environ.get(_VARIABLE)
    if place is None:
        return None
    address, key = json.loads(place)
    try:
        return Link(Client(address, authkey=bytes.fromhex(key)))
    except (OSError, EOFError):
        return None


class Desk:
    """The caller's end of the line: hears the workers in threads, and answers where it is told to."""

    def __init__(self, draw: Callable[[Mapping[str, Any]], Iterator[list[Any]]], cells: list[dict[str, Any]]) -> None:
        self.draw = draw
        self.cells = cells
        self.fault: dict[str, Any] | None = None
        key = secrets.token_bytes(16)
        self.listener = Listener(authkey=key)
        self.environment = {_VARIABLE: json.dumps([self.listener.address, key.hex()])}

    def open(self, events: queue.Queue[Callable[[], None]]) -> None:
        """Begins to hear workers; what is to be done for them goes into `events`."""
        threading.Thread(target=self._accept, args=(events,), daemon=True).start()

    def close(self) -> None:
        """Hears no more."""
        self.listener.close()

    def _accept(self, events: queue.Queue[Callable[[], None]]) -> None:
        while True:
            try:
                connection = self.listener.accept()
            except Exception:
                return
            threading.Thread(target=self._hear, args=(connection, events), daemon=True).start()

    def _hear(self, connection: Connection[Any, Any], events: queue.Queue[Callable[[], None]]) -> None:
        with contextlib.suppress(OSError, EOFError):
            while True:
                message = json.loads(connection.recv_bytes())
                events.put(lambda message=message: self._answer(connection, message))  # type: ignore[misc]

    def _answer(self, connection: Connection[Any, Any], message: dict[str, Any]) -> None:
        if "fault" in message:
            self.fault = self.fault or message
            return
        answer: dict[str, Any] = {"rows": []}
        draw = message["draw"]
        if draw["params"] in self.cells:
            self.cells.remove(draw["params"])
            answer = self._drawn(draw)
        with contextlib.suppress(OSError):
            connection.send_bytes(json.dumps(answer).encode())

    def _drawn(self, draw: Mapping[str, Any]) -> dict[str, Any]:
        rows: list[list[Any]] = []
        begun = time.monotonic()
        try:
            with undisturbed():
                for row in self.draw(draw):
                    rows.append(row)
                    if time.monotonic() - begun > _ENOUGH:
                        break
        except Exception as error:
            return {"rows": rows, "error": f"{type(error).__name__}: {error}"}
        return {"rows": rows}


@contextlib.contextmanager
def undisturbed() -> Iterator[None]:
    """Keeps what samples print and draw from the caller's output and generators."""
    numpy = sys.modules.get("numpy")
    state, numpys = random.getstate(), numpy.random.get_state() if numpy is not None else None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            yield
    finally:
        random.setstate(state)
        if numpy is not None:
            numpy.random.set_state(numpys)
