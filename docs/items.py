#!/usr/bin/env python3
"""Lists the public items of each crate in its README, between markers; with --check it only compares.

What only one other crate names is followed by the name of that crate: it is public for it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- public items -->", "<!-- end of public items -->"
ALONE = "What one other crate alone uses is public for it: its name stands in brackets.\n\n"
ITEM = re.compile(r"pub (?:const |async |unsafe )*(?:fn|struct|enum|trait|type|const|static) (\w+)")
USE = re.compile(r"^pub use ([^;]+);", re.MULTILINE)


def source(folder, name):
    """The file of a module."""
    return next(path for path in (folder / f"{name}.rs", folder / name / "mod.rs") if path.exists())


def items(file, folder, path):
    """The public items of a module, then those of each module in it: pairs of a path and names."""
    text = file.read_text()
    names = ITEM.findall("\n".join(line for line in text.split("\n") if line.startswith("pub ")))
    for used in USE.findall(text):
        names += re.findall(r"(\w+)(?=\s*(?:,|\}|$))", used.split("::", 1)[-1])
    yield path, sorted(set(names), key=lambda name: (name.lower(), name))
    for name in re.findall(r"^pub mod (\w+);", text, re.MULTILINE):
        yield from items(source(folder, name), folder / name, f"{path}::{name}")


def words(folders):
    """The words of the code in some folders, without comments."""
    code = "".join(path.read_text() for folder in folders for path in folder.rglob("*.rs"))
    return set(re.findall(r"\w+", re.sub(r"//.*", "", code)))


def packages():
    """The packages of the repository: the name of each, its manifest, and the words of its code."""
    for path in [*ROOT.glob("*/Cargo.toml"), *ROOT.glob("*/*/Cargo.toml")]:
        if "target" not in path.parts:
            yield path.parent.name, path.read_text(), words([path.parent])
    own = [ROOT / name for name in ("src", "tests")]
    yield "etude", (ROOT / "Cargo.toml").read_text().split("[package]")[1], words(own)


def listed(crate, others):
    """The list of a crate's public items, in Markdown."""
    root = re.search(r'name = "([\w-]+)"', (crate / "Cargo.toml").read_text())[1].replace("-", "_")
    uses = re.compile(rf"^{crate.name}(\.workspace)? = ", re.MULTILINE)
    users = [(user, known) for user, manifest, known in others if uses.search(manifest)]

    def told(name):
        named = [user for user, known in users if name in known]
        return f"`{name}` ({named[0]})" if len(named) == 1 else f"`{name}`"

    modules = items(crate / "src/lib.rs", crate / "src", root)
    lines = [f"* `{path}`: {', '.join(map(told, names))}\n" for path, names in modules if names]
    return ALONE + "".join(lines)


def main():
    stale = []
    others = list(packages())
    for crate in sorted((ROOT / "crates").iterdir()):
        readme = crate / "README.md"
        text = readme.read_text()
        if BEGIN not in text:
            text = text.rstrip() + f"\n\n## Public items\n\n{BEGIN}\n{END}\n"
        before, after = text.split(BEGIN)[0], text.split(END)[1]
        new = f"{before}{BEGIN}\n{listed(crate, others)}{END}{after}"
        if new != readme.read_text():
            stale.append(readme.relative_to(ROOT))
            if "--check" not in sys.argv:
                readme.write_text(new)
    if stale and "--check" in sys.argv:
        sys.exit(f"run python3 docs/items.py; not up to date: {', '.join(map(str, stale))}")


if __name__ == "__main__":
    main()
