"""Names as users read them: what the checker numbered loses its number, or gets one that tells it from others.

Names are exchanged in the sizes themselves, never in their text, where `i.3/2` could be a name as well as a half of i.
The iterator of a sum is known inside it alone, so sums beside each other may both be over `i`; one inside another, or
beside a size of that name, may not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from tolang.core.length_names import display_names, fresh, written_name
from tolang.ground.interning import atom_key
from tolang.ground.symbolic.iterated import Iterated
from tolang.ground.symbolic.sizes import Interned, Monomial, Rational, Size
from tolang.ground.symbolic.sums import Sum, Utmost

_NUMBERED = re.compile(r"[A-Za-z_]\w*(?:\.\d+)+")


def readable(text: str, shown: Mapping[str, str]) -> str:
    """A text of names and sizes with numbered names replaced by those that users see, or by what was written."""
    return _NUMBERED.sub(lambda found: shown.get(found.group(), written_name(found.group())), text)


def shown_size(size: Size) -> Size:
    """A size with names as users read them."""
    numbered = sorted((name for name in size.names() if "." in name), key=lambda name: (len(name), name))
    return named(size, display_names(numbered, size.names() - set(numbered)))


def named(size: Size, naming: Mapping[str, str]) -> Size:
    """A size with other names, different names staying different; iterators of sums are named here."""
    if naming.keys().isdisjoint(size.names()) and not has_iterators(size):
        return size
    used = {naming.get(name, name) for name in size.names()} | set(naming.values())
    return _Naming(dict(naming), used).size(size)


class _Naming:
    """What names are called in one place."""

    def __init__(self, naming: dict[str, str], used: set[str]) -> None:
        self.naming, self.used = naming, used
        self.done: dict[Interned, Interned] = {}

    def size(self, size: Size) -> Size:
        terms: dict[Monomial, Rational] = {}
        for monomial, factor in size.terms.items():
            atoms = (self.naming.get(atom, atom) if isinstance(atom, str) else self._atom(atom) for atom in monomial)
            terms[tuple(sorted(atoms, key=atom_key))] = factor
        return Size(terms)

    def _atom(self, atom: Interned) -> Interned:
        if atom not in self.done:
            self.done[atom] = self._iterated(atom) if isinstance(atom, Iterated) else atom.changed(self.size)
        return self.done[atom]

    def _iterated(self, one: Iterated) -> Iterated:
        called = fresh(written_name(one.name), self.used)
        inside = _Naming({**self.naming, one.name: called}, self.used | {called})
        upper, body = self.size(one.upper), inside.size(one.body)
        return Utmost(one.kind, called, upper, body) if isinstance(one, Utmost) else Sum(called, upper, body)


def has_iterators(size: Size) -> bool:
    """Whether there is a sum, or a greatest or least value over a range, anywhere in a size."""
    return _iterates(size, set())


def _iterates(size: Size, seen: set[Interned]) -> bool:
    for monomial in size.terms:
        for atom in monomial:
            if not isinstance(atom, str) and atom not in seen:
                seen.add(atom)
                if isinstance(atom, Iterated) or any(_iterates(part, seen) for part in atom.parts()):
                    return True
    return False
