"""Hugo prints what it thinks."""
from player import play


def choose(moves, number):
    print("I think it is", moves[0])
    return moves[0]


play(choose)
