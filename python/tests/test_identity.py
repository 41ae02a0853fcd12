"""The identity of a function: what it sees, and that two values are never described alike."""

import cmath
import math
import os
import re
import subprocess
import sys
import textwrap
import types

import pytest

import etude
from etude._identity import Identity

IMPORTS = [
    "from models import service",
    "from .models import service",
    "from . import models; service = models.service",
    "import models.service; service = models.service",
    "import models.service as service",
    "import importlib; service = importlib.import_module('models.service')",
    "from importlib import import_module; service = import_module('.models.service', __package__)",
]


def entries(value):
    return Identity(lambda seed: value, []).entries


def run(folder, text):
    line = [sys.executable, "-c", textwrap.dedent(text)]
    return subprocess.run(line, cwd=folder, capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("statement", IMPORTS)
def test_a_module_imported_inside_is_part_of_the_identity(tmp_path, statement):
    package = "project" if "." in statement.split("import")[0] or "__package__" in statement else ""
    place = tmp_path / package
    (place / "models").mkdir(parents=True)
    if package:
        (place / "__init__.py").write_text("", encoding="utf-8")
    (place / "models" / "__init__.py").write_text(
        "from . import service\n" if "models.service" in statement else "", encoding="utf-8"
    )
    (place / "queue_times.py").write_text(f"def wait(seed):\n    {statement}\n    return service.time(seed)\n")
    module = f"{package}.queue_times" if package else "queue_times"
    call = f"""
        import etude
        from {module} import wait
        etude.simulate(wait, metrics={{"x": int}}, samples=20, out="run", quiet=True)
    """
    for time, told in [("seed % 7", ""), ("seed % 7 + 0", "drawn again"), ("seed % 5", "etude._simulation.Changed")]:
        (place / "models" / "service.py").write_text(f"def time(seed):\n    return {time}\n", encoding="utf-8")
        ended = run(tmp_path, call)
        assert ("models.service.time is not what it was" in ended.stderr) == bool(told), ended.stderr
        assert told in ended.stderr


def test_an_import_inside_that_takes_a_name_replaces_no_name(tmp_path):
    (tmp_path / "tool").mkdir()
    (tmp_path / "tool" / "__init__.py").write_text("def run():\n    return 1\n", encoding="utf-8")
    (tmp_path / "tool" / "run.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    ended = run(
        tmp_path,
        """
        from etude._identity import Identity
        def f(seed):
            from tool import run
            from tool import nothing
            from ... import nowhere
            return run()
        print(sorted(Identity(f, []).entries))
        """,
    )
    assert "'tool.run'" in ended.stdout, ended.stderr


class Plain(type):
    factor = 1

    def scale(cls):
        return 1


class Other(type):
    factor = 1

    def scale(cls):
        return 2


def made_by(kind):
    return kind("Made", (), {"__module__": __name__})


def pairs():
    """Two values of each kind that were described alike."""
    made = [
        (types.MappingProxyType({"a": 1}), types.MappingProxyType({"a": 2})),
        ({"a": 1}.keys(), {"b": 1}.keys()),
        ({"a": 1}.values(), {"a": 2}.values()),
        ({"a": 1}.items(), {"a": 2}.items()),
        (memoryview(b"one"), memoryview(b"two")),
        (math.sqrt, cmath.sqrt),
        ([1].count, [2].count),
        (re.compile("a"), re.compile("b")),
        (compile("1", "x", "eval"), compile("2", "x", "eval")),
        (made_by(Plain), made_by(Other)),
        (type("Tag", (bytes,), {"n": 1})(b"a"), type("Tag", (bytes,), {"n": 2})(b"a")),
    ]
    try:
        import numpy
    except ImportError:
        return made
    data = numpy.zeros(3)
    views = [data.view(type("View", (numpy.ndarray,), {"n": n})) for n in (1, 2)]
    masked = [numpy.ma.array(data, mask=mask, fill_value=0.0) for mask in ([0, 0, 1], [0, 1, 0])]
    return [*made, tuple(views), tuple(masked), (numpy.sin, numpy.add), (data.astype(object), data[:2].astype(object))]


@pytest.mark.parametrize(("one", "other"), pairs())
def test_two_values_are_not_described_alike(one, other):
    assert entries(one) != entries(other)
    assert entries(one) == entries(one)


def test_an_identity_is_the_same_whatever_the_seed_of_hashes():
    text = """
        import re, types
        from etude._identity import Identity
        class Names(set): pass
        views = [types.MappingProxyType({"a": 1}), {"a": 1}.keys()]
        held = [Names("abcdef"), frozenset("abcdef"), re.compile("a"), *views]
        print(Identity(lambda seed: held, []).digest())
    """
    told = set()
    for number in range(4):
        environment = {**os.environ, "PYTHONHASHSEED": str(number)}
        line = [sys.executable, "-c", textwrap.dedent(text)]
        told.add(subprocess.run(line, env=environment, capture_output=True, encoding="utf-8").stdout)
    assert len(told) == 1 and len(told.pop()) > 60


class Answering(dict):
    __getattr__ = dict.get

    def __call__(self, seed):
        return seed % self["n"]


@pytest.mark.skipif(sys.version_info < (3, 11), reason="pickle itself asks such an object for `__getstate__`")
def test_an_object_that_answers_to_any_name_is_an_object(tmp_path):
    given = Answering(n=7, shape=(3,))

    def of_global(seed, more):
        return seed % given.n + more.n

    for name, call in {"closure": (of_global, {"params": {"more": given}}), "itself": (given, {})}.items():
        made = etude.simulate(call[0], metrics={"x": int}, samples=20, out=tmp_path / name, quiet=True, **call[1])
        assert etude.summary(made, "lists")["n"] == [20]
    with pytest.raises(etude.Changed, match="of_global"):
        given["n"] = 5
        etude.simulate(of_global, metrics={"x": int}, params={"more": given}, samples=20, out=tmp_path / "closure")


def test_the_environment_does_not_travel_but_for_what_the_code_names(tmp_path, monkeypatch):
    from os import environ as settings
    from os import getenv as setting

    class Of:
        machine = settings

    def limit(seed):
        return seed % int(Of.machine["LIMIT"])

    def more(seed):
        return limit(seed) + int(setting("MORE", "0"))

    monkeypatch.setenv("SECRET", "tell-nobody")
    monkeypatch.setenv("LIMIT", "7")

    def call():
        return etude.simulate(more, metrics={"x": int}, samples=20, out=tmp_path / "run", quiet=True)

    folder = call().folder
    assert not [path for path in folder.rglob("*") if path.is_file() and b"tell-nobody" in path.read_bytes()]
    monkeypatch.setenv("SECRET", "another")
    call()
    for name, value in [("LIMIT", "5"), ("MORE", "1")]:
        monkeypatch.setenv(name, value)
        with pytest.raises(etude.Changed, match=f"the environment variable {name}"):
            call()
    copy = dict(settings)
    with pytest.raises(TypeError, match="uses `.*copy`, a copy of all environment variables"):
        etude.simulate(lambda seed: seed % int(copy["LIMIT"]), metrics={"x": int}, samples=20, out=tmp_path / "copy")
