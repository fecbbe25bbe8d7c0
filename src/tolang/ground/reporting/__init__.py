"""Diagnostics: codes, positions, and how they are told."""
