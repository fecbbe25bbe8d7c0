"""How a nest, a repetition or a fold runs, as data: a name and a few small numbers.

A strategy is chosen once (`choosing`), printed and verified with the plan, part of a kernel's canonical form, and never
derived again: an engine has a table from the name to what writes the code.  A name is also that of the recogniser in
`patterns`, of the engine's module, of its test and of its place in the docs.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass

ELEMENTWISE, FOLDS, CONTRACTION, COLUMN_FOLDS = "elementwise", "folds", "contraction", "column folds"
TRANSPOSITION, BEGINNING = "transposition", "beginning"
WINDOWS, WINDOW_ROWS, MAP_WINDOWS, FOLDS_TOGETHER = "windows", "window rows", "map windows", "folds together"
MATRIX_VECTOR, PREPACKED_MATRIX_VECTOR = "matrix-vector", "prepacked matrix-vector"
ITERATION, WALKS, PREPACKING, LABELS = "iteration", "walks", "prepacking", "labels"
IN_ORDER, DOUBLE_BUFFERING, SCAN, HISTOGRAM = "in order", "double buffering", "scan", "histogram"
OWNED_ROWS, FIXED_POINT, FILTERS = "owned rows", "fixed point", "filters"
LANES, PIECES, CHOICE_FOLD, TREE_FOLD, SETTLING = "lanes", "pieces", "choice fold", "tree fold", "settling"

OF_NESTS = {
    ELEMENTWISE: "each element by itself",
    BEGINNING: "what is left of a buffer is handed on with its memory, or copied where that is less than a quarter",
    TRANSPOSITION: "square blocks, read along one dimension and written along another",
    FOLDS: "each element by itself, with a fold inside",
    FOLDS_TOGETHER: "folds at all last coordinates at once, what they share computed once",
    CONTRACTION: "operands packed, a tile of the result in registers",
    WINDOWS: "a contraction whose columns are read from a copy as it lies, a tile of the result in registers",
    WINDOW_ROWS: "a contraction whose rows are read from a copy as it lies, a tile of the result in registers",
    COLUMN_FOLDS: "folds at neighbouring places side by side, read as memory lies",
    MAP_WINDOWS: "windows at some places at once, on vectors of neighbouring maps",
    MATRIX_VECTOR: "several folds that share an operand side by side",
    PREPACKED_MATRIX_VECTOR: "a matrix that was laid out once, a panel at a time",
    ITERATION: "folds that go on from their own state, several points in a vector",
    WALKS: "folds whose state says where they read next, several points in turns",
    PREPACKING: "an operand laid out once for all runs",
    LABELS: "each element goes to the place that its label names",
}
OF_REPEATS = {
    IN_ORDER: "step after step",
    DOUBLE_BUFFERING: "step after step, old and new state change places",
    FIXED_POINT: "step after step, old and new state change places, until they are the same",
    SCAN: "what was computed last stays in a register",
    HISTOGRAM: "by all threads: each has a state of its own, or where the state is large places of its own in it",
    FILTERS: "step after step; on several threads pieces count what they keep, and write it behind those before them",
    OWNED_ROWS: "all threads go through all steps, each changes the rows that are its own",
}
OF_FOLDS = {
    IN_ORDER: "step after step",
    SETTLING: "step after step, until the state stays as it is",
    LANES: "as memory lies, so many elements side by side",
    PIECES: "pieces shared out among the threads, in each so many elements side by side",
    CHOICE_FOLD: "the place of one element is looked for, elements side by side",
    TREE_FOLD: "neighbours merged, level by level",
}
EXCHANGING = frozenset({DOUBLE_BUFFERING, FIXED_POINT})
"""Those of repetitions whose old and new states change places."""
STAYING = (("staying", 1),)
"""The number of double buffering whose states stay where they are after the last step: whoever runs it looks there."""
BY_TILES = frozenset({CONTRACTION, WINDOWS, WINDOW_ROWS})
"""Those that contractions have: their numbers are a tile."""
WORDS = OF_NESTS | OF_REPEATS | OF_FOLDS
"""What each strategy is, by its name."""
IN_SHORT = {
    ELEMENTWISE: ("elementwise", ""),
    BEGINNING: ("beginning of another value", ", its memory taken over"),
    TRANSPOSITION: ("transposition", ", in square blocks"),
    FOLDS: ("fold", ""),
    FOLDS_TOGETHER: ("folds", ", neighbours together"),
    CONTRACTION: ("contraction", ", packed, a tile in registers"),
    WINDOWS: ("contraction", ", windows copied once, a tile in registers"),
    WINDOW_ROWS: ("contraction", ", windows read as rows, a tile in registers"),
    COLUMN_FOLDS: ("folds", ", neighbouring columns side by side"),
    MAP_WINDOWS: ("windows", ", vectors of neighbouring maps"),
    MATRIX_VECTOR: ("folds", ", several side by side"),
    PREPACKED_MATRIX_VECTOR: ("folds", ", the matrix laid out before"),
    ITERATION: ("iteration", ", several points in a vector"),
    WALKS: ("walk", ", several points in turns"),
    PREPACKING: ("laid out for later runs", ""),
    LABELS: ("fold by label", ", each element goes to its place"),
    IN_ORDER: ("", "one step after the other"),
    DOUBLE_BUFFERING: ("", "one step after the other, old and new state change places"),
    FIXED_POINT: ("", "one step after the other, until a step changes nothing"),
    SCAN: ("scan", ""),
    HISTOGRAM: ("histogram", ", on all threads"),
    FILTERS: ("filter", ", what passes is appended"),
    OWNED_ROWS: ("changes of rows", ", rows shared out among the threads"),
    LANES: ("", "in vectors"),
    PIECES: ("", "in vectors, in pieces on all threads"),
    CHOICE_FOLD: ("", "in vectors, for the place of one element"),
    TREE_FOLD: ("", "neighbours merged, level by level"),
    SETTLING: ("", "one step after the other, until a step changes nothing"),
}
"""The same in a few words, which stand around the dimensions that are folded."""


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
