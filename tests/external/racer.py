"""A worker for races: it answers a digit of its seed after spinning for a while.

The first argument says how: `MILLISECONDS`, or the name of a misdeed. The second is the spread of a log-normal
factor of each instance, whose median is 1.
"""
import json
import os
import random
import signal
import sys
import time

how = sys.argv[1]
if os.path.exists("slow-to-start"):
    time.sleep(1)
spread = float(sys.argv[2]) if len(sys.argv) > 2 else 0.0


def spin(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def spin_in_all(seconds):
    """Has the process use this time from the end of the last such spin on: what is beside them counts too."""
    global due
    due += seconds
    while time.process_time() < due:
        pass


def answer(sample, seed):
    digit = int(seed[:8], 16) % 10
    hard = 1 + int(seed[8:10], 16) / 64
    if how == "liar":
        return 9 - digit if sample == 17 else digit
    if how == "rare-liar":
        return 9 - digit if sample == 450 else digit
    if how == "hang" and sample == 3:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if os.fork() == 0:
            os.setsid()
            open("child.pid", "w").write(str(os.getpid()))
        time.sleep(1000)
    if how == "sleep":
        time.sleep(1000)
    if how == "crash" and sample == 3:
        os._exit(7)
    if how == "wrapper":
        # Few need it, and all would wait for it.
        import subprocess
        code = "import time\nwhile time.process_time() < %r: pass" % (0.015 * hard)
        subprocess.run([sys.executable, "-c", code], check=True)
    if how.startswith("alike-"):
        spin(float(how[6:]) / 1000)
    if how.startswith("beside-child-"):
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        spin(float(how[13:]) / 1000)
    if how.startswith("child-"):
        child = os.fork()
        if child == 0:
            spin(float(how[6:]) / 1000)
            os._exit(0)
        os.waitpid(child, 0)
    if how[0].isdigit():
        spin_in_all(float(how) / 1000 * hard * random.Random(seed).lognormvariate(0.0, spread))
    return digit


for line in sys.stdin:
    asked = json.loads(line)
    if "hello" in asked:
        print(json.dumps({"hello": {"protocol": 1, "name": "racer"}}), flush=True)
        due = time.process_time()
        continue
    draw = asked["draw"]
    seeds = next(iter(draw["seeds"].values()))
    rows = [[answer(draw["first"] + at, seed)] for at, seed in enumerate(seeds)]
    print(json.dumps({"id": asked["id"], "rows": rows}), flush=True)
    if how == "later":
        spin(0.01 * (1 + int(seeds[0][8:10], 16) / 64))
