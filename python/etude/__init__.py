"""The program etude: experiments, simulations in Python, and the tables of both.

    import random
    import etude

    def inside(seed):
        point = random.Random(seed)
        return point.random() ** 2 + point.random() ** 2 < 1

    result = etude.simulate(inside, metrics={"inside": bool}, samples=100_000)
    print(result.summary)
"""

from importlib import metadata as _metadata

from ._program import Capped, Failed, program
from ._result import Result
from ._simulation import Changed, Precision, simulate
from ._tables import claims, samples, summary, tables
from ._verbs import bench, compare, merge, report, run, verify

try:
    __version__ = _metadata.version("etude")
except _metadata.PackageNotFoundError:  # A checkout that is not installed.
    __version__ = "0"

__all__ = [
    "Capped",
    "Changed",
    "Failed",
    "Precision",
    "Result",
    "bench",
    "claims",
    "compare",
    "merge",
    "program",
    "report",
    "run",
    "samples",
    "simulate",
    "summary",
    "tables",
    "verify",
]
