"""Fourier transforms against NumPy's, and what they cost against what a person counts."""

from __future__ import annotations

from functools import cache

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
    close(program("inverse_fft(x, 1)", "n,m", "interpret")(x=given), np.fft.ifft(z, axis=0))


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


def test_numbers_of_c_are_transformed_to_such() -> None:
    for call, wanted in (("fft(x)", np.fft.fft), ("inverse_fft(x)", np.fft.ifft)):
        found = tolang.compile(f"use fourier\ntol x: C [n]\ny := {call}", engine="interpret")(x=waves(6))
        np.testing.assert_allclose(found, wanted(waves(6)), atol=1e-14)


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
