"""Models in files: read without the data of large tensors, and parsed only when something asks for the message."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from tolang.onnx.elements import WIDTHS
from tolang.onnx.faults import model_error
from tolang.onnx.stored import Mapped, weight_of
from tolang.onnx.wire import Unusual, slim

if TYPE_CHECKING:
    from onnx import ModelProto, TensorProto


class ModelFile:
    """A model in a file, with data that it keeps in other files of its own folder.

    `files` are those that large tensors are left in, `digest` is one of everything but their data; both are for the
    model's own file alone as long as its message is not parsed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: tuple[Mapped, ...] = ()
        try:
            file = Mapped(path)
            found = slim(file.content, file.name, WIDTHS)
        except (OSError, ValueError, Unusual):
            self._read_whole()
        else:
            self._content, self.digest = found.content, found.digest
            self.files = (file,) if found.left_out else ()

    def _read_whole(self) -> None:
        try:
            self._content = self.path.read_bytes()
        except OSError as error:
            raise model_error("E702", f"cannot read {self.path}: {error.strerror}") from None
        self.files, self.digest = (), sha256(self._content).hexdigest()

    @cached_property
    def proto(self) -> ModelProto:
        """The model's message, each of its tensors with its data or where that is left."""
        from onnx import TensorProto

        from tolang.onnx.protos import parsed, refuse_damaged, tensors_of

        model = parsed(self._content)
        if model is None and self.files:
            self._read_whole()
            model = parsed(self._content)
        if model is None:
            raise model_error("E702", f"{self.path} is no ONNX model, or is cut short")
        refuse_damaged(model)
        beside = _Beside(self.path.parent)
        for tensor in tensors_of(model.graph):
            if tensor.data_location == TensorProto.EXTERNAL and weight_of(tensor) is None:
                beside.find(tensor)
        self.files += tuple(beside.files.values())
        self.digest += "".join(beside.digests)
        self._content = b""
        return model


@dataclass(slots=True)
class _Beside:
    """Files in a model's folder: those that are mapped, and digests of the data that is read."""

    folder: Path
    files: dict[Path, Mapped] = field(default_factory=dict)
    digests: list[str] = field(default_factory=list)

    def find(self, tensor: TensorProto) -> None:
        """Finds a tensor's data in a file in the model's folder, and nowhere else."""
        where = {one.key: one.value for one in tensor.external_data}
        location = where.get("location", "")
        home = self.folder.resolve()
        target = (self.folder / location).resolve()
        if not location or Path(location).is_absolute() or not target.is_relative_to(home) or not target.is_file():
            message = f"the data of {tensor.name!r} is not in the model's folder"
            raise model_error("E706", message, found=location, expected="a file in the model's own folder")
        try:
            start = int(where.get("offset", 0))
            length = int(where.get("length", target.stat().st_size - start))
        except ValueError:
            raise model_error("E702", f"the data of {tensor.name!r} has no whole offset and length") from None
        if start < 0 or length < 0 or start + length > target.stat().st_size:
            raise model_error("E702", f"the data of {tensor.name!r} reaches beyond the end of {location}")
        del tensor.external_data[:]
        wanted = math.prod(tensor.dims) * WIDTHS.get(tensor.data_type, 0)
        file = self._mapped(target) if length == wanted > 0 and min(tensor.dims, default=1) > 0 else None
        if file is None:
            self._read(tensor, target, start, length)
            return
        for key, value in (("location", file.name), ("offset", str(start)), ("length", str(length))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value

    def _mapped(self, target: Path) -> Mapped | None:
        """A file that is left where it is; None where it cannot be mapped."""
        if target not in self.files:
            try:
                self.files[target] = Mapped(target)
            except (OSError, ValueError):
                return None
        return self.files[target]

    def _read(self, tensor: TensorProto, target: Path, start: int, length: int) -> None:
        """Reads data that is not held as it is stored, or not as much as the lengths ask for."""
        with target.open("rb") as file:
            file.seek(start)
            tensor.raw_data = file.read(length)
        self.digests.append(sha256(tensor.raw_data).hexdigest())
        tensor.data_location = type(tensor).DEFAULT
