"""Draws an experiment in K shards on a Ray cluster, and merges them into OUT/merged.

    python run.py EXPERIMENT OUT K [ADDRESS]

Without an address, the cluster is this machine. Nodes share OUT, and have the package `etude`.
"""

import sys
from pathlib import Path

import etude
import ray


# A shard whose node is lost is drawn elsewhere, from its journal.
@ray.remote(num_cpus=1, max_retries=3, retry_exceptions=True)
def draw(shard, shards, experiment, out):
    folder = Path(out, "shards", str(shard))
    etude.run(experiment, folder, shard=f"{shard}/{shards}", threads=1, resume=True, quiet=True)
    return folder


def main(experiment, out, shards, address=None):
    ray.init(address=address, include_dashboard=False)
    experiment, out = Path(experiment).resolve(), Path(out).resolve()
    drawn = [draw.remote(shard, shards, experiment, out) for shard in range(1, int(shards) + 1)]
    etude.merge(out / "merged", *ray.get(drawn), quiet=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
