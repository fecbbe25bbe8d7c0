"""The CPU engine: a checked program compiled once, run at any sizes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from tolang.core.core import Core
from tolang.engines.contract import Failed, Fault, PlanSection
from tolang.engines.cpu.plan.artifact import (
    CALLED_AGAIN,
    CHECK_BITS,
    IMPATIENT,
    MOMENT,
    NOT_YET,
    Artifact,
    WrittenTensor,
    amount,
    expected,
)
from tolang.engines.cpu.plan.calling import Entry, InputInfo, OutputInfo, Repeated
from tolang.engines.cpu.runtime.loaded import LoadedKernel, named, postponed, walker_address
from tolang.engines.cpu.runtime.native import raise_pending
from tolang.engines.cpu.runtime.tier_up import improve, improved_now
from tolang.ground.values.spaces import dtype_of, strong
from tolang.ground.values.values import ToL

if TYPE_CHECKING:
    from tolang.engines.cpu.translation import Translation


class NotYet(Exception):
    """A run has met a kernel that is still to be compiled; nothing it did is left.

    Its text is for where it does so again when all that its sizes need was compiled, which is a mistake of ours.
    """

    def __str__(self) -> str:
        return "tolang: internal error: code that these sizes need was not compiled for them; please report it"


class Impatient(Exception):
    """A run has met a kernel that takes long, and would not look meanwhile if it is to end; nothing it did is left."""

    def __init__(self, kernel: str) -> None:
        super().__init__(kernel)
        self.kernel = kernel


class CpuExecutable:
    """A program in machine code.  Sizes are arguments: it is compiled once, and once more for very large ones.

    An artifact that an earlier compilation of the same program left saves compiling it, as long as its kernels exist.
    `fixed` are the values of inputs that are the same in all runs, whatever a run is given for them.  Where the `sizes`
    of the first run are told, kernels that compute little in it are ready soon, and fast when there are further runs.
    In the place of kernels named as `patient` there are such that look meanwhile if a run is to end.
    """

    def __init__(
        self,
        program: Core | PlanSection,
        strict: bool = False,
        artifact: Artifact | None = None,
        fixed: Mapping[str, ToL] | None = None,
        patient: frozenset[str] = frozenset(),
        sizes: Mapping[str, int] | None = None,
    ) -> None:
        self.program, self.fixed, self.strict = program, fixed or {}, strict
        self.patient = patient
        self._rest: Callable[[Mapping[str, int]], list[LoadedKernel]] | None = None
        kernels = None if artifact is None else _kernels(artifact)
        if artifact is None or kernels is None:
            artifact, kernels, self._rest = self._translated(sizes)
        self.artifact, self.kernels = artifact, kernels
        self._entry: Entry | None = None
        self._patiently: CpuExecutable | None = None
        self._long: set[tuple[int, ...]] = set()
        self._runs = 0
        self._seen: set[tuple[int, ...]] = set()
        self._before: list[LoadedKernel] = []

    def _translated(self, sizes: Mapping[str, int] | None) -> Translation:
        from tolang.engines.cpu.translation import translate
        from tolang.plan.fixed import lengths_of

        shapes = {name: value.shape for name, value in self.fixed.items()}
        lengths = {} if isinstance(self.program, PlanSection) else lengths_of(self.program, shapes)
        return translate(self.program, self.strict, frozenset(self.fixed), self.patient, sizes, lengths)

    @cached_property
    def in_records(self) -> Mapping[str, frozenset[int]]:
        """Which components of inputs are read where they lie, as fields of records, counted from 0."""
        takes, _ = _interface(self.program)
        places = [(one.name, component) for one in takes for component in range(one.columns)]
        found: dict[str, set[int]] = {}
        for name, component in (places[one] for together in self.artifact.strides for one in together):
            found.setdefault(name, set()).add(component)
        return {name: frozenset(components) for name, components in found.items()}

    def run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int = 0) -> list[ToL]:
        """The outputs' values; raises `Failed` where a check did."""
        if not self._long or tuple(sizes.values()) not in self._long:
            try:
                return self._run(inputs, sizes, seed)
            except Impatient as refusal:
                refused = refusal.kernel
            if self._patiently is None:
                patient = self.patient | self._long_kernels(sizes) | {refused}
                self._patiently = CpuExecutable(self.program, self.strict, None, self.fixed, patient, sizes)
            self._long.add(tuple(sizes.values()))  # last, for an interrupt may come at any time
        assert self._patiently is not None
        return self._patiently.run(inputs, sizes, seed)

    def repeated(
        self,
        sizes: Mapping[str, int],
        names: Sequence[str],
        taken: Sequence[tuple[Any, type]],
        threads: int | None,
    ) -> Repeated | None:
        """Calls with arguments like these, after one that went well; None where they are not so plain.

        Arrays are such of their types and shapes, or stand for numbers of other classes.  They run on so many threads,
        where these are told.
        """
        entry = self._entry
        if entry is None or not entry.takes(names) or tuple(sizes.values()) in self._long:
            return None
        return Repeated(entry, sizes, taken, self, threads)

    def _long_kernels(self, sizes: Mapping[str, int]) -> frozenset[str]:
        """The kernels whose calls may take longer at some sizes than anybody waits for an answer."""
        named = zip(self.artifact.kernels, self.artifact.work, strict=True)
        return frozenset(name for name, work in named if amount(work, sizes) > MOMENT)

    def _run(self, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> list[ToL]:
        if self._entry is None:
            self._entry = self._first_entry()
        place = tuple(sizes.values())
        if place not in self._seen:
            self._improve_for(sizes)
            self._seen.add(place)
        try:
            found = self._called(self._entry, self.artifact, self.kernels, inputs, sizes, seed)
        except NotYet:
            self._compile_rest(sizes)
            self._runs = 0
            found = self._called(self._entry, self.artifact, self.kernels, inputs, sizes, seed)
        self._runs += 1
        if self._runs == CALLED_AGAIN:
            self._improve()
        return found

    # Better code, and code for other sizes

    def _compile_rest(self, sizes: Mapping[str, int]) -> None:
        """Compiles what sizes had not needed so far."""
        found: list[LoadedKernel] = []
        if self._rest is None:
            _, found, self._rest = self._translated(sizes)
        compiled = {one.name: one for one in (*found, *self._rest(sizes)) if one.code is not None}
        for place, kernel in enumerate(self.kernels):
            if kernel.code is None and kernel.name in compiled:
                self._use(place, compiled[kernel.name])

    @property
    def names(self) -> tuple[str, ...]:
        """The kernels, by what tells them from others."""
        return tuple(self.artifact.kernels)

    def complete(self) -> None:
        """Compiles what no sizes had needed so far, for a program that is to run where nothing is compiled."""
        if any(kernel.code is None for kernel in self.kernels):
            self._compile_rest({})

    def _improve_for(self, sizes: Mapping[str, int]) -> None:
        """Has better code for whatever computes much at some sizes, before it does."""
        kernels = self.kernels[: len(self.artifact.kernels)]
        works: dict[str, float] = {}
        for kernel, work in zip(kernels, self.artifact.work, strict=True):
            if kernel.source is not None:
                works[kernel.name] = works.get(kernel.name, 0.0) + expected(work, sizes)
        slow = [
            place
            for place, kernel in enumerate(kernels)
            if kernel.source is not None and kernel.source.is_worth(works[kernel.name])
        ]
        for place, better in zip(slow, improved_now([self.kernels[one] for one in slow]), strict=True):
            self._use(place, better)

    def _improve(self) -> None:
        """Has better code compiled in the background for what was only to be ready soon, and uses it when it comes."""
        use = partial(_use_better, ref(self))
        for place, kernel in enumerate(self.kernels[: len(self.artifact.kernels)]):
            if kernel.source is not None:
                improve(kernel, partial(use, place))

    def _use(self, place: int, kernel: LoadedKernel) -> None:
        """Puts a kernel into the place of another, which stays loaded: a run may be at it."""
        self._before.append(self.kernels[place])
        self.kernels[place] = kernel
        if self._entry is not None and place < len(self.artifact.kernels):
            self._entry.use(place, kernel.address)

    def _first_entry(self) -> Entry:
        """The function of the plan, what is made once of fixed inputs made."""
        artifact, made = self.artifact, dict[str, ToL]()
        if artifact.once is not None:
            first, count = artifact.once, len(self.artifact.kernels)
            outputs = [OutputInfo(rank, (column,)) for rank, column in first.makes]
            inputs = [InputInfo(name, 1) for name in first.reads]
            kernels = self.kernels[count:]
            once = Entry(first.artifact, inputs, outputs, _addresses(kernels), walker_address(), self.fixed)
            found = self._called(once, first.artifact, kernels, {}, {}, 0)
            made = {f"once {k}": value for k, value in enumerate(found)}
        takes, gives = _interface(self.program)
        written = {f"written {k}": _value(one) for k, one in enumerate(artifact.written)}
        takes += [InputInfo(name, 1) for name in (*written, *made)]
        kernels = self.kernels[: len(artifact.kernels)]
        return Entry(artifact, takes, gives, _addresses(kernels), walker_address(), {**self.fixed, **written, **made})

    def _called(
        self,
        entry: Entry,
        artifact: Artifact,
        kernels: list[LoadedKernel],
        inputs: Mapping[str, ToL],
        sizes: Mapping[str, int],
        seed: int,
    ) -> list[ToL]:
        found = entry(inputs, sizes, seed)
        if isinstance(found, int):
            if found & NOT_YET == NOT_YET:
                raise NotYet
            if found & NOT_YET == IMPATIENT:
                raise Impatient(kernels[(found >> CHECK_BITS) - 1].name)
            raise_pending()
            raise Failed(_fault(artifact, kernels, found))
        return found


def _interface(program: Core | PlanSection) -> tuple[list[InputInfo], list[OutputInfo]]:
    """What compiled code is called with, and what it gives; of a part, one buffer after the other."""
    if isinstance(program, PlanSection):
        plan = program.plan
        own = plan.inputs[: len(plan.inputs) - len(plan.tables)]
        given = [OutputInfo(len(one.shape), (one.column,)) for one in plan.output_buffers]
        return [InputInfo(one.name, 1) for one in own], given
    takes = [InputInfo(one.name, one.type.capacity) for one in program.inputs]
    return takes, [OutputInfo(one.type.rank, one.type.columns) for one in program.outputs]


def _value(written: WrittenTensor) -> ToL:
    array = np.frombuffer(written.content, dtype_of(written.column.storage)).reshape(written.shape)
    return ToL([array], [strong(written.column)])


def _addresses(kernels: list[LoadedKernel]) -> list[int]:
    return [one.address for one in kernels]


def _fault(artifact: Artifact, kernels: list[LoadedKernel], code: int) -> Fault:
    """The check that a result tells of, where it stands in the source."""
    call, check = code >> CHECK_BITS, code & ((1 << CHECK_BITS) - 1)
    if not call:
        return artifact.sites[check - 1]
    code_of_error, about, place = kernels[call - 1].checks[check - 1]
    return Fault(code_of_error, about, None if place is None else artifact.spans[call - 1][place])


def _use_better(owner: ref[CpuExecutable], place: int, kernel: LoadedKernel) -> None:
    """Puts better code into its place, if the program is there to call it."""
    executable = owner()
    if executable is not None:
        executable._use(place, kernel)


def _kernels(artifact: Artifact) -> list[LoadedKernel] | None:
    """The kernels of an artifact, then those of what it does once; None where one of them is not kept any more.

    Rare ones may be compiled when they are needed.
    """
    found = []
    for name in (*artifact.kernels, *(artifact.once.artifact.kernels if artifact.once is not None else ())):
        kernel = named(name) or (postponed(name) if name in artifact.rare else None)
        if kernel is None:
            return None
        found.append(kernel)
    return found
