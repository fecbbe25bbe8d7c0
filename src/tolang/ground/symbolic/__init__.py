"""Sizes as symbols: polynomials, conditions, sums over ranges."""
