"""The models that are tried: their files, their licences, and inputs that fit them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.models.sources import Model, Wheel, normal, whole

RAPIDOCR = Wheel("rapidocr", "3.10.0", "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050", "Apache-2.0")
MAGIKA = Wheel("magika", "1.0.3", "938d8e033953f2ddeb8c35dc423aa289ca116bfa7a71a778f6e77460f9025803", "Apache-2.0")
SILERO = Wheel("silero-vad", "6.2.3", "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8", "MIT")
DDDDOCR = Wheel("ddddocr", "1.6.1", "c7c70f4ae2d0335440ae8b272eea48c9f6888ecef46785fe2311f0c97a133935", "MIT")


def _speech(generator: np.random.Generator) -> dict[str, Any]:
    sound = (0.1 * generator.standard_normal((1, 576))).astype(np.float32)
    return {"input": sound, "state": np.zeros((2, 1, 128), np.float32), "sr": np.array(16000, np.int64)}


def _exported(name: str) -> Any:
    def export(path: Path) -> None:
        from benchmarks.models import networks

        getattr(networks, name)(path)

    return export


MODELS = (
    Model("resnet-18", normal(x=(1, 3, 224, 224)), export=_exported("residual_18")),
    Model("resnet-50", normal(x=(1, 3, 224, 224)), export=_exported("residual_50")),
    Model("encoder", whole({"words": (30522, (1, 128))}), export=_exported("encoder")),
    Model("lstm", normal(x=(1, 50, 64)), export=_exported("recurrent")),
    Model("rapidocr-detection", normal(x=(1, 3, 320, 320)), RAPIDOCR, "rapidocr/models/PP-OCRv6_det_small.onnx"),
    Model("rapidocr-recognition", normal(x=(1, 3, 48, 320)), RAPIDOCR, "rapidocr/models/PP-OCRv6_rec_small.onnx"),
    Model("magika", whole({"bytes": (256, (2, 2048))}, np.int32), MAGIKA, "magika/models/standard_v3_3/model.onnx"),
    Model("silero-vad", _speech, SILERO, "silero_vad/data/silero_vad.onnx"),
    Model("ddddocr", normal(input1=(1, 1, 64, 160)), DDDDOCR, "ddddocr/common.onnx"),
    Model("ddddocr-detection", normal(images=(1, 3, 416, 416)), DDDDOCR, "ddddocr/common_det.onnx"),
)
