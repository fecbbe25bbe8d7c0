"""A program in segments: stretches of its outermost bindings, each a program of its own that one engine runs.

What compiled code cannot take is interpreted for that part alone.  A segment's inputs are the values of earlier ones,
its sizes the program's own and the lengths that running earlier segments told: by shapes, or by whole numbers, in which
lengths are written, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby

from tolang.core.core import Bundle, Core, Expr, Input, Let, Output, Require, Variable
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.new_text import NewText, made_apart, new_text_of
from tolang.core.types import Type, bundle_type
from tolang.data.binding import names_inside
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.spaces import strong
from tolang.ground.values.values import ToL

Refusal = Callable[[Core], str | None]
"""Why compiled code cannot take a program; None where it can."""
Way = NewText | str | None
"""How a segment runs: by making text; by the interpreter, and why; by compiled code."""


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Some bindings as a program: `gives` are the names of its outputs, `lengths` those that its outputs' shapes tell.

    `numbers` are those outputs that are whole numbers.
    """

    core: Core
    gives: tuple[str, ...]
    lengths: tuple[tuple[str, int, int], ...]
    way: Way
    span: Span | None
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Segmented:
    """Segments in order, and the names whose values are the program's outputs."""

    segments: tuple[Segment, ...]
    outputs: tuple[str, ...]


def segmented(core: Core, refusal: Refusal) -> Segmented:
    """A program in segments, the longest that one engine can run."""
    links, inside = unwound(core.body)
    assert isinstance(inside, Bundle)
    outputs: list[str] = []
    for position, (part, output) in enumerate(zip(inside.parts, core.outputs, strict=True)):
        if isinstance(part, Variable) and [strong(c) for c in part.type.columns] == list(output.type.columns):
            outputs.append(part.name)
        else:
            outputs.append(f"output {position}")
            links.append(Let((outputs[-1],), part, inside, type=inside.type, span=part.span))
    links = [one for link in links for one in (made_apart(link) if isinstance(link, Let) else [link])]
    judged = list(_Splitter(core).judged(links, refusal))
    groups = [([link for _, link in group], way) for way, group in groupby(_settled(judged), key=lambda one: one[0])]
    types = {one.name: one.type for one in core.inputs} | {n: k for one in links for n, k in _bound(one).items()}
    segments: list[Segment] = []
    splitter = _Splitter(core)
    for position, (group, way) in enumerate(groups):
        later = {*outputs, *(name for rest, _ in groups[position + 1 :] for name in _used(rest))}
        segments.append(splitter.segment(group, with_lengths(later, types), way))
    return Segmented(tuple(segments), tuple(outputs))


def _settled(judged: list[tuple[Way, Link]]) -> Iterator[tuple[Way, Link]]:
    """Links with their ways; one that either engine can run goes with the link after it."""
    for position, (way, link) in enumerate(judged):
        if isinstance(link, Let):
            yield way, link
        else:
            yield next((way for way, one in judged[position:] if isinstance(one, Let)), None), link


class _Splitter:
    """What is known at some place in the chain: values with their types, and sizes."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self.types: dict[str, Type] = {one.name: one.type for one in core.inputs}
        self.sizes = set(core.sizes)

    def judged(self, links: list[Link], refusal: Refusal) -> Iterator[tuple[Way, Link]]:
        """Each link, and which way it runs by itself."""
        for before, link in zip([None, *links], links, strict=False):
            if isinstance(link, Let):
                alone = self.segment([link], set(link.names), None).core
                text = None if isinstance(before, Require) else new_text_of(link)
                yield text or refusal(alone), link
            else:
                yield None, link

    def segment(self, links: list[Link], later: set[str], way: Way) -> Segment:
        """The program of some links, which gives the names that are used later; what it binds is known from then on."""
        inputs, sizes = self._wanted(_used(links))
        gives: dict[str, Type] = {}
        lengths: list[tuple[str, int, int]] = []
        for link in links:
            if not isinstance(link, Let):
                continue
            bound = _bound(link)
            told = [one for one in link.lengths if one[0] in later]
            telling = {link.names[part] for _, part, _ in told}
            gives |= {name: kind for name, kind in bound.items() if name in later or name in telling}
            lengths += [(name, list(gives).index(link.names[part]), axis) for name, part, axis in told]
            self.types |= bound
            self.sizes |= {name for name, _, _ in link.lengths}
            self.sizes |= {name for name, kind in bound.items() if _is_whole(kind)}
        values: tuple[Expr, ...] = tuple(Variable(name, type=kind) for name, kind in gives.items())
        body = wound(links, Bundle(values, type=bundle_type(one.type for one in values)))
        core = replace(
            self.core, sizes=sizes, inputs=inputs, body=body, outputs=tuple(Output(n, k) for n, k in gives.items())
        )
        span = next((link.value.span for link in links if isinstance(link, Let)), None)
        numbers = tuple(name for name, kind in gives.items() if _is_whole(kind))
        return Segment(core, tuple(gives), tuple(lengths), way, span, numbers)

    def _wanted(self, used: set[str]) -> tuple[tuple[Input, ...], tuple[str, ...]]:
        """Known values and sizes among the names used, and those that the shapes of these values are written in."""
        wanted = with_lengths(used, self.types)
        inputs = tuple(Input(name, kind) for name, kind in self.types.items() if name in wanted)
        return inputs, tuple(sorted(self.sizes & wanted))


def with_lengths(names: set[str], types: Mapping[str, Type]) -> set[str]:
    """Names, and every name that the shapes of their values are written in."""
    waiting, found = list(names), set(names)
    while waiting:
        kind = types.get(waiting.pop())
        fresh = {one for length in kind.shape for one in length.names()} - found if kind is not None else set()
        found |= fresh
        waiting.extend(fresh)
    return found


def _bound(link: Link) -> dict[str, Type]:
    """The names that a link binds, with their types."""
    if not isinstance(link, Let):
        return {}
    return dict(zip(link.names, link.value.type.parts or (link.value.type,), strict=True))


def _used(links: list[Link]) -> set[str]:
    """Every name that links mention, in types too."""
    found: set[str] = set()
    for link in links:
        if isinstance(link, Let):
            found |= names_inside(link.value)
        else:
            found |= link.condition.names()
    return found


def _is_whole(kind: Type) -> bool:
    """Whether a value is one whole number that a machine word holds."""
    return kind.is_numeric and kind.column.space.family == "Z" and kind.column.storage != "integer"


def lengths_of(segment: Segment, found: Mapping[str, ToL]) -> dict[str, int]:
    """The lengths that the outputs of a segment tell."""
    by_shape = {name: found[segment.gives[part]].shape[axis] for name, part, axis in segment.lengths}
    return by_shape | {name: int(found[name].columns[0]) for name in segment.numbers}
