"""Fourier transforms against NumPy's, and what they cost against what a person counts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
import scipy.signal

import tolang

LENGTHS = [1, 2, 3, 4, 5, 8, 12, 31, 32, 100]
pytestmark = pytest.mark.xdist_group("fourier")  # all of them share one program


@cache
def program(call: str, shape: str, engine: str = "cpu") -> tolang.Program:
    source = f"use fourier\ntol x: (R,R) [{shape}]\nz = {call}\nre := z[1]'\nim := z[2]'"
    return tolang.compile(source, engine=engine, fallback=False)


def waves(*shape: int) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
    generator = np.random.default_rng(11)
    return generator.normal(size=shape) + 1j * generator.normal(size=shape)


def close(found: object, wanted: np.ndarray[tuple[int, ...], np.dtype[np.complex128]]) -> None:
    """As close as an expert expects of 64 bits: the error is a small multiple of the rounding of one operation."""
    re, im = found.values()  # type: ignore[attr-defined]
    assert np.abs(re + 1j * im - wanted).max() <= 1e-14 * max(1.0, np.abs(wanted).max())


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_every_length(engine: str) -> None:
    for length in LENGTHS if engine == "cpu" else LENGTHS[:-2]:
        z = waves(length)
        close(program("fft(x)", "n", engine)(x=tolang.ToL.of((z.real, z.imag))), np.fft.fft(z))


@pytest.mark.parametrize("length", [1000, 1009, 1024])
def test_long_ones(length: int) -> None:
    z = waves(length)
    close(program("fft(x)", "n")(x=tolang.ToL.of((z.real, z.imag))), np.fft.fft(z))


@pytest.mark.parametrize("shape", [(8, 3), (5, 2)])
def test_along_an_axis_and_back(shape: tuple[int, ...]) -> None:
    z = waves(*shape)
    given = tolang.ToL.of((z.real, z.imag))
    close(program("fft(x, 1)", "n,m", "interpret")(x=given), np.fft.fft(z, axis=0))
    close(program("ifft(x, 1)", "n,m", "interpret")(x=given), np.fft.ifft(z, axis=0))


@pytest.mark.parametrize("kinds", ["R R", "C C", "R C"])
def test_convolutions(kinds: str) -> None:
    """Beside NumPy's sums of products; the middle is that of SciPy."""
    spaces, generator = kinds.split(), np.random.default_rng(12)
    heads = "".join(f"tol {name}: {one} [{name}s]\n" for name, one in zip("ab", spaces, strict=True))
    text = f"use fourier\n{heads}whole := fft_convolve(a, b)\nmiddle := fft_convolve_same(a, b)"
    convolved = tolang.compile(text, engine="interpret")
    for lengths in ((1, 1), (3, 6), (17, 4)):
        a, b = (
            generator.normal(size=n) + (1j * generator.normal(size=n) if one == "C" else 0)
            for n, one in zip(lengths, spaces, strict=True)
        )
        found = convolved(a=a, b=b)
        np.testing.assert_allclose(found["whole"], np.convolve(a, b), atol=1e-14)
        np.testing.assert_allclose(found["middle"], scipy.signal.fftconvolve(a, b, "same"), atol=1e-14)


def test_a_long_convolution_compiled() -> None:
    source = "use fourier\ntol a: R [n]\ntol b: R [m]\ny := fft_convolve(a, b)"
    a, b = waves(700).real, waves(300).imag
    np.testing.assert_allclose(tolang.compile(source, fallback=False)(a=a, b=b), np.convolve(a, b), atol=1e-12)


REALS = "use fourier\ntol x: R [n]\na := fft(x)\nb := ifft(x)\nc := rfft(x)"
COMPLEX = "use fourier\ntol x: C [n]\na := fft(x)\nb := ifft(x)\nc := irfft(x)\nd := irfft(x, 1, 7)\ne := irfft(x, n=4)"


@pytest.mark.parametrize(
    ("engine", "real", "complex_", "error"),
    [("cpu", "f8", "c16", 1e-14), ("cpu", "f4", "c8", 1e-5), ("interpret", "f8", "c16", 1e-14)],
)
def test_numbers_are_transformed_to_numbers_of_c(engine: str, real: str, complex_: str, error: float) -> None:
    """As NumPy's, and in the storage that they have: of reals, and of numbers of C."""
    for space, source in (("R", REALS), ("C", COMPLEX)):
        program = tolang.compile(source, engine=engine, fallback=False)
        for length in (1, 2, 3, 4, 5, 7, 8, 13, 16, 31, 32, 100) if engine == "cpu" else (1, 2, 5, 8):
            given = waves(length).astype(complex_)
            x, exact = (given.real, given.real.astype("f8")) if space == "R" else (given, given.astype("c16"))
            wanted: list[Any] = [np.fft.fft(exact), np.fft.ifft(exact)]
            if space == "R":
                wanted.append(np.fft.rfft(exact))
            elif length > 1:
                wanted += [np.fft.irfft(exact), np.fft.irfft(exact, 7), np.fft.irfft(exact, 4)]
            else:
                continue  # as NumPy's, irfft of a single number is of no length
            for number, (found, one) in enumerate(zip(program(x=x).values(), wanted, strict=True)):
                assert found.dtype == np.dtype(complex_ if number < 2 or space == "R" else real)
                assert found.shape == one.shape
                np.testing.assert_allclose(found, one, rtol=0, atol=error * max(1.0, np.abs(one).max()))


def test_halves_along_an_axis_and_back() -> None:
    text = (
        "use fourier\ntol x: R [n,m]\na := rfft(x, 1)\nb := irfft(a, 1, |x|[1])\nc := rfft(x)\nd := irfft(c, n=|x|[2])"
    )
    program = tolang.compile(text, engine="interpret")
    for shape in ((6, 5), (5, 4), (1, 3)):
        x = waves(*shape).real
        found = program(x)
        assert not found["a"][0].imag.any()
        assert not found["a"][shape[0] // 2].imag.any() or shape[0] % 2
        np.testing.assert_allclose(found["a"], np.fft.rfft(x, axis=0), atol=1e-13)
        np.testing.assert_allclose(found["c"], np.fft.rfft(x), atol=1e-13)
        np.testing.assert_allclose(found["b"], x, atol=1e-13)
        np.testing.assert_allclose(found["d"], x, atol=1e-13)


@pytest.mark.parametrize("call", ["fft(x)", "ifft(x)", "rfft(x)", "irfft(x)"])
@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_nothing_has_no_transform(call: str, engine: str) -> None:
    """As in NumPy, where it is an error, too."""
    program = tolang.compile(f"use fourier\ntol x: R [n]\ny := {call}", engine=engine)
    with pytest.raises(tolang.ToLangError, match="E509"):
        program(np.zeros(0))


def test_lists_of_two_parts_stay_lists_which_have_gradients() -> None:
    text = "use fourier\ntol x: R [n]\nz = fft(parts_of(x))\ny := reduce(map(z, *[1]'^2 + *[2]'^2), add, 0)"
    x = waves(6).real
    np.testing.assert_allclose(tolang.compile(text, engine="interpret").gradient("y", "x")(x), 12 * x, atol=1e-12)


def transform(n: int) -> int:
    """A stage for two binary digits of n - 1: butterflies of 16 sums and three products of 6; one more for a rest."""
    digits = n.bit_length() - 1
    return digits // 2 * n // 4 * (16 + 3 * 6) + digits % 2 * 2 * n


@pytest.mark.parametrize("n", [1, 2, 8, 1024, 2048, 3, 1000, 1009])
def test_the_cost_is_that_of_the_stages(n: int) -> None:
    """Roots cost 6 each; a chirp, 10 for each number, makes three transforms of the next power of two, and products."""
    power = 1 << (2 * n - 2).bit_length()
    chirp = 3 * transform(power) + (6 + 6 + 6 + 1) * power + (10 + 8) * n
    wanted = transform(n) + 6 * n if n & (n - 1) == 0 else chirp
    assert program("fft(x)", "n").cost(n=n).eops == wanted
    assert wanted <= 16 * 34 * n * (n.bit_length() + 1)
