"""What every pupil of this class builds on: `play(choose)` speaks the Universal Game Interface."""
import sys


def say(text):
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def play(choose, begin=lambda seed: None):
    """Answers every `go` by `choose(moves, number)`; `begin` hears the seed of each match."""
    seed, number = "0", 0
    for line in sys.stdin:
        if line.startswith("go"):
            number += 1
            say("bestmove " + choose(line.partition("searchmoves")[2].split(), number))
        elif line.startswith("setoption name Seed"):
            seed = line.split()[-1]
        elif line.startswith("uginewgame"):
            number = 0
            begin(seed)
        elif line.startswith("isready"):
            say("readyok")
        elif line.startswith("ugi"):
            say("id name pupil\noption name Seed type string default 0\nugiok")
        elif line.startswith("quit"):
            break
