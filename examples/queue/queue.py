"""A queue with one server (M/M/1): how long a customer waits before being served.

Each sample follows a queue in equilibrium for a while and gives the mean wait of its customers.
"""
import json
import random
import sys


def simulate(load, customers, arrivals, service):
    """Lindley's recursion: the next wait is this wait, plus a service, less an interval."""
    arrive, serve = random.Random(int(arrivals, 16)), random.Random(int(service, 16))
    # In equilibrium a customer finds a free server with probability 1 - load.
    wait = serve.expovariate(1 - load) if serve.random() < load else 0.0
    waits = []
    for _ in range(customers):
        waits.append(wait)
        wait = max(0.0, wait + serve.expovariate(1.0) - arrive.expovariate(load))
    return sum(waits) / customers, max(waits), waits[0] > 10


def draw(request):
    load, customers = request["params"]["load"], request["params"]["customers"]
    seeds = zip(request["seeds"]["arrivals"], request["seeds"]["service"])
    return [simulate(load, customers, a, s) for a, s in seeds]


WAIT = {"kind": "number", "unit": "service times", "min": 0, "max": 1000, "decimals": 6}
HELLO = {
    "protocol": 1, "name": "queue", "version": "1.0", "streams": ["arrivals", "service"],
    "params": {"load": {"kind": "number", "min": 0.01, "max": 0.99, "default": 0.8},
               "customers": {"kind": "integer", "min": 1, "max": 10_000, "default": 100}},
    "metrics": {"wait": WAIT, "longest": WAIT, "late": {"kind": "flag"}},
}
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = {"hello": HELLO}
    else:
        answer = {"id": request["id"], "rows": draw(request["draw"])}
    print(json.dumps(answer), flush=True)
