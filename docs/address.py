#!/usr/bin/env python3
"""The address of the repository: one line in Cargo.toml, `repository = "https://..."` below [workspace.package].

    python3 docs/address.py ADDRESS    sets it
    python3 docs/address.py            brings all other files up to date with it
    python3 docs/address.py --check    fails if one is not

Without the line no document has a link to the repository's host. In documents the text between <!-- address: TEXT -->
and <!-- /address --> is TEXT with the address for each {}, or nothing. The manifests of the crates, the Python package,
the citation and the book name it in a line of their own.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOT_MANIFEST = ROOT / "Cargo.toml"
LINE = re.compile(r'(\[workspace\.package\]\n(?:[^\[\n].*\n)*?)(?:repository = "(.*)"\n)?(edition = )')
MARKER = re.compile(r"(<!-- address: (.+?) -->).*?(<!-- /address -->)", re.DOTALL)


def address_in(text):
    return LINE.search(text)[2]


def in_document(text, address):
    return MARKER.sub(lambda found: found[1] + (found[2].replace("{}", address) if address else "") + found[3], text)


def in_manifest(text, address):
    """A manifest whose package, if others can get it, names the address as its workspace does."""
    text = text.replace("repository.workspace = true\n", "")
    if not address or "publish = false" in text:
        return text
    return text.replace("license.workspace = true\n", "license.workspace = true\nrepository.workspace = true\n", 1)


def line_after(after, line, old):
    """An editor of files that have a line with the address behind another line."""
    def edit(text, address):
        text = re.sub(old, "", text)
        return text.replace(after, after + line.replace("{}", address), 1) if address else text

    return edit


IN_PYTHON = line_after('dynamic = ["version"]\n', '\n[project.urls]\nRepository = "{}"\n', r'\n\[project\.urls\]\nRepository = ".*"\n')
IN_CITATION = line_after("type: software\n", "repository-code: {}\n", "repository-code: .*\n")
IN_BOOK = line_after("[output.html]\n", 'git-repository-url = "{}"\n', 'git-repository-url = ".*"\n')


def editors():
    """The files that have the address, each with what brings it up to date."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, listed.split("\0")):
        path = Path(name)
        if path.name == "Cargo.toml" and path.parts[0] in ("Cargo.toml", "crates", "games"):
            yield path, in_manifest
        elif path.suffix == ".md":
            yield path, in_document
    yield Path("python/pyproject.toml"), IN_PYTHON
    yield Path("CITATION.cff"), IN_CITATION
    yield Path("book/book.toml"), IN_BOOK


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    if words:
        line = rf'\g<1>repository = "{words[0].rstrip("/")}"\n\g<3>'
        ROOT_MANIFEST.write_text(LINE.sub(line, ROOT_MANIFEST.read_text(), count=1))
    address = address_in(ROOT_MANIFEST.read_text())
    for path, edit in editors():
        old = (ROOT / path).read_text()
        new = edit(old, address)
        if new == old:
            continue
        if "--check" in sys.argv:
            sys.exit(f"{path}: its address is not that of Cargo.toml: python3 docs/address.py brings it up to date")
        (ROOT / path).write_text(new)


if __name__ == "__main__":
    main()
