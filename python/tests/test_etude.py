"""The package as its users see it, against the program that it brings."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import dice
import pytest

import etude
from etude import _toml
from etude.worker import Worker

HERE = Path(__file__).parent
TABLES = ["summary.csv", "samples.csv", "histograms.csv", "convergence.csv", "blocks.csv", "config.toml"]


def same_bytes(one, other):
    """The tables that hold no clock are equal, and there are some."""
    names = [name for name in TABLES if (one / name).exists()]
    assert {"summary.csv", "samples.csv", "config.toml"} <= set(names)
    for name in names:
        assert (one / name).read_bytes() == (other / name).read_bytes(), name


def script(folder, text, name="script.py"):
    """Runs a script of a folder as a person would."""
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return subprocess.run([sys.executable, str(path)], cwd=folder, capture_output=True, encoding="utf-8")


@pytest.fixture
def faces():
    return {"sum": {"kind": "integer", "min": 2, "max": 12, "unit": "pips"}, "lucky": bool}


def test_a_function_gives_the_bytes_of_the_file_that_says_the_same(tmp_path, faces):
    made = etude.simulate(dice.throw, metrics=faces, samples=500, seed=11, out=tmp_path / "made")
    (tmp_path / "dice.py").write_bytes((HERE / "dice.py").read_bytes())
    run = _toml.dumps({"run": [etude._simulation._interpreter()]}).strip()[:-1]
    (tmp_path / "throw.toml").write_text(
        f"""
        task = "command"
        seed = 11
        [command]
        {run}, "-m", "etude.worker", "dice.py:throw", "sum", "lucky"]
        files = ["dice.py"]
        streams = ["seed"]
        [command.metrics]
        sum = {{ kind = "integer", min = 2, max = 12, unit = "pips" }}
        lucky = {{ kind = "flag" }}
        [stop]
        samples = 500
        [output]
        samples = true
        """,
        encoding="utf-8",
    )
    same_bytes(made, etude.run(tmp_path / "throw.toml", tmp_path / "file", "--threads", "1"))


def test_values_in_a_list_are_swept_and_parameters_without_a_value_are_streams(tmp_path):
    folder = etude.simulate(
        dice.queue,
        params={"load": [0.5, 0.9]},
        metrics={"wait": float, "late": bool},
        samples=200,
        out=tmp_path / "queue",
    )
    summary = etude.summary(folder, frames="lists")
    assert summary["load"] == [0.5, 0.5, 0.9, 0.9]
    assert summary["metric"] == ["wait", "late"] * 2


def test_each_stream_has_seeds_of_its_own_which_cells_share(tmp_path):
    whole = {"kind": "integer", "min": 0, "max": 2**40}
    folder = etude.simulate(
        dice.low_bits,
        params={"cell": ["a", "b"]},
        metrics={"arrivals": whole, "service": whole},
        samples=50,
        out=tmp_path / "bits",
    )
    samples = etude.samples(folder, frames="lists")
    assert len(set(samples["arrivals"])) == len(set(samples["service"])) == 50
    assert not set(samples["arrivals"]) & set(samples["service"])
    for stream in ("arrivals", "service"):
        assert samples[stream][0::2] == samples[stream][1::2]


def test_a_dictionary_is_an_experiment(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    experiment = {
        "name": "small-klondike",
        "question": 'How "often" is a deal won?\n',
        "task": "klondike/score",
        "seed": 3,
        "stop": {"samples": 50},
        "sweep": {"strategy": ["greedy", "random"]},
        "claims": [
            {"source": "me", "text": "Greed pays.", "holds": "diff(greedy, random).score > 0"},
            {"source": "you", "text": "It does not.", "holds": "diff(greedy, random).score < 0"},
        ],
    }
    folder = etude.run(experiment)
    assert folder == Path("results", "small-klondike")
    assert list(etude.tables(folder, frames="lists")["claims"]["claim"]) == [1, 2]
    Path("small-klondike.toml").write_text(_toml.dumps(experiment), encoding="utf-8")
    etude.run("small-klondike.toml", "again")
    assert Path("again/summary.csv").read_bytes() == (folder / "summary.csv").read_bytes()


def test_a_dictionary_needs_a_name():
    with pytest.raises(ValueError, match="has no name"):
        etude.run({"task": "klondike/score"})


@pytest.mark.parametrize("frames", ["pandas", "polars"])
def test_columns_have_types(tmp_path, faces, frames):
    frame_library = pytest.importorskip(frames)
    folder = etude.simulate(
        dice.throw, params={"sides": [6]}, metrics=faces, samples=20, out=tmp_path / "dice"
    )
    summary, samples = etude.summary(folder, frames), etude.samples(folder, frames)
    assert isinstance(summary, frame_library.DataFrame)
    kinds = [str(kind).lower() for kind in (summary["n"].dtype, summary["mean"].dtype, samples["sum"].dtype)]
    assert kinds == ["int64", "float64", "int64"]
    assert len(samples) == 20 and samples["sum"].min() >= 2


def test_a_folder_without_a_table_is_named(tmp_path, faces):
    with pytest.raises(FileNotFoundError, match="holds no complete run"):
        etude.summary(tmp_path)
    folder = etude.simulate(dice.throw, metrics=faces, samples=20, keep=False, out=tmp_path / "dice")
    with pytest.raises(FileNotFoundError, match=r"no samples.csv: .*keep=True"):
        etude.samples(folder)


@pytest.mark.parametrize("guard", [False, True])
def test_a_script_needs_no_guard(tmp_path, guard):
    call = 'folder = etude.simulate(coin, metrics={"heads": bool}, samples=100)\nprint(folder)\n'
    if guard:
        call = 'if __name__ == "__main__":\n' + textwrap.indent(call, "    ")
    head = "import random\nimport etude\ndef coin(seed):\n    return random.Random(seed).random() < 0.5\n"
    ended = script(tmp_path, head + call)
    assert ended.stdout.split() == [os.path.join("results", "coin")], ended.stderr
    assert (tmp_path / "results" / "coin" / "summary.csv").exists()


def test_readme_shows_it_in_eight_lines(tmp_path):
    readme = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    text = readme.split("```python\n")[1].split("```")[0]
    assert len([line for line in text.splitlines() if line]) <= 8
    ended = script(tmp_path, text)
    assert "inside" in ended.stdout, ended.stderr
    [mean] = etude.summary(tmp_path / "results" / "inside", frames="lists")["mean"]
    assert abs(mean - 0.7853981634) < 0.008  # six standard errors


def test_a_second_simulation_of_a_script_without_guard_is_told_to_have_one(tmp_path):
    ended = script(
        tmp_path,
        """
        import etude
        def one(seed):
            return seed % 2
        def two(seed):
            return seed % 3
        etude.simulate(one, metrics={"one": int}, samples=10)
        etude.simulate(two, metrics={"two": int}, samples=10)
        """,
    )
    assert ended.returncode != 0
    assert 'put the call below `if __name__ == "__main__":`' in ended.stderr


def test_a_module_of_a_package_is_imported_with_its_package(tmp_path):
    package = tmp_path / "games"
    package.mkdir()
    (package / "__init__.py").write_text("SIDES = 6\n", encoding="utf-8")
    (package / "dice.py").write_text(
        "import random\nfrom . import SIDES\ndef throw(seed):\n    return random.Random(seed).randint(1, SIDES)\n",
        encoding="utf-8",
    )
    ended = script(
        tmp_path,
        """
        import etude
        from games.dice import throw
        folder = etude.simulate(throw, metrics={"pips": int}, samples=50)
        print(sorted(set(etude.samples(folder, frames="lists")["pips"])))
        """,
    )
    assert ended.stdout == "[1, 2, 3, 4, 5, 6]\n", ended.stderr


def test_functions_that_no_process_can_import_are_refused():
    refused = [
        (lambda seed: 1, "a lambda has no name"),
        (dice.outer(), "is defined inside of a function"),
        (max, "and no other process can import it"),
        (7, "is not a function"),
        (dice.Die().throw, "Die.throw is a method of an object"),
    ]
    for function, message in refused:
        with pytest.raises((ValueError, TypeError), match=message):
            etude.simulate(function, metrics={"one": int}, samples=1)


def test_a_function_of_a_notebook_is_refused_with_a_way_out():
    text = "import etude\ndef f(seed): return 1\netude.simulate(f, metrics={'one': int}, samples=1)\n"
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, encoding="utf-8")
    assert "is defined in a notebook or a prompt" in ended.stderr
    assert "%%writefile simulation.py" in ended.stderr


def test_declarations_that_cannot_be_are_refused():
    def refused(message, function=dice.throw, **changes):
        arguments = {"metrics": {"sum": int}, "samples": 1, **changes}
        with pytest.raises((ValueError, TypeError), match=message):
            etude.simulate(function, **arguments)

    refused("metrics is {}: name what the function returns", metrics={})
    refused("metrics is ..sum..: name what the function returns", metrics=["sum"])
    refused("the metric `sum` is 'int'", metrics={"sum": "int"})
    refused("the parameter `sides` is None", params={"sides": None})
    refused("the parameter `sides` is .*a list of one kind", params={"sides": [6, "six"]})
    refused("throw has no parameter `side`: it has seed, sides, count", params={"side": 6})
    refused("takes no seed", function=dice.without_seed)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (dice.text, "`sum` is 'seven', a str"),
        (dice.not_a_number, "`sum` is nan: return None"),
        (dice.incomplete, "returned no `lucky`: its metrics are sum, lucky"),
        (dice.triple, "returned 3 values for the metrics sum, lucky"),
        (dice.failing, "KeyError: 'no such card'"),
        (dice.impure, "then"),
    ],
)
def test_what_a_function_does_wrong_is_told(tmp_path, function, message):
    two = {"sum": float, "lucky": bool}
    metrics = two if function in (dice.incomplete, dice.triple) else {"sum": float}
    with pytest.raises(etude.Failed) as failed:
        etude.simulate(function, metrics=metrics, samples=20, out=tmp_path / "failed")
    assert message in str(failed.value)


def test_what_a_function_prints_is_no_answer(tmp_path):
    folder = etude.simulate(dice.talkative, metrics={"x": float}, samples=20, out=tmp_path / "x")
    assert etude.summary(folder, frames="lists")["n"] == [20]


def test_a_fraction_is_a_ratio_and_a_method_of_a_class_a_function(tmp_path):
    folder = etude.simulate(dice.share, metrics={"share": {"kind": "ratio"}}, samples=20, out=tmp_path / "a")
    assert 0 < etude.summary(folder, frames="lists")["mean"][0] < 1
    folder = etude.simulate(dice.Table.throw, metrics={"pips": int}, samples=20, out=tmp_path / "b")
    assert 1 <= etude.summary(folder, frames="lists")["mean"][0] <= 6


def test_values_are_written_as_the_protocol_has_them():
    worker = Worker("dice.py:throw", ["a", "b"])
    assert worker.row((2**53 + 1, None)) == [str(2**53 + 1), None]
    assert worker.row({"b": True, "a": {"lo": 1, "hi": 2}}) == [{"lo": 1, "hi": 2}, True]
    numpy = pytest.importorskip("numpy")
    assert worker.row((numpy.float64(0.5), numpy.bool_(True))) == [0.5, True]


def test_toml_is_what_a_reader_of_toml_takes():
    tomllib = pytest.importorskip("tomllib")
    table = {
        "text": 'a "b"\\\n\x7f ü',
        "numbers": [1, -2.5, 1e-7, 1e22],
        "below": {"flag": True, "a b": {"x": (1, 2)}, "claims": [{"n": 1}, {"n": 2, "deep": {"y": 0}}]},
        "after": 3,
        "nothing": None,
    }
    read = tomllib.loads(_toml.dumps(table))
    table["below"]["a b"]["x"] = [1, 2]
    del table["nothing"]
    assert read == table
    with pytest.raises(TypeError, match="`x` is .*, a set, which an experiment cannot hold"):
        _toml.dumps({"x": {1}})


def test_a_run_that_fails_says_what_the_program_said(tmp_path):
    with pytest.raises(etude.Failed, match="No such file"):
        etude.run("nothing.toml", tmp_path / "nothing")
