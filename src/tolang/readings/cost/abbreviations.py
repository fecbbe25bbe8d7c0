"""Formulas that people can read: lengths that follow from others get names of their own, listed beside the formulas.

In a deep model one length, such as floor((w + 31)/32), stands in every formula; with a name for it, a formula is short.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from tolang.ground.symbolic.conditions import Choice
from tolang.ground.symbolic.iterated import Iterated
from tolang.ground.symbolic.sizes import Atom, Extremum, Interned, Monomial, Rational, Size
from tolang.readings.cost.formula import product_text
from tolang.readings.cost.naming import shown_size

LONGEST_NAME = 12
"""A size with a longer name gets a shorter one."""


class Abbreviations:
    """Names for the quotients, extremes, case distinctions and sums of formulas, each given when it is first met."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.names: dict[Atom, str] = {}
        self.meanings: dict[str, str] = {}
        self._taken = set(taken)

    def text(self, size: Size) -> str:
        """A formula in terms of these names."""
        return product_text(self._short(size))

    def _short(self, size: Size) -> Size:
        terms: dict[Monomial, Rational] = {}
        for monomial, factor in size.terms.items():
            terms[tuple(sorted(self._name(atom) for atom in monomial))] = factor
        return Size(terms)

    def _name(self, atom: Atom) -> str:
        if isinstance(atom, str) and len(atom) <= LONGEST_NAME:
            return atom
        if atom not in self.names:
            meaning = atom if isinstance(atom, str) else self._meaning(atom)
            name = self._fresh_short(atom) if isinstance(atom, str) else self._fresh(atom)
            self.names[atom], self.meanings[name] = name, meaning
        return self.names[atom]

    def _meaning(self, atom: Interned) -> str:
        """What a name stands for, in terms of other names; what stands in a sum moves with its iterator."""
        if isinstance(atom, Iterated):
            return str(shown_size(Size.atom(atom)))
        text = str(atom.changed(self._short))
        return text.removeprefix("(").removesuffix(")") if isinstance(atom, Choice) else text

    def _fresh_short(self, name: str) -> str:
        """A short name for a size: its first letter and its number, if it has one."""
        short = f"{name.lstrip('_')[0].lower()}{re.search(r'[0-9]*$', name)[0]}"  # type: ignore[index]  # always found
        while short in self._taken:
            short += "_"
        self._taken.add(short)
        return short

    def _fresh(self, atom: Interned) -> str:
        """A name after the size that a length follows from: w1, w2; height_1 where the size ends in a digit."""
        several = ("most" if atom.kind == "max" else "least") if isinstance(atom, Extremum) else "part"
        base = self._name(next(iter(atom.names()))) if len(atom.names()) == 1 else several
        base = f"{base}_" if base[-1].isdigit() else base
        number = 1
        while f"{base}{number}" in self._taken:
            number += 1
        self._taken.add(f"{base}{number}")
        return f"{base}{number}"
