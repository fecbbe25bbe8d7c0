"""What checking tells of each statement of a text, found again only where it may have changed, and step by step.

What is known of a statement follows from its own text and from what is known of those that it needs.  Most values are
known to others by their types alone.  So a change of one leaves all that need it as they are, unless its type changes.
A key made of texts and types tells whether what was found before still holds.

Where much has changed, what is near the change is found first, in steps of some statements each; after each of them
all that is known by then can be told, and a search that nobody waits for any more ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tolang.check.programs import Checker, check_program
from tolang.core.core import Core
from tolang.core.notation import show_type
from tolang.core.types import Type
from tolang.editor.facts import Facts, StatementFacts
from tolang.editor.needs import StatementNeeds
from tolang.editor.pieces import TextPieces
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, Source, Span, ToLangCheckError
from tolang.program.warned import warnings_of
from tolang.syntax import tree

FIRST_STEP, LARGEST_STEP = 16, 128
"""So many statements are checked before anything is told, and between two tellings at most."""
MOST_NAMES = 20_000
"""What was made of the library is made anew once there are so many names in it and around it."""


class Stopped(Exception):
    """Nobody waits for this any more."""


@dataclass(frozen=True, slots=True)
class SearchStep:
    """What is known of statements after a step of a search, by their positions, and whether that is all."""

    known: Mapping[int, StatementFacts]
    is_last: bool


class DocumentKnowledge:
    """What is known of the statements of one text, as it changes."""

    def __init__(self) -> None:
        self._known: dict[bytes, StatementFacts] = {}
        self._checker: Checker | None = None
        self._before: Checker | None = None
        self._needs: StatementNeeds | None = None
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
        self._before = None

    def of(self, pieces: TextPieces) -> dict[int, StatementFacts]:
        """What is known of the statements of a text so far, by their positions."""
        return _Found(self.needs_of(pieces), self._known).known

    def needs_of(self, pieces: TextPieces) -> StatementNeeds:
        """Which statements of a text need which others, found once for each text."""
        before = self._needs
        if before is None or before.pieces is not pieces.pieces:
            before = self._needs = StatementNeeds(pieces)
        return before

    def learn(self, pieces: TextPieces, near: int = 0) -> Iterator[SearchStep]:
        """Finds what is not known yet, first what is near a statement; gives all that is known after each step.

        Raises `Stopped` where that was wanted meanwhile; what was found by then stays.
        """
        self._wanted = True
        needs = self.needs_of(pieces)
        found = _Found(needs, self._known)
        size, alone = FIRST_STEP, bool(found.known)
        while True:
            chosen = found.nearest(near, size, alone)
            if chosen:
                found.go_on(self._checked(pieces, needs, chosen, found.known))
                self._known |= {found.keys[n]: found.known[n] for n in chosen if n in found.known}
            if not found.has_more():
                break
            yield SearchStep(found.known, False)
            size, alone = size if alone else min(2 * size, LARGEST_STEP), False
        self._refuse_stopped()
        self._known = {found.keys[n]: one for n, one in found.known.items()}
        yield SearchStep(found.known, True)

    def _refuse_stopped(self) -> None:
        if not self._wanted:
            raise Stopped

    def _checked(
        self, pieces: TextPieces, needs: StatementNeeds, wanted: Sequence[int], known: Mapping[int, StatementFacts]
    ) -> dict[int, StatementFacts]:
        """What is known of statements, each after those that it needs: by checking all at once where they are right.

        Where one is not, each is checked by itself, so that every problem goes with the statement that meets it: a
        function may be right for one call and wrong for another.  What needs a statement that is wrong is not checked.
        """
        given = {n: one.type for n, one in known.items() if one.type is not None}
        found = self._right(pieces, needs, wanted, given)
        if not isinstance(found, tuple):
            return found
        wrong = {n for n, one in known.items() if one.diagnostics}
        each: dict[int, StatementFacts] = {}
        for n in wanted:
            if wrong & needs.closure([n], given):
                each[n] = StatementFacts()
                continue
            one = found if len(wanted) == 1 else self._right(pieces, needs, [n], given)
            each[n] = StatementFacts(one) if isinstance(one, tuple) else one[n]
            if each[n].diagnostics:
                wrong.add(n)
            elif (kind := each[n].type) is not None:
                given[n] = kind
        return each

    def _right(
        self, pieces: TextPieces, needs: StatementNeeds, wanted: Sequence[int], given: Mapping[int, Type]
    ) -> dict[int, StatementFacts] | tuple[Diagnostic, ...]:
        """What is known of statements that are right, else what is wrong with them."""
        checker, core, problems = self._core(pieces, needs, wanted, given)
        if checker is None or core is None:
            return problems
        facts, warnings = Facts(core, needs.defined), warnings_of(core)
        found = {}
        for n in wanted:
            written = pieces.pieces[n].written
            kind = needs.only_type(n, checker)
            shown = None if kind is None else show_type(kind)
            face = f"{sorted(written.defines)} {shown}".encode()
            own = tuple(one for one in warnings if one.span and one.span.source is written.source)
            found[n] = StatementFacts((), own, kind, face, written, facts)
        return found

    def _core(
        self, pieces: TextPieces, needs: StatementNeeds, wanted: Sequence[int], given: Mapping[int, Type]
    ) -> tuple[Checker | None, Core | None, tuple[Diagnostic, ...]]:
        """The core of statements, with every value they define as an output, or what is wrong: of several, some of it.

        Those among their needs that are given by their types are not checked again.
        """
        self._refuse_stopped()
        chosen = sorted(needs.closure(wanted, given))
        statements = tuple(one for n in chosen if n not in given for one in pieces.pieces[n].written.statements)
        module = tree.SyntaxModule(Span(Source(pieces.name, ""), 0, 0), statements)
        types = {name: given[n] for n in chosen if n in given for name in pieces.pieces[n].written.defines}
        try:
            self._checker = checker = Checker(module, before=self._before, given=types)
            self._refuse_stopped()
            core = checker.program(every_value=True, first_error=len(wanted) > 1)
            self._refuse_stopped()
            checker.forget_own()
            self._before = checker if len(checker.checking.ranges.ranges) < MOST_NAMES else None
            return checker, core, ()
        except ToLangCheckError as error:
            self._refuse_stopped()
            return None, None, error.diagnostics
        except RecursionError:
            return None, None, check_errors(module)
        finally:
            self._checker = None


class _Found:
    """What is known of the statements of a text while more of it is found, and the keys that it is known by."""

    def __init__(self, needs: StatementNeeds, before: Mapping[bytes, StatementFacts]) -> None:
        self.needs, self.before = needs, before
        self.known: dict[int, StatementFacts] = {}
        self.keys: dict[int, bytes] = {}
        self.waiting = list(needs.order)
        self.go_on({})

    def go_on(self, fresh: Mapping[int, StatementFacts]) -> None:
        """Takes what was found, and what was known before of those whose needs are all known now."""
        self.known = dict(self.known)
        left = []
        for n in self.waiting:
            if n not in self.keys:
                faces = [self._face(m) for m in self.needs.needs[n]]
                if None not in faces:
                    self.keys[n] = self.needs.key(n, [one for one in faces if one is not None])
            found = fresh.get(n) or (self.before.get(self.keys[n]) if n in self.keys else None)
            if found is None or n not in self.keys:
                left.append(n)
            else:
                self.known[n] = found
        self.waiting = left

    def _face(self, n: int) -> bytes | None:
        """What others see of a statement: its type where that is all, else everything; None where that is unknown."""
        if n not in self.keys:
            return self.needs.text(n).encode() if n in self.needs.circular else None
        if n in self.needs.typed:
            one = self.known.get(n)
            if one is None:
                return None
            if one.type is not None:
                return one.face
        return self.keys[n]

    def has_more(self) -> bool:
        return any(self.needs.is_whole(n) for n in self.waiting)

    def nearest(self, near: int, size: int, alone: bool) -> list[int]:
        """Some statements that are not known yet: those near one, after what they need, and every `use` before all.

        Those alone whose needs are known are what was changed itself; mostly its type is as it was, and that is all.
        """
        unknown = [n for n in self.waiting if self.needs.is_whole(n) and (n in self.keys or not alone)]
        uses = [n for n in self.needs.uses if n in unknown]
        among = set(unknown)
        wanted = self.needs.among(among, sorted(unknown, key=lambda n: abs(n - near))[:size])
        return [*uses, *(n for n in unknown if n in wanted and n not in uses)][: max(size, len(uses))]


def check_errors(module: tree.SyntaxModule) -> tuple[Diagnostic, ...]:
    """What is wrong with a module that nests too deeply for a plain walk."""
    try:
        check_program(module)
    except ToLangCheckError as error:
        return error.diagnostics
    return ()
