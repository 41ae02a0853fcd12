#!/usr/bin/env python3
"""Prints the licences of everything that the program is linked of, as an archive of it must bring them along.

    python3 docs/licences.py [TARGET]
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAMES = ("LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE")


def main():
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    command += ["--filter-platform", sys.argv[1]] if len(sys.argv) > 1 else []
    metadata = json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)
    packages = {one["id"]: one for one in metadata["packages"]}
    texts = {}
    for package in sorted((packages[one] for one in linked(metadata)), key=lambda one: one["name"]):
        if not package["source"]:
            continue
        folder = Path(package["manifest_path"]).parent
        files = sorted(file for file in folder.iterdir() if file.name.upper().startswith(NAMES) and file.is_file())
        # A crate without a file is under the terms that its manifest names.
        text = "\n\n".join(file.read_text(errors="replace").strip() for file in files)
        texts.setdefault(text, []).append(f"{package['name']} {package['version']} ({package['license']})")
    for text, names in sorted(texts.items(), key=lambda one: one[1]):
        print("\n".join(names), text or "The crate brings no text of its licence.", "-" * 80, sep="\n\n")


def linked(metadata):
    """The packages that the program is linked of: those of builds and tests are left out."""
    nodes = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    found, left = set(), [metadata["resolve"]["root"]]
    while left:
        one = left.pop()
        if one not in found:
            found.add(one)
            left += [need["pkg"] for need in nodes[one] if any(kind["kind"] is None for kind in need["dep_kinds"])]
    return found


if __name__ == "__main__":
    main()
