"""A sweep from Python: how long customers wait as a queue fills up, drawn as a picture.

    pip install etude-lab pandas matplotlib
    python sweep.py
"""
from pathlib import Path

import etude
import matplotlib.pyplot as plt

QUEUE = Path(__file__).resolve().parents[2] / "examples" / "queue"
EXPERIMENT = """
question = "How long does a customer wait as the queue fills up?"
task = "command"
seed = 1909
[command]
run = ["python3", "queue.py"]
files = ["queue.py"]
streams = ["arrivals", "service"]
[command.params]
load = { kind = "number", min = 0.01, max = 0.99, default = 0.8 }
customers = { kind = "integer", min = 1, max = 10_000, default = 100 }
[command.metrics]
wait = { kind = "number", unit = "services", min = 0, max = 1000, decimals = 6 }
longest = { kind = "number", unit = "services", min = 0, max = 1000, decimals = 6 }
late = { kind = "flag" }
[stop]
samples = 4000
[sweep]
load = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
"""

file = QUEUE / "queue-sweep.toml"
file.write_text(EXPERIMENT)
summary = etude.tables(etude.run(file, "queue-sweep"), frames="pandas")["summary"]
wait = summary[summary["metric"] == "wait"]
loads = [k / 100 for k in range(1, 96)]
plt.plot(loads, [load / (1 - load) for load in loads], label="load / (1 - load)")
plt.errorbar(wait["load"], wait["mean"], label="simulated", fmt="o",
             yerr=[wait["mean"] - wait["ci_lo"], wait["ci_hi"] - wait["mean"]])
plt.xlabel("load")
plt.ylabel("mean wait, in mean services")
plt.legend()
plt.savefig("queue-sweep.svg")
