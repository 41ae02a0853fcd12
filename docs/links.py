#!/usr/bin/env python3
"""The links of documents.

    python3 docs/links.py                    writes src/README.md, the README of the crate `etude` in a registry
    python3 docs/links.py --check            fails if it is not up to date
    python3 docs/links.py FOLDER             fails if a relative link of a document in the folder leads to no file in it
    python3 docs/links.py --stripped FILE    prints a document as it stands alone in an archive: a link to a file of the
                                             repository leads to its host, or is plain text while Cargo.toml has no address
"""

import re
import sys
import urllib.parse
from pathlib import Path

from address import ROOT, ROOT_MANIFEST, address_in

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
OF_THE_CRATE = ROOT / "src/README.md"
# Pictures in HTML, which a document alone goes without.
PICTURE = re.compile(r"<picture>.*?</picture>\n*|^!\[.*?\)\n\n", re.DOTALL | re.MULTILINE)
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
HOST = re.compile(r"[a-z]+:")
# Beside the program in an archive.
BROUGHT_ALONG = {"LICENSE-MIT", "LICENSE-APACHE"}


def in_prose(text, edit):
    """The text with its prose edited, and its code as it is."""
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    return "".join(part if at % 2 else edit(part) for at, part in enumerate(parts))


def stripped(text, beside):
    """The text alone with the files `beside` it."""
    address = address_in(ROOT_MANIFEST.read_text())

    def alone(link):
        image, words, target = link.groups()
        if HOST.match(target) or target.startswith("#") or target in beside:
            return link[0]
        return f"[{words}]({address}/blob/main/{target})" if address and not image else words

    # Code in the words of a link is part of it.
    return LINK.sub(alone, COMMENT.sub("", PICTURE.sub("", text)))


def astray(folder):
    """The links in a folder's documents that lead nowhere."""
    documents = [path for path in folder.rglob("*.md") if "target" not in path.relative_to(folder).parts]
    for document in sorted(documents):
        found = []
        in_prose(COMMENT.sub("", document.read_text()), lambda prose: found.extend(LINK.findall(prose)) or prose)
        for _, _, target in found:
            path = urllib.parse.unquote(target.partition("#")[0])
            inside = (document.parent / path).resolve()
            if not HOST.match(target) and not (inside.exists() and inside.is_relative_to(folder)):
                yield f"{document}: {target} leads nowhere"


def main():
    if sys.argv[1:] in ([], ["--check"]):
        text = stripped((ROOT / "README.md").read_text(), set())
        if not sys.argv[1:]:
            OF_THE_CRATE.write_text(text)
        elif OF_THE_CRATE.read_text() != text:
            sys.exit(f"{OF_THE_CRATE} is not up to date: python3 docs/links.py writes it")
    elif sys.argv[1] == "--stripped":
        print(stripped(Path(sys.argv[2]).read_text(), BROUGHT_ALONG), end="")
    elif faults := list(astray(Path(sys.argv[1]).resolve())):
        sys.exit("\n".join(faults))


if __name__ == "__main__":
    main()
