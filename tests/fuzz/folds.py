"""Folds inside folds, at random: compiled code beside the interpreter, and whether all memory is given back.

    python -m tests.fuzz.folds 2000 --seed 1
    python -m tests.fuzz.folds --only 1/123

States are vectors, matrices, lists and bundles of these, also growing ones, of every machine type; what a step does is
drawn so that every strategy of repetitions comes to stand inside every other.  Lengths lie around those at which the
compiler decides otherwise.  All numbers stay whole and small, so that every order of a sum gives the same bits.

Programs are run in processes of their own, some of them in guarded memory, so that a crash is a finding like any other.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from threading import Timer
from typing import Any, TypeVar

import numpy as np
from tests.fuzz.kinds import DTYPES

import tolang
from tolang.engines.cpu.emission.function import ROOM_OF_A_STEP, SMALL_BUFFER
from tolang.engines.cpu.emission.sharing import SMALLEST_PIECE
from tolang.engines.cpu.runtime import native
from tolang.engines.cpu.runtime.memory import COUNTED
from tolang.engines.cpu.strategies.choice_fold import LANES
from tolang.plan.grain import LANE_BYTES
from tolang.rewrite.interchange import BLOCK
from tolang.rewrite.unrolling import MOST as MOST_UNROLLED

Item = TypeVar("Item")
ROOT = Path(__file__).resolve().parents[2]
WHOLE = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f16", "bf16", "f32", "f64")
COMPLEX = ("c64", "c128")
STORAGES = ("B", *WHOLE, *FLOATS, "f64", "f64", "f32", *COMPLEX)
LONG_SUMS = {"f32", "f64"}
"""Floats in which sums of some thousand small numbers are exact."""

BYTES = (LANE_BYTES, 8 * SMALL_BUFFER, ROOM_OF_A_STEP, ROOM_OF_A_STEP, COUNTED, SMALLEST_PIECE)
"""Where the compiler decides otherwise: vectors, buffers on the stack, room of a step, memory that is counted, threads."""

ELEMENTS = (1, 2, 3, MOST_UNROLLED, 8, 16, 31, SMALL_BUFFER, 4 * LANES, BLOCK)
"""The same in elements: unrolled loops, lanes, buffers of a known length, blocks."""

MOST_WORK = 40_000
"""How many elements a fold computes at the most."""

ONE_BY_ONE = 4_000
"""The same where the interpreter goes through them one by one."""

STEPS = (0, 1, 1, 2, 3, 3, 4, 5, 7, 8, 9)
HANGING = 300
"""After how many seconds of silence a process is ended; what it was at is then a finding."""

PART = 40
"""How many programs a process runs before another takes its place."""

MEMORY = ("", "", "end", "start")
"""What kinds of memory, as `TOL_GUARD` names them, the processes have in turn."""

JOIN = "associative join(a, b) = ((a[1]' * b[1]') % 5, (b[1]' * a[2]' + b[2]') % 5)"
SAME = ({"E303", "E513"}, {"E305", "E509"}, {"E301", "E515", "E510"}, {"E312", "E507", "E508"})
"""Codes that say the same, before and while running."""


@dataclass(frozen=True)
class Program:
    seed: str
    source: str
    data: dict[str, Any] = field(repr=False)

    def told(self) -> str:
        shapes = ", ".join(f"{name}: {np.asarray(one).dtype}{list(np.shape(one))}" for name, one in self.data.items())
        return f"seed {self.seed}\n{self.source}\n{shapes}"


@dataclass(frozen=True)
class Scope:
    """What can be named at a place: ToLs of the state's shape, numerics of its space, and counters."""

    wholes: tuple[str, ...]
    numbers: tuple[str, ...] = ()
    counters: tuple[str, ...] = ()
    work: int = 1

    def inside(self, wholes: Iterable[str] = (), numbers: Iterable[str] = (), counters: Iterable[str] = (),
               times: int = 1) -> Scope:  # fmt: skip
        """With more names, in what is done so many times."""
        return Scope((*self.wholes, *wholes), (*self.numbers, *numbers), (*self.counters, *counters), self.work * times)


class Writer:
    """Draws programs of one machine type, whose states have one shape."""

    def __init__(self, generator: random.Random) -> None:
        self.random = generator
        self.storage = generator.choice(STORAGES)
        self.rank = 1 if self.storage in COMPLEX or generator.random() < 0.7 else 2
        self.length = self._length()
        self.known = generator.random() < 0.25
        self.n = str(self.length) if self.known else "n"
        self.volume: int = self.length**self.rank
        self.faulty = generator.random() < 0.1
        self._serial = 0
        self.depth = 0
        self.fuel = generator.choice([3, 5, 7, 9])

    def _length(self) -> int:
        bits = self.storage.strip("bcfiu")
        width = 1 if self.storage == "B" else int(bits) // 8
        elements: int = self.random.choice(
            [*(size // width for size in BYTES), *ELEMENTS, self.random.randint(1, 1300)]
        )
        if self.rank == 2:
            side: int = round(float(elements) ** 0.5) + self.random.choice((-1, 0, 0, 1))
            return max(1, min(40, side))
        return max(1, min(4200, elements + self.random.choice((-1, 0, 0, 1, 2))))

    # Parts

    def pick(self, items: Sequence[Item]) -> Item:
        return self.random.choice(items)

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def name(self, base: str) -> str:
        self._serial += 1
        return f"{base}{self._serial}"

    @property
    def shape(self) -> str:
        return ",".join([self.n] * self.rank)

    def literal(self) -> str:
        if self.storage == "B":
            return self.pick(["true", "false"])
        return self.pick(["0", "1", "2", "3", "5"])

    def mix(self, one: str, other: str) -> str:
        """Two numbers made one, again whole and small."""
        if self.storage == "B":
            return f"({one} {self.pick(['and', 'or', 'xor', 'xor'])} {other})"
        if self.storage in COMPLEX:
            return f"({one} {self.pick('+-')} {other})"
        forms = ["({a} + {b}) % 7", "({a} * {b}) % 5", "max({a}, {b})", "min({a}, {b})", "({a} + 2 * {b}) % 5"]
        if not self.storage.startswith("u"):
            forms += ["({a} - {b}) % 7", "abs({a} - {b})"]
        return "(" + self.pick(forms).format(a=one, b=other) + ")"

    def condition(self, scope: Scope) -> str:
        if scope.counters and self.chance(0.5):
            return f"{self.pick(scope.counters)} % 2 == {self.pick('01')}"
        if self.storage == "B":
            return self.number(scope)
        if self.storage in COMPLEX:
            return f"{self.number(scope)} == {self.literal()}"
        return f"{self.number(scope)} {self.pick(['>', '<', '>=', '=='])} {self.literal()}"

    def steps(self, scope: Scope) -> int:
        """How often a step is done, within what a program may cost."""
        fitting = [one for one in STEPS if scope.work * max(one, 1) * self.volume <= MOST_WORK]
        return self.pick(fitting or [1])

    def counted(self, steps: int) -> str:
        """What a fold of so many steps goes over."""
        return (
            f"tol[{steps}]"
            if self.chance(0.6)
            else {0: "q0", 1: "q1"}.get(steps, f"q[1:{steps}]" if steps <= 9 else "q")
        )

    # Numerics

    def number(self, scope: Scope) -> str:
        forms: list[Callable[[Scope], str]] = [self._known_number, self._known_number]
        if self.depth < 4 and self.fuel > 0:
            forms += [self._element, self._folded, self._folded, self._repeated]
            few = self.is_cheap(scope)
            forms += [self._last] if few else []
            if self.storage not in (*COMPLEX, "B"):
                forms += [self._settled, self._chosen, self._joined] if few else []
                forms += [self._counted]
        return self._deeper(self.pick(forms), scope)

    def is_cheap(self, scope: Scope) -> bool:
        """Whether elements of a whole may be gone through one by one."""
        return scope.work * self.volume <= ONE_BY_ONE

    def _deeper(self, form: Callable[[Scope], str], scope: Scope) -> str:
        self.depth += 1
        self.fuel -= 1
        made = form(scope)
        self.depth -= 1
        return made

    def _known_number(self, scope: Scope) -> str:
        return self.pick(scope.numbers) if scope.numbers and self.chance(0.7) else self.literal()

    def _element(self, scope: Scope) -> str:
        return f"{self.pick(scope.wholes)}[{','.join(self.pick(['1', self.n]) for _ in range(self.rank))}]"

    def _folded(self, scope: Scope) -> str:
        """A fold of a whole by a function that may be regrouped."""
        whole = self.whole(scope)
        if self.storage == "B":
            return f"reduce({whole}, {self.pick(['and', 'or', 'xor'])}, {self.literal()})"
        if self.storage in COMPLEX:
            return f"reduce({whole}, add, 0)"
        if self.storage in (*LONG_SUMS, "i32", "i64", "u64") and self.chance(0.5):
            return f"(reduce({whole}, add, 0) % 7)"
        return f"reduce({whole}, {self.pick(['max', 'min'])}, {self.literal()})"

    def _repeated(self, scope: Scope) -> str:
        """A number that goes on from itself."""
        steps, state, turn = self.steps(scope), self.name("a"), self.name("t")
        inner = scope.inside(numbers=[state], counters=[turn], times=max(steps, 1))
        step = self.mix(state, self.number(inner))
        if self.chance(0.3):
            step = f"if {self.condition(inner)} then {step} else {state}"
        return f"reduce({self.counted(steps)}, ({state},_,{turn}) -> {step}, {self.number(scope)})"

    def _last(self, scope: Scope) -> str:
        """The last of a running fold."""
        if self.rank == 2:
            return self._element(scope)
        state, element = self.name("s"), self.name("e")
        step = self.mix(f"{state}[|{state}|[1]]", element)
        return f"(reduce({self.whole(scope)}, ({state},{element}) -> [{state}, {step}], [{self.number(scope)}])[{self.n}+1])"

    def _settled(self, scope: Scope) -> str:
        state, element = self.name("a"), self.name("e")
        step = f"if {state} == 3 then {state} else {self.mix(state, element)}"
        return f"reduce({self.whole(scope)}, ({state},{element}) -> {step}, {self.number(scope)})"

    def _joined(self, scope: Scope) -> str:
        """A fold by a function that is declared associative: maps `v -> a*v + b`, one after the other."""
        return f"(reduce(map({self.whole(scope)}, (* % 3, 1)), join, (1, 0))[{self.pick('12')}]')"

    def _counted(self, scope: Scope) -> str:
        count = f"reduce(map({self.whole(scope)}, * > {self.literal()}), add, 0)"
        return f"convert({count} % 7, space(x))"

    def _chosen(self, scope: Scope) -> str:
        whole = self.name("w")
        place = f"reduce(map({whole}, (*, iter{'' if self.rank == 1 else '[1]'})), (s,e) -> if e[1]' < s[1]' then e else s, ({self.literal()}, 1))"
        return f"{{ {whole} = {self.whole(scope)}; convert({place}[2]' % 7, space(x)) }}"

    # ToLs of the state's shape

    def whole(self, scope: Scope) -> str:
        forms: list[Callable[[Scope], str]] = [self._named]
        if self.depth < 5 and self.fuel > 0 and scope.work * self.volume <= MOST_WORK:
            forms += [self._mapped, self._mixed, self._chosen_whole, self._shared]
            forms += [self._fold] * 4
        return self._deeper(self.pick(forms), scope)

    def _named(self, scope: Scope) -> str:
        return self.pick(scope.wholes[-3:]) if self.chance(0.8) else self.pick(scope.wholes)

    def _mixed(self, scope: Scope) -> str:
        return self._joint(self.whole(scope), self.whole(scope) if self.chance(0.7) else self.number(scope))

    def _mapped(self, scope: Scope) -> str:
        element, places = self.name("y"), [self.name("k") for _ in range(self.rank)]
        at = self._read(scope, places)
        if self.chance(0.3):
            at = self.mix(at, self._read(scope, places))
        if self.chance(0.3):
            inner = scope.inside(numbers=[element], counters=places, times=self.volume)
            at = self.mix(at, self._small_fold(inner, element))
        body = self.mix(element, at)
        if self.rank == 1:
            return f"map({self.whole(scope)}, ({element},{places[0]}) -> {body})"
        return f"map({self.whole(scope)}, {{ {element} = *; {body} }}, [{','.join(places)}])"

    def _small_fold(self, scope: Scope, element: str) -> str:
        """A fold at every element: of a state alone, or over a whole where that costs little."""
        if scope.work * self.length <= MOST_WORK and self.storage not in (*COMPLEX, "B", "f16", "bf16"):
            whole, place = self.pick(scope.wholes), self.name("p")
            at = f"{whole}[{','.join([place] * self.rank)}]"
            function = self.pick(["add", "max", "min"])
            return f"(reduce(map(tol[{self.n}], ({at} + {element}) % 7, {place}), {function}, 0) % 7)"
        state = self.name("a")
        return f"reduce(tol[3], ({state},_) -> {self.mix(state, element)}, {element})"

    def _read(self, scope: Scope, places: list[str]) -> str:
        """An element of a whole at other coordinates."""
        whole = self.pick(scope.wholes)
        turned = [f"{self.n}+1-{one}" if self.chance(0.4) else one for one in places]
        if self.rank == 2 and self.chance(0.4):
            turned.reverse()
        form = self.random.random()
        if self.faulty and form < 0.4:
            return f"{whole}[{','.join([f'{turned[0]}+d', *turned[1:]])}]"
        if form < 0.6:
            near = ",".join([f"{places[0]}-1", *places[1:]])
            return f"(if {places[0]} > 1 then {whole}[{near}] else {self.literal()})"
        return f"{whole}[{','.join(turned)}]"

    def _chosen_whole(self, scope: Scope) -> str:
        return f"(if {self.condition(scope)} then {self.whole(scope)} else {self.whole(scope)})"

    def _shared(self, scope: Scope) -> str:
        name = self.name("w")
        return f"{{ {name} = {self.whole(scope)}; {self.whole(scope.inside([name]))} }}"

    # Folds of wholes

    def _fold(self, scope: Scope) -> str:
        forms: list[Callable[[Scope], str]] = [
            self._plain, self._plain, self._nested, self._nested, self._bundled, self._listed, self._conditional, self._settling, self._in_rows,
        ]  # fmt: skip
        if self.rank == 1:
            forms += [self._shifted, self._appended, *([self._growing] if self.is_cheap(scope) else [])]
            if self.is_cheap(scope) and scope.work * self.length**2 <= MOST_WORK and self.storage not in COMPLEX:
                forms += [self._filtered, self._inserted]
        else:
            forms += [self._product, self._rows_below, self._turned]
        if self.storage not in (*COMPLEX, "B"):
            forms += [
                self._put,
                self._put,
                self._iterated,
                *([self._histogram, self._labelled] if self.rank == 1 else []),
            ]
        return self.pick(forms)(scope)

    def _plain(self, scope: Scope) -> str:
        steps, state, turn = self.steps(scope), self.name("s"), self.name("t")
        inner = scope.inside([state], counters=[turn], times=max(steps, 1))
        return f"reduce({self.counted(steps)}, ({state},_,{turn}) -> {self.whole(inner)}, {self.whole(scope)})"

    def _nested(self, scope: Scope) -> str:
        """A few steps inside a few steps, each of a whole that is computed of the one before."""
        outer, inner, state, other = self.pick("123"), self.pick("01235"), self.name("s"), self.name("s")
        within = scope.inside([state, other], times=15)
        step = self._whole_of(other, within)
        fold = f"reduce(tol[{inner}], ({other},_) -> {step}, {self._named(scope.inside([state]))})"
        return f"reduce(tol[{outer}], ({state},_) -> {self._joint(state, fold)}, {self.whole(scope)})"

    def _whole_of(self, state: str, scope: Scope) -> str:
        """A whole that is computed of a state and another."""
        if self.rank == 1 and self.chance(0.5):
            return f"map({state}, (y,k) -> {self.mix('y', self._read(scope, ['k']))})"
        return self._joint(state, self._named(scope))

    def _joint(self, one: str, other: str) -> str:
        return self.mix(one, other) if self.storage in (*COMPLEX, "B") else f"(({one} + {other}) % 7)"

    def _conditional(self, scope: Scope) -> str:
        steps, state, turn = self.steps(scope), self.name("s"), self.name("t")
        inner = scope.inside([state], counters=[turn], times=max(steps, 1))
        otherwise = state if self.chance(0.6) else self.whole(inner)
        step = f"if {self.condition(inner)} then {self.whole(inner)} else {otherwise}"
        return f"reduce({self.counted(steps)}, ({state},_,{turn}) -> {step}, {self.whole(scope)})"

    def _bundled(self, scope: Scope) -> str:
        """A whole and a number, or a whole and a vector of another length."""
        steps, state, other = self.steps(scope), self.name("s"), self.name("a")
        inner = scope.inside([state], [other], times=max(steps, 1))
        if self.chance(0.4):
            inner = scope.inside([state], times=max(steps, 1))
            parts = (self.whole(inner), f"map({other}, {self.mix('*', self.number(inner))})")
            start = f"map(tol[{self.pick(['2', '5', self.n + '+1'])}], {self.literal()})"
        else:
            parts, start = (self.whole(inner), self.mix(other, self.number(inner))), self.number(scope)
        begin = f"({self.whole(scope)}, {start})"
        return f"(reduce({self.counted(steps)}, (({state}, {other}), _) -> ({parts[0]}, {parts[1]}), {begin})[1]')"

    def _listed(self, scope: Scope) -> str:
        """Lists of two numbers each."""
        steps, one, other = self.steps(scope), self.name("s"), self.name("r")
        inner = scope.inside([one, other], times=max(steps, 1))
        step = (self.whole(inner), self.pick([one, self.whole(inner)]))
        begin = f"({self.whole(scope)}, {self.whole(scope)})"
        fold = f"reduce({self.counted(steps)}, (({one}, {other}), _) -> ({step[0]}, {step[1]}), {begin})"
        return f"({fold}[{self.pick('12')}]')"

    def _settling(self, scope: Scope) -> str:
        """A fold that comes to a fixed point."""
        state, steps = self.name("s"), max(2, self.steps(scope))
        function = "or" if self.storage == "B" else "max"
        if self.storage in COMPLEX:
            return self._plain(scope)
        if self.rank == 1:
            step = f"map({state}, (y,k) -> {function}(y, if k > 1 then {state}[k-1] else y))"
            if self.volume <= 70 and self.chance(0.5):
                step = f"map({state}, (y,k) -> reduce({state}, {function}, y))"
        else:
            combined = f"{function}({state}[i,p], {state}[p,j])"
            step = f"map({state}, reduce(map(tol[{self.n}], {combined}, p), {function}, *), [i,j])"
        return f"reduce({self.counted(steps)}, ({state},_) -> {step}, {self.whole(scope)})"

    def _in_rows(self, scope: Scope) -> str:
        """A fold in each row of something larger, of which one row is taken."""
        place, rows = self.name("k"), self.pick([1, 2, 3])
        inner = scope.inside(counters=[place], times=rows)
        return f"(map(tol[{rows}], {self.whole(inner)}, {place})[{self.random.randint(1, rows)}])"

    def _growing(self, scope: Scope) -> str:
        state, element = self.name("s"), self.name("e")
        step = self.mix(f"{state}[|{state}|[1]]", element)
        return f"(reduce({self.whole(scope)}, ({state},{element}) -> [{state}, {step}], [{self.number(scope)}])[2:])"

    def _shifted(self, scope: Scope) -> str:
        state, steps = self.name("s"), self.steps(scope)
        inner = scope.inside([state], times=max(steps, 1))
        return f"reduce({self.counted(steps)}, ({state},_) -> [{state}[2:], {self.number(inner)}], {self.whole(scope)})"

    def _appended(self, scope: Scope) -> str:
        """A state that grows by what folds of it say; its last elements."""
        state, steps = self.name("s"), self.steps(scope)
        inner = scope.inside(times=max(steps, 1))
        last = self.mix(f"{state}[|{state}|[1]]", self.number(inner))
        return f"(reduce(tol[{steps}], ({state},_) -> [{state}, {last}], {self.whole(scope)})[{steps + 1}:])"

    def _filtered(self, scope: Scope) -> str:
        state, element, kept, whole = (self.name(one) for one in "sefw")
        test = element if self.storage == "B" else f"{element} > {self.literal()}"
        step = f"if {test} then [{state},{element}] else {state}"
        fold = f"reduce({whole}, ({state},{element}) -> {step}, tol[0])"
        body = f"map({whole}, (y,k) -> if k <= |{kept}|[1] then {self.mix('y', f'{kept}[k]')} else y)"
        return f"{{ {whole} = {self.whole(scope)}; {kept} = {fold}; {body} }}"

    def _inserted(self, scope: Scope) -> str:
        if self.storage == "B":
            return self._plain(scope)
        state, element = self.name("s"), self.name("e")
        step = f"{{ k = reduce(map({state}, * <= {element}), add, 0); [{state}[1:k], {element}, {state}[k+1:]] }}"
        return f"reduce({self.whole(scope)}, ({state},{element}) -> {step}, tol[0])"

    def _product(self, scope: Scope) -> str:
        one, other = self.name("w"), self.name("w")
        if self.storage == "B":
            inside, function, start, after = f"{one}[i,p] and {other}[p,j]", "or", "false", ""
        elif self.storage in ("f16", "bf16", "i8", "u8") or self.chance(0.3):
            inside, function, start, after = f"max({one}[i,p], {other}[p,j])", "min", "5", ""
        else:
            inside, function, start, after = f"{one}[i,p] * {other}[p,j]", "add", "0", " % 7"
        if scope.work * self.volume * self.length > 10 * MOST_WORK:
            return self._named(scope)
        body = f"map({one}, reduce(map(tol[{self.n}], {inside}, p), {function}, {start}){after}, [i,j])"
        return f"{{ {one} = {self.whole(scope)}; {other} = {self.whole(scope)}; {body} }}"

    def _rows_below(self, scope: Scope) -> str:
        """Each row from the one above and from what lies to the left, as an alignment is computed."""
        state, whole = self.name("s"), self.name("w")
        last = f"{state}[|{state}|[1], j]"
        row = f"map(tol[{self.n}], {self.mix(last, f'{whole}[i,j]')}, j)"
        fold = f"reduce(tol[{self.n}], ({state},_,i) -> [[{state}], [{row}]], [[{whole}[1]]])"
        return f"{{ {whole} = {self.whole(scope)}; {fold}[2:] }}"

    def _turned(self, scope: Scope) -> str:
        whole = self.name("w")
        return f"{{ {whole} = {self.whole(scope)}; map({whole}, {whole}[j,i], [i,j]) }}"

    def _histogram(self, scope: Scope) -> str:
        state, element = self.name("s"), self.name("e")
        function = self.pick([f"{state}[{element}] + 1", f"max({state}[{element}], 3)"])
        return f"(reduce(at, ({state},{element}) -> put({state}, {element}, {function}), {self.whole(scope)}) % 7)"

    def _labelled(self, scope: Scope) -> str:
        if scope.work * self.volume * 9 > MOST_WORK:
            return self._named(scope)
        whole = self.name("w")
        part = f"reduce(map(at, if * == k then {whole}[i] else 0, i), {self.pick(['add', 'max'])}, 0)"
        return f"{{ {whole} = {self.whole(scope)}; map({whole}, {part} % 7, k) }}"

    def _iterated(self, scope: Scope) -> str:
        """Each element goes on from itself, until a test on it fails."""
        element, state = self.name("y"), self.name("a")
        step = f"if {state} < 3 then {self.mix(state, element)} else {state}"
        return f"map({self.whole(scope)}, {element} -> reduce(tol[9], ({state},_) -> {step}, {element}))"

    def _put(self, scope: Scope) -> str:
        """A state whose elements, or rows, are changed where data says."""
        state, element = self.name("s"), self.name("e")
        if scope.work * self.volume * 9 > MOST_WORK:
            return self._named(scope)
        if self.rank == 1:
            step = f"put({state}, {element}, {self.mix(f'{state}[{element}]', self.literal())})"
        else:
            row = f"map({state}[{element}], (v,j) -> {self.mix('v', f'{self._named(scope)}[i,j]')})"
            step = f"[[{state}[1:{element}-1]], [{row}], [{state}[{element}+1:]]]"
        return f"reduce(at, ({state},{element}{',i' if self.rank == 2 else ''}) -> {step}, {self.whole(scope)})"


def program(seed: str) -> Program:
    """The program of a seed, and its data."""
    generator = random.Random(seed)
    writer = Writer(generator)
    scope = Scope(("x", "z"))
    parts = [writer.whole(scope) if one else writer._fold(scope) for one in range(generator.choice([1, 1, 2]))]
    if generator.random() < 0.3:
        parts.append(writer.number(scope))
    lines = [f"tol {name}: {writer.storage} [{writer.shape}]" for name in "xz"]
    joined = any("join," in part for part in parts)
    lines += [f"r{k} := {part}" for k, part in enumerate(parts, 1)]
    text = "\n".join(lines[2:])
    inputs = {
        "at": f"tol at: N [{min(9, writer.length)}]",
        "q": "tol q: N [9]",
        "d": "tol d: N",
        "q0": "tol q0: N [0]",
        "q1": "tol q1: N [1]",
    }
    shape = (writer.length,) * writer.rank
    places = np.array([generator.randint(1, writer.length) for _ in range(min(9, writer.length))])
    values = {
        "at": places,
        "q": np.arange(1, 10),
        "d": generator.choice([0, 0, 1]),
        "q0": np.zeros(0, int),
        "q1": np.ones(1, int),
    }
    used = [
        name for name in inputs if any(f"{before}{name}{after}" in text for before in "( +-*/,[" for after in ",[]) +")
    ]
    data = {name: _numbers(generator, writer.storage, shape) for name in "xz"}
    data |= {name: values[name] for name in used}
    first = [*lines[:2], *(inputs[name] for name in used), *([JOIN] if joined else [])]
    return Program(seed, "\n".join([*first, *lines[2:]]), data)


def _numbers(generator: random.Random, storage: str, shape: tuple[int, ...]) -> Any:
    own = np.random.default_rng(generator.getrandbits(32))
    if storage in COMPLEX:
        made = own.integers(-2, 3, shape) + 1j * own.integers(-2, 3, shape)
        return made.astype(np.complex64 if storage == "c64" else np.complex128)
    whole = own.integers(0, 2 if storage == "B" else 7, shape)
    return whole.astype(bool) if storage == "B" else whole.astype(DTYPES[storage])


# Judging


def results(made: Program, engine: str, strict: bool, threads: int) -> dict[str, Any] | str:
    """What an engine gives, or the code of its error."""
    try:
        ready = tolang.compile(made.source, engine=engine, strict=strict, fallback=True, threads=threads)
        found: Any = ready(**made.data)
    except tolang.ToLangError as error:
        return error.code
    return found if isinstance(found, dict) else {"r1": found}


def differences(made: Program) -> list[str]:
    """What compiled code does otherwise than the interpreter, and memory that it keeps."""
    expected = results(made, "interpret", False, 1)
    told = []
    for strict, threads in ((False, 1), (False, 2), (True, 2)):
        found = results(made, "cpu", strict, threads)
        way = f"{'strict, ' if strict else ''}{threads} threads"
        wrong = difference(expected, found)
        if wrong:
            told.append(f"{way}: {wrong}")
        if native.held_memory():
            told.append(f"{way}: {native.held_memory()} bytes are not given back")
    return told


EXACT_UP_TO = {"complex64": 2.0**20, "complex128": 2.0**49}
"""Sums of complex numbers are not kept small; those of numbers that are beyond this depend on their order."""
ROUNDED_TO = {"complex64": 1e-4, "complex128": 1e-12}
"""How far such a number may be off, as a share of the largest."""


def difference(expected: dict[str, Any] | str, found: dict[str, Any] | str) -> str:
    """How results differ; empty where they do not."""
    if isinstance(expected, str) or isinstance(found, str):
        codes = {one if isinstance(one, str) else "values" for one in (expected, found)}
        same = len(codes) == 1 or any(codes <= one for one in SAME)
        return "" if same else f"{_shown(found)} in place of {_shown(expected)}"
    for name, one in expected.items():
        a, b = np.asarray(one), np.asarray(found[name])
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{name} is {b.dtype}{list(b.shape)} in place of {a.dtype}{list(a.shape)}"
        alike = (a == b) | ((a != a) & (b != b))
        if a.dtype.name in EXACT_UP_TO:
            size = np.abs(a)
            near = np.abs(a - b) <= ROUNDED_TO[a.dtype.name] * np.max(size, initial=0)
            alike |= near & (size > EXACT_UP_TO[a.dtype.name])
        apart = np.argwhere(~alike)
        if len(apart):
            first = tuple(apart[0])
            place = [int(k) + 1 for k in first]
            return f"{name} at {place}, and {len(apart) - 1} more: {b[first]} in place of {a[first]}"
    return ""


def _shown(found: dict[str, Any] | str) -> str:
    return found if isinstance(found, str) else "values"


# Running many


def work(seed: str, start: int, stop: int) -> None:
    """Judges some programs, and writes what was found for the process that asked."""
    for number in range(start, stop):
        print(f"at {number}", flush=True)
        try:
            made = program(f"{seed}/{number}")
            told = differences(made)
        except Exception as error:
            told = [f"{type(error).__name__}: {error}"]
        if told:
            print("found " + repr("\n".join([made.told(), *told])), flush=True)
    print("done", flush=True)


def run(count: int, seed: str, start: int = 0, memory: Sequence[str] = MEMORY) -> list[str]:
    """Judges so many programs in processes of their own, which have kinds of memory in turn; what was found."""
    findings: list[str] = []
    for number, at in enumerate(range(start, start + count, PART)):
        stop = min(at + PART, start + count)
        while at < stop:
            at = _part(seed, at, stop, memory[number % len(memory)], findings)
    return findings


def _part(seed: str, start: int, stop: int, guard: str, findings: list[str]) -> int:
    """One process; where it ends before its time, the program it was at is a finding.  Where to go on."""
    environment = {**os.environ, "TOL_CACHE_DIR": "off", "TOL_DEFECTS": "raise", "TOL_GUARD": guard}
    environment.setdefault("TOL_COMPILE", "quick")
    command = [sys.executable, "-m", "tests.fuzz.folds", "--seed", seed, "--part", str(start), str(stop)]
    at, done = start, False

    def found(told: str) -> None:
        findings.append(f"TOL_GUARD={guard} {told}")
        print(findings[-1], flush=True)

    with TemporaryFile("w+") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, cwd=ROOT, env=environment)
        watch = Timer(HANGING, process.kill)
        watch.start()
        for line in process.stdout or ():
            watch.cancel()
            watch = Timer(HANGING, process.kill)
            watch.start()
            word, _, rest = line.strip().partition(" ")
            match word:
                case "at":
                    at = int(rest)
                case "found":
                    found(ast.literal_eval(rest))
                case "done":
                    done = True
        watch.cancel()
        if process.wait() == 0 and done:
            return stop
        errors.seek(0)
        found(f"{program(f'{seed}/{at}').told()}\nended with {process.returncode}: {errors.read()[-600:]}")
    return at + 1


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.folds")
    parser.add_argument("count", nargs="?", type=int, default=1000)
    parser.add_argument("--seed", default=str(time.time_ns() % 10**9))
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--only", help="judge one program, by SEED/NUMBER, in this process")
    parser.add_argument("--part", nargs=2, type=int, help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.part:
        work(given.seed, *given.part)
        return 0
    if given.only:
        made = program(given.only)
        print(made.told(), flush=True)
        found = differences(made)
        print("\n".join(found) or "no difference")
        return bool(found)
    print(f"{given.count} programs of seed {given.seed}", flush=True)
    findings = run(given.count, given.seed, given.start)
    print(f"{len(findings)} findings")
    return bool(findings)


if __name__ == "__main__":
    sys.exit(main())
