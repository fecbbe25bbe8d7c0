"""The syntax tree of ToLang: what the text says, before any name is resolved.

The whole grammar of the tree is on this page.  Every node has a span.  The formatter prints these nodes back, so
they keep what was written (`add(a,b)` and `a + b` are different nodes) but not white space.
"""

from __future__ import annotations

from fractions import Fraction

from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.system.own_modules import FILE_ENDING

IGNORED = "_"
"""Stands for a part that has no name."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    span: Span


# Expressions


@dataclass(frozen=True, slots=True, eq=False)
class Expression(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Number(Expression):
    """`3`, `1e-3`, `2i`.  `value` is exact; `imaginary` marks a trailing `i`; `whole` tells `3` from `3.0`."""

    value: int | Fraction
    text: str
    imaginary: bool = False

    @property
    def whole(self) -> bool:
        return self.text.isdigit()


@dataclass(frozen=True, slots=True, eq=False)
class ConstantExpression(Expression):
    """`Inf`, `NaN`, `true`, `false`."""

    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Text(Expression):
    """`'a'`; a quote inside is written twice."""

    value: str


@dataclass(frozen=True, slots=True, eq=False)
class NameExpression(Expression):
    id: str


@dataclass(frozen=True, slots=True, eq=False)
class StarExpression(Expression):
    """A `*` where an operand stands."""


@dataclass(frozen=True, slots=True, eq=False)
class StarName(Expression):
    """`*t`, the coordinate vector of the nearest map over the name t; as an iterator name, `*c`."""

    id: str


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`-x`, `+x`, `not x`; operator is `-`, `+` or `not`."""

    operator: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """`x + y` and its kin; operator is the sign as written, or `and`, `or`, `xor`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Slice(Expression):
    """`a:b`, `a:`, `:b`, `:`, only as an item of an index."""

    lower: Expression | None
    upper: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class IndexExpression(Expression):
    """`t[i, a:b, *]`."""

    subject: Expression
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ComponentExpression(Expression):
    """`t[j]'`; the selector is a number or a component's name."""

    subject: Expression
    selector: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Unpacked(Expression):
    """The part of a value that a pattern names: of `(x, r) = s`, what x is, with s as the subject."""

    subject: Expression
    pattern: Parameter
    leaf: int


@dataclass(frozen=True, slots=True, eq=False)
class CallArgument(Node):
    """One argument of a call; `keyword` is the name in `axis=2`, else None."""

    keyword: str | None
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class CallExpression(Expression):
    """`f(x, axis=2)`.  Also `t(i,j)` where t is a ToL, `map(…)`, `part(…)`, and `part'(t,j)` with the name `part'`."""

    function: Expression
    arguments: tuple[CallArgument, ...]


@dataclass(frozen=True, slots=True, eq=False)
class NormExpression(Expression):
    """`|t|` is `shape`, `||t||` is `dim`, `|t|'` is `capacity`."""

    kind: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Blocks(Expression):
    """`[x, y]`; no items is the empty block `[]`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Listing(Expression):
    """`(x, y)` with two items or more.  `(x)` is a `Parenthesis`."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Parenthesis(Expression):
    inner: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Zeros(Expression):
    """`tol[p, q]`; `tol|t|` is written with a single item `NormExpression('shape', t)`."""

    items: tuple[Expression, ...]
    bars: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class TypeList(Expression):
    """`[R, N*]`, the second argument of `convert`."""

    spaces: tuple[SpaceName, ...]


@dataclass(frozen=True, slots=True, eq=False)
class LambdaExpression(Expression):
    parameters: tuple[Parameter, ...]
    body: Expression


@dataclass(frozen=True, slots=True, eq=False)
class IfExpression(Expression):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Compose(Expression):
    """`f.g.h`, apply f first."""

    functions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BlockExpression(Expression):
    """`{ a = …; f(x) = …; result }`."""

    definitions: tuple[Definition, ...]
    result: Expression


# Statements


@dataclass(frozen=True, slots=True, eq=False)
class Statement(Node):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Parameter(Node):
    """A parameter of a definition or lambda; `default` only in definitions.

    One that names the parts of what it stands for, `(x, r)`, has them as `parts`, which may have parts again.
    """

    id: str
    default: Expression | None = None
    parts: tuple[Parameter, ...] = ()

    @property
    def leaves(self) -> tuple[Parameter, ...]:
        """The parameter itself, or those that name its parts, in order."""
        return tuple(leaf for one in self.parts for leaf in one.leaves) if self.parts else (self,)

    @property
    def names(self) -> tuple[str, ...]:
        """The names that it gives a meaning to; `_` is none."""
        return tuple(leaf.id for leaf in self.leaves if not self.parts or leaf.id != IGNORED)


@dataclass(frozen=True, slots=True, eq=False)
class Definition(Statement):
    """`f(x, k=1) = body` or `v = body`; `parameters` is None for a value.

    `derivative f(x, d) = body` has the name `f'`, which no other definition can have.
    """

    id: str
    id_span: Span
    parameters: tuple[Parameter, ...] | None
    body: Expression
    exported: bool = False
    associative: bool = False

    @property
    def derived(self) -> str | None:
        """The name of the function that this is the derivative of; None for any other definition."""
        return self.id.removesuffix("'") if self.id.endswith("'") and self.parameters is not None else None


@dataclass(frozen=True, slots=True, eq=False)
class Unpacking(Statement):
    """`(x, r) = body`, before it is taken apart into definitions: of the whole, and of each name as a part of it."""

    pattern: Parameter
    body: Expression
    exported: bool = False

    def definitions(self) -> tuple[Definition, ...]:
        pattern, span = self.pattern, self.span
        whole = Definition(span, pattern.span.text, pattern.span, None, self.body)
        subject = NameExpression(pattern.span, whole.id)
        parts = (
            Definition(span, leaf.id, leaf.span, None, Unpacked(leaf.span, subject, pattern, place), self.exported)
            for place, leaf in enumerate(pattern.leaves)
            if leaf.id != IGNORED
        )
        return whole, *parts


@dataclass(frozen=True, slots=True, eq=False)
class SpaceName(Node):
    """A type space where one is expected: `R`, `N*`, `byte`."""

    id: str


@dataclass(frozen=True, slots=True, eq=False)
class ListField(Node):
    """A component of a list type: `age: N`, or just `N`."""

    id: str | None
    space: SpaceName


@dataclass(frozen=True, slots=True, eq=False)
class SpaceDeclaration(Statement):
    """`space byte: N [0,255]`."""

    id: str
    base: SpaceName
    lower: Expression | None = None
    upper: Expression | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ListDeclaration(Statement):
    """`list p: q`, `list p: R`, `list p: [S, N], R`, `list p: [name: S, age: N]`.

    A single unbracketed name, a space or another list, is one field with `bracketed` False.
    """

    id: str
    fields: tuple[ListField, ...]
    bracketed: bool


@dataclass(frozen=True, slots=True, eq=False)
class TolDeclaration(Statement):
    """`tol a: R [n,k]`; no shape is a numeric or a single list.  An inline list `tol a: [S, N] [n]` has fields."""

    id: str
    base: SpaceName | None
    fields: tuple[ListField, ...]
    shape: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TolShape(Statement):
    """`tol result = [n, m]`: a shape that the name stands for inside its own definition."""

    id: str
    shape: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Use(Statement):
    """`use linalg`, `use "helpers.tol"`, `use helpers as h`; a file in quotes ends in `.tol`, which no name does."""

    module: str
    alias: str | None = None

    @property
    def is_file(self) -> bool:
        return self.module.endswith(FILE_ENDING)


@dataclass(frozen=True, slots=True, eq=False)
class SyntaxModule(Node):
    statements: tuple[Statement, ...]
