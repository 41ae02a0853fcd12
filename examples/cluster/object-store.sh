#!/bin/sh
# Draws one shard of an experiment on a machine that shares no disk with others, and keeps it in an object store.
#
#   sh object-store.sh EXPERIMENT STORE I/K              STORE such as s3://bucket/my
#
# The four files that `etude merge` needs go to STORE/I-of-K, also of a shard that is stopped: run again, anywhere, it
# continues from them. To merge, copy the folders to one machine. The command that copies one file is COPY.
set -eu
experiment=$1 store=$2 shard=$3
copy=${COPY:-aws s3 cp --only-show-errors}
name=$(echo "$shard" | sed 's|/|-of-|')
folder=$(mktemp -d)/$name
files="config.toml manifest.json samples.csv blocks.csv"

mkdir -p "$folder"
for file in $files; do
    $copy "$store/$name/$file" "$folder/$file" 2>/dev/null || true
done
status=0
etude run "$experiment" --shard "$shard" --out "$folder" --resume --quiet || status=$?
for file in $files; do
    if [ -f "$folder/$file" ]; then $copy "$folder/$file" "$store/$name/$file"; fi
done
rm -r "$folder"
exit "$status"
