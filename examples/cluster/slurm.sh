#!/bin/sh
#SBATCH --job-name=etude
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:TERM@60
# Submits an experiment as a Slurm job array of K shards, and their merge into OUT/merged.
#
#   sh slurm.sh EXPERIMENT OUT K [SBATCH OPTIONS]        such as --cpus-per-task=8 --time=4:00:00
#
# Prints the numbers of the array and of the merge. `etude` must be on the path. A shard that is
# stopped, by its time limit or a lost node, is queued again and continues from its journal; to submit
# only what is missing, run this again.
set -eu
experiment=$1 out=$2 shards=$3
shift 3

if [ -z "${SLURM_ARRAY_TASK_ID:-}" ]; then
    mkdir -p "$out"
    array=$(sbatch --parsable --array="1-$shards" --output="$out/shard-%a.log" "$@" \
        "$0" "$experiment" "$out" "$shards")
    array=${array%%;*}
    merge=$(OUT=$out sbatch --parsable --export=ALL --dependency="afterok:$array" --kill-on-invalid-dep=yes \
        --job-name=etude-merge --output="$out/merge.log" \
        --wrap='etude merge "$OUT/merged" "$OUT"/shards/* --quiet')
    echo "$array ${merge%%;*}"
    exit
fi

shard=$SLURM_ARRAY_TASK_ID
# A requeued shard may run on a node that has no note of who made its folder. If the experiment names
# other programs, add --run-programs.
etude run "$experiment" --shard "$shard/$shards" --out "$out/shards/$shard" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --resume --quiet &
etude=$!

# The warning before the time limit reaches only this shell. Passed on once, it lets etude finish the
# current blocks; it also cuts the wait short.
trap 'kill -TERM "$etude"' TERM
status=0
wait "$etude" || status=$?
if kill -0 "$etude" 2>/dev/null; then
    trap '' TERM
    status=0
    wait "$etude" || status=$?
fi

# 75: stopped early, can be resumed. The merge keeps waiting for the requeued shard.
if [ "$status" -eq 75 ]; then
    scontrol requeue "${SLURM_ARRAY_JOB_ID}_$shard"
fi
exit "$status"
