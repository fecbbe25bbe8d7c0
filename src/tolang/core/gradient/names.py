"""Names that a program does not use yet, and copies of expressions whose binders have such names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from tolang.core.core import Call, Coordinate, Derivative, Expr, Let, Map, Range, Reduce, Variable
from tolang.ground.dataclasses import fields, replace
from tolang.ground.symbolic.conditions import Condition
from tolang.ground.symbolic.sizes import Size


class NameSource:
    """A source of names.

    `origin` tells for a name which definition it was bound in, `first` of which name it is a copy.
    """

    def __init__(self, used: Iterable[str] = ()) -> None:
        self._next = 1 + max((_number(name) for name in used), default=0)
        self.origin: dict[str, str] = {}
        self.first: dict[str, str] = {}

    def fresh(self, base: str) -> str:
        """A new name that reads like another."""
        name = f"{base.split('.')[0] or 't'}.{self._next}"
        self._next += 1
        return self.like(base, name)

    def like(self, base: str, name: str) -> str:
        """Notes that a name stands for what another stood for."""
        self.first[name] = self.first.get(base, base)
        if base in self.origin:
            self.origin[name] = self.origin[base]
        return name


def _number(name: str) -> int:
    last = name.rpartition(".")[2]
    return int(last) if last.isdigit() else 0


def names_in(expr: Expr) -> set[str]:
    """Every name that an expression binds, shared bodies included."""
    found: set[str] = set()
    seen: set[int] = set()
    pending = [expr]
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        match one:
            case Let(names=names, lengths=lengths):
                found.update(names, (length[0] for length in lengths))
            case Map(iterators=iterators):
                found.update(iterators)
            case Reduce(iterators=iterators, states=states, lengths=lengths):
                found.update(iterators, states, (length[0] for length in lengths))
            case Call(sizes=sizes, arguments=arguments):
                found.update((n for n, _ in sizes), (n for n, _ in arguments))
                if one.derivative is not None:
                    found.update(one.derivative.bound)
                    pending.append(one.derivative.body)
        pending.extend(one.children())
    return found


class RenamedCopy:
    """A copy of an expression: free names replaced, by sizes or by values, and every binder with a name of its own."""

    def __init__(self, names: NameSource, sizes: Mapping[str, Size], values: Mapping[str, Expr]) -> None:
        self.names, self.sizes, self.values = names, dict(sizes), dict(values)

    def copy(self, expr: Expr) -> Expr:
        match expr:
            case Variable(name=name):
                return self.values.get(name) or self._rest(expr)
            case Let():
                return self._let(expr)
            case Map(iterators=iterators):
                extents = tuple(self.size(e) for e in expr.extents)
                inner = self._inner(iterators)
                own = tuple(str(inner.sizes[i].name) for i in iterators)
                kind = expr.type.substitute(self.sizes)
                return replace(expr, iterators=own, extents=extents, body=inner.copy(expr.body), type=kind)
            case Reduce():
                return self._reduce(expr)
            case Call():
                return self._call(expr)
        return self._rest(expr)

    def size(self, size: Size) -> Size:
        return size.substitute(self.sizes)

    def _inner(self, numbers: Iterable[str]) -> RenamedCopy:
        """The copy inside something that binds numbers."""
        renamed = {name: Size.of(self.names.fresh(name)) for name in numbers}
        return RenamedCopy(self.names, {**self.sizes, **renamed}, self.values)

    def _named(self, name: str, kind: Any) -> str:
        """A new name for a value, whose type is already as it will be."""
        new = self.names.fresh(name)
        self.sizes[name] = Size.of(new)
        self.values[name] = Variable(new, type=kind)
        return new

    def _let(self, expr: Let) -> Expr:
        """A run of bindings, walked without recursion."""
        chain: list[Let] = []
        inner: RenamedCopy = self
        body: Expr = expr
        while isinstance(body, Let):
            value = inner.copy(body.value)
            inner = inner._inner(name for name, _, _ in body.lengths)
            kinds = value.type.parts or (value.type,)
            if body.lengths:
                value = replace(value, type=body.value.type.substitute(inner.sizes))
                kinds = value.type.parts or (value.type,)
            lengths = tuple((str(inner.sizes[n].name), part, axis) for n, part, axis in body.lengths)
            inner = RenamedCopy(self.names, inner.sizes, inner.values)
            own = tuple(inner._named(n, k) for n, k in zip(body.names, kinds, strict=True))
            chain.append(replace(body, names=own, value=value, lengths=lengths))
            body = body.body
        result = inner.copy(body)
        for one in reversed(chain):
            result = replace(one, body=result, type=result.type)
        return result

    def _reduce(self, expr: Reduce) -> Expr:
        extents = tuple(self.size(e) for e in expr.extents)
        initials = tuple(self.copy(i) for i in expr.initials)
        inner = self._inner((*expr.iterators, *(n for n, _, _ in expr.lengths)))
        kinds = tuple(t.substitute(inner.sizes) for t in expr.state_types)
        states = tuple(inner._named(n, k) for n, k in zip(expr.states, kinds, strict=True))
        return replace(
            expr,
            iterators=tuple(str(inner.sizes[i].name) for i in expr.iterators),
            extents=extents,
            states=states,
            initials=initials,
            state_types=kinds,
            step=inner.copy(expr.step),
            lengths=tuple((str(inner.sizes[n].name), part, axis) for n, part, axis in expr.lengths),
            type=expr.type.substitute(self.sizes),
        )

    def _call(self, expr: Call) -> Expr:
        """A call, whose own body stays as it is where others share it."""
        sizes = tuple((n, self.size(s)) for n, s in expr.sizes)
        arguments = tuple((n, self.copy(a)) for n, a in expr.arguments)
        body = expr.body
        if not expr.shared:
            inner = self._inner(n for n, _ in expr.sizes)
            sizes = tuple((str(inner.sizes[n].name), s) for n, s in sizes)
            named = []
            for name, argument in arguments:
                kind = argument.type
                named.append((inner._named(name, kind), argument))
            arguments, body = tuple(named), inner.copy(body)
        own = None if expr.derivative is None else self._derivative(expr.derivative)
        kind = expr.type.substitute(self.sizes)
        return replace(expr, sizes=sizes, arguments=arguments, body=body, derivative=own, type=kind)

    def _derivative(self, own: Derivative) -> Derivative:
        """A call's own derivative, whose names are bound in it alone."""
        given = [(name, self.copy(value)) for name, value in own.values]
        inner = RenamedCopy(self.names, self.sizes, self.values)
        values = tuple((inner._named(name, value.type), value) for name, value in given)
        kinds = [(name, kind.substitute(self.sizes)) for name, kind in own.cotangents]
        cotangents = tuple((inner._named(name, kind), kind) for name, kind in kinds)
        return Derivative(values, cotangents, inner.copy(own.body))

    def _rest(self, expr: Expr) -> Expr:
        """An expression that binds nothing."""
        changes: dict[str, Any] = {}
        for one in fields(expr):
            value = getattr(expr, one.name)
            copied = self._field(value) if one.name not in ("type", "span") else value
            if copied is not value:
                changes[one.name] = copied
        kind = expr.type.substitute(self.sizes) if self.sizes else expr.type
        return replace(expr, type=kind, **changes)

    def _field(self, value: Any) -> Any:
        match value:
            case Expr():
                return self.copy(value)
            case Size() | Condition():
                return value.substitute(self.sizes)
            case Coordinate():
                return Coordinate(self.size(value.index), tuple(self.copy(w) for w in value.written))
            case Range():
                written = tuple(self.copy(w) for w in value.written)
                return Range(self.size(value.start), self.size(value.length), written)
            case tuple():
                return tuple(self._field(one) for one in value)
        return value


def substituted(
    expr: Expr, names: NameSource, sizes: Mapping[str, Size] | None = None, values: Mapping[str, Expr] | None = None
) -> Expr:
    """A copy of an expression with free names replaced."""
    return RenamedCopy(names, sizes or {}, values or {}).copy(expr)
