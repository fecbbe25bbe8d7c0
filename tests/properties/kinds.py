"""What the generator of programs knows of a value: its shape as the program writes it and as the data has it, its spaces."""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, replace

FAMILY_OF_SPACE = {
    "Z": "Z", "N": "Z", "N*": "Z", "i32": "Z", "byte": "Z", "small": "Z", "R": "R", "f32": "R", "f64": "R", "part": "R",
    "B": "B", "Q": "Q", "S": "S", "C": "C",
}  # fmt: skip
"""The spaces that inputs are declared in, and the family that arithmetic sees."""


@dataclass(frozen=True, slots=True)
class Length:
    """A length: as the program writes it, and its number for the data drawn (None where only running tells)."""

    text: str
    value: int | None


@dataclass(frozen=True, slots=True)
class Kind:
    """A shape, and the family of each component of the lists."""

    shape: tuple[Length, ...]
    families: tuple[str, ...]

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def family(self) -> str:
        return self.families[0]

    @property
    def is_numeric(self) -> bool:
        return not self.shape and len(self.families) == 1

    @property
    def volume(self) -> int | None:
        """The number of elements, where it is known."""
        total = 1
        for length in self.shape:
            if length.value is None:
                return None
            total *= length.value
        return total

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(length.text for length in self.shape)


@dataclass(frozen=True, slots=True)
class Value:
    """A piece of program text that stands for a value.

    `exact` tells that rounding never entered it: integers, fractions, and dyadic reals under + - * and comparison.  Only
    such values decide branches and coordinates, so that engines that round differently still take the same way.
    """

    text: str
    kind: Kind
    exact: bool = True

    def element(self, text: str) -> Value:
        return Value(text, Kind((), self.kind.families), self.exact)


@dataclass(frozen=True, slots=True)
class Function:
    """A defined function: the kinds of its parameters (lengths are those of the parameters) and of its result."""

    name: str
    parameters: tuple[Kind, ...]
    result: Kind
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Scope:
    """What an expression may use: named values, iterators with their upper ends, functions, the star of the nearest map."""

    values: tuple[Value, ...] = ()
    iterators: tuple[tuple[str, Length], ...] = ()
    functions: tuple[Function, ...] = ()
    star: Value | None = None
    star_shape: tuple[str, ...] | None = None

    def with_values(self, *values: Value) -> Scope:
        return replace(self, values=self.values + values)

    def with_iterators(self, *iterators: tuple[str, Length]) -> Scope:
        return replace(self, iterators=self.iterators + iterators)

    def with_star(self, star: Value, shape: tuple[str, ...]) -> Scope:
        return replace(self, star=star, star_shape=shape)

    def numerics(self, family: str, exact: bool) -> list[Value]:
        """Numerics of a family by name, the current element among them."""
        found = [v for v in self.values if v.kind.is_numeric and v.kind.family == family and (v.exact or not exact)]
        star = self.star
        if star is not None and star.kind.is_numeric and star.kind.family == family and (star.exact or not exact):
            found.append(star)
        return found

    def lists(self) -> list[Value]:
        """Lists without dimensions, by name, the current element among them."""
        found = [v for v in self.values if not v.kind.shape and len(v.kind.families) > 1]
        if self.star is not None and len(self.star.kind.families) > 1:
            found.append(self.star)
        return found

    def tensors(self) -> list[Value]:
        """Values with dimensions."""
        return [v for v in self.values if v.kind.shape]
