"""Read a run folder with pandas: estimates, claims and a histogram.

    python examples/reading/pandas_read.py results/klondike-casino
"""

import sys
from pathlib import Path

import pandas as pd

folder = Path(sys.argv[1])
summary = pd.read_csv(folder / "summary.csv")
print(summary[["cell", "metric", "unit", "mean", "ci_lo", "ci_hi", "ci_method"]].to_string(index=False))

if (folder / "claims.csv").exists():
    claims = pd.read_csv(folder / "claims.csv")
    print(claims[["verdict", "text", "holds"]].to_string(index=False))

histograms = pd.read_csv(folder / "histograms.csv")
first = histograms[histograms["metric"] == summary["metric"].iloc[0]]
print(first.pivot_table(index="value", columns="cell", values="count", fill_value=0).to_string())
