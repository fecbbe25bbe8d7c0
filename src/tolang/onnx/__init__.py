"""ONNX models in ToLang: `load` makes a program of a model."""

from tolang.onnx.model import Model, load

__all__ = ["Model", "load"]
