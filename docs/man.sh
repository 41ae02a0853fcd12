#!/bin/sh
# Writes the manual pages of etude and of its verbs into DIR, from their --help, with help2man.
#
#   sh docs/man.sh [ETUDE [DIR]]        default: target/release/etude target/man
set -eu
etude=${1:-target/release/etude} dir=${2:-target/man}
mkdir -p "$dir"

page() { # FILE NAME HELP-OPTION: one page
    help2man --no-info --section=1 --name="$2" --help-option="$3" --version-option=--version \
        --output="$dir/$1" "$etude"
}

page etude.1 "a Monte Carlo laboratory for combinatorial games" --help
# The verbs as completions know them.
for verb in $("$etude" completions fish | sed -n 's/.*__fish_etude_needs_command" .* -a "\([a-z]*\)".*/\1/p' | sort -u); do
    [ "$verb" = help ] || page "etude-$verb.1" "$("$etude" "$verb" --help | head -n 1)" "$verb --help"
done
