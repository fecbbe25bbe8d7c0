"""Programs as operators of PyTorch, judged by PyTorch."""

from __future__ import annotations

import copy
import io
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import tolang
from tolang.ground.values.libraries import array_of_tensor

torch: Any = pytest.importorskip("torch", reason="needs torch: make bridges")
bridge: Any = pytest.importorskip("tolang.torch", reason="needs torch: make bridges")
torch_testing: Any = pytest.importorskip("torch._dynamo.testing", reason="needs torch: make bridges")

MIXED = """
tol a: R [n,k]
tol b: R [k,m]
c := map(tol[n,m], reduce(map(a[i], tanh(* * b[*,j])), add, 0), [i,j])
"""
SEVERAL = """
tol x: R [n]
tol w: R
scaled := map(x, * * w)
total := reduce(map(x, *^2), add, 0)
signs := map(x, * > 0)
"""
POSITIVE = "tol x: R [n]\nfound := filter(x, e -> e > 0)\ntotal := reduce(x, add, 0)"
HALVES = "tol x: R [2*n]\ny := map(tol[n], x[2*i-1] + x[2*i], i)"
ROWS = "tol x: R [n*m]\ny := map(tol[n,m], x[(i-1)*m+j]^2, [i,j])"


def mixed(a: Any, b: Any) -> Any:
    return torch.tanh(a[:, :, None] * b[None]).sum(1)


@pytest.fixture(scope="module")
def operator() -> Any:
    return bridge.operator(MIXED)


def random(*shape: int, kind: Any = None, needs: bool = False) -> Any:
    generator = torch.Generator().manual_seed(sum(shape))
    made = torch.randn(*shape, generator=generator, dtype=torch.float64).to(kind or torch.float64)
    return made.requires_grad_(needs)


LAYOUTS = {
    "as memory lies": lambda one: one,
    "transposed": lambda one: one.t().contiguous().t(),
    "every second": lambda one: one.repeat_interleave(2, 0)[::2],
    "expanded": lambda one: one[:1].expand(one.shape),
    "backwards": lambda one: one.flip(0),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", [torch.float32, torch.float64, torch.bfloat16])
def test_values(operator: Any, kind: Any, layout: str) -> None:
    a, b = LAYOUTS[layout](random(3, 4, kind=kind)), random(4, 2, kind=kind, needs=True)
    found = operator(a, b)
    assert found.dtype == kind
    assert found.requires_grad
    tolerance = {torch.float32: 1e-5, torch.float64: 1e-13, torch.bfloat16: 5e-2}[kind]
    torch.testing.assert_close(found, mixed(a, b), rtol=tolerance, atol=tolerance)
    given = torch.ones_like(found)
    (slope,) = torch.autograd.grad(found, b, given)
    (expected,) = torch.autograd.grad(mixed(a, b), b, given)
    assert slope.dtype == kind
    torch.testing.assert_close(slope, expected, rtol=tolerance, atol=tolerance)


def test_gradients_and_their_gradients(operator: Any) -> None:
    tensors = random(2, 3, needs=True), random(3, 2, needs=True)
    assert torch.autograd.gradcheck(operator, tensors)
    assert torch.autograd.gradgradcheck(operator, tensors)
    several = bridge.operator(SEVERAL)
    tensors = random(4, needs=True), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda *given: tuple(several(*given).values())[:2], tensors)
    assert torch.autograd.gradgradcheck(lambda *given: tuple(several(*given).values())[:2], tensors)


def test_pullbacks_are_made_for_what_is_needed() -> None:
    operator = bridge.operator(SEVERAL, name="needed")
    x, w = random(3), torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
    found = operator(x, w)
    assert not operator._pullbacks
    assert not found["signs"].requires_grad
    found["scaled"].sum().backward()
    assert list(operator._pullbacks) == [(("scaled",), ("w",))]
    torch.testing.assert_close(w.grad, x.sum())


CASES: dict[str, tuple[str, Any]] = {
    "one result": (MIXED, lambda: (random(3, 4, needs=True), random(4, 2, needs=True), 0)),
    "f32": (MIXED, lambda: (random(3, 4, kind=torch.float32), random(4, 2, kind=torch.float32, needs=True), 0)),
    "several": (SEVERAL, lambda: (random(3, needs=True), torch.tensor(2.0, dtype=torch.float64, requires_grad=True), 0)),
    "lengths from data": (POSITIVE, lambda: (random(5), 0)),
    "halves": (HALVES, lambda: (random(6, needs=True), 0)),
    "sizes given": (ROWS, lambda: (random(6, needs=True), 0, 2)),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_registered_as_pytorch_wants(name: str) -> None:
    source, given = CASES[name]
    found = torch.library.opcheck(bridge.operator(source).registered, given())
    assert set(found.values()) == {"SUCCESS"}


def test_compiled_without_a_break(operator: Any) -> None:
    counter = torch_testing.CompileCounterWithBackend("aot_eager")

    def loss(one: Any, a: Any, b: Any) -> Any:
        return (one(a, b) * 2).relu().sum()

    compiled = torch.compile(lambda a, b: loss(operator, a, b), fullgraph=True, dynamic=True, backend=counter)
    for n, k, m in ((3, 4, 2), (5, 6, 7), (9, 2, 3)):
        a, b = random(n, k), random(k, m, needs=True)
        (found,) = torch.autograd.grad(compiled(a, b), b)
        torch.testing.assert_close(found, torch.autograd.grad(loss(mixed, a, b), b)[0])
    assert counter.frame_count == 1


def test_lengths_from_data_are_symbols() -> None:
    operator = bridge.operator(POSITIVE)
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = torch.compile(lambda x: operator(x)["found"] * 2, fullgraph=True, backend="aot_eager")
        for n in (4, 7):
            x = random(n)
            torch.testing.assert_close(compiled(x), x[x > 0] * 2)
    with pytest.raises(tolang.ToLangError, match="E802: only running tells the shape of found"):
        operator(random(3, needs=True))["found"].sum().backward()


def test_sizes_that_do_not_fit(operator: Any) -> None:
    with pytest.raises(tolang.ToLangRunError, match="E516: dimension 1 of b has length 3, declared is k"):
        operator(random(3, 4), random(3, 2))
    halves = bridge.operator(HALVES)
    compiled = torch.compile(halves, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(torch.arange(6.0)), torch.tensor([1.0, 5.0, 9.0]))
    with pytest.raises(Exception, match=r"another length than 2\*n"):
        compiled(torch.arange(7.0))
    added = bridge.operator("tol x: R [n]\ntol y: R [m]\nz := x + y")
    compiled = torch.compile(added, fullgraph=True, backend="aot_eager")
    assert compiled(torch.ones(2), torch.ones(2)).tolist() == [2.0, 2.0]
    with pytest.raises(Exception, match=r"add needs equal shapes, here \[n\] and \[m\]"):
        compiled(torch.ones(3), torch.ones(2))
    with torch._subclasses.FakeTensorMode(), pytest.raises(tolang.ToLangError, match="E516"):
        operator(torch.empty(3), torch.empty(3, 2))


def test_shapes_without_values(operator: Any) -> None:
    found = operator(torch.empty(3, 4, device="meta"), torch.empty(4, 5, device="meta"))
    assert found.device.type == "meta"
    assert found.shape == (3, 5)
    with torch._subclasses.FakeTensorMode():
        rows = bridge.operator(ROWS)(torch.empty(6, dtype=torch.bfloat16), n=3)
    assert rows.shape == (3, 2)
    assert rows.dtype == torch.bfloat16
    pooled = "tol x: R [n]\ny := map(tol[max(floor((n-3)/2)+1, 0)], reduce(x[2*i-1:2*i+1], max, -Inf), i)"
    with torch._subclasses.FakeTensorMode():
        assert bridge.operator(pooled)(torch.empty(8)).shape == (3,)


def test_batches(operator: Any) -> None:
    a, b, rows = random(5, 3, 4), random(4, 2), random(4, 5, 2)
    torch.testing.assert_close(torch.vmap(operator, (0, None))(a, b), torch.vmap(mixed, (0, None))(a, b))
    torch.testing.assert_close(torch.vmap(operator, (0, 1))(a, rows), torch.vmap(mixed, (0, 1))(a, rows))
    twice = torch.vmap(torch.vmap(operator, (None, 1)), (0, None))(a, rows)
    torch.testing.assert_close(twice, torch.vmap(torch.vmap(mixed, (None, 1)), (0, None))(a, rows))
    compiled = torch.compile(torch.vmap(operator, (0, None)), backend="aot_eager", fullgraph=True)
    torch.testing.assert_close(compiled(a, b), torch.vmap(mixed, (0, None))(a, b))
    summed = bridge.operator("tol x: R [n]\ny := reduce(filter(x, e -> e > 0), add, 0)")
    torch.testing.assert_close(torch.vmap(summed)(a[0]), a[0].relu().sum(1))


def test_transformations(operator: Any) -> None:
    func, a, b = torch.func, random(5, 3, 4), random(4, 2)

    def slopes(one: Any) -> Any:
        return func.grad(lambda x: one(x, b).sum())

    torch.testing.assert_close(func.vmap(slopes(operator))(a), func.vmap(slopes(mixed))(a))
    torch.testing.assert_close(func.vmap(slopes(slopes_of_sum(operator, b)))(a), func.vmap(slopes(slopes_of_sum(mixed, b)))(a))  # fmt: skip
    along = [func.jvp(lambda x, one=one: one(x, b), (a[0],), (a[1],))[1] for one in (operator, mixed)]
    torch.testing.assert_close(*along)
    both = [func.hessian(lambda x, one=one: one(x, b).sum())(a[0]) for one in (operator, mixed)]
    torch.testing.assert_close(*both)


def slopes_of_sum(one: Any, b: Any) -> Any:
    return lambda x, _: torch.func.grad(lambda y: one(y, b).square().sum())(x)


def test_random_numbers() -> None:
    operator = bridge.operator("tol x: R [n]\ny := map(x, * + rand(1.0))")
    zeros = torch.zeros(4)
    assert torch.equal(operator(zeros), operator(zeros))
    assert not torch.equal(operator(zeros), operator(zeros, seed=1))
    same = torch.vmap(operator, randomness="same")(torch.zeros(3, 4))
    assert torch.equal(same, operator(zeros).expand(3, 4))
    with pytest.raises(tolang.ToLangUsageError, match="E614: y draws the same random numbers"):
        torch.vmap(operator, randomness="different")(torch.zeros(3, 4))


@pytest.mark.parametrize("engine", ["cpu", "interpret"])
def test_results_have_memory_of_their_own(engine: str) -> None:
    operator = bridge.operator("tol x: R [n]\ny := x\nz := y", engine=engine)
    x = random(3)
    for _ in range(4):
        found = operator(x)
        assert len({x.data_ptr(), found["y"].data_ptr(), found["z"].data_ptr()}) == 3
        assert torch.equal(found["z"], x)


REPEATED = "tol x: R [n]\ntol k: Z [n]\ny := map(x, * * 2)\nlarge := map(x, * > 2)\ntotal := reduce(k, add, 0)"


@pytest.mark.parametrize("kind", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_calls_again_and_again(kind: Any) -> None:
    """From the third call with the same shapes on, native code looks at tensors; what is not as before is told by it."""
    operator = bridge.operator(REPEATED)
    x, k = torch.tensor([0.5, 1.0, 2.0], dtype=kind), torch.tensor([3, 1, 2])
    given = [(x, k)] * 4 + [(x.flip(0), k), (x[[0, 0, 1, 1, 2, 2]][::2], k), (x[:2], k[:2]), (x, k)]
    for one, two in [*given, (torch.nn.Parameter(x), k)]:
        with torch.no_grad():
            found = operator(one, two)
        assert found["y"].dtype == kind
        assert torch.equal(found["y"], one * 2)
        assert torch.equal(found["large"], one > 2)
        assert found["total"].shape == ()
        assert found["total"] == two.sum()
    assert operator._short is not None or kind not in (torch.float32, torch.float64)
    short = getattr(operator._short, "exchanged", None)
    assert short is None or short((x.to(torch.int32), k)) is short((x[:2], k)) is short(("text", k)) is None
    assert operator(x.to("meta"), k.to("meta"))["y"].device.type == "meta"
    with pytest.raises(tolang.ToLangError, match="E516"):
        operator(x, k[:2])


def test_registered_once_by_several_threads() -> None:
    source = "tol x: R [n]\nonce := map(x, * + 17)"
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: bridge.operator(source), range(16)))
    assert len({id(one.registered) for one in made}) == 1
    assert made[0].name.startswith("once_")
    other = bridge.operator(source, strict=True)
    assert other.name != made[0].name


def test_several_threads_and_sizes(operator: Any) -> None:
    def agrees(place: int) -> bool:
        a, b = random(1 + place % 5, 4), random(4, 1 + place % 3, needs=True)
        found = operator(a, b)
        (slope,) = torch.autograd.grad(found.sum(), b)
        (expected,) = torch.autograd.grad(mixed(a, b).sum(), b)
        return bool(torch.allclose(found, mixed(a, b)) and torch.allclose(slope, expected))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(agrees, range(120)))


def test_marks_of_tensors() -> None:
    operator = bridge.operator("tol x: R [n]\ny := map(x, * + 0)")
    odd = torch.tensor([1 + 2j]).conj().imag
    assert odd.is_neg()
    for _ in range(4):
        assert operator(torch.ones(1)).tolist() == [1.0]
        assert operator(odd).tolist() == [-2.0]
    conjugate = bridge.operator("tol x: C [n]\ny := map(x, * * 1)")
    for _ in range(4):
        assert conjugate(torch.tensor([1 + 2j]).conj()).tolist() == [1 - 2j]


def test_other_kinds_of_data() -> None:
    operator = bridge.operator("tol x: R [n]\ntol k: N\ntol scale: R\ny := x[k] * scale")
    x = random(3, kind=torch.float32, needs=True)
    found = operator(x, 2, scale=0.5)
    assert found.dtype == torch.float32
    torch.testing.assert_close(found, x[1] * 0.5)
    found.backward()
    assert x.grad.tolist() == [0.0, 0.5, 0.0]
    whole = bridge.operator("tol x: Z [n]\ny := map(tol[n], x[n-i+1], i)")
    turned = whole(torch.tensor([1, 2], dtype=torch.int32))
    assert turned.tolist() == [2, 1]
    assert turned.dtype == torch.int32
    assert whole(torch.zeros(0, dtype=torch.int64)).tolist() == []


class Marked(torch.Tensor):
    """A tensor of a class of its own."""


def test_tensors_of_other_classes(operator: Any) -> None:
    a, b = random(3, 4), random(4, 2)
    torch.testing.assert_close(
        torch.Tensor(operator(a.as_subclass(Marked), b)).double(), mixed(a, b), rtol=1e-6, atol=1e-6
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (lambda: bridge.operator("tol x: S [n]\ny := x"), "E614: the program takes x, which is in S"),
        (lambda: bridge.operator("tol x: R [n]\ny := map(x, (*, *))"), "E614: the program gives y, whose elements are lists"),
        (lambda: bridge.operator("f(x) := x"), "E602"),
        (lambda: bridge.operator(tolang.compile(MIXED), strict=True), "E603: the program is compiled already"),
        (lambda: bridge.operator(MIXED)(torch.ones(2, 2)), "E603: c takes 2 .* b missing"),
        (lambda: bridge.operator(MIXED)(torch.ones(2, 2), b="x"), "E614: .* got a str"),
        (lambda: bridge.operator(MIXED)(torch.ones(2, 2), torch.ones(2, 2), a=1.0), "E603: .* a given twice"),
        (lambda: bridge.operator(MIXED)(*[torch.ones(2, 2)] * 3), "E603: .* not 3"),
        (lambda: bridge.Module(MIXED, {"d": torch.ones(2)}), "E603: the program has no input d"),
        (lambda: bridge.Module(MIXED.replace("b", "half"), {"half": torch.ones(2, 2)}), "E614: a parameter cannot be called half"),
        (lambda: bridge.Module(MIXED, {"b": torch.ones(2, 2)})(torch.ones(2, 2), torch.ones(2, 2)), "E603"),
        (lambda: array_of_tensor(SimpleNamespace(is_cpu=False, device="cuda:0")), "E615: the tensor is on the device cuda:0"),
    ],
)  # fmt: skip
def test_what_is_refused(wrong: Any, told: str) -> None:
    with pytest.raises(tolang.ToLangError, match=told):
        wrong()


def test_module_is_trained() -> None:
    torch.manual_seed(0)
    source = """
tol x: R [n,k]
tol centres: R [m,k]
tol scale: R
near := map(tol[n,m], exp(-scale^2 * reduce(map(x[i], (* - centres[j,*])^2), add, 0)), [i,j])
"""
    basis = bridge.Module(source, {"centres": torch.randn(6, 2), "scale": torch.tensor(1.0)})
    model = torch.nn.Sequential(basis, torch.nn.Linear(6, 1))
    assert sorted(model.state_dict()) == ["0.centres", "0.scale", "1.bias", "1.weight"]
    points = torch.rand(64, 2) * 2 - 1
    goal = (points[:, :1] * points[:, 1:]).sign()
    optimiser = torch.optim.Adam(model.parameters(), lr=0.05)
    losses = []
    for _ in range(60):
        optimiser.zero_grad()
        loss = (model(points) - goal).square().mean()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    other = copy.deepcopy(model)
    other.load_state_dict({name: torch.zeros_like(one) for name, one in model.state_dict().items()})
    assert not torch.equal(other(points), model(points))
    other.load_state_dict(model.state_dict())
    assert torch.equal(other(points), model(points))
    stored = io.BytesIO()
    torch.save(model, stored)
    stored.seek(0)
    assert torch.equal(torch.load(stored, weights_only=False)(points), model(points))
    compiled = torch.compile(model, fullgraph=True, backend="aot_eager")
    torch.testing.assert_close(compiled(points), model(points))
    assert "near" in repr(model)


def test_whole_numbers_of_a_module_are_buffers() -> None:
    module = bridge.Module(
        "tol x: R [n]\ntol places: Z [m]\ny := map(places, k -> x[k])", {"places": torch.tensor([2, 1])}
    )
    assert list(module.state_dict()) == ["places"]
    assert not list(module.parameters())
    assert module(torch.tensor([3.0, 4.0])).tolist() == [4.0, 3.0]


def test_models_of_onnx() -> None:
    """The program of a model is an operator, too, which brings the model's weights."""
    from onnx import TensorProto, helper, numpy_helper

    import tolang.onnx

    weights = random(300, 200, kind=torch.float32) * 0.1
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Tanh", ["h"], ["y"])]
    declared = [helper.make_tensor_value_info(one, TensorProto.FLOAT, ["n", k]) for one, k in (("x", 300), ("y", 200))]
    kept = [numpy_helper.from_array(weights.numpy(), "w")]
    model = tolang.onnx.Model(helper.make_model(helper.make_graph(nodes, "g", declared[:1], declared[1:], kept)))
    operator, x = bridge.operator(model.program), random(4, 300, kind=torch.float32, needs=True)
    assert list(operator.inputs) == ["x"]
    results = [operator(x), torch.tanh(x @ weights)]
    torch.testing.assert_close(*results, rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(*(torch.autograd.grad(one.sum(), x)[0] for one in results), rtol=1e-4, atol=1e-5)
    assert set(torch.library.opcheck(operator.registered, (x, 0)).values()) == {"SUCCESS"}
    with pytest.raises(tolang.ToLangUsageError, match="E614: an operator of a model"):
        pickle.dumps(operator)


def test_operators_from_files_and_programs(tmp_path: Path) -> None:
    path = tmp_path / "tanh-product.tol"
    path.write_text(MIXED)
    a, b = random(2, 3), random(3, 2)
    from_file, from_program = bridge.operator(path), bridge.operator(tolang.compile(MIXED), name="other")
    assert from_file.name.startswith("tanh_product_")
    assert from_program.name.startswith("other_")
    assert torch.equal(from_file(a, b), from_program(a, b))
    again = pickle.loads(pickle.dumps(from_file))
    assert again.name == from_file.name
    assert np.array_equal(again(a, b).numpy(), from_file(a, b).numpy())


def test_programs_that_differ_in_what_is_fixed_are_different_operators() -> None:
    program = tolang.compile("tol x: R [n]\ntol w: R\ny := map(x, * * w)")
    scaled = [bridge.operator(program.fix(w=factor)) for factor in (2.0, 3.0)]
    assert [one.registered(torch.ones(2), 0).tolist() for one in scaled] == [[2.0, 2.0], [3.0, 3.0]]
