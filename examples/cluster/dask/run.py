"""Draws an experiment in K shards on a Dask cluster, and merges them into OUT/merged.

    python run.py EXPERIMENT OUT K [SCHEDULER]

Without the address of a scheduler, the cluster is this machine. Workers share OUT, and have the package `etude`.
"""

import sys
from pathlib import Path

import etude
from dask.distributed import Client, LocalCluster


def draw(shard, shards, experiment, out):
    folder = Path(out, "shards", str(shard))
    etude.run(experiment, folder, shard=f"{shard}/{shards}", threads=1, resume=True, quiet=True)
    return folder


def main(experiment, out, shards, scheduler=None):
    cluster = scheduler or LocalCluster(threads_per_worker=1, dashboard_address=None)
    experiment, out = Path(experiment).resolve(), Path(out).resolve()
    with Client(cluster) as client:
        numbers = range(1, int(shards) + 1)
        # A shard whose worker is lost is drawn elsewhere, from its journal.
        drawn = client.map(draw, numbers, shards=shards, experiment=experiment, out=out, retries=3)
        etude.merge(Path(out, "merged"), *client.gather(drawn), quiet=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
