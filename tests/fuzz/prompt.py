"""Entries at a prompt: values of every type, what is made of them, redefinitions, and mistakes of all kinds.

After each entry the session must be sound: one that failed has changed nothing, a value that was shown is `it`, with the
same type, and can be kept under a name; an expression that has nothing to do with it all has its value; and the program
so far, written out, is one that a session loads.

    python -m tests.fuzz.prompt 200 --seed 1
"""

from __future__ import annotations

import argparse
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tolang.ground.reporting.diagnostics import ToLangError
from tolang.ground.values.printing import type_notation
from tolang.ground.values.spaces import FAMILIES, NARROW_INTEGERS
from tolang.ground.values.values import ToL, equal
from tolang.program.session import Answer, EvaluatedExpression, Session

ENTRIES = 25
"""How many entries a session gets."""

NAMES = ("a", "b", "c", "x", "it", "n", "R", "Z", "byte", "list", "map", "i", "u8", "e", "pi", "sum", "B", "S", "iter")
"""Names of inputs, definitions, components, spaces and lists: many mean something already, or cannot be names."""
BOUNDED = ("byte: N [0,255]", "unit: R [0,1]", "half: Q [-1/2,1/2]", "up: Z [-5,Inf]", "R: N", "Z: R", "f32: f64")
MEMBERS = {"B": ["true", "false"], "S": ["'a'", "''", "'it''s'", "'π'"], "Z": ["1", "2", "3"], "Q": ["1", "2"],
           "R": ["1.0", "2.0", "0.5"], "I": ["2i", "1i"], "C": ["1+2i", "3"]}  # fmt: skip
BROKEN = ("1 +", "(", "nope", "[1,2][3]", "tol", "it'", "1/0", "x = nope", "tol x: nothing", "use nothing", "f(", "'", "3 4",
          "list p: [x: R, x: R]", "space s: S [0,1]", "= 2", "it = ", "tol a: R [", "reduce(1)", "map(", "a[9,9,9,9]", "*",
          "[[1],[2,3]]", "convert(2, [B])", "tol[2^62, 2^62]", "floor(0/0)", "ab'cd", "{", "}")  # fmt: skip


class Typist:
    """Somebody who types entries; what has a type is remembered by its name, so that much of what is typed has a meaning."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.known: dict[str, tuple[list[tuple[str, str]], tuple[int, ...]]] = {}
        self.waiting: list[str] = []

    def entry(self) -> str:
        """The next entry: what belongs to the one before, or anything."""
        if self.waiting:
            return self.waiting.pop(0)
        kinds: list[tuple[Callable[[], str], int]] = [
            (self.declared, 6), (self.derived, 8), (self.broken, 3), (self.kept, 3), (self.defined, 3), (self.space, 1), (self.literal, 2),
        ]  # fmt: skip
        return self.rng.choices([make for make, _ in kinds], [weight for _, weight in kinds])[0]()

    def name(self) -> str:
        return self.rng.choice(NAMES)

    def declared(self) -> str:
        """An input of any type; its data and its value are the entries that follow."""
        rng = self.rng
        spaces = [*FAMILIES, *NARROW_INTEGERS]
        fields = [(rng.choice(["", *NAMES]), rng.choice(spaces)) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        shape = tuple(rng.choice([0, 1, 2, 3]) for _ in range(rng.randrange(5)))
        name = self.name()
        listed = ", ".join(f"{field}: {space}" if field else space for field, space in fields)
        plain = len(fields) == 1 and not fields[0][0] and rng.random() < 0.9
        sizes = rng.choice([[str(length) for length in shape], ["n", "m", "k", "it"][: len(shape)]])
        written = f" [{', '.join(sizes)}]" if shape else ""
        self.known[name] = fields, shape
        self.waiting = [f"{name} = {self.block(fields, shape)}", name]
        text = listed if plain else f"[{listed}]"
        if rng.random() < 0.2:
            own = self.name()
            self.waiting = [f"tol {name}: {own}{written}", *self.waiting]
            return f"list {own}: {text}"
        return f"tol {name}: {text}{written}"

    def block(self, fields: list[tuple[str, str]], shape: tuple[int, ...]) -> str:
        """A value of a type, written out."""
        if shape:
            return f"[{', '.join(self.block(fields, shape[1:]) for _ in range(shape[0]))}]"
        cells = [self.member(space) for _, space in fields]
        return cells[0] if len(cells) == 1 else f"({', '.join(cells)})"

    def member(self, space: str) -> str:
        """A number or text of a space, mostly; or of another."""
        family = FAMILIES.get(space, "Z") if self.rng.random() < 0.97 else self.rng.choice("BSZRC")
        found = self.rng.choice(MEMBERS[family])
        return f"-{found}" if space.endswith("-") and self.rng.random() < 0.95 else found

    def derived(self) -> str:
        """Something made of what has been declared, or of the value before."""
        rng = self.rng
        name = rng.choice([*self.known, "it"]) if self.known else "it"
        fields, shape = self.known.get(name, ([("x", "R")], (2,)))
        field = rng.choice([*(field for field, _ in fields if field), "1", "2"])
        space = rng.choice([*FAMILIES, *NARROW_INTEGERS, "byte", "unit"])
        return rng.choice([
            f"{name}[{field}]'", f"({name}, {name})", f"[{name}, {name}]", f"convert({name}, [{space}])", f"{name} and 15",
            f"{name} + 1", f"map({name}, (*[{field}]', *))", f"{name}[{', '.join('1' for _ in shape)}]", f"|{name}|", f"{name} == {name}",
            f"({name}[1]', {name}[1]')", f"tile({name})", f"({name}[1]', [1,2])", f"{name}[1:0]", f"reduce({name}, max, 0)", f"space({name})",
        ])  # fmt: skip

    def kept(self) -> str:
        self.waiting = [name := self.name()]
        return f"{name} = it"

    def defined(self) -> str:
        name = self.name()
        body = self.rng.choice([self.derived(), "3", "[1,2]", "'text'", "tol[2]", self.name()])
        return self.rng.choice(
            [
                f"{name} = {body}",
                f"{name} := {body}",
                f"{name}(v) = {body}",
                f"tol {name} = [2,2]",
                f"use linalg as {name}",
            ]
        )

    def space(self) -> str:
        return f"space {self.rng.choice(BOUNDED)}"

    def broken(self) -> str:
        return self.rng.choice(BROKEN)

    def literal(self) -> str:
        family = self.rng.choice(list(MEMBERS))
        return self.block([("", family)], tuple(self.rng.randrange(3) for _ in range(self.rng.randrange(3))))


@dataclass(frozen=True)
class State:
    """Everything that a session holds, as it was at some time."""

    text: str
    data: dict[str, ToL]
    sizes: tuple[str, ...]
    last: ToL | None


def state(session: Session) -> State:
    return State(session.text(), dict(session.data), session.sizes, session.last)


def type_text(value: object) -> str:
    assert isinstance(value, ToL)
    return type_notation(value)


def entered(session: Session, entry: str) -> tuple[list[Answer], bool]:
    """What a session answers to an entry, and whether it failed."""
    answers: list[Answer] = []
    try:
        answers.extend(session.enter(entry))  # those before a failure, too
    except ToLangError:
        return answers, True
    return answers, False


def check(session: Session, answers: list[Answer], failed: bool, before: State, entry: str) -> None:
    """What must hold after an entry, whatever it was."""
    if failed and not answers:
        after = state(session)
        assert (after.text, after.sizes) == (before.text, before.sizes), f"{entry!r} failed, and changed the program"
        assert after.data.keys() == before.data.keys(), f"{entry!r} failed, and changed data"
        assert after.last is before.last, f"{entry!r} failed, and changed what it is"
    (sound,) = session.enter("[20, 22][2] + 20")
    assert isinstance(sound, EvaluatedExpression), entry
    assert sound.value == ToL.of(42), entry
    shown = [one.value for one in answers if isinstance(one, EvaluatedExpression)]
    last = shown[-1] if shown else before.last
    session.last = last if isinstance(last, ToL) else None
    if session.last is not None and not session.defines_it():
        (again,) = session.enter("it")
        assert isinstance(again, EvaluatedExpression)
        assert equal(again.value, last), entry
        assert type_text(again.value) == type_text(last), entry
        keep(session, entry)
    load(session, entry)


def keep(session: Session, entry: str) -> None:
    """The value can be kept under a name and is the same there, in a session like this one."""
    other = copied(session)
    try:
        list(other.enter("kept_value = it"))
    except ToLangError as error:
        if "is the name of another space here" in str(error):
            return
        raise
    (found,) = other.enter("kept_value")
    assert isinstance(found, EvaluatedExpression)
    assert equal(found.value, session.last), entry


def copied(session: Session) -> Session:
    """A session with the same contents, which may be changed."""
    other = Session(session.seed)
    other.statements, other.data = dict(session.statements), dict(session.data)
    other.sizes, other.last = session.sizes, session.last
    return other


def load(session: Session, entry: str) -> None:
    """The program so far is one that a session loads, and reads the same there."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.tol"
        session.save(path)
        other = Session()
        other.load(path)
        assert other.text() == session.text(), entry


def run(count: int, seed: int) -> Counter[str]:
    """Random sessions; raises where one is not sound after an entry."""
    outcomes: Counter[str] = Counter()
    for number in range(count):
        rng = random.Random(f"{seed}/{number}")
        session, typist, typed = Session(), Typist(rng), list[str]()
        for _ in range(ENTRIES):
            entry, before = typist.entry(), state(session)
            typed.append(entry)
            try:
                answers, failed = entered(session, entry)
                check(session, answers, failed, before, entry)
            except Exception as found:
                raise AssertionError(f"session {seed}/{number}:\n" + "\n".join(typed)) from found
            outcomes[
                "error" if failed else "value" if isinstance(answers[-1], EvaluatedExpression) else "definition"
            ] += 1
    return outcomes


def main() -> None:
    parser = argparse.ArgumentParser(description="Entries at a prompt.")
    parser.add_argument("count", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    arguments = parser.parse_args()
    print(f"seed {arguments.seed}", flush=True)
    print(dict(run(arguments.count, arguments.seed)))


if __name__ == "__main__":
    main()
