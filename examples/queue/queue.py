"""A queue with one server (M/M/1): how long a customer waits before being served.

Each sample follows a queue in equilibrium for a while and gives the mean wait of its customers.
"""
import json
import random
import sys


def waits(load, customers, arrivals, service):
    """Lindley's recursion: the next wait is this wait, plus a service, less an interval."""
    arrive, serve = random.Random(int(arrivals, 16)), random.Random(int(service, 16))
    # In equilibrium a customer finds a free server with probability 1 - load.
    wait = serve.expovariate(1 - load) if serve.random() < load else 0.0
    for _ in range(customers):
        yield wait
        wait = max(0.0, wait + serve.expovariate(1.0) - arrive.expovariate(load))


def samples(request):
    load, customers = request["params"]["load"], request["params"]["customers"]
    seeds = zip(request["seeds"]["arrivals"], request["seeds"]["service"])
    return [list(waits(load, customers, a, s)) for a, s in seeds]


def row(sample):
    return sum(sample) / len(sample), max(sample), sample[0] > 10


def story(sample):
    """The customers one by one, each with the waits of the last ten."""
    bars = [f"{n:5} {'█' * round(2 * wait)} {wait:.2f}" for n, wait in enumerate(sample, 1)]
    frames = [{"caption": f"customer {n} waits {wait:.2f} service times",
               "board": "\n".join(bars[max(0, n - 10):n])} for n, wait in enumerate(sample, 1)]
    mean, longest, _ = row(sample)
    return {"instance": f"{len(sample)} customers", "frames": frames,
            "outcome": f"A customer waits {mean:.2f} service times on average, {longest:.2f} at most."}


HELLO = {"protocol": 1, "name": "queue", "version": "1.1", "can": ["replay"]}
for line in sys.stdin:
    request = json.loads(line)
    if "hello" in request:
        answer = {"hello": HELLO}
    elif "replay" in request:
        [sample] = samples(request["replay"])
        answer = {"id": request["id"], "row": row(sample), "story": story(sample)}
    else:
        answer = {"id": request["id"], "rows": [row(sample) for sample in samples(request["draw"])]}
    print(json.dumps(answer), flush=True)
