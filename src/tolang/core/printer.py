"""The core as text that people read and `reader.py` reads back: one binding a line, what is inside indented.

    program (n, k)
    input a: R [n, k]
    let top.9: R [n] = map [i.1 <= n]
      reduce associative [j.2 <= k] s.3: R = -Inf -> max(s.3, a[i.1, j.2])
    output top: R [n] = top.9

Nothing but source positions and a program's tables of names is left out.  A type stands where the typing rules
(`rules.py`) do not give it: in every binding, and as `(expression: type)` elsewhere.  Dimensions and ends of ranges
are counted from 1 as in ToLang, `x[2]'` is a component, `size(n)` a size used as a numeric.  `if` decides by sizes,
`when` by data.  What stands behind `as` in a part or a condition is the expression as it was written, kept so that its
functions count.  A body that calls share is written once, before the rest, as a definition: the called definition's
name and a number; other calls are `inline`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
    Convert,
    Coordinate,
    Core,
    Derivative,
    Embed,
    Expr,
    If,
    Join,
    Let,
    Literal,
    Map,
    Measure,
    Output,
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
from tolang.core.notation import (
    show_columns,
    show_condition,
    show_constant,
    show_name,
    show_size,
    show_sizes,
    show_text,
    show_type,
)
from tolang.core.rules import identical, inferred_type, own_children, variable_types
from tolang.core.types import Type
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest

WIDTH = 96
Lines = list[str]
Types = dict[str, Type]
Instance = tuple[int, str, tuple[str, ...], tuple[str, ...]]


@room_to_nest()
def print_program(program: Core) -> str:
    """The whole program as text."""
    printer = Printer({i.name: i.type for i in program.inputs}, program.body)
    lines = [f"program ({', '.join(show_name(s) for s in program.sizes)})"]
    lines += [f"input {show_name(i.name)}: {show_type(i.type)}" for i in program.inputs]
    lines += printer.definitions()
    bindings, result = printer.bindings(program.body) if printer.is_inferred(program.body) else ([], program.body)
    lines += bindings
    if isinstance(result, Bundle) and len(result.parts) == len(program.outputs) and printer.is_inferred(result):
        for output, part in zip(program.outputs, result.parts, strict=True):
            lines += _attached(f"{_output(output)} = ", printer.typed(part), part)
    else:
        lines += _attached("body ", printer.typed(result), result)
        lines += [_output(output) for output in program.outputs]
    return "\n".join(lines) + "\n"


def _output(output: Output) -> str:
    group = f" of {output.group}" if output.group else ""
    return f"output {show_name(output.name)}{group}: {show_type(output.type)}"


@room_to_nest()
def print_expr(expr: Expr) -> str:
    """One expression as text.  Its free variables are taken to be bound to the types they have."""
    printer = Printer(variable_types(expr), expr)
    return "\n".join(printer.definitions() + printer.typed(expr))


def _shared_calls(expr: Expr, found: dict[Instance, Call]) -> None:
    """One call of every shared body, those that others use first."""
    pending = [expr]
    while pending:
        one = pending.pop()
        if isinstance(one, Call) and one.shared and _instance(one) not in found:
            _shared_calls(one.body, found)
            found[_instance(one)] = one
        pending.extend(reversed(own_children(one)))
        if isinstance(one, Call) and one.derivative is not None:
            pending.append(one.derivative.body)


def _instance(call: Call) -> Instance:
    """What makes two calls calls of one definition: the same body under the same names."""
    return id(call.body), call.definition, tuple(n for n, _ in call.sizes), tuple(n for n, _ in call.arguments)


def _indented(lines: Iterable[str]) -> Lines:
    return ["  " + line for line in lines]


def _attached(head: str, lines: Lines, expr: Expr) -> Lines:
    """An expression behind its head: on one line, or from there on, or indented below."""
    if len(lines) == 1 and len(head) + len(lines[0]) <= WIDTH:
        return [head + lines[0]]
    if len(lines) == 1 or len(head) + len(lines[0]) > WIDTH or isinstance(expr, Let | Require | If):
        return [head.rstrip(), *_indented(lines)]
    return [head + lines[0], *lines[1:]]


def _enclosed(opening: str, items: Sequence[Lines], closing: str) -> Lines:
    """Items in brackets with commas between them: on one line where they fit, else each on lines of its own."""
    if all(len(item) == 1 for item in items):
        flat = opening + ", ".join(item[0] for item in items) + closing
        if len(flat) <= WIDTH:
            return [flat]
    lines = [opening]
    for position, item in enumerate(items):
        comma = "," if position < len(items) - 1 else ""
        lines += _indented([*item[:-1], item[-1] + comma])
    return [*lines, closing]


class Printer:
    """Prints expressions.  `types` holds what the names around an expression are bound to."""

    def __init__(self, types: Types, expr: Expr) -> None:
        self.types = types
        self.shared: dict[Instance, Call] = {}
        _shared_calls(expr, self.shared)
        self.labels: dict[Instance, str] = {}
        counts: dict[str, int] = {}
        for instance, call in self.shared.items():
            counts[call.definition] = counts.get(call.definition, 0) + 1
            self.labels[instance] = f"{call.definition}.{counts[call.definition]}"

    def definitions(self) -> Lines:
        """The bodies that calls share, each before its first use."""
        lines: Lines = []
        for instance, call in self.shared.items():
            types = {n: a.type for n, a in call.arguments if a.type.is_numeric} | variable_types(call.body)
            own = {name: types[name] for name, _ in call.arguments if name in types}
            self.types.update(own)
            typed = {name: f": {show_type(kind)}" for name, kind in own.items()}
            parameters = [[show_name(name) + typed.get(name, "")] for name, _ in call.arguments]
            sizes = ", ".join(show_name(name) for name, _ in call.sizes)
            lines += _enclosed(f"define {show_name(self.labels[instance])} [{sizes}] (", parameters, ") =")
            lines += _indented(self.typed(call.body))
        return lines

    def is_inferred(self, expr: Expr, given: Type | None = None) -> bool:
        """Whether a reader finds the expression's type by itself, or by one given for what it ends."""
        found = self.types.get(expr.name) if isinstance(expr, Variable) else inferred_type(expr)
        found = found or given
        return found is not None and identical(found, expr.type)

    def typed(self, expr: Expr, given: Type | None = None) -> Lines:
        """The expression, with its type where the reader would not find it."""
        lines = self.untyped(expr, given)
        if self.is_inferred(expr, given):
            return lines
        if len(lines) == 1:
            return [f"({lines[0]}: {show_type(expr.type)})"]
        return ["(", *_indented(lines), f": {show_type(expr.type)})"]

    def untyped(self, expr: Expr, given: Type | None = None) -> Lines:
        match expr:
            case Let() | Require():
                bindings, result = self.bindings(expr)
                return bindings + self.typed(result, given)
            case Call(shared=True):
                head = (
                    f"call {show_name(self.labels[_instance(expr)])} [{show_sizes(tuple(s for _, s in expr.sizes))}] ("
                )
                return self._operands(head, [argument for _, argument in expr.arguments])
            case Call():
                return self._inline(expr, given)
            case Map(iterators=iterators, extents=extents, body=body):
                return self._headed(f"map [{_loops(iterators, extents)}]", body)
            case Reduce():
                return self._reduce(expr)
            case If():
                return self._if(expr)
            case Part() | Component():
                return self._postfix(expr)
        return self._plain(expr)

    def _plain(self, expr: Expr) -> Lines:
        """Expressions that are one word, or a word with operands in brackets."""
        match expr:
            case Literal(value=value):
                return [show_constant(value)]
            case Measure(size=size):
                return [f"size({show_size(size)})"]
            case Variable(name=name):
                return [show_name(name)]
            case Apply(function=function, arguments=arguments):
                return self._operands(f"{function}(", arguments)
            case Embed(parts=parts):
                return self._operands("list(", parts)
            case Bundle(parts=parts):
                return self._operands("bundle(", parts)
            case Join(parts=parts, axis=axis):
                return self._operands(f"join along {axis + 1} (", parts)
            case Tile(subject=subject):
                return self._operands("tile(", [subject])
            case Convert(subject=subject):
                return _enclosed("convert(", [self.typed(subject), [show_columns(expr.type.columns)]], ")")
            case Reshape(subject=subject):
                return _enclosed("reshape(", [self.typed(subject), [f"[{show_sizes(expr.type.shape)}]"]], ")")
            case Swap(subject=subject, axis=axis, order=order):
                return _enclosed("swap(", [self.typed(subject), [f"along {axis + 1}"], self.typed(order)], ")")
            case Random(limit=limit, site=site, coordinates=coordinates):
                return _enclosed(
                    "random(", [self.typed(limit), [f"site {site}"], [f"at [{show_sizes(coordinates)}]"]], ")"
                )
        raise TypeError(f"{type(expr).__name__} is no core expression")

    def _operands(self, opening: str, operands: Iterable[Expr]) -> Lines:
        return _enclosed(opening, [self.typed(o) for o in operands], ")")

    def _headed(self, head: str, body: Expr) -> Lines:
        """A head with its body behind it, or indented below it."""
        lines = self.typed(body)
        if len(lines) == 1 and len(head) + len(lines[0]) < WIDTH:
            return [f"{head} {lines[0]}"]
        return [head, *_indented(lines)]

    def bindings(self, expr: Expr) -> tuple[Lines, Expr]:
        """A run of bindings and requirements, walked without recursion, and the expression behind them.

        The names stay bound: they are unique on every path, so none of them means anything else afterwards.
        """
        lines: Lines = []
        while isinstance(expr, Let | Require) and (not lines or self.is_inferred(expr)):
            if isinstance(expr, Require):
                lines.append(f"require {show_condition(expr.condition)} else {show_text(expr.message)}")
            else:
                lines += self._let(expr)
            expr = expr.body
        return lines, expr

    def _let(self, expr: Let) -> Lines:
        value = expr.value
        types = value.type.parts if len(expr.names) > 1 else (value.type,)
        if len(types) == len(expr.names):
            names = ", ".join(f"{show_name(n)}: {show_type(t)}" for n, t in zip(expr.names, types, strict=True))
            lines = self.untyped(value, value.type)
            self.types.update(zip(expr.names, types, strict=True))
        else:
            names, lines = ", ".join(show_name(n) for n in expr.names), self.typed(value)
        return _attached(f"let {names}{_lengths(expr.lengths, expr.names)} = ", lines, value)

    def _inline(self, expr: Call, given: Type | None) -> Lines:
        bound = [[f"size {show_name(name)} = {show_size(size)}"] for name, size in expr.sizes]
        types = variable_types(expr.body) if expr.arguments else {}
        for name, argument in expr.arguments:
            self.types[name] = types.get(name, argument.type)
            head = f"{show_name(name)}: {show_type(self.types[name])} = "
            bound.append(_attached(head, self.typed(argument), argument))
        head = f"inline {show_name(expr.definition)}"
        lines = _enclosed(f"{head} [", bound, "]") if bound else [head]
        if expr.derivative is not None:
            lines += _indented(self._derivative(expr.derivative))
        return [*lines, *_indented(self.typed(expr.body, given))]

    def _derivative(self, own: Derivative) -> Lines:
        bound: list[Lines] = []
        for name, value in own.values:
            self.types[name] = value.type
            bound.append(_attached(f"{show_name(name)}: {show_type(value.type)} = ", self.typed(value), value))
        for name, kind in own.cotangents:
            self.types[name] = kind
            bound.append([f"{show_name(name)}: {show_type(kind)}"])
        self.types.update(variable_types(own.body))
        return [*_enclosed("derivative [", bound, "]"), *_indented(self.typed(own.body)), "of"]

    def _reduce(self, expr: Reduce) -> Lines:
        head = f"reduce{' associative' if expr.associative else ''} [{_loops(expr.iterators, expr.extents)}]"
        starts: list[Lines] = []
        for name, kind, initial in zip(expr.states, expr.state_types, expr.initials, strict=True):
            starts.append(_attached(f"{show_name(name)}: {show_type(kind)} = ", self.typed(initial), initial))
        self.types.update(zip(expr.states, expr.state_types, strict=True))
        lengths = _lengths(expr.lengths, expr.states)
        flat = f"{head} {', '.join(s[0] for s in starts)}{lengths} ->"
        if all(len(s) == 1 for s in starts) and len(flat) <= WIDTH:
            return self._headed(flat, expr.step)
        lines = [head]
        for position, start in enumerate(starts):
            ending = "," if position < len(starts) - 1 else f"{lengths} ->"
            lines += _indented([*start[:-1], start[-1] + ending])
        return [*lines, *_indented(self.typed(expr.step))]

    def _if(self, expr: If) -> Lines:
        then, otherwise = self.typed(expr.then), self.typed(expr.otherwise)
        written = [self.typed(w) for w in expr.written]
        if all(len(w) == 1 for w in written):
            shown = " & ".join(w[0] for w in written)
            head = f"when {shown}"
            if expr.guard is not None:
                head = f"if {show_condition(expr.guard)}{' as ' if shown else ''}{shown}"
            flat = f"{head} then {then[0]} else {otherwise[0]}"
            if len(then) == len(otherwise) == 1 and len(flat) <= WIDTH:
                return [flat]
            lines = [f"{head} then"]
        else:
            lines = [
                "when" if expr.guard is None else f"if {show_condition(expr.guard)} as",
                *_alternating(written),
                "then",
            ]
        return [*lines, *_indented(then), "else", *_indented(otherwise)]

    def _postfix(self, expr: Part | Component) -> Lines:
        subject = self.typed(expr.subject)
        named = isinstance(expr.subject, Variable | Part | Component) and self.is_inferred(expr.subject)
        if not named and self.is_inferred(expr.subject):
            subject = [f"({subject[0]})"] if len(subject) == 1 else ["(", *_indented(subject), ")"]
        if isinstance(expr, Component):
            return [*subject[:-1], f"{subject[-1]}[{expr.position}]'"]
        items = _enclosed(f"{subject[-1]}[", [self._item(i) for i in expr.items], "]")
        return [*subject[:-1], *items]

    def _item(self, item: Coordinate | Range) -> Lines:
        if isinstance(item, Coordinate):
            shown = show_size(item.index)
        else:
            shown = f"{show_size(item.start)}:{show_size(item.start + item.length - 1)}"
        if not item.written:
            return [shown]
        written = [self.typed(w) for w in item.written]
        flat = f"{shown} as {' & '.join(w[0] for w in written)}"
        if all(len(w) == 1 for w in written) and len(flat) <= WIDTH:
            return [flat]
        return [f"{shown} as", *_alternating(written)]


def _alternating(written: Sequence[Lines]) -> Lines:
    """Several expressions with `&` between them, indented."""
    lines: Lines = []
    for position, one in enumerate(written):
        lines += _indented(one if position == 0 else [f"& {one[0]}", *one[1:]])
    return lines


def _loops(iterators: tuple[str, ...], extents: tuple[Size, ...]) -> str:
    return ", ".join(f"{show_name(i)} <= {show_size(e)}" for i, e in zip(iterators, extents, strict=True))


def _lengths(lengths: tuple[tuple[str, int, int], ...], names: tuple[str, ...]) -> str:
    """The names of lengths that running tells: which part, by its name, and which dimension of it."""
    if not lengths:
        return ""
    shown = [f"{show_name(name)} is |{show_name(names[part])}|[{axis + 1}]" for name, part, axis in lengths]
    return f" ({', '.join(shown)})"
