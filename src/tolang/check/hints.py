"""Ways out: what a name that nothing defines may have meant, and what other languages call what ToLang has."""

from __future__ import annotations

import re

from tolang.check.checking import Checking
from tolang.check.foreign_names import FOREIGN, FOREIGN_PARAMETERS, MODULES, OTHER_DEFINITIONS
from tolang.check.forms import FORMS
from tolang.check.library import module_of
from tolang.check.scalars import WHOLE
from tolang.check.values import Closure, Problem, ScalarValue, Scope, Tensor, Value, Vector
from tolang.ground.reporting.close_names import close_names
from tolang.ground.reporting.diagnostics import Span
from tolang.ground.values.functions import FUNCTIONS as BASIC

MODELS = "onnx/"
"""How files of the library begin that define the operators of models, which count axes as models do."""

CLOSE = 0.65
"""How alike a name is to the one that was meant: `foo` may be floor, `missing` is not sin."""
_ONE_LIST = re.compile(r"(\w+)\(\s*[(\[]([^()]*)[)\]]\s*\)")
_UNNESTED = re.compile(r"\[[^\[\]]*\]")
SPECIAL = {
    "map": "map(t, f)", "reduce": "reduce(t, f, start)", "convert": "convert(t, [R])",
    "gradient": "gradient(f, x)", "iter": "map(t, t[iter])",
}  # fmt: skip
"""Words that mean something only where they are called, and how they are written."""
OF_TWO = {whole: function for function, whole in WHOLE.items() if function in ("max", "min")}
"""Definitions that go along axes, and the functions of two numbers that other languages call the same."""

DEFINE = "define it"
"""How the way out begins of a name that is like no other."""


def is_known(name: str, scope: Scope) -> bool:
    """Whether a name means something where it stands."""
    known = name in BASIC or name in FORMS or name in ("map", "reduce", "convert", "gradient", "iter")
    return known or scope.find(name) is not None or scope.shape_declaration(name) is not None


def unknown_name(name: str, span: Span, scope: Scope, is_length: bool = False) -> Problem:
    """The error of a name that nothing defines, with the most likely way out."""
    is_called = span.source.text.startswith("(", span.end)
    return Problem("E201", f"unknown name {name}", span, fix=_way_out(name, scope, is_length, is_called))


def _way_out(name: str, scope: Scope, is_length: bool = False, is_called: bool = False) -> str:
    module = module_of(name)
    if module is not None and name in FOREIGN:
        return f"{FOREIGN[name]}; another {name} is defined in {module}, with `use {module}`"
    if module is not None:
        return f"write `use {module}` above: {name} is defined there"
    if name in FOREIGN:
        return FOREIGN[name]
    owner = _owner(name, scope)
    if owner is not None:
        return f"a component of {owner} is {owner}[{name}]', and x -> x[{name}]' a function of its elements"
    close = close_names(name, _known(scope) - {name}, 1, CLOSE) if len(name) > 2 else []
    if name in SPECIAL:
        return f"{name} is a word of the language, and stands with its arguments: `{SPECIAL[name]}`"
    if close:
        return f"did you mean {close[0]}?"
    if is_length:
        return f"a size is named in the shape of an input, tol x: R [{name}], or defined, {name} = 3"
    if is_called:
        return f"{DEFINE}, {name}(x) = …"
    return f"{DEFINE}, {name} = …, or declare it as an input, tol {name}: R [n]"


def taken_for(closure: Closure) -> str | None:
    """What a definition of the library may have been taken for that is given too many arguments, or too few."""
    is_library = closure.definition is not None and closure.definition.span.source.library
    return OTHER_DEFINITIONS.get(closure.name) if is_library else None


def as_one_list(closure: Closure, span: Span | None) -> str | None:
    """A call that gives all arguments of a function as one list, `f((1,2))`, as it is meant."""
    if span is None or span.source.library:
        return None
    found = _ONE_LIST.fullmatch(span.text)
    if found is None or len(_UNNESTED.sub("", found[2]).split(",")) != len(closure.parameters):
        return None
    return f"a list is one argument; write `{found[1]}({found[2]})`"


def misnamed_argument(closure: Closure, keyword: str) -> str | None:
    """Which parameter an argument may have meant that a function does not have."""
    names = [parameter.id for parameter in closure.parameters]
    close = close_names(keyword, names, 1, CLOSE)
    return f"did you mean {close[0]}?" if close else FOREIGN_PARAMETERS.get(keyword)


def _owner(component: str, scope: Scope) -> str | None:
    """A ToL in sight whose lists have a component of a name."""
    seen: Scope | None = scope
    while seen is not None:
        for name, value in seen.names.items():
            if isinstance(value, Tensor) and any(one.name == component for one in value.type.columns):
                return name
        seen = seen.parent
    return None


def _known(scope: Scope) -> set[str]:
    return scope.visible() | BASIC.keys() | FORMS.keys() | SPECIAL.keys()


def unknown_module(name: str, member: str, span: Span, scope: Scope) -> Problem | None:
    """The error of `np.dot` and its kin; None where no other language has such a module."""
    if name not in MODULES:
        return None
    if scope.find(member) is not None or member in BASIC or member in FORMS or member in ("map", "reduce"):
        fix = f"write {member} alone"
    else:
        fix = _way_out(member, scope)
    return Problem("E201", f"unknown name {name}", span, found=f"{name}.{member}", fix=fix)


def foreign_attribute(member: str, subject: Value, written: str) -> str | None:
    """How what other languages write after a dot is said here: `x.shape`, `x.T`, `x.sum()`, `table.column`."""
    if isinstance(subject, Tensor) and any(one.name == member for one in subject.type.columns):
        return f"write {written}[{member}]' for a component"
    if member == "shape":
        return "write |t| for the shape, |t|[1] for its first length"
    if member in FOREIGN:
        return FOREIGN[member]
    return f"write {member}(t); a dot composes functions, f.g" if member.isidentifier() else None


def refuse_misused(checking: Checking, closure: Closure, bound: dict[str, Value], span: Span | None) -> None:
    """Refuses what a program hardly means by a call of the library that goes along axes.

    Axes count from 1, up to the last: there is no `axis=0` and no `axis=-1`.  The elements of a map are numerics, which
    have no axes, so `map(x, r -> r / sum(r))` would divide each by itself.
    """
    source = closure.definition.span.source if closure.definition is not None else None
    if "axis" not in bound or source is None or not source.library or source.name.startswith(MODELS):
        return
    if span is None or span.source.library:
        return
    axis, name = bound["axis"], next(iter(bound))
    most = _last_axis(closure, name, bound[name])
    if most == 0 and (checking.frame.iterators or checking.positions):
        raise Problem("E302", f"{closure.name} of one element: a map or fold goes over elements, and this is a numeric",
                      span, fix=f"map_axis(t, r -> …, axis) goes over rows or columns, {closure.name}(t, axis) "
                      "along an axis of the whole")  # fmt: skip
    if isinstance(axis, Tensor) and closure.name in OF_TWO:
        raise Problem("E310", f"the axis of {closure.name} must be known while checking", span,
                      found=str(axis.type), fix=_of_two(closure.name, span))  # fmt: skip
    for item in axis.items if isinstance(axis, Vector) else (axis,):
        number = item.constant if isinstance(item, ScalarValue) else None
        if isinstance(number, int) and most is not None and number > most:
            message = f"axis {number} of {closure.name}: {name} has {most}"
            expected = f"1 to {most}" if most else "a ToL with axes; a numeric has none"
            raise Problem("E303", message, span, found=str(number), expected=expected, fix=_of_two(closure.name, span))
        if isinstance(number, int) and number < 1:
            last = f"axis=||{name}||" if number == -1 else f"axis=||{name}||-{-number - 1}"
            fix = "the first axis is axis=1" if number == 0 else f"from the last, write {last}"
            raise Problem("E303", f"axis {number} of {closure.name}: axes count from 1", span,
                          found=str(number), expected=f"1 to ||{name}||", fix=fix)  # fmt: skip


def _of_two(name: str, span: Span) -> str | None:
    """What somebody means who gives a definition that goes along axes two numbers or vectors."""
    written = span.text.removeprefix(name)
    if not written.startswith("(") or "axis" in written:
        return None
    if name in OF_TWO:
        return f"`{OF_TWO[name]}{written}` is that of two; {name}(t, axis) goes along an axis"
    return f"`{name}([{written[1:-1]}])` is that of several numbers; {name}(t, axis) goes along an axis"


def _last_axis(closure: Closure, name: str, value: Value) -> int | None:
    """How many axes the first argument has, where the axis is one of them, as its default is; else None."""
    default = next((one.default for one in closure.parameters if one.id == "axis"), None)
    if default is None or default.span.text not in (f"axes({name})", f"||{name}||"):
        return None
    match value:
        case Tensor(type=kind):
            return kind.rank
        case Vector():
            return 1
        case ScalarValue():
            return 0
    return None
