"""Hypothesis profiles: `default` for `make test`, `fuzz` for `make fuzz`.

Neither has a deadline, as a first call may compile.  Under CI=true the default profile draws the same cases each time,
so a change is judged by what it changed; new cases are found by `fuzz`.

`--update-golden` writes what the tests with golden files found into `tests/golden/` instead of comparing it.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

import pytest
from hypothesis import HealthCheck, settings

from tolang.ground.system import gc_pause
from tolang.plan.target import Target

settings.register_profile(
    "default",
    deadline=None,
    max_examples=12,
    derandomize=os.environ.get("CI", "").lower() == "true",
    print_blob=True,
)
settings.register_profile(
    "fuzz",
    deadline=None,
    max_examples=int(os.environ.get("TOLANG_FUZZ_EXAMPLES", "5000")),
    derandomize=False,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("default")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell's background job, and the processes it starts, ignore Ctrl-C, which tests send and wait for.
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _compiling(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """How machine code is made in a test: quickly, as what it computes is the same, or as its mark `compiled` says.

    Code as users have it in the end is made by tests of that code itself, and for all tests by `make fuzz`.
    """
    said = request.node.get_closest_marker("compiled")
    if "TOL_COMPILE" not in os.environ:
        monkeypatch.setenv("TOL_COMPILE", "quick" if said is None else said.args[0])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a family of tests that is marked `sampled(n)` one in n is run, which its name decides; all if TOLANG_ALL is set.

    Such families try one thing on all there is, as every definition of the library; `make thorough` runs them whole.
    """
    left = [item for item in items if _is_left_out(item)] if "TOLANG_ALL" not in os.environ else []
    if left:
        config.hook.pytest_deselected(items=left)
        out = set(left)
        items[:] = [item for item in items if item not in out]


def _is_left_out(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("sampled")
    return mark is not None and "[" in item.nodeid and crc32(item.nodeid.encode()) % mark.args[0] != 0


BRIDGED = ("array_api_strict", "jax", "pandas", "polars", "torch")
"""Libraries whose bridges are tested where they are installed, as `make bridges` does."""


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Says what was left out because libraries are not installed."""
    missing = [one for one in BRIDGED if find_spec(one) is None]
    skipped = [one for one in terminalreporter.stats.get("skipped", ()) if "make bridges" in str(one.longrepr)]
    if skipped and missing:
        told = f"left out: {len(skipped)} tests, or files of tests, that need {', '.join(missing)}"
        terminalreporter.write_line(f"{told}; `make bridges` installs these and runs them")


GOLDEN = Path(__file__).parent / "golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="write golden files instead of comparing with them")


def pytest_configure(config: pytest.Config) -> None:
    """What is compiled is kept in a folder of the run, which all its processes share and the user's cache is not.

    A plan that does not verify is raised, where users would be told and go on without the pass.
    """
    gc.set_threshold(20_000, 20, 100_000)  # a test process holds much: going through all of it takes ten seconds
    gc_pause.MOST = gc_pause._ALLOWED[0] = 20_000_000  # and so does what looks for garbage of its own accord
    os.environ.setdefault("TOL_DEFECTS", "raise")
    if "TOL_CACHE_DIR" not in os.environ:
        folder = os.environ["TOL_CACHE_DIR"] = tempfile.mkdtemp(prefix="tolang-tests-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


@pytest.fixture
def anew(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Kernels are written and compiled anew, and nothing of them is kept."""
    from tolang.engines.cpu.emission import kernels
    from tolang.engines.cpu.runtime import loaded, native

    monkeypatch.setattr(kernels, "_WRITTEN", {})
    for name in ("kept", "keep"):
        monkeypatch.setattr(native, name, lambda *_: None)
    loaded.forget()
    yield
    loaded.forget()


@pytest.fixture
def plan_for(monkeypatch: pytest.MonkeyPatch) -> Callable[[Target], None]:
    """Has programs planned for another processor, and compiled for this one; what is kept of them is kept apart.

    Sums of products by fours are written out in plain code where this processor has no instruction for them.
    """
    from tolang.engines.cpu import translation
    from tolang.engines.cpu.runtime.native import host_target
    from tolang.engines.llvm import dot4

    def use(target: Target) -> None:
        monkeypatch.setattr(translation, "host_target", lambda: target)
        if target.quads not in (None, host_target().quads):
            monkeypatch.setattr(dot4, "NATIVE", dict.fromkeys(dot4.NATIVE, 1 << 20))
        if os.environ["TOL_CACHE_DIR"] != "off":
            monkeypatch.setenv("TOL_CACHE_DIR", str(Path(os.environ["TOL_CACHE_DIR"]) / target.digest))

    return use


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Holds a text against the golden file of a name below `tests/golden`, or writes it there."""

    def compare(name: str, text: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        assert path.exists(), f"{path} is missing: run pytest --update-golden"
        assert text == path.read_text("utf-8"), f"{path} differs: look at it, then run pytest --update-golden"

    return compare
