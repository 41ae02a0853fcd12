"""Functions of every shape: each is sampled rightly, or refused by its name."""

import decimal
import random
import sys

import pytest

pytest.importorskip("numpy")

import model  # noqa: E402
import shapes  # noqa: E402

import etude  # noqa: E402

RIGHT, REFUSED = shapes.right(), shapes.refused()


@pytest.fixture(scope="module")
def draws(tmp_path_factory):
    """The numbers that every right shape compares with 0.3."""
    out = tmp_path_factory.mktemp("draws") / "run"
    made = etude.simulate(lambda seed: random.Random(seed).random(), metrics={"x": float}, samples=24, out=out)
    return etude.samples(made, frames="lists")["x"]


@pytest.fixture
def settings(tmp_path, monkeypatch):
    """What a caller has set, and no worker would know."""
    monkeypatch.setattr(shapes, "LIMIT", 0.3)
    monkeypatch.setitem(shapes.SETTINGS, "limits", [0.1, 0.3])
    monkeypatch.setattr(shapes.Model, "limit", 0.3)
    monkeypatch.setattr(model, "LIMIT", 0.3)
    monkeypatch.setitem(model.CONFIG, "p", 0.3)
    monkeypatch.setenv("SHAPES_LIMIT", "0.3")
    monkeypatch.setattr(sys, "argv", ["script.py", "0.3"])
    monkeypatch.chdir(tmp_path)
    (tmp_path / "limit.txt").write_text("0.3", encoding="utf-8")


@pytest.mark.parametrize("shape", RIGHT)
def test_a_function_draws_what_it_draws_where_it_is_called(shape, draws, settings):
    function, call = RIGHT[shape]
    made = etude.simulate(function, metrics={"hit": bool}, samples=24, out="run", quiet=True, threads=1, **call)
    assert etude.samples(made, frames="lists")["hit"] == [draw < 0.3 for draw in draws]


@pytest.mark.parametrize("shape", REFUSED)
def test_a_function_that_cannot_be_sampled_is_refused_by_its_name(shape, tmp_path):
    function, said, call = REFUSED[shape]
    given = {"metrics": {"hit": bool}, "samples": 24, "out": tmp_path / "run", "threads": 1, **call}
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 7)
    try:
        with decimal.localcontext() as local:
            local.prec = 3
            with pytest.raises((ValueError, TypeError, etude.Failed), match=said) as raised:
                etude.simulate(function, **given)
    finally:
        sys.setrecursionlimit(limit)
    told = str(raised.value)
    assert "worker.py" not in told and "replay" not in told and "function.pickle" not in told, told
