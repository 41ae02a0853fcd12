"""A fox with three rules: eat the most; else stay where hens cannot pass; else go to meet them.

It speaks the Universal Game Interface, so that `etude` and other referees can play with it:
    etude check --player "python3 fox.py"
"""
import random
import sys

COLUMNS = "abcdefg"


def read(text):
    """The cells of hens and foxes in `3/3/2f1f2/hhhhhhh/hhhhhhh/hhh/hhh h 0`, top row first."""
    hens, foxes = set(), set()
    for row, line in enumerate(text.split()[0].split("/")):
        column = 2 if row in (0, 1, 5, 6) else 0
        for mark in line:
            if mark.isdigit():
                column += int(mark)
                continue
            (hens if mark == "h" else foxes).add((column, 7 - row))
            column += 1
    return hens, foxes


def cell(name):
    return COLUMNS.index(name[0]), int(name[1])


def parts(move):
    """Where a move begins, where it ends, what it takes."""
    if "x" in move:
        start, rest = move.split("x")
        end, taken = rest.split(":")
        return cell(start), cell(end), {cell(name) for name in taken.split(",")}
    start, end = move.split("-")
    return cell(start), cell(end), set()


def play(hens, foxes, move):
    if move == "pass":
        return
    start, end, taken = parts(move)
    for side in (hens, foxes):
        if start in side:
            side.remove(start)
            side.add(end)
    hens -= taken


def worth(hens, foxes, move):
    """Higher is better for the foxes."""
    start, end, taken = parts(move)
    left = hens - taken
    after = foxes - {start} | {end}
    jumps = sum((x + dx, y + dy) in left and (x + 2 * dx, y + 2 * dy) not in left | after
                for x, y in after for dx, dy in ((0, 1), (0, -1), (1, 0), (-1, 0)))
    near = sum(min(abs(x - a) + abs(y - b) for a, b in after) for x, y in left if y >= 4)
    return 100 * len(taken), jumps, -near


position, generator, seed = (set(), set()), random.Random(0), "0"
for line in sys.stdin:
    words = line.split()
    if line.startswith("ugi") and words == ["ugi"]:
        print("id name three-rules\noption name Seed type string default 0\nugiok", flush=True)
    elif line.startswith("setoption name Seed"):
        seed = words[-1]
    elif line.startswith("uginewgame"):
        generator = random.Random(seed)
    elif line.startswith("isready"):
        print("readyok", flush=True)
    elif line.startswith("position fen"):
        start, _, moves = line.removeprefix("position fen").partition("moves")
        position = read(start)
        for move in moves.split():
            play(*position, move)
    elif line.startswith("go"):
        moves = words[words.index("searchmoves") + 1:]
        if moves[0] == "pass" or cell(moves[0][:2]) in position[0]:
            best = moves
        else:
            top = max(worth(*position, move) for move in moves)
            best = [move for move in moves if worth(*position, move) == top]
        print("bestmove", generator.choice(best), flush=True)
    elif line.startswith("quit"):
        break
