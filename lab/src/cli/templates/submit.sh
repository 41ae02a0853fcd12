#!/bin/sh
# Submits the shards of an experiment and their merge. Run again, it makes only what is missing.
{%- if wave %}
# The run may stop early, so it goes in waves: this one ends at sample $1, and the merge submits the
# next until the question is settled or the cap reached.
{%- endif %}
set -eu
{%- if wave %}
wave=${1:-{{ wave }}}
{%- endif %}
cd {{ folder | sh }}
job=$({{ sbatch }} shards.sbatch{{ argument }})
{{ sbatch }} --dependency="afterok:${job%%;*}" merge.sbatch{{ argument }}
