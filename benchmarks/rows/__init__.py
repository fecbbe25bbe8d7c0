"""All rows, by family."""

from __future__ import annotations

from benchmarks.row import Row
from benchmarks.rows import (
    convolutions,
    elementwise,
    first_call,
    gallery_dwarfs,
    gallery_models,
    gallery_motifs,
    gradients,
    products,
    quantised,
    reductions,
    stencils_and_simulations,
    tables,
)

FAMILIES: dict[str, list[Row]] = {
    "products": products.ROWS,
    "convolutions": convolutions.ROWS,
    "quantised": quantised.ROWS,
    "elementwise": elementwise.ROWS,
    "reductions": reductions.ROWS,
    "stencils_and_simulations": stencils_and_simulations.ROWS,
    "tables": tables.ROWS,
    "gallery_dwarfs": gallery_dwarfs.ROWS,
    "gallery_models": gallery_models.ROWS,
    "gallery_motifs": gallery_motifs.ROWS,
    "gradients": gradients.ROWS,
    "first_call": first_call.ROWS,
}


def chosen(words: list[str]) -> dict[str, list[Row]]:
    """Families and rows whose name begins with or contains one of the words; everything if there are none."""
    if not words:
        return FAMILIES
    picked = {
        family: [row for row in rows if any(word in family or word.lower() in row.name.lower() for word in words)]
        for family, rows in FAMILIES.items()
    }
    return {family: rows for family, rows in picked.items() if rows}
