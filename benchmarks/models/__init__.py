"""Real ONNX models: fetched or exported, counted, run and held against onnxruntime.  `python -m benchmarks.models`."""
