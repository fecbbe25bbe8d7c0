"""A checked program as levels of nodes: the program itself, then each definition of its own that it calls.

A name used inside a map, a fold or an inlined definition but bound outside it is drawn there as a small read, and an
arrow leads to the frame around.  Calls of the library are one node each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from tolang.core.core import (
    Apply,
    Bundle,
    Call,
    Component,
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
from tolang.core.rules import variable_types
from tolang.core.types import Type
from tolang.faces.drawing.graph import Graph, GraphNode, Look, Subgraph
from tolang.faces.drawing.texts import LONGEST, LONGEST_TITLE, Texts, base, cut, type_text
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest
from tolang.readings.cost.parts import mentioned


@room_to_nest()
def levels_of(program: Core, name: str) -> list[Subgraph]:
    """The program and the definitions of its own that it calls, each body drawn once."""
    drawing = _Drawing(program)
    levels = [Subgraph(name, drawing.program(program))]
    seen: set[int] = set()
    while drawing.waiting:
        call = drawing.waiting.pop(0)
        if id(call.body) not in seen:
            seen.add(id(call.body))
            title = f"{base(call.definition)}({', '.join(base(key) for key, _ in call.arguments)})"
            levels.append(Subgraph(title, drawing.definition(call)))
    return levels


@dataclass(slots=True)
class _Scope:
    """A graph being made: which node holds each name of it, and what it reads from outside, by the text of the read."""

    graph: Graph = field(default_factory=Graph)
    known: dict[str, int] = field(default_factory=dict)
    reads: dict[str, int] = field(default_factory=dict)
    outside: dict[str, None] = field(default_factory=dict)

    def add(self, look: Look, *lines: str, hint: str = "", inside: Graph | None = None) -> int:
        shown = tuple(cut(line, LONGEST if inside is None else LONGEST_TITLE) for line in lines)
        whole = hint or ("\n".join(lines) if shown != lines else "")
        return self.graph.add(GraphNode(look, shown, whole, inside))

    def read(self, name: str, text: str, kind: Type) -> int:
        """A read of what is bound outside, one node for all that read alike."""
        self.outside[name] = None
        if text not in self.reads:
            self.reads[text] = self.add(Look.read, text, hint=f"{text}: {type_text(kind)}")
        return self.reads[text]


class _Drawing:
    """Makes the levels of one program."""

    def __init__(self, program: Core) -> None:
        self.definitions = program.definitions
        self.texts = Texts([*program.sizes, *(one.name for one in program.inputs), *program.definitions.values()])
        self.waiting: list[Call] = []

    def program(self, program: Core) -> Graph:
        scope = _Scope()
        for one in program.inputs:
            scope.known[one.name] = scope.add(Look.tol, one.name, type_text(one.type))
        result = self._bindings(program.body, scope)
        values = result.parts if isinstance(result, Bundle) else (result,)
        for output, value in zip(program.outputs, values, strict=False):
            place = self.node(value, scope)
            node = scope.graph.nodes[place]
            if node.look is Look.tol and node.lines[0] == output.name:
                node.look = Look.output
            else:
                goal = scope.add(Look.output, output.name, type_text(output.type))
                scope.graph.connect(place, goal)
        return _without_idle(scope.graph)

    def definition(self, call: Call) -> Graph:
        scope = _Scope()
        types = {name: one.type for name, one in call.arguments} | variable_types(call.body)
        for name, _ in call.arguments:
            scope.known[name] = scope.add(Look.tol, base(name), type_text(types[name]))
        place = self.node(call.body, scope)
        if scope.graph.nodes[place].look is not Look.tol:
            scope.graph.connect(place, scope.add(Look.output, "result", type_text(call.body.type)))
        return _without_idle(scope.graph)

    def _bindings(self, expr: Expr, scope: _Scope) -> Expr:
        """Draws a run of bindings, and gives what it ends in; a ToL without a name is a box if frames read it."""
        links: list[Let] = []
        while isinstance(expr, Let | Require):
            links += [expr] if isinstance(expr, Let) else []
            expr = expr.body
        framed = _names_in_frames([*(let.value for let in links), expr]) if links else set()
        for let in links:
            place = self.node(let.value, scope)
            first = let.names[0]
            is_named = first in self.definitions
            if (is_named or first in framed) and scope.graph.nodes[place].look is not Look.tol:
                name = base(first) if is_named else self.texts.open(first)
                made = scope.add(Look.tol, name, type_text(let.value.type, self.texts))
                scope.graph.connect(place, made)
                place = made
            scope.known.update(dict.fromkeys(let.names, place))
        return expr

    def node(self, expr: Expr, scope: _Scope) -> int:
        """The node that gives an expression's value."""
        expr = self._bindings(expr, scope)
        match expr:
            case Variable(name=name):
                return scope.known[name] if name in scope.known else scope.read(name, self.texts.name(name), expr.type)
            case Literal():
                return scope.add(Look.constant, self.texts.literal(expr))
            case Measure(size=size):
                return scope.add(Look.constant, self.texts.size(size))
            case Part():
                return self._part(expr, scope)
            case Apply(function=function, arguments=arguments):
                return self._function(function, arguments, scope)
            case Random(limit=limit):
                return self._function("rand", (limit,), scope)
            case Map(iterators=iterators, extents=extents, body=body):
                with self._loops(iterators):
                    title = f"map {self.texts.loops(iterators, extents)}"
                    return self._frame(Look.frame, title, body, scope, expr.type)
            case Reduce():
                return self._reduce(expr, scope)
            case If():
                return self._if(expr, scope)
            case Call():
                return self._call(expr, scope)
        return self._primitive(expr, scope)

    def _primitive(self, expr: Expr, scope: _Scope) -> int:
        match expr:
            case Component(subject=subject, position=position):
                return self._from(f"part' {position}", [subject], scope)
            case Convert(subject=subject):
                return self._from(f"convert {type_text(expr.type.element())}", [subject], scope)
            case Swap(subject=subject, order=order, axis=axis):
                return self._from(f"swap axis {axis + 1}", [subject, order], scope)
            case Reshape(subject=subject):
                return self._from(f"reshape [{self.texts.shape(expr.type)}]", [subject], scope)
            case Tile(subject=subject):
                return self._from("tile", [subject], scope)
            case Join(parts=parts, axis=axis):
                return self._from(f"join axis {axis + 1}", list(parts), scope)
            case Embed(parts=parts) | Bundle(parts=parts):
                return self._from("list (…)", list(parts), scope)
        raise TypeError(f"{type(expr).__name__} is not a core expression")

    def _from(self, label: str, operands: list[Expr], scope: _Scope, look: Look = Look.primitive) -> int:
        places = [self.node(one, scope) for one in operands]
        made = scope.add(look, label)
        for place in places:
            scope.graph.connect(place, made)
        return made

    def _function(self, function: str, arguments: tuple[Expr, ...], scope: _Scope) -> int:
        """A function; its constants stand in its label, `pow(*, 2)`."""
        texts = [self.texts.constant(one) for one in arguments]
        label = function if not any(texts) else f"{function}({', '.join(text or '*' for text in texts)})"
        if all(texts):
            return scope.add(Look.constant, label)
        operands = [one for one, text in zip(arguments, texts, strict=True) if not text]
        return self._from(label, operands, scope, Look.function)

    def _part(self, expr: Part, scope: _Scope) -> int:
        items = self.texts.items(expr.items, expr.subject.type.shape)
        written = [one for item in expr.items for one in item.written if _reads_data(one)]
        subject = expr.subject
        if isinstance(subject, Variable) and subject.name not in scope.known:
            place = scope.read(subject.name, f"{self.texts.name(subject.name)}[{items}]", expr.type)
        else:
            place = self._from(f"part [{items}]", [subject], scope)
        for one in written:
            scope.graph.connect(self.node(one, scope), place, "at")
        return place

    def _reduce(self, expr: Reduce, scope: _Scope) -> int:
        """A fold: one node where it folds the elements of a named ToL by a function, else a frame around its step."""
        start = ", ".join(self.texts.constant(one) or "…" for one in expr.initials)
        folded = _folded(expr)
        if folded is not None:
            place = self._from(f"reduce {folded[0]} from {start}", [folded[1]], scope)
        else:
            with self._loops((*expr.iterators, *expr.states)):
                title = f"reduce {self.texts.loops(expr.iterators, expr.extents)}"
                place = self._frame(Look.frame, title, expr.step, scope, expr.type, expr)
        for one in expr.initials:
            if self.texts.constant(one) is None:
                scope.graph.connect(self.node(one, scope), place, "from")
        return place

    def _frame(
        self, look: Look, title: str, body: Expr, scope: _Scope, kind: Type, fold: Reduce | None = None,
        arguments: Mapping[str, int] | None = None,
    ) -> int:  # fmt: skip
        """A node that holds a graph: an arrow for what that reads from here; what it reads from further out is read."""
        inner = _Scope()
        if fold is not None:
            for name, one, start in zip(fold.states, fold.state_types, fold.initials, strict=True):
                text = self.texts.constant(start)
                lines = (self.texts.name(name), type_text(one, self.texts), "state" + (f" from {text}" if text else ""))
                inner.known[name] = inner.add(Look.tol, *lines)
        self.node(body, inner)
        made = scope.add(look, title, hint=f"{title}: {type_text(kind)}", inside=inner.graph)
        given = arguments or {}
        for name in inner.outside:
            if name in given or name in scope.known:
                scope.graph.connect(given[name] if name in given else scope.known[name], made)
            else:
                scope.outside[name] = None
        return made

    def _if(self, expr: If, scope: _Scope) -> int:
        condition = "" if expr.guard is None else self.texts.condition(expr.guard)
        conditions = [self.node(one, scope) for one in expr.written] if expr.guard is None else []
        branches = [(self.node(one, scope), label) for one, label in ((expr.then, "then"), (expr.otherwise, "else"))]
        made = scope.add(Look.primitive, f"if {condition}" if condition else "if")
        for place in conditions:
            scope.graph.connect(place, made, "if")
        for place, label in branches:
            scope.graph.connect(place, made, label)
        return made

    def _call(self, call: Call, scope: _Scope) -> int:
        span = call.body.span
        is_library = span is not None and span.source.library
        if not call.shared and not is_library:
            given = {name: self.node(one, scope) for name, one in call.arguments}
            names = ", ".join(base(name) for name in given)
            title = f"{base(call.definition)}({names})" if given else base(call.definition)
            return self._frame(Look.group, title, call.body, scope, call.type, arguments=given)
        places = [self.node(one, scope) for _, one in call.arguments]
        if not call.shared:
            places += self._names_inside(call.body, scope)
        made = scope.add(Look.call, base(call.definition), type_text(call.type))
        for place in places:
            scope.graph.connect(place, made)
        if not is_library:
            self.waiting.append(call)
        return made

    def _names_inside(self, body: Expr, scope: _Scope) -> list[int]:
        """The nodes of the ToLs that an inlined definition of the library reads around itself."""
        inner = _Scope()
        waiting, self.waiting = self.waiting, []
        self.node(body, inner)
        self.waiting = waiting
        types = variable_types(body)
        found = []
        for name in inner.outside:
            is_here = name in scope.known
            found.append(scope.known[name] if is_here else scope.read(name, self.texts.name(name), types[name]))
        return found

    @contextmanager
    def _loops(self, names: tuple[str, ...]) -> Iterator[None]:
        """Names for iterators and states, each its own while what they loop over is drawn."""
        for name in names:
            self.texts.open(name)
        yield
        for name in names:
            self.texts.close(name)


def _names_in_frames(parts: list[Expr]) -> set[str]:
    """The names that are read inside a map, a fold or an inlined definition, and so drawn there as reads."""
    found: set[str] = set()
    pending = list(parts)
    while pending:
        expr = pending.pop()
        if isinstance(expr, Map | Reduce) or (isinstance(expr, Call) and not expr.shared):
            found |= _folded_only(expr) if isinstance(expr, Reduce) else mentioned(expr)
        elif isinstance(expr, Call):
            pending.extend(one for _, one in expr.arguments)
        else:
            pending.extend(expr.children())
    return found


def _folded_only(fold: Reduce) -> set[str]:
    """The names read inside a fold's frame: none where it is drawn as one node."""
    return set() if _folded(fold) is not None else mentioned(fold)


def _folded(fold: Reduce) -> tuple[str, Expr] | None:
    """The function and the ToL of a fold that is nothing but a function over all elements of a ToL."""
    match fold.step:
        case Apply(function=function, arguments=(Variable(name=state), Part(subject=subject, items=items))):
            if state in fold.states and _is_whole(items, fold.iterators):
                return function, subject
    return None


def _without_idle(graph: Graph) -> Graph:
    """The graph without inputs that nothing reads: numerics used as lengths only."""
    used = {place for edge in graph.edges for place in (edge.source, edge.goal)}
    kept = [place for place, node in enumerate(graph.nodes) if place in used or node.look is not Look.tol]
    if not kept or len(kept) == len(graph.nodes):
        return graph
    moved = {place: new for new, place in enumerate(kept)}
    edges = [type(edge)(moved[edge.source], moved[edge.goal], edge.label) for edge in graph.edges]
    return Graph([graph.nodes[place] for place in kept], edges)


def _reads_data(expr: Expr) -> bool:
    """Whether a coordinate depends on elements of a ToL, so that its text alone does not tell it."""
    return isinstance(expr, Part | Reduce | Call) or any(_reads_data(one) for one in expr.children())


def _is_whole(items: tuple[Coordinate | Range, ...], iterators: tuple[str, ...]) -> bool:
    indices = [item.index for item in items if isinstance(item, Coordinate)]
    return len(indices) == len(items) and indices == [Size.of(name) for name in iterators]
