"""Kim thinks for ever in some matches."""
from player import play

seed = "0"


def begin(said):
    global seed
    seed = said


def choose(moves, number):
    while number == 3 and seed[0] in "01234567":
        pass
    return moves[0]


play(choose, begin)
