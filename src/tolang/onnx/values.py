"""What an ONNX value is while a model is imported: a tensor, by its ToLang name, a sequence, an optional, or scores."""

from __future__ import annotations

from functools import cached_property

from tolang.ground.dataclasses import dataclass
from tolang.onnx.elements import Array
from tolang.onnx.stored import Weight, elements_of
from tolang.syntax import making, tree
from tolang.syntax.placing import written


@dataclass(frozen=True, eq=False)
class TensorValue:
    """A tensor: the ToLang expression, a name or a literal, that gives it, and its elements where they are known.

    `follows` tells that it follows from such tensors alone, so that evaluating its expression makes it known;
    `measured` that it follows from the shapes of tensors, as a shape that is reckoned with does.  `element` is the
    element type, where ONNX tells it.
    """

    expression: tree.Expression
    known: Array | Weight | None = None
    follows: bool = False
    measured: bool = False
    element: int | None = None

    @cached_property
    def text(self) -> str:
        """The expression as it is written, by which it is told from others."""
        return self.expression.id if isinstance(self.expression, tree.NameExpression) else written(self.expression)

    @property
    def is_known(self) -> bool:
        return self.follows or self.known is not None

    @property
    def constant(self) -> Array | None:
        """The elements where they are known; they may be read from a file for it."""
        return None if self.known is None else elements_of(self.known)


def named(name: str, known: Array | Weight | None = None, *, follows: bool = False, measured: bool = False,
          element: int | None = None) -> TensorValue:  # fmt: skip
    """A tensor by its name."""
    return TensorValue(making.name(name), known, follows, measured, element)


@dataclass(frozen=True, slots=True, eq=False)
class SequenceValue:
    """A sequence, whose length is known while importing."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OptionalValue:
    """An optional that holds a value or nothing."""

    item: Value | None


@dataclass(frozen=True, slots=True, eq=False)
class ScoresValue:
    """A matrix of scores whose columns have names: a sequence of dictionaries to ONNX, one for each row."""

    scores: TensorValue
    labels: tuple[str | int, ...]


Value = TensorValue | SequenceValue | OptionalValue | ScoresValue
