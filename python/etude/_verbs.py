"""The verbs of the program, with their options as keywords."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import _tables, _toml
from ._caller import forbid_in_worker
from ._program import StrPath, options, start
from ._result import Result

# The folder in a run folder with the function that the run samples.
PROGRAM = "program"


def run(
    experiment: StrPath | Mapping[str, Any],
    out: StrPath | None = None,
    *,
    samples: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    shard: str | None = None,
    resume: bool = False,
    force: bool = False,
    quiet: bool = False,
    log: StrPath | None = None,
    run_programs: bool = False,
) -> Result:
    """Makes an experiment, as `etude run` does with these options.

    `experiment` is the path of an experiment file, the name of a built-in experiment, or what such a file would
    say as a dictionary, with a `name`; its relative paths begin in the current folder. What the program says goes
    to `sys.stderr`, which a notebook shows. Raises `Failed`, a `subprocess.CalledProcessError`, where the program
    fails. One that reached its cap before it was precise enough warns, and has a result. Ctrl-C stores what is
    under way; `resume=True` goes on.
    """
    forbid_in_worker("etude.run")
    given = options(samples=samples, seed=seed, threads=threads, shard=shard, resume=resume, force=force)
    given += options(quiet=quiet, log=log, run_programs=run_programs)
    return _made("run", experiment, out, "", shard, given)


def bench(
    experiment: StrPath | Mapping[str, Any],
    out: StrPath | None = None,
    *,
    samples: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    against: StrPath | None = None,
    fail_if: str | None = None,
    resume: bool = False,
    force: bool = False,
    quiet: bool = False,
    run_programs: bool = False,
) -> Result:
    """Races contenders on the same instances, as `etude bench` does; `experiment` is as in `run`."""
    forbid_in_worker("etude.bench")
    given = options(samples=samples, seed=seed, threads=threads, against=against, fail_if=fail_if)
    given += options(resume=resume, force=force, quiet=quiet, run_programs=run_programs)
    return _made("bench", experiment, out, "-bench", None, given)


def _made(
    verb: str,
    experiment: StrPath | Mapping[str, Any],
    out: StrPath | None,
    suffix: str,
    shard: str | None,
    given: list[str],
) -> Result:
    if isinstance(experiment, Mapping):
        if "name" not in experiment:
            raise ValueError('the experiment has no name: add "name", which names its folder, too')
        name, source, text = str(experiment["name"]), "-", _toml.dumps(experiment)
    else:
        name, source, text = Path(experiment).stem, str(experiment), ""
    folder = folder_of(name + suffix, out, shard)
    start([verb, source, "--out", folder, *given], text=text)
    return Result(folder)


def folder_of(name: str, out: StrPath | None, shard: str | None) -> Path:
    """The folder of a run's results, or of a shard of them."""
    if out is not None:
        return Path(out)
    if shard is None:
        return Path("results", name)
    if shard.startswith("auto"):
        raise ValueError(f'only the program knows which shard "{shard}" is: give its folder as `out`')
    return Path("results", f"{name}-shards", shard.replace("/", "-of-"))


def merge(out: StrPath, *shards: StrPath, allow_partial: bool = False, quiet: bool = False) -> Result:
    """Merges the shards of a run, as `etude merge` does."""
    start(["merge", "--out", out, *shards, *options(allow_partial=allow_partial, quiet=quiet)])
    for program in [Path(shard) / PROGRAM for shard in shards][:1]:
        if program.is_dir():
            shutil.copytree(program, Path(out) / PROGRAM, dirs_exist_ok=True)
    return Result(out)


def verify(
    folder: StrPath,
    *,
    samples: int | None = None,
    blocks: str | None = None,
    run_programs: bool = False,
) -> None:
    """Draws stored samples again and makes all tables anew. Raises `Failed` where anything differs."""
    forbid_in_worker("etude.verify")
    start(["verify", folder, *options(samples=samples, blocks=blocks, run_programs=run_programs)])


def compare(one: StrPath, other: StrPath, frames: str | None = None) -> Any:
    """The differences of two runs, the second minus the first, as a frame; `frames` is as in `tables`."""
    text = start(["compare", one, other, "--format", "csv"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "compare.csv")
        path.write_text(text, encoding="utf-8", newline="")
        return _tables.frame(path, frames)


def report(*folders: StrPath, format: str = "text", html: StrPath | None = None, all: bool = False) -> str:
    """The results of runs as a text, in a `format` of `etude report`; with `html`, a page is written there."""
    return start(["report", *folders, *options(format=format if html is None else None, html=html, all=all)])
