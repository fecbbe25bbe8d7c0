"""Programs and their costs in HTML, as notebooks show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.driver.amounts import Amount, count_text
from tolang.ground.markup import heading, markup, table
from tolang.ground.memory import bytes_text

if TYPE_CHECKING:
    from tolang.driver.cost import Cost
    from tolang.driver.program import Program

_SHORTER = {"EOPs": count_text, "bytes": bytes_text}
"""How large numbers of a unit are written shorter."""
LONGEST, HEAVIEST = 240, 2000
"""Formulas are cut to so many characters, and not written at all if they have more names and numbers than that."""


def program_markup(program: Program) -> str:
    """What a program takes and gives."""
    takes = [("takes", name, str(kind)) for name, kind in program.inputs.items()]
    gives = [("gives", name, str(kind)) for name, kind in program.outputs.items()]
    functions = [program.function(name) for name in program.functions]
    offers = [("offers", f"{one.name}({', '.join(one.parameters)})", "a function") for one in functions]
    return heading(program.source.name) + table(("", "name", "type"), [*takes, *gives, *offers])


def cost_markup(cost: Cost) -> str:
    """The measures of a cost, as formulas and at the sizes given; the EOPs by function and, of models, by operator."""
    from tolang.driver.cost import COMPARED, MEASURES

    open_cost = cost.at_open_sizes()
    here = bool(cost.given)
    given = ", ".join(f"{name} = {size}" for name, size in cost.given.items())
    rows = [
        [
            one.label,
            _text(getattr(open_cost, one.name)),
            *([_figure(getattr(cost, one.name), one.unit)] if here else []),
        ]
        for one in (*MEASURES, *COMPARED)
    ]
    rows.append(["EOPs a byte", _cut(str(open_cost.intensity)), *([str(cost.intensity)] if here else [])])
    parts = [heading(f"{cost.name} at {given}" if here else cost.name)]
    parts.append(table(("", "formula", *(("here",) if here else ())), rows))
    parts.append(f"<div>{markup(f'bound by {cost.bound}')}</div>")
    parts += [f"<div>{markup(f'{name}: {unknown}')}</div>" for name, unknown in open_cost.unknowns.items()]
    if cost.at_most:
        parts.append(f"<div>{markup('upper bounds, not exact: ' + ', '.join(cost.at_most))}</div>")
    functions = [
        [name, _text(count), *([_text(cost.by_function.get(name, 0))] if here else [])]
        for name, count in open_cost.by_function.items()
    ]
    parts.append(table(("function", "EOPs", *(("here",) if here else ())), functions))
    return "".join(parts) + _by_operator(cost)


def _by_operator(cost: Any) -> str:
    """The operators of a model that compute something."""
    if not hasattr(cost, "by_operator"):
        return ""
    rows = [
        (one.operator, str(one.nodes), _text(one.eops), _text(one.macs)) for one in cost.by_operator() if one.eops != 0
    ]
    return table(("operator", "nodes", "EOPs", "MACs"), rows)


def _figure(amount: Amount, unit: str) -> str:
    """A number with its unit where that reads better, too."""
    if not isinstance(amount, int):
        return _text(amount)
    return f"{amount} ({_SHORTER[unit](amount)})" if amount >= 10**6 and unit in _SHORTER else str(amount)


def _text(amount: Amount) -> str:
    if isinstance(amount, int):
        return str(amount)
    return "…" if amount.weight > HEAVIEST else _cut(str(amount))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST].rpartition(' ')[0]} …"
