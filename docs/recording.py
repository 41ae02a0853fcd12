#!/usr/bin/env python3
"""The recording in README: types a command into a terminal, runs it, and draws what appears.

    python3 docs/recording.py [PROGRAM]           writes docs/recording.svg
    python3 docs/recording.py --check [PROGRAM]   fails if it is wider, longer or older than it should be

PROGRAM is target/release/etude. The frames are what a terminal of 92 columns showed; a run that takes
longer or shorter is played in the same time. Every word stands at its own column, whatever the font.
"""

import fcntl
import html
import os
import pty
import re
import struct
import sys
import tempfile
import termios
import time
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
COLUMNS, ROWS = 92, 36
TYPING, RUNNING, PAUSE = 1.0, 3.0, 3.9
LONGEST = 8.0
FRAMES = 16
LETTER, LINE, MARGIN = 8.4, 18, 16
TYPED = "etude run klondike-casino --samples 300_000 --out casino"
CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07]*\x07|([\r\n])|([^\x1b\r\n]+)")
COLOURS = {"31": "#ff7b72", "32": "#3fb950", "33": "#d29922", "36": "#39c5cf", "1": "#f0f6fc"}
BAR, REVISION = re.compile("[█░]{3}"), re.compile(r"\([0-9a-f]{12}\+?\)")
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
            elif letter == "B":
                self.row += int(numbers or 1)
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
        for letter in words:
            if self.column == COLUMNS:
                self.row, self.column = self.row + 1, 0
            line = self.line()
            line.extend([(" ", INK)] * (self.column + 1 - len(line)))
            line[self.column] = (letter, self.colour)
            self.column += 1

    def shown(self):
        return tuple(tuple(line) for line in self.lines[-ROWS:])


def typed():
    """Frames of the command as it is typed."""
    for end in range(0, len(TYPED) + 1, 4):
        screen = Screen()
        screen.feed("\x1b[32m$\x1b[0m " + TYPED[:end] + "\u2588")
        yield screen.shown()


def ran(program):
    """Frames of the command's output, each with the time at which it was seen."""
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        os.chdir(tempfile.mkdtemp())
        os.environ.update(TERM="xterm-256color", COLUMNS=str(COLUMNS))
        os.execv(program, TYPED.split())
    screen = Screen()
    screen.feed("\x1b[32m$\x1b[0m " + TYPED + "\r\n")
    while True:
        try:
            output = os.read(terminal, 65_536).decode(errors="replace")
        except OSError:
            break
        screen.feed(output)
        yield time.monotonic(), screen.shown()
    if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        sys.exit("\n".join(map(text, screen.shown())))


def recorded(program):
    """Frames with their times: the typing, then at most so many of the run, the last one longest."""
    letters = list(typed())
    frames = [(TYPING / len(letters), shown) for shown in letters]
    seen = list(ran(program))
    begin, end = seen[0][0], seen[-1][0]
    moments = [begin + (end - begin) * part / FRAMES for part in range(FRAMES)]
    for moment in moments:
        shown = [shown for at, shown in seen if at <= moment][-1]
        frames.append((RUNNING / FRAMES, shown))
    return frames + [(PAUSE, seen[-1][1])]


def text(line):
    return "".join(letter for letter, _ in line)


def drawn(line, y):
    """A line of the terminal: each run of words in one colour at its column, as wide as it is there."""
    runs, begin = [], None
    for column, (letter, colour) in enumerate([*line, (" ", None)]):
        if begin is not None and (colour != line[begin][1] or text(line[column:column + 2]).strip() == ""):
            runs.append((begin, column))
            begin = None
        if begin is None and letter != " ":
            begin = column
    return "".join(
        f'<text x="{MARGIN + LETTER * begin:.1f}" y="{y}" textLength="{LETTER * (end - begin):.1f}" '
        f'lengthAdjust="spacingAndGlyphs" fill="{line[begin][1]}">{html.escape(text(line[begin:end]))}</text>'
        for begin, end in runs)


def size():
    return MARGIN * 2 + COLUMNS * LETTER, LINE * ROWS + 30


def animation(frames):
    whole = sum(wait for wait, _ in frames)
    width, height = size()
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
             f'font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
             f'font-size="14"><title>A run of the casino experiment: progress, '
             f'then the answer with its intervals</title>'
             f'<rect width="100%" height="100%" rx="8" fill="{PAPER}"/>']
    begin = 0.0
    for index, (wait, lines) in enumerate(frames):
        start, end = begin / whole, (begin + wait) / whole
        texts = "".join(drawn(line, 30 + LINE * row) for row, line in enumerate(lines))
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


def merged(frames):
    """Frames without those that show what the one before them shows."""
    kept = []
    for wait, shown in frames:
        if kept and kept[-1][1] == shown:
            kept[-1] = (kept[-1][0] + wait, shown)
        else:
            kept.append((wait, shown))
    return kept


def faults(picture, program):
    """What is wrong with a picture: its length, its width, two bars at once, an answer of another day."""
    svg = "{http://www.w3.org/2000/svg}"
    frames = list(ElementTree.fromstring(picture).iter(f"{svg}g"))
    longest = max(float(one.get("dur")[:-1]) for one in ElementTree.fromstring(picture).iter(f"{svg}animate"))
    if longest > LONGEST:
        yield f"it takes {longest} s, more than {LONGEST}"
    width, height = size()
    for frame in frames:
        lines = {}
        for words in frame.iter(f"{svg}text"):
            at, y, long = (float(words.get(key)) for key in ("x", "y", "textLength"))
            lines.setdefault(y, []).append(words.text)
            if at + long > width or y > height:
                yield f"`{words.text}` is outside the picture"
        if sum(any(BAR.search(words) for words in line) for line in lines.values()) > 1:
            yield "two bars are there at once"
    stored = [" ".join(line).split() for line in lines.values()]
    shown = [text(line).split() for line in [*ran(program)][-1][1]]
    if [told(line) for line in stored] != [told(line) for line in shown if line]:
        yield "the program shows something else now: run python3 docs/recording.py"


def told(words):
    """Words without the revision of the program that says them."""
    return [word for word in words if not REVISION.fullmatch(word.rstrip(";,"))]


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--check"]
    program = str(Path(arguments[0] if arguments else ROOT / "target/release/etude").resolve())
    path = ROOT / "docs" / "recording.svg"
    if "--check" in sys.argv:
        found = sorted(set(faults(path.read_text(), program)))
        sys.exit("\n".join(f"docs/recording.svg: {fault}" for fault in found) or 0)
    path.write_text(animation(merged(recorded(program))))


main()
