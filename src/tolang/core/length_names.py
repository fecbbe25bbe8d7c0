"""Names for lengths that only running tells, by what they are lengths of: `kept_length`, of a definition `kept`.

The checker numbers such lengths, and the numbers change with every edit.  These names depend on the definition alone
that the length belongs to, so that they stay the same when other definitions change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from tolang.core.core import Core, Expr, Let, Reduce
from tolang.core.let_chain import unwound
from tolang.core.types import Type
from tolang.ground.symbolic.sizes import Size

NOTHING: Mapping[str, str] = MappingProxyType({})
UNNAMED = frozenset({"length", "d"})
"""What the checker calls lengths, and numbers used as such, that have no name in the source."""
NUMBER = "d."
"""How it begins the names of these numbers."""
_NO_NAME = re.compile(r"\W+")


def length_names(core: Core) -> dict[str, str]:
    """Readable names for the numbered lengths of a program; lengths on the way to one value may have the same."""
    found: dict[str, str] = {}
    used = {*core.sizes, *(one.name for one in core.inputs)}

    def name(length: str, wanted: str) -> None:
        base = length.partition(".")[0]
        if length not in found and is_numbered(length):
            found[length] = wanted if base in UNNAMED else base

    links = [link for link in unwound(core.body)[0] if isinstance(link, Let)]
    defined = [(core.definitions[link.names[0]], link.value) for link in links if link.names[0] in core.definitions]
    values = [(definition, value.type) for definition, value in defined if _is_written(definition, value)]
    for definition, kind in [*values, *((one.name, one.type) for one in core.outputs)]:
        for length, wanted in _own_lengths(_word(definition), kind):
            if is_numbered(length) and length not in found:
                name(length, fresh(wanted, used))
                used.add(found[length])
    for link in links:
        made_for = core.definitions.get(link.names[0]) or core.auxiliary.get(link.names[0])
        if made_for is None:
            continue
        for length in _bound_in(link):
            name(length, f"{_word(made_for)}_{'number' if length.startswith(NUMBER) else 'part_length'}")
    return found


def display_names(names: Iterable[str], taken: Iterable[str], known: Mapping[str, str] = NOTHING) -> dict[str, str]:
    """Readable names for what the checker numbered, those that are `known`, and else what was written: `m.9` is `m`.

    A name of a shared body has the number of a call behind its own; it is called as there.
    """
    used = set(taken)
    shown: dict[str, str] = {}
    for name in names:
        if name not in shown:
            called = known.get(name) or known.get(name.rpartition(".")[0]) or written_name(name)
            shown[name] = fresh(called, used)
            used.add(shown[name])
    return shown


def written_name(name: str) -> str:
    """What a name is called in the source: a numeric that was given no name stands for a length."""
    base = name.split(".")[0]
    return "length" if base in UNNAMED else base


def shown_lengths(core: Core) -> dict[str, str]:
    """What the lengths in the types of outputs are called that only running tells; different ones differently."""
    sizes = (size for one in core.outputs for size in one.type.shape)
    mentioned = dict.fromkeys(name for size in sizes for name in sorted(size.names()) if is_numbered(name))
    taken = [*core.sizes, *(one.name for one in core.inputs)]
    return display_names(mentioned, taken, length_names(core)) if mentioned else {}


def is_numbered(name: str) -> bool:
    """Whether the checker gave a name its number."""
    return "." in name


def in_words(kind: Type, names: dict[str, str]) -> Type:
    """A type with readable names for its lengths."""
    return kind.substitute({name: Size.of(called) for name, called in names.items()}) if names else kind


def fresh(name: str, used: Iterable[str]) -> str:
    """The name, or the first with a number that is not used."""
    taken = set(used)
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}_{number}"
    return found


def _is_written(definition: str, value: Expr) -> bool:
    """Whether the text of a value has its definition: what a library defines on the way has the text of its call."""
    source = None if value.span is None else value.span.source
    begins = rf"(?m)^[ \t]*{re.escape(definition)}\s*:?="
    return source is not None and not source.library and re.search(begins, source.text) is not None


def _word(definition: str) -> str:
    """A definition's name as a part of a name: a pattern has signs in it."""
    return _NO_NAME.sub("_", definition).strip("_") or "value"


def _own_lengths(word: str, kind: Type) -> Iterator[tuple[str, str]]:
    """The names that stand for whole lengths in a type, each with what it is to be called."""
    parts = kind.parts or (kind,)
    for place, part in enumerate(parts, 1):
        of = f"{word}_{place}" if len(parts) > 1 else word
        for axis, size in enumerate(part.shape, 1):
            if size.name is not None:
                yield size.name, f"{of}_length" if part.rank == 1 else f"{of}_length_{axis}"


def _bound_in(expr: Expr) -> Iterator[str]:
    """The names for lengths, and for numbers that may be lengths, that are bound in an expression, outermost first."""
    seen: set[int] = set()
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Let | Reduce):
            yield from (name for name, _, _ in one.lengths)
        if isinstance(one, Let) and one.value.type.is_numeric:
            yield from one.names
        waiting += reversed(one.children())
