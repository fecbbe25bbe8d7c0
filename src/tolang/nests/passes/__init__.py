"""Passes over plans: one module each, listed in `pipeline`."""
