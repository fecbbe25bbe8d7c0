"""Random programs for the parser and the checker: a program or a `ToLangError`, nothing else, in bounded time and memory.

`run` makes five kinds of text: mutations, token by token, of the programs in this repository and of generated ones; soups
of tokens; programs that nest deeply or are very long; programs with absurd sizes; and programs that grow exponentially
when their calls are written out.  What is accepted and small is also run, on data of tiny sizes: values or a
`ToLangError`.

    python -m tests.fuzz.checker 100000 1
"""

from __future__ import annotations

import random
import re
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType

from hypothesis import HealthCheck, Phase, given, seed, settings
from tests.properties.programs import Generated, programs

import tolang
from tolang.core.core import Core, Expr, Map, Reduce
from tolang.ground.symbolic.sizes import Size
from tolang.program.program import Program
from tolang.program.sampling import sample_inputs

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 8.0
"""The CPU time that reading and checking one program may take, on a machine of ordinary speed: the longest chains of
operators take a second and a half, and what is refused for its size takes three, twice that where cores are shared."""
PATIENCE = 40
"""Seconds after which anything is interrupted, however busy the machine is."""
MEMORY = 600 << 20
"""How much the process may grow while one program is read, checked and run."""
LONGEST = 60_000
"""How many characters a program has at most: reading takes time in proportion."""
RUNNABLE = 20_000
"""Programs whose maps and folds have more elements than this are not run."""

TOKEN = re.compile(r"\s+|\d+\.?\d*|\w+|:=|->|[<>=!]=|\|\||'[^'\n]*'|.", re.DOTALL)
POOL = (
    "+", "-", "*", "/", "%", "^", "<", ">", "<=", ">=", "==", "!=", "=", ":=", "->", "(", ")", "[", "]", "{", "}",
    "|", "||", "'", ",", ";", ":", ".", "and", "or", "xor", "not", "if", "then", "else", "true", "false", "Inf",
    "NaN", "iter", "map", "reduce", "convert", "swap", "reshape", "tile", "part", "shape", "dim", "capacity", "vol",
    "space", "tol", "list", "use", "rand", "sqrt", "exp", "log", "abs", "floor", "max", "min", "add", "mul", "x", "y",
    "t", "n", "m", "f", "g", "a", "b", "i", "j", "s", "0", "1", "2", "3", "10", "-1", "0.5", "1e-3", "2i", "64", "65",
    "999999999999", "1e300", "N", "Z", "R", "B", "Q", "S", "N*", "'a'", "associative", "derivative", "\n", " ", "\n\n", "t[", "]'",
    "map(t, ", "tol[", "(s,x) -> ", "10^12", "[1,2,3]", "[[1,2],[3,4]]",
)  # fmt: skip

NUMBERS = ("0", "1", "2", "3", "4", "7", "0.5", "64", "1e300", "10^12", "(-1)", "Inf", "NaN", "2i", "n", "true", "'a'")
SIGNS = ("+", "-", "*", "/", "%", "^", "<", "<=", ">", "==", "!=", "and", "or", "xor")
FUNCTIONS = (
    "add", "mul", "max", "min", "sub", "div", "mod", "pow", "lt", "eq", "and", "sqrt", "exp", "abs", "floor", "log", "neg",
    "sgn", "rand", "shape", "dim", "vol", "capacity", "space", "map", "reduce", "swap", "reshape", "tile", "part", "iter",
)  # fmt: skip
SPACES = ("R", "Z", "N", "B", "Q", "S", "C", "I", "N*", "R+", "Z-", "f32", "f16", "i8", "u8", "u64", "c64", "bf16")


class Interrupted(BaseException):
    """Raised in the middle of whatever takes too long."""


@cache
def written_programs() -> tuple[str, ...]:
    """Every program in the repository."""
    places = (ROOT / "examples", ROOT / "tests" / "language", ROOT / "src" / "tolang" / "library")
    return tuple(path.read_text("utf-8") for place in places for path in sorted(place.rglob("*.tol")))


def generated_programs(count: int, start: int) -> list[str]:
    """Programs of the generator."""
    found: list[str] = []

    @seed(start)
    @settings(max_examples=count, deadline=None, phases=[Phase.generate], database=None,
              suppress_health_check=list(HealthCheck))  # fmt: skip
    @given(programs())
    def one(program: Generated) -> None:
        found.append(program.source)

    one()
    return found


def mutated(text: str, other: str, generator: random.Random) -> str:
    """The text with a few tokens dropped, doubled, exchanged, replaced, or taken from another program."""
    tokens = TOKEN.findall(text) or [" "]
    if len(tokens) > 400:
        start = generator.randrange(len(tokens) - 300)
        tokens = tokens[start : start + 300]
    for _ in range(generator.choice([1, 1, 2, 3, 6])):
        place = generator.randrange(len(tokens))
        match generator.randrange(6):
            case 0:
                del tokens[place]
            case 1:
                tokens.insert(place, tokens[place])
            case 2:
                tokens[place] = generator.choice(POOL)
            case 3:
                tokens.insert(place, generator.choice(POOL))
            case 4:
                second = generator.randrange(len(tokens))
                tokens[place], tokens[second] = tokens[second], tokens[place]
            case 5:
                foreign = TOKEN.findall(other) or [" "]
                start = generator.randrange(len(foreign))
                tokens[place:place] = foreign[start : start + generator.randint(1, 12)]
        tokens = tokens or [" "]
    return "".join(tokens)


def varied(text: str, generator: random.Random) -> str:
    """The text with a few tokens replaced by others of their kind, so that most of it still parses."""
    tokens = TOKEN.findall(text) or [" "]
    names = sorted({one for one in tokens if one.isidentifier()})
    for _ in range(generator.choice([1, 1, 2, 4])):
        places = [k for k, one in enumerate(tokens) if one.strip() and one not in "()[]{},;"]
        if not places:
            break
        place = generator.choice(places)
        token = tokens[place]
        if token[0].isdigit():
            tokens[place] = generator.choice(NUMBERS)
        elif token in SIGNS:
            tokens[place] = generator.choice(SIGNS)
        elif token in SPACES:
            tokens[place] = generator.choice(SPACES)
        elif token in FUNCTIONS:
            tokens[place] = generator.choice(FUNCTIONS)
        elif token.isidentifier():
            tokens[place] = generator.choice([*names, *names, *FUNCTIONS, *NUMBERS])
    return "".join(tokens)


def soup(generator: random.Random) -> str:
    """Tokens without any order, behind a declaration so that some of it means something."""
    body = " ".join(generator.choice(POOL) for _ in range(generator.randint(1, 40)))
    return generator.choice(["tol t: R [n,m]\ntol x: Z\ny := ", "", "tol t: Z [n]\nf(x) = x\nr := "]) + body


def nested(generator: random.Random) -> str:
    """One construct inside itself, or after itself, very often."""
    depth = generator.choice([10, 50, 200, 1000, 5000, 20000])
    opener, closer = generator.choice([
        ("(", ")"), ("[", "]"), ("-", ""), ("not ", ""), ("abs(", ")"), ("map(t, ", ")"), ("if t[1] > 0 then ", " else 1"),
        ("x -> ", ""), ("{ a = ", "; a }"), ("|", "|"), ("f(", ")"), ("1 + ", ""), ("t[", "]"), ("reduce(t, add, ", ")"),
        ("tol[", "]"), ("2^", ""), ("(1, ", ")"), ("t + ", ""), ("f.", ""), ("(t)[1:1]", ""), ("convert(", ", [R])"),
        ("[1, ", "]"), ("1 == 1 and ", ""), ("reshape(", ", [1])"), ("tile(", ")"), ("part'(", ", 1)"),
    ])  # fmt: skip
    depth = min(depth, LONGEST // len(opener + closer))
    inner = generator.choice(["1", "t", "*", "x", "t[1]", "f"])
    chain = "\n".join(f"v{k} = v{k - 1} + 1" for k in range(1, min(depth, 3000)))
    forms = [
        f"tol t: R [1]\nf(x) = x\nr := {opener * depth}{inner}{closer * depth}",
        f"v0 = 1\n{chain}\nr := v{min(depth, 3000) - 1}",
        f"tol t: R [n]\nv0 = t\n{chain}\nr := v{min(depth, 3000) - 1}",
        "r := " + " + ".join(["1"] * depth),
        "r := [" + ",".join(["1"] * depth) + "]",
        "f(" + ",".join(f"p{k}" for k in range(min(depth, 2000))) + ") = 1\nr := f(1)",
    ]
    return generator.choice(forms if generator.random() < 0.5 else forms[:1])


def huge(generator: random.Random) -> str:
    """Sizes and numbers that no memory holds."""
    number = generator.choice(["10^12", "10^10^10", "10^1000", "2^63", "2^64-1", "1e300", "9" * 400, "10^18", "2^31", "10^7",
                               "10^9", "4^4^4^4", "(10^12)^2", "1/10^400", "0-10^30", "n^64", "n*m*n*m"])  # fmt: skip
    other = generator.choice([number, "10^6", "3", "n"])
    head = generator.choice(["tol n: N\ntol m: N\n", "n = 3\nm = 2\n", "tol q: R [n,m]\n"])
    form = generator.choice([
        "r := tol[{a},{b}]", "r := vol(tol[{a},{b}])", "r := |tol[{a},{b}]|", "r := map(tol[{a},{b}], 1)",
        "r := reduce(tol[{a}], add, 0)", "r := tol[{a}][{b}]", "r := reshape(tol[{a}], [{b}])", "r := {a}", "r := {a} + {b}",
        "r := {a} * {b} % 7", "r := [tol[{a}], tol[{b}]]", "r := tol[{a}] + tol[{b}]", "r := tile(tol[2,{a}])",
        "r := swap(tol[{a}], 1, tol[{b}])", "r := map(tol[{a}], *, {b})", "tol w: R [{a}]\nr := w", "r := (tol[{a}],tol[{b}])",
        "r := reduce(tol[{a}], (s,x) -> [s,x], tol[0])", "r := convert(tol[{a}], [Q])", "r := {a} / {b}", "r := {a} ^ {b}",
        "r := tol[{a}][{b}:]", "r := convert({a}, [Q]) ^ ({b})", "r := log({a}, {b})", "space w: Z [0,{a}]\ntol v: w\nr := v",
        "r := if {a} > {b} then 1 else 2", "r := sqrt({a}) + exp({b})", "r := tol[tol[{a}]]", "r := [1,2,3][{a}]",
        "tol z: R [{b}]\nr := z[{a}]", "r := reduce(tol[64], (s,x) -> s*s*{a}, {b})", "r := map(tol[{a}], map(tol[{b}], 1))",
        "r := reduce([1,2,3,4,5,6,7,8], (s,x) -> s^x, {a})", "r := tol[{a},0]", "r := reduce(tol[{a},0], add, 1)",
    ])  # fmt: skip
    return head + form.format(a=number, b=other)


def exponential(generator: random.Random) -> str:
    """Programs that double with each definition once calls are written out."""
    depth = generator.choice([5, 15, 30, 60])
    step = generator.choice([
        "f{k}(x) = f{j}(x) + f{j}(x)", "f{k}(x) = f{j}(f{j}(x))", "f{k}(x) = [f{j}(x), f{j}(x)]", "f{k}(x) = (f{j}(x), f{j}(x))",
        "f{k}(x) = map(x, f{j}(x))", "f{k}(x) = if x > 0 then f{j}(x) else f{j}(x+1)", "f{k}(x) = f{j}(x)*f{j}(x)",
        "f{k}(x) = map([1,2,3,4,5,6,7,8], f{j}(x))", "f{k}(x) = reduce([1,2,3,4,5,6,7,8], (s,y) -> s + f{j}(x), 0)",
        "f{k}(x) = {{ a = f{j}(x); b = f{j}(a); a + b }}", "f{k}(x) = f{j}.f{j}(x)", "f{k}(x) = tile([f{j}(x), f{j}(x)])",
        "f{k}(x) = reduce(tol[2], (s,y) -> f{j}(s), x)", "f{k}(x) = f{j}((x+1)^2)", "f{k}(x) = f{j}(max(x,2*x) - x/3)",
        "f{k}(x, g=f{j}) = g(x) + g(x)", "f{k}(x) = tol[f{j}(x), f{j}(x)]",
    ])  # fmt: skip
    first = generator.choice(["f0(x) = x", "f0(x) = x + 1", "f0(x) = |x|[1]", "f0(x) = [x, x]", "f0(x) = rand(x)"])
    lines = [step.format(k=k, j=k - 1) for k in range(1, depth)]
    call = generator.choice(["r := f{j}(1)", "tol n: N\nr := f{j}(n)", "tol t: R [n]\nr := f{j}(t)",
                             "tol t: R [n,m]\nr := map(t, f{j}(*))", "tol t: R [n,m]\nr := tol[f{j}(|t|[1]) % 3]"])  # fmt: skip
    return "\n".join([first, *lines, call.format(j=depth - 1)])


@contextmanager
def bounded() -> Iterator[None]:
    """Interrupts what takes too long, and lets what asks for too much memory fail."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    before = signal.signal(signal.SIGALRM, interrupt)
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (6 << 30 if hard == resource.RLIM_INFINITY else min(hard, 6 << 30), hard))
    signal.setitimer(signal.ITIMER_REAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def resident() -> int:
    """The most memory this process ever held, in bytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most << 10


def check(text: str, sizes: dict[str, int]) -> str:
    """Hold a text against all that must be true of it; how far it came."""
    memory, start = resident(), time.process_time()
    try:
        with bounded():
            outcome = _outcome(text, sizes, start)
    except Interrupted:
        raise AssertionError(f"interrupted after {PATIENCE} seconds:\n{text[:2000]}") from None
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error}\n{text[:2000]}") from error
    assert resident() - memory < MEMORY, f"{(resident() - memory) >> 20} MB more:\n{text[:2000]}"
    return outcome


def _outcome(text: str, sizes: dict[str, int], start: float) -> str:
    try:
        program = tolang.compile(text, engine="interpret")
    except tolang.ToLangError as error:
        str(error)
        _in_time(start, text)
        return "refused"
    _in_time(start, text)
    if workload(program.core, sizes) > RUNNABLE:
        return "accepted"
    try:
        _run(program, sizes)
    except tolang.ToLangError as error:
        str(error)
        return "failed"
    return "ran"


@cache
def slowness() -> float:
    """How much slower this machine is than the one that the bound of time was chosen on; at least 1."""
    start = time.process_time()
    total = 0
    for number in range(2_000_000):
        total += number & 7
    return max(1.0, (time.process_time() - start) / 0.3)


def _in_time(start: float, text: str) -> None:
    took = time.process_time() - start
    assert took < SECONDS * slowness(), f"took {took:.1f} s:\n{text[:2000]}"


def _run(program: Program, sizes: dict[str, int]) -> None:
    """The program on random data of tiny sizes."""
    wanted = {name: sizes.get(name, 2) for name in program.sizes}
    inputs = sample_inputs(program.core, wanted)
    job = program.job((), {**{n: v for n, v in wanted.items() if n not in program.inputs}, **inputs})
    program.run(job)


def workload(core: Core, sizes: dict[str, int]) -> int:
    """About how many elements running a program visits; a length that is not known counts as ten.

    Bodies that calls share are looked at once and counted for every call.
    """
    numbers = {name: sizes.get(name, 2) for name in core.sizes}
    totals: dict[int, int] = {}
    pending: list[tuple[Expr, bool]] = [(core.body, False)]
    while pending:
        expr, entered = pending.pop()
        if id(expr) in totals:
            continue
        if not entered:
            pending.append((expr, True))
            pending.extend((child, False) for child in expr.children())
            continue
        extents = expr.extents if isinstance(expr, Map | Reduce) else ()
        inner = sum(totals[id(child)] for child in expr.children())
        totals[id(expr)] = min(10**9, _volume(expr.type.shape, numbers) + _volume(extents, numbers) * inner)
    return totals[id(core.body)]


def _volume(lengths: tuple[Size, ...], numbers: dict[str, int]) -> int:
    total = 1
    for length in lengths:
        try:
            total *= max(1, int(length.evaluate(numbers)))
        except (KeyError, tolang.ToLangError):
            total *= 10
    return min(total, 10**9)


KINDS: tuple[tuple[int, Callable[[random.Random], str]], ...] = ((12, soup), (2, nested), (12, huge), (1, exponential))
"""Percentages of the kinds that need no program to begin with; the rest are mutations."""


def run(count: int, start: int) -> Counter[str]:
    """Check a number of texts and return how many came how far."""
    generator = random.Random(start)
    slowness()
    corpus = [*written_programs(), *generated_programs(max(20, min(200, count // 20)), start)]
    outcomes: Counter[str] = Counter()
    for _ in range(count):
        chosen = generator.randrange(100)
        text = ""
        for share, make in KINDS:
            if chosen < share and not text:
                text = make(generator)
            chosen -= share
        if not text and generator.random() < 0.6:
            text = varied(generator.choice(corpus), generator)
        text = text or mutated(generator.choice(corpus), generator.choice(corpus), generator)
        sizes = {name: generator.randint(0, 3) for name in ("n", "m", "k")}
        outcomes[check(text, sizes)] += 1
    return outcomes


if __name__ == "__main__":
    print(dict(run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
