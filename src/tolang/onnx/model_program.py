"""The program of an ONNX model: ToLang that brings the model's weights along."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.core.core import Core
from tolang.core.types import Type
from tolang.data.binding import Job, bind_sizes, sort_arguments, tolang_names
from tolang.data.results import returned
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Source
from tolang.ground.values.libraries import same_library
from tolang.ground.values.spaces import Column, dtype_of
from tolang.ground.values.values import ToL
from tolang.onnx.defined import NO_MORE, Operators
from tolang.onnx.elements import Array
from tolang.onnx.naming import Labels
from tolang.onnx.nodes import ProgramNode
from tolang.onnx.stored import Weight
from tolang.program.program import Program
from tolang.program.runner import DEFAULT_ENGINE

if TYPE_CHECKING:
    from tolang.check.programs import Checker
    from tolang.onnx.cost import ModelCost
    from tolang.program.derivation import Derivation
    from tolang.program.explanation import Explanation
    from tolang.syntax import tree

LONGEST_TEXT = 1 << 24
"""Characters of the longest program that is made of a model."""


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """How a model's programs run, as `tolang.compile` has it."""

    engine: str = DEFAULT_ENGINE
    strict: bool = False
    fallback: bool = True
    threads: int | None = None
    operators: Operators = NO_MORE


class ModelProgram(Program):
    """The program of a model, which brings the model's weights: only its inputs are left to give."""

    def __init__(
        self,
        source: Source,
        weights: Mapping[str, Array | Weight],
        options: ModelOptions,
        nodes: Sequence[ProgramNode] = (),
        derivations: tuple[Derivation, ...] = (),
        module: tree.SyntaxModule | None = None,
        before: Checker | None = None,
    ) -> None:
        self._before = before
        engine, strict, fallback, threads = options.engine, options.strict, options.fallback, options.threads
        super().__init__(source, engine, strict, fallback, threads, module, derivations)
        self._before = None
        self._given, self._options = weights, options
        kinds = self.inputs
        self.files = {one.file for one in weights.values() if isinstance(one, Weight)}
        arrays = {name: one.data if isinstance(one, Weight) else one for name, one in weights.items() if name in kinds}
        self.weights = _bound(arrays, kinds)
        self.runner.fix(self.core, self.weights)
        self.nodes = tuple(nodes)
        self.model_names: Mapping[str, str] = {}
        """What the model itself calls inputs and outputs that are tensors, by their names here."""
        self.labels: Mapping[str, Labels] = {}
        """What the columns of outputs that are scores are called, by the outputs' names here."""
        self.dimension_names: Mapping[str, str] = {}
        """What the model calls its open dimensions, by the sizes here."""

    def _checker(self) -> Checker:
        """What checks the program, and goes on where the import of the model has left off."""
        from tolang.check.programs import Checker

        return Checker(self.module, before=self._before)

    def _derived(self, one: Derivation) -> ModelProgram:
        """A derivative of a model brings the model's weights, too."""
        return ModelProgram(self.source, self._given, self._options, (), (*self.derivations, one))

    @cached_property
    def module(self) -> tree.SyntaxModule:
        """The program's syntax tree; the text of a model may be longer than what a person writes."""
        from tolang.syntax.parser import parse

        return parse(self.source, LONGEST_TEXT)

    def cost(self, *shapes: Any, **sizes: Any) -> ModelCost:
        """What the model costs: formulas of its symbolic dimensions, numbers where these are given."""
        from tolang.onnx.cost import ModelCost
        from tolang.program.costing import cost_of_program

        def make(core: Core, title: str | None, given: Mapping[str, int]) -> ModelCost:
            return ModelCost(core, title, given, self.nodes)

        told = self._own_names
        found = cost_of_program(self.core, tolang_names(sizes), self.source.name, shapes, make, told)
        assert isinstance(found, ModelCost)
        return found

    @property
    def _own_names(self) -> dict[str, str]:
        """What the model calls inputs, outputs and open dimensions, by their names here."""
        return {**self.dimension_names, **self.model_names}

    def legend(self) -> list[str]:
        """What the model calls otherwise, with names that may be any text, or what a program has no names for."""
        renamed = ((name, own) for name, own in self._own_names.items() if name != own)
        columns = ((name, ", ".join(map(repr, labels))) for name, labels in self.labels.items())
        return [
            *(
                f"{name} is {own!r} of the model"
                for name, own in renamed
                if name in {*self.inputs, *self.outputs, *self.sizes}
            ),
            *(f"the columns of {name} are the scores of {labels}" for name, labels in columns),
        ]

    def explain(self) -> Explanation:
        """How the program runs, and what is called otherwise than in the model."""
        legend = self.legend()
        told = super().explain()
        return told.with_more("names", "\n".join(legend), first=True) if legend else told

    def compile_ahead(self, sizes: Mapping[str, int] | None = None) -> int:
        """Compiles the program before it is run, and keeps its code; how many kernels it has.

        Where the plan asks how long dimensions are, `sizes` tell what is compiled.
        """
        prepared = self.runner.prepared(self.core, sizes)
        return len({name for one in prepared.compiled for name in one.names})

    @same_library
    def __call__(self, *arguments: Any, seed: int = 0, **named: Any) -> Any:
        job = self.job(arguments, tolang_names(named))
        return returned(job.core.outputs, self.values(job, seed))

    @cached_property
    def own_inputs(self) -> dict[str, Type]:
        """The inputs that are left to give, in order, with their types."""
        return {name: kind for name, kind in self.inputs.items() if name not in self.weights}

    def refuse_changed(self) -> None:
        """An error where a file that weights are mapped from is no longer what it was."""
        for file in self.files:
            file.refuse_changed()

    def job(self, arguments: Sequence[Any], named: Mapping[str, Any]) -> Job:
        """The program's core for these inputs and the weights, and the data it runs on."""
        self.refuse_changed()
        own = self.own_inputs
        data, sizes = sort_arguments(own, self.sizes, arguments, named)
        quick = None if sizes else self.quick_job([data[name] for name in own])
        if quick is not None:
            return quick
        told = self._own_names
        given = {name: ToL.of(data[name], kind.columns, told.get(name, name)) for name, kind in own.items()}
        inputs = {name: given[name] if name in given else self.weights[name] for name in self.inputs}
        return Job(self.core, inputs, bind_sizes(self.core, inputs, sizes, told=told))


def _bound(arrays: Mapping[str, Array], kinds: Mapping[str, Type]) -> dict[str, ToL]:
    """Weights as their declarations hold them: what one in the declared storage is bound to, all like it are."""
    found: dict[str, ToL] = {}
    like: dict[tuple[tuple[Column, ...], np.dtype[Any]], tuple[Column, ...]] = {}
    for name, array in arrays.items():
        columns = kinds[name].columns
        spaces = like.get((columns, array.dtype)) if array.size else None
        found[name] = ToL((array,), spaces) if spaces else ToL.of(array, columns, name)
        if columns[0].space.is_machine and array.dtype == dtype_of(columns[0].space.storage):
            like[columns, array.dtype] = found[name].spaces
    return found
