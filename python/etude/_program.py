"""The program, found and started."""

from __future__ import annotations

import collections
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Optional, Union

from . import _toml, _worker_state

StrPath = Union[str, "os.PathLike[str]"]


def program() -> str:
    """The path of the program `etude`: the one that this package brought, else that on the PATH."""
    name = "etude" + (sysconfig.get_config_var("EXE") or "")
    places = [sysconfig.get_path("scripts"), os.path.dirname(sys.executable)]
    for place in places:
        path = os.path.join(place, name)
        if os.path.isfile(path):
            return path
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError("the program etude is neither in this environment nor on the PATH")
    return found


class Failed(subprocess.CalledProcessError):
    """The program failed; `stderr` holds the last lines of what it said."""

    def __str__(self) -> str:
        return f"etude ended with exit status {self.returncode}:\n{self.stderr}"


def run(
    experiment: Union[StrPath, Mapping[str, Any]],
    out: Optional[StrPath] = None,
    *arguments: object,
) -> Path:
    """Makes an experiment, as `etude run` does, and returns the folder of its results.

    `experiment` is the path of an experiment file, the name of a built-in experiment, or what such a
    file would say as a dictionary, with a `name`; its relative paths begin in the current folder. What
    the program says goes to `sys.stderr`, which a notebook shows. Raises `Failed`, a
    `subprocess.CalledProcessError`, where the program fails. An interrupted run is told to stop; it
    continues with the argument `--resume`.
    """
    _worker_state.forbid_in_worker("etude.run")
    if isinstance(experiment, Mapping):
        if "name" not in experiment:
            raise ValueError('the experiment has no name: add "name", which names its folder, too')
        folder = Path("results", str(experiment["name"])) if out is None else Path(out)
        start(["run", "-", "--out", folder, *arguments], text=_toml.dumps(experiment))
        return folder
    path = Path(experiment)
    folder = Path("results", path.stem) if out is None else Path(out)
    start(["run", path, "--out", folder, *arguments])
    return folder


def start(
    arguments: list[Any],
    text: str = "",
    cwd: Optional[Path] = None,
) -> None:
    """Runs the program on what is to be its standard input, and shows what it says.

    This interpreter comes first on the PATH, so that `python` in an experiment means it. Raises `Failed`
    where the program fails.
    """
    line = [program(), *map(str, arguments)]
    path = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
    process = subprocess.Popen(
        line,
        cwd=cwd,
        env={**os.environ, "PATH": path},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )
    assert process.stdin is not None and process.stderr is not None
    said: collections.deque[str] = collections.deque(maxlen=30)
    try:
        with process.stdin as pipe:
            pipe.write(text)
        for words in process.stderr:
            said.append(words)
            print(words, end="", file=sys.stderr)
    except BrokenPipeError:
        said.extend(process.stderr)
    except BaseException:
        process.terminate()
        raise
    finally:
        process.stderr.close()
        process.wait()
    if process.returncode != 0:
        raise Failed(process.returncode, line, stderr="".join(said))
