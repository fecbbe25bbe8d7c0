"""The index of error codes: a row for each, with its title, its meaning and a fix.

`docs/errors.md` is generated from this table, and a test holds every code raised in the project against it.
Codes: 1xx text, 2xx names and calls, 3xx ranks, sizes and coordinates, 4xx spaces and lists, 5xx data and running,
6xx use of the tool, 7xx ONNX models, 8xx derivatives.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """What a code says: its title, its meaning, and the fix that most often helps."""

    title: str
    meaning: str
    fix: str


CODES: dict[str, ErrorCode] = {
    "E101": ErrorCode(
        "unexpected text",
        "The parser met a word or sign that cannot stand here.",
        "Check the source before the caret: an operator, bracket or comma is missing or superfluous.",
    ),
    "E102": ErrorCode(
        "unclosed bracket",
        "A bracket, bar or brace was opened and never closed, or closed by another kind.",
        "Add the closing bracket: every `(`, `[`, `{` and `|` needs its partner.",
    ),
    "E103": ErrorCode(
        "unknown character",
        "The source contains a character that ToLang does not use.",
        "Write the sign that the message names; put text between straight single quotes.",
    ),
    "E104": ErrorCode(
        "unclosed text",
        "A quoted text does not end on its line.",
        "Close the text with `'` on its line; a quote inside it is written twice.",
    ),
    "E105": ErrorCode(
        "nested too deeply",
        "Brackets, signs or branches nest too deeply, or a chain of operators is too long.",
        "Give a name to an inner part, `inner = …`, and use the name.",
    ),
    "E106": ErrorCode(
        "malformed head",
        "What stands left of `=`, `:=` or `->` is not a name, a list of names or a call of names.",
        "Write `name = …`, `f(x, y) = …` or `(x, r) = …`.",
    ),
    "E107": ErrorCode(
        "doubled operator",
        "`**`, `* *` or `//` was written: power is `^`, `*` as an operand is the current element, `//` a comment.",
        "Write `x ^ y` for a power, `* * y` for the current element times y.",
    ),
    "E108": ErrorCode(
        "text too long",
        "The program is larger than the parser accepts.",
        "Give large data as an input, `tol a: R [n]`, and move definitions into modules.",
    ),
    "E109": ErrorCode(
        "number too long",
        "A number has more digits, or a larger exponent, than the parser accepts.",
        "Write fewer digits; `Inf` is infinity.",
    ),
    "E110": ErrorCode(
        "unnamed after named",
        "An argument by position, or a parameter without default, follows a named one.",
        "Put unnamed arguments, and parameters without a default, first.",
    ),
    "E201": ErrorCode(
        "unknown name",
        "The program uses a name that nothing in its scope defines.",
        "Correct the spelling, define the name, declare it as an input, or `use` the module that has it.",
    ),
    "E202": ErrorCode(
        "unknown module",
        "`use` names a module that is neither a file nor part of the library.",
        "Correct the path or name; a file must be beside the source that uses it, or in a folder of `TOL_PATH`.",
    ),
    "E203": ErrorCode(
        "wrong number of arguments",
        "A function or primitive has too few or too many arguments.",
        "Give the number of arguments that the message shows.",
    ),
    "E204": ErrorCode(
        "not a value",
        "A function, or a type list, stands where a value is expected.",
        "Call the function, or pass it to `map` or `reduce`.",
    ),
    "E205": ErrorCode(
        "named argument",
        "A call names a parameter that the function does not have, or gives one twice.",
        "Use the parameter names that the message shows, each once.",
    ),
    "E206": ErrorCode(
        "defined twice",
        "A name is defined or declared twice in one scope, or a list names two components alike.",
        "Choose another name for one of the two.",
    ),
    "E207": ErrorCode(
        "recursion",
        "A definition uses itself, directly or through others; ToLang has no recursion.",
        "Write the repetition as a fold: `reduce(tol[n], (s, x) -> …, start)`.",
    ),
    "E208": ErrorCode(
        "malformed iterator names",
        "The names of a map's or reduce's coordinates are not `j`, `[i,j]` or `*c`.",
        "Write `j`, `[i,j]` or `*c` as the last argument.",
    ),
    "E209": ErrorCode(
        "not a function",
        "Something stands where a function is expected, in `reduce` or in a composition.",
        "Give a function, such as `add`, `(s, x) -> …` or the name of a definition.",
    ),
    "E210": ErrorCode(
        "program too large",
        "The program is larger than the checker accepts, after its calls are expanded.",
        "Call functions on whole ToLs, outside maps: equal calls are checked once.",
    ),
    "E211": ErrorCode(
        "star outside a map",
        "`*`, `iter` or `*t` stands outside any map that would give it a meaning.",
        "Put it into the second argument of a `map`; in `reduce` name the element, `(s, x) -> …`.",
    ),
    "E212": ErrorCode(
        "calls too deep",
        "Expressions nest deeper than the checker accepts, after calls are expanded.",
        "Shorten the chain of functions that call one another; if it is regular, write a fold.",
    ),
    "E213": ErrorCode(
        "own derivative",
        "A `derivative` has no function of its name, has the wrong parameters or results, or uses names from outside.",
        "Write `derivative f(x, d) = …` beside `f(x)`: it takes the same parameters and the cotangent, and uses "
        "nothing else.",
    ),
    "E214": ErrorCode(
        "modules clash",
        "Two modules define one name, a file has the name of a library module, or a name hides that of a module.",
        "Import one of them under a name of its own, `use helpers as h`, or rename it.",
    ),
    "E215": ErrorCode(
        "circle of modules",
        "Modules use each other in a circle, so none of them can be read first.",
        "Move what both need into a third module that uses neither.",
    ),
    "E216": ErrorCode(
        "not a module",
        "A file that is used as a module declares inputs, which only a program can have.",
        "Make the data a parameter of the module's functions.",
    ),
    "E301": ErrorCode(
        "shapes differ",
        "Shapes that must be equal differ; only numerics broadcast.",
        "Write with `map` and coordinate names which elements meet, or `broadcast_to` one of the shapes.",
    ),
    "E302": ErrorCode(
        "wrong rank",
        "A ToL has too few or too many dimensions for this operation.",
        "Give as many coordinates or names as there are dimensions; `*c` stands for any number of them.",
    ),
    "E303": ErrorCode(
        "outside the shape",
        "A coordinate or slice is outside its ToL; the checker found it before running.",
        "Count from 1, up to the length; the last element of a vector is `v[|v|[1]]`.",
    ),
    "E304": ErrorCode(
        "not a coordinate",
        "Something that is no real number stands where a coordinate or length is expected.",
        "Use a numeric as a coordinate or length; to gather by a vector of data, write `map(idx, k -> t[k])`.",
    ),
    "E305": ErrorCode(
        "impossible length",
        "A length is certainly below zero, or a block is empty inside a block.",
        "Keep the length at least 0, for example with `if n > k then n-k else 0`.",
    ),
    "E306": ErrorCode(
        "bundle or ranks",
        "ToLs of different shapes stand where one ToL, or ToLs of one rank, are expected.",
        "Take one part with `[j]'`, name the parts, `(x, r) = s`, or make the shapes equal.",
    ),
    "E307": ErrorCode(
        "shape varies",
        "The elements of a map have a shape that depends on the element.",
        "Give every element the same shape, by a fold or by padding.",
    ),
    "E308": ErrorCode(
        "state changes",
        "The step of a fold returns a state of another kind than it takes.",
        "Return the same parts, spaces and number of dimensions that the step takes.",
    ),
    "E309": ErrorCode(
        "several lengths",
        "More than one length grows in a fold, or differs between the branches of an `if`.",
        "Let one length grow in a fold; keep the others in ToLs of a fixed length and a count.",
    ),
    "E310": ErrorCode(
        "not known while checking",
        "A component, dimension or capacity must be known while checking, but is not.",
        "Write the number, or a size that is a constant; a component may be named.",
    ),
    "E311": ErrorCode(
        "not a permutation",
        "The order of `swap` does not name every coordinate once.",
        "Name each coordinate once: `[2,1]`, `[1,3,2]`.",
    ),
    "E312": ErrorCode(
        "shape too large",
        "A shape has more than 2^63-1 elements; the checker found it before running.",
        "Correct the lengths; a fold or map over coordinates does not store them.",
    ),
    "E401": ErrorCode(
        "type lists differ",
        "Lists that are combined have different capacities, or one has text where the other has numbers.",
        "Convert to common spaces, or keep text and numbers in different components.",
    ),
    "E402": ErrorCode(
        "no meaning on these spaces",
        "A function or conversion is not defined on the spaces of its arguments.",
        "Convert first, `convert(t, [R])`, or use another function.",
    ),
    "E403": ErrorCode(
        "capacities differ",
        "Lists have more or fewer components than are needed here.",
        "Give lists of the same number of components, or name each part of a pattern.",
    ),
    "E404": ErrorCode(
        "malformed space",
        "A type space, its bounds or a type list is unknown or malformed.",
        "Write one of the spaces that the message lists, or declare it: `space byte: N [0,255]`.",
    ),
    "E405": ErrorCode(
        "no such component",
        "A list or bundle has no component of that position or name.",
        "Use a position from 1 to the capacity, or one of the names.",
    ),
    "E406": ErrorCode(
        "not a condition",
        "What stands after `if` is not one truth value.",
        "Compare: `if x > 0 then …`; of a ToL, `where(c, a, b)` chooses element by element.",
    ),
    "E407": ErrorCode(
        "a number that does not fit",
        "A whole number would take the type of the machine integers beside it, but does not fit them and would wrap.",
        "Convert the other operand to a wider type, `convert(x, [i16]) + 300`, or declare it in `N` or `Z`.",
    ),
    "E501": ErrorCode(
        "not in its space",
        "A value is outside the space it was declared in or converted to.",
        "Correct the value, or declare a wider space.",
    ),
    "E502": ErrorCode(
        "not data of ToLang",
        "Data from outside contains something other than truth values, numbers and text.",
        "Give numbers, truth values or text.",
    ),
    "E503": ErrorCode(
        "ragged data",
        "Nested data has rows of different lengths or depths.",
        "Give each row the same length; pad the short ones.",
    ),
    "E504": ErrorCode(
        "lists do not fit",
        "Data has lists of another capacity, or with other component names, than the declaration.",
        "Give lists with the declared components, in the same order or by name.",
    ),
    "E505": ErrorCode(
        "whole number too large",
        "A result does not fit the 64-bit integers that store Z, or an exact number has too many digits.",
        "Compute in R or Q, `convert(x, [Q])`, or declare a machine integer, which wraps.",
    ),
    "E506": ErrorCode(
        "division by zero",
        "A whole or rational number was divided by zero.",
        "Guard with `if`: `if y == 0 then … else x / y`; reals give Inf.",
    ),
    "E507": ErrorCode(
        "shape too large",
        "A shape has more than 2^63-1 elements.",
        "Correct the lengths; a fold or map over coordinates does not store them.",
    ),
    "E508": ErrorCode(
        "not enough memory",
        "A value needs more memory than the machine has free, or than its run may use.",
        "Use less data at once or a narrower space, or run in pieces: `tol run --memory`.",
    ),
    "E509": ErrorCode(
        "impossible length", "A length is below zero.", "Correct the length, or keep it at least 0 with `if`."
    ),
    "E510": ErrorCode(
        "shapes differ",
        "The components of a ToL, or a value and its use, have different shapes.",
        "Give arrays of one shape.",
    ),
    "E511": ErrorCode(
        "missing value",
        "Data from outside has a missing value (None, an Arrow null, a masked array).",
        "Fill in or drop missing values first.",
    ),
    "E512": ErrorCode(
        "no such exchange",
        "A value cannot be converted to the requested form.",
        "Ask for one component, `t[1]'`, or use `to_list()`.",
    ),
    "E513": ErrorCode(
        "outside the shape",
        "A coordinate or slice was outside its ToL at run time.",
        "Correct the coordinate, or guard it: `if inside then t[c] else 0`.",
    ),
    "E514": ErrorCode(
        "not a permutation",
        "The order of `swap`, read from data, does not name every coordinate once.",
        "Give an order that names each coordinate once.",
    ),
    "E515": ErrorCode(
        "sizes do not fit",
        "A condition on sizes does not hold for the sizes of this data.",
        "Give data whose lengths fit together as the message says.",
    ),
    "E516": ErrorCode(
        "shape not as declared",
        "The shape of an input differs from its declaration.",
        "Give data of the declared shape, or declare the shape of the data.",
    ),
    "E517": ErrorCode(
        "size not given",
        "No input's shape determines a size variable, and the caller did not give it by name.",
        "Give it by name, `program(x, n=3)` or `tol run p.tol n=3`, or declare an input whose shape has it.",
    ),
    "E518": ErrorCode(
        "law broken",
        "A function is declared associative, but is not for some values.",
        "Remove `associative`, or correct the function.",
    ),
    "E519": ErrorCode(
        "compiled check failed",
        "Compiled code met a value that it refuses, in a run too long to repeat.",
        'Run it again with `engine="interpret"`, or `--engine interpret`, which names the value.',
    ),
    "E520": ErrorCode(
        "derivative wrong",
        "The derivative that a definition carries is wrong for some values.",
        "Correct the derivative at the values that the message shows, or remove it.",
    ),
    "E601": ErrorCode(
        "no such engine", "There is no engine of this name.", "Choose one of the engines that the message lists."
    ),
    "E602": ErrorCode(
        "nothing to run",
        "A program that exports no value was run.",
        "Export a value, `y := …`, or call one of the functions.",
    ),
    "E603": ErrorCode(
        "inputs do not fit",
        "An input or argument is missing, unknown, given twice or one too many.",
        "Give each input once, by its name or in the order of declaration.",
    ),
    "E604": ErrorCode(
        "cannot read",
        "A file does not exist, is not readable, or is not UTF-8 text.",
        "Correct the path, or save the file as UTF-8.",
    ),
    "E605": ErrorCode(
        "not an amount",
        "A size or a limit is not a whole number, as it must be.",
        "Give a whole number that is not negative.",
    ),
    "E606": ErrorCode(
        "no such function",
        "The program does not export this function.",
        "Export it, `f(x) := …`, or call one of those that the message lists.",
    ),
    "E607": ErrorCode(
        "file format",
        "The extension of a file names no known format, or the format cannot hold the value.",
        "Use one of the extensions that the message lists.",
    ),
    "E608": ErrorCode(
        "no data in the file",
        "A data file is damaged, cut short or pickled, or lacks the requested data.",
        "Save the data again, or name the array or column that you mean.",
    ),
    "E609": ErrorCode(
        "cannot write",
        "A file cannot be written to this place.",
        "Create the folder, or choose a writable one.",
    ),
    "E611": ErrorCode(
        "beyond the limit",
        "A program needs more EOPs, or more memory, than the limit of its run.",
        "Allow more, or run at smaller sizes.",
    ),
    "E612": ErrorCode(
        "columns do not fit",
        "A table, or a picture, has other columns than the declaration of an input.",
        "Rename the columns, or declare those of the table.",
    ),
    "E613": ErrorCode(
        "package missing",
        "A format of files needs a package that is not installed.",
        "Install the package that the message names.",
    ),
    "E614": ErrorCode(
        "beyond the bridge",
        "A call from another library needs something that its arrays, or a program, cannot do.",
        "Give arrays of numbers, all of one library; the page on bridges says what each can do.",
    ),
    "E615": ErrorCode(
        "other memory",
        "An array lies in the memory of a device that no engine reaches, such as a GPU.",
        "Copy it to host memory first.",
    ),
    "E616": ErrorCode(
        "memory for pieces",
        "A program does not fit into its memory limit, however it is cut into pieces.",
        "Allow as much memory as the message says.",
    ),
    "E617": ErrorCode(
        "cluster",
        "Workers of a cluster, or its scheduler, were lost during a run, or the workers differ.",
        "Start workers of the same version of ToLang on like processors, and run again.",
    ),
    "E618": ErrorCode(
        "not in pieces",
        "Part of a program cannot run in pieces.",
        "Run it whole, without `within` or `--memory`, or remove the part that the message names.",
    ),
    "E620": ErrorCode(
        "too many atoms",
        "The program, written out in atomic computations at these sizes, is too large.",
        "Choose smaller sizes.",
    ),
    "E621": ErrorCode(
        "atoms need data",
        "The number of atomic computations depends on data that was not given.",
        "Give the data with `--input`.",
    ),
    "E610": ErrorCode(
        "beyond the engine",
        "The engine cannot run a program, and the fallback to the interpreter is turned off.",
        "Remove `fallback=False`, or `--no-fallback`, or rewrite the part that the message names.",
    ),
    "E801": ErrorCode(
        "no derivative",
        "A function on the path of a gradient has no derivative, or none that is known here.",
        "Differentiate another part, or write one: `derivative f(x, d) = …`; `stop(x)` is a constant.",
    ),
    "E802": ErrorCode(
        "nothing to differentiate",
        "The output or input of a derivative does not exist, or is not real.",
        "Name a real output, and inputs of real numbers.",
    ),
    "E803": ErrorCode(
        "name taken",
        "A cotangent would get a name that is taken.",
        'Give another name, `names={"z": "…"}`, or rename the other in the program.',
    ),
    "E701": ErrorCode(
        "no such operator",
        "An ONNX model uses an operator that has no definition here.",
        'Define it in a file of operators: `operators="mine.tol"`, or `--operators mine.tol`.',
    ),
    "E702": ErrorCode(
        "damaged model",
        "An ONNX model is cut short, contradicts itself, or uses a value that nothing computes.",
        "Export the model again; `onnx.checker` says more.",
    ),
    "E703": ErrorCode(
        "node does not fit",
        "A node of an ONNX model has inputs or attributes that its operator cannot take.",
        "Give the node what its operator takes at the model's opset.",
    ),
    "E704": ErrorCode(
        "no such element type",
        "An ONNX model has tensors whose element type no space holds.",
        "Convert the tensors to an ONNX type that has a space.",
    ),
    "E705": ErrorCode(
        "data does not fit",
        "Data given to an ONNX model is missing, unknown, or of another type or shape.",
        "Give the inputs that the message lists, with their types and shapes.",
    ),
    "E706": ErrorCode(
        "data out of reach",
        "An ONNX model keeps data in a file that does not exist or is outside its folder.",
        "Keep the data in the folder of the model.",
    ),
}

WARNINGS: dict[str, ErrorCode] = {
    "W101": ErrorCode(
        "repeated work",
        "A loop computes the same value in every iteration. Compiled code computes it once; EOPs count each iteration.",
        "Name the value above the loop, as in `m = mean(x)`, and use the name inside; editors offer this fix.",
    ),
    "W102": ErrorCode(
        "rounded before exact",
        "A literal or a quotient of whole numbers is a float, and rounded, before it becomes an exact rational.",
        "Convert what is divided: `convert(1, [Q]) / 3`.",
    ),
}
"""Warnings of correct programs that could be better: `tol check`, the prompt and editors show them."""
