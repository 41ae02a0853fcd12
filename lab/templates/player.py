"""A player for etude: change `choose`.

It speaks the Universal Game Interface; the referee says which moves are legal.
    etude check --player "python3 NAME.py"
"""
import random
import sys


def choose(position, moves, generator):
    """One of `moves`, in a position such as `3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0`."""
    captures = [move for move in moves if "x" in move]
    return generator.choice(captures or moves)


position, seed, generator = "", "0", random.Random(0)
for line in sys.stdin:
    words = line.split()
    match words[:1]:
        case ["ugi"]:
            print("id name NAME\noption name Seed type string default 0\nugiok", flush=True)
        case ["setoption"]:
            seed = words[-1]
        case ["uginewgame"]:
            generator = random.Random(seed)
        case ["isready"]:
            print("readyok", flush=True)
        case ["position"]:
            position = line
        case ["go"]:
            moves = words[words.index("searchmoves") + 1:]
            print("bestmove", choose(position, moves, generator), flush=True)
        case ["quit"]:
            break
