"""Operators that are no tensor computations, in Python: decoding of images."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from onnx import NodeProto

from tolang.onnx.domains import MAIN, plain
from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error
from tolang.onnx.protos import attributes

Attributes = Mapping[str, Any]
Outside = Callable[[Attributes, Sequence[Array]], list[Any]]
Computed = Callable[[Sequence[Array]], list[Any]]
"""What an operator gives for its inputs, made once for a node."""


def image_decoder(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """The pixels of an encoded image; needs Pillow."""
    try:
        from PIL import Image
    except ImportError:
        raise model_error("E701", "ImageDecoder needs the package Pillow") from None
    kind = given.get("pixel_format", "RGB")
    try:
        image = Image.open(io.BytesIO(inputs[0].astype(np.uint8).tobytes()), formats=IMAGE_FORMATS)
        pixels = np.array(image.convert("L" if kind == "Grayscale" else "RGB"))
    except (OSError, ValueError, SyntaxError, EOFError, struct.error, Image.DecompressionBombError) as error:
        raise model_error("E705", f"ImageDecoder cannot read this image: {error}") from None
    return [pixels[..., None] if kind == "Grayscale" else pixels[..., ::-1] if kind == "BGR" else pixels]


IMAGE_FORMATS = ("BMP", "JPEG", "JPEG2000", "PNG", "PPM", "TIFF", "WEBP")
"""The formats that ONNX tells, and no others that Pillow would take, some of which run programs."""

OUTSIDE: dict[str, Outside] = {
    "ImageDecoder": image_decoder,
}
COMPUTED = frozenset(OUTSIDE)
"""The operators that Python computes, with no ToLang and no EOPs."""


def ready(node: NodeProto) -> Computed:
    """What a node outside ToLang computes."""
    given = attributes(node)
    return partial(OUTSIDE[node.op_type], given)


def is_outside(node: NodeProto) -> bool:
    """Whether Python computes a node."""
    return node.op_type in COMPUTED and plain(node.domain) == MAIN
