"""The program etude: experiments, simulations in Python, and the tables of both.

    import random
    import etude

    def inside(seed):
        point = random.Random(seed)
        return point.random() ** 2 + point.random() ** 2 < 1

    folder = etude.simulate(inside, metrics={"inside": bool}, samples=100_000)
    print(etude.summary(folder))
"""

from ._program import Failed, program, run
from ._simulation import simulate
from ._tables import samples, summary, tables

__all__ = ["Failed", "program", "run", "samples", "simulate", "summary", "tables"]
