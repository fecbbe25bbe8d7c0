"""The models of computation in the gallery: as their headers say, and against plain Python, NumPy and SciPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.signal import convolve2d
from tests.gallery.headers import GALLERY, check_cost, check_costs, check_header, check_page, compiled, programs_of

import tolang

PROGRAMS = programs_of("models")


def program(name: str) -> tolang.Program:
    return compiled(GALLERY / "models" / f"{name}.tol")


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_header(path: Path, engine: str) -> None:
    check_header(path, engine)
    assert not compiled(path, engine).runner.fallbacks


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_cost(path: Path) -> None:
    check_cost(path, exact=path.stem != "relational_algebra")


def test_page() -> None:
    check_page("models")
    check_costs("models")


Rules = list[list[tuple[int, int, int]]]


def machine(rules: Rules, tape: list[int], head: int, steps: int) -> dict[str, Any]:
    """A Turing machine in plain Python."""
    tape, state, taken = list(tape), 1, 0
    while state and taken < steps:
        write, move, following = rules[state - 1][tape[head - 1]]
        tape[head - 1] = write
        head, state, taken = head + move, following, taken + 1
    return {"written": tape, "place": head, "state": state, "taken": taken}


def test_turing_machines() -> None:
    generator = np.random.default_rng(1)
    for _ in range(20):
        states, symbols = generator.integers(1, 5), generator.integers(2, 4)
        rules = [
            [(int(generator.integers(symbols)), int(generator.integers(-1, 2)), int(generator.integers(states + 1)))
             for _ in range(symbols)] for _ in range(states)
        ]  # fmt: skip
        tape = generator.integers(0, symbols, 201).tolist()
        found = program("turing_machine")(rules, tape, 101, 100)
        assert {name: np.asarray(one).tolist() for name, one in found.items()} == machine(rules, tape, 101, 100)


def test_busy_beaver_of_four_states() -> None:
    """A. H. Brady's result of 1983: it halts after 107 steps with 13 ones."""
    rules = [[(1, 1, 2), (1, -1, 2)], [(1, -1, 1), (0, -1, 3)], [(1, 1, 0), (1, -1, 4)], [(1, 1, 4), (0, 1, 1)]]
    found: Any = program("turing_machine")(rules, np.zeros(40, np.int64), 20, 1000)
    assert (found["taken"], found["written"].sum()) == (107, 13)


def test_a_head_that_leaves_the_tape_is_an_error() -> None:
    with pytest.raises(tolang.ToLangRunError):
        program("turing_machine")([[(1, 1, 1), (1, 1, 1)]], [0, 0, 0], 2, 9)


def test_game_of_life() -> None:
    cells = (np.random.default_rng(2).random((40, 53)) < 0.4).astype(np.uint8)
    wanted = cells
    for _ in range(12):
        around = convolve2d(wanted, np.ones((3, 3), np.int64), mode="same", boundary="wrap") - wanted
        wanted = ((around == 3) | ((around == 2) & (wanted == 1))).astype(np.uint8)
    assert np.array_equal(program("game_of_life")(cells, 12), wanted)


def test_langtons_ant() -> None:
    """Long enough for its highway to be built, and to run into the other side."""
    grid, steps = np.zeros((70, 61), np.uint8), 13_000
    found: Any = program("langtons_ant")(grid, 35, 30, steps)
    cells, row, column, heading = grid.tolist(), 34, 29, 0
    for _ in range(steps):
        heading = (heading + (-1 if cells[row][column] else 1)) % 4
        cells[row][column] ^= 1
        row, column = (row + (-1, 0, 1, 0)[heading]) % 70, (column + (0, 1, 0, -1)[heading]) % 61
    assert found["cells"].tolist() == cells
    assert tuple(found["ant"]) == (row + 1, column + 1, heading)


Term = int | tuple["Term", "Term"]
SIGNS = {"I": 2, "K": 3, "S": 4}


def reduced(term: Term) -> Term | None:
    """A term after one step in normal order; None where no rule applies."""
    match term:
        case (2, x):
            return x
        case ((3, x), _):
            return x
        case (((4, x), y), z):
            return (x, z), (y, z)
        case (f, x):
            first = reduced(f)
            if first is not None:
                return first, x
            second = reduced(x)
            return None if second is None else (f, second)
    return None


def written(term: Term) -> list[int]:
    return [1, *written(term[0]), *written(term[1])] if isinstance(term, tuple) else [term]


def test_combinators() -> None:
    generator = np.random.default_rng(3)

    def drawn(leaves: int) -> Term:
        if leaves == 1:
            return int(generator.choice([2, 3, 4, 4, 4, 5, 6]))
        left = int(generator.integers(1, leaves))
        return drawn(left), drawn(leaves - left)

    for _ in range(40):
        term: Term = drawn(int(generator.integers(3, 14)))
        tape, steps, after = written(term), 0, reduced(term)
        while after is not None and steps < 15 and len(written(after)) <= 60:
            term, steps, after = after, steps + 1, reduced(after)
        further = 5 if after is None else 0
        found = program("ski")([*tape, *[0] * (60 - len(tape))], steps + further)
        assert found.tolist() == [*written(term), *[0] * (60 - len(written(term)))]


def test_a_term_that_outgrows_its_tape_is_an_error() -> None:
    """S I I applied to itself goes on for ever; three steps give a longer term."""
    twice = written(((SIGNS["S"], SIGNS["I"]), SIGNS["I"]))
    with pytest.raises(tolang.ToLangRunError):
        program("ski")([1, *twice, *twice], 3)


def test_relational_algebra() -> None:
    generator = np.random.default_rng(4)
    for people, jobs in ((30, 40), (0, 5), (5, 0)):
        lives = sorted({(int(p), int(c)) for p, c in generator.integers(1, 20, (people, 2))})
        works = sorted({(int(p), int(c)) for p, c in generator.integers(1, 20, (jobs, 2))})
        found = {name: set(one.to_list() if isinstance(one, tolang.ToL) else one.tolist())
                 for name, one in program("relational_algebra")(_relation(lives), _relation(works)).items()}  # fmt: skip
        assert found["commuters"] == {(w, place) for p, city in lives for w, place in works if p == w and city != place}
        assert found["idle"] == {p for p, _ in lives} - {p for p, _ in works}
        assert found["cities"] == {c for _, c in lives} | {c for _, c in works}


def _relation(rows: list[tuple[int, int]]) -> Any:
    return np.array(rows, dtype=[("person", "i8"), ("city", "i8")])


def test_matlang() -> None:
    generator = np.random.default_rng(5)
    links = (generator.random((33, 33)) < 0.2).astype(float)
    links[np.arange(33), (np.arange(33) + 1) % 33] = 1
    wanted = 0.85 * links / links.sum(axis=1, keepdims=True) + 0.15 / 33
    # quotients and products in another order: a few roundings of numbers below 1
    assert np.allclose(program("matlang")(links, 0.85), wanted, rtol=0, atol=1e-15)


def test_arithmetic_circuit() -> None:
    generator = np.random.default_rng(6)
    inputs, size = generator.normal(size=5) / 2, 400
    gates = [tuple(int(k) for k in (generator.integers(1, 3), *generator.integers(1, 6 + g, 2))) for g in range(size)]
    wires = inputs.tolist()
    with np.errstate(over="ignore", invalid="ignore"):
        for kind, left, right in gates:
            x, y = np.float64(wires[left - 1]), np.float64(wires[right - 1])
            wires.append(float(x + y if kind == 1 else x * y))
    assert np.array_equal(program("arithmetic_circuit")(inputs, gates), wires, equal_nan=True)
