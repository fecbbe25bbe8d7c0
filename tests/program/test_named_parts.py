"""Names for parts: at the prompt, in exported functions, and as columns of tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import tolang
from tolang.program.session import EvaluatedExpression, Session

DIFFERENCE = tolang.compile("tol p: (x: R, y: R) [n]\nz := p[x]' - p[y]'")


def test_columns_of_a_table_go_by_name() -> None:
    assert DIFFERENCE(pa.table({"y": [1.0, 2.0], "x": [10.0, 20.0]})).tolist() == [9, 18]


def test_fields_of_an_arrow_struct_go_by_name() -> None:
    struct = pa.StructArray.from_arrays([pa.array([1.0, 2.0]), pa.array([10.0, 20.0])], ["y", "x"])
    assert DIFFERENCE(struct).tolist() == [9, 18]


def test_fields_of_a_structured_array_go_by_name() -> None:
    assert DIFFERENCE(np.array([(1.0, 10.0)], dtype=[("y", "f8"), ("x", "f8")])).tolist() == [9]


def test_an_exported_function_takes_lists_for_names_of_parts() -> None:
    program = tolang.compile("weigh((a, b), k) := a + b * k\n")
    assert program.weigh([(1.0, 2.0), (3.0, 4.0)], 2).tolist() == [5, 11]


def test_names_of_parts_are_outputs_of_their_own() -> None:
    program = tolang.compile("tol x: R [n]\n(shifted, _, three) := (x + 1, 2, 3)")
    found: Any = program([1.0, 2.0])
    assert list(found) == ["shifted", "three"]
    assert (found["shifted"].tolist(), found["three"]) == ([2, 3], 3)


def test_the_prompt_writes_names_of_parts_as_they_are_now(tmp_path: Path) -> None:
    session = Session()
    list(session.enter("(q, (r, s)) = (1, 2, 3)"))
    list(session.enter("k = q + s"))
    assert session.text() == "(q, (r, s)) = (1, 2, 3)\nk = q + s\n"
    list(session.enter("q = 5"))
    session.save(tmp_path / "saved.tol")
    other = Session()
    other.load(tmp_path / "saved.tol")
    (answer,) = other.enter("(k, q, r)")
    assert isinstance(answer, EvaluatedExpression)
    assert not isinstance(answer.value, tuple)
    assert answer.value.to_list() == (8, 5, 2)
