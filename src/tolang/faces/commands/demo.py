"""`tol demo`: a new operator beside NumPy, a model counted and run, a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tolang.faces.codes import PROGRAM_WRONG

if TYPE_CHECKING:
    from collections.abc import Callable

    from tolang.onnx.cost import ModelCost, OperatorCost
    from tolang.onnx.model import Model
    from tolang.program.program import Program

LARGE = 600
LINES = 4
RTOL, ATOL = 1e-3, 1e-4
"""How near results of a model in 32 bits are, which sums in another order: what is usual for converted models."""


def demo(
    model: Annotated[Path | None, typer.Argument(metavar="MODEL", help="An ONNX model to count and to run.")] = None,
    report: Annotated[
        Path, typer.Option("--report", metavar="PAGE", help="Where the report of the model's cost goes.")
    ] = Path("tolang-report.html"),
) -> None:
    """Show a new operator beside NumPy, and an ONNX model counted, run and reported.

    The operator is a program of a few lines, shown with its cost, run on data small enough to check by hand, and then
    on more. The model is counted before it runs, held against onnxruntime where that is installed, and its cost
    written as a page.
    """
    from tolang import __version__
    from tolang.faces.terminal import styled

    print(styled(f"ToLang {__version__}: tensors of lists, thirteen primitives.", "bold"))
    agreed = _new_operator()
    if model is None:
        print("\nGive an ONNX model, `tol demo model.onnx`, to see it counted and run.")
    else:
        agreed = _known_model(model, report) and agreed
    print("\nNext: `tol repl` to try things, `tol --help` for what else there is.")
    if not agreed:
        raise typer.Exit(PROGRAM_WRONG)


# A new operator


def _new_operator() -> bool:
    import numpy as np

    from tolang.program.program import compile

    program = compile(Path(__file__).parents[1] / "demonstration" / "min_plus.tol")
    _title("1. An operator that array libraries do not have")
    print("".join(f"    {line}\n" for line in program.source.text.splitlines()))
    print(f"Its cost is known before it runs: {program.cost().eops} elementary operations.\n")
    a, b = np.array([[0, 3], [7, 1]]), np.array([[5, 2, 9], [1, 8, np.inf]])
    agreed = _on_small_data(program, a, b)
    large = np.random.default_rng(1).random((LARGE, LARGE))
    ours, seconds = _best(lambda: program(large, large))
    theirs, other = _best(lambda: _by_numpy(large, large), 1)
    print(f"\n  {LARGE} by {LARGE}: {seconds * 1e3:.0f} ms compiled, {other * 1e3:.0f} ms in NumPy, row by row")
    return _judge(np.array_equal(ours, theirs), "the same as NumPy's result, to the last digit") and agreed


def _by_numpy(a: Any, b: Any) -> Any:
    """The same in NumPy, a row at a time, since all of a[:, :, None] + b would take much memory."""
    import numpy as np

    return np.stack([(row[:, None] + b).min(axis=0) for row in a])


def _on_small_data(program: Program, a: Any, b: Any) -> bool:
    from tolang.faces.terminal import show_results
    from tolang.ground.values.values import ToL

    results = program.run(program.job((), {"a": a, "b": b}))
    show_results({"a": ToL.of(a), "b": ToL.of(b), **results})
    return _judge(ToL.of(_by_numpy(a, b)) == results["result"], "the same as NumPy's result")


# A model


def _known_model(path: Path, report: Path) -> bool:
    import time

    from tolang.onnx import load

    _title(f"2. A model: {path.name}")
    start = time.perf_counter()
    model = load(path)
    sizes = _sizes(model)
    cost = model.cost(**sizes)
    shares = cost.by_operator()
    seconds = time.perf_counter() - start
    data = _inputs(model)
    _show_cost(model, cost, shares, sizes, seconds)
    _show_source(model)
    agreed = _run(model, path, data)
    _write_report(model, cost, path, report)
    return agreed


def _sizes(model: Model) -> dict[str, int]:
    return dict.fromkeys(model.program.sizes, 1)


def _inputs(model: Model) -> dict[str, Any]:
    """Random data for each input: normal floats, whole numbers below 256; open lengths are 1."""
    import numpy as np
    from onnx.helper import tensor_dtype_to_np_dtype

    random = np.random.default_rng(0)
    found = {}
    for info in model.infos:
        tensor = info.type.tensor_type
        kind, shape = tensor_dtype_to_np_dtype(tensor.elem_type), [d.dim_value or 1 for d in tensor.shape.dim]
        whole = kind.kind in "iu"
        found[info.name] = (random.integers(0, 256, shape) if whole else random.standard_normal(shape)).astype(kind)
    return found


def _show_cost(
    model: Model, cost: ModelCost, shares: list[OperatorCost], sizes: dict[str, int], seconds: float
) -> None:
    from tolang.ground.reporting.escaping import shown

    nodes = len(model.proto.graph.node)
    at = ", ".join(f"{name} = {length}" for name, length in sizes.items())
    print(f"  {nodes} nodes, loaded and counted in {seconds:.1f} s{f', at {at}' if at else ''}:")
    print(f"    {_figure(cost.eops)} EOPs, {_figure(cost.macs)} multiply-accumulates among them")
    for one in sorted(shares, key=lambda one: -_whole(one.eops))[:4]:
        print(f"    {shown(one.operator):12} {_whole(one.eops) / max(1, _whole(cost.eops)):6.1%}")


def _whole(amount: Any) -> int:
    """An amount as a number; one that is still a formula, as in a model with unknown lengths, counts as nothing."""
    return amount if isinstance(amount, int) else 0


def _figure(amount: Any) -> str:
    return f"{amount:,}" if isinstance(amount, int) else str(amount)


def _show_source(model: Model) -> None:
    lines = [line for line in model.text.splitlines() if "=" in line and not line.startswith(("#", "tol "))]
    print(f"\n  As ToLang it has {len(lines)} lines, of which these are the last:\n")
    print("".join(f"    {line if len(line) < 76 else line[:72] + ' …'}\n" for line in lines[-LINES:]))


def _run(model: Model, path: Path, data: dict[str, Any]) -> bool:
    """Runs a model, and holds it against onnxruntime where that is installed, else against onnx's own evaluator."""
    from importlib.util import find_spec

    import numpy as np

    from tolang.engines import registry
    from tolang.faces.terminal import progress

    with progress("compiling the model, once on this machine"):
        ours = model.run(data)
        engine = registry.engine()
        for _ in range(engine.improves_after):
            model.run(data)
        engine.improvements_end()  # what is called again is compiled once more, for speed, in the background
    _, seconds = _best(lambda: model.run(data))
    judge = "onnxruntime" if find_spec("onnxruntime") else "onnx's own evaluator"
    try:
        theirs, other = _best(_by_onnxruntime(path, data) if judge == "onnxruntime" else _by_onnx(model, data))
    except Exception as error:  # whatever the judge raises: it is no part of ToLang
        print(f"  {seconds * 1e3:.1f} ms; {judge} fails on this model: {type(error).__name__}")
        return True
    print(f"  {seconds * 1e3:.1f} ms here, {other * 1e3:.1f} ms in {judge}")
    pairs = zip(ours, theirs, strict=True)
    same = all(np.allclose(one, two, RTOL, ATOL, equal_nan=True) for one, two in pairs)
    return _judge(same, f"the same as {judge}'s result")


def _by_onnxruntime(path: Path, data: dict[str, Any]) -> Callable[[], Any]:
    import onnxruntime

    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    return lambda: session.run(None, data)


def _by_onnx(model: Model, data: dict[str, Any]) -> Callable[[], Any]:
    from onnx.reference import ReferenceEvaluator

    evaluator = ReferenceEvaluator(model.proto)
    return lambda: evaluator.run(None, data)


def _write_report(model: Model, cost: ModelCost, path: Path, report: Path) -> None:
    from tolang.faces.report.building import report_of
    from tolang.faces.report.page import write_page
    from tolang.faces.report.peaks import peaks_of

    write_page(report_of(model.cost(), cost, str(path), peaks_of(None, None)), report)
    print(f"\n  {report}: where its operations go, as a page to open in a browser")


# Both


def _title(text: str) -> None:
    from tolang.faces.terminal import styled

    print(f"\n{styled(text, 'bold')}\n")


def _judge(agrees: bool, claim: str) -> bool:
    from tolang.faces.terminal import styled

    print(styled(f"  {claim}", "good") if agrees else styled(f"  NOT {claim}", "error"))
    return agrees


def _best(work: Callable[[], Any], times: int = 5) -> tuple[Any, float]:
    """The result of some work and the seconds of its quickest run; what is compiled when first needed is so before."""
    import time

    result, least = work() if times > 1 else None, float("inf")
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - start)
    return result, least
