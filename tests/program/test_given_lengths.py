"""Numbers that are the length of another argument are that length: calls for any such length share a body."""

from __future__ import annotations

import numpy as np
import pytest
from tests.program.test_given_numbers import instances_made, results

CONVOLUTION = "use onnx\n" + "".join(
    f"tol x{n}: f32 [1, {n}, 4, 4]\ntol w{n}: f32 [{n}, 1, 3, 3]\ny{n} := Conv(x{n}, w{n}, group={n})\n"
    for n in (12, 16)
)


def test_groups_as_many_as_channels_share_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    inputs = {
        name: generator.integers(-4, 4, shape).astype(np.float32)
        for n in (12, 16)
        for name, shape in ((f"x{n}", (1, n, 4, 4)), (f"w{n}", (n, 1, 3, 3)))
    }
    for n, found in zip((12, 16), results(CONVOLUTION, **inputs), strict=True):
        windows = np.lib.stride_tricks.sliding_window_view(inputs[f"x{n}"][0], (3, 3), (1, 2))
        expected = np.einsum("cijpq,cpq->cij", windows, inputs[f"w{n}"][:, 0])
        assert np.array_equal(found[0], expected)
    made = instances_made(CONVOLUTION, monkeypatch)
    assert made.count("Conv") == made.count("convolve") == 1


TEXT = "tol x: f32 [12]\nchosen(t, k) = {body}\na := chosen(x, 12)\nb := chosen(x, 11)\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("map(tol[k], t[i] + k, i)", list(range(12, 24))),
        ("if k == 12 then map(t, * + 1) else t", list(range(1, 13))),
        ("reduce(map(tol[k], 1), add, 0) + t[k]", 23),
        ("map([1,2,k], * + t[1])", [1, 2, 12]),
    ],
)
def test_what_such_numbers_are_for_does_not_matter(body: str, expected: object) -> None:
    found, _ = results(TEXT.format(body=body), x=np.arange(12, dtype=np.float32))
    assert np.asarray(found).tolist() == expected


def test_small_numbers_are_no_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "tol x: f32 [2, 2]\ntol y: f32 [3, 3]\nline(t, k) = t[k]\na := line(x, 2)\nb := line(y, 3)\n"
    assert instances_made(text, monkeypatch) == ["line"] * 2


def test_other_numbers_than_lengths_have_bodies_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "tol x: f32 [20]\ntol y: f32 [30]\nfirst(t, k) = t[1:k]\n"
    assert instances_made(text + "a := first(x, 20)\nb := first(y, 30)\n", monkeypatch) == ["first"]
    assert instances_made(text + "a := first(x, 19)\nb := first(y, 29)\n", monkeypatch) == ["first"] * 2
