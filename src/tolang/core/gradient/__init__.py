"""Reverse-mode gradients: a transformation of the core into the core."""
