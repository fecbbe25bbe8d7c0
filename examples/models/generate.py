"""A decoder that writes word after word: each step takes one word, and keys and values of all words before it.

    python examples/models/generate.py DECODER.onnx --words 5,6,7 --count 100 --beside

The decoder takes words, and then a past whose third axis is the length so far; it gives scores of the next word, and
the past with what is new.  Before anything runs, the cost of a word is known as a formula of that length.  With
`--beside` onnxruntime writes the same words, and the times of both are shown.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import tolang.onnx

Array = np.ndarray[Any, Any]
Step = Callable[[Mapping[str, Array]], list[Array]]
"""One step of a decoder: its inputs by name, and its outputs in order."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("decoder", help="an ONNX model")
    parser.add_argument("--words", default="1", help="the words to begin with, as numbers")
    parser.add_argument("--count", type=int, default=20, help="how many words to write")
    parser.add_argument("--beside", action="store_true", help="let onnxruntime write the same words")
    arguments = parser.parse_args()
    words = [int(one) for one in arguments.words.split(",")]
    model = tolang.onnx.load(arguments.decoder, engine="cpu")
    cost = model.cost({model.inputs[0].name: (1, 1)})  # of one word; the length of the past is left open
    print(f"a word costs {cost.eops} EOPs, among them {cost.macs} multiply-accumulates")
    steps: dict[str, Step] = {"tolang": model.run}
    if arguments.beside:
        import onnxruntime

        session = onnxruntime.InferenceSession(arguments.decoder, providers=["CPUExecutionProvider"])
        steps["onnxruntime"] = lambda given: session.run(None, given)
    for who, step in steps.items():
        given = step, model.inputs[0].name, no_past(model), words, arguments.count
        written(*given)  # compiles, and wakes threads
        start = time.perf_counter()
        found = written(*given)
        seconds = time.perf_counter() - start
        print(f"{who}: {1e3 * seconds / arguments.count:.2f} ms a word: {' '.join(map(str, found))}")


def no_past(model: tolang.onnx.Model) -> dict[str, Array]:
    """The past before the first word."""
    lengths = {one.name: one.declared.lengths for one in model.inputs[1:]}
    return {name: np.zeros((1, heads, 0, width), np.float32) for name, (_, heads, _, width) in lengths.items()}


def written(step: Step, name: str, past: dict[str, Array], words: list[int], count: int) -> list[int]:
    """Words one after another, each the likeliest after all before it; `name` is what the decoder calls its words."""
    found: list[int] = []
    given = np.array([words])
    for _ in range(count):
        scores, *present = step({name: given, **past})
        found.append(int(scores[0, -1].argmax()))
        given, past = np.array([found[-1:]]), dict(zip(past, present, strict=True))
    return found


if __name__ == "__main__":
    main()
