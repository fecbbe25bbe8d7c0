"""Names in a text: what each occurrence of one stands for, which others stand for the same, and what is in sight."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from weakref import WeakKeyDictionary

from tolang.editor.pieces import StatementText, TextPiece, TextPieces, is_name
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Span
from tolang.syntax import tree
from tolang.syntax.traversal import children

Scope = Mapping[str, "Local"]


@dataclass(frozen=True, slots=True, eq=False)
class Local:
    """A name that a statement binds for a part of itself; its place is counted in the statement's text."""

    name: str
    kind: str
    start: int
    definition: tree.Definition | None = None


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """A name at a place of a statement; what binds it there, or None where that is outside the statement."""

    name: str
    start: int
    local: Local | None = None
    defines: bool = False
    keyword_of: str | None = None
    """The function called, where this is the keyword of an argument."""
    after: str | None = None
    """The name before it and a dot: that of a module, or of a function that is applied first."""

    @property
    def end(self) -> int:
        return self.start + len(self.name)


_found: WeakKeyDictionary[StatementText, list[NameOccurrence]] = WeakKeyDictionary()


def occurrences(written: StatementText) -> list[NameOccurrence]:
    """All names of a statement, in order; of one that cannot be parsed, its words, as what is outside."""
    if written not in _found:
        statement = written.statement
        if statement is None:
            made = [NameOccurrence(one.text, one.span.start) for one in written.lexemes if one.kind == "NAME"]
        else:
            made = list(_SymbolWalk(written).of_statement(statement))
        _found[written] = sorted(made, key=lambda one: one.start)
    return _found[written]


def mentions(written: StatementText) -> frozenset[str]:
    """The names in a statement that stand for something outside it, and its own, unless it only declares that."""
    return _names_of(written)[0]


def offers(written: StatementText) -> frozenset[str]:
    """The names that others may have from a statement: those it defines, and those of sizes in a declared shape."""
    return _names_of(written)[1]


_outside: WeakKeyDictionary[StatementText, tuple[frozenset[str], frozenset[str]]] = WeakKeyDictionary()


def _names_of(written: StatementText) -> tuple[frozenset[str], frozenset[str]]:
    if written not in _outside:
        found = {one.name for one in occurrences(written) if one.local is None and one.keyword_of is None}
        declares = isinstance(written.statement, tree.TolDeclaration | tree.TolShape)
        own = found - written.defines if declares else found | written.defines
        _outside[written] = frozenset(own), written.defines | _sizes_in(written.statement)
    return _outside[written]


def _sizes_in(statement: tree.Statement | None) -> frozenset[str]:
    """The names in a declared shape that may be sizes: not those of functions, and of ToLs under bars."""
    if not isinstance(statement, tree.TolDeclaration | tree.TolShape):
        return frozenset()
    shape = statement.shape
    waiting: list[tree.Node] = [shape] if isinstance(shape, tree.Node) else list(shape)
    found: set[str] = set()
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.NameExpression):
            found.add(node.id)
        elif isinstance(node, tree.CallExpression):
            waiting.extend(one.value for one in node.arguments)
        elif not isinstance(node, tree.NormExpression | tree.IndexExpression | tree.ComponentExpression):
            waiting.extend(children(node))
    return frozenset(found)


class _SymbolWalk:
    """One walk over a statement's tree, with the names bound around each node."""

    def __init__(self, written: StatementText) -> None:
        self.written = written
        self.text = written.source.text

    def of_statement(self, statement: tree.Statement) -> Iterator[NameOccurrence]:
        match statement:
            case tree.Definition():
                name = statement.derived or statement.id
                if is_name(name):
                    yield NameOccurrence(name, statement.id_span.start, defines=statement.derived is None)
                for part in self.written.parts:
                    yield NameOccurrence(part.id, part.id_span.start, defines=True)
                yield from self._function(statement.parameters or (), statement.body, {}, statement)
            case tree.Use():
                return
            case _:
                name = str(getattr(statement, "id", ""))
                place = next((one for one in self.written.lexemes if one.text == name and one.kind == "NAME"), None)
                if place is not None:
                    yield NameOccurrence(name, place.span.start, defines=True)
                for child in children(statement):
                    yield from self._node(child, {})

    def _function(
        self, parameters: tuple[tree.Parameter, ...], body: tree.Expression, scope: Scope, of: tree.Definition | None
    ) -> Iterator[NameOccurrence]:
        inner = dict(scope)
        for one in parameters:
            for name, start in _bound_by(one):
                inner[name] = Local(name, "parameter", start, of)
                yield NameOccurrence(name, start, inner[name], defines=True)
            if one.default is not None:
                yield from self._node(one.default, inner)
        yield from self._node(body, inner)

    def _node(self, node: tree.Node, scope: Scope) -> Iterator[NameOccurrence]:
        match node:
            case tree.NameExpression(id=name) | tree.SpaceName(id=name):
                yield NameOccurrence(name, node.span.start, scope.get(name))
            case tree.StarName(id=name):
                yield NameOccurrence(name, node.span.end - len(name), scope.get(name))
            case tree.LambdaExpression(parameters=parameters, body=body):
                yield from self._function(parameters, body, scope, None)
            case tree.BlockExpression(definitions=definitions, result=result):
                yield from self._block(definitions, result, scope)
            case tree.Compose(functions=functions):
                before: str | None = None
                for one in functions:
                    if isinstance(one, tree.NameExpression):
                        yield NameOccurrence(one.id, one.span.start, scope.get(one.id), after=before)
                    else:
                        yield from self._node(one, scope)
                    before = one.id if isinstance(one, tree.NameExpression) else None
            case tree.Unpacked():
                return
            case tree.ComponentExpression(subject=subject):
                yield from self._node(subject, scope)
            case tree.CallExpression(function=tree.NameExpression(id=name) as function, arguments=arguments):
                yield from self._node(function, scope)
                yield from self._arguments(name, arguments, scope)
            case _:
                for child in children(node):
                    yield from self._node(child, scope)

    def _block(
        self, definitions: tuple[tree.Definition, ...], result: tree.Expression, scope: Scope
    ) -> Iterator[NameOccurrence]:
        inner = dict(scope)
        for one in definitions:
            inner[one.id] = Local(one.id, "definition", one.id_span.start, one)
        for one in definitions:
            if is_name(one.id):
                yield NameOccurrence(one.id, one.id_span.start, inner[one.id], defines=True)
            yield from self._function(one.parameters or (), one.body, inner, one)
        yield from self._node(result, inner)

    def _arguments(self, name: str, arguments: tuple[tree.CallArgument, ...], scope: Scope) -> Iterator[NameOccurrence]:
        place = {"map": 2, "reduce": 3}.get(name)
        inner, named = dict(scope), None
        if place is not None and name not in scope and len(arguments) > place:
            named = arguments[place]
            items = named.value.items if isinstance(named.value, tree.Blocks) else (named.value,)
            for item in items:
                if isinstance(item, tree.NameExpression | tree.StarName):
                    start = item.span.end - len(item.id)
                    inner[item.id] = Local(item.id, "iterator", start)
                    yield NameOccurrence(item.id, start, inner[item.id], defines=True)
        for one in arguments:
            if one is named:
                continue
            if one.keyword is not None and name not in scope:
                yield NameOccurrence(one.keyword, one.span.start, keyword_of=name)
            yield from self._node(one.value, inner)


def _bound_by(parameter: tree.Parameter) -> Iterator[tuple[str, int]]:
    """The names that a parameter binds, and where."""
    for leaf in parameter.leaves:
        if leaf.id != "_":
            yield leaf.id, leaf.span.start


def aliases(pieces: TextPieces) -> frozenset[str]:
    """The names under which a text uses modules."""
    uses = (one.written.statement for one in pieces.pieces)
    return frozenset(one.alias for one in uses if isinstance(one, tree.Use) and one.alias is not None)


@dataclass(frozen=True, slots=True)
class Symbol:
    """What a name at a place stands for: something bound inside a statement, or a name of the whole text."""

    name: str
    piece: TextPiece
    occurrence: NameOccurrence
    module: str | None = None
    """The name of the module that it is of, as in `h.f`."""

    @property
    def local(self) -> Local | None:
        return self.occurrence.local


def symbol_at(pieces: TextPieces, offset: int) -> Symbol | None:
    """The symbol at an offset, or right before it."""
    piece = pieces.piece_at(offset)
    if piece is None:
        return None
    inside = offset - piece.start
    touched = (one for one in occurrences(piece.written) if one.start <= inside <= one.end)
    found = next(touched, None)
    if found is None:
        return None
    module = found.after if found.after in aliases(pieces) else None
    return Symbol(found.name, piece, found if module is None else replace(found, local=None), module)


def parameter_of(pieces: TextPieces, symbol: Symbol) -> tuple[TextPiece, Local] | None:
    """The parameter that the keyword of an argument names, of a function of the text itself."""
    for piece in pieces.pieces:
        for one in occurrences(piece.written):
            definition = piece.written.statement
            if (
                isinstance(definition, tree.Definition)
                and definition.id == symbol.occurrence.keyword_of
                and one.local is not None
                and one.defines
                and one.local.definition is definition
                and one.name == symbol.name
            ):
                return piece, one.local
    return None


def definition_of(pieces: TextPieces, symbol: Symbol) -> int | None:
    """Where the text itself defines a symbol; a size is where its name first stands in a declared shape."""
    if symbol.occurrence.keyword_of is not None:
        found = parameter_of(pieces, symbol)
        return None if found is None else found[0].start + found[1].start
    if symbol.module is not None:
        return None
    if symbol.local is not None:
        return symbol.piece.start + symbol.local.start
    first_size: int | None = None
    declared: int | None = None
    for piece in pieces.pieces:
        statement = piece.written.statement
        for one in occurrences(piece.written):
            if one.name != symbol.name or one.local is not None or one.keyword_of is not None:
                continue
            if one.defines and isinstance(statement, tree.Definition):
                return piece.start + one.start
            if one.defines and declared is None:
                declared = piece.start + one.start
            if isinstance(statement, tree.TolDeclaration | tree.TolShape) and first_size is None:
                first_size = piece.start + one.start
    return declared if declared is not None else first_size


def references(pieces: TextPieces, symbol: Symbol) -> list[int]:
    """Where the text has a symbol, its definition among them, in order."""
    if symbol.occurrence.keyword_of is not None:
        found = parameter_of(pieces, symbol)
        if found is None:
            return []
        return _of_parameter(pieces, *found)
    local = symbol.local
    if local is None:
        modules = aliases(pieces)
        return [
            piece.start + one.start
            for piece in pieces.pieces
            for one in occurrences(piece.written)
            if one.name == symbol.name and one.keyword_of is None
            if (one.after if one.after in modules else None) == symbol.module
            if one.local is None or symbol.module is not None
        ]
    if local.kind == "parameter" and local.definition is symbol.piece.written.statement:
        return _of_parameter(pieces, symbol.piece, local)
    own = occurrences(symbol.piece.written)
    return [symbol.piece.start + one.start for one in own if one.local is local]


def _of_parameter(pieces: TextPieces, piece: TextPiece, local: Local) -> list[int]:
    """Where a parameter of a function stands: in it, and as a keyword in its calls."""
    own = [piece.start + one.start for one in occurrences(piece.written) if one.local is local]
    function = local.definition.id if local.definition is not None else None
    calls = [
        other.start + one.start
        for other in pieces.pieces
        for one in occurrences(other.written)
        if one.keyword_of == function and one.name == local.name
    ]
    return sorted({*own, *calls})


def in_sight(pieces: TextPieces, offset: int) -> dict[str, str]:
    """Names of the text that may stand at an offset, with what they are."""
    found: dict[str, str] = {}
    for piece in pieces.pieces:
        here = piece.start <= offset <= piece.end
        for one in occurrences(piece.written):
            if one.local is None and one.defines:
                found.setdefault(one.name, _kind(piece.written))
            elif one.local is None and isinstance(piece.written.statement, tree.TolDeclaration):
                found.setdefault(one.name, "size")
            elif here and one.local is not None and one.defines:
                found[one.name] = one.local.kind
    return found


def _kind(written: StatementText) -> str:
    match written.statement:
        case tree.Definition(parameters=None):
            return "value"
        case tree.Definition():
            return "function"
        case tree.TolDeclaration() | tree.TolShape():
            return "input"
        case tree.SpaceDeclaration() | tree.ListDeclaration():
            return "type"
    return "value"


def span_of(symbol: Symbol) -> Span:
    """The place of the occurrence in its statement."""
    return Span(symbol.piece.written.source, symbol.occurrence.start, symbol.occurrence.end)
