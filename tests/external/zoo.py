"""Programs that go wrong, each in its own way: `zoo.py KIND`. What few of them need is imported there: they start often."""
import json
import os
import random
import sys
import time

KIND = sys.argv[1]
STATE = [0]


def once(kind, sample, at):
    """True if a program of this kind comes to its hour, which strikes once."""
    if KIND != kind or sample != at or os.path.exists("struck"):
        return False
    open("struck", "w").close()
    return True


def value(sample, seed):
    """A sound sample is a function of its seed."""
    if KIND == "clock":
        return time.time_ns() // 1000 % 500
    if KIND == "unlike":
        return len(os.listdir("odd"))
    if KIND == "unseeded":
        return random.SystemRandom().randrange(500)
    if KIND == "stateful":
        STATE[0] += 1
        return STATE[0] % 500
    if KIND == "slow":
        time.sleep(0.01)
    if KIND == "warm":
        STATE[0] += 1
        if STATE[0] > 60:
            return 500
    if KIND == "liar" and sample >= 8:
        STATE[0] += 1
        return STATE[0] % 500
    if KIND == "tardy" and sample in (5, 77):
        time.sleep(1000)
    if KIND == "waning" and sample == 5 and os.path.exists("late"):
        time.sleep(1000)
    if once("rewriter", sample, 100) or once("turncoat", sample, 100):
        open("zoo.py", "a").write("# changed\n")
        if KIND == "turncoat":
            os._exit(3)
    if any(once(f"{kind}-{at}", sample, at) for kind in ("mortal", "dying") for at in (100, 299)):
        STATE[0] = 3
        if KIND.startswith("dying"):
            return 77
    if sample == 5:
        if KIND == "crash":
            print("about to fall", file=sys.stderr)
            os._exit(3)
        if KIND in ("hang", "rogue"):
            time.sleep(1000)
        if KIND == "nan":
            return float("nan")
        if KIND == "infinity":
            return float("inf")
        if KIND == "bounds":
            return 600.5
        if KIND == "word":
            return "many"
        if KIND == "error":
            raise ValueError("no such queue")
    return random.Random(int(seed, 16)).randrange(5000) / 10


def rows(draw):
    first = draw["first"]
    found = [[value(first + i, seed)] for i, seed in enumerate(draw["seeds"]["seed"])]
    if KIND == "count" and first <= 5 < first + len(found):
        found.append([1])
    if KIND == "width" and first <= 5 < first + len(found):
        found[5 - first].append(True)
    return found


def answer(request):
    if KIND == "noise":
        print("loading tables ...")
    if KIND == "closed":
        sys.stdout.flush()
        os.close(1)
        time.sleep(1000)
    if KIND == "half":
        os.write(1, b'{"id": 1, "ro')
        os._exit(0)
    if KIND == "endless":
        while True:
            os.write(1, b"x" * 65536)
    if KIND == "chatty":
        while STATE[0] < 100_000:
            STATE[0] += 1
            print("x" * 100, file=sys.stderr)
    draw = request["draw"]
    try:
        found = rows(draw)
    except ValueError as error:
        return {"id": request["id"], "at": 5, "error": str(error)}
    identity = request["id"] + (KIND == "id")
    return {"id": identity, "rows": found}


if KIND == "early":
    print("no licence", file=sys.stderr)
    sys.exit(3)
if KIND == "silent":
    time.sleep(1000)
if KIND == "family":
    import subprocess
    subprocess.Popen(["sleep", "1000.125"])
if KIND in ("runaway", "rogue"):
    import subprocess
    os.setsid()
    subprocess.Popen(["sleep", "1000.125"], start_new_session=True)
if os.environ.get("ZOO_MARK"):
    open(os.environ["ZOO_MARK"], "a").write("started\n")

HELLO = {"protocol": 2 if KIND == "future" else 1, "name": "zoo"}
if KIND == "talkative":
    HELLO.update(version="1.3", params={"sides": 6}, metrics={"wait": {"kind": "number", "decimals": 2}})
if KIND == "deaf":
    print(json.dumps({"hello": HELLO}), flush=True)
    time.sleep(1000)
for line in sys.stdin:
    request = json.loads(line)
    said = {"hello": HELLO} if "hello" in request else answer(request)
    print(json.dumps(said), flush=True)
    if KIND.startswith(("mortal", "dying")) and STATE[0]:
        os._exit(STATE[0])
if KIND == "stubborn":
    while True:
        time.sleep(1)
if KIND == "sour":
    sys.exit(4)
