"""The core as ToLang: source that a person reads, and that is checked to the same core again.

Definitions are gone, for their bodies stand where they are called; names get back the spelling they had, with a number
where two would be alike.  A draw of `rand` depends on where it is written, so its values are others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tolang.core.core import (
    Apply,
    Bundle,
    Component,
    Constant,
    Convert,
    Coordinate,
    Core,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Part,
    Random,
    Range,
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.declarations import declared_columns, declared_type
from tolang.core.gradient.names import NameSource, names_in
from tolang.core.gradient.normal import simplified, without_calls
from tolang.core.let_chain import unwound, wound
from tolang.core.notation import show_constant
from tolang.core.rules import block_shapes, literal_type
from tolang.core.tidy import free_names, own_names
from tolang.core.types import Type
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.functions import FUNCTIONS, REORDERABLE
from tolang.ground.values.spaces import NARROW_INTEGERS, Column, Space
from tolang.syntax.lexemes import KEYWORDS

FORMS = (
    "map",
    "reduce",
    "part",
    "swap",
    "reshape",
    "tile",
    "convert",
    "shape",
    "dim",
    "capacity",
    "vol",
    "iter",
    "gradient",
)
RESERVED = {*KEYWORDS, *FUNCTIONS, *FORMS}
LEVELS = {"or": 1, "xor": 1, "and": 2, "not": 3, "comparison": 4, "+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "neg": 7}
POWER, POSTFIX, ATOM = 8, 9, 10

Text = tuple[str, int]
"""An expression as text, and how tightly it binds."""


@room_to_nest()
def print_source(program: Core) -> str:
    """A program as ToLang."""
    names = NameSource([*names_in(program.body), *program.sizes])
    body = simplified(without_calls(program.body, names, derived=False), names)
    links, inside = unwound(body)
    assert isinstance(inside, Bundle)
    taken = [*program.sizes, *(one.name for one in program.inputs), *(one.name for one in program.outputs)]
    writer = _SourceWriter(taken, _lengths_alone(body))
    given = {one.name for one in program.inputs}
    given |= {name for link in links if isinstance(link, Let) and len(link.names) > 1 for name in link.names}
    own: dict[str, str] = {}
    for output, part in zip(program.outputs, inside.parts, strict=True):
        if isinstance(part, Variable) and part.name not in own and part.name not in given and not output.group:
            own[part.name] = output.name
    for one in program.inputs:
        writer.declare_spaces(one.type.columns)
    lines = [f"tol {one.name}: {_type(one.type)}" for one in program.inputs]
    told = {name for one in program.inputs for length in one.type.shape for name in length.names()}
    lines += [f"tol {writer.name('sizes')} = [{name}]" for name in program.sizes if name not in told]
    exported: dict[str, str] = {}
    for link in links:
        if isinstance(link, Let):
            text = writer.definition(link, own)
            if link.names[0] in own:
                exported[own[link.names[0]]] = text
            else:
                lines.append(text)
        else:
            lines += writer.requirements(link.condition)
    for output, part in zip(program.outputs, inside.parts, strict=True):
        lines.append(exported.get(output.name) or f"{output.name} := {writer.text(part)}")
    return "\n".join([*writer.spaces.values(), *writer.lists.values(), *lines]) + "\n"


def _lengths_alone(expr: Expr) -> set[str]:
    """Names that lengths are made of, and that are nowhere values by themselves."""
    lengths, values = set[str](), set[str]()
    waiting = [expr]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Variable):
            values.add(one.name)
        elif not isinstance(one, Part | If | Require | Random):
            lengths |= own_names(one)
        waiting.extend(one.children())
    return lengths - values


def _space(space: Space) -> str:
    if not space.bounded or space.name in NARROW_INTEGERS:
        return space.name or space.root
    ends = (str(end).replace("-", "m").replace(".", "_").replace("/", "_") for end in (space.lower, space.upper))
    return space.name or f"{space.root[0]}_{'_'.join(ends)}"


def _type(kind: Type) -> str:
    return declared_type(kind.columns, kind.shape, _space)


class _SourceWriter:
    """Writes expressions.  `spelt` holds how names are written, which for the parts of a bundle is no name.

    `broken` are the numerics with names that need not be whole, so that as a length they are another number: each time
    that they are written as one, it is a new length.  Those that are `lengths` alone are measured where they are named.
    """

    def __init__(self, taken: Iterable[str], lengths: set[str]) -> None:
        self.lengths = lengths
        self.spelt: dict[str, str] = {}
        self.broken: set[str] = set()
        self.taken = {*taken, *RESERVED}
        self.spaces: dict[str, str] = {}
        self.lists: dict[str, str] = {}
        """Declarations of the bounded spaces by their names, and of lists with names by what they hold."""
        self.list_names: dict[str, str] = {}

    def declare_spaces(self, columns: Iterable[Column]) -> None:
        """Sees to it that the bounded spaces of a list are declared."""
        for space in (column.space for column in columns):
            if space.bounded and space.name not in NARROW_INTEGERS:
                lower = "-Inf" if space.lower is None else str(space.lower)
                upper = "Inf" if space.upper is None else str(space.upper)
                self.spaces[_space(space)] = f"space {_space(space)}: {space.root} [{lower},{upper}]"

    def columns(self, columns: tuple[Column, ...]) -> str:
        """The list that something is converted to; one with names is declared, as it has no other way to be written."""
        self.declare_spaces(columns)
        listed = declared_columns(columns, _space)
        if ":" not in listed:
            return listed
        if listed not in self.list_names:
            self.list_names[listed] = self.name("components")
            self.lists[listed] = f"list {self.list_names[listed]}: [{listed}]"
        return self.list_names[listed]

    def name(self, name: str) -> str:
        """A spelling for a name that is bound here."""
        base = name.split(".")[0]
        found, number = base, 2
        while found in self.taken:
            found, number = f"{base}_{number}", number + 1
        self.taken.add(found)
        self.spelt[name] = found
        return found

    def definition(self, let: Let, own: Mapping[str, str]) -> str:
        """A definition of what a binding names; an output is exported under its own name."""
        text = self.text(let.value)
        if len(let.names) == 1 and let.value.type.column.space.family not in ("B", "Z"):
            if let.names[0] in self.lengths and let.value.type.is_numeric:
                text = f"|tol[{text}]|[1]"
            else:
                self.broken.add(let.names[0])
        if let.names[0] in own and len(let.names) == 1:
            self.spelt[let.names[0]] = own[let.names[0]]
            head, sign = own[let.names[0]], ":="
        else:
            head, sign = self._bound(let.names), "="
        self._lengths(let.lengths, let.names)
        return f"{head} {sign} {text}"

    def requirements(self, condition: Condition) -> list[str]:
        """Definitions that are refused where a condition does not hold: of two shapes that must be equal."""
        if condition.kind == "and":
            return [line for part in condition.parts for line in self.requirements(part)]
        if condition.kind == "zero" and condition.size is not None:
            left = Size({m: c for m, c in condition.size.terms.items() if c > 0})
            first, second = self.size(left), self.size(left - condition.size)
        else:
            first, second = f"if {self.condition(condition)} then 0 else 1", "0"
        return [f"{self.name('same')} = tol[{first}] == tol[{second}]"]

    def _bound(self, names: Sequence[str]) -> str:
        """Names for a value: one for all, of which the parts of a bundle are components."""
        whole = self.name(names[0])
        for position, name in enumerate(names, 1):
            self.spelt[name] = f"{whole}[{position}]'" if len(names) > 1 else whole
        return whole

    def _lengths(self, lengths: Sequence[tuple[str, int, int]], names: Sequence[str]) -> None:
        for name, part, axis in lengths:
            self.spelt[name] = f"|{self.spelt[names[part]]}|[{axis + 1}]"

    def size(self, size: Size) -> str:
        used = {name: Size.of(self.spelt[name]) for name in size.names() if name in self.spelt}
        return str(size.substitute(used))

    def sizes(self, sizes: Iterable[Size]) -> str:
        return ", ".join(self.size(s) for s in sizes)

    def condition(self, condition: Condition) -> str:
        used = {name: Size.of(self.spelt[name]) for name in condition.names() if name in self.spelt}
        return str(condition.substitute(used))

    def text(self, expr: Expr, level: int = 0) -> str:
        """An expression, in brackets where it binds less tightly than it must."""
        text, own = self._text(expr)
        return text if own >= level else f"({text})"

    def _text(self, expr: Expr) -> Text:
        match expr:
            case Variable(name=name):
                return self.spelt.get(name, name), ATOM
            case Measure(size=size):
                return self._measured(size)
            case Literal():
                return self._literal(expr)
            case Apply(function=function, arguments=arguments):
                return self._applied(function, arguments)
            case If():
                return self._choice(expr), 0
            case Let() | Require():
                return self._block(expr), ATOM
            case Map(iterators=iterators, extents=extents, body=body):
                return self._map(iterators, extents, body), POSTFIX
            case Reduce():
                return self._reduce(expr), POSTFIX
            case Part() | Component():
                return self._postfix(expr), POSTFIX
        return self._moved(expr), POSTFIX

    def _moved(self, expr: Expr) -> str:
        match expr:
            case Embed(parts=parts) | Bundle(parts=parts):
                return f"({', '.join(self.text(p) for p in parts)})"
            case Join(parts=parts, axis=axis):
                depth = len(block_shapes([p.type for p in parts], axis)[0]) - axis - 1
                return f"[{', '.join('[' * depth + self._leaf(p) + ']' * depth for p in parts)}]"
            case Convert(subject=subject):
                return f"convert({self.text(subject)}, [{self.columns(expr.type.columns)}])"
            case Reshape(subject=subject) if expr.type.rank:
                return f"reshape({self.text(subject)}, [{self.sizes(expr.type.shape)}])"
            case Reshape(subject=subject):
                return f"{self.text(subject, POSTFIX)}[{', '.join('1' for _ in subject.type.shape)}]"
            case Swap(subject=subject, axis=axis, order=order):
                return f"swap({self.text(subject)}, {subject.type.rank - axis}, {self.text(order)})"
            case Tile(subject=subject):
                return f"tile({self.text(subject)})"
            case Random(limit=limit):
                return f"rand({self.text(limit)})"
        raise TypeError(f"{type(expr).__name__} is not written as ToLang")

    def _leaf(self, expr: Expr) -> str:
        """A part of a block: blocks inside it are not of this one."""
        text = self.text(expr)
        return f"({text})" if text.startswith("[") else text

    def _measured(self, size: Size) -> Text:
        """A size as a numeric: arithmetic would count, so what is no name of a whole number is a volume."""
        if (size.name is not None and size.name not in self.broken) or (
            isinstance(size.constant, int) and size.constant >= 0
        ):
            return self.size(size), ATOM
        monomial, factor = next(iter(size.terms.items()))
        lengths = [Size.atom(atom) for atom in monomial] if len(size.terms) == 1 and factor == 1 else [size]
        return f"vol(tol[{self.sizes(lengths)}])", POSTFIX

    def _literal(self, expr: Literal) -> Text:
        if expr.type.blank:
            return f"tol[{self.sizes(expr.type.shape)}]", POSTFIX
        numbers = [self._constant(expr.value) for _ in expr.type.columns]
        text = numbers[0] if len(numbers) == 1 else f"({', '.join(numbers)})"
        if expr.type.columns != literal_type(expr.value).columns * expr.type.capacity:
            text = f"convert({text}, [{self.columns(expr.type.columns)}])"
        if expr.type.shape:
            return f"map(tol[{self.sizes(expr.type.shape)}], {text})", POSTFIX
        return text, LEVELS["neg"] if text.startswith("-") else ATOM

    def _constant(self, value: Constant) -> str:
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        return show_constant(value)

    def _applied(self, function: str, arguments: tuple[Expr, ...]) -> Text:
        row = FUNCTIONS[function]
        if function in ("neg", "not"):
            level = LEVELS[function]
            return f"{'-' if function == 'neg' else 'not '}{self.text(arguments[0], level)}", level
        if row.sign is None or len(arguments) != 2:
            return f"{function}({', '.join(self.text(a) for a in arguments)})", POSTFIX
        if function == "pow":
            return f"{self.text(arguments[0], POSTFIX)}^{self.text(arguments[1], POWER)}", POWER
        level = LEVELS["comparison"] if row.kind == "comparison" else LEVELS[row.sign]
        after = level if function in ("add", "mul", "and", "or") else level + 1
        after = level + 1 if row.kind != "logic" else after
        left = self.text(arguments[0], level + 1 if row.kind == "comparison" else level)
        return f"{left} {row.sign} {self.text(arguments[1], after)}", level

    def _choice(self, expr: If) -> str:
        if expr.guard is not None and len(expr.written) != 1:
            condition = self.condition(expr.guard)
        else:
            condition = self.text(expr.written[0])
        return f"if {condition} then {self.text(expr.then, 1)} else {self.text(expr.otherwise)}"

    def _block(self, expr: Expr) -> str:
        steps: list[str] = []
        while isinstance(expr, Let | Require):
            if isinstance(expr, Let):
                steps.append(self.definition(expr, {}))
            expr = expr.body
        return f"{{ {'; '.join([*steps, self.text(expr)])} }}" if steps else self.text(expr, ATOM)

    def _map(self, iterators: Sequence[str], extents: Sequence[Size], body: Expr) -> str:
        lengths = self.sizes(extents)
        own = [self.name(i) for i in iterators]
        used = free_names(body) & set(iterators)
        named = f", {own[0] if len(own) == 1 else '[' + ', '.join(own) + ']'}" if used else ""
        return f"map(tol[{lengths}], {self.text(body)}{named})"

    def _reduce(self, expr: Reduce) -> str:
        starts = ", ".join(self.text(i) for i in expr.initials)
        start = f"({starts})" if len(expr.initials) > 1 else starts
        links, inside = unwound(expr.step)
        match inside:
            case Apply(function=function, arguments=(Variable(name=name), term)):
                term = wound(links, term)
                own = expr.associative and name == expr.states[0] and name not in free_names(term)
                if own and function in REORDERABLE and len(expr.states) == 1 and expr.state_types[0].is_numeric:
                    return f"reduce({self._map(expr.iterators, expr.extents, term)}, {function}, {start})"
        lengths = self.sizes(expr.extents)
        iterators = [self.name(i) for i in expr.iterators]
        state = self._bound(expr.states)
        self._lengths(expr.lengths, expr.states)
        element = self.name("e")
        named = iterators[0] if len(iterators) == 1 else f"[{', '.join(iterators)}]"
        return f"reduce(tol[{lengths}], ({state}, {element}) -> {self.text(expr.step)}, {start}, {named})"

    def _postfix(self, expr: Part | Component) -> str:
        subject = self.text(expr.subject, POSTFIX)
        if isinstance(expr, Component):
            return f"{subject}[{expr.position}]'"
        if isinstance(expr.subject, Reduce | Map | Convert | Reshape | Random):
            subject = f"({subject})"
        lengths = expr.subject.type.shape
        return f"{subject}[{', '.join(self._item(i, n) for i, n in zip(expr.items, lengths, strict=True))}]"

    def _item(self, item: Coordinate | Range, length: Size) -> str:
        if isinstance(item, Coordinate):
            return self.size(item.index)
        last = item.start + item.length - 1
        first = "" if item.start == ONE else self.size(item.start)
        return f"{first}:{'' if last == length else self.size(last)}"
