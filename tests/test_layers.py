"""The shape of the package: which layer may import which, and no circles; lengths of modules; what an import costs."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("layers")  # all of them read all modules
PACKAGE = Path(__file__).resolve().parents[1] / "src" / "tolang"
LAYERS = (
    "faces", "editor", "bridges", "onnx", "program", "engines", "data", "store", "schedule", "rewrite", "lower", "idioms", "plan", "readings", "check", "core", "syntax", "ground",
)  # fmt: skip
SHARED_BY_ENGINES = "llvm"
ABOVE_ENGINES = LAYERS[: LAYERS.index("engines")]
OF_ENGINES = (("engines", "contract"), ("engines", "registry"))
"""What layers above the engines import of them: the contract, and the registry that has engines by name."""
REGISTRY = "engines/registry.py"
HEIGHT = {layer: height for height, layer in enumerate(reversed(LAYERS), start=1)} | {"library": 0}
ABOVE_ALL = {("__init__",), ("__main__",), ("torch",), ("jax",)}

LONGEST_MODULE = 600
LONGEST_FUNCTION = 80
IMPORT_SECONDS = 0.3
HEAVY = ("dask", "distributed", "jax", "llvmlite", "onnx", "pyarrow", "pygls", "sympy", "torch")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def parts_of(path: Path) -> tuple[str, ...]:
    """The parts of a module's name below `tolang`; a package's own module ends in `__init__`."""
    return path.relative_to(PACKAGE).with_suffix("").parts


@cache
def nodes_of(text: str) -> tuple[ast.AST, ...]:
    """The imports and functions of a module, wherever they stand, which several tests look at."""
    kinds = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef)
    return tuple(node for node in statements(ast.parse(text)) if isinstance(node, kinds))


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """What stands below a node, expressions left out, in which no import and no function stands."""
    for name in ("body", "orelse", "handlers", "finalbody", "cases"):
        inside = getattr(node, name, ())
        for one in inside if isinstance(inside, list) else ():
            yield one
            yield from statements(one)


def imports(parts: tuple[str, ...], text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and target, below `tolang`, of each import of this package's own names, wherever it stands."""
    for node in nodes_of(text):
        match node:
            case ast.Import(names=names):
                targets = [tuple(alias.name.split(".")) for alias in names]
            case ast.ImportFrom(module=module, names=names, level=level):
                stem = ("tolang", *parts)[: len(parts) + 1 - level] if level else ()
                stem += tuple(module.split(".")) if module else ()
                targets = [(*stem, alias.name) for alias in names]
            case _:
                continue
        for target in targets:
            if target[0] == "tolang":
                yield node.lineno, target[1:]


def refusal(parts: tuple[str, ...], target: tuple[str, ...]) -> str | None:
    """Why the module `parts` may not import `target`, or None if it may."""
    if parts in ABOVE_ALL or target == ("__version__",):
        return None
    if not target or target[0] not in HEIGHT:
        return "a layer imports from layers, not from the package as a whole"
    if HEIGHT[target[0]] > HEIGHT[parts[0]]:
        return f"{target[0]} lies above {parts[0]}"
    if parts[0] in ABOVE_ENGINES and target[0] == "engines" and not _is_of_contract(target):
        return "engines are reached by engines/contract.py and engines/registry.py alone"
    if parts[0] == target[0] == "engines":
        own, other = engine_of(parts), engine_of(target)
        if other and other not in (own, SHARED_BY_ENGINES):
            return f"the engine {other} is imported from outside it"
    return None


def _is_of_contract(target: tuple[str, ...]) -> bool:
    return any(target[: len(one)] == one for one in OF_ENGINES)


def engine_of(parts: tuple[str, ...]) -> str | None:
    """The engine, a sub-package of `engines`, that a name below it belongs to."""
    return parts[1] if len(parts) > 1 and (PACKAGE / "engines" / parts[1]).is_dir() else None


def refusals(parts: tuple[str, ...], text: str) -> list[str]:
    found = ((line, target, refusal(parts, target)) for line, target in imports(parts, text))
    return [
        f"{'/'.join(parts)}.py:{line}: imports tolang.{'.'.join(target)}: {why}" for line, target, why in found if why
    ]


def test_imports_point_downwards() -> None:
    wrong = [
        line
        for path in modules()
        if parts_of(path)[0] in HEIGHT
        for line in refusals(parts_of(path), path.read_text("utf-8"))
    ]
    assert not wrong, "\n".join(wrong)


def named_modules(text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Line and target, below `tolang`, of each text that is the name of a module in an engine."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            module = tuple(node.value.split("."))
            if module[:2] == ("tolang", "engines") and engine_of(module[1:]):
                yield node.lineno, module[1:]


def test_only_the_registry_names_modules_of_engines() -> None:
    """An import by a name in a text is an import, too."""
    wrong = [
        f"{name}:{line}: names tolang.{'.'.join(target)}"
        for path in modules()
        if (name := path.relative_to(PACKAGE).as_posix()) != REGISTRY
        for line, target in named_modules(path.read_text("utf-8"))
    ]
    assert not wrong, "\n".join(wrong)
    named = {target[1] for _, target in named_modules((PACKAGE / REGISTRY).read_text("utf-8"))}
    assert named == {"cpu", "dask"}


def test_every_module_has_a_layer() -> None:
    stray = [str(path) for path in modules() if parts_of(path)[0] not in HEIGHT and parts_of(path) not in ABOVE_ALL]
    assert not stray, f"outside every layer: {stray}"


def test_library_is_tolang_source() -> None:
    library = PACKAGE / "library"
    found = [path for path in library.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    stray = [str(path) for path in found if path.suffix != ".tol" and path != library / "__init__.py"]
    assert not stray, f"no ToLang source: {stray}"


Module = tuple[str, ...]
"""The parts of a module's name below `tolang`, a package being its own `__init__`; the package as a whole has none."""


def imported_modules(sources: Mapping[Module, str]) -> dict[Module, set[Module]]:
    """The modules that each module imports: at once, for types alone, or inside functions."""
    names = {parts[:-1] if parts[-1] == "__init__" else parts: parts for parts in sources}
    found: dict[Module, set[Module]] = {}
    for name, parts in names.items():
        targets = (target for _, target in imports(parts, sources[parts]))
        found[name] = {one if one in names else one[:-1] for one in targets} & names.keys() - {name}
    return found


def reached(start: Module, imported: Mapping[Module, set[Module]]) -> set[Module]:
    """All modules that a module imports, and those that these import, and so on."""
    found: set[Module] = set()
    waiting = [start]
    while waiting:
        further = imported[waiting.pop()] - found
        found |= further
        waiting.extend(further)
    return found


def circles(sources: Mapping[Module, str]) -> list[set[Module]]:
    """The largest sets of modules each of which imports all others, by way of one another."""
    imported = imported_modules(sources)
    beyond = {name: reached(name, imported) for name in imported}
    found = {frozenset(other for other in beyond[name] if name in beyond[other]) for name in imported}
    return sorted((set(one) for one in found if one), key=sorted)


def dotted(module: Module) -> str:
    return ".".join(("tolang", *module))


def test_no_circles_of_imports() -> None:
    found = circles({parts_of(path): path.read_text("utf-8") for path in modules()})
    wrong = [sorted(map(dotted, one)) for one in found]
    assert not wrong, "these import one another:\n" + "\n".join(", ".join(names) for names in wrong)


@pytest.mark.parametrize(
    "back",
    [
        "import tolang.ground.low",
        "from tolang.ground import low",
        "from tolang.ground.low import name",
        "from .low import name",
        "if TYPE_CHECKING:\n    from tolang.ground.low import name",
        "def late():\n    from . import low",
    ],
)
def test_circle_of_imports_is_seen(back: str) -> None:
    sources = {
        ("__init__",): "from tolang.core import high",
        ("core", "__init__"): "",
        ("core", "high"): "from tolang.ground.middle import name; import numpy",
        ("ground", "__init__"): "",
        ("ground", "middle"): "from tolang.ground import between",
        ("ground", "between"): "from tolang.ground.low import name",
        ("ground", "low"): "import math",
    }
    assert circles(sources) == []
    low, between, middle = (("ground", name) for name in ("low", "between", "middle"))
    assert circles({**sources, between: f"{sources[between]}\n{back}"}) == []
    assert circles({**sources, low: back.replace("low", "middle")}) == [{low, between, middle}]
    assert circles({**sources, ("core", "__init__"): "import tolang"}) == []
    assert circles({**sources, ("core", "high"): "from tolang import run"}) == [{(), ("core", "high")}]


@pytest.fixture
def two_engines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A package with the engines `cpu` and `gpu`, whatever this one has."""
    for engine in ("cpu", "gpu"):
        (tmp_path / "engines" / engine).mkdir(parents=True)
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)


@pytest.mark.usefixtures("two_engines")
@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("ground.spaces", "import tolang.syntax.tree"),
        ("ground.spaces", "from tolang import core"),
        ("ground.spaces", "from .. import core"),
        ("ground.__init__", "from ..core import printer"),
        ("core.types", "def late():\n    from tolang.check import names"),
        ("readings.cost", "if TYPE_CHECKING:\n    from tolang.plan.form import Nest"),
        ("plan.lower", "import numpy, tolang.engines.cpu"),
        ("engines.shared", "from tolang.engines import cpu"),
        ("engines.gpu.emit", "from tolang.engines.cpu.emit import x"),
        ("engines.gpu.emit", "from ..cpu import emit"),
        ("faces.command", "import tolang"),
        ("program.call", "from tolang.engines import cpu"),
        ("program.call", "def late():\n    from tolang.engines.cpu.emit import x"),
        ("bridges.tensors", "if TYPE_CHECKING:\n    from tolang.engines.cpu.emit import Call"),
        ("onnx.model", "import tolang.engines.gpu"),
        ("faces.command", "from tolang.engines.llvm import ir"),
        ("editor.server", "from tolang.engines import shared"),
        ("check.names", "from tolang import run"),
        ("library.__init__", "from tolang.ground import spaces"),
    ],
)
def test_upward_import_is_seen(module: str, text: str) -> None:
    assert len(refusals(tuple(module.split(".")), text)) == 1


@pytest.mark.usefixtures("two_engines")
@pytest.mark.parametrize(
    ("module", "text"),
    [
        ("__init__", "from tolang.program import program"),
        ("__main__", "from tolang.faces.command import main"),
        ("faces.command", "from tolang import __version__, program"),
        ("program.call", "from tolang.engines import contract, registry; from tolang.engines.contract import Engine"),
        ("engines.gpu.emit", "from tolang.engines.contract import Engine; from tolang.data import read"),
        ("engines.cpu.emit", "from tolang.engines.cpu import tiles; from . import tiles; from .. import shared"),
        ("engines.cpu.emit", "from tolang.plan.form import Nest; import tolang.ground.symbolic.sizes"),
        ("ground.spaces", "import numpy; from tolangish import core; from . import sizes"),
        ("syntax.parser", "from tolang import library"),
    ],
)
def test_downward_import_is_allowed(module: str, text: str) -> None:
    assert refusals(tuple(module.split(".")), text) == []


def test_dataclasses_are_ours() -> None:
    """The standard library's take three times as long to make, and there are hundreds to import."""
    slow = [
        path.relative_to(PACKAGE).as_posix()
        for path in modules()
        for node in nodes_of(path.read_text("utf-8"))
        if isinstance(node, ast.ImportFrom) and node.module == "dataclasses" and not node.level
    ]
    assert slow == ["ground/dataclasses.py"]


def test_modules_are_short() -> None:
    lengths = {str(path.relative_to(PACKAGE)): len(path.read_text("utf-8").splitlines()) for path in modules()}
    long = {name: length for name, length in lengths.items() if length > LONGEST_MODULE}
    assert not long, f"more than {LONGEST_MODULE} lines: {long}"


def test_functions_are_short() -> None:
    long = []
    for path in modules():
        for node in nodes_of(path.read_text("utf-8")):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > LONGEST_FUNCTION:
                    long.append(f"{path.relative_to(PACKAGE)}:{node.lineno}: {node.name} has {length} lines")
    assert not long, "\n".join(long)


def test_import_is_fast_and_light() -> None:
    """The best of five fresh interpreters, in time of the processor, so that a busy machine does not fail it."""
    program = (
        "import sys, time; start = time.process_time(); import tolang; print(time.process_time() - start);"
        f"print(*(name for name in {HEAVY!r} if name in sys.modules))"
    )
    seconds = []
    for _ in range(5):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        took, loaded = done.stdout.split("\n")[:2]
        assert not loaded, f"import tolang loads {loaded}"
        seconds.append(float(took))
    assert min(seconds) < IMPORT_SECONDS
