#!/usr/bin/env python3
"""The picture at the top of README: what a game of the casino brings, and on wide screens a deal of it.

Draws docs/picture-THEME.svg and docs/picture-THEME-narrow.svg from results/klondike-casino:

    python3 docs/picture.py            writes all four
    python3 docs/picture.py --check    exits with 1 if they are not those of the results
"""

import csv
import json
import math
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
RESULTS = DOCS.parent / "results" / "klondike-casino"
STAKE, PAYOUT = 55, 5
HEIGHT = 430
# The size of the picture, the ends of its chart, and the lines above the chart: for each the place and the size.
WIDE = dict(size=(1200, HEIGHT), chart=(510, 1180), tall=196, legend=((520, 190), (830, 190), (1180, 190)),
            lines=((84, 50), (122, 16), (148, 15)), ticks=(0, 55, 110, 165))
NARROW = dict(size=(480, 370), chart=(12, 468), tall=150, legend=((12, 140), (12, 164), (468, 164)),
              lines=((46, 31), (76, 12.2), (98, 12.2)), ticks=(0, 55, 110))
THEMES = {
    "light": dict(paper="#ffffff", ink="#1f2328", soft="#59636e", rule="#d1d9e0", table="#1f6f54",
                  loss="#c2544a", even="#8b949e", gain="#2f7d5b"),
    "dark": dict(paper="#0d1117", ink="#f0f6fc", soft="#9198a1", rule="#3d444d", table="#18513e",
                 loss="#e0786e", even="#9198a1", gain="#4fb286"),
}
SUITS = {"c": ("\u2663", "#1f2328"), "d": ("\u2666", "#b3261e"),
         "h": ("\u2665", "#b3261e"), "s": ("\u2660", "#1f2328")}


def text(x, y, size, fill, words, anchor="start", weight="400"):
    """A line of text at the foot of its letters."""
    return (f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{fill}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{words}</text>')


def card(x, y, name):
    """A card: a name in lower case lies face down."""
    if name[1].islower():
        return (f'<rect x="{x}" y="{y}" width="50" height="70" rx="5" fill="#2b4c7e" '
                f'stroke="#ffffff" stroke-width="2"/>')
    return face(x, y, name)


def face(x, y, name):
    rank, (suit, colour) = name[0].upper().replace("T", "10"), SUITS[name[1].lower()]
    return (f'<rect x="{x}" y="{y}" width="50" height="70" rx="5" fill="#ffffff" '
            f'stroke="#8b949e"/>' + text(x + 5, y + 19, 17, colour, rank + suit, weight="600"))


def deal(theme):
    """The columns of the sample that the page of the experiment shows."""
    columns = json.loads((RESULTS / "exhibit.json").read_text())["instance"].split(" | ")
    parts = [f'<rect width="456" height="{HEIGHT}" rx="12" fill="{theme["table"]}"/>']
    for index, column in enumerate(columns):
        parts += [card(30 + 58 * index, 30 + 26 * row, name)
                  for row, name in enumerate(column.split())]
    return parts


def outcomes():
    """The net results of one game with their shares."""
    with (RESULTS / "histograms.csv").open() as file:
        rows = [row for row in csv.DictReader(file) if row["metric"] == "score"]
    counts = {PAYOUT * round(float(row["value"])) - STAKE: int(row["count"]) for row in rows}
    games = sum(counts.values())
    return [(money, count / games) for money, count in sorted(counts.items())]


def dollars(money):
    sign = "\u2212" if money < 0 else "+" if money > 0 else ""
    return f"{sign}${abs(money)}"


def chart(theme, layout):
    """A bar for each outcome, at its value."""
    (left, right), foot, height = layout["chart"], layout["size"][1] - 38, layout["tall"]
    bars = outcomes()
    most = max(share for _, share in bars)
    def at(money):
        span = bars[-1][0] - bars[0][0]
        return left + 6 + (right - left - 12) * (money - bars[0][0]) / span
    width = 0.8 * (at(PAYOUT) - at(0))
    parts = [f'<line x1="{left}" y1="{foot}" x2="{right}" y2="{foot}" stroke="{theme["rule"]}"/>']
    for money, share in bars:
        kind = "loss" if money < 0 else "gain" if money > 0 else "even"
        tall = max(height * share / most, 0.5)
        parts.append(f'<rect x="{at(money) - width / 2:.1f}" y="{foot - tall:.1f}" '
                     f'width="{width:.1f}" height="{tall:.1f}" fill="{theme[kind]}">'
                     f'<title>{dollars(money)}: {100 * share:.2f} %</title></rect>')
    for money in (-STAKE, *layout["ticks"], bars[-1][0]):
        # A label is up to 24 units wide on each side, and stays within the picture.
        x = min(max(at(money), 24), layout["size"][0] - 26)
        parts.append(text(x, foot + 24, 15, theme["soft"], dollars(money), "middle"))
    return parts + legend(theme, layout, bars)


def legend(theme, layout, bars):
    lost = round(100 * sum(share for money, share in bars if money < 0))
    won = round(100 * sum(share for money, share in bars if money > 0))
    all_cards = round(100 * bars[-1][1])
    losing, winning, last = layout["legend"]
    return [text(*losing, 17, theme["loss"], f"{lost} of 100 games lose money", weight="600"),
            text(*winning, 17, theme["gain"], f"{won} win", weight="600"),
            text(*last, 17, theme["gain"], f"{all_cards} play all 52 cards", "end", "600")]


def heading(theme, layout):
    with (RESULTS / "summary.csv").open() as file:
        rows = {row["metric"]: row for row in csv.DictReader(file)}
    edge, score = rows["house-edge"], rows["score"]
    kept, low, high = (100 * float(edge[name]) for name in ("mean", "ci_lo", "ci_hi"))
    # As on pages, an interval is rounded outwards.
    low, high = math.floor(10 * low) / 10, math.ceil(10 * high) / 10
    words = (f"The house keeps {kept:.1f} %",
             "of each $55 stake, even if the player sees every card and never errs",
             f"95 % interval {low:.1f} to {high:.1f} \u00b7 {int(score['n']):,} deals, each solved exactly")
    left, inks = layout["chart"][0], (theme["ink"], theme["soft"], theme["soft"])
    return [text(left, y, size, ink, line, weight="700" if index == 0 else "400")
            for index, (line, (y, size), ink) in enumerate(zip(words, layout["lines"], inks))]


def picture(theme, layout):
    width, height = layout["size"]
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
             f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
             "<title>The net result of one $55 game of the Klondike casino</title>",
             f'<rect width="{width}" height="{height}" fill="{theme["paper"]}"/>']
    board = deal(theme) if layout is WIDE else []
    return "\n".join(parts + board + heading(theme, layout) + chart(theme, layout) + ["</svg>", ""])


def main():
    check = sys.argv[1:] == ["--check"]
    for name, theme in THEMES.items():
        for ending, layout in ("", WIDE), ("-narrow", NARROW):
            path, svg = DOCS / f"picture-{name}{ending}.svg", picture(theme, layout)
            if not check:
                path.write_text(svg)
            elif path.read_text() != svg:
                sys.exit(f"{path.name} is not that of the results; run: python3 docs/picture.py")


main()
