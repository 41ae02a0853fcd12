#!/bin/sh
# Draws an experiment that may stop early in K shards, in waves that grow, and merges them into OUT/merged as soon as
# its stop rule is satisfied.
#
#   sh waves.sh EXPERIMENT OUT K FIRST
#
# The first wave has FIRST samples of each cell, every other one twice as many as those before. Any engine can run the
# shards of a wave; here xargs does.
set -eu
experiment=$1 out=$2 shards=$3 to=$4

while true; do
    seq "$shards" | xargs -P "$(getconf _NPROCESSORS_ONLN)" -I {} \
        etude run "$experiment" --shard "{}/$shards" --to "$to" --out "$out/shards/{}" --threads 1 --resume --quiet
    status=0
    etude merge --decide "$out/merged" "$out"/shards/* --quiet || status=$?
    # 3: the rule asks for more.
    [ "$status" -eq 3 ] || exit "$status"
    to=$((2 * to))
done
