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
