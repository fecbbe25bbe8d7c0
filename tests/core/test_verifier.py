"""The verifier accepts what the checker makes, and refuses it once something is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.core.samples import SOURCES, program, sample
from tests.core.structure import Node, changed, nodes

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
    Reduce,
    Require,
    Reshape,
    Swap,
    Tile,
    Variable,
)
from tolang.core.printer import print_program
from tolang.core.reader import read_program
from tolang.core.types import Type
from tolang.core.verifier import InvalidCore, verify
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.diagnostics import ToLangCheckError
from tolang.ground.symbolic.sizes import ONE, ZERO, Size
from tolang.ground.values.spaces import column

N = Size.of("n")
REALS = Type((N,), (column("R"),))


@pytest.mark.parametrize("name", SOURCES)
def test_checked_programs_are_well_formed(name: str) -> None:
    verify(sample(name))


@pytest.mark.parametrize("name", SOURCES)
def test_programs_read_from_text_are_well_formed(name: str) -> None:
    verify(read_program(print_program(sample(name))))


@pytest.mark.parametrize("name", SOURCES)
def test_every_dropped_binding_is_missed(name: str) -> None:
    """The checker leaves no binding that nothing uses, so each one that goes leaves a name unbound."""
    one = sample(name)
    for let in [node for node in nodes(one.body) if isinstance(node, Let)]:
        with pytest.raises(InvalidCore, match="nothing binds"):
            verify(changed(one, Let, lambda found: found.body, lambda found, let=let: found is let))  # type: ignore[misc]


def test_a_length_that_is_a_parameter_stays_in_its_call() -> None:
    source = """
        from_(v, j) = v[j:]
        tol x: R [n]
        tol j: N
        y := from_(x, j) + 1
    """
    verify(program(source))


def test_a_declared_length_cannot_be_computed_from_data() -> None:
    source = "tol r: R\ntol x: R [r * 2]\ny := x"
    with pytest.raises(ToLangCheckError) as caught:
        program(source)
    assert caught.value.code == "E304"


def change(
    kind: type[Node], make: Callable[[Node], Expr], where: Callable[[Node], bool] = lambda _: True
) -> Callable[[Core], Core]:
    """Changes the first node of a kind."""
    return lambda given: changed(given, kind, make, where)


def first(kind: type[Expr], **changes: Any) -> Callable[[Core], Core]:
    """Changes fields of the first node of a kind."""
    return lambda given: changed(given, kind, lambda one: replace(one, **changes))


def typed(kind: type[Expr], **changes: Any) -> Callable[[Core], Core]:
    """Changes the type of the first node of a kind."""
    return lambda given: changed(given, kind, lambda one: replace(one, type=replace(one.type, **changes)))


def _at(name: str) -> Coordinate:
    return Coordinate(Size.of(name))


def _other(one: Expr) -> Expr:
    """A variable from outside in place of an expression."""
    return Variable("outside", type=one.type)


def _zero() -> Expr:
    return Literal(0, type=Type((), (column("R"),)))


def _zeros() -> Expr:
    return Literal(0, type=REALS)


def _text() -> Expr:
    return Literal("text", type=Type((), (column("S"),)))


def _list(one: Apply) -> Expr:
    """A list of the arguments of an application."""
    return Embed(one.arguments, type=Type((), tuple(a.type.column for a in one.arguments)))


def _derived(**changes: Any) -> Callable[[Core], Core]:
    """Changes the first derivative that a call carries."""
    return change(Call, lambda c: replace(c, derivative=replace(c.derivative, **changes)), lambda c: bool(c.derivative))  # type: ignore[type-var]


def _inside(one: Bundle) -> bool:
    return isinstance(one.parts[0], Apply)


def _by_data(one: If) -> bool:
    return one.guard is None


def _without_equal_shapes(program: Core) -> Core:
    """The program with neither of its two requirements that n is m."""
    for _ in range(2):
        program = changed(program, Require, lambda one: one.body, lambda one: "needs equal shapes" in one.message)
    return program


BROKEN: list[tuple[str, Callable[[Core], Core], str]] = [
    ("matmul", change(Apply, lambda a: replace(a, arguments=a.arguments[:1])), "takes 2"),
    ("matmul", first(Apply, function="matmul"), "no basic function"),
    ("matmul", first(Apply, function="rand"), "no basic function"),
    ("matmul", change(Apply, lambda a: replace(a, arguments=(_list(a), _list(a)))), "no numeric"),
    ("matmul", typed(Apply, columns=(column("C"),)), "follows from its parts"),
    ("text", change(Apply, lambda a: replace(a, function="add")), "no type"),
    ("matmul", first(Variable, name="nowhere"), "nothing binds nowhere"),
    ("matmul", typed(Variable, shape=()), "but used as"),
    ("matmul", lambda p: replace(p, inputs=p.inputs[1:]), "nothing binds a"),
    ("matmul", lambda p: replace(p, inputs=p.inputs * 2), "bound twice"),
    ("matmul", lambda p: replace(p, sizes=p.sizes[1:]), "uses n, which nothing binds"),
    ("matmul", lambda p: replace(p, sizes=(*p.sizes, "a")), "bound twice"),
    ("matmul", first(Map, iterators=("i.1", "i.1")), "bound twice"),
    ("matmul", first(Map, iterators=("i.1", "other")), "uses j.2, which nothing binds"),
    ("matmul", first(Map, iterators=("i.1",)), "1 iterators for 2 extents"),
    ("matmul", first(Map, extents=(N, Size.of("q"))), "uses q, which nothing binds"),
    ("matmul", first(Map, extents=(N, N)), "follows from its parts"),
    ("matmul", typed(Map, shape=(N,)), "follows from its parts"),
    ("matmul", change(Map, lambda m: replace(m, iterators=("i.3", "j.2"))), "bound twice"),
    ("matmul", change(Part, lambda a: replace(a, items=a.items[:1])), "1 coordinates for 2"),
    ("matmul", change(Part, lambda a: replace(a, items=(_at("q"), *a.items[1:]))), "uses q"),
    ("matmul", change(Part, lambda a: replace(a, items=(_at("b"), *a.items[1:]))), "b, which is no numeric"),
    ("matmul", typed(Part, shape=(N,)), "follows from its parts"),
    ("matmul", typed(Let, shape=(N,), parts=()), "a binding is"),
    ("matmul", first(Let, names=("one", "two")), "names 1 value"),
    ("matmul", first(Let, lengths=(("length", 0, 0),)), "does not have length as its length"),
    ("matmul", first(Let, lengths=(("length", 1, 0),)), "not there"),
    ("matmul", lambda p: replace(p, body=Literal(1, type=Type((), (column("R"),)))), "ends in a bundle"),
    ("matmul", lambda p: replace(p, outputs=()), "0 outputs for 1 values"),
    ("matmul", lambda p: replace(p, outputs=(replace(p.outputs[0], type=REALS),)), "output result"),
    ("matmul", lambda p: replace(p, outputs=(replace(p.outputs[0], group=2),)), "not whole"),
    ("bundle_as_result", lambda p: replace(p, outputs=(p.outputs[0], *p.outputs[2:])), "2 outputs for 3"),
    ("bundle_as_result", lambda p: replace(p, outputs=(p.outputs[0], p.outputs[2], p.outputs[2])), "not whole"),
    ("bundle_as_result", change(Bundle, lambda b: replace(b, parts=(b,))), "a bundle stands where"),
    ("bundle_as_result", change(Let, lambda b: replace(b, names=b.names[:1])), "names 2 value"),
    ("matmul", change(Reduce, lambda r: replace(r, states=())), "other numbers of states"),
    ("matmul", change(Reduce, lambda r: replace(r, initials=(_text(),))), "does not hold the start"),
    ("matmul", change(Reduce, lambda r: replace(r, initials=(_zeros(),))), "changes its rank"),
    ("text", typed(Reduce, columns=(column("R"),)), "a fold ends as"),
    ("bundle_as_state", change(Reduce, lambda r: replace(r, extents=(N + 1,))), "does not grow evenly"),
    ("bundle_as_state", change(Reduce, lambda r: replace(r, initials=(r.initials[0], _zeros()))), "evenly"),
    ("bundle_as_state", change(Bundle, lambda b: replace(b, parts=b.parts[:1]), _inside), "parts"),
    ("filter", first(Reduce, lengths=()), "which nothing binds"),
    ("filter", change(Let, lambda b: replace(b, lengths=())), "which nothing binds"),
    ("filter", typed(Reduce, shape=(N,)), "has no name once"),
    ("filter", typed(If, shape=(N,)), "a choice is"),
    ("padding", change(If, lambda i: replace(i, guard=None)), "one condition"),
    ("padding", change(If, lambda i: replace(i, written=(_zero(),)), _by_data), "a condition is"),
    ("padding", change(If, lambda i: replace(i, otherwise=_zeros())), "a choice is"),
    ("padding", change(If, lambda i: replace(i, otherwise=_text())), "a choice is"),
    ("padding", typed(If, columns=(column("f32"),)), "a choice is"),
    ("choice_of_bundles", change(If, lambda i: replace(i, then=i.then.parts[0])), "numbers of ToLs"),  # type: ignore[attr-defined]
    ("choice_of_sizes", typed(If, shape=(N,)), "uses n, which nothing binds"),
    ("choice_of_sizes", typed(If, shape=(ONE,)), "a choice is"),
    ("random", change(Random, lambda r: replace(r, coordinates=(Size.of("q"),))), "uses q"),
    ("random", change(Random, lambda r: replace(r, limit=_zeros())), "no numeric"),
    ("records", first(Component, position=4), "no type"),
    ("records", first(Component, position=0), "no type"),
    ("records", typed(Embed, columns=(column("R"),)), "follows from its parts"),
    ("records", change(Embed, lambda e: replace(e, parts=(e.parts[0], _zeros()))), "a list has parts"),
    ("records", first(Embed, parts=()), "no parts"),
    ("blocks", first(Join, axis=2), "do not fit together"),
    ("blocks", first(Join, parts=()), "do not fit together"),
    ("blocks", change(Join, lambda j: replace(j, parts=j.parts[:1])), "follows from its parts"),
    ("blocks", typed(Join, columns=(column("N", weak=True),)), "does not hold a part"),
    ("requirements", change(Join, lambda j: replace(j, parts=j.parts[::-1])), "follows from its parts"),
    ("requirements", change(Require, lambda r: r.body, lambda r: "reshape" in r.message), "reshape of"),
    ("requirements", _without_equal_shapes, "a join has parts"),
    ("requirements", change(Require, lambda r: r.body, lambda r: "swap" in r.message), "another length"),
    ("requirements", first(Swap, axis=2), "swap along axis 2"),
    ("requirements", change(Swap, lambda s: replace(s, order=s.subject)), "the order of a swap is"),
    ("tile_reshape_swap", typed(Tile, columns=(column("i8"),)), "follows from its parts"),
    ("tile_reshape_swap", typed(Reshape, columns=(column("i16"),)), "follows from its parts"),
    ("tile_reshape_swap", typed(Reshape, shape=(N,)), "reshape of 3*n elements into n"),
    ("convert", typed(Convert, columns=(column("R"),) * 3), "convert goes from"),
    ("convert", typed(Convert, columns=(column("S"),)), "do not convert"),
    ("convert", typed(Convert, shape=()), "follows from its parts"),
    ("literals", first(Literal, value="text"), "the literal 'text' is in C"),
    ("nested_blocks", typed(Literal, columns=(column("R", "text"),)), "text is no storage of R"),
    ("argmin", first(Measure, size=Size.of("q")), "uses q"),
    ("argmin", typed(Measure, columns=(column("R"),)), "follows from its parts"),
    ("softmax", change(Call, lambda c: replace(c, arguments=(("x.3", _zero()),))), "the argument x.3"),
    ("softmax", change(Call, lambda c: replace(c, sizes=c.sizes[:1])), "which nothing binds"),
    ("softmax", change(Call, lambda c: replace(c, arguments=())), "nothing binds x.3"),
    ("softmax", change(Call, lambda c: replace(c, body=_other(c.body))), "nothing binds outside"),
    ("softmax", typed(Call, shape=(ZERO,)), "follows from its parts"),
    ("own_derivatives", _derived(body=_zeros()), "it gives R [n], not R [n], R"),
    ("own_derivatives", _derived(body=Variable("x", type=REALS)), "nothing binds x"),
    ("own_derivatives", _derived(cotangents=(("d.2", Type((), (column("R"),))),)), "are not those of the call"),
    ("own_derivatives", _derived(values=()), "nothing binds v.3"),
    ("own_derivatives", _derived(values=(("v.3", _other(_zeros())),)), "nothing binds outside"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "break_it", "words"), BROKEN)
def test_broken_programs_are_refused(name: str, break_it: Callable[[Core], Core], words: str) -> None:
    with pytest.raises(InvalidCore) as caught:
        verify(break_it(sample(name)))
    assert words in caught.value.reason


def test_the_path_leads_to_the_place() -> None:
    with pytest.raises(InvalidCore) as caught:
        verify(changed(sample("matmul"), Apply, lambda one: replace(one, function="nothing")))
    inner = (
        "let result.8",
        "map i.1, j.2",
        "body",
        "call elem",
        "body",
        "let t.4",
        "call vec",
        "body",
        "map i.3",
        "body",
    )
    assert caught.value.path == inner
    assert str(caught.value).startswith("nothing is no basic function of numerics (in let result.8 > map")
