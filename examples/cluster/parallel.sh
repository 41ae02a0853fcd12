#!/bin/sh
# Draws an experiment in K shards with GNU parallel, merges them into OUT/merged, and tells the result.
#
#   sh parallel.sh EXPERIMENT OUT K [PARALLEL OPTIONS]
#
# Options such as `--sshloginfile hosts` spread the shards over machines that share a file system.
set -eu
experiment=$1 out=$2 shards=$3
shift 3

seq "$shards" | parallel --quote "$@" \
    etude run "$experiment" --shard "{}/$shards" --out "$out/shards/{}" --threads 1 --resume --quiet
etude merge "$out/merged" "$out"/shards/*
