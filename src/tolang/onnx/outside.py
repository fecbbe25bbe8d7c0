"""Operators that are no tensor computations, in Python: text, decoding of images, scores by name."""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from onnx import NodeProto, TensorProto

from tolang.ground.spaces import dtype_of
from tolang.onnx.domains import MAIN, operator_of, plain
from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error
from tolang.onnx.patterns import Pattern, Unmatchable
from tolang.onnx.protos import attributes

Attributes = Mapping[str, Any]
Outside = Callable[[Attributes, Sequence[Array]], list[Any]]
Computed = Callable[[Sequence[Array]], list[Any]]
"""What an operator gives for its inputs, made once for a node."""


def texts(values: Sequence[str], shape: tuple[int, ...]) -> Array:
    """Texts as an array of objects."""
    flat = np.empty(len(values), dtype=object)
    flat[:] = values
    return flat.reshape(shape)


def string_concat(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """The texts of two tensors one after the other, with broadcasting."""
    first, second = np.broadcast_arrays(*inputs)
    pairs = zip(first.reshape(-1), second.reshape(-1), strict=True)
    return [texts([one + two for one, two in pairs], first.shape)]


def string_split(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """The pieces of each text, filled up with empty ones, and how many there are."""
    most = given.get("maxsplit", -1)
    pieces = [one.split(given.get("delimiter") or None, most) for one in inputs[0].reshape(-1)]
    longest = max(map(len, pieces), default=0)
    filled = [one for row in pieces for one in (*row, *[""] * (longest - len(row)))]
    counts = np.array([len(row) for row in pieces], np.int64)
    return [texts(filled, (*inputs[0].shape, longest)), counts.reshape(inputs[0].shape)]


def pattern_of(operator: str, text: str) -> Pattern:
    """A pattern that an operator has."""
    try:
        return Pattern(text)
    except Unmatchable as error:
        raise model_error("E703", f"{operator} has no pattern: {error}") from None


def tokenizer(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """The words of each text, filled up to the same number: what a pattern finds, what separators leave, or letters."""
    separators, wanted = given.get("separators") or [], given.get("tokenexp") or ""
    if bool(separators) == bool(wanted):
        raise model_error("E703", "Tokenizer has either separators or a tokenexp")
    least, mark = max(1, given["mincharnum"]), given["mark"]
    patterns = [pattern_of("Tokenizer", one) for one in separators if one]
    word = pattern_of("Tokenizer", wanted) if wanted else None

    def words(text: str) -> list[str]:
        found = [text]
        for one in patterns:
            found = [left for part in found for left in one.split(part)]
        if word is not None:
            found = word.found(text)
        elif not patterns:
            found = list(text)
        return [one for one in found if len(one) >= least]

    rows = [words(one) for one in inputs[0].reshape(-1)]
    longest = max(map(len, rows), default=0)
    before, after = (["\x02"], ["\x03"]) if mark and longest else ([], [])
    filled = [[*before, *row, *after, *[given["pad_value"]] * (longest - len(row))] for row in rows]
    width = longest + len(before) + len(after)
    return [texts([one for row in filled for one in row], (*inputs[0].shape, width))]


def regex_full_match(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """Whether each text as a whole matches a pattern."""
    pattern = pattern_of("RegexFullMatch", given["pattern"])
    found = [pattern.matches(one) for one in inputs[0].reshape(-1)]
    return [np.array(found, bool).reshape(inputs[0].shape)]


def zip_map(given: Attributes, inputs: Sequence[Array]) -> list[Any]:
    """The scores of each row by the labels of their classes."""
    labels = given.get("classlabels_strings") or given["classlabels_int64s"]
    return [[dict(zip(labels, row, strict=True)) for row in inputs[0].tolist()]]


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
    "StringConcat": string_concat,
    "StringSplit": string_split,
    "RegexFullMatch": regex_full_match,
    "Tokenizer": tokenizer,
    "ImageDecoder": image_decoder,
    "ZipMap": zip_map,
}
COMPUTED = frozenset(OUTSIDE)
"""The operators that Python computes, with no ToLang and no EOPs."""


def ready(node: NodeProto) -> Computed:
    """What a node outside ToLang computes."""
    given = attributes(node)
    return partial(text_cast if node.op_type == "Cast" else OUTSIDE[node.op_type], given)


def is_outside(node: NodeProto, elements: Mapping[str, int | None]) -> bool:
    """Whether Python computes a node: by its operator, or because it converts between text and numbers."""
    if operator_of(node) == "Cast":
        goal = next((one.i for one in node.attribute if one.name == "to"), 0)
        return TensorProto.STRING in (goal, elements.get(node.input[0]))
    if node.op_type == "Tokenizer":
        return bool(plain(node.domain) == "com.microsoft")
    return node.op_type in COMPUTED and plain(node.domain) in (MAIN, "ai.onnx.ml")


def text_cast(given: Attributes, inputs: Sequence[Array]) -> list[Array]:
    """Numbers as text, or text as numbers, as ONNX's Cast has it."""
    subject = inputs[0]
    if given["to"] == "S":
        return [texts([str(one) for one in subject.reshape(-1)], subject.shape)]
    try:
        numbers = np.array([float(one) for one in subject.reshape(-1)])
    except ValueError as error:
        raise model_error("E705", f"Cast finds text that is no number: {error}") from None
    goal = np.dtype(bool) if given["to"] == "B" else dtype_of(given["to"])
    return [numbers.reshape(subject.shape).astype(goal)]
