"""Operators that are no tensor computations, in Python: decoding of images, scores by name."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import repeat
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


def zip_map(given: Attributes, inputs: Sequence[Array]) -> list[Any]:
    """The scores of each row by the labels of their classes."""
    labels = given.get("classlabels_strings") or given["classlabels_int64s"]
    if inputs[0].ndim != 2 or inputs[0].shape[1] != len(labels):
        raise ValueError(f"scores of the shape {inputs[0].shape} for {len(labels)} labels")
    rows = zip(*inputs[0].T.tolist(), strict=True)
    return [list(map(dict, map(zip, repeat(labels), rows)))]  # in C, and few objects beside the result


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
    "ZipMap": zip_map,
}
COMPUTED = frozenset(OUTSIDE)
"""The operators that Python computes, with no ToLang and no EOPs."""


def ready(node: NodeProto) -> Computed:
    """What a node outside ToLang computes."""
    given = attributes(node)
    return partial(OUTSIDE[node.op_type], given)


def is_outside(node: NodeProto) -> bool:
    """Whether Python computes a node."""
    return node.op_type in COMPUTED and plain(node.domain) in (MAIN, "ai.onnx.ml")
