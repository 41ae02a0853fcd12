"""A sweep from Python: how long customers wait as a queue fills up, drawn as a picture.

    pip install ./python pandas matplotlib
    python python/examples/sweep.py
"""
from pathlib import Path

import etude
import matplotlib.pyplot as plt

QUEUE = Path(__file__).resolve().parents[2] / "examples" / "queue"

result = etude.run(QUEUE / "queue-loads.toml", "queue-loads", samples=4000)
tables = result.tables(frames="pandas")
wait = tables["summary"].query("metric == 'wait'")
known = tables["claims"].query("metric == 'wait' and relation == 'agrees'")

loads = [k / 100 for k in range(1, 95)]
plt.plot(loads, [load / (1 - load) for load in loads], label="load / (1 - load)")
plt.errorbar(wait["load"], wait["mean"], label="simulated", fmt="o",
             yerr=[wait["mean"] - wait["ci_lo"], wait["ci_hi"] - wait["mean"]])
plt.xlabel("load")
plt.ylabel("mean wait, in service times")
plt.legend()
plt.savefig("queue-loads.svg")
print(known[["cell", "mean", "lo", "hi", "threshold", "verdict"]].to_string(index=False))
