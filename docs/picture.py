#!/usr/bin/env python3
"""The picture at the top of README: a deal of the casino, and what a game of it brings.

Draws docs/picture-light.svg and docs/picture-dark.svg from results/klondike-casino:

    python3 docs/picture.py            writes both
    python3 docs/picture.py --check    exits with 1 if they are not those of the results
"""

import csv
import json
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
RESULTS = DOCS.parent / "results" / "klondike-casino"
STAKE, PAYOUT = 55, 5
WIDTH, HEIGHT = 1200, 430
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


def chart(theme):
    """A bar for each outcome, at its value."""
    left, right, foot, height = 510, 1180, 392, 196
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
    for money in (-STAKE, 0, 55, 110, 165, bars[-1][0]):
        parts.append(text(at(money), foot + 24, 15, theme["soft"], dollars(money), "middle"))
    return parts + legend(theme, bars)


def legend(theme, bars):
    lost = round(100 * sum(share for money, share in bars if money < 0))
    won = round(100 * sum(share for money, share in bars if money > 0))
    all_cards = round(100 * bars[-1][1])
    return [text(520, 190, 17, theme["loss"], f"{lost} of 100 games lose money", weight="600"),
            text(830, 190, 17, theme["gain"], f"{won} win", weight="600"),
            text(1180, 190, 17, theme["gain"], f"{all_cards} play all 52 cards", "end", "600")]


def heading(theme):
    with (RESULTS / "summary.csv").open() as file:
        rows = {row["metric"]: row for row in csv.DictReader(file)}
    edge, score = rows["house-edge"], rows["score"]
    kept, low, high = (100 * float(edge[name]) for name in ("mean", "ci_lo", "ci_hi"))
    games = f"{int(score['n']):,}".replace(",", "\u202f")
    return [
        text(510, 84, 50, theme["ink"], f"The house keeps {kept:.1f} %", weight="700"),
        text(510, 122, 16, theme["soft"],
             "of each $55 stake, even if the player sees every card and never errs"),
        text(510, 148, 15, theme["soft"],
             f"95 % interval {low:.1f} to {high:.1f} \u00b7 {games} deals, each solved exactly"),
    ]


def picture(theme):
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
             f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif">',
             "<title>A deal of the Klondike casino, and the net result of one $55 game</title>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{theme["paper"]}"/>']
    return "\n".join(parts + deal(theme) + heading(theme) + chart(theme) + ["</svg>", ""])


def main():
    check = sys.argv[1:] == ["--check"]
    for name, theme in THEMES.items():
        path, svg = DOCS / f"picture-{name}.svg", picture(theme)
        if not check:
            path.write_text(svg)
        elif path.read_text() != svg:
            sys.exit(f"{path.name} is not that of the results; run: python3 docs/picture.py")


main()
