"""`tol demo`: two programs of the paper, run and compared with NumPy."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import typer

from tolang.faces.codes import PROGRAM_WRONG

if TYPE_CHECKING:
    from tolang.driver.program import Program

LARGE = 300
MANY = 60


def demo() -> None:
    """Show the matrix product and shortest paths.

    Both are programs of a few lines after the paper. Each is shown with its cost, run on data small enough to check by
    hand, and then on more, interpreted and compiled, beside NumPy.
    """
    from tolang import __version__
    from tolang.faces.terminal import styled

    print(styled(f"ToLang {__version__}: tensors of lists, thirteen primitives.", "bold"))
    agreed = [*_matrix_product(), *_shortest_paths()]
    print("\nNext: `tol repl` to try things, `tol --help` for what else there is.")
    if not all(agreed):
        raise typer.Exit(PROGRAM_WRONG)


def _matrix_product() -> Iterator[bool]:
    import numpy as np

    program = _introduced("1. The matrix product", "matrix_product")
    a, b = np.array([[1.0, 2, 3], [4, 5, 6]]), np.array([[7.0, 8], [9, 10], [11, 12]])
    yield _shown({"a": a, "b": b}, program, a @ b, "a @ b")
    large = np.random.default_rng(1).random((LARGE, LARGE))
    yield from _timed(program, f"{LARGE} by {LARGE}", {"a": large, "b": large}, lambda: large @ large)


def _shortest_paths() -> Iterator[bool]:
    import numpy as np

    program = _introduced("2. All shortest paths", "shortest_paths")
    none = np.inf
    step = np.array([[0, 4, none, none], [none, 0, 1, 7], [2, none, 0, 5], [none, none, none, 0]])
    yield _shown({"step": step}, program, _floyd_warshall(step), "Floyd and Warshall in NumPy")
    random = np.random.default_rng(2)
    many = np.where(random.random((MANY, MANY)) < 0.1, random.random((MANY, MANY)), none)
    np.fill_diagonal(many, 0)
    yield from _timed(program, f"{MANY} places", {"step": many}, lambda: _floyd_warshall(many))


def _floyd_warshall(step: Any) -> Any:
    """Shortest paths by another algorithm, to compare with."""
    import numpy as np

    far = step.copy()
    for k in range(len(far)):
        far = np.minimum(far, far[:, k, None] + far[k])
    return far


def _introduced(title: str, name: str) -> Program:
    """The program, after its text and its cost were shown."""
    from pathlib import Path

    from tolang.driver.program import compile
    from tolang.faces.terminal import styled

    path = Path(__file__).parents[1] / "demonstration" / f"{name}.tol"
    program = compile(path)
    print(f"\n{styled(title, 'bold')}\n")
    print("".join(f"    {line}\n" for line in program.source.text.splitlines()))
    print(f"Its cost is known before it runs: {program.cost().eops} elementary operations.\n")
    return program


def _shown(data: dict[str, Any], program: Program, expected: Any, how: str) -> bool:
    """Runs a program on small data, and holds the result against another way to compute it."""
    from tolang.faces.terminal import show_results
    from tolang.ground.values import ToL

    given = {name: ToL.of(array) for name, array in data.items()}
    results = program.run(program.job((), data))
    show_results({**given, **results})
    (result,) = results.values()
    return _judge(ToL.of(expected) == result, f"the same as {how}")


def _judge(agrees: bool, claim: str) -> bool:
    from tolang.faces.terminal import styled

    print(styled(f"  {claim}", "good") if agrees else styled(f"  NOT {claim}", "error"))
    return agrees


def _timed(program: Program, size: str, data: dict[str, Any], compare: Callable[[], Any]) -> Iterator[bool]:
    """Runs a program on more data, interpreted and compiled; compiling is done before the time is taken."""
    import time

    import numpy as np

    from tolang.driver.program import Program
    from tolang.faces.terminal import progress

    expected = compare()
    print()
    for engine, words in (("interpret", "interpreted"), ("cpu", "compiled")):
        with progress(f"{size}, {words}"):
            ready = Program(program.source, engine)
            if engine == "cpu":
                ready.run(ready.job((), data))
            start = time.perf_counter()
            (result,) = ready.run(ready.job((), data)).values()
            seconds = time.perf_counter() - start
        same = np.allclose(np.asarray(result), expected, rtol=1e-12)
        yield _judge(bool(same), f"{size}, {words}: {seconds:.3f} s, the same as NumPy's result")
