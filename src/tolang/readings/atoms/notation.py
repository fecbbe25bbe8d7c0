"""Compositions in the notation of the paper: `Λ(+, a[1,1], b[1,1])`, `⋈`, `⋈̄`, `Ξ`, `Π′`, `‖t‖`; or in ASCII.

An output with dimensions is written as Example 4 does it: one line for each element that is computed, then how the
elements are joined and embedded.  A term used more than once, or too long for a line, has a line and a name of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tolang.ground.dataclasses import dataclass, field
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.functions import BY_SIGN
from tolang.ground.values.printing import value_notation
from tolang.readings.atoms.terms import (
    ConstantTerm,
    EmbedTerm,
    FunctionTerm,
    InputTerm,
    JoinList,
    JoinTerm,
    MemberPrime,
    MemberTerm,
    NormPrime,
    NormTerm,
    Term,
    walk,
)

LONGEST = 300
"""A term whose text is longer gets a name of its own."""

SIGNS = {name: sign for sign, name in BY_SIGN.items()}
PAPER_SIGNS = {**SIGNS, "mul": "×", "div": "÷", "eq": "=", "le": "≤", "ge": "≥", "ineq": "≠"}


@dataclass(frozen=True, slots=True)
class Notation:
    """The signs of one way to write compositions."""

    lambda_: str
    join: str
    join_list: str
    embed: str
    member: str
    prime: str
    bar: str
    within: str
    signs: Mapping[str, str] = field(repr=False)


PAPER = Notation("Λ", "⋈", "⋈̄", "Ξ", "Π", "′", "‖", "∈", PAPER_SIGNS)
ASCII = Notation("Lambda", "><", "><'", "Xi", "Pi", "'", "||", " in ", SIGNS)


@room_to_nest()
def write(outputs: Mapping[str, Term], notation: Notation = PAPER) -> str:
    """The compositions of named outputs, one definition a line, each after those it uses."""
    return "\n".join(f"{name} = {text}" for name, text in Writing(outputs, notation).lines())


def write_term(term: Term, notation: Notation = PAPER) -> str:
    """One composition on one line, whatever its length."""
    writing = Writing({}, notation)
    for one in walk([term]):
        writing.texts[id(one)] = writing.text(one)
    return writing.texts[id(term)]


class Writing:
    """Outputs being written."""

    def __init__(self, outputs: Mapping[str, Term], notation: Notation) -> None:
        self.outputs, self.notation = outputs, notation
        self.texts: dict[int, str] = {}
        self.names: dict[int, str] = {}
        self._serial = 0
        self._taken = {one.name for one in walk(outputs.values()) if isinstance(one, InputTerm)} | outputs.keys()

    def lines(self) -> Iterator[tuple[str, str]]:
        roots: list[Term] = []
        for name, term in self.outputs.items():
            cells = sorted(_cells(term), key=lambda cell: cell[1]) if term.shape else []
            for cell, coordinates in cells:
                if _is_computed(cell):
                    self.names.setdefault(id(cell), f"{name}[{','.join(map(str, coordinates))}]")
            roots += [*(cell for cell, _ in cells), term]
        uses = self._uses()
        for term in walk(roots):
            text = self.text(term)
            if id(term) in self.names or (_is_computed(term) and (uses[id(term)] > 1 or len(text) > LONGEST)):
                if id(term) not in self.names:
                    self.names[id(term)] = self._fresh()
                yield self.names[id(term)], text
                text = self.names[id(term)]
            self.texts[id(term)] = text
        for name, term in self.outputs.items():
            yield name, self.texts[id(term)]

    def _uses(self) -> dict[int, int]:
        uses: dict[int, int] = {}
        for term in self.outputs.values():
            uses[id(term)] = uses.get(id(term), 0) + 1
        for term in walk(self.outputs.values()):
            for child in term.children():
                uses[id(child)] = uses.get(id(child), 0) + 1
        return uses

    def _fresh(self) -> str:
        while True:
            self._serial += 1
            name = f"t{self._serial}"
            if name not in self._taken:
                return name

    def text(self, term: Term) -> str:
        """A term, given the texts of the terms inside it."""
        signs, inner = self.notation, self.texts
        match term:
            case ConstantTerm(value=value):
                return f"tol[{','.join(map(str, value.shape))}]" if value.shape else value_notation(value)
            case InputTerm(name=name):
                return name
            case FunctionTerm(function=function, arguments=arguments, constants=constants):
                items = [signs.signs.get(function, function), *(inner[id(one)] for one in arguments)]
                fixed = "".join(f"; {one}" if k == 0 else f", {one}" for k, one in enumerate(constants))
                return f"{signs.lambda_}({', '.join(items)}{fixed})"
            case NormTerm(subject=subject):
                return f"{signs.bar}{inner[id(subject)]}{signs.bar}"
            case NormPrime(subject=subject):
                return f"{signs.bar}{inner[id(subject)]}{signs.bar}{signs.prime}"
            case MemberTerm():
                return self._member(term)
            case MemberPrime(subject=subject, position=position):
                return f"{signs.member}{signs.prime}({inner[id(subject)]}; {position})"
            case JoinTerm(parts=parts):
                return f" {signs.join} ".join(self._operand(one) for one in parts)
            case JoinList(parts=parts):
                return f" {signs.join_list} ".join(self._operand(one) for one in parts)
            case EmbedTerm(subject=subject):
                return f"{signs.embed}({inner[id(subject)]})"
        raise TypeError(f"{type(term).__name__} is no term")

    def _member(self, term: MemberTerm) -> str:
        """`t[1,2]` of a name, `Π(…; 1,2)` of anything else, with the space where it is read in another."""
        coordinates = ",".join(str(one) if isinstance(one, int) else self.texts[id(one)] for one in term.coordinates)
        subject = self.texts[id(term.subject)]
        if not term.coordinates:
            text = f"{self.notation.member}({subject})"
        elif isinstance(term.subject, InputTerm) or id(term.subject) in self.names:
            text = f"{subject}[{coordinates}]"
        else:
            text = f"{self.notation.member}({subject}; {coordinates})"
        if term.spaces is None:
            return text
        spaces = ",".join(str(one.space) for one in term.spaces)
        return f"{text}{self.notation.within}{spaces if len(term.spaces) == 1 else f'[{spaces}]'}"

    def _operand(self, term: Term) -> str:
        text = self.texts[id(term)]
        return f"({text})" if isinstance(term, JoinTerm | JoinList) and id(term) not in self.names else text


def _is_computed(term: Term) -> bool:
    """Whether a term is worth a name: not a leaf, nor a member of one."""
    if isinstance(term, ConstantTerm | InputTerm):
        return False
    if isinstance(term, MemberTerm | MemberPrime | NormTerm | NormPrime):
        coordinates = term.coordinates if isinstance(term, MemberTerm) else ()
        return _is_computed(term.subject) or any(not isinstance(one, int) for one in coordinates)
    return True


def _cells(term: Term, before: int = 0, trail: tuple[int, ...] = ()) -> Iterator[tuple[Term, tuple[int, ...]]]:
    """The elements that joins and embeddings put together, with their coordinates.

    `before` is how many coordinates of the term's last dimension come before it in a join around it, `trail` the
    coordinates in the dimensions that embeddings around it appended.
    """
    match term:
        case JoinTerm(parts=parts):
            for part in parts:
                yield from _cells(part, before, trail)
                before += part.shape[-1] if part.shape else 1
        case EmbedTerm(subject=subject) if subject.shape:
            yield from _cells(subject, 0, (before + 1, *trail))
        case EmbedTerm(subject=subject):
            yield subject, (before + 1, *trail)
        case _ if not term.shape:
            yield term, (before + 1, *trail)
