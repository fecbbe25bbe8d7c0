"""ONNX models as programs: made for the kinds of inputs they get, then called with data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tolang.data.binding import tolang_names
from tolang.data.formats import refuse_other_kind
from tolang.ground.reporting.diagnostics import Source, ToLangCheckError, ToLangError, ToLangRunError, ToLangSyntaxError
from tolang.ground.system.gc_pause import collector_paused
from tolang.ground.values.libraries import same_library
from tolang.ground.values.spaces import NARROW_INTEGERS
from tolang.ground.values.values import ToL
from tolang.onnx.defined import Operators, operators_in
from tolang.onnx.elements import Array, of_element_type
from tolang.onnx.faults import UncheckedNode, at_node, model_error, of_node
from tolang.onnx.files import ModelFile
from tolang.onnx.kinds import DeclaredInput, Kind, Leaf, as_array, as_declared, has_open_length, kind_of, of_lengths
from tolang.onnx.model_program import ModelOptions, ModelProgram
from tolang.onnx.naming import named_rows
from tolang.onnx.outline import Outline, open_infos, outline_of
from tolang.onnx.records import Imported, ModelRecords
from tolang.program.runner import DEFAULT_ENGINE, get_ready

if TYPE_CHECKING:
    from onnx import ModelProto, ValueInfoProto

    from tolang.engines.contract import RepeatedCalls
    from tolang.onnx.cost import ModelCost
    from tolang.onnx.derived import DerivedModel
    from tolang.onnx.stages import OutsideNode


class Model:
    """An ONNX model.

    Call it with its inputs, by position or by the model's own names.  One output is returned itself, several as a
    dictionary by name; a sequence is a list, an optional without a value None.
    """

    def __init__(
        self,
        model: ModelProto | ModelFile,
        name: str = "<model>",
        options: ModelOptions | None = None,
        records: ModelRecords | None = None,
    ) -> None:
        self._source, self.name, self.options = model, name, options or ModelOptions()
        own = self.options.operators
        self.outline = _kept_outline(model, own) if isinstance(model, ModelFile) else outline_of(self.proto, own)
        self.records = _records(model, own) if isinstance(model, ModelFile) else records
        self.inputs, self.output_names = self.outline.inputs, self.outline.outputs
        self._names = frozenset(one.name for one in self.inputs)
        self.static = frozenset(one.name for one in self.inputs if one.static)
        self.parts = [] if self.outline.is_whole else self._parts()
        self._variants: dict[tuple[Kind, ...], Variant] = {}
        self._fixed: set[tuple[Kind, ...]] = set()
        self._latest: tuple[tuple[Any, ...] | None, Variant | None] = None, None

    @cached_property
    def proto(self) -> ModelProto:
        """The model's message."""
        return self._source.proto if isinstance(self._source, ModelFile) else self._source

    @cached_property
    def infos(self) -> tuple[ValueInfoProto, ...]:
        """The declarations of the inputs that are left to give."""
        return open_infos(self.proto)

    def _parts(self) -> list[Model | OutsideNode]:
        """The parts of a model with operators outside ToLang: models, and between them the nodes of such operators."""
        from tolang.onnx.stages import stages

        return [
            part.node or Model(part.model or self.proto, self.name, self.options, self.records and self.records.part(k))
            for k, part in enumerate(stages(self.proto, self.options.operators))
        ]

    @same_library
    def __call__(self, *arguments: Any, **named: Any) -> Any:
        results = self.run(self.arguments(arguments, named))
        return results[0] if len(results) == 1 else dict(zip(self.output_names, results, strict=True))

    def arguments(self, given: tuple[Any, ...], named: Mapping[str, Any]) -> dict[str, Any]:
        """Data by the names of inputs."""
        names = [one.name for one in self.inputs]
        if len(given) > len(names):
            raise model_error("E705", f"the model takes {len(names)} inputs", found=str(len(given)))
        data = dict(zip(names, given, strict=False))
        for name, value in named.items():
            if name in data:
                raise model_error("E705", f"the input {name!r} is given twice", expected=", ".join(names))
            data[name] = value
        return data

    def _refuse_others(self, data: Mapping[str, Any]) -> None:
        """An error where data is not by the names of the inputs, of all of them and of nothing else."""
        names = [one.name for one in self.inputs]
        expected = ", ".join(names) or "none"
        unknown = [name for name in data if name not in self._names]
        if unknown:
            raise model_error("E705", f"the input {unknown[0]!r} is none of the model's", expected=expected)
        missing = [name for name in names if name not in data]
        if missing:
            shown = ", ".join(map(repr, missing))
            what = f"the input {shown} is missing" if len(missing) == 1 else f"the inputs {shown} are missing"
            raise model_error("E705", what, expected=expected)

    def run(self, data: Mapping[str, Any]) -> list[Any]:
        """All outputs in order, for data by the names of inputs."""
        if data.keys() != self._names:
            self._refuse_others(data)
        if not self.parts:
            return self.variant(data).run(data)
        values = {one.name: as_declared(data[one.name], one) for one in self.inputs} | self._constants
        for part in self.parts:
            if isinstance(part, Model):
                wanted = {one.name: values[one.name] for one in part.inputs}
                values.update(zip(part.output_names, part.run(wanted), strict=True))
            else:
                values.update(part.run(values))
        return [values[name] for name in self.output_names]

    @cached_property
    def _constants(self) -> dict[str, Array]:
        """The tensors that a model in parts brings, by name."""
        from tolang.onnx.protos import dense_array, to_array

        graph = self.proto.graph
        dense = {one.name: to_array(one) for one in graph.initializer}
        return dense | {one.values.name: dense_array(one) for one in graph.sparse_initializer}

    def variant(self, data: Mapping[str, Any]) -> Variant:
        """The program for these inputs: shared by all data of the same kinds."""
        likeness = self._likeness(data)
        before, found = self._latest
        if found is None or likeness is None or likeness != before:
            found = self._of_data(data)
            self._latest = likeness, found
        return found

    def _likeness(self, data: Mapping[str, Any]) -> tuple[Any, ...] | None:
        """What arrays have in common with others that the same program is for; None where some are no arrays."""
        found: list[Any] = []
        for one in self.inputs:
            array = data[one.name]
            if type(array) is not np.ndarray or array.dtype.hasobject:
                return None
            found += (array.dtype, array.shape, array.tobytes() if one.static else None)
        return tuple(found)

    def _of_data(self, data: Mapping[str, Any]) -> Variant:
        get_ready(self.options.engine)
        return self._of_kinds(tuple(kind_of(one, data[one.name]) for one in self.inputs), data)

    def _of_kinds(self, kinds: tuple[Kind, ...], known: Mapping[str, Any] | None = None) -> Variant:
        """The program for inputs of these kinds; for the lengths known, where open ones do not do.

        Ranks of a model may depend on lengths, as where it squeezes an axis only if it is of length 1.
        """
        fitted = self._of_lengths(kinds, known or {})
        if kinds in self._fixed or (kinds != fitted and self._is_too_open(kinds)):
            self._fixed.add(kinds)
            kinds = fitted
        if kinds not in self._variants:
            try:
                self._variants[kinds] = Variant(self, kinds)
            except ToLangCheckError as error:
                if fitted == kinds:
                    raise self._without_lengths(kinds, error) from None
                self._fixed.add(kinds)
                if self.records is not None:
                    self.records.keep_refusal(kinds)
                return self._of_kinds(kinds, known)
        found = self._variants[kinds]
        return self._of_kinds(fitted) if found.is_too_long_for(kinds, fitted) else found

    def _is_too_open(self, kinds: tuple[Kind, ...]) -> bool:
        """Whether the program for some kinds was found before not to pass the checker."""
        return kinds not in self._variants and self.records is not None and self.records.refuses(kinds)

    def _without_lengths(self, kinds: tuple[Kind, ...], error: ToLangCheckError) -> ToLangError:
        """An error that open lengths may be the reason of, told as such."""
        opened = [info.name for info, kind in zip(self.inputs, kinds, strict=True) if has_open_length(kind)]
        if not opened or not isinstance(error, UncheckedNode) or error.checked != "E306":
            return error
        shapes = ", ".join(f"{name}=(…)" for name in opened)
        message = "ranks in the model depend on lengths that are not given"
        return model_error("E705", message, found=error.diagnostics[0].message, expected=f"the shapes {shapes}")

    def _of_lengths(self, kinds: tuple[Kind, ...], known: Mapping[str, Any]) -> tuple[Kind, ...]:
        """Kinds with known lengths in place of open ones: those of shapes and data by input, and of sizes by name."""
        return tuple(
            of_lengths(kind, known.get(info.name), known) for info, kind in zip(self.inputs, kinds, strict=True)
        )

    @cached_property
    def declared(self) -> Variant:
        """The program for the inputs as the model declares them; an error where it must see data first."""
        for name in self.open_inputs:
            message = f"the model is made for each {name!r} anew: it is a shape, axes, or of an open rank"
            raise model_error("E705", message)
        return self._of_kinds(tuple(one.declared for one in self.inputs))

    @property
    def program(self) -> ModelProgram:
        """The ToLang program of a model that need not see data first."""
        found = self.declared.program
        if found is None:
            raise model_error("E705", "the model gives no tensor")
        return found

    @cached_property
    def open_inputs(self) -> tuple[str, ...]:
        """Inputs for which the program is made anew: shapes, axes, counts, or tensors of an open rank."""
        return tuple(one.name for one in self.inputs if one.is_open)

    @property
    def text(self) -> str:
        """The ToLang source of a model that need not see data first."""
        return self.declared.text

    def gradient(self, of: str, by: str | Iterable[str], *, value: bool = False) -> DerivedModel:
        """The derivatives of a numeric output by inputs and initializers, and with `value` the output too.

        All are named as in the model; the derivative by `w` is called `d_w`.
        """
        return self._derived("gradient", of, by, value)

    def pullback(self, of: str | Iterable[str], by: str | Iterable[str], *, value: bool = False) -> DerivedModel:
        """The cotangents of inputs and initializers, of those of outputs, which are further inputs `d_y` of it."""
        return self._derived("pullback", of, by, value)

    def _derived(self, kind: str, of: str | Iterable[str], by: str | Iterable[str], value: bool) -> DerivedModel:
        from tolang.onnx.derived import DerivedModel, trained_weights, with_inputs

        outside = sorted({one.op_type for one in self.parts if not isinstance(one, Model)})
        if outside:
            message = f"the model computes {', '.join(outside)} outside ToLang, which has no derivative"
            raise model_error("E705", message)
        weights = trained_weights(self.proto, by)
        open_model = Model(with_inputs(self.proto, weights), self.name, self.options) if weights else self
        return DerivedModel(open_model, weights, kind, of, by, value)

    def cost(self, shapes: Mapping[str, Any] | None = None, /, **sizes: Any) -> ModelCost:
        """What the model costs: formulas of its symbolic dimensions, numbers where these are given.

        Dimensions are given by name (`batch=8`) or by the shapes of inputs (`image=(8,3,32,32)`), in a dictionary where
        names are no identifiers.  Inputs that the program is made for, such as a shape, are given by value.
        """
        outside = sorted({one.op_type for one in self.parts if not isinstance(one, Model)})
        if outside:
            raise model_error("E705", f"the model computes {', '.join(outside)} outside ToLang, which no count covers")
        given = {**(shapes or {}), **tolang_names(sizes)}
        variant = self.variant_for(given)
        program = variant.program
        if program is None:
            raise model_error("E705", "the model gives no tensor")
        named = [(name, variant.own_name(name, value), value) for name, value in given.items()]
        left = {*program.sizes, *program.inputs}
        return program.cost(**{own: value for name, own, value in named if own in left or name not in self._dimensions})

    @cached_property
    def _dimensions(self) -> frozenset[str]:
        """The names of inputs and of their open dimensions, which a program that is made for them has no more."""
        leaves = [one.declared for one in self.inputs if isinstance(one.declared, Leaf)]
        return self._names.union(n for leaf in leaves for n in leaf.lengths if isinstance(n, str))

    def program_for(self, known: Mapping[str, Any]) -> ModelProgram:
        """The program for what must be known before it is made: the values of shapes, axes and counts, open ranks.

        Sizes and shapes may be among it, for a model whose ranks depend on them.
        """
        program = self.variant_for(known).program
        if program is None:
            raise model_error("E705", "the model gives no tensor")
        return program

    def variant_for(self, known: Mapping[str, Any]) -> Variant:
        """The program, and what it takes and gives, for what must be known before it is made."""
        return self._of_kinds(tuple(self._kind(one, known) for one in self.inputs), known)

    def __repr__(self) -> str:
        inputs, outputs = "; ".join(map(str, self.inputs)), ", ".join(self.output_names)
        return f"<tolang.onnx {self.name.strip('<>')}: ({inputs}) -> {outputs}>"

    def _kind(self, given: DeclaredInput, known: Mapping[str, Any]) -> Kind:
        if not given.is_open:
            return given.declared
        wanted = "value" if given.static else "shape"
        if given.name not in known:
            message = f"the program is made for the {wanted} of {given.name!r}, which is not given"
            raise model_error("E705", message, expected=f"{given.name}=…, its {wanted}")
        value = known[given.name]
        value = value.to_numpy() if isinstance(value, ToL) else value
        if given.static:
            return kind_of(given, value)
        shape = value if isinstance(value, tuple) else as_array(value).shape
        if not all(isinstance(one, int | str) for one in shape):
            message = f"the shape of {given.name!r} is of whole numbers and names"
            raise model_error("E705", message, found=str(shape))
        return Leaf(given.element, shape)


class Variant:
    """A model's program for inputs of given kinds."""

    @collector_paused()
    def __init__(self, model: Model, kinds: tuple[Kind, ...]) -> None:
        self.program: ModelProgram | None = None
        self._short: RepeatedCalls | None = None
        self._shapes: list[tuple[int, ...]] = []
        found = model.records.import_for(kinds) if model.records is not None else None
        if found is not None and self._is_made_of(found, model):
            return
        made = _imported(model, kinds)
        try:
            self._make(made, model)
        except (ToLangSyntaxError, ToLangCheckError) as error:
            raise of_node(error, None, made.makers, made.module) from None
        if model.records is not None:
            model.records.keep_import(kinds, made)

    def __getstate__(self) -> dict[str, Any]:
        """What a copy is made of, as in another process: calls have left nothing in it."""
        return {**vars(self), "_short": None, "_shapes": []}

    def _make(self, made: Imported, model: Model) -> None:
        self.text, self.leaves, self.outputs = made.text, made.leaves, made.outputs
        self.sizes, self.assumed = made.sizes, made.assumed
        source = made.module.span.source if made.module else Source(model.name, made.text, beside=False)
        self.program = (
            ModelProgram(source, made.data, model.options, made.nodes, module=made.module, before=made.checker)
            if made.gives_tensors
            else None
        )
        if self.program is None:
            return
        lists = [name for name, kind in self.program.outputs.items() if kind.parts or len(kind.columns) > 1]
        if lists:
            message = f"the model's output {lists[0]!r} is a list: the operator that gives it has more outputs than one"
            expected = "a definition with a parameter `outputs`, which gives the first alone where that is 1"
            raise model_error("E703", message, expected=expected)
        inputs = {name: given for name, (given, path) in made.leaves.items() if not path}
        whole = len(made.outputs) == len(model.output_names)
        named = zip(made.outputs, model.output_names, strict=True) if whole else ()
        self.program.dimension_names = made.sizes
        self.program.model_names = inputs | {_name_of(one): own for one, own in named if isinstance(one, str | tuple)}
        self.program.labels = dict(one for one in made.outputs if isinstance(one, tuple))

    def _is_made_of(self, kept: Imported, model: Model) -> bool:
        """Makes the program of what was kept, unless that is none, or of no such model: somebody else wrote it."""
        try:
            self._make(kept, model)
            inputs, outputs = (set(self.program.own_inputs), set(self.program.outputs)) if self.program else ({}, {})
            sources = {source for source, _ in self.leaves.values()}
            known = self.leaves.keys() == set(inputs) and sources <= {one.name for one in model.inputs}
            return known and set(_names_in(self.outputs)) <= set(outputs)
        except (ToLangSyntaxError, ToLangCheckError, AttributeError, TypeError, ValueError, LookupError):
            return False

    def run(self, data: Mapping[str, Any]) -> list[Any]:
        """The outputs in order: arrays, lists for sequences, None for an optional without a value."""
        results: dict[str, Array] = {}
        if self.program is not None:
            found = self._shortly(self.program, data)
            if found is not None:
                return found
            inputs = {name: self.leaf(name, data) for name in self.leaves}
            try:
                values = self.program.run(self.program.job((), inputs))
            except ToLangRunError as error:
                raise at_node(error, self.program.nodes, self.program.module) from None
            results = {name: of_element_type(one) for name, one in values.items() if not isinstance(one, tuple)}
            self._remember(self.program, inputs)
        return [_collected(one, results) for one in self.outputs]

    def _shortly(self, program: ModelProgram, data: Mapping[str, Any]) -> list[Any] | None:
        """The outputs by a short call, where data are arrays as those of the last run; None where they are not."""
        short = self._short  # which another thread may change meanwhile
        if short is None:
            return None
        program.refuse_changed()
        values = short.shortest(*[data[source] for source, _ in self.leaves.values()])
        if values is None:
            return None
        if type(values) is list:
            values = [one.columns[0] for one in values]
        elif type(values) is not tuple:
            values = (values,)
        by_name = {one.name: value for one, value in zip(program.core.outputs, values, strict=True)}
        return [_collected(one, by_name) for one in self.outputs]

    def _remember(self, program: ModelProgram, inputs: Mapping[str, Array]) -> None:
        """Makes the third run with arrays of the same shapes a short one, where inputs and outputs are arrays."""
        before, self._shapes = self._shapes, [one.shape for one in inputs.values()]
        if self._shapes == before:
            self._short = program.repeating(list(inputs.values())) if self._is_plain(program) else None

    def _is_plain(self, program: ModelProgram) -> bool:
        """Whether the model takes and gives what its program does, as it is."""
        whole = not any(path for _, path in self.leaves.values()) and all(
            isinstance(one, str | tuple) for one in self.outputs
        )
        narrow = any(one.type.columns[0].space.name in NARROW_INTEGERS for one in program.core.outputs)
        return whole and not narrow and list(self.leaves) == list(program.own_inputs)

    def is_too_long_for(self, kinds: tuple[Kind, ...], lengths: tuple[Kind, ...]) -> bool:
        """Whether a dimension is shorter in some kinds of known lengths than the program takes it to be."""
        pairs = [(a, b) for a, b in zip(kinds, lengths, strict=True) if isinstance(a, Leaf) and isinstance(b, Leaf)]
        found = (pair for one, two in pairs for pair in zip(one.lengths, two.lengths, strict=True))
        return bool(self.assumed) and any(
            isinstance(length, int) and length < self.assumed.get(str(name), 0) for name, length in found
        )

    def own_name(self, name: str, value: Any) -> str:
        """The program's name of an input, where a shape or data is given for it, or of a dimension of the model."""
        inputs = {source: own for own, (source, path) in self.leaves.items() if not path}
        sizes = {wanted: own for own, wanted in self.sizes.items()}
        first, second = (sizes, inputs) if isinstance(value, int) else (inputs, sizes)
        return first.get(name) or second.get(name) or name

    def leaf(self, name: str, data: Mapping[str, Any]) -> Array:
        """The data of one declared input, by its path into a sequence."""
        source, path = self.leaves[name]
        value = data[source]
        for step in path:
            value = value[step]
        return as_array(value)


def _records(file: ModelFile, own: Operators) -> ModelRecords:
    """What is kept of a model, which follows from its file and the operators that are given with it."""
    return ModelRecords(file.files, f"{file.digest} {own.digest}" if own.digest else file.digest)


def _kept_outline(file: ModelFile, own: Operators) -> Outline:
    """The outline of a model in a file: kept from before, or made now and kept, unless further files belong to it."""
    records = _records(file, own)
    found = records.outline()
    if found is None:
        from tolang.onnx.soundness import refuse_unsound

        refuse_unsound(file.proto, own)
        found = outline_of(file.proto, own)
        if (file.files, _records(file, own).digest) == (records.files, records.digest):
            records.keep_outline(found)
    return found


def _imported(model: Model, kinds: tuple[Kind, ...]) -> Imported:
    from tolang.onnx.imported import imported

    return imported(model.proto, model.name, model.inputs, kinds, model.options.operators)


def _names_in(tree: Any) -> Iterator[str]:
    """The names of tensors among outputs."""
    if isinstance(tree, list):
        for one in tree:
            yield from _names_in(one)
    elif tree is not None:
        yield _name_of(tree)


def _name_of(output: Any) -> Any:
    """The name of the tensor that an output is, or whose columns it names."""
    return output[0] if isinstance(output, tuple) else output


def _collected(tree: Any, results: Mapping[str, Array]) -> Any:
    if isinstance(tree, list):
        return [_collected(one, results) for one in tree]
    if isinstance(tree, tuple):
        name, labels = tree
        return named_rows(name, np.asarray(results[name]), labels)
    return None if tree is None else np.asarray(results[tree])


@collector_paused()
def load(
    model: str | Path | ModelProto,
    engine: str = DEFAULT_ENGINE,
    strict: bool = False,
    fallback: bool = True,
    threads: int | None = None,
    operators: str | Path | None = None,
) -> Model:
    """A model from its file or its message, to run as `tolang.compile` says.

    `operators` is a file of ToLang that defines operators beside ONNX's own: `com_example_Swish(x, beta=1) = …` is the
    operator Swish of the domain com.example; its inputs come in order, its attributes by their names.
    """
    options = ModelOptions(engine, strict, fallback, threads, operators_in(operators))
    if isinstance(model, str | Path):
        refuse_other_kind(Path(model), ".onnx")
        return Model(ModelFile(Path(model)), str(model), options)
    from onnx import ModelProto

    from tolang.onnx.soundness import refuse_unsound

    if not isinstance(model, ModelProto):
        raise model_error("E705", "there is no model", type(model).__name__, "the path of a file, or a ModelProto")
    refuse_unsound(model, options.operators)
    return Model(model, "<model>", options)
