"""The program, found and started."""

from __future__ import annotations

import collections
import os
import queue
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any, NamedTuple, Union

from . import _caller

StrPath = Union[str, "os.PathLike[str]"]

# The exit code of a run that reached its cap before its target.
_CAPPED = 3


class Capped(UserWarning):
    """A run ended at its cap before it was as precise as it was to be; its result stands."""


class Failed(subprocess.CalledProcessError):
    """The program failed; `stderr` holds what it said of it."""

    def __str__(self) -> str:
        return str(self.stderr or f"etude ended with exit status {self.returncode}").strip()


class Place(NamedTuple):
    """A function for people: what stands for the words of the program's messages, its name, its caller."""

    said: Mapping[str, str]
    label: str
    desk: _caller.Desk


def program() -> str:
    """The path of the program `etude`: the one that this package brought, else that on the PATH.

    The environment variable `ETUDE_PROGRAM` names another one.
    """
    named = os.environ.get("ETUDE_PROGRAM")
    if named:
        return named
    name = "etude" + (sysconfig.get_config_var("EXE") or "")
    for place in (sysconfig.get_path("scripts"), os.path.dirname(sys.executable)):
        path = os.path.join(place, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program etude is neither in this environment nor on the PATH")
    return found


def options(**given: object) -> list[str]:
    """Keywords as options of the program; `None` and `False` are left out."""
    line: list[str] = []
    for name, value in given.items():
        if value is not None and value is not False:
            line.append("--" + name.replace("_", "-"))
            line += [] if value is True else [str(value)]
    return line


def start(
    arguments: list[Any], text: str = "", cwd: Path | None = None, place: Place | None = None
) -> str:
    """Runs the program on what is to be its standard input, shows what it says, and returns what it wrote.

    This interpreter comes first on the PATH, so that `python` in an experiment means it. Raises `Failed` where
    the program fails. Ctrl-C lets it store what it has drawn.
    """
    line = [program(), *(os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in arguments)]
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    environment = place.desk.environment if place is not None else {}
    process = subprocess.Popen(
        line,
        cwd=cwd,
        env={**os.environ, "PATH": path, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,  # Ctrl-C reaches it once, from here.
    )
    listener = _Listener(process, text, place)
    if place is not None:
        place.desk.open(listener.events)
    try:
        listener.listen()
    except BaseException:
        interrupt(process)
        listener.drain()
        raise
    finally:
        if place is not None:
            place.desk.close()
        process.wait()
    listener.check(line)
    return "".join(listener.written)


def interrupt(process: subprocess.Popen[str]) -> None:
    """Tells the program to end once what is under way is stored."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT if os.name == "posix" else signal.SIGTERM)


class _Listener:
    """What a running program says, heard in threads and told where it was started, as a notebook needs it."""

    def __init__(self, process: subprocess.Popen[str], text: str, place: Place | None) -> None:
        self.process = process
        self.place = place
        self.events: queue.Queue[Callable[[], None]] = queue.Queue()
        self.written: list[str] = []
        self.said: collections.deque[str] = collections.deque(maxlen=60)
        self.has_failed = False
        self.open = 2
        streams = [(process.stdout, self.written.append), (process.stderr, self._hear)]
        for stream, take in streams:
            threading.Thread(target=self._read, args=(stream, take), daemon=True).start()
        threading.Thread(target=self._write, args=(text,), daemon=True).start()

    def listen(self) -> None:
        """Tells and does what comes, until the program has closed both streams."""
        while self.open:
            try:
                event = self.events.get(timeout=0.2)
            except queue.Empty:
                continue
            event()

    def drain(self) -> None:
        """Hears the program out after an interruption; another one ends it at once."""
        try:
            self.listen()
        except KeyboardInterrupt:
            self.process.terminate()

    def check(self, line: list[str]) -> None:
        """Raises `Failed` where the program failed, and warns where it reached a cap."""
        told = "".join(self.said)
        fault = self.place.desk.fault if self.place is not None else None
        if self.process.returncode == _CAPPED:
            warnings.warn(told.strip(), Capped, stacklevel=5)
        elif self.process.returncode != 0:
            if self.place is not None and fault is not None:
                told = _told(self.place.label, fault)
            raise Failed(self.process.returncode, line, stderr=told)

    def _read(self, stream: IO[str], take: Callable[[str], None]) -> None:
        with stream:
            for words in stream:
                self.events.put(lambda words=words: take(words))  # type: ignore[misc]
        self.events.put(self._close)

    def _close(self) -> None:
        self.open -= 1

    def _write(self, text: str) -> None:
        assert self.process.stdin is not None
        try:
            with self.process.stdin as pipe:
                pipe.write(text)
        except OSError:
            return  # The program says why it did not read on.

    def _hear(self, words: str) -> None:
        """Shows a line, unless it belongs to an error, which is raised."""
        for said, meant in self.place.said.items() if self.place is not None else ():
            words = words.replace(said, meant)
        if words.startswith(("error:", "inconclusive:")):
            self.has_failed = True
            self.said.clear()
        elif self.has_failed and words.startswith("help: to see it alone") and self.place is not None:
            return  # It starts a worker, and no debugger.
        self.said.append(words)
        if not self.has_failed:
            print(words, end="", file=sys.stderr)


def _told(label: str, fault: Mapping[str, Any]) -> str:
    """How a function went wrong, by its own name."""
    given = ", ".join(f"{name} = {value!r}" for name, value in fault["params"].items())
    told = f"\n{fault['told']}" if fault["told"] else ""
    return f"{label}, {given + ', ' if given else ''}sample {fault['sample']}: {fault['fault']}{told}"
