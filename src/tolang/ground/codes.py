"""The index of error codes: one row a code, with its title and what it means.

`docs/errors.md` is generated from this table, and a test holds every code raised in the project against it.
Codes: 1xx text, 2xx names and calls, 3xx ranks, sizes and coordinates, 4xx spaces and lists, 5xx data and running,
6xx use of the tool.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    title: str
    meaning: str


CODES: dict[str, Code] = {
    "E101": Code("unexpected text", "The parser met a word or sign that cannot stand here."),
    "E102": Code("unclosed bracket", "A bracket, bar or brace was opened and never closed, or closed by another kind."),
    "E103": Code("unknown character", "The text holds a character that is no part of ToLang."),
    "E104": Code("unclosed text", "A quoted text does not end on its line."),
    "E105": Code("nested too deeply", "Brackets or operators nest deeper than the parser accepts."),
    "E106": Code(
        "malformed head", "What stands left of `=`, `:=` or `->` is not a name, a list of names or a call of names."
    ),
    "E107": Code(
        "doubled operator", "`**` or `* *` was written: power is `^`, and `*` as an operand is the current element."
    ),
    "E108": Code("text too long", "The program is larger than the parser accepts."),
    "E109": Code("number too long", "A number has more digits, or a larger exponent, than the parser accepts."),
    "E110": Code("unnamed after named", "An argument by position, or a parameter without default, follows a named one."),
    "E401": Code("no conversion", "Text and numbers share no space, so neither converts to the other."),
    "E501": Code("not in its space", "A value is outside the space it was declared in or converted to."),
    "E502": Code("no data of ToLang", "Data from outside holds something that is no truth value, number or text."),
    "E503": Code("ragged data", "Nested data has rows of different lengths or depths."),
    "E504": Code("lists do not fit", "Data has lists of another capacity, or other component names, than declared."),
    "E505": Code("whole number too large", "A result is beyond the 64-bit integers that hold Z, or absurdly long."),
    "E506": Code("division by zero", "A whole or rational number was divided by zero, which has no exact value."),
    "E507": Code("shape too large", "A shape has more than 2^63-1 elements."),
    "E508": Code("not enough memory", "A value needs more memory than this machine has."),
    "E509": Code("impossible length", "A length is below zero."),
    "E510": Code("shapes differ", "The components of a ToL, or a value and its use, have different shapes."),
    "E511": Code("missing value", "Data from outside has a missing value (None, or an Arrow null)."),
    "E512": Code("no such exchange", "A value cannot be passed on in the form asked for."),
    "E516": Code("shape not as declared", "An input has another shape than its declaration and the sizes give."),
    "E517": Code("size not given", "A size variable follows from no input's shape and was not given by name."),
    "E518": Code("law broken", "A function is declared associative, and values were found for which it is not."),
    "E601": Code("no such engine", "The engine asked for does not exist."),
    "E602": Code("nothing to run", "A program that exports no value was run."),
    "E603": Code("inputs do not fit", "An input or argument is missing, unknown, given twice or one too many."),
    "E604": Code("cannot read", "A file is not there, may not be read, or is not UTF-8 text."),
    "E605": Code("no amount", "A size, or a limit, is not the whole number it must be."),
    "E606": Code("no such function", "The function asked for is not exported by the program."),
    "E607": Code("kind of file", "A file's extension tells no format, or its format cannot hold the value."),
    "E608": Code("no data in the file", "A file of data is damaged, cut short, pickled, or lacks what was asked for."),
    "E609": Code("cannot write", "A file cannot be written where it was asked for."),
}
