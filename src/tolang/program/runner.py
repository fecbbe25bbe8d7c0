"""Runs of checked programs: by the interpreter, or by an engine that leaves to it the parts it cannot take.

interpret    the interpreter runs everything
cpu          compiled code runs what it can; so does any other engine, under its own name
auto         as cpu, except that what costs at most SMALL EOPs is interpreted, which is sooner done than compiled
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from tolang.core.core import Core
from tolang.core.new_text import NewText
from tolang.core.refusal import Refused
from tolang.core.text_codes import OnCodes, is_text, on_codes
from tolang.data.binding import Job, whole_threads
from tolang.engines import registry
from tolang.engines.contract import NOWHERE, Engine, Executable, Failed, RepeatedCalls, StoredProgram
from tolang.ground.dataclasses import dataclass, field
from tolang.ground.reporting.diagnostics import ToLangRunError, usage, warn
from tolang.ground.reporting.escaping import line
from tolang.ground.system.gc_pause import collector_paused
from tolang.ground.system.memory import allowing
from tolang.ground.system.recursion import room_to_nest
from tolang.ground.values.values import ToL
from tolang.plan.nest import BEYOND
from tolang.program.text_runs import MadeText, OfText
from tolang.store.programs import Identity, keep, recall, remember

if TYPE_CHECKING:
    from tolang.program.segments import Segment

DEFAULT_ENGINE = registry.DEFAULT
NOTHING: Mapping[str, ToL] = MappingProxyType({})
SMALL = 10**6
"""EOPs up to which interpreting is no slower than compiling first."""
PATIENCE = 1.0
"""Seconds of interpreting, where code was to be compiled, of which a user is told."""


def engine_names() -> tuple[str, ...]:
    """The names that a program may be compiled with."""
    return ("interpret", *registry.names(), "auto")


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """A program ready to run: compiled as a whole, or in segments, some of them compiled."""

    core: Core
    whole: Executable | OfText | None
    segments: tuple[tuple[Segment, Executable | OfText | MadeText | None], ...] = ()
    outputs: tuple[str, ...] = ()

    @property
    def compiled(self) -> list[Executable | OfText]:
        """All of it that is machine code."""
        parts = (self.whole, *(one for _, one in self.segments))
        return [one for one in parts if one is not None and not isinstance(one, MadeText)]


@dataclass(slots=True)
class Runner:
    """Runs checked programs.  `fallbacks` tells what was left to the interpreter, and why.

    `memory` is how many bytes a run may hold at a time, its inputs among them, where that is limited.
    """

    name: str
    strict: bool = False
    fallback: bool = True
    threads: int | None = None
    memory: int | None = None
    fallbacks: list[str] = field(default_factory=list)
    _prepared: dict[int, Prepared] = field(default_factory=dict)
    _identities: dict[int, Identity] = field(default_factory=dict)
    _fixed: dict[int, Mapping[str, ToL]] = field(default_factory=dict)
    _small: dict[tuple[int, tuple[int, ...]], bool] = field(default_factory=dict)
    _warned: bool = False

    @property
    def engine(self) -> Engine:
        """The engine that compiles; for what is compiled of a program that is interpreted, the default one."""
        return registry.engine(self.name if self.name in registry.names() else DEFAULT_ENGINE)

    def identify(self, core: Core, identity: Identity) -> None:
        """Tells what a core follows from, so that what it is compiled to can be kept on disk under that."""
        self._identities[id(core)] = identity

    def fix(self, core: Core, values: Mapping[str, ToL]) -> None:
        """Tells that some inputs of a core have these values in all its runs, so that work on them is done once."""
        self._fixed[id(core)] = values

    def fixed_inputs(self, core: Core) -> frozenset[str]:
        """The names of inputs of a core that have the same values in all its runs."""
        return frozenset(self._fixed.get(id(core), ()))

    def left_in_records(self, core: Core) -> Mapping[str, frozenset[int]]:
        """Which components of inputs compiled code of a core, if there is some, reads where they lie among others."""
        prepared = self._prepared.get(id(core))
        whole = None if prepared is None else prepared.whole
        return NOWHERE if whole is None or isinstance(whole, OfText) else whole.in_records

    def run(self, core: Core, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> list[ToL]:
        """The outputs' values."""
        prepared = self._prepared.get(id(core))
        if prepared is None:
            if self._interprets(core, inputs, sizes):
                with allowing(self._left(inputs)):
                    return _interpreted(core, inputs, sizes, seed, self.strict)
            prepared = self.prepared(core, sizes)
        if self.threads is None and self.memory is None:
            return self._run(prepared, inputs, sizes, seed)
        left, engine = self._left(inputs), self.engine
        with (
            nullcontext() if self.threads is None else engine.use_threads(self.threads),
            nullcontext() if left is None else engine.use_memory(left),
        ):
            return self._run(prepared, inputs, sizes, seed)

    def repeated(self, job: Job, arrays: Sequence[Any]) -> RepeatedCalls | None:
        """Calls with arrays of the types and shapes of a job that went well; None where more than code is needed."""
        return self.called_again(job, arrays) if self.threads is None else None

    def called_again(self, job: Job, arrays: Sequence[Any]) -> RepeatedCalls | None:
        """As `repeated`, and also where a program has a number of threads of its own."""
        prepared = self._prepared.get(id(job.core))
        if prepared is None or prepared.whole is None or self.memory is not None:
            return None
        if isinstance(prepared.whole, OfText):
            return None
        names = [name for name in job.inputs if name not in self.fixed_inputs(job.core)]
        if len(names) != len(arrays):
            return None
        taken = [(job.inputs[name].columns[0], type(one)) for name, one in zip(names, arrays, strict=True)]
        return prepared.whole.repeated(job.sizes, names, taken, self.threads)

    def _left(self, inputs: Mapping[str, ToL]) -> int | None:
        """How many bytes a run may hold beside its inputs; None where that is not limited."""
        if self.memory is None:
            return None
        return max(0, self.memory - sum(column.nbytes for one in inputs.values() for column in one.columns))

    def _run(self, prepared: Prepared, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int) -> list[ToL]:
        if prepared.whole is not None:
            return self._compiled(prepared.whole, prepared.core, inputs, sizes, seed)
        from tolang.program.segments import lengths_of

        values, known = dict(inputs), dict(sizes)
        for segment, executable in prepared.segments:
            core = segment.core
            if executable is None:
                with self._told(fallback_text(segment)):
                    found = _interpreted(core, values, known, seed, self.strict)
            elif isinstance(executable, MadeText):
                try:
                    found = executable.run(values)
                except ToLangRunError:  # which says where it is, if the interpreter meets it
                    found = _interpreted(core, values, known, seed, self.strict)
            else:
                found = self._compiled(executable, core, values, known, seed)
            given = dict(zip(segment.gives, found, strict=True))
            known.update(lengths_of(segment, given))
            values.update(given)
        return [values[name] for name in prepared.outputs]

    def _interprets(self, core: Core, inputs: Mapping[str, ToL], sizes: Mapping[str, int]) -> bool:
        if self.name != "auto":
            return self.name == "interpret"
        place = id(core), tuple(sizes.values())
        if place not in self._small or any(one.type.is_numeric for one in core.inputs):
            self._small[place] = self._is_small(core, inputs, sizes)
        return self._small[place]

    def _is_small(self, core: Core, inputs: Mapping[str, ToL], sizes: Mapping[str, int]) -> bool:
        """Whether a program costs little; that it does not is kept on disk, for counting a large one takes a while."""
        identity = self._identities.get(id(core))
        if identity is None or any(one.type.is_numeric for one in core.inputs):
            return _costs_at_most(SMALL, core, inputs, sizes)
        parts = *identity, str(sorted(sizes.items())), str(SMALL), "large"
        if recall(parts, lambda kept: kept == "large"):
            return False
        small = _costs_at_most(SMALL, core, inputs, sizes)
        if not small:
            keep(parts, "large")
        return small

    def prepared(self, core: Core, sizes: Mapping[str, int] | None = None) -> Prepared:
        """A program compiled as far as can be, when first needed: for a run at some sizes, if they are told."""
        known = self._prepared.get(id(core))
        if known is None:
            made = self._prepare(core, sizes)
            known = self._prepared.setdefault(id(core), made)  # of several threads, the first has it
        return known

    def _prepare(self, core: Core, sizes: Mapping[str, int] | None) -> Prepared:
        engine, identity = self.engine, self._identities.get(id(core))
        whole = compiled(engine, core, self.strict, identity, self._fixed.get(id(core), {}), sizes)
        if not isinstance(whole, str):
            return Prepared(core, whole)
        parts, outputs = compiled_segments(engine, core, self.strict, identity, sizes)
        if not self.fallback and any(executable is None for _, executable in parts):
            raise usage("E610", f"the {engine.name} engine cannot run this: {whole}")
        self.fallbacks += [fallback_text(segment) for segment, executable in parts if executable is None]
        return Prepared(core, None, parts, outputs)

    def _compiled(
        self,
        executable: Executable | OfText,
        core: Core,
        inputs: Mapping[str, ToL],
        sizes: Mapping[str, int],
        seed: int,
    ) -> list[ToL]:
        try:
            return executable.run(inputs, sizes, seed)
        except Failed as failed:
            if failed.fault.code == BEYOND.code and self.fallback:
                with self._told(failed.fault.about):
                    return _interpreted(core, inputs, sizes, seed, self.strict)
            from tolang.program.failures import failure

            found = failure(failed.fault, core, inputs, sizes, seed, self.strict, self.engine)
        if isinstance(found, list):
            return found
        raise found

    @contextmanager
    def _told(self, reason: str) -> Iterator[None]:
        """Warns once of a program that something takes long in which compiled code left to the interpreter."""
        start = time.monotonic()
        yield
        seconds = time.monotonic() - start
        if seconds > PATIENCE and not self._warned:
            self._warned = True
            message = f"{seconds:.1f} s were spent interpreting parts that are not compiled: {line(reason)}"
            warn(message)


def get_ready(engine: str) -> None:
    """Has an engine made ready beside other work, for a program that is still to be made."""
    if engine in registry.names():
        registry.engine(engine).get_ready()


def set_threads(number: int) -> None:
    """How many threads compiled code runs on from now on, where a program does not say otherwise."""
    wanted = whole_threads(number)
    if wanted is None:
        raise usage("E605", "threads is not a number of threads", "None", "a whole number of at least 1")
    registry.engine(DEFAULT_ENGINE).set_threads(wanted)


@collector_paused()
@room_to_nest()
def compiled(
    engine: Engine,
    core: Core,
    strict: bool,
    identity: Identity | None = None,
    fixed: Mapping[str, ToL] = NOTHING,
    sizes: Mapping[str, int] | None = None,
) -> Executable | OfText | str:
    """A program ready to run by an engine, or why the engine refuses it; kept on disk where it has an identity.

    It is ready soon for a run at `sizes`, where they are told.
    """
    made: list[tuple[Executable, OnCodes | None]] = []
    same = {name: value for name, value in fixed.items() if not any(map(is_text, value.spaces))}  # codes are not

    def built(text: OnCodes | None, artifact: Any = None) -> tuple[Executable, OnCodes | None]:
        return engine.compile(core if text is None else text.core, strict, artifact, same, sizes), text

    def make() -> StoredProgram:
        made.append(built(on_codes(core)))
        executable, text = made[0]
        return StoredProgram(executable.artifact, text is not None)

    try:
        if identity is None or engine.artifacts is None:
            found, text = built(on_codes(core))
        else:
            shapes = (f"{name} {same[name].shape}" for name in sorted(same))
            kept = remember((*identity, str(strict), *shapes, engine.stamp("artifact")), StoredProgram, make)
            known = kept.artifact if isinstance(kept.artifact, engine.artifacts) else None
            found, text = made[0] if made else built(on_codes(core) if kept.on_codes else None, known)
    except Refused as reason:
        return str(reason)
    return found if text is None else OfText(core, text, found)


@room_to_nest()
def compiled_segments(
    engine: Engine,
    core: Core,
    strict: bool,
    identity: Identity | None = None,
    sizes: Mapping[str, int] | None = None,
) -> tuple[tuple[tuple[Segment, Executable | OfText | MadeText | None], ...], tuple[str, ...]]:
    """A program in segments, those compiled that can be; and the names of its outputs.

    Of a program with an identity it is kept on disk what the engine refuses, and each segment.  Segments are ready
    soon for a run at `sizes`, where they are told.
    """
    from tolang.program.segments import segmented

    place = None if identity is None else (*identity, str(strict), engine.stamp("segments"))
    known: list[str | None] | None = None if place is None else recall(place, list)
    told, reasons = iter(known or ()), list[str | None]()

    def judged(part: Core) -> str | None:
        reasons.append(engine.refusal(part, strict) if known is None else next(told, None))
        return reasons[-1]

    split = segmented(core, judged)
    if place is not None and known is None:
        keep(place, reasons)
    parts: list[tuple[Segment, Executable | OfText | MadeText | None]] = []
    for number, segment in enumerate(split.segments, 1):
        if isinstance(segment.way, NewText):
            parts.append((segment, MadeText(segment.way)))
            continue
        own = None if identity is None else (*identity, f"segment {number}")
        found = segment.way or compiled(engine, segment.core, strict, own, sizes=sizes)
        parts.append((segment, None) if isinstance(found, str) else (segment, found))
    return tuple(parts), split.outputs


def fallback_text(segment: Segment) -> str:
    """Why a segment is interpreted, and where it stands in the source."""
    place = f"{segment.span.place}: " if segment.span is not None else ""
    return f"{place}{segment.way or 'these bindings together'}"


def _interpreted(core: Core, inputs: Mapping[str, ToL], sizes: Mapping[str, int], seed: int, strict: bool) -> list[ToL]:
    from tolang.readings.interpret import interpret

    return interpret(core, inputs, sizes, seed, strict)


def _costs_at_most(limit: int, core: Core, inputs: Mapping[str, ToL], sizes: Mapping[str, int]) -> bool:
    """Whether a program is known to cost no more EOPs than a limit; what nothing bounds may cost any number."""
    from tolang.program.costing import eops_at

    found = eops_at(core, sizes, inputs)
    return found is not None and found <= limit
