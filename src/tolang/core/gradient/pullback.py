"""The pullback of a program: of its inputs and the cotangents of its outputs it gives the cotangents of its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tolang.core.core import Bundle, Component, Core, Expr, Input, Let, Output, Part, Reduce, Variable
from tolang.core.gradient.adjoint import Cotangent
from tolang.core.gradient.ahead import with_tables_ahead
from tolang.core.gradient.building import component, cotangent_type, is_real
from tolang.core.gradient.constructs import spread_binding
from tolang.core.gradient.deciding import decided
from tolang.core.gradient.expression import cotangent_of, with_bindings
from tolang.core.gradient.frames import BindingFrame, RequirementFrame
from tolang.core.gradient.inner_folds import with_folds_named
from tolang.core.gradient.names import NameSource, names_in, substituted
from tolang.core.gradient.normal import is_free, simplified, without_calls
from tolang.core.gradient.reverse import Reverse
from tolang.core.gradient.sharing import shared
from tolang.core.invariants import with_invariants_first
from tolang.core.let_chain import Link, unwound, wound
from tolang.core.types import Type, bundle_type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.recursion import room_to_nest


@room_to_nest()
def pullback(
    program: Core,
    seeds: Mapping[str, Expr],
    by: Mapping[str, str],
    inputs: Sequence[Input] = (),
    values: Sequence[str] = (),
    block: Size | None = None,
) -> Core:
    """The program that gives cotangents of inputs, under the names in `by`, of the cotangents `seeds` of outputs.

    `inputs` are further inputs that the seeds use; `values` are outputs that are given too, under their own names.
    With a `block`, folds keep their states every so many steps only; a name in it is a size of the program.
    """
    names = NameSource([*names_in(program.body), *program.sizes])
    body = with_invariants_first(replace(program, body=without_calls(program.body, names)), names).body
    body = decided(simplified(body, names), program.sizes)
    links, inside = unwound(body)
    assert isinstance(inside, Bundle)
    links, inside = _with_names(program, links, inside, {*seeds} & {*values}, names)
    links = [one for link in links for one in _with_fold_apart(link, names)]
    links, inside = unwound(with_folds_named(wound(links, inside), names))
    assert isinstance(inside, Bundle)
    reverse = Reverse(names, set(by), block)
    for link in links:
        if isinstance(link, Let):
            reverse.scope.frames.append(BindingFrame(link.names, link.value, link.lengths))
            reverse.activate(link.names, link.value)
        else:
            reverse.scope.frames.append(RequirementFrame(link.condition, link.message))
    for output, part in zip(program.outputs, inside.parts, strict=True):
        if output.name in seeds:
            reverse.spread(part, _components(reverse, seeds[output.name], part.type))
    for link in reversed(links):
        if isinstance(link, Let):
            spread_binding(reverse, link.names, link.value)
    given = [(o, p) for o, p in zip(program.outputs, inside.parts, strict=True) if o.name in values]
    outputs = [o for o, _ in given]
    parts = [p for _, p in given]
    for one in program.inputs:
        if one.name in by:
            parts.append(cotangent_of(reverse, one.name, one.type))
            outputs.append(Output(by[one.name], cotangent_type(one.type)))
    result: Expr = Bundle(tuple(parts), type=bundle_type(p.type for p in parts))
    result = with_bindings(reverse, result)
    result = simplified(decided(simplified(substituted(result, names), names), program.sizes), names)
    result = simplified(with_tables_ahead(shared(result, names), names), names)
    further = () if block is None else tuple(name for name in block.names() if name not in program.sizes)
    steps = tuple(one for one in reverse.cut if one.names() <= set(program.sizes))
    return replace(
        program,
        sizes=(*program.sizes, *further),
        inputs=(*program.inputs, *inputs),
        outputs=tuple(outputs),
        body=result,
        definitions={},
        auxiliary={},
        bounds=_bounds(program, result, names),
        blocks={**program.blocks, **(dict.fromkeys(further, steps) if steps else {})},
    )


def _with_names(
    program: Core, links: list[Link], inside: Bundle, wanted: set[str], names: NameSource
) -> tuple[list[Link], Bundle]:
    """Names for outputs that are given and differentiated, so that they are computed once for both."""
    links, parts = list(links), list(inside.parts)
    for place, (output, value) in enumerate(zip(program.outputs, inside.parts, strict=True)):
        if output.name in wanted and not is_free(value):
            name = names.fresh(output.name)
            links.append(Let((name,), value, inside, type=inside.type))
            parts[place] = Variable(name, type=value.type)
    return links, replace(inside, parts=tuple(parts))


def _with_fold_apart(link: Link, names: NameSource) -> list[Link]:
    """A binding of a part of what a fold gives, with a name for the fold: its states may be kept."""
    match link:
        case Let(value=Part(subject=Reduce() as fold) | Component(subject=Reduce() as fold) as value):
            whole = Variable(names.fresh(link.names[0]), type=fold.type)
            return [replace(link, names=(whole.name,), value=fold), replace(link, value=replace(value, subject=whole))]
    return [link]


def _bounds(program: Core, body: Expr, names: NameSource) -> dict[str, tuple[Size | None, Size | None]]:
    """The bounds of lengths that only running tells, by the names that they have now."""
    found: dict[str, tuple[Size | None, Size | None]] = {}
    for name in names_in(body):
        ends = program.bounds.get(names.first.get(name, name))
        if ends is not None:
            least, most = (None if end is None or end.names() - set(program.sizes) else end for end in ends)
            found[name] = least, most
    return found


def _components(reverse: Reverse, seed: Expr, kind: Type) -> Cotangent:
    """A cotangent by component; those that are not real have none."""
    found: list[Expr | None] = []
    position = 0
    for column in kind.columns:
        position += is_real(column)
        found.append(component(seed, position) if is_real(column) else None)
    return tuple(found)
