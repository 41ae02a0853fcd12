"""A simulation for etude: change `simulate`, and what it gives in NAME.toml.

etude writes a line of JSON for some samples, this program answers with a line of JSON.
Print nothing else to standard output; standard error is free.
"""
import json
import random
import sys


def simulate(params, generator):
    """One sample: rolls of a die until it shows its highest face."""
    rolls = 1
    while generator.randrange(params["sides"]) > 0:
        rolls += 1
    return [rolls, rolls == 1]


def draw(request):
    """A row for each sample. All chance comes from its seed."""
    generators = (random.Random(int(seed, 16)) for seed in request["seeds"]["dice"])
    return [simulate(request["params"], generator) for generator in generators]


for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = {"hello": {"protocol": 1, "name": "NAME"}}
    else:
        answer = {"id": request["id"], "rows": draw(request["draw"])}
    print(json.dumps(answer), flush=True)
