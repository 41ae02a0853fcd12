"""Leo goes home after its first match."""
import sys

from player import play

matches = 0


def begin(seed):
    global matches
    matches += 1
    if matches > 1:
        sys.exit(1)


play(lambda moves, number: moves[-1], begin)
