"""`tol gradient`."""

from __future__ import annotations

from pathlib import Path

from tests.faces.conftest import Tol

LOSS = "tol x: R [n]\ntol w: R [n]\nloss := reduce(map(x, (* - w[*])^2), add, 0)\n"
GRADIENT = """\
tol x: R [n]
tol w: R [n]
d_w := map(tol[n], -(2 * (x[p] - w[p])), p)
"""


def test_command_prints_and_writes(tol: Tol, folder: Path) -> None:
    (folder / "loss.tol").write_text(LOSS)
    done = tol("gradient", "loss.tol", "--of", "loss", "--by", "w")
    assert (done.exit_code, done.stdout) == (0, GRADIENT)
    done = tol("gradient", "loss.tol", "--of", "loss", "--by", "w, x", "--value", "-o", "gradient.tol")
    assert (done.exit_code, done.stdout) == (0, "")
    assert tol("check", "gradient.tol").exit_code == 0
    assert tol("fmt", "--check", "gradient.tol").exit_code == 0
    shown = "loss: R = 5.0\n\nd_x: R [2]\n[2.0,-4.0]\n\nd_w: R [2]\n[-2.0,4.0]\n"
    assert tol("run", "gradient.tol", "x=[1.0,2.0]", "w=[0.0,4.0]").stdout == shown


def test_command_gives_pullbacks(tol: Tol) -> None:
    done = tol("gradient", "product.tol", "--pullback", "--of", "result", "--by", "a")
    assert done.exit_code == 0
    assert "tol d_result: R [n,m]" in done.stdout


def test_command_keeps_states_apart(tol: Tol, folder: Path) -> None:
    """The steps of a segment are a number, or a size that is given when the gradient runs."""
    (folder / "fold.tol").write_text("tol x: R [n]\nloss := reduce(x, (s,e) -> s*e + s, 1)\n")
    for apart, words in (("2", ()), ("block", ("block=3",))):
        asked = ("gradient", "fold.tol", "--of", "loss", "--by", "x", "--checkpoints", apart, "-o", "gradient.tol")
        assert tol(*asked).exit_code == 0
        done = tol("run", "gradient.tol", "x=[0.5,1.0,0.25]", *words)
        assert done.stdout == "d_x: R [3]\n[2.5,1.875,3.0]\n", done.stderr
    assert tol("gradient", "fold.tol", "--of", "loss", "--by", "x", "--checkpoints", "0").exit_code == 2


def test_command_refuses(tol: Tol) -> None:
    for words, code in (
        (("--of", "other", "--by", "a"), "E802"),
        (("--of", "result", "--by", "a"), "E802"),
        (("--of", "result", "--by", "a", "-o", "gradient.py"), "E607"),
    ):
        done = tol("gradient", "product.tol", *words)
        assert done.exit_code == 2
        assert code in done.stderr
    assert tol("gradient", "product.tol").exit_code == 2
