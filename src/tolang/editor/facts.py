"""What checking and counting tell of each statement of a text, found again only where it may have changed.

What is known of a statement follows from its own text and from what is known of those that it needs.  Most values are
known to others by their types alone.  So a change of one leaves all that need it as they are, unless its type changes.
A key made of texts and types tells whether what was found before still holds.  Counting is exact and takes no more than
sums of products of our own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b

from tolang.check.programs import Checker, check_program
from tolang.core.core import Bundle, Call, Expr, Input, Let, Output, Program
from tolang.core.notation import show_type
from tolang.core.types import Type, bundle_type
from tolang.editor.pieces import Piece, Pieces, Written
from tolang.editor.symbols import mentions, offers
from tolang.ground.diagnostics import Diagnostic, Source, Span, ToLangCheckError, ToLangRunError, readable
from tolang.ground.sizes import Size
from tolang.program.cost import Cost
from tolang.readings.cost.formula import amount_of
from tolang.syntax import tree

LONGEST = 60
"""Formulas longer than this are cut."""


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of one definition: its type, of a function that of one call, and its EOPs as a formula."""

    type: str
    eops: str | None = None

    @property
    def hint(self) -> str:
        """Both in one line."""
        return self.type if self.eops is None else f"{self.type}, {self.eops} EOPs"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a statement: what is wrong with it, and facts of it, of steps of its block, of what it calls.

    Functions that it calls, and the steps of their blocks (`norm.s`), have their facts here, as calls tell them.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    fact: Fact | None = None
    steps: Mapping[str, Fact] = field(default_factory=dict)
    called: Mapping[str, Fact] = field(default_factory=dict)
    type: Type | None = None
    """The type of a value of which nothing else matters to what needs it."""
    face: bytes = b""
    """What tells that type from others."""


class Stopped(Exception):
    """Nobody waits for this any more."""


class Knowledge:
    """What is known of the statements of one text, as it changes."""

    def __init__(self) -> None:
        self._known: dict[bytes, Known] = {}
        self._checker: Checker | None = None
        self._needs: _Needs | None = None
        self._wanted = True

    def stop(self) -> None:
        """Ends a search that goes on in another thread, soon."""
        self._wanted = False
        checker = self._checker
        if checker is not None:
            checker.stop()

    def forget(self) -> None:
        """Takes back everything, as what lies outside the text may have changed."""
        self._known = {}

    def of(self, pieces: Pieces) -> dict[int, Known]:
        """What is known of the statements of a text so far, by their positions."""
        known, _ = self._found(self._needs_of(pieces), {})
        return known

    def _needs_of(self, pieces: Pieces) -> _Needs:
        """Which statements of a text need which others, found once for each text."""
        before = self._needs
        if before is None or before.pieces is not pieces.pieces:
            before = self._needs = _Needs(pieces)
        return before

    def learn(self, pieces: Pieces) -> dict[int, Known]:
        """Finds what is not known yet; raises `Stopped` where that was wanted meanwhile.

        At first that of statements alone whose needs are known.  As their types seldom change, that is mostly all.
        """
        self._wanted = True
        needs = self._needs_of(pieces)
        fresh: dict[int, Known] = {}
        known, keys = self._found(needs, fresh)
        for alone in (True, True, False):
            unknown = [n for n in range(len(pieces.pieces)) if n not in known and needs.is_whole(n)]
            chosen = [n for n in unknown if n in keys] if alone and known else unknown
            if chosen:
                fresh |= self._checked(pieces, needs, chosen, known)
                known, keys = self._found(needs, fresh)
        self._refuse_stopped()
        self._known = {keys[n]: one for n, one in known.items()}
        return known

    def _found(self, needs: _Needs, fresh: Mapping[int, Known]) -> tuple[dict[int, Known], dict[int, bytes]]:
        """What is known of statements, and the keys of those all of whose needs are known by their types or texts."""
        known: dict[int, Known] = {}
        keys: dict[int, bytes] = {}
        for n in needs.order:
            parts = [_face(m, known, keys, needs) for m in needs.needs[n]]
            if None in parts:
                continue
            keys[n] = needs.key(n, [part for part in parts if part is not None])
            found = fresh.get(n) or self._known.get(keys[n])
            if found is not None:
                known[n] = found
        return known, keys

    def _refuse_stopped(self) -> None:
        if not self._wanted:
            raise Stopped

    def _checked(
        self, pieces: Pieces, needs: _Needs, wanted: Sequence[int], known: Mapping[int, Known]
    ) -> dict[int, Known]:
        """What is known of statements, by checking them with all they need, and again without those that are wrong."""
        found = dict.fromkeys(wanted, Known())
        given = {n: one.type for n, one in known.items() if one.type is not None and n not in found}
        before = {n for n, one in known.items() if one.diagnostics}
        right = list(wanted)
        checker: Checker | None = None
        core: Program | None = None
        while right and core is None:
            checker, core, problems = self._core(pieces, needs, right, given)
            wrong = _attributed(problems, pieces, right, before)
            for n, diagnostics in wrong.items():
                if n in found:
                    found[n] = Known((*found[n].diagnostics, *diagnostics))
            if core is None:
                left = [n for n in right if not (wrong.keys() | before) & needs.closure([n], given)]
                right = left if len(left) < len(right) else []
        if core is not None and checker is not None:
            self._refuse_stopped()
            facts = _Facts(core, frozenset(name for one in pieces.pieces for name in one.written.defines))
            for n in right:
                kind = needs.only_type(n, checker)
                shown = None if kind is None else show_type(kind)
                face = f"{sorted(pieces.pieces[n].written.defines)} {shown}".encode()
                found[n] = replace(facts.known(pieces.pieces[n].written), type=kind, face=face)
        return found

    def _core(
        self, pieces: Pieces, needs: _Needs, wanted: Iterable[int], given: Mapping[int, Type]
    ) -> tuple[Checker | None, Program | None, tuple[Diagnostic, ...]]:
        """The core of statements, with every value they define as an output, or what is wrong with them.

        Those among their needs that are given by their types are not checked again.
        """
        self._refuse_stopped()
        chosen = sorted(needs.closure(wanted, given))
        statements = tuple(one for n in chosen if n not in given for one in pieces.pieces[n].written.statements)
        module = tree.Module(Span(Source(pieces.name, ""), 0, 0), statements)
        types = {name: given[n] for n in chosen if n in given for name in pieces.pieces[n].written.defines}
        try:
            self._checker = checker = Checker(module, given=types)
            self._refuse_stopped()
            return checker, checker.program(every_value=True), ()
        except ToLangCheckError as error:
            self._refuse_stopped()
            return None, None, error.diagnostics
        except RecursionError:
            return None, None, check_errors(module)
        finally:
            self._checker = None


def _face(n: int, known: Mapping[int, Known], keys: Mapping[int, bytes], needs: _Needs) -> bytes | None:
    """What others see of a statement: its type where that is all, else everything; None where that is not known yet."""
    if n not in keys:
        return needs.text(n).encode() if n in needs.circular else None
    if n in needs.typed:
        one = known.get(n)
        if one is None:
            return None
        if one.type is not None:
            return one.face
    return keys[n]


def check_errors(module: tree.Module) -> tuple[Diagnostic, ...]:
    """What is wrong with a module that nests too deeply for a plain walk."""
    try:
        check_program(module)
    except ToLangCheckError as error:
        return error.diagnostics
    return ()


def _attributed(
    problems: Iterable[Diagnostic], pieces: Pieces, wanted: Sequence[int], before: set[int]
) -> dict[int, list[Diagnostic]]:
    """Problems by the statement that they come with: of the calls that led to one, the outermost.

    A function may be right for one call and wrong for another; so the problem goes with the call, wherever it is shown.
    Those of statements that were known to be wrong before are known.
    """
    known = {id(pieces.pieces[n].written.source) for n in before}
    owners = {id(pieces.pieces[n].written.source): n for n in wanted}
    found: dict[int, list[Diagnostic]] = {}
    for problem in problems:
        spans = [*(one.span for one in reversed(problem.notes)), problem.span]
        met = [owners[id(one.source)] for one in spans if one is not None and id(one.source) in owners]
        if met or not any(one is not None and id(one.source) in known for one in spans):
            found.setdefault(met[0] if met else wanted[0], []).append(problem)
    return found


class _Needs:
    """Which statements of a text need which others, by the names they mention."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces: tuple[Piece, ...] = pieces.pieces
        written = [one.written for one in self.pieces]
        self.owners: dict[str, list[int]] = {}
        for n, one in enumerate(written):
            for name in offers(one):
                self.owners.setdefault(name, []).append(n)
        self.uses = [n for n, one in enumerate(written) if one.uses is not None]
        self.needs = [
            list({m for name in mentions(one) & self.owners.keys() for m in self.owners[name]} - {n})
            for n, one in enumerate(written)
        ]
        self.circular: set[int] = set()
        self.order = self._ordered()
        self.typed = {n for n in self.order if self._may_be_typed(n)}
        self._common = "\0".join(self.text(n) for n in self.uses).encode()
        self._whole: dict[int, bool] = {}
        self._uses_known = not any(one.statement is None and one.begins_use for one in written)

    def _ordered(self) -> list[int]:
        """All statements, each after those that it needs; statements in a circle are noted, and stand as they come."""
        order: list[int] = []
        state = [0] * len(self.pieces)
        for first in range(len(self.pieces)):
            waiting = [first] if state[first] == 0 else []
            while waiting:
                one = waiting[-1]
                state[one] = max(state[one], 1)
                missing = [m for m in self.needs[one] if state[m] == 0]
                if missing:
                    waiting.append(missing[0])
                    continue
                self.circular.update(m for m in self.needs[one] if state[m] == 1)
                waiting.pop()
                if state[one] != 2:
                    state[one] = 2
                    order.append(one)
        return order

    def closure(self, wanted: Iterable[int], given: Mapping[int, Type]) -> set[int]:
        """These statements and all that they need; what is given needs nothing."""
        found = set(self.uses)
        waiting = list(wanted)
        found.update(waiting)
        while waiting:
            one = waiting.pop()
            fresh = [m for m in self.needs[one] if m not in found] if one not in given else []
            found.update(fresh)
            waiting.extend(fresh)
        return {n for n in found if self.pieces[n].written.statement is not None}

    def is_whole(self, n: int) -> bool:
        """Whether a statement and all that it needs could be parsed, and every `use`, which any may need."""
        if not self._whole and self._uses_known:
            for one in self.order:
                needed = all(self._whole.get(m, True) for m in self.needs[one])
                self._whole[one] = needed and self.pieces[one].written.statement is not None
        return self._uses_known and self._whole[n]

    def key(self, n: int, faces: Iterable[bytes]) -> bytes:
        """What tells a statement, with what others show it, from all others."""
        parts = b"\0".join((self._common, self.text(n).encode(), *sorted(faces)))
        return blake2b(parts, digest_size=16).digest()

    def _may_be_typed(self, n: int) -> bool:
        """Whether a statement is a value that alone has its name, so that its type may be all that others see of it."""
        statement = self.pieces[n].written.statement
        if not isinstance(statement, tree.Definition) or statement.parameters is not None or n in self.circular:
            return False
        return self.owners.get(statement.id) == [n]

    def only_type(self, n: int, checker: Checker) -> Type | None:
        """The type of a value, where that is all that others see of it."""
        statement = self.pieces[n].written.statement
        if isinstance(statement, tree.Definition) and n in self.typed:
            return checker.known_by_type(statement.id)
        return None

    def text(self, n: int) -> str:
        return self.pieces[n].written.source.text


class _Facts:
    """Facts of a checked core: types and EOPs of its outputs, of steps of blocks, and of calls of its own functions."""

    def __init__(self, core: Program, own: frozenset[str]) -> None:
        self.core = core
        self.cost = Cost(core)
        self.lets, self.calls = _bound(core, own)
        self.types: dict[str, list[Type]] = {}
        for one in core.outputs:
            self.types.setdefault(one.name, []).append(one.type)
        self.grouped = {one.name for one in core.outputs if one.group}
        self.eops = _eops_by_definition(self.cost)
        self._called: dict[str, dict[str, Fact]] = {}

    def known(self, written: Written) -> Known:
        """What is known of a statement that is right."""
        match written.statement:
            case tree.Definition(id=name, parameters=None) as definition:
                called = {name: fact for call in mentions(written) & self.calls.keys() for name, fact in self._of(call)}
                called |= {one.id: fact for one in written.parts if (fact := self._value(one.id, ())) is not None}
                steps = {step: self._step(step) for step in _steps(definition)}
                return Known((), self._value(name, list(steps)), {k: v for k, v in steps.items() if v}, called)
            case tree.TolDeclaration(id=name):
                kind = next((one.type for one in self.core.inputs if one.name == name), None)
                return Known((), None if kind is None else Fact(readable(str(kind))))
        return Known()

    def _value(self, name: str, steps: Iterable[str]) -> Fact | None:
        types = self.types.get(name)
        if types is None:
            return None
        kind = bundle_type(types) if name in self.grouped else types[0]
        if self.eops is None:
            return Fact(readable(str(kind)))
        parts = [self.eops[one] for one in {name, *steps} if one in self.eops]
        return Fact(readable(str(kind)), shown(sum(parts, Size.of(0))))

    def _step(self, name: str) -> Fact | None:
        """A step of a block; its EOPs where no other step has its name."""
        lets = self.lets.get(name, [])
        if not lets:
            return None
        known = self.eops is not None and len(lets) == 1 and name in self.eops
        return Fact(readable(str(lets[0])), shown(self.eops[name]) if known and self.eops else None)

    def _of(self, name: str) -> Iterator[tuple[str, Fact]]:
        """What one call of an own function tells of it and of the steps of its block."""
        if name not in self._called:
            self._called[name] = dict(_call_facts(self.core, self.calls[name]))
        return iter(self._called[name].items())


def _eops_by_definition(cost: Cost) -> dict[str, Size] | None:
    """The EOPs of each definition; None where the sizes do not allow a count."""
    try:
        return {name: Size.of(one.eops) for name, one in cost.by_definition.items()}
    except ToLangRunError:
        return None


def _call_facts(core: Program, call: Call) -> Iterator[tuple[str, Fact]]:
    """One call as a program of its own, in the sizes of its arguments."""
    inputs = tuple(Input(name, value.type) for name, value in call.arguments)
    parts = call.body.type.parts or (call.body.type,)
    outputs = tuple(Output(call.definition, one, len(parts) if len(parts) > 1 else 0) for one in parts)
    body = call.body if isinstance(call.body, Bundle) else Bundle((call.body,), type=call.body.type)
    sizes = tuple(name for name, _ in call.sizes)
    own = replace(core, sizes=sizes, inputs=inputs, outputs=outputs, body=body)
    named = {name.split(".")[0]: readable(str(_in_own_sizes(value.type, call))) for name, value in call.arguments}
    head = f"({', '.join(f'{name}: {kind}' for name, kind in named.items())}) -> {readable(str(call.body.type))}"
    try:
        cost = Cost(own)
        yield call.definition, Fact(head, shown(Size.of(cost.eops)))
        lets, _ = _bound(own, frozenset())
        for name, one in cost.by_definition.items():
            if len(lets.get(name, ())) == 1:
                yield f"{call.definition}.{name}", Fact(readable(str(lets[name][0])), shown(Size.of(one.eops)))
    except ToLangRunError:
        yield call.definition, Fact(head)


def _in_own_sizes(kind: Type, call: Call) -> Type:
    """The type of an argument in the names that the called function has for its sizes."""
    own = {str(size): Size.of(name) for name, size in call.sizes}
    return kind.with_shape(tuple(own.get(str(one), one) for one in kind.shape))


def _bound(core: Program, own: frozenset[str]) -> tuple[dict[str, list[Type]], dict[str, Call]]:
    """Types of what definitions of a program, outside calls, are bound to, and the first call of each own function."""
    lets: dict[str, list[Type]] = {}
    calls: dict[str, Call] = {}
    seen: set[int] = set()
    waiting: list[tuple[Expr, bool]] = [(core.body, False)]
    while waiting:
        expr, inside = waiting.pop()
        if id(expr) in seen:
            continue
        seen.add(id(expr))
        if isinstance(expr, Let) and not inside and expr.names[0] in core.definitions:
            lets.setdefault(core.definitions[expr.names[0]], []).append(expr.value.type)
        if isinstance(expr, Call):
            if expr.definition in own and expr.shared:
                calls.setdefault(expr.definition, expr)
            inside = True
        waiting.extend((child, inside) for child in reversed(expr.children()))
    return lets, calls


def _steps(definition: tree.Definition) -> list[str]:
    """The names of the values in a definition's own block."""
    body = definition.body
    return [one.id for one in body.definitions if one.parameters is None] if isinstance(body, tree.Block) else []


def shown(size: Size) -> str:
    """A count as a formula, cut where it is long."""
    text = str(amount_of(size))
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"
