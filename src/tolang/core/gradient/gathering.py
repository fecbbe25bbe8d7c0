"""The cotangent of a name from its contributions: for each of its coordinates, a sum over the reads of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tolang.core.core import Apply, Coordinate, Expr, Map, Part, Reduce, Variable
from tolang.core.gradient.building import apply, cotangent_column, fitted, indexed, is_zero, mapped, number
from tolang.core.gradient.deciding import undecided
from tolang.core.gradient.frames import (
    BindingFrame,
    Contribution,
    Frame,
    FrameStack,
    Guard,
    LoopFrame,
    enclosed,
    guarded,
    loops_of,
    moved,
)
from tolang.core.gradient.lifting import with_tables
from tolang.core.gradient.names import substituted
from tolang.core.gradient.normal import has_fold, is_free
from tolang.core.gradient.scattering import Element, SettledSolution, scattered, threaded
from tolang.core.gradient.solving import Solution, Solver, first_choice
from tolang.core.tidy import free_names, own_names
from tolang.core.types import Type
from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, compare, junction, negation
from tolang.ground.symbolic.ranges import Ranges
from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import Column

MOST_CASES = 64
"""Into how many cases the choices in coordinates are told apart."""


def gathered(scope: FrameStack, kind: Type, column: Column, contributions: Sequence[Contribution]) -> Expr | None:
    """The sum of contributions to one component of a ToL; None where it is zero."""
    inner = [replace(one, frames=scope.rest(one.frames)) for one in contributions]
    if len(inner) == 1 and inner[0].coordinates is None and not inner[0].frames:
        return fitted(inner[0].value, cotangent_column(column))
    elements = [_element(scope, one, kind) for one in _merged(inner)]
    cases = [case for one in elements for case in _cases(one)]
    targets = tuple(scope.names.fresh("p") for _ in kind.shape)
    result: Expr = number(0)
    for one in cases:
        result = apply("add", result, _summand(scope, one, kind, cotangent_column(column), targets))
    if is_zero(result):
        return None
    return mapped(targets, kind.shape, fitted(result, cotangent_column(column)))


def _merged(contributions: Sequence[Contribution]) -> list[Contribution]:
    """Contributions at the same place to the same coordinates, as one: a body may read an element more than once."""
    found: list[Contribution] = []
    for one in contributions:
        for position, other in enumerate(found):
            if one.coordinates is not None and one.coordinates == other.coordinates:
                longer, shorter = (one, other) if len(one.frames) >= len(other.frames) else (other, one)
                if _extends(longer.frames, shorter.frames):
                    found[position] = replace(longer, value=apply("add", other.value, one.value))
                    break
        else:
            found.append(one)
    return found


def _extends(longer: tuple[Frame, ...], shorter: tuple[Frame, ...]) -> bool:
    """Whether frames are others with further bindings inside."""
    same = all(a is b for a, b in zip(shorter, longer, strict=False))
    return same and all(isinstance(frame, BindingFrame) for frame in longer[len(shorter) :])


def _element(scope: FrameStack, one: Contribution, kind: Type) -> Element:
    """A contribution to a whole ToL is one to each of its elements."""
    if one.coordinates is not None:
        also = set().union(*(c.names() for c in one.coordinates))
        return Element(one.coordinates, with_tables(scope, one.frames, one.value, also), one.value)
    value, frames = one.value, one.frames
    if not is_free(value):
        name = scope.names.fresh("d")
        frames, value = (*frames, BindingFrame((name,), value, shared=True)), Variable(name, type=value.type)
    iterators = [scope.names.fresh("q") for _ in kind.shape]
    own = tuple(Size.of(i) for i in iterators)
    frames = (*frames, *(LoopFrame(i, extent) for i, extent in zip(iterators, kind.shape, strict=True)))
    read = indexed(value, own)
    return Element(own, with_tables(scope, frames, read, set()), read)


def _cases(element: Element) -> list[Element]:
    """One element for each case that its coordinates tell apart."""
    open_, found = [element], list[Element]()
    while open_:
        one = open_.pop()
        split = first_choice(one.coordinates) if len(open_) + len(found) < MOST_CASES else None
        if split is None:
            found.append(one)
            continue
        condition, then, otherwise = split
        open_.append(replace(one, coordinates=otherwise, frames=(*one.frames, Guard(negation(condition), ()))))
        open_.append(replace(one, coordinates=then, frames=(*one.frames, Guard(condition, ()))))
    return found


def _summand(scope: FrameStack, element: Element, kind: Type, goal: Column, targets: tuple[str, ...]) -> Expr:
    """What the steps of the loops around a read give to the element at the targets."""
    data = set().union(*(frame.bound for frame in element.frames if isinstance(frame, BindingFrame)))
    if not targets:
        return enclosed(element.frames, element.value, scope.names)
    if any(loop.extent.names() & data for loop in loops_of(element.frames)):
        return threaded(scope, element.added_to(goal), kind, targets)
    ranges = _ranges((*scope.frames, *element.frames))
    for target, extent in zip(targets, kind.shape, strict=True):
        ranges.declare(target, ONE, extent)
    known = set().union(*(frame.bound for frame in scope.frames if isinstance(frame, BindingFrame)))
    among = tuple(LoopFrame(target, extent) for target, extent in zip(targets, kind.shape, strict=True))
    for weighing in (_weighing(element), set[str]()):
        solver = Solver(loops_of(element.frames), data, known, weighing, ranges, scope.names)
        solution = solver.solve(element.coordinates, among)
        if not solution.places or not solution.phases:
            break
    left = _settled(element, solution, among, ranges)
    if left is None:
        return number(0)
    if left.places:
        solution.places |= solution.fixed
        return scattered(scope, element.added_to(goal), left, kind, targets)
    result = _closed(scope, element, left, among)
    if solution.phases:
        result = _by_phases(scope, result, among, solution)
    return _at_fixed(scope, result, kind, targets, solution.fixed, ranges) if solution.fixed else result


def _weighing(element: Element) -> set[str]:
    """Names that a factor of a product depends on which not all of its factors do."""
    found = set[str]()
    pending = [element.value, *(frame.value for frame in element.frames if isinstance(frame, BindingFrame))]
    while pending:
        match pending.pop():
            case Apply(function="mul", arguments=(one, two)):
                found |= free_names(one) ^ free_names(two)
                pending += (one, two)
            case Apply(arguments=arguments):
                pending += arguments
    return found


def _by_phases(scope: FrameStack, value: Expr, among: tuple[LoopFrame, ...], solution: Solution) -> Expr:
    """A value computed phase after phase, in a table that has all places of a phase together.

    Phases whose sums have different lengths are computed one by one: there, each place has its phases together, so
    that the table lies as what is read of it.
    """
    phases = solution.phases
    alike = all(one.alike for one in phases.values())
    loops = [one.phase for one in phases.values() if alike]
    for dimension, one in enumerate(among):
        if dimension in phases:
            own = phases[dimension]
            loops += [own.place] if alike else [own.place, own.phase]
        elif dimension not in solution.fixed:
            loops.append(one)
    table = scope.bind("d", mapped([loop.iterator for loop in loops], [loop.extent for loop in loops], value))
    return indexed(table, [solution.targets.get(loop.iterator, Size.of(loop.iterator)) for loop in loops])


def _at_fixed(
    scope: FrameStack, value: Expr, kind: Type, targets: tuple[str, ...], fixed: Mapping[int, Size], ranges: Ranges
) -> Expr:
    """A value that is there at fixed coordinates only: computed for the others, and zero at the rest of these."""
    there = junction("and", [compare("==", Size.of(targets[d]), coordinate) for d, coordinate in fixed.items()])
    others = [d for d in range(kind.rank) if d not in fixed]
    if not is_free(value) and not is_zero(value):
        table = scope.bind("d", mapped([targets[d] for d in others], [kind.shape[d] for d in others], value))
        value = indexed(table, [Size.of(targets[d]) for d in others])
    return guarded(Guard(undecided(there, ranges), ()), value)


def _ranges(frames: Sequence[Frame]) -> Ranges:
    """What is known of iterators, and that nothing is known of numerics."""
    ranges = Ranges()
    for frame in frames:
        if isinstance(frame, LoopFrame):
            ranges.declare(frame.iterator, ONE, frame.extent)
        elif isinstance(frame, BindingFrame):
            for name in frame.names:
                ranges.declare(name, None, None)
    return ranges


def _settled(
    element: Element, solution: Solution, among: tuple[LoopFrame, ...], ranges: Ranges
) -> SettledSolution | None:
    """Conditions decided; None where one never holds.

    Some phases may have a place that is no target.  What is computed there is read by nobody, and may be anything, if
    only nothing is read that is not there: so of such places, too, it is asked whether solved iterators are steps of
    theirs.  Where several of these tell together what is read, it is asked whether there is a target.
    """
    rest: list[Frame] = []
    if _reads_at_several(element, solution):
        rest += [Guard(there, ()) for there in _are_there(solution, among, ranges)]
    for frame in element.frames:
        if isinstance(frame, Guard) and frame.condition is not None and not frame.written:
            condition = frame.condition if frame.holds else negation(frame.condition)
            left = undecided(condition.substitute(solution.sizes), ranges, solution.targets)
            if left.constant is False:
                return None
            if left.constant is None:
                rest.append(Guard(left, ()))
        elif not isinstance(frame, LoopFrame):
            rest.append(frame)
    guards = [(name, undecided(guard, ranges)) for name, guard in solution.guards]
    if any(guard.constant is False for _, guard in guards):
        return None
    solution.guards = [(name, guard) for name, guard in guards if guard.constant is None]
    return SettledSolution(solution, tuple(rest))


def _are_there(solution: Solution, among: tuple[LoopFrame, ...], ranges: Ranges) -> list[Condition]:
    """Whether places and phases tell targets that there are, as far as that is not known."""
    found = [(one.target, among[dimension].extent) for dimension, one in solution.phases.items()]
    asked = [
        undecided(compare("<=", *ends), ranges) for target, end in found for ends in ((ONE, target), (target, end))
    ]
    return [one for one in asked if one.constant is None]


def _reads_at_several(element: Element, solution: Solution) -> bool:
    """Whether a coordinate of something that is read depends on several of the solved iterators, or on data."""
    solved, binds = solution.sizes.keys(), [frame for frame in element.frames if isinstance(frame, BindingFrame)]
    bound = set().union(*(frame.bound for frame in binds))
    pending = [element.value, *(frame.value for frame in binds)]
    while pending:
        one = pending.pop()
        pending += one.children()
        if isinstance(one, Part):
            places = [item.index if isinstance(item, Coordinate) else item.start for item in one.items]
            if any(len(place.names() & solved) > 1 or place.names() & bound for place in places):
                return True
    return False


def _closed(scope: FrameStack, element: Element, left: SettledSolution, among: tuple[LoopFrame, ...]) -> Expr:
    """The sum over the loops that are left of the value, where the solved iterators are steps of theirs."""
    solution, value = left.solution, element.value
    loops = {loop.iterator for loop in solution.loops}
    outer = [guard for _, guard in solution.guards if not guard.names() & loops]
    inner = [(name, guard) for name, guard in solution.guards if guard.names() & loops]
    table = _table(scope, element, left) if outer and not inner else None
    if table is not None:
        return guarded(Guard(junction("and", outer), ()), table)
    early, rest = _told_apart(left.rest, loops)
    rest, value = _with_uses_filled(scope, rest, value)
    if not any(isinstance(frame, BindingFrame) for frame in rest):
        for name in dict.fromkeys(name for name, _ in inner):
            own = junction("and", [guard for other, guard in inner if other == name])
            value = _guarded_operand(Guard(own, ()), name, value)
    else:
        rest = (Guard(junction("and", [guard for _, guard in inner]), ()), *rest)
    rest = tuple(moved(frame, scope.names, solution.sizes) for frame in rest)
    value = substituted(value, scope.names, solution.sizes)
    loops_left: Sequence[LoopFrame] = solution.loops
    if not (outer or early or rest or solution.phases):
        loops_left, value = _summed_apart(scope, loops_left, value, among)
    result = enclosed((*loops_left, *rest), value, scope.names)
    result = guarded(Guard(junction("and", outer), ()), result)
    for condition in reversed(early):
        result = guarded(Guard(condition, ()), result)
    return result


def _summed_apart(
    scope: FrameStack, loops: Sequence[LoopFrame], value: Expr, among: Sequence[LoopFrame]
) -> tuple[Sequence[LoopFrame], Expr]:
    """A sum of products as loops and a term, where a factor is summed before over the loops that no other one uses."""
    if isinstance(value, Apply) and value.function == "neg":
        left, inner = _summed_apart(scope, loops, value.arguments[0], among)
        return left, apply("neg", inner)
    factors = _factors(value)
    for place, factor in enumerate(factors):
        others = factors[:place] + factors[place + 1 :]
        used = set().union(*(free_names(one) for one in others))
        own = [loop for loop in loops if loop.iterator not in used]
        rest = [loop for loop in loops if loop.iterator in used]
        names = {loop.iterator for loop in loops}
        if own and rest and not any(loop.extent.names() & names for loop in loops):
            around = [loop for loop in (*among, *rest) if loop.iterator in free_names(factor)]
            body = mapped([x.iterator for x in around], [x.extent for x in around], enclosed(own, factor, scope.names))
            table = scope.bind("d", substituted(body, scope.names))
            value = indexed(table, [Size.of(loop.iterator) for loop in around])
            for one in others:
                value = apply("mul", value, one)
            return _summed_apart(scope, rest, value, among)
    return loops, value


def _factors(expr: Expr) -> list[Expr]:
    match expr:
        case Apply(function="mul", arguments=arguments):
            return [factor for one in arguments for factor in _factors(one)]
    return [expr]


def _table(scope: FrameStack, element: Element, left: SettledSolution) -> Expr | None:
    """Sums that are there for some targets only, computed for these alone; None for what is no sum, or needs more."""
    loops, solution = loops_of(element.frames), left.solution
    solved = [loop for loop in loops if loop.iterator in solution.sizes]
    names = {loop.iterator for loop in loops}
    sizes = [*solution.sizes.values(), *(loop.extent for loop in solved)]
    is_sum = bool(solution.loops) or has_fold(element.value)
    is_whole = names.issuperset(one.iterator for one in solution.loops) and len(solution.sizes) == len(solved)
    if not is_sum or not is_whole or any(size.names() & names for size in sizes):
        return None
    if not all(isinstance(frame, BindingFrame) for frame in left.rest):
        return None
    rest, value = _with_uses_filled(scope, left.rest, element.value)
    body = enclosed((*solution.loops, *rest), value, scope.names)
    whole = mapped([loop.iterator for loop in solved], [loop.extent for loop in solved], body)
    table = scope.bind("d", substituted(whole, scope.names))
    return indexed(table, [solution.sizes[loop.iterator] for loop in solved])


def _told_apart(frames: tuple[Frame, ...], loops: set[str]) -> tuple[list[Condition], tuple[Frame, ...]]:
    """Conditions on sizes that no loop and no binding has a part in, and all other frames."""
    inner = loops.union(*(frame.bound for frame in frames if isinstance(frame, BindingFrame)))
    early: list[Condition] = []
    rest: list[Frame] = []
    for frame in frames:
        if isinstance(frame, Guard) and frame.condition is not None and not frame.written:
            parts = frame.condition.parts if frame.condition.kind == "and" else (frame.condition,)
            early += [part for part in parts if not part.names() & inner]
            left = junction("and", [part for part in parts if part.names() & inner])
            if left.constant is None:
                rest.append(Guard(left, ()))
        else:
            rest.append(frame)
    return early, tuple(rest)


def _with_uses_filled(scope: FrameStack, frames: tuple[Frame, ...], value: Expr) -> tuple[tuple[Frame, ...], Expr]:
    """Frames and value with what is bound last, and used once, where it is used."""
    while frames and isinstance(frames[-1], BindingFrame) and len(frames[-1].names) == 1:
        bound = frames[-1]
        uses = [one for one in _inside(value) if isinstance(one, Variable) and one.name == bound.names[0]]
        if len(uses) > 1 or any(bound.names[0] in own_names(one) for one in _inside(value) if one not in uses):
            break
        frames, value = frames[:-1], substituted(value, scope.names, values={bound.names[0]: bound.value})
    return frames, value


def _inside(expr: Expr) -> list[Expr]:
    """An expression and all that is inside it, but not inside a loop."""
    if isinstance(expr, Map | Reduce):
        return [expr, *(one for child in expr.children() for one in (*_inside(child), *_inside(child)))]
    return [expr, *(one for child in expr.children() for one in _inside(child))]


def _guarded_operand(guard: Guard, iterator: str, value: Expr) -> Expr:
    """A product is zero where its one operand that depends on an iterator is: only that is guarded."""
    match value:
        case Apply(function="mul", arguments=(one, two)):
            using = [iterator in free_names(one), iterator in free_names(two)]
            if using == [True, False]:
                return apply("mul", _guarded_operand(guard, iterator, one), two)
            if using == [False, True]:
                return apply("mul", one, _guarded_operand(guard, iterator, two))
        case Apply(function="neg", arguments=(one,)):
            return apply("neg", _guarded_operand(guard, iterator, one))
    return guarded(guard, value)
