"""Steps from text with parameters: names, sizes, records of several components, their key, functions."""

from __future__ import annotations

import pytest

from tolang.ground.symbolic.sizes import ONE, Size
from tolang.ground.values.spaces import column
from tolang.plan.exact_printer import print_exactly
from tolang.plan.nest import Buffer, Operation, Plan, Scalar
from tolang.plan.reader import read_plan
from tolang.plan.templates import Filling, PlanTemplate, Records, records
from tolang.plan.verifier import verify
from tolang.rewrite.counted_sorts import COUNTED, NUMBERS
from tolang.rewrite.digits import BY_DIGITS, MEASURED, UNKNOWN
from tolang.rewrite.sorting import DIVISION, MERGING

WHOLE, REAL = column("i64"), column("f32")
SHIFTED = PlanTemplate("""
sizes n, first
input from: key(R) [n]
input to: key(R) [n]
greatest = reduce with max [looked_at <= n](so_far = 0:key(R) -> larger(so_far, from[looked_at]))
buffer counts: i64 [n]
nest [place <= n]
  counts[place] = <place + first>
repeat [turn <= 2] exchanging from and to
  nest [place <= n]
    to[place] = from[n - place + 1]
""")
FILLED = """
sizes m
input a: i64 [m]
input b: f32 [m]
input c: i64 [m]
input d: f32 [1, m]
`own greatest` = reduce with max [`own looked at` <= m](`own so far` = 0:f32 -> max(`own so far`, b[`own looked at`]))
buffer `own counts`: i64 [m]
nest [`own place` <= m] for ""
  `own counts`[`own place`] = <`own place` + 4>
repeat [`own turn` <= 2] exchanging a and c exchanging b and d
  nest [`own place` <= m] for ""
    c[`own place`] = a[-`own place` + m + 1]
    d[1, `own place`] = b[-`own place` + m + 1]
output c
"""


def test_a_template_is_filled_in() -> None:
    """The key is the second component, whose column is that of all that is made of keys."""
    m = Size.of("m")
    a, c = (Buffer(name, WHOLE, (m,), "input") for name in "ac")
    b, d = Buffer("b", REAL, (m,), "input"), Buffer("d", REAL, (ONE, m), "input")

    def larger(one: Scalar, other: Scalar) -> Scalar:
        return Operation("max", (one, other), column=one.column)

    filling = Filling(
        named=lambda name: f"own {name.replace('_', ' ')}",
        key=REAL,
        sizes={"n": m, "first": Size.of(4)},
        records={
            "from": records((a, b), key=1),
            "to": Records((c, d), lambda at: ((c, (at,)), (d, (ONE, at))), key=1),
        },
        functions={"larger": larger},
    )
    filled = Plan(("m",), (a, b, c, d), SHIFTED.filled(filling), ((c,),))
    assert print_exactly(filled) == print_exactly(read_plan(FILLED))


@pytest.mark.parametrize("template", [DIVISION, MERGING, UNKNOWN, MEASURED, BY_DIGITS, NUMBERS, COUNTED])
def test_templates_say_what_their_text_says(template: PlanTemplate) -> None:
    """Nothing of it is misread: what is printed of a template reads the same."""
    text = print_exactly(template.plan)
    assert print_exactly(read_plan(text)) == text


def test_filled_templates_verify() -> None:
    sort = PlanTemplate("sizes n\nstate total = <0>:i64\nrepeat [turn <= n]\n  total := <total + turn>:i64\n")
    steps = sort.filled(Filling(named=lambda name: f"own {name}", sizes={"n": Size.of("m")}))
    verify(Plan(("m",), (), steps, ()))
