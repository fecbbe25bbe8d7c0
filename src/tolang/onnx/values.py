"""What an ONNX value is while a model is imported: a tensor, by its ToLang name, a sequence or an optional."""

from __future__ import annotations

from dataclasses import dataclass

from tolang.onnx.elements import Array


@dataclass(frozen=True, slots=True, eq=False)
class TensorValue:
    """A tensor: the ToLang expression, a name or a literal, that gives it, and its elements where they are known.

    `follows` tells that it follows from such tensors alone, so that evaluating its expression makes it known;
    `measured` that it follows from the shapes of tensors, as a shape that is reckoned with does.
    """

    text: str
    constant: Array | None = None
    follows: bool = False
    measured: bool = False

    @property
    def is_known(self) -> bool:
        return self.follows or self.constant is not None


@dataclass(frozen=True, slots=True, eq=False)
class SequenceValue:
    """A sequence, whose length is known while importing."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OptionalValue:
    """An optional that holds a value or nothing."""

    item: Value | None


Value = TensorValue | SequenceValue | OptionalValue
