"""The package as its users see it, against the program that it brings."""

import functools
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from fractions import Fraction
from pathlib import Path

import dice
import pytest

import etude
from etude import _toml
from etude._sampler import Worker

HERE = Path(__file__).parent
TABLES = ["summary.csv", "samples.csv", "histograms.csv", "convergence.csv", "pairs.csv"]


def same_bytes(one, other):
    """The tables that hold neither a clock nor an identity are equal, and there are some."""
    names = [name for name in TABLES if (Path(one) / name).exists()]
    assert {"summary.csv", "samples.csv"} <= set(names)
    for name in names:
        assert (Path(one) / name).read_bytes() == (Path(other) / name).read_bytes(), name


def script(folder, text, *arguments, name="script.py"):
    """Runs a script of a folder as a person would."""
    path = folder / name
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    line = [sys.executable, str(path), *arguments]
    return subprocess.run(line, cwd=folder, capture_output=True, encoding="utf-8")


@pytest.fixture
def faces():
    return {"sum": {"kind": "integer", "min": 2, "max": 12, "unit": "pips"}, "lucky": bool}


def throw(tmp_path, name, faces, **call):
    given = {"metrics": faces, "samples": 500, "seed": 11, "out": tmp_path / name, "name": "throw", **call}
    return etude.simulate(dice.throw, **given)


def test_a_function_gives_the_bytes_of_the_file_that_says_the_same(tmp_path, faces):
    made = throw(tmp_path, "made", faces)
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
    same_bytes(made, etude.run(tmp_path / "throw.toml", tmp_path / "file", threads=1))
    same_bytes(made, throw(tmp_path, "one", faces, threads=1))
    same_bytes(made, throw(tmp_path, "two", faces, threads=2))


def test_shards_and_an_extended_run_have_the_bytes_of_a_run_at_once(tmp_path, faces):
    whole = throw(tmp_path, "whole", faces)
    shards = [throw(tmp_path, f"shard{i}", faces, shard=f"{i}/2") for i in (1, 2)]
    merged = etude.merge(tmp_path / "merged", *shards)
    same_bytes(whole, merged)
    # Whoever made all shards here has made what they are together.
    etude.verify(merged, samples=50)
    for shard in shards:
        shutil.rmtree(shard)
    etude.verify(merged, samples=50, run_programs=True)
    first = throw(tmp_path, "longer", faces, samples=100)
    longer = throw(tmp_path, "longer", faces)
    assert first == longer
    assert (longer.folder / "samples.csv").read_bytes() == (whole.folder / "samples.csv").read_bytes()


def test_values_in_a_list_are_swept_and_streams_are_named(tmp_path):
    def call(**given):
        return etude.simulate(
            dice.queue, metrics={"wait": float, "late": bool}, samples=200, out=tmp_path / "queue", **given
        )

    streams = ["arrivals", "service"]
    summary = etude.summary(call(params={"load": [0.5, 0.9]}, streams=streams), frames="lists")
    assert summary["load"] == [0.5, 0.5, 0.9, 0.9]
    assert summary["metric"] == ["wait", "late"] * 2
    with pytest.raises(ValueError, match=r"queue \(dice.py, line \d+\): its parameter `arrivals` has no value"):
        call(params={"load": 0.5})
    with pytest.raises(ValueError, match="`load` has no value: its list is empty"):
        call(sweep={"load": []}, streams=streams)


def test_ranges_and_arrays_are_lists(tmp_path):
    numpy = pytest.importorskip("numpy")
    for name, values in [("range", range(2, 5)), ("array", numpy.arange(2, 5)), ("tuple", (2, 3, 4))]:
        made = throw(tmp_path, name, {"sum": int, "lucky": bool}, sweep={"count": values}, samples=20)
        assert sorted(set(etude.summary(made, "lists")["count"])) == [2, 3, 4]


def test_each_stream_has_seeds_of_its_own_which_cells_share(tmp_path):
    whole = {"kind": "integer", "min": 0, "max": 2**40}
    made = etude.simulate(
        dice.low_bits,
        sweep={"cell": ["a", "b"]},
        streams=["arrivals", "service"],
        metrics={"arrivals": whole, "service": whole},
        samples=50,
        out=tmp_path / "bits",
    )
    samples = etude.samples(made, frames="lists")
    assert len(set(samples["arrivals"])) == len(set(samples["service"])) == 50
    assert not set(samples["arrivals"]) & set(samples["service"])
    for stream in ("arrivals", "service"):
        assert samples[stream][0::2] == samples[stream][1::2]


def test_a_stream_named_rng_is_a_generator_of_numpy(tmp_path):
    numpy = pytest.importorskip("numpy")
    made = etude.simulate(lambda rng: rng.random(), metrics={"x": float}, samples=20, out=tmp_path / "rng")
    again = etude.simulate(
        lambda rng: numpy.random.default_rng(rng.bit_generator.seed_seq.entropy).random(),
        metrics={"x": float},
        samples=20,
        out=tmp_path / "again",
    )
    assert etude.samples(made, "lists") == etude.samples(again, "lists")


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
    made = etude.run(experiment)
    assert made.folder == Path("results", "small-klondike")
    assert list(etude.claims(made, frames="lists")["claim"]) == [1, 2]
    Path("small-klondike.toml").write_text(_toml.dumps(experiment), encoding="utf-8")
    again = etude.run("small-klondike.toml", "again")
    assert Path("again/summary.csv").read_bytes() == (made.folder / "summary.csv").read_bytes()
    assert set(etude.compare(made, again, frames="lists")["difference"]) == {"0"}
    assert "greedy" in etude.report(made) and etude.report(made, format="csv").startswith("experiment,")
    with pytest.raises(ValueError, match="has no name"):
        etude.run({"task": "klondike/score"})


@pytest.mark.parametrize("frames", ["pandas", "polars", "arrow", "lists"])
def test_columns_have_types(tmp_path, faces, frames):
    if frames != "lists":
        pytest.importorskip({"arrow": "pyarrow"}.get(frames, frames))

    def luck(seed, sides):
        return dice.throw(seed, sides)["sum"], seed % 3 == 0 if seed % 2 else None, seed % 2**62

    metrics = {"sum": int, "lucky": bool, "large": int}
    made = etude.simulate(luck, sweep={"sides": [6]}, metrics=metrics, samples=20, out=tmp_path / "luck")
    samples, lists = etude.samples(made, frames), etude.samples(made, "lists")
    types = {"pandas": "dtypes", "polars": "schema", "arrow": "schema"}
    assert [type(value) for value in lists["lucky"] if value is not None][0] is bool
    assert None in lists["lucky"] and max(lists["large"]) > 2**53
    if frames == "lists":
        return
    kinds = getattr(samples, types[frames])
    kind = {name: str(kinds[name] if frames != "arrow" else kinds.field(name).type).lower() for name in lists}
    assert kind["lucky"] in ("boolean", "bool") and kind["sum"] == kind["large"] == "int64", kind
    column = samples["large"].to_pylist() if frames == "arrow" else samples["large"].to_list()
    assert column == lists["large"]
    if frames != "arrow":
        assert (~samples["lucky"]).sum() == lists["lucky"].count(False)
    assert len(etude.summary(made, frames)) == 3


@pytest.mark.parametrize("frames", ["pandas", "polars", "arrow"])
def test_texts_stay_texts(tmp_path, frames):
    pytest.importorskip({"arrow": "pyarrow"}.get(frames, frames))
    sweep = {"code": ["007", "10"], "word": ["NA", "1"]}
    made = etude.simulate(
        lambda seed, code, word: seed % 2, sweep=sweep, metrics={"odd": int}, samples=2, out=tmp_path / "texts"
    )
    lists, frame = etude.samples(made, "lists"), etude.samples(made, frames)
    for name in sweep:
        column = frame[name].to_pylist() if frames == "arrow" else frame[name].to_list()
        assert column == lists[name] and set(column) == set(sweep[name])


def test_a_float_keeps_its_digits(tmp_path):
    made = etude.simulate(
        lambda seed: (random.Random(seed).random() * 1e-4, random.Random(seed).random() * 1e6),
        metrics={"small": float, "large": float},
        samples=20,
        out=tmp_path / "digits",
    )
    config = (made.folder / "config.toml").read_text(encoding="utf-8")
    assert "decimals = 16" in config and "decimals = 9" in config
    samples = etude.samples(made, "lists")
    assert all(abs(x - y * 1e-10) < 1e-12 for x, y in zip(samples["small"], samples["large"]))
    with pytest.raises(etude.Failed, match="declare it with `decimals = 10`"):
        etude.simulate(
            lambda seed: 0.5 if seed % 16 else 1e-9 + seed % 7 * 1e-10,
            metrics={"x": {"kind": "number", "decimals": 6}},
            samples=200,
            out=tmp_path / "few",
        )


def test_a_folder_without_a_table_is_named(tmp_path, faces):
    with pytest.raises(FileNotFoundError, match="holds no complete run"):
        etude.summary(tmp_path)
    made = etude.simulate(dice.throw, metrics=faces, samples=20, keep=False, out=tmp_path / "dice")
    with pytest.raises(FileNotFoundError, match=r"no samples.csv: .*keep=True"):
        made.samples
    with pytest.raises(FileNotFoundError, match="makes no claims"):
        made.claims


def test_a_notebook_shows_the_table_the_answer_and_a_picture(tmp_path, faces):
    experiment = {"answer": "The sum is {sum}.", "question": "How many pips & why?"}
    made = throw(tmp_path, "shown", faces, experiment=experiment)
    page = made._repr_html_()
    assert "<table>" in page and "<svg" in page and "How many pips &amp; why?" in page
    assert made.answer.startswith("The sum is ") and made.answer in page
    assert "lucky" in str(made) and repr(made) == f"etude.Result({str(made.folder)!r})"


def test_a_loop_needs_no_guard_and_a_script_that_reads_its_arguments_has_them(tmp_path):
    ended = script(
        tmp_path,
        """
        import random, sys
        import etude
        SAMPLES = int(sys.argv[1])
        print(SAMPLES)
        def coin(seed):
            return random.Random(seed).random() < P
        for P in (0.0, 1.0):
            made = etude.simulate(coin, metrics={"heads": bool}, samples=SAMPLES, out=f"coin-{P}")
            print(etude.summary(made, "lists")["mean"])
        """,
        "40",
    )
    assert ended.stdout.split() == ["40", "[0.0]", "[1.0]"], ended.stderr


def test_readme_shows_it_in_a_line(tmp_path):
    readme = (HERE.parents[1] / "README.md").read_text(encoding="utf-8")
    row = next(line for line in readme.splitlines() if line.startswith("| who has a function in Python"))
    call, read = (cell.strip().strip("`") for cell in row.strip("| ").split(" | ")[1:])
    ended = script(tmp_path, f"import etude\nfrom random import Random\nprint({call})")
    row = read.replace(":", "").replace(",", "")
    assert row in " ".join(ended.stdout.split()), ended.stdout + ended.stderr
    mean = float(row.split()[1])
    assert abs(mean - 100 / 2**0.5) < 3  # six standard errors, in per cent


def test_a_worker_that_imports_a_file_starts_no_run(tmp_path):
    (tmp_path / "loop.py").write_text(
        "import etude\ndef f(seed): return 1\netude.simulate(f, metrics={'x': int}, samples=9)\n", encoding="utf-8"
    )
    line = [sys.executable, "-m", "etude.worker", "loop.py:f", "x"]
    ended = subprocess.run(line, cwd=tmp_path, capture_output=True, encoding="utf-8", input="")
    assert 'put the call below `if __name__ == "__main__":`' in ended.stderr


def test_a_module_of_a_package_is_found_with_its_package(tmp_path):
    package = tmp_path / "games"
    package.mkdir()
    (package / "__init__.py").write_text("SIDES = 6\n", encoding="utf-8")
    (package / "rules.py").write_text("def best():\n    return 6\n", encoding="utf-8")
    (package / "dice.py").write_text(
        """
import random
from . import SIDES
def throw(seed):
    from .rules import best
    return min(best(), random.Random(seed).randint(1, SIDES))
""",
        encoding="utf-8",
    )
    ended = script(
        tmp_path,
        """
        import etude
        from games.dice import throw
        made = etude.simulate(throw, metrics={"pips": int}, samples=50)
        print(sorted(set(etude.samples(made, frames="lists")["pips"])))
        """,
    )
    assert ended.stdout == "[1, 2, 3, 4, 5, 6]\n", ended.stderr


PAY = """
import random
BONUS = 0
def pay(x):
    return x + BONUS
"""
VALUE = """
import random, sys
import etude
import rules
from rules import pay
FACTOR = 1
def value(seed):
    return pay(random.Random(seed).randint(1, 6)) * FACTOR
made = etude.simulate(value, metrics={"v": int}, samples=int(sys.argv[1]), out="run")
print(etude.summary(made, "lists")["mean"][0])
"""


def test_the_same_call_goes_on_and_a_changed_function_is_refused_by_what_changed(tmp_path):
    def run(samples, rules=PAY, value=VALUE):
        (tmp_path / "rules.py").write_text(rules, encoding="utf-8")
        return script(tmp_path, value, str(samples))

    first = run(60)
    assert first.returncode == 0, first.stderr
    again = run(60)
    assert again.stdout == first.stdout and "60 of 60 samples" in again.stderr
    comment = run(60, PAY.replace("return x", "# As it should be.\n    return x"))
    assert comment.stdout == first.stdout and "60 of 60 samples" in comment.stderr
    same = run(80, PAY.replace("x + BONUS", "BONUS + x"))
    assert same.returncode == 0, same.stderr
    assert "rules.pay is not what it was. Stored samples are drawn again." in same.stderr
    assert "drawn again" not in run(80, PAY.replace("x + BONUS", "BONUS + x")).stderr
    for rules, value, told in [
        (PAY.replace("BONUS = 0", "BONUS = 5"), VALUE, "rules.BONUS was 0, and is 5"),
        (PAY.replace("x + BONUS", "x - 1"), VALUE, "rules.pay is not what it was"),
        (PAY, VALUE.replace("FACTOR = 1", "FACTOR = 2"), "FACTOR was 1, and is 2"),
    ]:
        refused = run(80, rules, value)
        assert refused.returncode != 0 and told in refused.stderr, refused.stderr
        assert "is not the function whose samples run holds" in refused.stderr
    assert "80 of 80 samples" in run(80, PAY.replace("x + BONUS", "BONUS + x")).stderr


def test_closures_and_values_are_part_of_the_identity(tmp_path):
    def call(limit, **more):
        def below(seed):
            return random.Random(seed).random() < limit

        return etude.simulate(below, metrics={"hit": bool}, samples=50, out=tmp_path / "run", **more)

    call(0.3)
    assert call(0.3).folder == tmp_path / "run"
    with pytest.raises(etude.Changed, match="below.*limit was 0.3, and is 0.9"):
        call(0.9)
    assert call(0.9, force=True).folder == tmp_path / "run"


def test_a_precision_that_is_not_reached_warns_and_has_a_result(tmp_path):
    def coin(seed):
        return random.Random(seed).random() < 0.5

    until = etude.Precision("heads", 0.05)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = etude.simulate(coin, metrics={"heads": bool}, until=until, out=tmp_path / "met")
    summary = etude.summary(made, "lists")
    assert summary["ci_hi"][0] - summary["ci_lo"][0] <= 0.1 and summary["n"][0] < 10_000
    with pytest.warns(etude.Capped, match="cap of 100 samples"):
        made = etude.simulate(
            coin, metrics={"heads": bool}, until=until, samples=100, out=tmp_path / "capped"
        )
    assert etude.summary(made, "lists")["n"] == [100]
    with pytest.raises(ValueError, match="neither samples nor until"):
        etude.simulate(coin, metrics={"heads": bool})


def test_a_relative_precision_is_reached_by_each_cell_of_its_own(tmp_path):
    def coin(seed, p):
        return random.Random(seed).random() < p

    until = etude.Precision("heads", relative=0.2)
    made = etude.simulate(coin, metrics={"heads": bool}, sweep={"p": [0.2, 0.6]}, until=until, out=tmp_path / "met")
    summary = etude.summary(made, "lists")
    for mean, lo, hi in zip(summary["mean"], summary["ci_lo"], summary["ci_hi"]):
        assert hi - lo <= 2 * 0.2 * mean
    assert summary["n"][0] > 2 * summary["n"][1], "each cell stops by itself"
    shown = made._repr_html_()
    assert all(f"<td>{n}</td>" in shown for n in summary["n"]), shown
    alone = etude.simulate(coin, metrics={"heads": bool}, params={"p": 0.6}, until=until, out=tmp_path / "alone")
    assert etude.summary(alone, "lists")["n"] == [summary["n"][1]]
    with pytest.warns(etude.Capped, match="1 of 2 cells came to the cap of 400 samples"):
        capped = etude.simulate(
            coin, metrics={"heads": bool}, sweep={"p": [0.2, 0.6]}, until=until, samples=400, out=tmp_path / "capped"
        )
    assert etude.summary(capped, "lists")["n"] == [400, summary["n"][1]]
    assert etude.summary(capped, "lists")["stop_reason"] == ["max-samples", "half-width"]
    with pytest.raises(etude.Failed, match="no cell can stop by itself"):
        etude.simulate(coin, metrics={"heads": bool}, params={"p": 0.6}, until=until, shard="1/2", out=tmp_path / "part")
    for wrong in (etude.Precision("heads"), etude.Precision("heads", 0.1, 0.1)):
        with pytest.raises(ValueError, match="give either half_width, .* or relative"):
            etude.simulate(coin, metrics={"heads": bool}, params={"p": 0.5}, until=wrong)


def test_small_values_keep_their_digits_or_say_in_which_unit_they_would(tmp_path):
    def small(seed, power):
        return random.Random(seed).random() * 10.0**power

    def call(power, name):
        made = etude.simulate(
            small, metrics={"x": float}, params={"power": power}, samples=2000, out=tmp_path / name, quiet=True
        )
        return etude.summary(made, "lists")

    summary = call(-7, "kept")
    assert summary["ci_lo"][0] < 5e-8 < summary["ci_hi"][0]
    with pytest.raises(etude.Failed, match="`x` is .*e-2., of which 18 decimals .* smaller unit, such as times 1e2"):
        call(-21, "refused")


def test_programs_race_from_python(tmp_path):
    def once(code):
        return {"once": [sys.executable, "-c", code, "{seed31}"]}

    fast = "import sys; print(int(sys.argv[1]) % 7)"
    race = {
        "name": "sums",
        "question": "Is it faster to add less?",
        "task": "command",
        "seed": 1,
        "command": {"version": "1", "metrics": {"x": {"kind": "integer", "min": 0, "max": 6}}},
        "contenders": {"slow": once(f"{fast}; sum(range(10**6))"), "fast": once(fast)},
        "stop": {"samples": 3},
    }
    made = etude.bench(race, tmp_path / "race", quiet=True)
    [speed] = [table for name, table in made.tables("lists").items() if "speed" in name]
    assert "slow" in speed["first"] + speed["second"] and "median" in speed["statistic"]
    assert len(made.tables("lists")["samples"]["x"]) == 6
    etude.verify(made)
    assert "typical instance" in etude.report(made)


@pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
def test_an_interruption_stores_what_was_drawn_and_the_same_call_goes_on(tmp_path):
    text = """
        import random, time, sys
        import etude
        def slow(seed):
            time.sleep(0.01)
            return random.Random(seed).random()
        etude.simulate(slow, metrics={"x": {"kind": "number", "decimals": 6}}, samples=int(sys.argv[1]), out="run")
    """
    (tmp_path / "slow.py").write_text(textwrap.dedent(text), encoding="utf-8")
    line = [sys.executable, "slow.py", "400"]
    running = subprocess.Popen(line, cwd=tmp_path, stderr=subprocess.PIPE, encoding="utf-8")
    journal = tmp_path / "run" / "blocks.csv"
    for _ in range(200):
        if journal.exists() and journal.stat().st_size > 1000:
            break
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    said = running.communicate()[1]
    assert running.returncode != 0 and "KeyboardInterrupt" in said, said
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text(encoding="utf-8"))
    assert 0 < manifest["samples_done"] < 400, manifest
    ended = subprocess.run(line, cwd=tmp_path, capture_output=True, encoding="utf-8")
    assert ended.returncode == 0, ended.stderr
    assert etude.summary(tmp_path / "run", "lists")["n"] == [400]


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
    refused("throw .* has no parameter `side`: it has seed, sides, count", params={"side": 6})
    refused("`sides` is in params and in sweep", params={"sides": 6}, sweep={"sides": [6]})
    refused("`sides` is a stream and has a value", params={"sides": 6}, streams=["sides"])
    refused("give a list, a range or an array", sweep={"sides": 6})


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (dice.text, "`sum` is 'seven', a str"),
        (dice.not_a_number, "`sum` is nan: return None"),
        (dice.incomplete, "returned no `lucky`: its metrics are sum, lucky"),
        (dice.triple, "returned 3 values for the metrics sum, lucky"),
        (dice.failing, "KeyError: 'no such card'"),
    ],
)
def test_what_a_function_does_wrong_is_told_by_its_name(tmp_path, function, message):
    two = {"sum": {"kind": "number", "decimals": 3}, "lucky": bool}
    metrics = two if function in (dice.incomplete, dice.triple) else {"sum": two["sum"]}
    with pytest.raises(etude.Failed) as failed:
        etude.simulate(function, metrics=metrics, samples=20, out=tmp_path / "failed")
    told = str(failed.value)
    assert message in told and f"{function.__name__} (dice.py, line" in told
    assert f"to see it alone: {function.__name__}(seed=" in told
    assert "worker" not in told and "replay" not in told


def test_what_a_function_prints_is_no_answer(tmp_path, capsys):
    made = etude.simulate(dice.talkative, metrics={"x": float}, samples=20, out=tmp_path / "x")
    assert etude.summary(made, frames="lists")["n"] == [20]
    assert capsys.readouterr().out == ""


def test_a_fraction_is_a_ratio(tmp_path):
    made = etude.simulate(dice.share, metrics={"share": {"kind": "ratio"}}, samples=20, out=tmp_path / "a")
    assert 0 < etude.summary(made, frames="lists")["mean"][0] < 1


def test_other_folders_are_left_alone(tmp_path, faces):
    (tmp_path / "mine.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ValueError, match="holds other files, and no run"):
        etude.simulate(dice.throw, metrics=faces, samples=20, out=tmp_path)
    assert os.listdir(tmp_path) == ["mine.txt"]


def test_values_are_written_as_the_protocol_has_them():
    worker = Worker(dice.throw, "throw", ["a", "b"])
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


def test_the_package_is_a_program():
    ended = subprocess.run([sys.executable, "-m", "etude", "--version"], capture_output=True, encoding="utf-8")
    assert ended.stdout.startswith("etude ") and etude.__version__


def one(seed):
    return random.Random(seed).random()


def other(seed, p=1):
    return random.Random(seed).random() + p


def held(folder):
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_force_starts_over_with_another_function_and_another_sweep(tmp_path):
    def call(function, name="run", **more):
        given = {"metrics": {"x": float}, "samples": 40, "out": tmp_path / name, "quiet": True, **more}
        return etude.simulate(function, **given)

    call(other, sweep={"p": [0, 1]})
    (tmp_path / "run" / "mine.txt").write_text("mine", encoding="utf-8")
    for function, more in [(one, {}), (other, {"sweep": {"p": [2, 3, 4]}}), (one, {"shard": "1/2"}), (one, {})]:
        made = call(function, force=True, **more)
        fresh = call(function, "fresh", **more)
        names = {path.name for path in fresh.folder.iterdir()}
        assert {path.name for path in made.folder.iterdir()} - names == {"mine.txt"}
        assert (made.folder / "samples.csv").read_bytes() == (fresh.folder / "samples.csv").read_bytes()
        shutil.rmtree(fresh.folder)
    etude.verify(made, run_programs=True)


def test_a_call_that_fails_leaves_the_function_that_was_there(tmp_path):
    out = tmp_path / "run"
    given = {"metrics": {"x": float}, "samples": 40, "out": out, "quiet": True}
    wrong = {"experiment": {"no-such-key": 1}}
    with pytest.raises(etude.Failed):
        etude.simulate(one, **given, **wrong)
    assert not out.exists()
    etude.simulate(one, **given)
    before = held(out)
    for function, more in [(other, {**wrong, "force": True}), (other, wrong), (one, wrong), (other, {})]:
        with pytest.raises(etude.Failed):
            etude.simulate(function, **given, **more)
        assert held(out) == before
    etude.verify(out, run_programs=True)


@pytest.mark.parametrize("is_forced", [False, True])
def test_a_refused_call_keeps_the_run_of_another_function(tmp_path, is_forced, monkeypatch):
    given = {"metrics": {"x": float}, "samples": 40, "out": tmp_path / "run", "quiet": True}
    etude.simulate(one, **given)
    before = held(tmp_path / "run")
    started = etude._simulation.start

    def fails_the_second_time(arguments, *more):
        if any(path.name.endswith(".before") for path in (tmp_path / "run").iterdir()):
            raise KeyboardInterrupt
        return started(arguments, *more)

    monkeypatch.setattr(etude._simulation, "start", fails_the_second_time)
    with pytest.raises(KeyboardInterrupt if is_forced else etude.Changed):
        etude.simulate(other, **given, force=is_forced)
    assert held(tmp_path / "run") == before
    etude.verify(tmp_path / "run", run_programs=True)


def test_a_file_that_changes_during_the_run_stops_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "limit.txt"
    path.write_text("0.3", encoding="utf-8")

    def below(seed):
        if seed % 4096 == 0 and etude._caller.is_worker:
            path.write_text("0.9", encoding="utf-8")
        return random.Random(seed).random() < float(path.read_text(encoding="utf-8") or 2)

    given = {"metrics": {"x": bool}, "out": "run", "quiet": True, "files": "limit.txt", "threads": 1}
    etude.simulate(below, samples=20, **given)
    with pytest.raises(etude.Failed, match="the file .*limit.txt has changed since the call: restore it"):
        etude.simulate(below, samples=60_000, **given)
    with pytest.raises(etude.Changed, match="the file limit.txt is not what it was"):
        etude.simulate(below, samples=60_000, **given)


def test_a_process_that_a_function_starts_is_not_in_between(tmp_path):
    def talks(seed):
        code = "import sys; print('between', len(sys.stdin.read()))"
        subprocess.run([sys.executable, "-c", code], check=True)
        os.write(1, b"between\n")
        return seed % 7

    made = etude.simulate(talks, metrics={"x": int}, samples=4, out=tmp_path / "run", quiet=True, threads=1)
    assert etude.summary(made, "lists")["n"] == [4]


def test_numbers_of_bounds_and_ratios_are_numbers_as_others(tmp_path):
    worker = Worker(dice.throw, "throw", ["a"])
    half, three = Fraction(1, 2), Fraction(3)
    assert worker.row({"a": {"lo": half, "hi": three}}) == [{"lo": 0.5, "hi": 3}]
    assert worker.row({"lo": half, "hi": three}) == [{"lo": 0.5, "hi": 3}]
    assert worker.row(({"ratio": (three, 2**60)},)) == [{"ratio": [3, str(2**60)]}]
    numpy = pytest.importorskip("numpy")
    row = worker.row(({"lo": numpy.int64(1), "hi": numpy.float64(2.5)},))
    assert json.dumps(row) == '[{"lo": 1, "hi": 2.5}]'
    for part in ({"lo": float("nan"), "hi": 1}, {"ratio": [1, float("inf")]}):
        with pytest.raises(ValueError, match="`a` is (nan|inf): return None"):
            worker.row((part,))
    with pytest.raises(TypeError, match="`a` is 'x', a str"):
        worker.row(({"lo": "x", "hi": 1},))


class Queue:
    def wait(self, seed, cfg, load):
        raise KeyError(load)


def test_the_call_that_shows_a_fault_again_can_be_made(tmp_path):
    numpy = pytest.importorskip("numpy")

    def wait(rng, cfg, load, unit="one"):
        raise KeyError(rng.random())

    def told(function, params):
        with pytest.raises(etude.Failed) as failed:
            etude.simulate(function, metrics={"x": int}, params=params, samples=4, out=tmp_path / "run", quiet=True)
        return str(failed.value).rpartition("to see it alone: ")[2]

    cfg = {"a": 1}
    shown, _, words = told(functools.partial(wait, unit="two"), {"cfg": cfg, "load": 0.5}).partition(", with ")
    assert words.strip() == "`cfg` as it was given" and "unit='two'" in shown
    with pytest.raises(KeyError):
        eval(shown, {"wait": wait, "numpy": numpy, "cfg": cfg})
    told = told(Queue().wait, {"cfg": cfg, "load": 0.5})
    assert told.startswith("call the function as it was given to etude.simulate, with load=0.5, seed=")
    assert "cfg=cfg, with `cfg` as it was given" in told


def test_arguments_of_another_kind_are_refused_with_what_to_give(tmp_path):
    def refused(message, **changes):
        with pytest.raises((ValueError, TypeError), match=message):
            etude.simulate(dice.throw, **{"metrics": {"sum": int, "lucky": bool}, "samples": 1, **changes})

    refused(r"until is \('lucky', 0.05\): name the metric, such as etude.Precision", until=("lucky", 0.05))
    refused("until is 0.05: name the metric", until=0.05)
    refused("claims is 'sum.mean > 0': give a list of dictionaries", claims="sum.mean > 0")
    refused("claims is .*: give a list of dictionaries", claims=["sum.mean > 0"])
    refused("files has 'nowhere.csv', which is no file", files="nowhere.csv")
    refused("params is .*: give a dictionary", params=[("sides", 6)])
