"""How indices of other languages are said in ToLang: from 0, from the end, by a mask."""

from __future__ import annotations

import re

from tolang.ground.reporting.diagnostics import Span
from tolang.ground.symbolic.sizes import Rational

_INDEXED = re.compile(r"([A-Za-z_]\w*)\s*\[(.*)\]", re.DOTALL)
_COMPARED = re.compile(r"([A-Za-z_]\w*)\s*([<>]=?|==|!=)\s*(-?[\d.]+)")
LONGEST = 60
"""How long what is written may be that a hint repeats."""


def indexed(span: Span | None) -> tuple[str, str]:
    """The name and the index of what is written at a place, `x[1:2]`; names of no meaning where it is another form."""
    found = None if span is None or span.source.library else _INDEXED.fullmatch(span.text)
    return (found[1], found[2].strip()) if found is not None and len(found[0]) <= LONGEST else ("t", "")


def counted_from(position: Rational | None, span: Span | None, axis: int = 1) -> str | None:
    """How a coordinate is meant that counts from 0, or from the end."""
    name, index = indexed(span)
    if position == 0:
        return "coordinates start at 1: the first is t[1]" if index != "0" else f"coordinates start at 1: `{name}[1]`"
    if position is None or position >= 0 or position.denominator != 1:
        return None
    last = _from_end(name, axis, -int(position) - 1)
    return f"count from the end by the length: `{f'{name}[{last}]' if index == str(position) else last}`"


def ends_counted_from(lower: Rational | None, upper: Rational | None, span: Span | None, axis: int = 1) -> str | None:
    """How a slice is meant whose ends count from 0 or from the end, and whose last element is left out."""
    name, index = indexed(span)
    ends = [None if one is None or one.denominator != 1 else int(one) for one in (lower, upper)]
    first, last = ends
    if not any(one is not None and one < 0 for one in ends) and first != 0:
        return None
    low = "" if first in (None, 0) else _from_end(name, axis, -first - 1) if first < 0 else str(first)
    high = "" if last is None else _from_end(name, axis, -last) if last < 0 else str(last)
    written = f"{low}:{high}"
    return f"coordinates start at 1, and both ends are taken: `{written if ',' in index else f'{name}[{written}]'}`"


def _from_end(name: str, axis: int, before: int) -> str:
    return f"|{name}|[{axis}]{f'-{before}' if before else ''}"


def chosen_by(span: Span | None, mask: int | None) -> str:
    """How elements are taken by a vector of coordinates, or by truth values of some number of dimensions."""
    name, index = indexed(span)
    if mask is None:
        shown = (
            f"`take({name}, {index})`" if index and "," not in re.sub(r"\[[^\]]*\]", "", index) else "`take(t, idx)`"
        )
        return f"a vector stands for one coordinate in each dimension; {shown} gathers, as map(idx, k -> t[k])"
    compared = _COMPARED.fullmatch(index)
    if compared is not None and compared[1] == name:
        v = "e" if name != "e" else "x"
        return f"take the elements that pass a test: `filter({name}, {v} -> {v} {compared[2]} {compared[3]})`"
    every, mask_text = name, index or "mask"
    if mask > 1:
        every, mask_text = f"flatten({name})", f"flatten({mask_text})"
    return f"take the elements where a mask holds: `compress({every}, {mask_text})`"
