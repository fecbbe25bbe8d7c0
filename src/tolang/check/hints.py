"""Ways out: what a name that nothing defines may have meant, and what other languages call what ToLang has."""

from __future__ import annotations

from tolang.check.checking import Checking
from tolang.check.forms import FORMS
from tolang.check.library import module_of
from tolang.check.values import Closure, Problem, Scalar, Scope, Tensor, Value, Vector
from tolang.ground.close_names import close_names
from tolang.ground.diagnostics import Span
from tolang.ground.functions import FUNCTIONS as BASIC

MODELS = "onnx/"
"""How files of the library begin that define the operators of models, which count axes as models do."""

CLOSE = 0.65
"""How alike a name is to the one that was meant: `foo` may be floor, `missing` is not sin."""

FOREIGN_MODULES = frozenset({"np", "numpy", "jnp", "jax", "torch", "tf", "math", "scipy", "xp", "cp", "pd", "pl", "F"})

_NOTHING = "there is no missing value; NaN is no number, and a filter leaves out"
_NEGATED = "write `not x`"
FOREIGN = {
    "nan": "write NaN", "NAN": "write NaN", "inf": "write Inf", "infinity": "write Inf", "INF": "write Inf",
    "True": "write true", "False": "write false", "TRUE": "write true", "FALSE": "write false",
    "None": _NOTHING, "null": _NOTHING, "nil": _NOTHING, "NULL": _NOTHING, "NA": _NOTHING,
    "len": "|v|[1] is the length of a vector, |t| the shape, vol(t) the number of elements",
    "size": "vol(t) is the number of elements, |t| the shape", "numel": "vol(t) is the number of elements",
    "ndim": "||t|| is the number of dimensions", "rank": "||t|| is the number of dimensions",
    "dtype": "space(t) tells the space, convert(t, [R]) changes it",
    "astype": "write convert(t, [R])", "cast": "write convert(t, [R])", "asarray": "write [1,2]; data is an input",
    "array": "write [1,2], or [[1,2],[3,4]]; data is an input: tol x: R [n]",
    "tensor": "write [1,2], or [[1,2],[3,4]]; data is an input: tol x: R [n]",
    "zeros": "write tol[n,m]", "zeros_like": "write tol|t|", "empty": "write tol[n,m]",
    "ones": "write full([n,m], 1)", "ones_like": "write full(|t|, 1)", "full_like": "write full(|t|, value)",
    "identity": "write eye(n), with use linalg",
    "int": "write floor(x), or convert(x, [Z]) for what is whole", "float": "write convert(x, [R])",
    "bool": "write convert(x, [B]), or x != 0", "complex": "write a + b * 1i", "str": "text is not made of numbers",
    "print": "what is shown is exported: y := …",
    "T": "write transpose(t)", "enumerate": "map(t, f, i) names the coordinate",
    "zip": "(x, y) pairs elements of one shape", "sorted": "write sort(x)", "reversed": "write flip(x)",
    "append": "write [v, x]", "extend": "write [v, w]", "hstack": "write [a, b]", "vstack": "write [[a], [b]]",
    "einsum": "say with map and reduce which coordinates meet", "nonzero": "write positions(c)",
    "amax": "write maximum(t, axis)", "amin": "write minimum(t, axis)", "prod": "write product(t, axis)",
    "std": "write standard_deviation(t)", "var": "write variance(t)", "cumsum": "write cumulative_sum(t)",
    "cumprod": "write cumulative_product(t)", "bitwise_and": "write and", "bitwise_or": "write or",
    "logical_and": "write and", "logical_or": "write or", "logical_not": _NEGATED, "invert": _NEGATED,
    "log10": "write log(x, 10)", "log2": "write log(x, 2)", "log1p": "write log(1 + x)", "expm1": "write exp(x) - 1",
    "pi": "define it: pi = 4 * atan(1)", "e": "define it: e = exp(1)", "square": "write x ^ 2", "power": "write x ^ y",
    "fmod": "write x % y", "floor_divide": "write floor(x / y)", "isnan": "write is_nan(x)",
    "isinf": "write is_infinite(x)", "isfinite": "write is_finite(x)", "expand_dims": "write add_axis(t, axis)",
    "unsqueeze": "write add_axis(t, axis)", "squeeze": "write drop_axis(t, axis)", "view": "write reshape(t, [n,m])",
    "cat": "write concat(a, b, axis)", "concatenate": "write concat(a, b, axis), or [a, b]",
    "mm": "write matmul(a, b), with use linalg", "bmm": "write matmul(a, b), with use linalg",
    "inv": "write inverse(a), with use linalg",
    "det": "write determinant(a), with use linalg", "gather": "write take(t, idx), or map(idx, k -> t[k])",
    "elif": "write else if", "foreach": "write map(t, f)", "fold": "write reduce(t, f, start)",
    "random": "rand(1) is a number between 0 and 1", "normal": "rand(1) is a number between 0 and 1",
}  # fmt: skip
"""Names of Python, NumPy and their kin, and how the same is said in ToLang."""

FOREIGN_PARAMETERS = {
    "keepdims": "add_axis(t, axis) puts an axis of length 1 back", "keepdim": "add_axis(t, axis) puts an axis back",
    "dim": "write axis=…, from 1 on", "reverse": "write descending=true", "ascending": "write descending=…",
    "dtype": "convert(t, [f32]) changes the space", "ddof": "write correction=1",
}  # fmt: skip
"""Names of arguments in Python and NumPy, and how the same is said in ToLang."""

OTHER_DEFINITIONS = {
    "range": "arange(start, stop, step) has a start and a step; range(n) is 1 to n",
    "arange": "range(n) is 1 to n",
}
"""Definitions of the library that are taken for others of their kind, and which those are."""


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
    if module is not None:
        return f"write `use {module}` above: {name} is defined there"
    if name in FOREIGN:
        return FOREIGN[name]
    owner = _owner(name, scope)
    if owner is not None:
        return f"a component of {owner} is {owner}[{name}]', and x -> x[{name}]' a function of its elements"
    close = close_names(name, _known(scope), 1, CLOSE) if len(name) > 2 else []
    if close:
        return f"did you mean {close[0]}?"
    if is_length:
        return f"a size is named in the shape of an input, tol x: R [{name}], or defined, {name} = 3"
    if is_called:
        return f"define it, {name}(x) = …"
    return f"define it, {name} = …, or declare it as an input, tol {name}: R [n]"


def taken_for(closure: Closure) -> str | None:
    """What a definition of the library may have been taken for that is given too many arguments, or too few."""
    is_library = closure.definition is not None and closure.definition.span.source.library
    return OTHER_DEFINITIONS.get(closure.name) if is_library else None


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


def _known(scope: Scope) -> list[str]:
    return sorted(scope.visible() | BASIC.keys() | FORMS.keys() | {"map", "reduce", "convert", "gradient"})


def unknown_module(name: str, member: str, span: Span, scope: Scope) -> Problem | None:
    """The error of `np.dot` and its kin; None where no other language has such a module."""
    if name not in FOREIGN_MODULES:
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
    for item in axis.items if isinstance(axis, Vector) else (axis,):
        number = item.constant if isinstance(item, Scalar) else None
        if isinstance(number, int) and most is not None and number > most:
            message = f"axis {number} of {closure.name}: {name} has {most}"
            raise Problem("E303", message, span, found=str(number), expected=f"1 to {most}")
        if isinstance(number, int) and number < 1:
            last = f"axis=||{name}||" if number == -1 else f"axis=||{name}||-{-number - 1}"
            fix = "the first axis is axis=1" if number == 0 else f"from the last, write {last}"
            raise Problem("E303", f"axis {number} of {closure.name}: axes count from 1", span,
                          found=str(number), expected=f"1 to ||{name}||", fix=fix)  # fmt: skip


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
        case Scalar():
            return 0
    return None
