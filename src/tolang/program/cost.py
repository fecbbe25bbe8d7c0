"""What a program costs, as users hold it: formulas of its sizes, or exact numbers at given ones.

cost = program.cost()             # eops is a formula, 2*k*m*n
cost(n=512, k=256, m=128)         # EOPs at these sizes, an exact integer
program.cost(a=(512,256), b=(256,128)).memory
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from tolang.core.core import Core
from tolang.core.length_names import display_names, length_names
from tolang.data.binding import whole_size
from tolang.ground.dataclasses import dataclass
from tolang.ground.reporting.diagnostics import Diagnostic, ToLangRunError, usage
from tolang.ground.reporting.escaping import line
from tolang.ground.symbolic.sizes import Size
from tolang.ground.system.memory import bytes_text
from tolang.ground.values.markup import heading, markup, table
from tolang.program.amounts import Amount, Intensity, count_text
from tolang.program.cost_table import cost_table
from tolang.program.measures import COMPARED, MEASURES
from tolang.readings.cost.assumptions import assumption_text
from tolang.readings.cost.extremes import greatest_between
from tolang.readings.cost.formula import AtMost, Formula, amount_of
from tolang.readings.cost.reading import Reading
from tolang.readings.cost.tally import Spent, together
from tolang.readings.cost.terms import spelled

_SHORTER = {"EOPs": count_text, "bytes": bytes_text}
"""How large numbers of a unit are written shorter."""
LONGEST, HEAVIEST = 240, 2000
"""Formulas are cut to so many characters, and not written at all if they have more names and numbers than that."""


@dataclass(frozen=True, slots=True)
class DefinitionCost:
    """What a definition costs.

    `evaluations` is how often it is evaluated; `eops` what all that costs with everything it calls; `own` its own part.
    """

    evaluations: Amount
    eops: Amount
    own: Amount


@dataclass(frozen=True, slots=True)
class CostContribution:
    """What a part of a program contributes: EOPs, in all and by function, multiply-accumulates, and those on floats."""

    eops: Amount
    macs: Amount
    flops: Amount
    by_function: dict[str, Amount]


@dataclass(frozen=True, slots=True)
class UnknownLength:
    """A length that only running tells: its least and greatest value, and what in the source it comes from."""

    least: Amount
    greatest: Amount | None
    origin: str

    def __str__(self) -> str:
        most = "any" if self.greatest is None else self.greatest
        return f"{self.least} to {most}" + (f", {self.origin}" if self.origin else "")


class DerivationText(str):
    """The lines of a derivation, which an interactive session shows as they are."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Cost:
    """The cost of a program, symbolic in the sizes that are not given.

    Lengths that only running tells stand in formulas by name.  Once sizes are given they count at their greatest value,
    unless they are given, too.
    """

    def __init__(self, core: Core, title: str | None = None, given: Mapping[str, int] | None = None) -> None:
        self.core, self.title = core, None if title is None else line(title)
        self.given = dict(given or {})
        self._amounts: dict[Size, Amount] = {}
        self._ends: dict[str, Size | None] = {}
        known = {*core.sizes, *(one.name for one in core.inputs if one.type.is_numeric)}
        self._unchecked = Reading(core, {name: value for name, value in self.given.items() if name in known})
        extra = [name for name in self.given if name not in known]
        if extra and not set(extra) <= set(self.unknowns):
            name = next(name for name in extra if name not in self.unknowns)
            wanted = ", ".join([*core.sizes, *self.unknowns]) or "no sizes"
            raise usage("E603", f"the program has no size {name}", expected=wanted)

    def at(self, **sizes: int) -> Cost:
        """The cost at further given sizes."""
        return self._again(self.given | {n: whole_size(n, v) for n, v in sizes.items()})

    def at_open_sizes(self) -> Cost:
        """The cost with no size given."""
        return self._again({}) if self.given else self

    def _again(self, given: Mapping[str, int]) -> Cost:
        return Cost(self.core, self.title, given)

    def __call__(self, **sizes: int) -> int:
        """The EOPs at given sizes, an exact integer."""
        eops = self.at(**sizes).eops if sizes else self.eops
        if isinstance(eops, int):
            return eops
        missing = sorted(eops.names())
        if not missing:
            raise usage("E517", "nothing bounds the EOPs before the program runs", found=str(eops))
        known = [name for name in missing if name in self.unknowns]
        raise usage(
            "E517",
            f"the size {missing[0]} is not given" + (", and nothing bounds it" if missing[0] in known else ""),
            fix=f"pass it by name: {missing[0]}=…",
        )

    def __int__(self) -> int:
        return int(self())

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        """A cost equals a number, or a formula, that its EOPs equal."""
        if isinstance(other, int | Size):
            return self.eops == other
        return isinstance(other, Cost) and self.core is other.core and self.given == other.given

    def __hash__(self) -> int:
        return hash((id(self.core), tuple(sorted(self.given.items()))))

    @property
    def eops(self) -> Amount:
        """The number of basic elementary functions evaluated."""
        return self._amount(self._reading.tally.total)

    @property
    def unrefused_eops(self) -> Amount:
        """The same, for sizes at which the run itself is to say that it is refused."""
        return self._found(self._unchecked.tally.total)

    @property
    def macs(self) -> Amount:
        """Multiply-accumulates: the sums of folds that add a product, on numbers of every kind."""
        return self._amount(self._reading.tally.macs)

    @property
    def flops(self) -> Amount:
        """The functions evaluated on floats: two for each multiply-accumulate of floats, and all others."""
        return self._amount(self._reading.tally.flops)

    def contribution(self, definitions: Iterable[str]) -> CostContribution:
        """What outermost definitions of the program contribute, with everything they call."""
        parts = self._reading.outermost
        tally = together(parts[name] for name in definitions if name in parts)
        counts = {name: self._amount(count) for name, count in tally.functions.items()}
        eops, macs, flops = (self._amount(size) for size in (tally.total, tally.macs, tally.flops))
        return CostContribution(eops, macs, flops, {name: count for name, count in counts.items() if count != 0})

    @property
    def by_function(self) -> dict[str, Amount]:
        """EOPs by basic elementary function, in the order of evaluation."""
        counts = {name: self._amount(count) for name, count in self._reading.tally.functions.items()}
        return {name: count for name, count in counts.items() if count != 0}

    @property
    def by_definition(self) -> dict[str, DefinitionCost]:
        """What each named definition costs and how often it is evaluated; a block's own definitions as `f.name`."""
        return {name: self._evaluated(spent) for name, spent in self._reading.tally.definitions.items()}

    @property
    def bytes_read(self) -> Amount:
        """The bytes of the inputs that the outputs reach, each read once."""
        return self._amount(self._reading.memory[0])

    @property
    def bytes_written(self) -> Amount:
        """The bytes of the outputs, each written once."""
        return self._amount(self._reading.memory[1])

    @property
    def memory(self) -> Amount:
        """The bytes held at the peak: inputs, named ToLs from first to last use, outputs."""
        return self._amount(self._reading.memory[2])

    @property
    def span(self) -> Amount:
        """The longest chain of functions each of which needs the one before.

        Its formula is for lengths that are not zero; where it falls below zero at others, it is taken as zero.
        """
        found = self._found(self._reading.span)
        return 0 if isinstance(found, int) and found < 0 else found

    @property
    def intensity(self) -> Intensity:
        """EOPs for each byte that must be read or written."""
        read, written, _ = self._reading.memory
        return Intensity(self.eops, self._amount(read + written))

    @property
    def bound(self) -> str:
        """What bounds the program, `arithmetic` or `memory`: at the sizes given, or as they grow together."""
        return self.intensity.bound

    @cached_property
    def _shown(self) -> dict[str, str]:
        """Names of unknowns as users see them."""
        reading = self._unchecked
        found = {**reading.unknowns_of_counting, **reading.unknowns_of_memory, **reading.unknowns_of_span}
        taken = [*self.core.sizes, *(one.name for one in self.core.inputs)]
        return display_names(found, taken, length_names(self.core) if found else {})

    @cached_property
    def unknowns(self) -> dict[str, UnknownLength]:
        """Lengths that only running tells, by name, with their bounds."""
        renamed = {inner: Size.of(name) for inner, name in self._shown.items()}
        found: dict[str, UnknownLength] = {}
        for inner, name in self._shown.items():
            one = self._unchecked.unknowns[inner].substitute(renamed)
            high = None if one.greatest is None else amount_of(one.greatest)
            found[name] = UnknownLength(amount_of(one.least), high, one.origin)
        return found

    def refusal(self, **sizes: int) -> ToLangRunError | None:
        """The error with which a run ends at the given sizes and further ones, where sizes alone tell: a length below
        zero, or a condition on sizes that does not hold."""
        numbers = {**self.given, **sizes}
        return next((error for one in self._unchecked.checks if (error := one.refusal(numbers)) is not None), None)

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What a run asks of sizes, as `k = n` or `n >= 2`, as far as it is seen before; else it is refused."""
        return tuple(assumption_text(one) for one in self._unchecked.assumed)

    @cached_property
    def _reading(self) -> Reading:
        """What was read of the program, at sizes at which it is not refused."""
        refused = self.refusal()
        if refused is not None:
            raise refused
        return self._unchecked

    def _amount(self, size: Size) -> Amount:
        """A size as users see it, which is no count where it is below zero."""
        if size not in self._amounts:
            self._amounts[size] = self._found(size)
        amount = self._amounts[size]
        if isinstance(amount, int) and amount < 0:
            raise ToLangRunError(Diagnostic("E509", "a length is below zero at these sizes", found=str(self.given)))
        return amount

    def _found(self, size: Size) -> Amount:
        """A number or a formula; unknowns at their given values or, once sizes are given, by their bounds."""
        if size.names() and self._unchecked.unknowns:
            size = size.substitute({inner: Size.of(name) for inner, name in self._shown.items()})
            size = size.substitute({name: Size.of(v) for name, v in self.given.items() if name in self.unknowns})
            if self.given and size.names() and size.names() <= self.unknowns.keys():
                amount = amount_of(self._at_most(size))
                return AtMost(amount) if isinstance(amount, int) else amount
        return amount_of(size)

    def _at_most(self, size: Size) -> Size:
        """The most that a size comes to, its names being unknowns; it keeps those that nothing bounds."""
        for name in sorted(size.names()):
            greatest = self._greatest(name)
            if greatest is not None:
                least = self.unknowns[name].least
                size = greatest_between(size, name, Size.of(least if isinstance(least, int) else 0), greatest)
        return size

    def _greatest(self, name: str) -> Size | None:
        """The greatest value of an unknown, which may follow from those of other unknowns."""
        if name not in self._ends:
            given = self.unknowns[name].greatest
            self._ends[name] = None if given is None else self._at_most(Size.of(given))
        return self._ends[name]

    def _evaluated(self, spent: Spent) -> DefinitionCost:
        return DefinitionCost(self._amount(spent.evaluations), self._amount(spent.eops), self._amount(spent.own))

    def equation(self) -> str:
        """The EOPs by function in one line, as in Example 13 of the paper."""
        written = self._reading.counter.shared.written
        parts = []
        for name, count in self.by_function.items():
            labels = written[name]
            shown = f"EOPs({next(iter(labels)) if len(labels) == 1 else name})"
            factor = spelled(Size.of(count), grouped=True)
            parts.append(shown if factor == "1" else f"{factor}*{shown}")
        total = spelled(Size.of(self.eops))
        steps = ["+".join(parts), total] if parts else [total]
        return "=".join([f"EOPs({self.name})", *steps])

    def derivation(self) -> DerivationText:
        """The EOPs step by step, as in Example 14 of the paper."""
        taken = {name: name for name in (*self.core.sizes, *(one.name for one in self.core.inputs))}
        return DerivationText(self._reading.derivation(self.title, {**taken, **self._shown}))

    @property
    def name(self) -> str:
        """What is counted: the outputs of a program, or a call of a function."""
        return self.title or ", ".join(dict.fromkeys(one.name for one in self.core.outputs))

    def sympy(self, measure: str = "eops") -> Any:
        """One measure as a sympy expression: `eops`, `bytes_read`, `memory`, `span`, `macs`, `intensity` and so on."""
        if measure == "intensity":
            return self.intensity.sympy()
        known = [one.name for one in (*MEASURES, *COMPARED)]
        amount = getattr(self, measure) if measure in known else None
        if amount is None:
            raise usage("E603", f"a cost has no measure {measure}", expected=", ".join([*known, "intensity"]))
        return Formula(Size.of(amount)).sympy()

    @property
    def at_most(self) -> tuple[str, ...]:
        """The figures that are upper bounds, not exact: `eops`, `by_function.exp`, `by_definition.f.own` and so on."""
        figures: dict[str, Any] = {one.name: getattr(self, one.name) for one in (*MEASURES, *COMPARED)}
        figures |= {f"by_function.{name}": count for name, count in self.by_function.items()}
        for name, spent in self.by_definition.items():
            figures |= {f"by_definition.{name}.{part}": getattr(spent, part) for part in DefinitionCost.__slots__}
        found = [name for name, figure in figures.items() if isinstance(figure, AtMost)]
        return (*found, "intensity") if self.intensity.is_bound else tuple(found)

    def as_dict(self) -> dict[str, Any]:
        """Everything as plain data, formulas as text: what `tol cost --json` writes.

        Upper bounds are numbers as all others; `at_most` names them.
        """
        measures = {one.name: data_of(getattr(self, one.name)) for one in (*MEASURES, *COMPARED)}
        return {
            "title": self.name,
            "given": self.given,
            **measures,
            "intensity": self.intensity.data(),
            "bound": self.bound,
            "at_most": list(self.at_most),
            "by_function": {name: data_of(count) for name, count in self.by_function.items()},
            "by_definition": {
                name: {part: data_of(getattr(one, part)) for part in DefinitionCost.__slots__}
                for name, one in self.by_definition.items()
            },
            "unknowns": {
                name: {"least": data_of(one.least), "greatest": data_of(one.greatest), "origin": one.origin}
                for name, one in self.unknowns.items()
            },
        }

    def __str__(self) -> str:
        """The measures as a table, as `tol cost` prints it."""
        return cost_table(self)

    def _repr_html_(self) -> str:
        """The cost as notebooks show it."""
        return _markup(self)

    def __repr__(self) -> str:
        return f"<tolang.Cost of {self.name}: {self.eops} EOPs>"


def data_of(amount: Amount | None) -> int | str | None:
    """An amount as plain data: a number, or the text of a formula."""
    return int(amount) if isinstance(amount, int) else None if amount is None else str(amount)


def _markup(cost: Cost) -> str:
    """The measures of a cost, as formulas and at the sizes given; the EOPs by function and, of models, by operator."""
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
