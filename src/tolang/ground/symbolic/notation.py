"""Sizes as text that people read: `2*k*m*n`, `n^2 + 3*n - 1`, `floor((h - k)/2) + 1`."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from tolang.ground.interning import Unique, atom_key
from tolang.ground.reporting.faults import number_text

Term = tuple[tuple[str | Unique, ...], int | Fraction]
"""Atoms that are multiplied, and their factor."""


def sum_text(terms: Iterable[Term]) -> str:
    """Terms with whole factors as text: what grows most first, then what is added, then by name; `n^2 + 3*n - 1`."""
    pieces: list[str] = []
    for monomial, factor in sorted(terms, key=_order):
        powers: dict[str | Unique, int] = {}
        for atom in monomial:
            powers[atom] = powers.get(atom, 0) + 1
        factors = [f"{a}^{p}" if p > 1 else str(a) for a, p in powers.items()]
        if abs(factor) != 1 or not factors:
            factors.insert(0, number_text(abs(factor)))
        sign = "-" if factor < 0 else "+"
        text = "*".join(factors)
        pieces.append(f" {sign} {text}" if pieces else (f"-{text}" if factor < 0 else text))
    return "".join(pieces)


def _order(term: Term) -> tuple[int, bool, int, list[tuple[int, str]]]:
    atoms, factor = term
    growth = sum(1 if isinstance(atom, str) else atom.growth for atom in atoms)
    return -growth, factor < 0, -len(atoms), [atom_key(atom) for atom in atoms]


def grouped(text: str, count: int) -> str:
    """The text of a size of so many terms as one side of a quotient: in parentheses unless it is one name or number."""
    return f"({text})" if count > 1 or "/" in text or "*" in text else text
