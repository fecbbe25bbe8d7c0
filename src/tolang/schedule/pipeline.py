"""The passes by name, in order: each makes of a sound plan another that computes the same; `planning` runs them."""

from __future__ import annotations

from collections.abc import Callable

from tolang.ground.dataclasses import dataclass
from tolang.plan.features import Feature
from tolang.plan.fused_sums import round_each
from tolang.plan.nest import Plan
from tolang.plan.target import Target
from tolang.rewrite.bit_folds import fold_bits_apart
from tolang.rewrite.choices import read_before_choices
from tolang.rewrite.collapse import collapse, collapse_exact_folds, collapse_folds
from tolang.rewrite.columns import fold_columns
from tolang.rewrite.compaction import append_always
from tolang.rewrite.concat_elimination import compute_end_to_end
from tolang.rewrite.conversions import convert_freely
from tolang.rewrite.copies import merge_copies
from tolang.rewrite.counting import count_freely
from tolang.rewrite.demands import ask_once
from tolang.rewrite.double_buffering import exchange_states
from tolang.rewrite.factor_exponentials import multiply_powers
from tolang.rewrite.histograms import add_apart
from tolang.rewrite.hoist_nonrecurrent import compute_first
from tolang.rewrite.horizontal_fusion import read_together
from tolang.rewrite.inline import inline
from tolang.rewrite.interchange import interchange
from tolang.rewrite.lifetimes import free_early, in_place
from tolang.rewrite.loop_fusion import fuse_rows
from tolang.rewrite.padding_in_place import compute_inside_edges
from tolang.rewrite.peeling import split_borders
from tolang.rewrite.places import write_at_places
from tolang.rewrite.prefixes import scan_prefixes
from tolang.rewrite.ranks import rank_by_table
from tolang.rewrite.remainders import count_in_periods
from tolang.rewrite.reshapes import divide_folds, divide_loops
from tolang.rewrite.scalar_replacement import one_expression
from tolang.rewrite.search_tables import search_by_table
from tolang.rewrite.searches import search_by_halves
from tolang.rewrite.single import leave_out_dimensions, leave_out_single
from tolang.rewrite.slices import read_in_place
from tolang.rewrite.sorting import merge_sorts
from tolang.rewrite.split_folds import fold_apart
from tolang.rewrite.spread import spread
from tolang.rewrite.step_pairs import pair_steps
from tolang.rewrite.unchanged import keep_unchanged
from tolang.rewrite.unrolling import write_out_short_folds
from tolang.rewrite.wavefronts import go_along_diagonals
from tolang.rewrite.wide_folds import widen_folds
from tolang.schedule.dot4 import take_quads
from tolang.schedule.dot4_words import read_words
from tolang.schedule.layout_assignment import put_in_order
from tolang.schedule.padding import copy_edges, copy_edges_of_maps
from tolang.schedule.polyphase_split import split_phases


@dataclass(frozen=True, slots=True)
class Pass:
    """A named rewriting of plans with its contract in one line."""

    name: str
    contract: str
    run: Callable[..., Plan]
    strict: bool | None = None
    """Whether it is for strict mode alone, or for the other alone; for both where it is None."""
    targeted: bool = False
    """Whether what it does depends on the target."""
    looks_for: Feature | None = None
    """Without any of which the pass changes nothing."""

    def of(self, plan: Plan, target: Target) -> Plan:
        """What it makes of a plan for a target."""
        return self.run(plan, target) if self.targeted else self.run(plan)


PASSES = (
    Pass(
        "single",
        "a fold goes along no dimension of one coordinate beside others",
        leave_out_single,
        looks_for=Feature.FOLDS,
    ),
    Pass(
        "reshapes",
        "loops are split, or positions flat, so that no read divides where it need not",
        divide_loops,
        looks_for=Feature.QUOTIENTS,
    ),
    Pass("demands", "what was demanded before is not asked again", ask_once),
    Pass("prefixes", "folds over ever longer stretches are one scan", scan_prefixes, looks_for=Feature.VARYING_FOLDS),
    Pass(
        "copies",
        "a buffer that is computed to be copied is computed where the copy would be",
        merge_copies,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "concat elimination",
        "buffers that are copied end to end into a vector are computed there",
        compute_end_to_end,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "ranks",
        "keys that are sorted only to be numbered are numbered by a table where they are close",
        rank_by_table,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "search tables",
        "searches among whole numbers that a sort has left read a table of them where they are close",
        search_by_table,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "interchange",
        "folds that write side by side run side by side",
        interchange,
        looks_for=Feature.FOLDS | Feature.LOOPS_OF_STEPS,
    ),
    Pass(
        "conversions",
        "what is converted is not asked whether it may be where its form tells",
        convert_freely,
        looks_for=Feature.CONVERSIONS,
    ),
    Pass(
        "spread",
        "a contraction inside a loop over rows is computed for many rows at a time",
        spread,
        looks_for=Feature.LOOPS_OF_STEPS,
    ),
    Pass(
        "dot4",
        "sums of products of eight-bit numbers take four of them at a time",
        take_quads,
        False,
        True,
        looks_for=Feature.BYTES,
    ),
    Pass(
        "dot4 words",
        "quads of numbers that lie one after the other are read where these lie",
        read_words,
        False,
        True,
        looks_for=Feature.BYTES,
    ),
    Pass(
        "inline",
        "a buffer that one step reads, each element once, becomes part of that step",
        inline,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "horizontal fusion",
        "nests that read a buffer which nothing else reads, each at its own coordinates, are one nest",
        read_together,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "slices",
        "a slice that each step would copy, to be read in order, is read where it lies",
        read_in_place,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "split folds",
        "a fold whose state never mixes some few coordinates is a fold at each of them",
        fold_apart,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "unrolling",
        "a fold of very few elements inside a fold, or at places that data says, is written out",
        write_out_short_folds,
        looks_for=Feature.FOLDS,
    ),
    Pass(
        "columns",
        "folds at each coordinate of a loop that lie side by side are nests of their own",
        fold_columns,
        looks_for=Feature.LOOPS_OF_STEPS,
    ),
    Pass(
        "factor exponentials",
        "powers of sums that a fold adds are products of powers, of which there are fewer",
        multiply_powers,
        False,
        looks_for=Feature.EXPONENTIALS,
    ),
    Pass(
        "polyphase split",
        "folds whose lengths a few coordinates say are contractions, one for each",
        split_phases,
        False,
        True,
        looks_for=Feature.VARYING_FOLDS,
    ),
    Pass(
        "layout assignment",
        "buffers between contractions of windows lie as these read them",
        put_in_order,
        False,
        True,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "depthwise padding",
        "windows that lie with their maps innermost read a copy with an edge around",
        copy_edges_of_maps,
        targeted=True,
        looks_for=Feature.GUARDS,
    ),
    Pass(
        "padding in place",
        "what is computed to be copied inside an edge is computed there",
        compute_inside_edges,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "loop fusion",
        "steps that hand rows to each other run row by row, and keep rows, not whole buffers",
        fuse_rows,
        looks_for=Feature.SEVERAL_STEPS,
    ),
    Pass(
        "scalar replacement",
        "steps that compute one element, with few numbers on the way, are one expression",
        one_expression,
        looks_for=Feature.LOOPS_OF_STEPS,
    ),
    Pass(
        "wavefronts",
        "a fold whose elements depend on their neighbours goes along diagonals",
        go_along_diagonals,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "hoist nonrecurrent",
        "what a scan computes without the element before is computed first",
        compute_first,
        looks_for=Feature.REPETITIONS,
    ),
    Pass("sorting", "a fold that sorts by insertion sorts by merging", merge_sorts, looks_for=Feature.REPETITIONS),
    Pass(
        "searches",
        "a binary search halves by shifts, and reads without checks",
        search_by_halves,
        looks_for=Feature.LOGARITHMS,
    ),
    Pass(
        "places",
        "a fold that changes its state at one coordinate writes there only",
        write_at_places,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "double buffering",
        "a fold exchanges old and new state where it would copy one over the other",
        exchange_states,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "padding",
        "a window that reaches over an edge reads a copy with the edge around it",
        copy_edges,
        looks_for=Feature.GUARDS,
    ),
    Pass(
        "peeling",
        "the interior of a nest has no guard, check or remainder that its border needs",
        split_borders,
        looks_for=Feature.GUARDS | Feature.CHECKED_READS | Feature.QUOTIENTS,
    ),
    Pass(
        "in place",
        "a map writes over a buffer, or a row, of its own shape that nothing reads after it",
        in_place,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "dimensions",
        "a nest has no dimension of one coordinate beside others",
        leave_out_dimensions,
        looks_for=Feature.SINGLE_COORDINATES,
    ),
    Pass(
        "step pairs",
        "two steps of a fold are one where rows, four at a time, are computed of four",
        pair_steps,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "collapsed folds",
        "a fold goes through memory in one loop where its order is free",
        collapse_folds,
        False,
        looks_for=Feature.FOLDS,
    ),
    Pass(
        "collapsed strict folds",
        "a fold goes through memory in one loop where its result is the same in any order",
        collapse_exact_folds,
        True,
        looks_for=Feature.FOLDS,
    ),
    Pass("collapse", "neighbouring dimensions that walk through memory as one are one loop", collapse),
    Pass(
        "remainders",
        "a nest that counts a coordinate anew after each period has a loop over periods, and one within them",
        count_in_periods,
        looks_for=Feature.QUOTIENTS | Feature.REMAINDERS,
    ),
    Pass(
        "bit folds",
        "a fold that is linear in the bits of its state, as a checksum, goes through many stretches at once",
        fold_bits_apart,
        looks_for=Feature.BINDINGS,
    ),
    Pass(
        "compaction",
        "a fold that keeps some elements writes all, and goes on behind those it keeps",
        append_always,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "histograms",
        "a fold that adds to places of several states is a histogram of each of them",
        add_apart,
        looks_for=Feature.REPETITIONS,
    ),
    Pass(
        "counting", "sums that count by small steps are not checked for overflow", count_freely, looks_for=Feature.FOLDS
    ),
    Pass(
        "unchanged",
        "a state that is copied over itself where a step changes nothing is left",
        keep_unchanged,
        looks_for=Feature.INTERMEDIATES,
    ),
    Pass(
        "choices", "what both sides of a choice read is read before it", read_before_choices, looks_for=Feature.CHOICES
    ),
    Pass(
        "free early",
        "every buffer is given back after the last step that uses it",
        free_early,
        looks_for=Feature.BUFFERS,
    ),
    Pass(
        "divided folds",
        "contractions go over rows and within rows where an operand divides",
        divide_folds,
        False,
        looks_for=Feature.QUOTIENTS,
    ),
    Pass(
        "wide folds",
        "sums and products of narrow floats have an f32 as their state",
        widen_folds,
        False,
        looks_for=Feature.NARROW_FOLDS,
    ),
    Pass("strict sums", "sums and products are rounded each by itself", round_each, True, looks_for=Feature.FUSED_SUMS),
)
