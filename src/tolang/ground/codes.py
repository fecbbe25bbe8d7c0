"""The index of error codes: one row a code, with its title and what it means.

`docs/errors.md` is generated from this table, and a test holds every code raised in the project against it.
Codes: 1xx text, 2xx names and calls, 3xx ranks, sizes and coordinates, 4xx spaces and lists, 5xx data and running,
6xx use of the tool, 7xx ONNX models, 8xx derivatives.
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
    "E105": Code(
        "nested too deeply",
        "Brackets, signs or branches nest too deeply, or a chain of operators is too long.",
    ),
    "E106": Code(
        "malformed head", "What stands left of `=`, `:=` or `->` is not a name, a list of names or a call of names."
    ),
    "E107": Code(
        "doubled operator", "`**` or `* *` was written: power is `^`, and `*` as an operand is the current element."
    ),
    "E108": Code("text too long", "The program is larger than the parser accepts."),
    "E109": Code("number too long", "A number has more digits, or a larger exponent, than the parser accepts."),
    "E110": Code(
        "unnamed after named", "An argument by position, or a parameter without default, follows a named one."
    ),
    "E201": Code("unknown name", "A name is used that nothing around it defines."),
    "E202": Code("unknown module", "`use` names a module that is neither a file nor of the library."),
    "E203": Code("number of arguments", "A function or primitive has too few or too many arguments."),
    "E204": Code("no value", "A function, or a type list, stands where a value is expected."),
    "E205": Code("named argument", "An argument is named that the function does not have, or is given twice."),
    "E206": Code(
        "defined twice", "A name is defined or declared twice in one scope, or a list names two components alike."
    ),
    "E207": Code("recursion", "A definition would use itself, directly or through others; repetition is a fold."),
    "E208": Code(
        "malformed iterator names", "The names of a map's or reduce's coordinates are not `j`, `[i,j]` or `*c`."
    ),
    "E209": Code("no function", "Something stands where a function is expected, in `reduce` or in a composition."),
    "E210": Code("program too large", "The program, with its calls written out, is larger than the checker accepts."),
    "E211": Code("no map around", "`*`, `iter` or `*t` stands where no map gives it a meaning."),
    "E212": Code("calls too deep", "Expressions nest deeper than the checker accepts, once calls are written out."),
    "E213": Code(
        "own derivative",
        "A derivative that a definition carries stands alone, takes or gives other than it must, or uses other names.",
    ),
    "E214": Code(
        "modules clash",
        "Two modules bring one name, a module of the library is also a file, or something hides the name of a module.",
    ),
    "E215": Code("circle of modules", "Files use each other, and none of them could be read first."),
    "E216": Code("no module", "A file that is used as a module declares ToLs, which only a program has."),
    "E301": Code("shapes differ", "Shapes that must be equal are not; nothing but numerics extends."),
    "E302": Code("wrong rank", "A ToL has too few or too many dimensions for what is done with it."),
    "E303": Code("outside the shape", "A coordinate or range is certainly outside its ToL: seen before running."),
    "E304": Code("no coordinate", "Something that is no real number stands where a coordinate or length is expected."),
    "E305": Code("impossible length", "A length is certainly below zero, or a block is empty inside a block."),
    "E306": Code("bundle or ranks", "ToLs of different shapes stand where one ToL, or ToLs of one rank, are expected."),
    "E307": Code("shape varies", "The elements of a map have a shape that depends on the element."),
    "E308": Code("state changes", "The step of a fold gives another kind of state than it takes."),
    "E309": Code(
        "several lengths", "More than one length grows in a fold, or differs between the branches of an `if`."
    ),
    "E310": Code(
        "not known while checking", "A component, dimension or capacity must be known while checking, and is not."
    ),
    "E311": Code("no permutation", "The order of `swap` does not name every coordinate once."),
    "E312": Code("shape too large", "A shape has more than 2^63-1 elements: seen before running."),
    "E401": Code("type lists do not meet", "Lists that come together have other capacities, or mix text and numbers."),
    "E402": Code(
        "no meaning on these spaces", "A function or conversion is not defined on the spaces of its arguments."
    ),
    "E403": Code("capacities differ", "Lists have another number of components than is needed here."),
    "E404": Code("malformed space", "A type space, its bounds or a type list is unknown or malformed."),
    "E405": Code("no such component", "A list or bundle has no component of that position or name."),
    "E406": Code("no condition", "What stands after `if` is not one truth value."),
    "E501": Code("not in its space", "A value is outside the space it was declared in or converted to."),
    "E502": Code("no data of ToLang", "Data from outside holds something that is no truth value, number or text."),
    "E503": Code("ragged data", "Nested data has rows of different lengths or depths."),
    "E504": Code("lists do not fit", "Data has lists of another capacity, or other component names, than declared."),
    "E505": Code("whole number too large", "A result is beyond the 64-bit integers that hold Z, or absurdly long."),
    "E506": Code("division by zero", "A whole or rational number was divided by zero, which has no exact value."),
    "E507": Code("shape too large", "A shape has more than 2^63-1 elements."),
    "E508": Code("not enough memory", "A value needs more memory than can be had, or than its run was allowed."),
    "E509": Code("impossible length", "A length is below zero."),
    "E510": Code("shapes differ", "The components of a ToL, or a value and its use, have different shapes."),
    "E511": Code("missing value", "Data from outside has a missing value (None, an Arrow null, a masked array)."),
    "E512": Code("no such exchange", "A value cannot be passed on in the form asked for."),
    "E513": Code("outside the shape", "A coordinate or range was outside its ToL: seen while running."),
    "E514": Code("no permutation", "The order of `swap`, read from data, does not name every coordinate once."),
    "E515": Code("sizes do not fit", "A condition on sizes does not hold for the sizes of this data."),
    "E516": Code("shape not as declared", "An input has another shape than its declaration and the sizes give."),
    "E517": Code("size not given", "A size variable follows from no input's shape and was not given by name."),
    "E518": Code("law broken", "A function is declared associative, and values were found for which it is not."),
    "E519": Code("compiled check failed", "Compiled code met a value that it refuses, in a run too long to repeat."),
    "E520": Code("derivative wrong", "A definition carries a derivative, and values were found for which it is wrong."),
    "E601": Code("no such engine", "The engine asked for does not exist."),
    "E602": Code("nothing to run", "A program that exports no value was run."),
    "E603": Code("inputs do not fit", "An input or argument is missing, unknown, given twice or one too many."),
    "E604": Code("cannot read", "A file is not there, may not be read, or is not UTF-8 text."),
    "E605": Code("no amount", "A size, or a limit, is not the whole number it must be."),
    "E606": Code("no such function", "The function asked for is not exported by the program."),
    "E607": Code("kind of file", "A file's extension tells no format, or its format cannot hold the value."),
    "E608": Code("no data in the file", "A file of data is damaged, cut short, pickled, or lacks what was asked for."),
    "E609": Code("cannot write", "A file cannot be written where it was asked for."),
    "E611": Code("beyond the limit", "A program would cost more EOPs, or more memory, than its run was allowed."),
    "E612": Code("columns do not fit", "A table, or a picture, has other columns than the declaration of an input."),
    "E613": Code("package missing", "A format of files needs a package that is not installed."),
    "E614": Code(
        "beyond the bridge", "A call from another library asks for something that its arrays, or a program, cannot do."
    ),
    "E615": Code("other memory", "An array lies in the memory of a device that no engine reaches, such as a GPU."),
    "E616": Code(
        "memory for pieces", "A program does not fit into the memory it was given, however it is cut into pieces."
    ),
    "E617": Code(
        "cluster",
        "Workers of a cluster, or its scheduler, were lost while a program was running, or are unlike each other.",
    ),
    "E618": Code("not in pieces", "A program was asked to run in pieces, and something in it cannot."),
    "E620": Code("too many atoms", "The program, written out in atomic computations at these sizes, is too large."),
    "E621": Code("atoms need data", "How many atomic computations a program takes depends on data that was not given."),
    "E610": Code(
        "beyond the engine", "The engine cannot run a program, and falling back to the interpreter was refused."
    ),
    "E801": Code(
        "no derivative", "Something that a gradient goes through has no derivative, or none that is known here."
    ),
    "E802": Code(
        "nothing to differentiate", "A derivative is asked of an output, or by an input, that is not there or not real."
    ),
    "E803": Code("name taken", "A cotangent would be called like something else; `names` gives it another name."),
    "E701": Code("no such operator", "An ONNX model uses an operator that has no definition here."),
    "E702": Code(
        "damaged model", "An ONNX model is cut short, contradicts itself, or uses a value that nothing gives."
    ),
    "E703": Code(
        "node does not fit", "A node of an ONNX model has inputs or attributes that its operator cannot take."
    ),
    "E704": Code("no such element type", "An ONNX model has tensors of elements that no space holds."),
    "E705": Code("data does not fit", "Data given to an ONNX model is missing, unknown, or of another type or shape."),
    "E706": Code("data out of reach", "An ONNX model keeps data in a file that is not there or not in its own folder."),
}
