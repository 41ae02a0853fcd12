#!/bin/sh
# Submits the shares of an experiment and their merge. Run again, it makes only what is missing.
set -eu
cd {{ folder | sh }}
job=$({{ sbatch }} shards.sbatch)
{{ sbatch }} --dependency="afterok:${job%%;*}" merge.sbatch
