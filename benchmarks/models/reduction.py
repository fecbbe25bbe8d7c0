"""Models as onnxruntime itself rewrites them: optimised, and quantised."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models.ways import Optimised, Quantised

LEVELS = {"basic": "ORT_ENABLE_BASIC", "extended": "ORT_ENABLE_EXTENDED"}
Arrays = dict[str, np.ndarray[Any, Any]]


def optimised(way: Optimised, base: Path, path: Path) -> None:
    """Writes a model as onnxruntime optimises it: when it loads it, or by its tool for transformers."""
    import onnxruntime

    if way.level not in LEVELS:
        from onnxruntime.transformers import optimizer

        made = optimizer.optimize_model(str(base), way.level, num_heads=way.heads, hidden_size=way.width)
        made.save_model_to_file(str(path))
        return
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = getattr(onnxruntime.GraphOptimizationLevel, LEVELS[way.level])
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(str(base), options, providers=["CPUExecutionProvider"])


def quantised(way: Quantised, base: Path, arrays: Arrays, path: Path) -> None:
    """Writes a model with numbers of few digits."""
    from onnxruntime import quantization
    from onnxruntime.quantization import shape_inference

    logging.disable()
    match way.how:
        case "static":
            prepared = path.with_suffix(".prepared")
            shape_inference.quant_pre_process(str(base), str(prepared), skip_symbolic_shape=True)
            quantization.quantize_static(
                str(prepared), str(path), _Calibration(arrays), quant_format=quantization.QuantFormat.QDQ,
                per_channel=True,
            )  # fmt: skip
            prepared.unlink()
        case "operators":
            quantization.quantize_static(
                str(base), str(path), _Calibration(arrays), quant_format=quantization.QuantFormat.QOperator
            )
        case "dynamic":
            quantization.quantize_dynamic(str(base), str(path))
        case "blocks":
            _blocks(way, base, path)
        case other:
            raise ValueError(f"there is no way {other} to quantise a model")


def _blocks(way: Quantised, base: Path, path: Path) -> None:
    import onnx
    from onnxruntime.quantization import matmul_nbits_quantizer

    quantizer = matmul_nbits_quantizer.MatMulNBitsQuantizer(
        onnx.load(str(base)), bits=way.bits, block_size=32, is_symmetric=True
    )
    quantizer.process()
    quantizer.model.save_model_to_file(str(path))


class _Calibration:
    """The inputs that ranges of values are seen with."""

    def __init__(self, arrays: Arrays) -> None:
        self._left: Iterator[Arrays] = iter([arrays])

    def get_next(self) -> Arrays | None:
        return next(self._left, None)

    def __len__(self) -> int:
        return 1

    def set_range(self, start_index: int, end_index: int) -> None:
        """Nothing: there is one input."""
