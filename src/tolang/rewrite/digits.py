"""Sorts by digits: elements go into order of one digit of some bits at a time, from the last digit on, and those that
have it in common stay as they were.

    ordinals      a whole number for each key, in the order of the keys: o(i), counted from the least of them
    digits        as few as the greatest of these numbers has, all of about the same width
    repeat        for each digit, the elements of every block are counted by it
                  the counts are added up, digit by digit and block by block: there each block writes its elements
                  every element of a block goes to the next place of its digit

It takes as many rounds as keys have digits, a merge sort as many as the number of elements doubles.

Sorts of two digits, the first of them first: its stretches are put in order of the second one by one.

    one round       every element goes into the stretch of its first digit
    each stretch    its elements are counted by their second digit, and go where the sort wants them

A stretch is in a near cache while it is put in order, whereas a round goes through all memory.  It is worth while where
there are not many more values of a digit than elements in a stretch, and no stretch has a large part of the elements,
so that threads find enough of them to share out: some elements tell.  The order that is found is the same.
"""

from __future__ import annotations

from textwrap import indent

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import choice, compare
from tolang.ground.symbolic.sizes import ONE, Size, extremum, floor_division
from tolang.ground.values.spaces import column
from tolang.idioms.sort import Sort
from tolang.plan.nest import Buffer, Step
from tolang.plan.templates import Filling, PlanTemplate

WIDEST, WIDEST_OF_FEW = 11, 8
"""How many bits a digit has at the most, so that the ends of all stretches that are written stay in a near cache; and
where there are few elements, so that not more values are counted than there are elements."""
FEW = 1 << 14
BLOCK, MOST_BLOCKS = 1 << 15, 16
"""How many elements a block has at the least, and how many blocks there are at the most."""
STABLE = {"le": "ordinal", "ge": "ordinal backwards"}
"""The relations of keys that leave equals as they were, with the function that numbers keys in their order."""
STORAGES = frozenset({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"})
BITS = column("u64")
VALUES_OF_AN_ELEMENT = 4
"""How many values of a digit there may be for each element of a stretch, which are all counted."""
ASKED, MOST = 1024, 128
"""How many elements tell how even stretches are, and how many of them one stretch may have."""

UNMEASURED = 48
"""More digits than a merge sort has rounds: as many there are until they are measured."""

UNKNOWN = PlanTemplate(f"""
state base = 0:u64
state bits = 64:i64
state digits = {UNMEASURED}:i64
state width = 1:i64
""")
"""The least of the ordinals; how many bits the greatest has, counted from the least; how many digits these are, and how
wide: until they are measured."""

MEASURED = PlanTemplate("""
sizes n, widest, base, bits, digits, width
input keys: key(R) [n]
top = reduce fold1 [measured <= n](least = 18446744073709551615:u64, greatest = 0:u64 ->
    min(least, ordinal(keys[measured]):u64), max(greatest, ordinal(keys[measured]):u64)).2
base := fold1.1
bits := span(top, base:u64):i64
digits := <floor((bits + widest - 1)/widest)>:i64
width := <floor((bits + digits - 1)/digits)>:i64
""")

ROUND = """
shift{last} = <{above}>:i64
each [block_counted{last} <= blocks] compact
  low_counted{last} = <floor((block_counted{last}*n - n)/blocks)>:i64
  high_counted{last} = <floor((block_counted{last}*n)/blocks)>:i64
  nest [value{last} <= values]
    counts[block_counted{last}, value{last}] = 0
  repeat [item_counted{last} <= high_counted{last} - low_counted{last}]
    digit_counted{last} = digit(ordinal(runs[low_counted{last} + item_counted{last}]):u64, origin, shift{last},
        bits_of_a_digit):i64
    nest []
      counts[block_counted{last}, digit_counted{last} + 1] =
          add(counts[block_counted{last}, digit_counted{last} + 1], 1)
state total{last} = <0>:i64
repeat [block_added{last} <= blocks, value_added{last} <= values]
  own{last} = counts[block_added{last}, value_added{last}]
  nest []
    counts[block_added{last}, value_added{last}] = total{last}
  total{last} := add(total{last}, own{last})
each [block_moved{last} <= blocks] compact
  low_moved{last} = <floor((block_moved{last}*n - n)/blocks)>:i64
  high_moved{last} = <floor((block_moved{last}*n)/blocks)>:i64
  repeat [item_moved{last} <= high_moved{last} - low_moved{last}]
    digit_moved{last} = digit(ordinal(runs[low_moved{last} + item_moved{last}]):u64, origin, shift{last},
        bits_of_a_digit):i64
    goal{last} = add(counts[block_moved{last}, digit_moved{last} + 1], 1)
    nest []
      {target}[goal{last}] = runs[low_moved{last} + item_moved{last}]
    nest []
      counts[block_moved{last}, digit_moved{last} + 1] = goal{last}
"""
"""One digit: its elements counted, the counts added up, so that each is the number of elements before those that it
counts, and the elements moved."""
BESIDE = "(if stretch_by_stretches == 1 then width else turn*width - width)"

BY_DIGITS = PlanTemplate(f"""
sizes n, most_blocks, base, width, digits
input runs: key(R) [n]
input merged: key(R) [n]
input result: key(R) [n]
blocks = <most_blocks>:i64
values = doubled(1:i64, width:i64):i64
bits_of_a_digit = width:i64
origin = base:u64
buffer counts: i64 [blocks, values]

# Some elements tell by their first digit how many the longest stretch has.
state stretch_longest = {ASKED}:i64
if digits == 2 and {VALUES_OF_AN_ELEMENT}*n >= values^2
  stretch_shift = <width>:i64
  nest [stretch_unasked <= values]
    counts[1, stretch_unasked] = 0
  repeat [stretch_item_asked <= {ASKED}]
    stretch_digit_asked = digit(ordinal(runs[floor((stretch_item_asked*n - n)/{ASKED}) + 1]):u64, origin,
        stretch_shift, bits_of_a_digit):i64
    nest []
      counts[1, stretch_digit_asked + 1] = add(counts[1, stretch_digit_asked + 1], 1)
  stretch_longest := reduce with max [stretch_measured <= values](stretch_longest_of_all = 0:i64 ->
      max(stretch_longest_of_all, counts[1, stretch_measured]))
stretch_by_stretches = <(if {MOST} >= stretch_longest then 1 else 0)>:i64

repeat [turn <= digits - 1] exchanging runs and merged
{indent(ROUND.format(last="", above=BESIDE, target="merged"), "  ")}
if stretch_by_stretches == 1
  each [stretch_value <= values] compact   # it ends where the last block has left its last element
    stretch_low = (if 1 >= stretch_value then 0:i64 else counts[blocks, stretch_value - 1])
    stretch_high = counts[blocks, stretch_value]
    buffer stretch_counts: i64 [values]
    nest [stretch_uncounted <= values]
      stretch_counts[stretch_uncounted] = 0
    repeat [stretch_item_counted <= stretch_high - stretch_low]
      stretch_digit_counted = digit(ordinal(runs[stretch_low + stretch_item_counted]):u64, origin, 0:i64,
          bits_of_a_digit):i64
      nest []
        stretch_counts[stretch_digit_counted + 1] = add(stretch_counts[stretch_digit_counted + 1], 1)
    state stretch_total = <stretch_low>:i64
    repeat [stretch_added <= values]
      stretch_count = stretch_counts[stretch_added]
      nest []
        stretch_counts[stretch_added] = stretch_total
      stretch_total := add(stretch_total, stretch_count)
    repeat [stretch_item_moved <= stretch_high - stretch_low]
      stretch_digit_moved = digit(ordinal(runs[stretch_low + stretch_item_moved]):u64, origin, 0:i64,
          bits_of_a_digit):i64
      stretch_goal = add(stretch_counts[stretch_digit_moved + 1], 1)
      nest []
        result[stretch_goal] = runs[stretch_low + stretch_item_moved]
      nest []
        stretch_counts[stretch_digit_moved + 1] = stretch_goal
else
{indent(ROUND.format(last="_last", above="digits*width - width", target="result"), "  ")}
""")


def blocks_of(extent: Size) -> Size:
    """How many blocks so many elements are counted in."""
    most = extremum("min", [Size.of(MOST_BLOCKS), floor_division(extent, Size.of(BLOCK))])
    return extremum("max", [ONE, most])


def has_digits(sort: Sort, key: Buffer) -> bool:
    """Whether a sort can go by digits: equals stay as they were, and keys are numbers of a machine."""
    return sort.relation in STABLE and key.column.storage in STORAGES


def unknown(filling: Filling) -> tuple[Step, ...]:
    """Names for what `measured` tells."""
    return UNKNOWN.filled(filling)


def measured(filling: Filling, extent: Size) -> tuple[Step, ...]:
    """The least of the ordinals, how many digits the greatest has, counted from there, and how wide these are."""
    few = compare("<", extent, Size.of(FEW))
    widest = choice(few, Size.of(WIDEST_OF_FEW), Size.of(WIDEST))
    return MEASURED.filled(replace(filling, sizes={"n": extent, "widest": widest}))


def by_digits(filling: Filling, extent: Size) -> tuple[Step, ...]:
    """All rounds, and the last of them within stretches where that is worth while."""
    return BY_DIGITS.filled(replace(filling, sizes={"n": extent, "most_blocks": blocks_of(extent)}))
