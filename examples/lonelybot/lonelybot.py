"""Solitaire without sight of the face-down cards: lonelybot and etude on the same deals.

Each sample is one deal. etude draws it and plays it with the player of the cell, or lonelybot plays
it (`lonecli hop`, drawing three cards). Neither sees a face-down card. Needs `etude` and `lonecli`
in the path.
"""
import json
import shutil
import subprocess
import sys

RULES = {"rules": "draw-3"}
SUITS, RANKS = "HDCS", "A23456789TJQK"


def ask(worker, verb, player, seed):
    """One request to a worker of etude: each seed is one deal."""
    request = {"params": {**RULES, "strategy": player}, "first": 0, "count": 1, "seeds": {"seed": [seed]}}
    worker.stdin.write(json.dumps({"id": 1, verb: request}) + "\n")
    worker.stdin.flush()
    return json.loads(worker.stdout.readline())


def permutation(deal):
    """The number of the permutation that makes the deal of a sorted deck: the `exact` seeds of lonelybot."""
    cards = [RANKS.index(card[0]) * 4 + SUITS.index(card[1]) for card in deal.split()]
    number = 0
    for last in range(51, 0, -1):
        place = cards.index(last)
        number = number * (last + 1) + place
        cards[place], cards[last] = cards[last], cards[place]
    return number


def lonelybot(worker, seed):
    deal = ask(worker, "replay", "greedy", seed)["story"]["instance"]
    command = ["lonecli", "hop", "exact", str(permutation(deal))]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    return {"Solved": True, "Lost": False}[said[-1]]


def draw(worker, request):
    player = request["params"]["player"]
    if player == "lonelybot":
        return [[lonelybot(worker, seed)] for seed in request["seeds"]["deal"]]
    answers = (ask(worker, "draw", player, seed) for seed in request["seeds"]["deal"])
    return [[answer["rows"][0][0]] for answer in answers]


HELLO = {
    "protocol": 1, "name": "lonelybot beside etude", "version": "1.0", "streams": ["deal"],
    "params": {"player": {"kind": "text", "default": "lonelybot"}},
    "metrics": {"win": {"kind": "flag"}},
}


def main():
    missing = [program for program in ("etude", "lonecli") if not shutil.which(program)]
    if missing:
        sys.exit(f"not in the path: {', '.join(missing)}; solitaire-lonelybot.toml says how to build lonecli")
    command = ["etude", "worker", "solitaire/score"]
    worker = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "hello" in request:
            answer = {"hello": HELLO}
        else:
            answer = {"id": request["id"], "rows": draw(worker, request["draw"])}
        print(json.dumps(answer), flush=True)


main()
