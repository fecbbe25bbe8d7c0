"""Sorts by counting: whole numbers of few values that carry nothing along are not moved, but written anew.

    counts        how often each number between the least and the greatest occurs, in every block of the elements
    firsts        how many elements are less than each number: the counts added up
    each number   is written as often as it occurs, behind those that are less

Equals are the same to the last bit, so that none of them has to come before another.
"""

from __future__ import annotations

from tolang.ground.dataclasses import replace
from tolang.ground.symbolic.conditions import Condition, compare, junction
from tolang.ground.symbolic.sizes import Size
from tolang.idioms.ranks import WHOLE_NUMBERS
from tolang.idioms.sort import Sort
from tolang.plan.nest import Step
from tolang.plan.templates import Filling, PlanTemplate
from tolang.rewrite.digits import blocks_of

MOST_BITS = 16
"""How many bits the numbers have at the most, counted from the least, so that their counts stay in a cache."""
KEYS = {"ordinal": "key", "ordinal backwards": "key backwards"}
"""The functions that give the key of an ordinal, by those that give the ordinal of a key."""


NUMBERS = PlanTemplate(f"""
sizes bits
number_values = doubled(1:i64, <min(bits, {MOST_BITS})>:i64):i64
""")

COUNTED = PlanTemplate("""
sizes n, most_blocks, base, bits, number_values
input keys: key(R) [n]
input result: key(R) [n]
number_blocks = <most_blocks>:i64
number_origin = base:u64
number_bits = bits:i64
buffer number_counts: i64 [number_blocks, number_values]
each [number_block <= number_blocks] compact
  number_low = <floor((number_block*n - n)/number_blocks)>:i64
  number_high = <floor((number_block*n)/number_blocks)>:i64
  nest [number_uncounted <= number_values]
    number_counts[number_block, number_uncounted] = 0
  repeat [number_item <= number_high - number_low]
    number_counted = digit(ordinal(keys[number_low + number_item]):u64, number_origin, 0:i64, number_bits):i64
    nest []
      number_counts[number_block, number_counted + 1] = add(number_counts[number_block, number_counted + 1], 1)

# How often each number occurs in all blocks together.
buffer number_totals: i64 [number_values]
nest [number_totalled <= number_values]
  number_totals[number_totalled] = reduce with add [number_block_totalled <= number_blocks](
      number_total_of_blocks = 0 -> add(number_total_of_blocks, number_counts[number_block_totalled, number_totalled]))

# How many elements are less than each number.
buffer number_firsts: i64 [number_values]
state number_total = <0>:i64
repeat [number_added <= number_values]
  nest []
    number_firsts[number_added] = number_total
  number_total := add(number_total, number_totals[number_added])

# Each number at all places that it has in order.
each [number_written <= number_values]
  number_occurrences = number_totals[number_written]
  number_first = number_firsts[number_written]
  number_key = key_of(add(number_origin, <number_written - 1>:u64):u64):key(R)
  nest [number_place <= number_occurrences]
    result[number_first + number_place] = number_key
""")


def is_of_numbers_alone(sort: Sort) -> bool:
    """Whether a sort is of whole numbers, and nothing goes along with them."""
    return len(sort.targets) == 1 and sort.targets[0][0].column.storage in WHOLE_NUMBERS


def numbers_of(filling: Filling) -> tuple[Step, ...]:
    """How many numbers there are from the least to the greatest, or a few more, where they are few."""
    return NUMBERS.filled(filling)


def is_worthwhile(filling: Filling, extent: Size) -> Condition:
    """Whether the numbers are so few that there are not more counts than elements."""
    bits, values = (Size.of(filling.named(name)) for name in ("bits", "number_values"))
    few = compare("<=", bits, Size.of(MOST_BITS))
    return junction("and", (few, compare("<=", values * blocks_of(extent), extent)))


def by_counting(filling: Filling, extent: Size) -> tuple[Step, ...]:
    """All of it; elements are read in blocks, and written number by number."""
    return COUNTED.filled(replace(filling, sizes={"n": extent, "most_blocks": blocks_of(extent)}))
