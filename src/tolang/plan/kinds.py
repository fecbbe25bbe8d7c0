"""What a schedule is called: the names by which engines, `explain` and the docs know the ways that something runs.

A name follows from a schedule's type and from the roles of its axes; nothing is decided by it that the schedule does
not say.
"""

from __future__ import annotations

from tolang.plan.nest import Group, Nest, Reduction, Repeat, Scalar
from tolang.plan.schedule import (
    ArgReduce,
    Compaction,
    DoubleBuffered,
    LoopSchedule,
    OperandSource,
    Ownership,
    PrefixReuse,
    Prepack,
    Role,
    ScanSchedule,
    ScatterSchedule,
    Schedule,
    States,
    Tiled,
    TreeReduce,
)
from tolang.plan.traversal import has_fold, scalars_in

ELEMENTWISE, FOLDS, CONTRACTION, COLUMN_FOLDS = "elementwise", "folds", "contraction", "column folds"
TRANSPOSITION, PREFIX_REUSE = "transposition", "prefix reuse"
WINDOWS, DIRECT_CONVOLUTION, DEPTHWISE, FOLDS_TOGETHER = "windows", "direct convolution", "depthwise", "folds together"
MATRIX_VECTOR, PREPACKED_MATRIX_VECTOR = "matrix-vector", "prepacked matrix-vector"
ITERATION, POINTER_CHASE, PREPACKING, SEGMENT_REDUCE = "iteration", "pointer chase", "prepacking", "segment reduce"
IN_ORDER, DOUBLE_BUFFERING, SCAN, HISTOGRAM = "in order", "double buffering", "scan", "histogram"
OWNED_ROWS, FIXED_POINT, COMPACTION = "owned rows", "fixed point", "compaction"
LANES, PIECES, CHOICE_FOLD, TREE_FOLD, EARLY_EXIT = "lanes", "pieces", "choice fold", "tree fold", "early exit"
UNKNOWN = "unknown"
SMALL_NUMBERS = "where its numbers cannot overflow"
"""When a contraction of whole numbers takes its tile, and not its fallback."""
BY_TILES = frozenset({CONTRACTION, WINDOWS, DIRECT_CONVOLUTION})
"""Kinds of contractions."""

OF_NESTS = {
    ELEMENTWISE: "each element by itself",
    PREFIX_REUSE: "what is left of a buffer is handed on with its memory, or copied where that is less than a quarter",
    TRANSPOSITION: "square blocks, read along one dimension and written along another",
    FOLDS: "each element by itself, with a fold inside",
    FOLDS_TOGETHER: "folds at all last coordinates at once, what they share computed once",
    CONTRACTION: "operands packed, a tile of the result in registers",
    WINDOWS: "a contraction whose columns are read from a copy as it lies, a tile of the result in registers",
    DIRECT_CONVOLUTION: "a contraction whose rows are read from a copy as it lies, a tile of the result in registers",
    COLUMN_FOLDS: "folds at neighbouring places side by side, read as memory lies",
    DEPTHWISE: "windows at some places at once, on vectors of neighbouring maps",
    MATRIX_VECTOR: "several folds that share an operand side by side",
    PREPACKED_MATRIX_VECTOR: "a matrix that was laid out once, a panel at a time",
    ITERATION: "folds that go on from their own state, several points in a vector",
    POINTER_CHASE: "folds whose state says where they read next, several points in turns",
    PREPACKING: "an operand laid out once for all runs",
    SEGMENT_REDUCE: "each element goes to the place that its label names",
}
OF_REPEATS = {
    IN_ORDER: "step after step",
    DOUBLE_BUFFERING: "step after step, old and new state change places",
    FIXED_POINT: "step after step, old and new state change places, until they are the same",
    SCAN: "what was computed last stays in a register",
    HISTOGRAM: "by all threads: each has a state of its own, or where the state is large places of its own in it",
    COMPACTION: "step after step; on several threads pieces count what they keep, and write it behind those before "
    "them",
    OWNED_ROWS: "all threads go through all steps, each changes the rows that are its own",
}
OF_FOLDS = {
    IN_ORDER: "step after step",
    EARLY_EXIT: "step after step, until the state stays as it is",
    LANES: "as memory lies, so many elements side by side",
    PIECES: "pieces shared out among the threads, in each so many elements side by side",
    CHOICE_FOLD: "the place of one element is looked for, elements side by side",
    TREE_FOLD: "neighbours merged, level by level",
}
WORDS = OF_NESTS | OF_REPEATS | OF_FOLDS
"""What each kind is, by its name."""
IN_SHORT = {
    ELEMENTWISE: ("elementwise", ""),
    PREFIX_REUSE: ("beginning of another value", ", its memory taken over"),
    TRANSPOSITION: ("transposition", ", in square blocks"),
    FOLDS: ("fold", ""),
    FOLDS_TOGETHER: ("folds", ", neighbours together"),
    CONTRACTION: ("contraction", ", packed, a tile in registers"),
    WINDOWS: ("contraction", ", windows copied once, a tile in registers"),
    DIRECT_CONVOLUTION: ("contraction", ", windows read as rows, a tile in registers"),
    COLUMN_FOLDS: ("folds", ", neighbouring columns side by side"),
    DEPTHWISE: ("windows", ", vectors of neighbouring maps"),
    MATRIX_VECTOR: ("folds", ", several side by side"),
    PREPACKED_MATRIX_VECTOR: ("folds", ", the matrix laid out before"),
    ITERATION: ("iteration", ", several points in a vector"),
    POINTER_CHASE: ("walk", ", several points in turns"),
    PREPACKING: ("laid out for later runs", ""),
    SEGMENT_REDUCE: ("fold by label", ", each element goes to its place"),
    IN_ORDER: ("", "one step after the other"),
    DOUBLE_BUFFERING: ("", "one step after the other, old and new state change places"),
    FIXED_POINT: ("", "one step after the other, until a step changes nothing"),
    SCAN: ("scan", ""),
    HISTOGRAM: ("histogram", ", on all threads"),
    COMPACTION: ("filter", ", what passes is appended"),
    OWNED_ROWS: ("changes of rows", ", rows shared out among the threads"),
    LANES: ("", "in vectors"),
    PIECES: ("", "in vectors, in pieces on all threads"),
    CHOICE_FOLD: ("", "in vectors, for the place of one element"),
    TREE_FOLD: ("", "neighbours merged, level by level"),
    EARLY_EXIT: ("", "one step after the other, until a step changes nothing"),
}
"""The same in a few words, which stand around the dimensions that are folded."""


def kind_of(node: Nest | Repeat | Group) -> str:
    """The kind of a node's schedule; empty where it has none."""
    if node.schedule is None:
        return ""
    match node:
        case Nest():
            return kind_in(node, node.schedule)
        case Repeat():
            return _of_repeat(node.schedule)
    return _of_fold(node.schedule)


def kind_in(nest: Nest, schedule: Schedule) -> str:
    """The kind of a nest with some schedule."""
    match schedule:
        case Tiled(left=left, right=right):
            windows = WINDOWS if right is OperandSource.PADDED_COPY else CONTRACTION
            return DIRECT_CONVOLUTION if left is OperandSource.PADDED_COPY else windows
        case PrefixReuse():
            return PREFIX_REUSE
        case Prepack():
            return PREPACKING
        case ScatterSchedule(ownership=Ownership.PRIVATISED):
            return SEGMENT_REDUCE
        case LoopSchedule(axes=()):
            return FOLDS if any(map(has_fold, nest.values)) else ELEMENTWISE
        case LoopSchedule():
            return _of_loops(nest, schedule)
    return UNKNOWN


def _of_loops(nest: Nest, loops: LoopSchedule) -> str:
    """The kind of loops of which some axes have roles."""
    roles = {axis.role for axis in loops.axes if axis.name in nest.iterators}
    if loops.prepacked:
        return PREPACKED_MATRIX_VECTOR
    if loops.states is States.CACHE:
        return COLUMN_FOLDS
    if roles == {Role.BLOCK}:
        return TRANSPOSITION
    if roles == {Role.INTERLEAVE}:
        return POINTER_CHASE
    if roles == {Role.UNROLL}:
        return MATRIX_VECTOR if any(axis.role is Role.VECTOR for axis in loops.axes) else FOLDS_TOGETHER
    if Role.VECTOR in roles:
        return ITERATION if loops.early_exit else DEPTHWISE
    return UNKNOWN


def _of_repeat(schedule: Schedule) -> str:
    match schedule:
        case DoubleBuffered(early_exit=early_exit):
            return FIXED_POINT if early_exit else DOUBLE_BUFFERING
        case ScanSchedule():
            return SCAN
        case Compaction():
            return COMPACTION
        case ScatterSchedule(ownership=ownership):
            return HISTOGRAM if ownership is Ownership.PRIVATISED else OWNED_ROWS
        case LoopSchedule(axes=()):
            return IN_ORDER
    return UNKNOWN


def _of_fold(schedule: Schedule) -> str:
    match schedule:
        case LoopSchedule(early_exit=True):
            return EARLY_EXIT
        case LoopSchedule(axes=()):
            return IN_ORDER
        case LoopSchedule():
            return LANES if schedule.axis(Role.PARALLEL) is None else PIECES
        case ArgReduce():
            return CHOICE_FOLD
        case TreeReduce():
            return TREE_FOLD
    return UNKNOWN


def schedule_text(node: Nest | Repeat | Group) -> str:
    """The kind of a node's schedule and its parameters, as `contraction (rows 6, vectors 5)`."""
    if node.schedule is None:
        return "no schedule"
    own = kind_of(node)
    parameters = str(node.schedule)
    text = f"{own} ({parameters})" if parameters else own
    if isinstance(node, Nest) and isinstance(node.schedule, Tiled) and node.schedule.fallback is not None:
        return f"{text} {SMALL_NUMBERS}, else {kind_in(node, node.schedule.fallback)}"
    return text


def groups_in(values: tuple[Scalar, ...]) -> list[Group]:
    """The folds in some values, each once."""
    found = {id(one.group): one.group for value in values for one in scalars_in(value) if isinstance(one, Reduction)}
    return list(found.values())
