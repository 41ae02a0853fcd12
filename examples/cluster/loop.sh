#!/bin/sh
# Draws an experiment in K shards, one after the other, merges them into OUT/merged, and tells the result.
#
#   sh loop.sh EXPERIMENT OUT K
#
# A pattern for machines without a scheduler: each shard may run anywhere, at any time.
set -eu
experiment=$1 out=$2 shards=$3

shard=1
while [ "$shard" -le "$shards" ]; do
    etude run "$experiment" --shard "$shard/$shards" --out "$out/shards/$shard" --resume --quiet
    shard=$((shard + 1))
done
etude merge "$out/merged" "$out"/shards/*
