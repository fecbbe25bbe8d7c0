"""Text: stop words, n-grams as a tree of beginnings, patterns as automata, all as tensors that definitions follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from onnx import NodeProto, helper

from tolang.onnx.elements import Array
from tolang.onnx.faults import model_error
from tolang.onnx.importer import GraphScope, Importer
from tolang.onnx.patterns import Automaton, Classes, Pattern, Unmatchable
from tolang.onnx.protos import attributes
from tolang.onnx.values import TensorValue, Value

MOST_PLACES = 2**24
"""A row of counts is at most so long."""
BEYOND = 2**62
"""A key that no search reaches, the last of all."""

Gram = tuple[Any, ...]


def vectorizer(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """TfIdfVectorizer: its words in order, and its n-grams as a tree of their beginnings."""
    given = attributes(node)
    grams, size = _grams(given), max(given["ngram_indexes"], default=-1) + 1
    words = sorted({word for gram in grams for word in gram})
    keys, places = tree_of(grams, words, size)
    single = np.searchsorted(keys, np.arange(len(words) + 1)) + 1
    single[keys[single - 1] != np.arange(len(words) + 1)] = len(keys)
    scale = np.zeros(size, np.float32)
    scale[given["ngram_indexes"]] = given.get("weights") or 1
    kind = object if given.get("pool_strings") else np.int64
    data = {"words": np.array(words, kind), "single": single, "keys": keys, "places": places, "scale": scale}
    more = _constants(importer, node, data)
    kept = ("min_gram_length", "max_gram_length", "max_skip_count", "mode")
    bare = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    return importer.call(bare, inputs, **more, **{name: given[name] for name in kept})


def normalizer(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """StringNormalizer: its stop words as a tensor, each of them once."""
    given = attributes(node)
    given.pop("locale", None)
    words = list(dict.fromkeys(given.pop("stopwords", [])))
    if words:
        given["stopwords"] = importer.constant(np.array(words, object), f"{node.output[0]}_stopwords")
    bare = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    return importer.call(bare, inputs, **given)


def full_match(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """RegexFullMatch: its pattern as an automaton."""
    tables = _automata(node, [attributes(node).get("pattern", "")])
    bare = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    return importer.call(bare, inputs, **_constants(importer, node, tables | {"starts": tables["starts"][0]}))


def tokenizer(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """Tokenizer: its patterns, of words or of what separates them, as automata."""
    given = attributes(node)
    separators, wanted = given.get("separators") or [], given.get("tokenexp") or ""
    if bool(separators) == bool(wanted):
        raise model_error("E703", "Tokenizer has either separators or a tokenexp")
    patterns = [wanted] if wanted else [one for one in separators if one]
    texts = {
        name: np.array(one, object) for name, one in (("pad_value", given["pad_value"]), ("marks", ["\x02", "\x03"]))
    }
    more = _constants(importer, node, _automata(node, patterns or [""]) | texts)
    by = "words" if wanted else "separators" if patterns else "letters"
    bare = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    return importer.call(bare, inputs, **more, by=by, mincharnum=max(1, given["mincharnum"]), mark=given["mark"])


def split(importer: Importer, node: NodeProto, inputs: list[Value | None], scope: GraphScope) -> list[Value]:
    """StringSplit; a delimiter of several lines, which no program can write, as the codes of its characters."""
    given = attributes(node)
    if "\n" in given.get("delimiter", ""):
        given["delimiter"] = [ord(one) for one in given["delimiter"]]
    bare = helper.make_node(node.op_type, list(node.input), list(node.output), domain=node.domain)
    return importer.call(bare, inputs, **given)


def _constants(importer: Importer, node: NodeProto, tables: Mapping[str, Array]) -> dict[str, TensorValue]:
    """Tables that a definition follows, as tensors beside the result that they are for."""
    return {name: importer.constant(one, f"{node.output[0]}_{name}") for name, one in tables.items()}


def _automata(node: NodeProto, texts: Sequence[str]) -> dict[str, Array]:
    """The tables of patterns: states of one after those of the other, and the states that each begins with."""
    try:
        patterns = [Pattern(one) for one in texts]
        classes = Classes(patterns)
        several = [Automaton(one, classes).tables() for one in patterns]
    except Unmatchable as error:
        raise model_error("E703", f"{node.op_type} has no pattern: {error}") from None
    first = np.cumsum([0, *(len(one["moves"]) for one in several[:-1])], dtype=np.int32)
    moved = [np.where(one["moves"] == 1, 1, one["moves"] + at) for one, at in zip(several, first, strict=True)]
    starts = [np.where(one["starts"] == 1, 1, one["starts"] + at) for one, at in zip(several, first, strict=True)]
    ends = [one["ends"] for one in several]
    joined = {"moves": np.concatenate(moved), "ends": np.concatenate(ends), "starts": np.stack(starts)}
    return classes.tables() | joined


def _grams(given: Mapping[str, Any]) -> dict[Gram, int]:
    """The n-grams of a pool that are counted, with their places in the result."""
    pool = given.get("pool_int64s") or given.get("pool_strings") or []
    starts, places = given["ngram_counts"], given["ngram_indexes"]
    weights = given.get("weights") or places
    sizes = given["min_gram_length"], given["max_gram_length"]
    ends = [*starts[1:], len(pool)]
    spans = list(enumerate(zip(starts, ends, strict=True), 1))
    begun = np.cumsum([0, *((end - start) // size for size, (start, end) in spans)])
    fits = all(0 <= one <= two for one, two in pairwise([*starts, len(pool)])) and begun[-1] <= len(places)
    if not fits or len(weights) != len(places) or not all(0 <= one < MOST_PLACES for one in places):
        message = "ngram_counts are places in the pool, ngram_indexes places in the result, one for each n-gram"
        raise model_error("E703", message, found=f"{len(pool)} words, {len(places)} places, {len(weights)} weights")
    if not 1 <= sizes[0] <= sizes[1] or not places:
        raise model_error("E703", "n-grams are of one word or more", found=f"{sizes[0]} to {sizes[1]}")
    found: dict[Gram, int] = {}
    for size, (start, end) in spans:
        if sizes[0] <= size <= sizes[1]:
            first = int(begun[size - 1])
            cut = (tuple(pool[p : p + size]) for p in range(start, end - size + 1, size))
            found.update({gram: places[first + k] for k, gram in enumerate(cut)})
    return found


def tree_of(grams: Mapping[Gram, int], words: Sequence[Any], count: int) -> tuple[Any, Any]:
    """Beginnings of n-grams in order of their keys, and places in the result, from 1; those that are none are after it.

    A beginning is numbered by its place there.  Its key is the number of the one that is a word shorter, 0 for none,
    times the number of words and one, and the number of its last word.
    """
    numbers = {word: number for number, word in enumerate(words, 1)}
    beginnings = {gram[:k] for gram in grams for k in range(1, len(gram) + 1)}
    known: dict[Gram, int] = {(): 0}
    keys: list[int] = []
    places: list[int] = []
    for size in range(1, max(map(len, beginnings), default=0) + 1):
        level = [(known[one[:-1]] * (len(words) + 1) + numbers[one[-1]], one) for one in beginnings if len(one) == size]
        for key, one in sorted(level, key=lambda pair: pair[0]):
            keys.append(key)
            places.append(grams.get(one, count) + 1)
            known[one] = len(keys)
    return np.array([*keys, BEYOND], np.int64), np.array([*places, count + 1], np.int64)
