"""Choices of ToLs whose lengths are found in the branches themselves, compiled wholly, against the interpreter."""

from __future__ import annotations

import numpy as np
import pytest

import tolang

GIVEN = """tol x: R [n]
tol low: R
above(v, least) = reduce(v, (s,e) -> if e > least then [s,e] else s, [])
far = above(x, low)
"""
FORMS = {
    "found in one branch": "if |far|[1] == 0 then tol[0] else { high = maximum(far); map(above(far, high/2), 2 * *) }",
    "found in both": "if sum(far) < 3 then above(x, 0.9) else { more = above(far, 0.5); [more,more] }",
    "known in one": "if sum(far) < 3 then [1.0,2,3] else { more = above(far, 0.5); map(more, * + low) }",
    "of one length": "if sum(far) < 3 then { high = maximum(x); map(x, * / high) } else map(x, * + 1)",
}


@pytest.mark.parametrize("form", FORMS)
def test_lengths_found_in_branches(form: str) -> None:
    source = f"{GIVEN}chosen := {FORMS[form]}\ntotal := reduce(chosen, add, 0)\n"
    compiled = tolang.compile(source, engine="cpu", fallback=False)
    judge = tolang.compile(source, engine="interpret")
    x = np.random.default_rng(0).random(40)
    for low in (0.0, 0.5, 0.95, 2.0):
        found, expected = compiled(x, low), judge(x, low)
        np.testing.assert_allclose(found["chosen"], expected["chosen"], rtol=1e-15)
        np.testing.assert_allclose(found["total"], expected["total"], rtol=1e-12)  # sums in another order
