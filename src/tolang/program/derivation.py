"""What is asked for when a program is differentiated, and the core that it gives: of which outputs, by which inputs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tolang.core.core import Core, Expr, Input, Variable
from tolang.core.tidy import free_names
from tolang.core.types import Type
from tolang.ground.dataclasses import dataclass, replace
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangCheckError, ToLangUsageError, usage
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.asking import called
from tolang.ground.values.spaces import Column


@dataclass(frozen=True, slots=True)
class Derivation:
    """A gradient, a pullback, a tangent or a batch of a program, as `kind` says.

    `names` are those of cotangents or tangents, by the names of what they belong to; a batch has its size `of` which.
    Folds keep their states every `block` steps, a number or the name of a size, or at every step.
    """

    kind: str
    of: tuple[str, ...]
    by: tuple[str, ...]
    names: tuple[tuple[str, str], ...]
    values: tuple[str, ...] = ()
    block: str | int | None = None

    def name(self, one: str) -> str:
        return dict(self.names).get(one, f"{'t' if self.kind == 'tangent' else 'd'}_{one}")

    def applied(self, core: Core, columns: Mapping[str, tuple[Column, ...]] | None = None) -> Core:
        """The core of the derivative of a program, for cotangents in these columns, or in those of their outputs."""
        from tolang.core.batching import batched
        from tolang.core.gradient.building import cotangent_type, number
        from tolang.core.gradient.pullback import pullback

        by = {one: self.name(one) for one in self.by}
        block = None if self.block is None else Size.of(self.block)
        if self.kind == "batch":
            return batched(core, self.by, self.of[0])
        if self.kind == "tangent":
            return self._tangent(core, columns or {})
        if self.kind == "gradient":
            return pullback(core, {self.of[0]: number(1)}, by, values=self.values, block=block)
        seeds: dict[str, Expr] = {}
        inputs: list[Input] = []
        for output in core.outputs:
            if output.name in self.of:
                name, kind = self.name(output.name), cotangent_type(output.type)
                kind = replace(kind, columns=(columns or {}).get(name, kind.columns))
                inputs.append(Input(name, kind))
                seeds[output.name] = Variable(name, type=kind)
        return pullback(core, seeds, by, inputs, self.values, block)

    def _tangent(self, core: Core, columns: Mapping[str, tuple[Column, ...]]) -> Core:
        """The pullback of the pullback, which is linear in the cotangents: what it does not use is left out."""
        from tolang.core.gradient.building import cotangent_type
        from tolang.core.gradient.pullback import pullback

        back, outputs = self._inner("back"), {one.name: cotangent_type(one.type) for one in core.outputs}
        seeds: dict[str, Expr] = {one: Variable(back[one], type=outputs[one]) for one in self.of}
        inner = pullback(core, seeds, {one: back[one] for one in self.by}, self._inputs(back, self.of, outputs))
        given = {one.name: cotangent_type(one.type) for one in core.inputs}
        for one in self.by:
            given[one] = replace(given[one], columns=columns.get(self.name(one), given[one].columns))
        tangents = {one: self.name(one) for one in self.by}
        seeds = {back[one]: Variable(tangents[one], type=given[one]) for one in self.by}
        results = {back[one]: self.name(one) for one in self.of}
        found = pullback(inner, seeds, results, self._inputs(tangents, self.by, given))
        unused = set(results)
        if unused & free_names(found.body):
            raise ToLangCheckError(Diagnostic("E801", "the derivative along a direction is not known here"))
        return replace(found, inputs=tuple(one for one in found.inputs if one.name not in unused))

    def _inner(self, mark: str) -> dict[str, str]:
        """Names for what is there on the way only, which no program can have."""
        return {one: f"{mark} of {one}" for one in (*self.of, *self.by)}

    def _inputs(self, names: Mapping[str, str], of: Iterable[str], kinds: Mapping[str, Type]) -> list[Input]:
        return [Input(names[one], kinds[one]) for one in of]


def derivation(
    kind: str,
    core: Core,
    of: str | Iterable[str],
    by: str | Iterable[str],
    names: Mapping[str, str] | None,
    value: bool = False,
    block: str | int | None = None,
) -> Derivation:
    """What was asked for, held against what the program takes and gives."""
    outputs, inputs = listed(of), listed(by)
    known = {one.name: one.type for one in core.outputs}
    taken = {one.name: one.type for one in core.inputs}
    for what, asked, given in (("outputs", outputs, known), ("inputs", inputs, taken)):
        if not asked:
            raise usage("E802", f"no {what} are named", expected=", ".join(given) or "none")
        for one in asked:
            _refuse_unknown(what[:-1], one, given)
    gradient = kind == "gradient"
    for one in outputs if kind == "pullback" else ():
        if any(length.names() - set(core.sizes) for length in known[one].shape):
            fix = "reduce it to a numeric, and use the gradient"
            raise usage("E802", f"only running tells the shape of {one}, so no cotangent of it can be given", fix=fix)
    if gradient and (len(outputs) != 1 or not known[outputs[0]].is_numeric):
        fix = f"reduce it to a numeric, or use {called('pullback(…)', '`--pullback`')}"
        raise usage("E802", f"a gradient is of one numeric, and {outputs[0]} is {known[outputs[0]]}", fix=fix)
    chosen = {str(one): str(name) for one, name in (names or {}).items()}
    found = Derivation(kind, outputs, inputs, tuple(sorted(chosen.items())), outputs if value else (), _block(block))
    _refuse_clash(found, core)
    return found


def _block(block: str | int | None) -> str | int | None:
    """The steps of a segment, as they were asked for: a number of at least 1, or a name."""
    if isinstance(block, str) and block.isidentifier():
        return block
    if block is None or (isinstance(block, int) and not isinstance(block, bool) and block >= 1):
        return block
    expected = "a number of steps of at least 1, or a name for it"
    raise usage(
        "E802",
        f"{called('checkpoints', '--checkpoints')} says how many steps apart states are kept",
        repr(block),
        expected,
    )


def batch(core: Core, over: str | Iterable[str], size: str) -> Derivation:
    """A batch over inputs, held against what the program takes."""
    inputs, taken = listed(over), {one.name: one.type for one in core.inputs}
    unknown = [one for one in inputs if one not in taken]
    if unknown or not inputs:
        message = f"the program has no input {unknown[0]}" if unknown else "no inputs are named"
        raise usage("E603", message, expected=", ".join(taken) or "none")
    if size in taken or size in core.sizes:
        raise usage("E803", f"the size of the batch would be called {size}, as another", fix='size="…" gives a name')
    return Derivation("batch", (size,), inputs, ())


def listed(names: str | Iterable[str]) -> tuple[str, ...]:
    """Names, of which one may stand alone, each once."""
    return (names,) if isinstance(names, str) else tuple(dict.fromkeys(names))


def _refuse_unknown(what: str, one: str, given: Mapping[str, Type]) -> None:
    if one not in given:
        raise usage("E802", f"the program has no {what} {one}", expected=", ".join(given) or "none")
    families = {column.space.family for column in given[one].columns}
    if not families & {"R", "Q"}:
        raise _no_reals(f"the {what} {one} is {given[one]}")


def _no_reals(found: str) -> ToLangUsageError:
    return usage("E802", f"only real numbers have derivatives, and {found}", expected="a space of reals or rationals")


def _refuse_clash(found: Derivation, core: Core) -> None:
    """Names of cotangents are new: no two alike, and no input of theirs is one of the program's."""
    unknown = [one for one, _ in found.names if one not in (*found.of, *found.by)]
    if unknown:
        raise usage("E802", f"names gives a name to {unknown[0]}, which has no cotangent here")
    seeded, given = ((), found.by) if found.kind == "gradient" else (found.of, found.by)
    seeded, given = (given, seeded) if found.kind == "tangent" else (seeded, given)
    seeds, results = ([found.name(one) for one in some] for some in (seeded, given))
    _refuse_twice([*(one.name for one in core.inputs), *seeds], "inputs", found)
    _refuse_twice([*found.values, *results], "outputs", found)
    _refuse_twice([*core.sizes, *seeds], "sizes and inputs", found)
    if isinstance(found.block, str):
        inputs = (one.name for one in core.inputs)
        _refuse_twice([*core.sizes, *inputs, *seeds, found.block], "sizes and inputs", found)


def _refuse_twice(names: Sequence[str], what: str, found: Derivation) -> None:
    twice = [one for one in names if names.count(one) > 1]
    if twice:
        own = next((one for one in (*found.of, *found.by) if found.name(one) == twice[0]), twice[0])
        fix = called(f'give another name: names={{"{own}": "…"}}', f"rename {own}, or {twice[0]}, in the program")
        raise usage("E803", f"two {what} of the derivative would be called {twice[0]}", fix=fix)
