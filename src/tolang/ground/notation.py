"""Sizes as text that people read: `2*k*m*n`, `n^2 + 3*n - 1`, `floor((h - k)/2) + 1`."""

from __future__ import annotations

from tolang.ground.faults import number_text
from tolang.ground.sizes import Atom, Monomial, Quotient, Rational, Size, atom_key


def grouped(size: Size) -> str:
    text = str(size)
    return f"({text})" if len(size.terms) > 1 or "/" in text or "*" in text else text


def render(size: Size) -> str:
    """The size as text: highest degree first, then by name; `2*k*m*n`, `n^2 + 3*n - 1`."""
    if not size.terms:
        return "0"
    if len(size.terms) == 1:
        ((monomial, factor),) = size.terms.items()
        if factor == 1 and len(monomial) == 1 and isinstance(monomial[0], str):
            return monomial[0]

    def order(item: tuple[Monomial, Rational]) -> tuple[int, list[tuple[int, str]]]:
        return -len(item[0]), [atom_key(a) for a in item[0]]

    size = shortened(size)
    shared = size.denominator
    if shared > 1:
        inner = render(size * shared)
        return f"({inner})/{shared}" if len(size.terms) > 1 else f"{inner}/{shared}"
    pieces: list[str] = []
    for monomial, factor in sorted(size.terms.items(), key=order):
        powers: dict[Atom, int] = {}
        for atom in monomial:
            powers[atom] = powers.get(atom, 0) + 1
        factors = [f"{a}^{p}" if p > 1 else str(a) for a, p in powers.items()]
        if abs(factor) != 1 or not factors:
            factors.insert(0, number_text(abs(factor)))
        sign = "-" if factor < 0 else "+"
        text = "*".join(factors)
        pieces.append(f" {sign} {text}" if pieces else (f"-{text}" if factor < 0 else text))
    return "".join(pieces)


def shortened(size: Size) -> Size:
    """For display: -k + floor((h + k)/2) as floor((h - k)/2), the shorter of two equal forms."""
    for monomial, factor in size.terms.items():
        if factor != 1 or len(monomial) != 1 or not isinstance(monomial[0], Quotient):
            continue
        quotient = monomial[0]
        divisor = quotient.denominator.constant
        if divisor is None:
            continue
        moved = {m: c for m, c in size.terms.items() if m and m in quotient.numerator.terms and m != monomial}
        if moved:
            inner = quotient.numerator + Size(moved) * divisor
            outer = size - Size(moved) - Size.atom(quotient)
            return outer + Size.atom(Quotient(inner, quotient.denominator))
    return size
