"""ONNX's backend interface: `prepare`, `run_model`, `run_node` and `supports_device`, as its test suite wants them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from onnx import ModelProto, NodeProto, helper
from onnx.backend.base import Backend, BackendRep, namedtupledict

from tolang.onnx.domains import MAIN, plain
from tolang.onnx.elements import element_of
from tolang.onnx.faults import model_error
from tolang.onnx.kinds import as_array
from tolang.onnx.model import Model, load
from tolang.onnx.signatures import known_opsets
from tolang.onnx.soundness import texts
from tolang.program.runner import DEFAULT_ENGINE


class TolangRep(BackendRep):
    """A model that is ready to run."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def run(self, inputs: Any, **options: Any) -> tuple[Any, ...]:
        """The outputs, for inputs in order, by name, or one alone."""
        named = inputs if isinstance(inputs, Mapping) else {}
        given = () if named else tuple(inputs) if isinstance(inputs, list | tuple) else (inputs,)
        return tuple(self.model.run(self.model.arguments(given, named)))


class TolangBackend(Backend):
    """ToLang behind ONNX's backend interface."""

    engine = DEFAULT_ENGINE

    @classmethod
    def prepare(cls, model: ModelProto, device: str = "CPU", **options: Any) -> TolangRep:
        if not cls.supports_device(device):
            raise model_error("E601", f"there is no device {device}", expected="CPU")
        return TolangRep(load(model, engine=cls.engine))

    @classmethod
    def run_model(cls, model: ModelProto, inputs: Any, device: str = "CPU", **options: Any) -> tuple[Any, ...]:
        return cls.prepare(model, device).run(inputs)

    @classmethod
    def run_node(
        cls,
        node: NodeProto,
        inputs: Any,
        device: str = "CPU",
        outputs_info: Sequence[Any] | None = None,
        **options: Any,
    ) -> Any:
        """One node on its own, of the newest opset unless `opset_version` is given."""
        texts((node.domain, node.op_type, *node.input, *node.output), "the node")
        names = [name for name in node.input if name]
        arrays = [as_array(one) for one in (inputs if isinstance(inputs, list | tuple) else [inputs])]
        if len(names) != len(arrays):
            raise model_error("E705", f"the node takes {len(names)} inputs", found=str(len(arrays)))
        given = [
            helper.make_tensor_value_info(name, element_of(one), one.shape)
            for name, one in zip(names, arrays, strict=True)
        ]
        results = [helper.make_empty_tensor_value_info(name) for name in node.output if name]
        newest, domain = known_opsets(), plain(node.domain)
        opsets = {MAIN: newest[MAIN], domain: options.get("opset_version", newest.get(domain, 1))}
        graph = helper.make_graph([node], "node", given, results)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid(*one) for one in opsets.items()])
        return namedtupledict("Outputs", [one.name for one in results])(*cls.run_model(model, arrays, device))

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.partition(":")[0] == "CPU"


prepare = TolangBackend.prepare
run_model = TolangBackend.run_model
run_node = TolangBackend.run_node
supports_device = TolangBackend.supports_device
