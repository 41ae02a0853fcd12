#!/usr/bin/env python3
"""The reference of an experiment file, from its JSON Schema.

Draws book/src/experiment-file.md from experiments/schema.json:

    python3 docs/reference.py            writes it
    python3 docs/reference.py --check    exits with 1 if it is not that of the schema
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "book" / "src" / "experiment-file.md"
HEAD = """# The experiment file

An experiment is a TOML file. This page is generated from the JSON Schema of the file by
`docs/reference.py`. Unknown keys are errors.

## Keys of the file
"""


def main():
    page = reference(json.loads((ROOT / "experiments" / "schema.json").read_text()))
    if sys.argv[1:] != ["--check"]:
        PAGE.write_text(page)
    elif PAGE.read_text() != page:
        sys.exit(f"{PAGE}: not the reference of experiments/schema.json; run docs/reference.py")


def reference(schema):
    tasks = "".join(task(schema, rule) for rule in schema.get("allOf", []))
    return HEAD + keys(schema, schema, "") + "\n## Tasks and their parameters\n" + tasks


def keys(schema, owner, path):
    """The keys of a table of the file, and the tables within it, whose names begin with `path`."""
    properties = owner.get("properties", {})
    inner = {name: key for name, key in properties.items() if "properties" in target(schema, key)}
    plain = {name: key for name, key in properties.items() if name not in inner}
    page = table(schema, owner, plain)
    for name, key in inner.items():
        header = f"[[{path}{name}]]" if key.get("type") == "array" else f"[{path}{name}]"
        rows = keys(schema, target(schema, key), f"{path}{name}.")
        page += f"\n## `{header}`\n\n{meaning(schema, key)}\n{rows}"
    return page


def task(schema, rule):
    """The parameters of a task."""
    name = rule["if"]["properties"]["task"]["const"]
    known = schema["properties"]["task"]["oneOf"]
    summary = next((one.get("description", "") for one in known if one["const"] == name), "")
    params = rule["then"]["properties"].get("params", {})
    return f"\n### `{name}`\n\n{sentence(summary)}\n" + table(schema, params, params.get("properties", {}))


def table(schema, owner, properties):
    if not properties:
        return ""
    rows = []
    for name, key in properties.items():
        required = "(required)" if name in owner.get("required", []) else ""
        default = f"`{compact(key['default'])}`" if key.get("default") is not None else required
        fields = [f"`{name}`", values(key), default, meaning(schema, key)]
        rows.append("| " + " | ".join(field.replace("|", "\\|") for field in fields) + " |\n")
    return "\n| key | values | default | meaning |\n|---|---|---|---|\n" + "".join(rows)


def values(key):
    """The values that a key takes, in words."""
    words = key.get("enum")
    if "type" not in key and "oneOf" in key:
        words = [word.get("const") for word in key["oneOf"]]
    if words is not None:
        return ", ".join(f"`{compact(word)}`" for word in words)
    kinds = {"string": "text", "boolean": "`true` or `false`", "array": "list", "object": "table"}
    kind = key.get("type")
    kind = kinds.get(kind, kind) if isinstance(kind, str) else "number or list"
    least, most = key.get("minimum"), key.get("maximum")
    if least is None:
        return kind
    return f"{kind} from {compact(least)}" + (f" to {compact(most)}" if most is not None else "")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def target(schema, key):
    """The schema that a key refers to, or the key itself."""
    place = key.get("$ref") or (key.get("items") or {}).get("$ref")
    for step in place.removeprefix("#/").split("/") if place else ():
        schema = schema[step]
    return schema if place else key


def meaning(schema, key):
    return sentence(key.get("description", target(schema, key).get("description", "")))


def sentence(text):
    """The text on one line, with a capital letter and a full stop."""
    text = " ".join(text.split())
    stop = "" if text.endswith((".", "?")) or not text else "."
    return text[:1].upper() + text[1:] + stop


if __name__ == "__main__":
    main()
