"""The gallery's programs and the examples in their headers, in words that `tol run` takes and prints.

    # Input:  n=4 tape=[0,1,1] s=@hello --seed=7     arguments, separated by spaces; none where nothing is needed
    # Result: [1,0,0]                                the value, of a program with one output
    # Result: total=3 tape=[1,0,0]                   the values by name, of a program with several
    #         head=2                                 a line indented further goes on with the one before

A file may state several examples, an `Input` and a `Result` each.  Data is read by Python, as in `tests.programs`;
`3.14…` is a number cut short.  Below stand the checks that every group makes of its programs and of its page.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

from tests.cost.counting import CountingInterpreter
from tests.docs.pages import snippets
from tests.programs import difference, plain, read_data

import tolang
from tolang.ground.dataclasses import dataclass
from tolang.program.cost import Cost

ROOT = Path(__file__).resolve().parents[2]
GALLERY = ROOT / "examples" / "gallery"
PAGES = ROOT / "docs" / "gallery"
STATEMENT = re.compile(r"^# (Input|Result):(.*(?:\n# {5,}\S.*)*)", re.MULTILINE)
NAMED = re.compile(r"^(--seed|\w+)=(?!=)(.*)$", re.DOTALL)
OPENING, CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Example:
    """One run that a header states: its arguments, its seed, and its results, by name or the only one."""

    inputs: dict[str, Any]
    seed: int
    results: dict[str, Any] | None
    result: Any
    shortened: float


def programs_of(group: str) -> list[Path]:
    """The programs of a group of the gallery, in order of their names."""
    return sorted((GALLERY / group).glob("*.tol"))


@cache
def compiled(path: Path, engine: str = "cpu") -> tolang.Program:
    """A program of the gallery, which the tests of it share."""
    return tolang.compile(str(path), engine=engine)


def examples_of(text: str) -> list[Example]:
    """The examples that the header of a program states."""
    found = [(one[1], one[2].replace("\n#", " ").strip()) for one in STATEMENT.finditer(text)]
    assert [word for word, _ in found] == ["Input", "Result"] * (len(found) // 2), f"not Input, Result, …: {found}"
    return [_example(given, stated) for (_, given), (_, stated) in zip(found[::2], found[1::2], strict=True)]


def _example(given: str, stated: str) -> Example:
    arguments: dict[str, Any] = {}
    for word in words(given):
        name, value = _named(word)
        arguments[name] = value[1:] if value.startswith("@") else read_data(value)
    cut = [len(digits) for digits in re.findall(r"\.(\d*)…", stated)]
    parts = words(stated.replace("…", ""))
    by_name = all(NAMED.match(part) for part in parts)
    results = {name: read_data(value) for name, value in map(_named, parts)} if by_name else None
    seed = int(arguments.pop("--seed", 0))
    result = None if by_name else read_data(" ".join(parts))
    return Example(arguments, seed, results, result, 10.0 ** -min(cut) if cut else 0.0)


def words(text: str) -> list[str]:
    """A line taken apart at the spaces outside brackets and texts."""
    parts, depth, quoted = [""], 0, False
    for sign in text:
        quoted ^= sign == "'"
        if not quoted:
            depth += (sign in OPENING) - (sign in CLOSING)
        if sign.isspace() and not quoted and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part]


def _named(word: str) -> tuple[str, str]:
    found = NAMED.match(word)
    assert found, f"{word!r} is not written name=value"
    return found[1], found[2]


def check_header(path: Path, engine: str) -> None:
    """A program gives what its header states."""
    program = compiled(path, engine)
    examples = examples_of(path.read_text("utf-8"))
    assert examples, f"{path.name} states no example"
    for one in examples:
        found: Any = program(seed=one.seed, **one.inputs)
        expected: Any = one.result
        if one.results is not None:
            found = found if len(program.outputs) > 1 else {next(iter(program.outputs)): found}
            assert set(found) == set(one.results), f"{path.name}: {set(found)} instead of {set(one.results)}"
            found, expected = [found[name] for name in one.results], list(one.results.values())
        found = [plain(value) for value in found] if one.results is not None else plain(found)
        wrong = difference(found, expected, absolute=max(1e-15, one.shortened))
        assert wrong is None, f"{path.name}: {wrong}"


def check_cost(path: Path, exact: bool = True) -> None:
    """The derived cost of a header's first example is what a counting interpreter counts.

    Lengths that only running tells are as it found them; where one of them varies that the cost depends on, the
    derived cost is not `exact`: it takes the greatest.
    """
    example = examples_of(path.read_text("utf-8"))[0]
    job = compiled(path).job((), example.inputs)
    counter = CountingInterpreter(job.core)
    counter.run(job.inputs, job.sizes)
    known = dict(job.sizes) | {
        one.name: int(job.inputs[one.name].item())
        for one in job.core.inputs
        if one.type.is_numeric and one.type.column.space.family in ("B", "Z")
    }
    lengths = {shown: counter.lengths.get(name, set()) for name, shown in Cost(job.core, None, known)._shown.items()}
    known |= {shown: max(found) for shown, found in lengths.items() if len(found) == 1}
    derived = int(Cost(job.core, None, known))
    right = derived == counter.eops if exact else derived > counter.eops
    assert right, f"{path.name}: derived {derived}, counted {counter.eops}"


def check_page(group: str) -> None:
    """A group's page shows every program of the group as it is in its file, and no other."""
    shown = {
        one.file: one.text for one in snippets((PAGES / f"{group}.md").read_text("utf-8")) if one.language == "tol"
    }
    wanted = {f"{path.name}": path.read_text("utf-8") for path in programs_of(group)}
    assert shown.keys() == wanted.keys()
    assert [name for name in wanted if shown[name] != wanted[name]] == []


def check_costs(group: str) -> None:
    """Where a group's page says "Cost: `formula` EOPs" after a program, that is the formula derived."""
    text = (PAGES / f"{group}.md").read_text("utf-8")
    for path in programs_of(group):
        after = text.split(f"```tol {path.name}\n")[1].split("\n```tol ")[0]
        for stated in re.findall(r"^Cost: `([^`]+)` EOPs", after, flags=re.MULTILINE):
            assert stated == str(compiled(path).cost().eops), path.name
