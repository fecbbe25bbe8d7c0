"""How a nest, a repetition or a fold runs, as data: a name and a few small numbers.

A strategy is chosen once (`choosing`), printed and verified with the plan, part of a kernel's canonical form, and never
derived again: an engine has a table from the name to what writes the code.  A name is also that of the recogniser in
`patterns`, of the engine's module, of its test and of its place in the docs.

    nests        elementwise          each element by itself, no folds
                 folds                each element by itself, its folds as they say
                 contraction          packed operands, a tile of `rows` by `columns` in registers
                 column folds         folds at neighbouring places side by side, `width` at a time
                 matrix-vector        folds at `rows` neighbouring places that share one operand
                 prepacked matrix-vector   the same, of a matrix that was laid out once in panels of `width`
                 iteration            folds that go on from their own state, `lanes` points in a vector
                 prepacking           an operand laid out in panels of `width`, once for all calls
    repetitions  in order             step after step
                 double buffering     step after step, old and new state in two buffers that change places
                 scan                 what was computed last in a register; in `block`s on all threads where it may be
                 histogram            pieces with states of their own on all threads, combined in order
    folds        in order             step after step, the first dimension fastest
                 lanes                some elements side by side, then these combined
                 pieces               the first dimension in pieces on all threads, each in lanes
                 choice fold          one of the elements is chosen: argmin and its kind
                 tree fold            lists merged by an associative function, neighbour with neighbour
"""

from __future__ import annotations

from dataclasses import dataclass

ELEMENTWISE, FOLDS, CONTRACTION, COLUMN_FOLDS = "elementwise", "folds", "contraction", "column folds"
MATRIX_VECTOR, PREPACKED_MATRIX_VECTOR = "matrix-vector", "prepacked matrix-vector"
ITERATION, PREPACKING = "iteration", "prepacking"
IN_ORDER, DOUBLE_BUFFERING, SCAN, HISTOGRAM = "in order", "double buffering", "scan", "histogram"
LANES, PIECES, CHOICE_FOLD, TREE_FOLD = "lanes", "pieces", "choice fold", "tree fold"

OF_NESTS = (
    ELEMENTWISE,
    FOLDS,
    CONTRACTION,
    COLUMN_FOLDS,
    MATRIX_VECTOR,
    PREPACKED_MATRIX_VECTOR,
    ITERATION,
    PREPACKING,
)
OF_REPEATS = (IN_ORDER, DOUBLE_BUFFERING, SCAN, HISTOGRAM)
OF_FOLDS = (IN_ORDER, LANES, PIECES, CHOICE_FOLD, TREE_FOLD)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to run something.

    `otherwise` is taken where what the strategy needs of the data does not hold when the program runs, for which `only`
    is the condition in words; `rare` ones are taken at sizes that are not the rule, and may be compiled later.
    """

    name: str
    numbers: tuple[tuple[str, int], ...] = ()
    only: str = ""
    otherwise: Strategy | None = None
    rare: bool = False

    def __getitem__(self, number: str) -> int:
        return dict(self.numbers)[number]

    def __str__(self) -> str:
        numbers = ", ".join(f"{name} {number}" for name, number in self.numbers if number)
        text = f"{self.name} ({numbers})" if numbers else self.name
        return text if self.otherwise is None else f"{text} {self.only}, else {self.otherwise}"
