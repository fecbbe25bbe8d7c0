"""Models of computation of the gallery: sequential machines, whose steps go where data leads them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers import with_numba
from benchmarks.row import Array, Row

GALLERY = Path(__file__).resolve().parents[2] / "examples" / "gallery" / "models"
CHAMPION = [[(1, 1, 2), (1, -1, 3)], [(1, 1, 3), (1, 1, 2)], [(1, 1, 4), (0, -1, 5)], [(1, -1, 1), (1, -1, 4)],
            [(1, 1, 0), (0, -1, 1)]]  # fmt: skip
"""The busy beaver of five states."""
RULE = [("write", "i8"), ("move", "i8"), ("next", "i8")]
GATE = [("kind", "i8"), ("left", "i8"), ("right", "i8")]


def source(name: str) -> str:
    return (GALLERY / f"{name}.tol").read_text("utf-8")


def beaver(generator: np.random.Generator, steps: int) -> tuple[Array, ...]:
    cells = 30_000
    rules = np.array(CHAMPION, dtype=RULE)
    return rules, np.zeros(cells, np.int64), np.array(cells // 2), np.array(steps)


def turing(rules: Array, tape: Array, head: Array, steps: Array) -> tuple[Any, ...]:
    table, cells = rules.tolist(), tape.tolist()
    place, state, taken, limit = int(head), 1, 0, int(steps)
    while state and taken < limit:
        write, move, following = table[state - 1][cells[place - 1]]
        cells[place - 1] = write
        place, state, taken = place + move, following, taken + 1
    return np.array(cells), place, state, taken


def turing_loop(rules: Array, tape: Array, head: Array, steps: Array) -> tuple[Any, ...]:
    cells, place, state, taken = tape.copy(), head[()], 1, 0
    while state > 0 and taken < steps[()]:
        rule = rules[state - 1, cells[place - 1]]
        cells[place - 1] = rule.write
        place, state, taken = place + rule.move, rule.next, taken + 1
    return cells, place, state, taken


def empty_grid(generator: np.random.Generator, side: int, steps: int) -> tuple[Array, ...]:
    middle = np.array(side // 2 + 1)
    return np.zeros((side, side), np.uint8), middle, middle, np.array(steps)


def ant(grid: Array, row: Array, column: Array, steps: Array) -> tuple[Any, ...]:
    cells, i, j, heading = grid.tolist(), int(row) - 1, int(column) - 1, 0
    for _ in range(int(steps)):
        heading = (heading + (3 if cells[i][j] else 1)) % 4
        cells[i][j] ^= 1
        i, j = (i + (-1, 0, 1, 0)[heading]) % len(cells), (j + (0, 1, 0, -1)[heading]) % len(cells[0])
    return np.array(cells), i + 1, j + 1, heading


def ant_loop(grid: Array, row: Array, column: Array, steps: Array) -> tuple[Any, ...]:
    cells, i, j, heading = grid.copy(), row[()] - 1, column[()] - 1, 0
    rows, columns = grid.shape
    for _ in range(steps[()]):
        heading = (heading + (3 if cells[i, j] else 1)) % 4
        cells[i, j] ^= 1
        if heading == 0:
            i = (i - 1) % rows
        elif heading == 1:
            j = (j + 1) % columns
        elif heading == 2:
            i = (i + 1) % rows
        else:
            j = (j - 1) % columns
    return cells, i + 1, j + 1, heading


def circuit(generator: np.random.Generator, size: int) -> tuple[Array, ...]:
    gates = np.zeros(size, dtype=GATE)
    gates["kind"] = generator.integers(1, 3, size)
    gates["left"], gates["right"] = generator.integers(1, np.arange(11, 11 + size), (2, size))
    return generator.random(10) / 8, gates


def wires(inputs: Array, gates: Array) -> Array:
    values = inputs.tolist()
    for kind, left, right in gates.tolist():
        x, y = values[left - 1], values[right - 1]
        values.append(x + y if kind == 1 else x * y)
    return np.array(values)


def wires_loop(inputs: Array, gates: Array) -> Array:
    values = np.empty(inputs.size + gates.size)
    values[: inputs.size] = inputs
    for g in range(gates.size):
        gate = gates[g]
        x, y = values[gate.left - 1], values[gate.right - 1]
        values[inputs.size + g] = x + y if gate.kind == 1 else x * y
    return values


ANT = source("langtons_ant").replace(
    "ant := (final[2]', final[3]', final[4]')", "i := final[2]'; j := final[3]'; h := final[4]'"
)
ROWS = [
    Row(
        name="Turing machine, 2 million steps of the busy beaver",
        source=source("turing_machine"),
        data=beaver,
        sizes=(2_000_000,),
        tiny=(300,),
        reference=turing,
        operations=lambda steps: 6.0 * steps,
        target=1.0,
        against=("numba",),
        tolerance=0,
        peers={"numba": with_numba(turing_loop)},
    ),
    Row(
        name="Langton's ant, 1 million steps on 1024 x 1024",
        source=ANT,
        data=empty_grid,
        sizes=(1024, 1_000_000),
        tiny=(20, 700),
        reference=ant,
        operations=lambda side, steps: 18.0 * steps,
        target=1.0,
        against=("numba",),
        tolerance=0,
        peers={"numba": with_numba(ant_loop)},
    ),
    Row(
        name="arithmetic circuit of 1 million gates",
        source=source("arithmetic_circuit"),
        data=circuit,
        sizes=(1_000_000,),
        tiny=(50,),
        reference=wires,
        operations=lambda size: 3.0 * size,
        target=1.0,
        against=("numba",),
        peers={"numba": with_numba(wires_loop)},
    ),
]  # fmt: skip
