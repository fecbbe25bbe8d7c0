"""Trees that are made: what is written of them parses to the same trees, at the same places."""

from __future__ import annotations

from tolang.syntax import making, tree
from tolang.syntax.parser import parse
from tolang.syntax.placing import placed
from tolang.syntax.traversal import children, same_tree


def program() -> list[str | tree.Statement]:
    """Every kind of node that is made, blocks inside folds and choices among them."""
    x, s, one = making.name("x"), making.name("s"), making.whole(1)
    step = making.block([making.definition("r", making.call("f", s, making.text("it's")))], making.part(x, 1))
    fold = making.call(
        "reduce", making.zeros(one, x), making.function(("s", "e", "k"), step), making.convert(one, "i64")
    )
    body = making.choice(
        making.binary("!=", x, making.number("-1.5")), step, making.bundle([x, making.constant("NaN")])
    )
    axis = making.call("g", making.shape(x), making.dimensions(x), axis=making.blocks([one, making.whole(-3)]))
    function = making.function(["x"], making.parenthesis(making.plus(making.plus(x, -2), 3)))
    inner = making.block([making.definition("inner", body, ["a"])], making.element(x, one, making.number("2i")))
    return [
        making.use("onnx"),
        "",
        making.declaration("x", "f32", [making.name("n"), making.binary("*", making.whole(2), making.name("m"))]),
        making.declaration("y", "S", []),
        "# a comment",
        making.definition("f", inner, ["s", "x"]),
        making.definition("folded", fold),
        making.definition("shown", making.call("map", axis, function), exported=True),
        "",
    ]


def test_what_is_written_is_the_tree() -> None:
    made = placed(program(), "<made>")
    pairs: list[tuple[tree.Node, tree.Node]] = [(made, parse(made.span.source))]
    assert same_tree(*pairs[0])
    while pairs:
        one, other = pairs.pop()
        assert (one.span.start, one.span.end) == (other.span.start, other.span.end), one.span.text
        if isinstance(one, tree.Definition) and isinstance(other, tree.Definition):
            assert one.id_span.text == other.id_span.text == one.id
        pairs.extend(zip(children(one), children(other), strict=True))
