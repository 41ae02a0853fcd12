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


def say(text):
    """A whole line at once: pieces of a line would cost a system call each."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


position, seed, generator = "", "0", random.Random(0)
for line in sys.stdin:
    if line.startswith("position"):
        position = line
    elif line.startswith("go"):
        moves = line.partition("searchmoves")[2].split()
        say("bestmove " + choose(position, moves, generator))
    elif line.startswith("setoption name Seed"):
        seed = line.split()[-1]
    elif line.startswith("uginewgame"):
        generator = random.Random(seed)
    elif line.startswith("isready"):
        say("readyok")
    elif line.startswith("ugi"):
        say("id name NAME\noption name Seed type string default 0\nugiok")
    elif line.startswith("quit"):
        break
