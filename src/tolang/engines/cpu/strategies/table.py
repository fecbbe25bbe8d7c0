"""What writes the code of each kind of schedule: the one table of this engine."""

from __future__ import annotations

from tolang.engines.cpu.contraction.kernel import contraction
from tolang.engines.cpu.contraction.prepacking import prepacking
from tolang.engines.cpu.emission.emitter import Strategies
from tolang.engines.cpu.strategies.choice_fold import choice_fold
from tolang.engines.cpu.strategies.column_folds import column_folds
from tolang.engines.cpu.strategies.compaction import filters
from tolang.engines.cpu.strategies.depthwise import map_windows
from tolang.engines.cpu.strategies.double_buffering import double_buffering
from tolang.engines.cpu.strategies.elementwise import each, elementwise
from tolang.engines.cpu.strategies.fixed_point import fixed_point
from tolang.engines.cpu.strategies.folds import lanes, one_after_the_other, pieces, settling
from tolang.engines.cpu.strategies.folds_together import folds_together
from tolang.engines.cpu.strategies.histogram import histogram
from tolang.engines.cpu.strategies.in_order import in_order
from tolang.engines.cpu.strategies.iteration import iteration
from tolang.engines.cpu.strategies.matrix_vector import matrix_vector
from tolang.engines.cpu.strategies.owned_rows import owned_rows
from tolang.engines.cpu.strategies.pointer_chase import walks
from tolang.engines.cpu.strategies.prepacked_matrix_vector import prepacked_matrix_vector
from tolang.engines.cpu.strategies.scan import scan
from tolang.engines.cpu.strategies.segment_reduce import labels
from tolang.engines.cpu.strategies.transposition import transposition
from tolang.engines.cpu.strategies.tree_fold import tree_fold
from tolang.plan import kinds as names

STRATEGIES = Strategies(
    nests={
        names.ELEMENTWISE: elementwise,
        names.PREFIX_REUSE: elementwise,
        names.TRANSPOSITION: transposition,
        names.FOLDS: elementwise,
        names.FOLDS_TOGETHER: folds_together,
        names.CONTRACTION: contraction,
        names.WINDOWS: contraction,
        names.DIRECT_CONVOLUTION: contraction,
        names.COLUMN_FOLDS: column_folds,
        names.DEPTHWISE: map_windows,
        names.MATRIX_VECTOR: matrix_vector,
        names.PREPACKED_MATRIX_VECTOR: prepacked_matrix_vector,
        names.ITERATION: iteration,
        names.POINTER_CHASE: walks,
        names.PREPACKING: prepacking,
        names.SEGMENT_REDUCE: labels,
    },
    repeats={
        names.IN_ORDER: in_order,
        names.DOUBLE_BUFFERING: double_buffering,
        names.FIXED_POINT: fixed_point,
        names.COMPACTION: filters,
        names.SCAN: scan,
        names.HISTOGRAM: histogram,
        names.OWNED_ROWS: owned_rows,
    },
    folds={
        names.IN_ORDER: one_after_the_other,
        names.EARLY_EXIT: settling,
        names.LANES: lanes,
        names.PIECES: pieces,
        names.CHOICE_FOLD: choice_fold,
        names.TREE_FOLD: tree_fold,
    },
    each=each,
)
