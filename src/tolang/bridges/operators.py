"""A program as an operator of another library: arrays of machine numbers in and out, derivatives, batches.

What a library adds (its arrays, its ways of tracing) stands in modules of its own.
"""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from tolang.core.core import Core, Expr, Random
from tolang.core.types import Type
from tolang.data.binding import interface
from tolang.ground.reporting.diagnostics import usage
from tolang.ground.values.casting import OBJECT_STORAGES
from tolang.program.program import Program, compile

_NUMBERS = itertools.count(1)


class Operator:
    """What a program takes and gives, seen from a library whose arrays hold machine numbers.

    `inputs` are those that the program does not bring itself; `sizes` are those that shapes do not tell, as one of n
    and m where there is `[n*m]` alone, which a call gives by name.
    """

    def __init__(self, program: Program, name: str | None = None) -> None:
        self.program = program
        self.inputs = {one: kind for one, kind in program.inputs.items() if one not in program.weights}
        self.outputs = program.outputs
        for what, named in (("takes", self.inputs), ("gives", self.outputs)):
            for one, kind in named.items():
                _refuse_beyond_arrays(what, one, kind)
        if not self.outputs:
            raise usage("E602", "the program exports no value", fix="export one with :=")
        self.sizes = _sizes_to_give(program)
        self.own_name = self.__name__ = name or _name_of(program)
        self._pullbacks: dict[tuple[tuple[str, ...], tuple[str, ...]], Program] = {}
        self._tangents: dict[tuple[tuple[str, ...], tuple[str, ...]], Program] = {}
        self._batches: dict[tuple[str, ...], Program] = {}

    @cached_property
    def name(self) -> str:
        """A name that no other operator has: its own, and a digest of what it computes."""
        program = self.program
        brought = [str(next(_NUMBERS))] if program.weights or program.fixed else []
        runner = program.runner
        options = program.engine, program.strict, runner.fallback, runner.threads, runner.memory
        said = repr([program.source.text, *program.derivations, *options, *brought])
        own = re.sub(r"\W+", "_", self.own_name, flags=re.ASCII).strip("_") or "operator"
        return f"{own}_{hashlib.sha256(said.encode()).hexdigest()[:12]}"

    def core(self, kinds: Iterable[np.dtype[Any]]) -> Core:
        """The program for arrays of these types, in order."""
        return self.program.core_for(dict(zip(self.inputs, kinds, strict=True)))

    @cached_property
    def draws(self) -> bool:
        """Whether random numbers are drawn anywhere."""
        pending: list[Expr] = [self.program.core.body]
        seen: set[int] = set()
        while pending:
            one = pending.pop()
            if isinstance(one, Random):
                return True
            if id(one) not in seen:
                seen.add(id(one))
                pending.extend(one.children())
        return False

    def ordered(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Any], list[int]]:
        """Data of all inputs in order, and the sizes that have to be given, from arguments by position and by name."""
        data = dict(zip(self.inputs, arguments, strict=False))
        twice = [one for one in named if one in data]
        unknown = [one for one in named if one not in self.inputs and one not in self.sizes]
        missing = [one for one in (*self.inputs, *self.sizes) if one not in data and one not in named]
        wrong = "given twice" if twice else "unknown" if unknown else "missing" if missing else None
        if wrong or len(arguments) > len(self.inputs):
            which = f": {', '.join(twice or unknown or missing)} {wrong}" if wrong else f", not {len(arguments)}"
            message = f"{self.own_name} takes {len(self.inputs)} input(s){which}"
            raise usage("E603", message, expected=interface(self.inputs, self.sizes))
        data = {**data, **named}
        return [data[one] for one in self.inputs], [data[one] for one in self.sizes]

    def pulled_back(self, of: tuple[str, ...], by: tuple[str, ...]) -> Program:
        """The program of cotangents of some inputs, from those of some outputs; made when it is first needed."""
        if (of, by) not in self._pullbacks:
            taken = {*self.program.inputs, *self.program.sizes, *self.outputs}
            names = {one: _free(f"d_{one}", taken) for one in dict.fromkeys((*of, *by))}
            self._pullbacks[of, by] = self.program.pullback(of, by, names=names)
        return self._pullbacks[of, by]

    def pushed_forward(self, of: tuple[str, ...], by: tuple[str, ...]) -> Program:
        """The program of the derivatives of some outputs along directions of some inputs."""
        if (of, by) not in self._tangents:
            taken = {*self.program.inputs, *self.program.sizes, *self.outputs}
            names = {one: _free(f"t_{one}", taken) for one in dict.fromkeys((*of, *by))}
            self._tangents[of, by] = self.program.tangent(of, by, names=names)
        return self._tangents[of, by]

    def batched(self, over: tuple[str, ...]) -> Program:
        """The program of a whole batch, over some of the inputs."""
        if over not in self._batches:
            size = _free("batch", {*self.program.inputs, *self.program.sizes})
            self._batches[over] = self.program.batched(over, size=size)
        return self._batches[over]

    def results(self, found: Any) -> list[np.ndarray[Any, Any]]:
        """What a call of the program has returned, as arrays in order."""
        several = [found] if len(self.outputs) == 1 else [found[name] for name in self.outputs]
        return [np.asarray(one) for one in several]

    @cached_property
    def real(self) -> frozenset[str]:
        """The names of inputs and outputs that have derivatives."""
        both = (*self.inputs.items(), *self.outputs.items())
        return frozenset(one for one, kind in both if kind.column.space.family == "R")

    def __repr__(self) -> str:
        return f"<{type(self).__module__.removesuffix('_operators')} operator of {self.program!r}>"


def program_of(given: Program | str | Path, **options: Any) -> Program:
    """A program as it is, or compiled from its path or its source."""
    if not isinstance(given, Program):
        return compile(given, **options)
    if options:
        raise usage("E603", f"the program is compiled already, so {', '.join(options)} cannot be chosen any more")
    return given


def separate(fresh: np.ndarray[Any, Any], others: Iterable[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """A result in memory of its own: the interpreter may give an input as it is.  Compiled code never does."""
    shared = fresh.base is None or isinstance(fresh.base, np.ndarray)
    return fresh.copy() if shared and any(np.may_share_memory(fresh, one) for one in others) else fresh


def _sizes_to_give(program: Program) -> tuple[str, ...]:
    """The sizes that the shapes of inputs leave open, each unless it follows from those before it."""
    lengths = [length for kind in program.inputs.values() for length in kind.shape]
    known: set[str] = set()
    wanted: list[str] = []
    while True:
        for length in lengths:
            left = [one for one in length.names() if one in program.sizes and one not in known]
            if len(left) == 1 and length.split(left[0]) is not None:
                known.add(left[0])
                break
        else:
            size = next((one for one in program.sizes if one not in known), None)
            if size is None:
                return tuple(wanted)
            known.add(size)
            wanted.append(size)


def _refuse_beyond_arrays(what: str, name: str, kind: Type) -> None:
    """Raises the error of lists, bundles, text and exact numbers, for which no array has a type."""
    if kind.parts or kind.capacity != 1:
        fix = f"export its components one by one, as {name}[1]'" if what == "gives" else "declare one input for each"
        raise usage("E614", f"the program {what} {name}, whose elements are lists", str(kind), "single numbers", fix)
    if kind.column.storage in OBJECT_STORAGES:
        message = f"the program {what} {name}, which is in {kind.column.space}"
        raise usage("E614", message, str(kind), "numbers that arrays hold", "convert to R, Z or B")


def _name_of(program: Program) -> str:
    """What to call a program: as its file, or as what it gives first."""
    named = program.source.name
    return next(iter(program.outputs), "operator") if named.startswith("<") else Path(named).stem


def _free(name: str, taken: Iterable[str]) -> str:
    while name in taken:
        name += "_"
    return name
