"""No name that the checker or the compiler numbered reaches a user: `length.43`, `d.164`, `best_1.1`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tolang.editor.facts import Facts
from tolang.faces.command import app
from tolang.ground.reporting.diagnostics import Source
from tolang.program.program import Program

ROOT = Path(__file__).parents[2]
PROGRAMS = [*sorted((ROOT / "examples").glob("**/*.tol")), *sorted((ROOT / "tests" / "language").glob("*.tol"))]
NUMBERED = re.compile(r"[A-Za-z_\])]\w*\.\d")
COMMANDS = (["check"], ["cost"], ["cost", "--by", "definition"], ["explain"])


@pytest.mark.sampled(24)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_outputs_have_names_of_the_source(path: Path) -> None:
    for command, *options in COMMANDS:
        result = CliRunner().invoke(app, [command, str(path), *options])
        assert result.exit_code in (0, 1, 2), result.exception
        told = "\n".join(line for line in result.output.splitlines() if not re.match(r" *\d* \| ", line))
        assert not NUMBERED.search(told), told
        assert told


@pytest.mark.parametrize("command", [*COMMANDS, ["atoms"]], ids=" ".join)
def test_lengths_that_only_running_tells(command: list[str], tmp_path: Path) -> None:
    """Filters, lengths from data, and lengths in a library's definitions, in the values of a program and on the way."""
    path = tmp_path / "lengths.tol"
    path.write_text(
        "use tables\ntol v: R [n]\ntol z: N [m]\ntol sales: (city: S, amount: R) [k]\n"
        "kept = filter(v, x -> x > 0)\nr := map(kept, exp(*))\nfrom_data := map(tol[z[1]], exp(i), i)\n"
        "means := group_mean(sales, ((c,_)) -> c, ((_,a)) -> a)\ntwice := [kept, filter(v, x -> x < 0)]\n"
    )
    result = CliRunner().invoke(app, [command[0], str(path), *command[1:]])
    assert not NUMBERED.search(result.output), result.output


def test_hovers_have_names_of_the_source() -> None:
    program = Program(Source("kept.tol", "tol v: R [n]\nkept := filter(v, x -> x > 0)\nr := map(kept, exp(*))\n"))
    facts = Facts(program.core, frozenset())
    fact = facts._value("r", ())
    assert fact is not None
    assert (fact.type, fact.eops) == ("R [kept_length]", "kept_length")
