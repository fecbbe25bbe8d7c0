"""Warnings of what a program computes again and again, though it is the same in every turn of a loop.

    y := map(x, * - mean(x))     costs n^2 + 2*n EOPs;     m = mean(x);  y := map(x, * - m)     costs 2*n + 1

Compiled code computes such a value once either way, but EOPs count what is written.  There is a warning where they grow
by a factor that depends on sizes, and at what a user wrote, never inside of the library.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from tolang.core.core import Core, Reduce
from tolang.core.invariants import Left, with_invariants_named
from tolang.ground.reporting.diagnostics import Diagnostic, Span, ToLangRunError
from tolang.ground.symbolic.sizes import Size
from tolang.readings.cost.formula import amount_of
from tolang.readings.cost.reading import Reading

CODE = "W101"
SMALL, LARGE = 1_000, 100_000
"""Lengths at which EOPs are compared."""
GROWS = 10
"""How much larger the factor between two counts is at large lengths, where it depends on them."""
LONGEST = 60
"""Characters of an expression that are shown."""
ABOVE = "name it above: "
"""How a fix begins that says a name and what it stands for."""
_HEAD = re.compile(r"^[A-Za-z_]\w*(\([^)]*\))?[ \t]*:?=", re.MULTILINE)
_NAMED = re.compile(r"[{;\n]\s*([A-Za-z_]\w*)\s*=\s*$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"([A-Za-z_]\w*)\(([A-Za-z_]\w*)\)")


def repeated(core: Core) -> tuple[Diagnostic, ...]:
    """What is the same in every turn of loops of a program, where it is written, and what it costs."""
    better, left = with_invariants_named(core)
    found = [one for one in left if _is_told(one)]
    if not found:
        return ()
    try:
        before, after = (_eops(one) for one in (core, better))
    except ToLangRunError:  # no sizes allow a count
        return ()
    return tuple(_warnings(found, before, after))


def _is_told(one: Left) -> bool:
    """Whether a value stands in a user's text, in loops of lengths that are not known."""
    span = one.value.span
    written = span is not None and not span.source.library and bool(span.text)
    return written and any(extent.constant is None for extent in one.extents)


def _eops(core: Core) -> dict[str, Size]:
    """What each outermost definition of a program costs, with what was made on the way to it."""
    return {name: tally.total for name, tally in Reading(core).outermost.items()}


def _warnings(found: Sequence[Left], before: Mapping[str, Size], after: Mapping[str, Size]) -> Iterator[Diagnostic]:
    told: list[Span] = []
    for definition, group in groupby(found, key=lambda one: one.definition):
        old, new = before.get(definition), after.get(definition)
        if old is None or new is None or not _grows(old, new):
            continue
        values = list(group)
        outermost = [one for one in values if not any(_is_inside(one, other) for other in values)]
        for one in outermost:
            span = one.value.span
            assert span is not None
            if not any(_is_same(span, other) for other in told):
                told.append(span)
                yield _warning(one, span, _text(old), _text(new), len(outermost) > 1)


def _grows(old: Size, new: Size) -> bool:
    """Whether one count is larger than another by a factor that depends on sizes."""
    factors = []
    for length in (SMALL, LARGE):
        given = dict.fromkeys(old.names() | new.names(), length)
        try:
            factors.append(float(old.evaluate(given)) / max(1.0, float(new.evaluate(given))))
        except (ArithmeticError, ValueError):
            return False
    return factors[1] > GROWS * max(factors[0], 0.01)


def _is_inside(one: Left, other: Left) -> bool:
    inner, outer = one.value.span, other.value.span
    assert inner is not None
    assert outer is not None
    inside = inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
    return inside and (inner.start, inner.end) != (outer.start, outer.end)


def _is_same(one: Span, other: Span) -> bool:
    return one.source is other.source and (one.start, one.end) == (other.start, other.end)


def _text(size: Size) -> str:
    """A count as a formula, cut where it is long."""
    text = str(amount_of(size))
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"


def _warning(one: Left, span: Span, old: str, new: str, several: bool) -> Diagnostic:
    text = " ".join(span.text.split())
    shown = text if len(text) <= LONGEST else f"{text[:LONGEST]} …"
    turns = "in every step" if all(isinstance(loop, Reduce) for loop in one.loops) else "for every element"
    if one.along:
        names = " and ".join(name.partition(".")[0] for name in one.along)
        turns += f" with the same {names}"
    besides = ", like others here," if several else ","
    definition = "this" if one.definition.endswith("'") else one.definition
    message = f"`{shown}` is the same {turns}: computed once{besides} {definition} costs {new} EOPs, not {old}"
    return Diagnostic(CODE, message, span, fix=_fix(one, span, text))


def _fix(one: Left, span: Span, text: str) -> str:
    before = span.source.text[: span.start]
    named = _NAMED.search(before)
    if one.along:
        names = ", ".join(name.partition(".")[0] for name in one.along)
        return f"compute it above, in a map over {names}, and read it here"
    if one.lies_free and len(text) <= LONGEST and not _is_local(before, named is not None):
        return f"{ABOVE}{_name_for(text, span.source.text)} = {text}"
    return f"move {named[1]} out of the loop" if named else "name it outside of the loop"


def _is_local(before: str, is_named: bool) -> bool:
    """Whether an expression stands in a function or a block, whose names are not known outside, by the text before."""
    heads = list(_HEAD.finditer(before))
    own = before[heads[-1].end() :] if heads else before
    return is_named or "{" in own or bool(heads and heads[-1][1])


def _name_for(text: str, program: str) -> str:
    """A name that a program does not use, for a value of an expression."""
    call = _CALL.fullmatch(text)
    base = f"{call[1]}_{call[2]}" if call else next(iter(_WORD.findall(text)), "value") + "_here"
    taken, name, number = set(_WORD.findall(program)), base, 2
    while name in taken:
        name, number = f"{base}{number}", number + 1
    return name
