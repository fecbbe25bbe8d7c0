"""Contractions in machine code."""
