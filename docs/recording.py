#!/usr/bin/env python3
"""The recording in README: types a command into a terminal, runs it, and draws what appears.

    python3 docs/recording.py [PROGRAM]     writes docs/recording.svg; PROGRAM is target/release/etude

The frames are what a terminal of 92 columns showed at each moment, with the times between them.
"""

import fcntl
import html
import os
import pty
import re
import select
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS, PAUSE = 92, 24, 4.0
TYPED = "etude run klondike-casino --samples 2_000_000 --out casino"
CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|([\r\n])|([^\x1b\r\n]+)")
COLOURS = {"31": "#ff7b72", "32": "#3fb950", "33": "#d29922", "36": "#39c5cf", "1": "#f0f6fc"}
INK, PAPER = "#c9d1d9", "#0d1117"


class Screen:
    """The few things that a progress bar and a report ask of a terminal."""

    def __init__(self):
        self.lines, self.row, self.column, self.colour = [[]], 0, 0, INK

    def feed(self, output):
        for match in CODE.finditer(output):
            numbers, letter, control, words = match.groups()
            if words:
                self.put(words)
            elif control == "\r":
                self.column = 0
            elif control == "\n":
                self.row, self.column = self.row + 1, 0
            elif letter == "A":
                self.row = max(0, self.row - int(numbers or 1))
            elif letter == "K":
                line = self.line()
                del line[0 if numbers == "2" else self.column:]
            elif letter == "m":
                self.paint(numbers)

    def paint(self, numbers):
        codes = (numbers or "0").split(";")
        self.colour = next((COLOURS[code] for code in codes if code in COLOURS), INK)

    def line(self):
        while len(self.lines) <= self.row:
            self.lines.append([])
        return self.lines[self.row]

    def put(self, words):
        line = self.line()
        line.extend([(" ", INK)] * (self.column + len(words) - len(line)))
        for letter in words:
            line[self.column] = (letter, self.colour)
            self.column += 1

    def shown(self):
        return tuple(tuple(line) for line in self.lines[-ROWS:])


def typed():
    """Frames of the command as it is typed."""
    for end in range(0, len(TYPED) + 1, 3):
        screen = Screen()
        screen.feed("\x1b[32m$\x1b[0m " + TYPED[:end] + "\u2588")
        yield 0.06, screen.shown()


def ran(program):
    """Frames of the command's output with the time until the next one."""
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tempfile.mkdtemp())
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS))
        os.execv(program, TYPED.split())
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    screen = Screen()
    screen.feed("\x1b[32m$\x1b[0m " + TYPED + "\r\n")
    before = time.monotonic()
    while True:
        ready, _, _ = select.select([terminal], [], [], 0.25)
        try:
            output = os.read(terminal, 65_536).decode(errors="replace") if ready else ""
        except OSError:
            break
        shown, now = screen.shown(), time.monotonic()
        if now - before > 0.2:
            yield now - before, shown
            before = now
        screen.feed(output)
    os.waitpid(child, 0)
    yield PAUSE, screen.shown()


def drawn(line, y):
    """A line of the terminal: one span for each run of a colour."""
    spans, last = [], None
    for letter, colour in line:
        if colour == last:
            spans[-1][1] += letter
        else:
            spans.append([colour, letter])
        last = colour
    words = "".join(f'<tspan fill="{colour}">{html.escape(text)}</tspan>' for colour, text in spans)
    return f'<text x="16" y="{y}">{words}</text>' if words.strip() else ""


def animation(frames):
    whole = sum(wait for wait, _ in frames)
    width, height = 16 * 2 + COLUMNS * 8.43, 18 * ROWS + 30
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
             f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
             f'font-size="14" xml:space="preserve"><title>A run of the casino experiment: progress, '
             f'then the answer with its intervals</title>'
             f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>']
    begin = 0.0
    for index, (wait, lines) in enumerate(frames):
        start, end = begin / whole, (begin + wait) / whole
        texts = "".join(drawn(line, 30 + 18 * row) for row, line in enumerate(lines))
        last = index == len(frames) - 1
        times = f"0;{start:.4f};1" if last else f"0;{start:.4f};{end:.4f};1"
        values = "none;inline;inline" if last else "none;inline;none;none"
        if index == 0:
            times, values = f"0;{end:.4f};1", "inline;none;none"
        parts.append(f'<g display="{"inline" if last else "none"}">{texts}'
                     f'<animate attributeName="display" dur="{whole:.2f}s" calcMode="discrete" '
                     f'repeatCount="indefinite" keyTimes="{times}" values="{values}"/></g>')
        begin += wait
    return "\n".join(parts + ["</svg>", ""])


def main():
    program = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/release/etude").resolve()
    frames = []
    for wait, shown in [*typed(), *ran(str(program))]:
        if frames and frames[-1][1] == shown:
            frames[-1] = (frames[-1][0] + wait, shown)
        else:
            frames.append((wait, shown))
    (ROOT / "docs" / "recording.svg").write_text(animation(frames))


main()
