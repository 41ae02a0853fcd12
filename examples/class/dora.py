"""Dora answers twice."""
from player import play

play(lambda moves, number: moves[0] + "\nbestmove " + moves[-1])
