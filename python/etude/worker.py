"""A function as a worker: `python -m etude.worker queue_times.py:wait METRIC...`.

An experiment file can name it in `run` like any other program. The module is imported from the current folder.
Its function is called with the parameters by their names and, for each stream, a seed: an integer of 256 bits, of
one named `rng` a `numpy.random.Generator`. It returns the values of the metrics: one alone, several in a tuple in
their order, or a dictionary by name. In place of a module stands the file of a function that `etude.simulate`
took along.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import BinaryIO

from . import _caller, _travel
from ._sampler import Worker


def main(target: str, *metrics: str) -> None:
    """Answers the requests on standard input until it closes."""
    requests, answers = streams()
    _caller.is_worker = True
    caller = _caller.connect()
    if ":" in target:
        worker = Worker(_travel.load(target), target.rpartition(":")[2], list(metrics))
    else:
        name, function, files = _travel.unpack(Path(target).read_bytes())
        worker = Worker(function, name, list(metrics), files)
    for line in requests:
        answers.write(json.dumps(worker.answer(json.loads(line), caller)).encode() + b"\n")
        answers.flush()


def streams() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output on descriptors that are the worker's alone.

    The module, its function and the processes that these start read nothing, and print on standard error.
    """
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, answers


if __name__ == "__main__":
    main(*sys.argv[1:])
