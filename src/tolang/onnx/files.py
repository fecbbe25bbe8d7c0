"""Models in files: read without the data of large tensors, and parsed only when something asks for the message."""

from __future__ import annotations

import math
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from tolang.ground.dataclasses import dataclass, field
from tolang.onnx.elements import WIDTHS, bits_of
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
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise model_error("E702", f"cannot read {self.path}: {reason}") from None
        self.files, self.digest = (), sha256(self._content).hexdigest()

    @cached_property
    def proto(self) -> ModelProto:
        """The model's message, each of its tensors with its data or where that is left."""
        from onnx import TensorProto

        from tolang.onnx.protos import parsed, refuse_damaged, tensors_of_model

        model = parsed(self._content)
        if model is None and self.files:
            self._read_whole()
            model = parsed(self._content)
        if model is None:
            raise model_error("E702", f"{self.path} is not an ONNX model, or is cut short")
        refuse_damaged(model)
        beside = _Beside(self.path.parent)
        for tensor in tensors_of_model(model):
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
        target = self._target(location)
        if target is None:
            message = f"the data of {tensor.name!r} is not in the model's folder"
            raise model_error("E706", message, found=repr(location), expected="a file in the model's own folder")
        lengths, bits = tuple(tensor.dims), bits_of(tensor.data_type)
        wanted = -(-math.prod(lengths) * bits // 8)
        try:
            start, length = (int(where.get(key, usual)) for key, usual in (("offset", 0), ("length", wanted)))
        except ValueError:
            raise model_error("E702", f"the data of {tensor.name!r} has no whole offset and length") from None
        if length != wanted or not bits or any(one < 0 for one in lengths):
            found = f"{length} bytes for {list(lengths)} elements of {bits} bits"
            raise model_error("E702", f"the data of {tensor.name!r} does not fit its lengths", found=found)
        if start < 0 or start + length > target.stat().st_size:
            raise model_error("E702", f"the data of {tensor.name!r} reaches beyond the end of {location}")
        del tensor.external_data[:]
        file = self._mapped(target) if wanted and tensor.data_type in WIDTHS else None
        if file is None:
            self._read(tensor, target, start, length)
            return
        for key, value in (("location", file.name), ("offset", str(start)), ("length", str(length))):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, value

    def _target(self, location: str | bytes) -> Path | None:
        """The file of a location, where it is one in the model's folder; a text that no path can be is none."""
        if not isinstance(location, str) or not location or Path(location).is_absolute():
            return None
        try:
            target = (self.folder / location).resolve()
            return target if target.is_relative_to(self.folder.resolve()) and target.is_file() else None
        except (OSError, ValueError, RuntimeError):
            return None

    def _mapped(self, target: Path) -> Mapped | None:
        """A file that is left where it is; None where it cannot be mapped."""
        if target not in self.files:
            try:
                self.files[target] = Mapped(target)
            except (OSError, ValueError):
                return None
        return self.files[target]

    def _read(self, tensor: TensorProto, target: Path, start: int, length: int) -> None:
        """Reads data that is not held as it is stored."""
        try:
            with target.open("rb") as file:
                file.seek(start)
                tensor.raw_data = file.read(length)
        except OSError as error:
            raise model_error("E706", f"the data of {tensor.name!r} cannot be read: {error.strerror}") from None
        self.digests.append(sha256(tensor.raw_data).hexdigest())
        tensor.data_location = type(tensor).DEFAULT
