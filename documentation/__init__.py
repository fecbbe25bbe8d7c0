"""What writes the generated pages of the documentation: errors, library, ONNX operators.  It is not shipped."""
