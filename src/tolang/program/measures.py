"""What a cost tells: its measures, in the order in which they are shown."""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class CostMeasure:
    """One thing that a cost tells: by which name, how it is shown, in what it is counted, and what it means."""

    name: str
    label: str
    unit: str
    meaning: str


MEASURES = (
    CostMeasure("eops", "EOPs", "EOPs", "basic elementary functions evaluated"),
    CostMeasure("bytes_read", "bytes read", "bytes", "the inputs that the outputs reach, once"),
    CostMeasure("bytes_written", "bytes written", "bytes", "the outputs, once"),
    CostMeasure("memory", "memory at the peak", "bytes", "inputs, named ToLs from first to last use, outputs"),
    CostMeasure("span", "span", "functions", "the longest chain of functions in which each needs the one before"),
)
COMPARED = (
    CostMeasure("macs", "MACs", "MACs", "sums of folds that add a product"),
    CostMeasure("flops", "FLOPs", "FLOPs", "functions evaluated on floats"),
)
"""What other counters count, for comparison."""
