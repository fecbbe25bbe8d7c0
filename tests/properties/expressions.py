"""Random numeric expressions, reads, folds and tensors of wanted kinds: the inner part of the generator of programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from hypothesis import strategies as st
from tests.properties.kinds import Kind, Length, Scope, Value

Item = TypeVar("Item")
Draw = Callable[[st.SearchStrategy[Any]], Any]

LITERALS = {
    "Z": ("1", "0", "2", "3", "(-1)", "(-2)"), "R": ("0.5", "2", "1.5", "(-0.25)", "0.0", "3"), "B": ("true", "false"),
    "Q": ("1", "2", "(-1)"), "S": ("'a'", "'b'", "''"), "C": ("2i", "1", "0.5"),
}  # fmt: skip
ARITHMETIC = {
    "Z": ("+", "-", "*"), "R": ("+", "-", "*"), "Q": ("+", "-", "*"), "C": ("+", "-", "*"), "B": ("and", "or", "xor"),
}  # fmt: skip
EXTREMA = {"Z": ("max", "min"), "R": ("max", "min"), "Q": ("max", "min"), "S": ("max", "min")}
UNARY = {"Z": ("abs", "-", "sgn"), "R": ("abs", "-"), "Q": ("abs", "-"), "C": ("-",), "B": ("not",)}
SMOOTH = ("sin", "cos", "tanh", "atan", "asinh", "exp", "sqrt", "sinh")
COMBINES = {
    "Z": (("add", "0"), ("max", "0"), ("min", "3"), ("mul", "1")), "B": (("and", "true"), ("or", "false"), ("xor", "false")),
    "R": (("add", "0"), ("max", "-Inf"), ("min", "+Inf"), ("mul", "1")), "Q": (("add", "0"), ("max", "0"), ("mul", "1")),
    "C": (("add", "0"),), "S": (("max", "''"),),
}  # fmt: skip
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Expressions:
    """Draws expressions.  `fuel` bounds how much is written, `features` says which constructs were."""

    def __init__(self, draw: Draw, fuel: int) -> None:
        self.draw, self.fuel = draw, fuel
        self.features: set[str] = set()
        self.prelude: set[str] = set()
        self._serial = 0

    def pick(self, items: Sequence[Item]) -> Item:
        """One of several; the first is the simplest."""
        chosen: Item = self.draw(st.sampled_from(items))
        return chosen

    def chance(self, percent: int) -> bool:
        drawn: int = self.draw(st.integers(0, 99))
        return drawn >= 100 - percent

    def fresh(self, base: str) -> str:
        self._serial += 1
        return f"{base}{self._serial}"

    def numeric(self, family: str, scope: Scope, exact: bool = True) -> str:
        """A numeric of a family."""
        self.fuel -= 1
        if self.fuel <= 0 or self.chance(25):
            return self.leaf(family, scope, exact)
        forms: list[Callable[[str, Scope, bool], str | None]] = [
            self.arithmetic, self.arithmetic, self.leaf, self.special, self.choice, self.folded, self.called, self.padded,
            self.listed, self.local,
        ]  # fmt: skip
        if family == "R" and not exact:
            forms += [self.special, self.special]
        return self.pick(forms)(family, scope, exact) or self.leaf(family, scope, exact)

    def leaf(self, family: str, scope: Scope, exact: bool = True) -> str:
        """A name, a member or a literal."""
        options = [v.text for v in scope.numerics(family, exact)]
        readable = [v for v in scope.tensors() if family in v.kind.families and (v.exact or not exact)]
        if readable and self.chance(60):
            read = self.read(self.pick(readable), family, scope)
            if read is not None:
                return read
        components = [v for v in scope.lists() if family in v.kind.families and (v.exact or not exact)]
        if components and self.chance(50):
            return self.component(self.pick(components), family)
        if family == "Z":
            options += [name for name, _ in scope.iterators]
        if options and self.chance(80):
            return self.pick(options)
        return self.pick(LITERALS[family])

    def component(self, value: Value, family: str) -> str:
        """A component of that family of a list."""
        self.features.add("component")
        positions = [k for k, one in enumerate(value.kind.families, 1) if one == family]
        subject = "(*)" if value.text == "*" else value.text
        return f"{subject}[{self.pick(positions)}]'"

    def read(self, value: Value, family: str, scope: Scope) -> str | None:
        """A member of a value, at coordinates that are inside."""
        if scope.star_shape == value.kind.texts and self.chance(50):
            text = f"{value.text}[*]"
            self.features.add("star coordinates")
        else:
            coordinates = [self.coordinate(length, scope) for length in value.kind.shape]
            if any(one is None for one in coordinates):
                return None
            listed = ",".join(str(one) for one in coordinates)
            text = self.pick([f"{value.text}[{listed}]", f"part({value.text}, [{listed}])", f"{value.text}({listed})"])
        self.features.add("member")
        if len(value.kind.families) == 1:
            return text
        return self.component(Value(text, Kind((), value.kind.families)), family)

    def coordinate(self, length: Length, scope: Scope) -> str | None:
        """A coordinate that is inside a dimension: an iterator over it, a literal, or data brought inside."""
        options = [name for name, upper in scope.iterators if upper.text == length.text]
        if length.value:
            options.append(str(self.draw(st.integers(1, length.value))))
            if self.fuel > 0 and self.chance(30):
                self.fuel -= 1
                self.features.add("gather")
                options = [f"1 + {self.numeric('Z', scope)} % {length.text}"]
        return self.pick(options) if options else None

    def arithmetic(self, family: str, scope: Scope, exact: bool) -> str:
        """A basic function of two, as an operator or by name."""
        if family in EXTREMA and (family == "S" or self.chance(25)):
            self.features.add("extremum")
            return f"{self.pick(EXTREMA[family])}({self.numeric(family, scope, exact)}, {self.numeric(family, scope, exact)})"
        if family in UNARY and self.chance(20):
            name = self.pick(UNARY[family])
            inner = self.numeric(family, scope, exact)
            return f"(-{inner})" if name == "-" else f"(not {inner})" if name == "not" else f"{name}({inner})"
        if family == "B" and self.chance(65):
            return self.comparison(scope)
        self.features.add("arithmetic")
        one, two = self.numeric(family, scope, exact), self.numeric(self._beside(family), scope, exact)
        sign = self.pick(ARITHMETIC[family])
        if sign in "+-*" and self.chance(20):
            return f"{ {'+': 'add', '-': 'sub', '*': 'mul'}[sign] }({one}, {two})"
        return f"({one} {sign} {two})"

    def _beside(self, family: str) -> str:
        """A family whose numbers mix with another's."""
        mixed = {"Z": "B", "R": "Z", "Q": "Z", "C": "R"}
        if family in mixed and self.chance(15):
            self.features.add("mixed spaces")
            return mixed[family]
        return family

    def comparison(self, scope: Scope) -> str:
        """A condition on exact values."""
        family = self.pick(["Z", "R", "Q", "S"] if self.chance(50) else ["Z", "R"])
        self.features.add("comparison")
        return f"({self.numeric(family, scope)} {self.pick(COMPARISONS)} {self.numeric(family, scope)})"

    def special(self, family: str, scope: Scope, exact: bool) -> str | None:
        """What only one family has: remainders and sizes, quotients and smooth functions, conversions."""
        if family == "Z":
            tensors = scope.tensors()
            if tensors and self.chance(50):
                self.features.add("norm")
                value = self.pick(tensors)
                axis = self.draw(st.integers(1, value.kind.rank))
                name = value.text
                return self.pick(
                    [f"|{name}|[{axis}]", f"||{name}||", f"vol({name})", f"|{name}|'", f"shape({name})[{axis}]"]
                )
            return f"({self.numeric('Z', scope)} % {self.pick(['2', '3', '4'])})"
        if family == "R":
            return self._real(scope, exact)
        if family == "Q":
            if self.chance(50):
                self.features.add("convert")
                return f"convert({self.numeric('Z', scope)}, [Q])"
            return f"({self.numeric('Q', scope)} / {self.pick(['2', '3', '(-4)'])})"
        return self.comparison(scope) if family == "B" else None

    def _real(self, scope: Scope, exact: bool) -> str:
        if exact:
            halved = f"({self.numeric('R', scope)} / {self.pick(['2', '4'])})"
            if self.chance(50):
                self.features.add("convert")
                return f"convert({self.numeric('Z', scope)}, [R])"
            return self.pick([halved, f"floor({halved})", f"({self.numeric('Z', scope)} / 4)"])
        self.features.add("inexact")
        inner = self.numeric("R", scope, exact)
        return self.pick([
            f"({inner} / 3)", f"({self.numeric('Z', scope)} / (abs({inner}) + 1))", f"{self.pick(SMOOTH)}(min({inner}, 3))",
            f"log(abs({inner}) + 0.5)", f"(abs({inner}) ^ 1.5)", f"({inner} ^ 2)", f"log(abs({inner}) + 1, 2)",
        ])  # fmt: skip

    def choice(self, family: str, scope: Scope, exact: bool) -> str:
        """`if` on data."""
        self.features.add("if")
        then, otherwise = self.numeric(family, scope, exact), self.numeric(family, scope, exact)
        return f"(if {self.comparison(scope)} then {then} else {otherwise})"

    def padded(self, family: str, scope: Scope, exact: bool) -> str | None:
        """The padding idiom: a member where the coordinate is inside, else a literal."""
        values = [
            v for v in scope.tensors() if v.kind.families == (family,) and (v.exact or not exact) and v.kind.rank == 1
        ]
        if not values:
            return None
        value = self.pick(values)
        length = value.kind.shape[0].text
        shift = self.pick(["+ 1", "- 1", "* 2"])
        name = self.pick([n for n, _ in scope.iterators] or ["2"])
        place = f"{name} {shift}" if self.chance(70) else self.numeric("Z", scope)
        self.features.add("padding")
        inside = f"({place} >= 1) and ({place} <= {length})"
        return f"(if {inside} then {value.text}[{place}] else {self.pick(LITERALS[family])})"

    def listed(self, family: str, scope: Scope, exact: bool) -> str:
        """A component of a list written out."""
        self.features.add("list")
        other = self.pick(["Z", "B", "R"])
        return f"({self.numeric(other, scope)}, {self.numeric(family, scope, exact)})[2]'"

    def local(self, family: str, scope: Scope, exact: bool) -> str:
        """A block with a definition of its own, a value or a function."""
        self.features.add("block of steps")
        name = self.fresh("w")
        if self.chance(30):
            self.features.add("nested function")
            parameter = self.fresh("y")
            body = self.numeric(family, scope.with_values(Value(parameter, Kind((), (family,)), exact)), exact)
            return f"{{ {name}({parameter}) = {body}; {name}({self.numeric(family, scope, exact)}) }}"
        inner = scope.with_values(Value(name, Kind((), (family,)), exact))
        return f"{{ {name} = {self.numeric(family, scope, exact)}; {self.numeric(family, inner, exact)} }}"

    def called(self, family: str, scope: Scope, exact: bool) -> str | None:
        """A call of a defined function."""
        wanted = Kind((), (family,))
        functions = [f for f in scope.functions if f.result == wanted and (f.exact or not exact)]
        if not functions:
            return None
        function = self.pick(functions)
        arguments = []
        for kind in function.parameters:
            if kind.is_numeric:
                arguments.append(self.numeric(kind.family, scope))
            else:
                fitting = [v for v in scope.tensors() if v.kind.rank == kind.rank and v.kind.families == kind.families and v.exact]  # fmt: skip
                if not fitting:
                    return None
                arguments.append(self.pick(fitting).text)
        self.features.add("user function")
        return f"{function.name}({', '.join(arguments)})"

    def folded(self, family: str, scope: Scope, exact: bool) -> str | None:
        """A fold to a numeric, by a basic function or a user's."""
        source = self.source(family, scope, exact)
        if source is None:
            return None
        if family in COMBINES and self.chance(60):
            volume = source.kind.volume
            safe = volume is not None and volume <= 6 and (family != "R" or not exact)
            combines = [c for c in COMBINES[family] if c[0] != "mul" or safe]
            function, initial = self.pick(combines)
            self.features.add("basic fold")
            return f"reduce({source.text}, {function}, {initial})"
        return self.stepped(family, source, scope, exact)

    def source(self, family: str, scope: Scope, exact: bool) -> Value | None:
        """A ToL of one family to fold over, by name or mapped from another."""
        values = [v for v in scope.tensors() if v.kind.families == (family,) and (v.exact or not exact)]
        if values and self.chance(60):
            return self.pick(values)
        others = [v for v in scope.tensors() if len(v.kind.families) == 1]
        if not others or self.fuel <= 0:
            return self.pick(values) if values else None
        other = self.pick(others)
        body = self.numeric(family, scope.with_star(other.element("*"), other.kind.texts), exact)
        return Value(f"map({other.text}, {body})", Kind(other.kind.shape, (family,)), exact)

    def stepped(self, family: str, source: Value, scope: Scope, exact: bool) -> str:
        """A fold by a function written out, whose state grows slowly so that whole numbers stay small."""
        self.features.add("user fold")
        state, element = self.fresh("s"), self.fresh("x")
        inner = scope.with_values(source.element(element))
        parameters = f"({state}, {element})"
        if self.chance(25) and source.kind.rank == 1:
            place = self.fresh("c")
            parameters = f"({state}, {element}, {place})"
            inner = inner.with_iterators((place, source.kind.shape[0]))
            self.features.add("fold with coordinates")
        value = self.numeric(family, inner, exact)
        if family in ("B", "S"):
            steps = [f"if {self.comparison(inner)} then {value} else {state}"]
        else:
            known = inner.with_values(Value(state, Kind((), (family,)), exact))
            steps = [f"{state} + {value}", f"{value} - {state}"]
            if family != "C":
                steps += [
                    f"max({state}, {value})",
                    f"if {self.comparison(known if exact else inner)} then {value} else {state}",
                ]
            if family == "Z":
                steps.append(f"({state} * 2 + {value}) % 7")
        return f"reduce({source.text}, {parameters} -> {self.pick(steps)}, {self.pick(LITERALS[family])})"

    def tensor(self, kind: Kind, scope: Scope, exact: bool = True) -> str:
        """A ToL of capacity 1 with a wanted shape and family."""
        self.fuel -= 1
        values = [v for v in scope.tensors() if v.kind.texts == kind.texts and v.kind.families == kind.families and (v.exact or not exact)]  # fmt: skip
        if values and (self.fuel <= 0 or self.chance(50)):
            return self.pick(values).text
        same = [v for v in scope.tensors() if v.kind.texts == kind.texts]
        if same and self.chance(50):
            value = self.pick(same)
            inner = scope.with_star(value.element("*"), kind.texts)
            return f"map({value.text}, {self.numeric(kind.family, inner, exact)})"
        return self.at_coordinates(kind, scope, exact)

    def at_coordinates(self, kind: Kind, scope: Scope, exact: bool = True) -> str:
        """A map over zeros of the shape, with names for the coordinates."""
        names = [self.fresh("i") for _ in kind.shape]
        inner = scope.with_iterators(*zip(names, kind.shape, strict=True))
        zero = Value("*", Kind((), ("Z",)))
        body = self.numeric(kind.family, inner.with_star(zero, kind.texts), exact)
        listed = names[0] if len(names) == 1 and self.chance(50) else f"[{','.join(names)}]"
        self.features.add("map by coordinates")
        return f"map(tol[{','.join(kind.texts)}], {body}, {listed})"
