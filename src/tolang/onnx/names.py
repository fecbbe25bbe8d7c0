"""Names of ONNX values, which may be any text, as names of a ToLang program."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from tolang.ground.dataclasses import dataclass
from tolang.ground.values.functions import FUNCTIONS
from tolang.syntax import making, tree
from tolang.syntax.lexemes import KEYWORDS

PRIMITIVES = ("map", "reduce", "convert", "shape", "dim", "dimension", "capacity", "vol", "volume", "space", "part",
              "swap", "reshape", "tile", "iter", "gradient")  # fmt: skip

WRITTEN = frozenset({
    "aligned", "axis_number", "ceil", "first", "flip", "into", "length_quotient", "like", "move_axis", "rows_like",
    "sum", "with_row",
})  # fmt: skip
"""Definitions of the library that are no operators and that programs of models call."""

LONGEST_NAME = 40
"""Of a longer name the end is kept, which tells most."""


@dataclass(frozen=True, slots=True)
class FoldNames:
    """The names inside folds: of the state, the element, which is none, the number of the step, and its result."""

    state: str
    element: str
    step: str
    result: str

    def over(self, steps: tree.Expression, after: tree.Expression, start: tree.Expression) -> tree.CallExpression:
        """A fold of so many steps: what a step makes of the state, and the state at the beginning."""
        function = making.function((self.state, self.element, self.step), after)
        return making.call("reduce", making.zeros(steps), function, start)


@dataclass(frozen=True, slots=True)
class Head:
    """The parameters of a definition, and of each whether it has a default."""

    parameters: tuple[str, ...] = ()
    optional: tuple[bool, ...] = ()


class OnnxNames:
    """Gives every ONNX name a ToLang name that nothing else has; where it can, the same.

    A name may hide a definition of the library that the program does not call.  Those of a user, `own`, stand in the
    program and may call any.
    """

    def __init__(self, reserved: Iterable[str] = (), own: Iterable[str] = ()) -> None:
        from tolang.check.library import PRELUDE

        library = {*library_heads(PRELUDE), *library_heads("onnx")}
        own = set(own)
        called = library if own else WRITTEN.union(one for one in library if one[0].isupper() or one.startswith("com_"))
        self.taken = {*KEYWORDS, *FUNCTIONS, *PRIMITIVES, *called, *own, *reserved}
        self.used: dict[str, int] = {}

    def fresh(self, wanted: str) -> str:
        """A free name that reads as the one wanted."""
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", wanted).strip("_") or "value"
        if len(plain) > LONGEST_NAME:
            plain = plain[-LONGEST_NAME:].partition("_")[2] or plain[-LONGEST_NAME:]
        plain = f"v{plain}" if plain[0].isdigit() else plain
        name, count = plain, self.used.get(plain, 1)
        while name in self.taken:
            count += 1
            name = f"{plain}_{count}"
        self.used[plain] = count
        self.taken.add(name)
        return name


@cache
def library_heads(module: str) -> dict[str, Head]:
    """The definitions of a library module and their parameters, read off the heads alone: parsing takes far longer."""
    from tolang.check.library import library_files

    found: dict[str, Head] = {}
    for path in library_files(module):
        text = path.read_text(encoding="utf-8")
        for head in re.finditer(r"^(?:associative )?([A-Za-z_]\w*)( = |\()", text, re.MULTILINE):
            found[head[1]] = _head(text, head.end()) if head[2] == "(" else Head()
    return found


def _head(text: str, start: int) -> Head:
    """The parameters of a definition, from after the opening parenthesis of its head on."""
    items, depth, place = [""], 1, start
    while depth:
        sign = text[place]
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 1:
            items.append("")
        elif depth:
            items[-1] += sign
        place += 1
    parts = [item.partition("=") for item in items if item.strip()]
    return Head(tuple(name.strip() for name, _, _ in parts), tuple(bool(sign) for _, sign, _ in parts))


@cache
def older_versions() -> dict[str, list[int]]:
    """The opsets up to which older definitions of operators are valid, ascending: `Name_12` up to 12."""
    found: dict[str, list[int]] = {}
    for name in library_heads("onnx"):
        operator, _, limit = name.rpartition("_")
        if operator and limit.isdigit():
            found.setdefault(operator, []).append(int(limit))
    return {operator: sorted(limits) for operator, limits in found.items()}
