"""Notebooks in a real kernel: cell by cell, and the tutorial of the book."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

TUTORIAL = Path(__file__).parents[1] / "examples" / "tutorial.ipynb"
PAGE = Path(__file__).parents[2] / "book" / "src" / "python-tutorial.md"

CELLS = [
    "import random, etude\ndef hit(seed): return random.Random(seed).random() < P",
    "P = 0.25\ndef mean(**more): return etude.summary(etude.simulate(hit, metrics={'hit': bool}, samples=400,"
    " out='run', quiet=True, **more), 'lists')['mean'][0]\nfirst = mean(); first",
    "def hit(seed): return random.Random(seed).random() >= P",
    "try:\n    mean()\nexcept etude.Changed as changed:\n    print(changed)",
    "second = mean(force=True); assert abs(first + second - 1) < 1e-9, (first, second)",
    "# The same in other words.\ndef hit(seed): return P <= random.Random(seed).random()",
    "assert mean() == second",
    "P = 0.5\ntry:\n    mean()\nexcept etude.Changed as changed:\n    print(changed)",
    "etude.simulate(lambda seed: random.Random(seed).random(), metrics={'x': float}, samples=50, out='shown')",
    "def bad(seed): return {}[seed]",
    "try:\n    etude.simulate(bad, metrics={'x': int}, samples=9)\nexcept etude.Failed as failed:\n    print(failed)",
]


def executed(cells, folder):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    client = nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3")
    client.execute(cwd=str(folder))
    return ["".join(output.get("text", "") for output in cell.outputs) for cell in notebook.cells], notebook


def test_a_cell_that_is_redefined_is_what_is_sampled(tmp_path):
    said, notebook = executed(CELLS, tmp_path)
    assert "hit (a cell of the notebook, line 1) is not the function whose samples run holds" in said[3]
    assert "hit is not what it was" in said[3]
    assert "Stored samples are drawn again" in said[6]
    assert "P was 0.25, and is 0.5" in said[7]
    assert "50 of 50 samples" in said[8], "progress is shown"
    assert "<svg" in notebook.cells[8].outputs[-1].data["text/html"]
    assert "bad (a cell of the notebook, line 1)" in said[10] and "KeyError" in said[10]


def test_the_tutorial_runs_from_its_first_cell_to_its_last(tmp_path):
    notebook = nbformat.read(TUTORIAL, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute(cwd=str(tmp_path))
    table = "".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", []))
    assert "\\toprule" in table, "the paper's table"


def test_the_page_of_the_book_is_the_notebook():
    cells = nbformat.read(TUTORIAL, as_version=4).cells
    texts = [cell.source if cell.cell_type == "markdown" else f"```python\n{cell.source}\n```" for cell in cells]
    assert PAGE.read_text(encoding="utf-8") == "\n\n".join(texts) + "\n"
