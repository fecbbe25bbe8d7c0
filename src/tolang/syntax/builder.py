"""From grammar rules to tree nodes: one method a rule, named as the rule.

What the grammar leaves open on purpose is checked here: heads of definitions and functions, names of arguments, chained
comparisons, doubled stars.  A method raises `ToLangSyntaxError` for what the grammar accepts and the language does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NoReturn, TypeGuard

from tolang.ground.reporting.diagnostics import Diagnostic, Note, Span, ToLangSyntaxError
from tolang.ground.system.own_modules import FILE_ENDING
from tolang.syntax import tree
from tolang.syntax.lexemes import Lexeme

Part = Lexeme | tree.Node

DIGITS_OF_NUMBER = 1000
"""A number may have this many digits, and an exponent up to this size; both keep its exact value small."""

COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


def refuse(
    code: str,
    message: str,
    span: Span,
    found: str | None = None,
    expected: str | None = None,
    fix: str | None = None,
    notes: tuple[Note, ...] = (),
) -> NoReturn:
    raise ToLangSyntaxError(Diagnostic(code, message, span, found, expected, fix, notes))


def spanning(parts: Sequence[Part]) -> Span:
    """From the start of the first part to the end of the last."""
    first, last = parts[0].span, parts[-1].span
    return Span(first.source, first.start, last.end)


def expressions(parts: Sequence[Part]) -> tuple[tree.Expression, ...]:
    return tuple(part for part in parts if isinstance(part, tree.Expression))


def lexeme(part: Part) -> Lexeme:
    assert isinstance(part, Lexeme)
    return part


def word(part: Part) -> str:
    return lexeme(part).text


def expression(part: Part) -> tree.Expression:
    assert isinstance(part, tree.Expression)
    return part


def quoted(span: Span) -> str:
    """A stretch of source as a message shows it, in one short line."""
    text = " ".join(span.text.split())
    return f"`{text}`" if len(text) <= 60 else f"`{text[:57]}...`"


class Builder:
    """The methods that the parser calls for each rule, with all parts of the rule, signs included."""

    # Declarations

    def space(self, parts: list[Part]) -> tree.SpaceName:
        return tree.SpaceName(parts[0].span, word(parts[0]))

    def field(self, parts: list[Part]) -> tree.ListField:
        space = parts[-1]
        assert isinstance(space, tree.SpaceName)
        return tree.ListField(spanning(parts), word(parts[0]) if len(parts) > 1 else None, space)

    def space_declaration(self, parts: list[Part]) -> tree.SpaceDeclaration:
        base = parts[3]
        assert isinstance(base, tree.SpaceName)
        lower, upper = expressions(parts) or (None, None)
        return tree.SpaceDeclaration(spanning(parts), word(parts[1]), base, lower, upper)

    def list_of_one(self, parts: list[Part]) -> tree.ListDeclaration:
        space = parts[3]
        assert isinstance(space, tree.SpaceName)
        return tree.ListDeclaration(spanning(parts), word(parts[1]), (tree.ListField(space.span, None, space),), False)

    def list_declaration(self, parts: list[Part]) -> tree.ListDeclaration:
        fields = tuple(part for part in parts if isinstance(part, tree.ListField))
        return tree.ListDeclaration(spanning(parts), word(parts[1]), fields, True)

    def shape(self, parts: list[Part]) -> tree.Blocks:
        return tree.Blocks(spanning(parts), expressions(parts))

    def tol_declaration(self, parts: list[Part]) -> tree.TolDeclaration:
        base, shape = parts[3], parts[-1]
        assert isinstance(base, tree.SpaceName)
        lengths = shape.items if isinstance(shape, tree.Blocks) else ()
        return tree.TolDeclaration(spanning(parts), word(parts[1]), base, (), lengths)

    def tol_of_fields(self, parts: list[Part]) -> tree.TolDeclaration:
        fields = tuple(part for part in parts if isinstance(part, tree.ListField))
        shape = parts[-1]
        lengths = shape.items if isinstance(shape, tree.Blocks) else ()
        return tree.TolDeclaration(spanning(parts), word(parts[1]), None, fields, lengths)

    def tol_shape(self, parts: list[Part]) -> tree.TolShape:
        return tree.TolShape(spanning(parts), word(parts[1]), expression(parts[3]))

    def use(self, parts: list[Part]) -> tree.Use:
        named = lexeme(parts[1])
        module = named.text if named.kind == "NAME" else named.text[1:-1].replace("''", "'")
        if named.kind != "NAME" and not module.endswith(FILE_ENDING):
            _refuse_file(named, module)
        return tree.Use(spanning(parts), module, word(parts[3]) if len(parts) > 2 else None)

    # Definitions and functions

    def definition(self, parts: list[Part]) -> tree.Definition | tree.Unpacking:
        mark = parts[0].text if isinstance(parts[0], Lexeme) else ""
        head, sign, body = expression(parts[-3]), lexeme(parts[-2]), expression(parts[-1])
        exported = sign.text == ":="
        if isinstance(head, tree.NameExpression):
            if mark:
                _refuse_mark(mark, head)
            return tree.Definition(spanning(parts), head.id, head.span, None, body, exported)
        if isinstance(head, tree.CallExpression) and isinstance(head.function, tree.NameExpression):
            parameters = tuple(_parameter(argument) for argument in head.arguments)
            name = head.function
            own = f"{name.id}'" if mark == "derivative" else name.id
            if own != name.id:
                _refuse_outside(name, parameters, sign)
            marked = mark == "associative"
            return tree.Definition(spanning(parts), own, name.span, parameters, body, exported, marked)
        if isinstance(head, tree.Listing) and not mark:
            return tree.Unpacking(spanning(parts), _pattern(head), body, exported)
        _refuse_head(head, sign)

    def function(self, parts: list[Part]) -> tree.LambdaExpression:
        head, arrow, body = expression(parts[0]), lexeme(parts[1]), expression(parts[2])
        match head:
            case tree.NameExpression():
                names: tuple[tree.Expression, ...] = (head,)
            case tree.Parenthesis(inner=inner):
                names = (inner,)
            case tree.Listing(items=items):
                names = items
            case _:
                _refuse_head(head, arrow)
        return tree.LambdaExpression(spanning(parts), tuple(_pattern(name) for name in names), body)

    def block(self, parts: list[Part]) -> tree.BlockExpression:
        written = [part for part in parts if not isinstance(part, Lexeme)]
        steps = [one for part in written for one in (part.definitions() if _unpacks(part) else (part,))]
        if not steps:
            refuse(
                "E101",
                "this block is empty",
                spanning(parts),
                expected="definitions, then the expression that is the block's value",
                fix="write the value between the braces: `{ value }`",
            )
        *definitions, result = steps
        for step in definitions:
            if not isinstance(step, tree.Definition):
                refuse(
                    "E101",
                    "an expression that is not the last step of a block has no effect",
                    step.span,
                    found=quoted(step.span),
                    expected="definitions, and one expression as the last step",
                    fix="give it a name with `=`, or remove it",
                )
        for step in steps:
            if isinstance(step, tree.Definition) and step.exported:
                refuse(
                    "E101",
                    "only the top level exports names",
                    step.span,
                    found=f"`:=` inside a block, for `{step.id}`",
                    expected="`=`",
                    fix=f"write `{step.id} = …` here",
                )
        if not isinstance(result, tree.Expression):
            refuse(
                "E101",
                "this block has no value: its last step is a definition",
                result.span,
                found=quoted(result.span),
                expected="an expression as the last step",
                fix=f"add a last step such as `{result.id}`" if isinstance(result, tree.Definition) else None,
            )
        kept = tuple(step for step in definitions if isinstance(step, tree.Definition))
        return tree.BlockExpression(spanning(parts), kept, result)

    # Operators

    def binary(self, parts: list[Part]) -> tree.Binary:
        left, sign, right = expression(parts[0]), lexeme(parts[1]), expression(parts[2])
        if sign.text in COMPARISONS and isinstance(left, tree.Binary) and left.operator in COMPARISONS:
            middle = quoted(left.right.span).strip("`")
            refuse(
                "E101",
                "comparisons do not chain",
                sign.span,
                found=f"`{sign.text}` after {quoted(left.span)}",
                expected="one comparison, or two joined with `and`",
                fix=f"write `… {left.operator} {middle} and {middle} {sign.text} …`",
            )
        if sign.text == "*" and isinstance(right, tree.StarName) and len(right.span.text) > 1 + len(right.id):
            refuse(
                "E107",
                "`* *` stands between two values",
                Span(sign.span.source, sign.span.start, right.span.start + 1),
                found=f"{quoted(left.span)} `* *` `{right.id}`",
                expected="one operator",
                fix=f"write `* {right.id}` for a product, `^ {right.id}` for a power, "
                f"or `* *{right.id}` for a product with the coordinates of `{right.id}`",
            )
        return tree.Binary(spanning(parts), sign.text, left, right)

    def unary(self, parts: list[Part]) -> tree.Unary:
        return tree.Unary(spanning(parts), word(parts[0]), expression(parts[1]))

    def choice(self, parts: list[Part]) -> tree.IfExpression:
        condition, then, otherwise = expressions(parts)
        return tree.IfExpression(spanning(parts), condition, then, otherwise)

    # Postfix forms

    def slice(self, parts: list[Part]) -> tree.Slice:
        lower = parts[0] if isinstance(parts[0], tree.Expression) else None
        upper = parts[-1] if isinstance(parts[-1], tree.Expression) else None
        return tree.Slice(spanning(parts), lower, upper)

    def index(self, parts: list[Part]) -> tree.IndexExpression:
        return tree.IndexExpression(spanning(parts), expression(parts[0]), expressions(parts[1:]))

    def component(self, parts: list[Part]) -> tree.ComponentExpression:
        selector = expression(parts[2])
        if isinstance(selector, tree.Slice):
            refuse(
                "E101",
                "a component is chosen by its number or name, not by a slice",
                selector.span,
                found=quoted(selector.span),
                expected="a number or the name of a component",
                fix="choose the components one by one: `(t[1]', t[2]')`",
            )
        return tree.ComponentExpression(spanning(parts), expression(parts[0]), selector)

    def argument(self, parts: list[Part]) -> tree.CallArgument:
        if len(parts) == 1:
            return tree.CallArgument(parts[0].span, None, expression(parts[0]))
        name = parts[0]
        if not isinstance(name, tree.NameExpression):
            refuse(
                "E106",
                "left of `=` in a call stands the name of a parameter",
                name.span,
                found=quoted(name.span),
                expected="a name",
                fix="write `name=value`; to compare, write `==`",
            )
        return tree.CallArgument(spanning(parts), name.id, expression(parts[2]))

    def word_argument(self, parts: list[Part]) -> tree.CallArgument:
        return self.argument([*parts[:-1], tree.NameExpression(parts[-1].span, word(parts[-1]))])

    def space_argument(self, parts: list[Part]) -> tree.CallArgument:
        return tree.CallArgument(parts[0].span, None, tree.TypeList(parts[0].span, (self.space(parts),)))

    def call(self, parts: list[Part]) -> tree.CallExpression:
        function = expression(parts[0])
        arguments = tuple(part for part in parts[1:] if isinstance(part, tree.CallArgument))
        _named_last(arguments)
        if isinstance(function, tree.NameExpression) and function.id == "convert":
            arguments = arguments[:1] + tuple(_with_type_list(argument) for argument in arguments[1:])
        return tree.CallExpression(spanning(parts), function, arguments)

    def call_of_word(self, parts: list[Part]) -> tree.CallExpression:
        return self.call([tree.NameExpression(parts[0].span, word(parts[0])), *parts[1:]])

    def compose(self, parts: list[Part]) -> tree.Compose:
        return tree.Compose(spanning(parts), expressions(parts))

    # Atoms

    def number(self, parts: list[Part]) -> tree.Number:
        text = word(parts[0])
        imaginary = text.endswith("i")
        digits, _, exponent = text.rstrip("i").lower().partition("e")
        power = exponent.lstrip("+-0")
        if len(digits) > DIGITS_OF_NUMBER or len(power) > 4 or int(power or "0") > DIGITS_OF_NUMBER:
            refuse(
                "E109",
                "this number is too long",
                parts[0].span,
                found=f"{len(digits)} digits" if len(digits) > DIGITS_OF_NUMBER else f"the exponent {exponent[:20]}",
                expected=f"at most {DIGITS_OF_NUMBER} digits and an exponent of at most {DIGITS_OF_NUMBER}",
                fix="write `Inf` for infinity" if len(digits) <= DIGITS_OF_NUMBER else None,
            )
        value = int(digits) if digits.isdigit() and not exponent else Fraction(text.rstrip("i"))
        return tree.Number(parts[0].span, value, text, imaginary)

    def text(self, parts: list[Part]) -> tree.Text:
        return tree.Text(parts[0].span, word(parts[0])[1:-1].replace("''", "'"))

    def constant(self, parts: list[Part]) -> tree.ConstantExpression:
        return tree.ConstantExpression(parts[0].span, word(parts[0]))

    def name(self, parts: list[Part]) -> tree.NameExpression:
        return tree.NameExpression(parts[0].span, word(parts[0]))

    def star(self, parts: list[Part]) -> tree.StarExpression:
        return tree.StarExpression(parts[0].span)

    def star_name(self, parts: list[Part]) -> tree.StarName:
        return tree.StarName(spanning(parts), word(parts[1]))

    def parenthesis(self, parts: list[Part]) -> tree.Parenthesis:
        return tree.Parenthesis(spanning(parts), expression(parts[1]))

    def listing(self, parts: list[Part]) -> tree.Listing:
        return tree.Listing(spanning(parts), expressions(parts))

    def blocks(self, parts: list[Part]) -> tree.Expression:
        spaces = [part for part in parts if isinstance(part, tree.SpaceName)]
        if not spaces:
            return tree.Blocks(spanning(parts), expressions(parts))
        return tree.TypeList(spanning(parts), tuple(_space(p) for p in parts if not isinstance(p, Lexeme)))

    def zeros(self, parts: list[Part]) -> tree.Zeros:
        return tree.Zeros(spanning(parts), expressions(parts))

    def zeros_like(self, parts: list[Part]) -> tree.Zeros:
        return tree.Zeros(spanning(parts), (self.shape_of(parts[1:]),), bars=True)

    def shape_of(self, parts: list[Part]) -> tree.NormExpression:
        return tree.NormExpression(spanning(parts), "shape", expression(parts[1]))

    def capacity_of(self, parts: list[Part]) -> tree.NormExpression:
        return tree.NormExpression(spanning(parts), "capacity", expression(parts[1]))

    def dimension_of(self, parts: list[Part]) -> tree.NormExpression:
        return tree.NormExpression(spanning(parts), "dim", expression(parts[1]))


def _space(part: Part) -> tree.SpaceName:
    """A space of a type list: one with a sign, or a name."""
    if isinstance(part, tree.SpaceName):
        return part
    if isinstance(part, tree.NameExpression):
        return tree.SpaceName(part.span, part.id)
    refuse(
        "E101",
        "a type list holds type spaces only",
        part.span,
        found=quoted(part.span),
        expected="the name of a type space",
        fix="write a list such as `[N*, R]`",
    )


def _with_type_list(argument: tree.CallArgument) -> tree.CallArgument:
    """The type list of a `convert`, which looks like a block of names or one name."""
    value = argument.value
    if isinstance(value, tree.NameExpression):
        spaces: tuple[tree.SpaceName, ...] = (_space(value),)
    elif (
        isinstance(value, tree.Blocks) and value.items and all(isinstance(i, tree.NameExpression) for i in value.items)
    ):
        spaces = tuple(_space(item) for item in value.items)
    else:
        return argument
    return tree.CallArgument(argument.span, argument.keyword, tree.TypeList(value.span, spaces))


def _refuse_file(named: Lexeme, module: str) -> NoReturn:
    refuse(
        "E202",
        f"a file of ToLang ends in {FILE_ENDING}",
        named.span,
        found=quoted(named.span),
        expected=f'the path of a file: `use "helpers{FILE_ENDING}"`',
        fix=f"write `use {module}`" if module.isidentifier() else f'write `use "{module}{FILE_ENDING}"`',
    )


def _parameter(argument: tree.CallArgument) -> tree.Parameter:
    if argument.keyword is not None:
        return tree.Parameter(argument.span, argument.keyword, argument.value)
    return _pattern(argument.value, "a name, a name with its default, `k=1`, or names of its parts, `(x, r)`")


def _pattern(found: tree.Expression, expected: str = "a name, or names of its parts, `(x, r)`") -> tree.Parameter:
    """A parameter: a name, or in parentheses the names of its parts."""
    match found:
        case tree.NameExpression(id=name):
            return tree.Parameter(found.span, name)
        case tree.Listing(items=items):
            parts = tuple(_pattern(item) for item in items)
            return tree.Parameter(found.span, "_".join(part.id.strip("_") or "part" for part in parts), None, parts)
    _refuse_parameter(found, expected)


def _unpacks(part: Part) -> TypeGuard[tree.Unpacking]:
    return isinstance(part, tree.Unpacking)


def _refuse_parameter(found: tree.Node, expected: str) -> NoReturn:
    refuse(
        "E106",
        "a parameter is a name",
        found.span,
        found=quoted(found.span),
        expected=expected,
        fix="write a name here, and use its value on the right",
    )


def _named_last(arguments: Sequence[tree.CallArgument]) -> None:
    """Arguments by position, and parameters without defaults, come before those with a name and `=`."""
    for before, after in pairwise(arguments):
        if before.keyword is not None and after.keyword is None:
            refuse(
                "E110",
                f"{quoted(after.span)} has no name but follows {quoted(before.span)}",
                after.span,
                found=quoted(after.span),
                expected="arguments and parameters without `=` first",
                fix=f"move {quoted(after.span)} before {quoted(before.span)}, or write `name=` before it",
            )


def _refuse_mark(mark: str, head: tree.NameExpression) -> NoReturn:
    """A value has no law and no derivative of its own."""
    takes = "(a, b)" if mark == "associative" else "(x, d)"
    refuse(
        "E106",
        "only a function can be associative" if mark == "associative" else "only a function has a derivative",
        head.span,
        found=f"the value `{head.id}`",
        expected="a function of two parameters" if mark == "associative" else "its parameters, and the cotangent",
        fix=f"write `{mark} {head.id}{takes} = …`, or leave `{mark}` out",
    )


def _refuse_outside(name: tree.NameExpression, parameters: tuple[tree.Parameter, ...], sign: Lexeme) -> None:
    """A derivative belongs to its function: nobody else calls it, so it is not exported and has no defaults."""
    if sign.text == ":=":
        refuse("E106", f"the derivative of {name.id} goes where {name.id} goes", sign.span, found=":=", expected="=")
    for one in parameters:
        if one.default is not None:
            message = "the parameters of a derivative have no defaults"
            refuse("E106", message, one.span, found=one.span.text, expected=one.id, fix=f"write `{one.id}` alone")


def _refuse_head(head: tree.Expression, sign: Lexeme) -> NoReturn:
    """What stands left of `=`, `:=` or `->` is no head; say what it is and what would be one."""
    what = {
        tree.IndexExpression: "an element of a ToL",
        tree.Number: "a number",
        tree.ConstantExpression: "a constant",
        tree.Text: "a text",
        tree.Listing: "a list",
        tree.Blocks: "a block of values",
        tree.Binary: "an expression",
        tree.Unary: "an expression",
        tree.CallExpression: "a call",
        tree.LambdaExpression: "a function",
    }.get(type(head), "an expression")
    if sign.text == "->":
        refuse(
            "E106",
            "left of `->` stand the names of the parameters",
            head.span,
            found=f"{what}, {quoted(head.span)}",
            expected="a name or names in parentheses",
            fix="write `x -> …` or `(x, y) -> …`; put parentheses around the function if something stands before it",
        )
    fix = "write `name = …` or `name(x, y) = …`"
    if isinstance(head, tree.IndexExpression):
        fix = "values do not change; build a new one: `map(t, …, [i,j])` with a choice by coordinates"
    elif isinstance(head, tree.Binary) and head.operator in COMPARISONS:
        fix = "one of the two signs is too many"
    refuse(
        "E106",
        f"left of `{sign.text}` stands a name, or a function's name with its parameters",
        head.span,
        found=f"{what}, {quoted(head.span)}",
        expected="a name, or a call such as `f(x, y)`",
        fix=fix,
    )
