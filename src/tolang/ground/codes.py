"""The index of error codes: one row a code, with its title, what it means, and a way out.

`docs/errors.md` is generated from this table, and a test holds every code raised in the project against it.
Codes: 1xx text, 2xx names and calls, 3xx ranks, sizes and coordinates, 4xx spaces and lists, 5xx data and running,
6xx use of the tool, 7xx ONNX models, 8xx derivatives.
"""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Code:
    """What a code says: its title, what it means, and the way out that most often helps."""

    title: str
    meaning: str
    fix: str


CODES: dict[str, Code] = {
    "E101": Code(
        "unexpected text",
        "The parser met a word or sign that cannot stand here.",
        "Look at what stands before the caret: an operator, a bracket or a comma is missing or one too many.",
    ),
    "E102": Code(
        "unclosed bracket",
        "A bracket, bar or brace was opened and never closed, or closed by another kind.",
        "Write the closing bracket where it belongs; in a line of its own each `(`, `[`, `{` and `|` has its partner.",
    ),
    "E103": Code(
        "unknown character",
        "The text holds a character that is no part of ToLang.",
        "Write the sign that the message names; text stands between straight single quotes.",
    ),
    "E104": Code(
        "unclosed text",
        "A quoted text does not end on its line.",
        "Close the text with `'` on its line; a quote inside it is written twice.",
    ),
    "E105": Code(
        "nested too deeply",
        "Brackets, signs or branches nest too deeply, or a chain of operators is too long.",
        "Give a name to an inner part, `inner = …`, and use the name.",
    ),
    "E106": Code(
        "malformed head",
        "What stands left of `=`, `:=` or `->` is not a name, a list of names or a call of names.",
        "Write `name = …`, `f(x, y) = …` or `(x, r) = …`.",
    ),
    "E107": Code(
        "doubled operator",
        "`**`, `* *` or `//` was written: power is `^`, `*` as an operand is the current element, `//` a comment.",
        "Write `x ^ y` for a power, `* * y` for the current element times y.",
    ),
    "E108": Code(
        "text too long",
        "The program is larger than the parser accepts.",
        "Give large data as an input, `tol a: R [n]`, and move definitions into modules.",
    ),
    "E109": Code(
        "number too long",
        "A number has more digits, or a larger exponent, than the parser accepts.",
        "Write fewer digits; `Inf` is infinity.",
    ),
    "E110": Code(
        "unnamed after named",
        "An argument by position, or a parameter without default, follows a named one.",
        "Move what has no name before what has one.",
    ),
    "E201": Code(
        "unknown name",
        "A name is used that nothing around it defines.",
        "Correct the spelling, define the name, declare it as an input, or `use` the module that has it.",
    ),
    "E202": Code(
        "unknown module",
        "`use` names a module that is neither a file nor of the library.",
        "Correct the path or name; a file lies beside the text that uses it, or in a folder of `TOL_PATH`.",
    ),
    "E203": Code(
        "number of arguments",
        "A function or primitive has too few or too many arguments.",
        "Give as many arguments as the message shows.",
    ),
    "E204": Code(
        "no value",
        "A function, or a type list, stands where a value is expected.",
        "Call the function, or pass it to `map` or `reduce`.",
    ),
    "E205": Code(
        "named argument",
        "An argument is named that the function does not have, or is given twice.",
        "Use the names of parameters that the message shows, each once.",
    ),
    "E206": Code(
        "defined twice",
        "A name is defined or declared twice in one scope, or a list names two components alike.",
        "Choose another name for one of the two.",
    ),
    "E207": Code(
        "recursion",
        "A definition would use itself, directly or through others; repetition is a fold.",
        "Write the repetition as a fold: `reduce(tol[n], (s, x) -> …, start)`.",
    ),
    "E208": Code(
        "malformed iterator names",
        "The names of a map's or reduce's coordinates are not `j`, `[i,j]` or `*c`.",
        "Write `j`, `[i,j]` or `*c` as the last argument.",
    ),
    "E209": Code(
        "no function",
        "Something stands where a function is expected, in `reduce` or in a composition.",
        "Give a function, such as `add`, `(s, x) -> …` or the name of a definition.",
    ),
    "E210": Code(
        "program too large",
        "The program, with its calls written out, is larger than the checker accepts.",
        "Call functions on whole ToLs, outside of maps: a call that is the same for all is checked once.",
    ),
    "E211": Code(
        "no map around",
        "`*`, `iter` or `*t` stands where no map gives it a meaning.",
        "Put it into the second argument of a `map`; in `reduce` name the element, `(s, x) -> …`.",
    ),
    "E212": Code(
        "calls too deep",
        "Expressions nest deeper than the checker accepts, once calls are written out.",
        "Let fewer functions call one another in a chain; fold, where the chain is regular.",
    ),
    "E213": Code(
        "own derivative",
        "A derivative that a definition carries stands alone, takes or gives other than it must, or uses other names.",
        "Write `derivative f(x, d) = …` beside `f(x)`, with its parameters and the cotangent, and of nothing else.",
    ),
    "E214": Code(
        "modules clash",
        "Two modules bring one name, a module of the library is also a file, or something hides the name of a module.",
        "Give one of them a name of its own, `use helpers as h`, or choose another name.",
    ),
    "E215": Code(
        "circle of modules",
        "Files use each other, and none of them could be read first.",
        "Move what both need into a third module that uses neither.",
    ),
    "E216": Code(
        "no module",
        "A file that is used as a module declares ToLs, which only a program has.",
        "Make the data a parameter of the module's functions.",
    ),
    "E301": Code(
        "shapes differ",
        "Shapes that must be equal are not; nothing but numerics extends.",
        "Say with `map` and names of coordinates which elements meet, or `broadcast_to` one of the shapes.",
    ),
    "E302": Code(
        "wrong rank",
        "A ToL has too few or too many dimensions for what is done with it.",
        "Give as many coordinates or names as there are dimensions; `*c` stands for any number of them.",
    ),
    "E303": Code(
        "outside the shape",
        "A coordinate or range is certainly outside its ToL: seen before running.",
        "Count from 1, up to the length; the last element of a vector is `v[|v|[1]]`.",
    ),
    "E304": Code(
        "no coordinate",
        "Something that is no real number stands where a coordinate or length is expected.",
        "Use a numeric as a coordinate or length; to gather by a vector of data, `map(idx, k -> t[k])`.",
    ),
    "E305": Code(
        "impossible length",
        "A length is certainly below zero, or a block is empty inside a block.",
        "Let the length be at least 0, as with `if n > k then n-k else 0`.",
    ),
    "E306": Code(
        "bundle or ranks",
        "ToLs of different shapes stand where one ToL, or ToLs of one rank, are expected.",
        "Take one part with `[j]'`, name the parts, `(x, r) = s`, or make the shapes equal.",
    ),
    "E307": Code(
        "shape varies",
        "The elements of a map have a shape that depends on the element.",
        "Make each element of one shape, by a fold or by padding.",
    ),
    "E308": Code(
        "state changes",
        "The step of a fold gives another kind of state than it takes.",
        "Let the step give the kind of state that it takes: the same parts, spaces and number of dimensions.",
    ),
    "E309": Code(
        "several lengths",
        "More than one length grows in a fold, or differs between the branches of an `if`.",
        "Let one length grow in a fold; keep the others in ToLs of a fixed length and a count.",
    ),
    "E310": Code(
        "not known while checking",
        "A component, dimension or capacity must be known while checking, and is not.",
        "Write the number, or a size that is a constant; a component may be named.",
    ),
    "E311": Code(
        "no permutation",
        "The order of `swap` does not name every coordinate once.",
        "Name each coordinate once: `[2,1]`, `[1,3,2]`.",
    ),
    "E312": Code(
        "shape too large",
        "A shape has more than 2^63-1 elements: seen before running.",
        "Correct the lengths; a fold or map over coordinates needs no ToL of all of them.",
    ),
    "E401": Code(
        "type lists do not meet",
        "Lists that come together have other capacities, or mix text and numbers.",
        "Convert to common spaces, or keep text and numbers in different components.",
    ),
    "E402": Code(
        "no meaning on these spaces",
        "A function or conversion is not defined on the spaces of its arguments.",
        "Convert first, `convert(t, [R])`, or take another function.",
    ),
    "E403": Code(
        "capacities differ",
        "Lists have another number of components than is needed here.",
        "Give lists of the same number of components, or name each part of a pattern.",
    ),
    "E404": Code(
        "malformed space",
        "A type space, its bounds or a type list is unknown or malformed.",
        "Write one of the spaces that the message lists, or declare it: `space byte: N [0,255]`.",
    ),
    "E405": Code(
        "no such component",
        "A list or bundle has no component of that position or name.",
        "Use a position from 1 to the capacity, or one of the names.",
    ),
    "E406": Code(
        "no condition",
        "What stands after `if` is not one truth value.",
        "Compare: `if x > 0 then …`; of a ToL, `where(c, a, b)` chooses element by element.",
    ),
    "E407": Code(
        "a number that does not fit",
        "A whole number that is known while checking meets machine integers, whose type it would take, and is none of "
        "theirs: it would wrap around unseen.",
        "Convert what it meets to a wider type, `convert(x, [i16]) + 300`, or declare it in `N` or `Z`, where there is "
        "room.",
    ),
    "E501": Code(
        "not in its space",
        "A value is outside the space it was declared in or converted to.",
        "Correct the value, or declare a wider space.",
    ),
    "E502": Code(
        "no data of ToLang",
        "Data from outside holds something that is no truth value, number or text.",
        "Give numbers, truth values or text.",
    ),
    "E503": Code(
        "ragged data",
        "Nested data has rows of different lengths or depths.",
        "Give each row the same length; pad the short ones.",
    ),
    "E504": Code(
        "lists do not fit",
        "Data has lists of another capacity, or other component names, than declared.",
        "Give lists with the components of the declaration, in its order or by its names.",
    ),
    "E505": Code(
        "whole number too large",
        "A result is beyond the 64-bit integers that hold Z, or absurdly long.",
        "Compute in R or Q, `convert(x, [Q])`, or declare a machine integer, which wraps.",
    ),
    "E506": Code(
        "division by zero",
        "A whole or rational number was divided by zero, which has no exact value.",
        "Choose by `if`: `if y == 0 then … else x / y`; reals give Inf.",
    ),
    "E507": Code(
        "shape too large",
        "A shape has more than 2^63-1 elements.",
        "Correct the lengths; a fold or map over coordinates needs no ToL of all of them.",
    ),
    "E508": Code(
        "not enough memory",
        "A value needs more memory than can be had, or than its run was allowed.",
        "Give less at once, use a narrower space, or run in pieces: `tol run --memory`.",
    ),
    "E509": Code("impossible length", "A length is below zero.", "Correct the length, or keep it at least 0 by `if`."),
    "E510": Code(
        "shapes differ",
        "The components of a ToL, or a value and its use, have different shapes.",
        "Give arrays of one shape.",
    ),
    "E511": Code(
        "missing value",
        "Data from outside has a missing value (None, an Arrow null, a masked array).",
        "Fill or leave out what is missing before it is given.",
    ),
    "E512": Code(
        "no such exchange",
        "A value cannot be passed on in the form asked for.",
        "Ask for one component, `t[1]'`, or for `to_list()`.",
    ),
    "E513": Code(
        "outside the shape",
        "A coordinate or range was outside its ToL: seen while running.",
        "Correct the coordinate, or ask first: `if inside then t[c] else 0`.",
    ),
    "E514": Code(
        "no permutation",
        "The order of `swap`, read from data, does not name every coordinate once.",
        "Give an order that names each coordinate once.",
    ),
    "E515": Code(
        "sizes do not fit",
        "A condition on sizes does not hold for the sizes of this data.",
        "Give data whose lengths fit together as the message says.",
    ),
    "E516": Code(
        "shape not as declared",
        "An input has another shape than its declaration and the sizes give.",
        "Give data of the declared shape, or declare the shape of the data.",
    ),
    "E517": Code(
        "size not given",
        "A size variable follows from no input's shape and was not given by name.",
        "Give it by name, `program(x, n=3)` or `tol run p.tol n=3`, or declare an input whose shape has it.",
    ),
    "E518": Code(
        "law broken",
        "A function is declared associative, and values were found for which it is not.",
        "Leave `associative` out, or mend the function.",
    ),
    "E519": Code(
        "compiled check failed",
        "Compiled code met a value that it refuses, in a run too long to repeat.",
        'Run it again with `engine="interpret"`, or `--engine interpret`, which tells the value.',
    ),
    "E520": Code(
        "derivative wrong",
        "A definition carries a derivative, and values were found for which it is wrong.",
        "Mend the derivative at the values that the message shows, or leave it out.",
    ),
    "E601": Code(
        "no such engine", "The engine asked for does not exist.", "Choose one of the engines that the message lists."
    ),
    "E602": Code(
        "nothing to run",
        "A program that exports no value was run.",
        "Export a value, `y := …`, or call one of the functions.",
    ),
    "E603": Code(
        "inputs do not fit",
        "An input or argument is missing, unknown, given twice or one too many.",
        "Give each input once, by its name or in the order of declaration.",
    ),
    "E604": Code(
        "cannot read",
        "A file is not there, may not be read, or is not UTF-8 text.",
        "Correct the path, or save the file as UTF-8.",
    ),
    "E605": Code(
        "no amount",
        "A size, or a limit, is not the whole number it must be.",
        "Give a whole number that is not negative.",
    ),
    "E606": Code(
        "no such function",
        "The function asked for is not exported by the program.",
        "Export it, `f(x) := …`, or call one of those that the message lists.",
    ),
    "E607": Code(
        "kind of file",
        "A file's extension tells no format, or its format cannot hold the value.",
        "Use one of the endings that the message lists.",
    ),
    "E608": Code(
        "no data in the file",
        "A file of data is damaged, cut short, pickled, or lacks what was asked for.",
        "Save the data again, and name the array or column that is meant.",
    ),
    "E609": Code(
        "cannot write",
        "A file cannot be written where it was asked for.",
        "Make the folder, or choose one that may be written to.",
    ),
    "E611": Code(
        "beyond the limit",
        "A program would cost more EOPs, or more memory, than its run was allowed.",
        "Allow more, or run at smaller sizes.",
    ),
    "E612": Code(
        "columns do not fit",
        "A table, or a picture, has other columns than the declaration of an input.",
        "Rename the columns, or declare those of the table.",
    ),
    "E613": Code(
        "package missing",
        "A format of files needs a package that is not installed.",
        "Install the package that the message names.",
    ),
    "E614": Code(
        "beyond the bridge",
        "A call from another library asks for something that its arrays, or a program, cannot do.",
        "Give arrays of one library, of numbers; the page on bridges says what each can do.",
    ),
    "E615": Code(
        "other memory",
        "An array lies in the memory of a device that no engine reaches, such as a GPU.",
        "Copy it to the host's memory first.",
    ),
    "E616": Code(
        "memory for pieces",
        "A program does not fit into the memory it was given, however it is cut into pieces.",
        "Give as much memory as the message asks for.",
    ),
    "E617": Code(
        "cluster",
        "Workers of a cluster, or its scheduler, were lost while a program was running, or are unlike each other.",
        "Start workers of one version of ToLang, and run again.",
    ),
    "E618": Code(
        "not in pieces",
        "A program was asked to run in pieces, and something in it cannot.",
        "Run it whole, without `within` or `--memory`, or leave out the part that the message names.",
    ),
    "E620": Code(
        "too many atoms",
        "The program, written out in atomic computations at these sizes, is too large.",
        "Choose smaller sizes.",
    ),
    "E621": Code(
        "atoms need data",
        "How many atomic computations a program takes depends on data that was not given.",
        "Give the data with `--input`.",
    ),
    "E610": Code(
        "beyond the engine",
        "The engine cannot run a program, and falling back to the interpreter was refused.",
        "Leave `fallback=False`, or `--no-fallback`, out, or write the part that the message names in another way.",
    ),
    "E801": Code(
        "no derivative",
        "Something that a gradient goes through has no derivative, or none that is known here.",
        "Take the derivative of another part, or write one: `derivative f(x, d) = …`; `stop(x)` is a constant.",
    ),
    "E802": Code(
        "nothing to differentiate",
        "A derivative is asked of an output, or by an input, that is not there or not real.",
        "Name an output that is real, and inputs of real numbers.",
    ),
    "E803": Code(
        "name taken",
        "A cotangent would be called like something else; `names` gives it another name.",
        'Give another name, `names={"z": "…"}`, or rename it in the program.',
    ),
    "E701": Code(
        "no such operator",
        "An ONNX model uses an operator that has no definition here.",
        'Define it in a file of operators: `operators="mine.tol"`, or `--operators mine.tol`.',
    ),
    "E702": Code(
        "damaged model",
        "An ONNX model is cut short, contradicts itself, or uses a value that nothing gives.",
        "Export the model again; `onnx.checker` says more.",
    ),
    "E703": Code(
        "node does not fit",
        "A node of an ONNX model has inputs or attributes that its operator cannot take.",
        "Give the node what its operator takes at the model's opset.",
    ),
    "E704": Code(
        "no such element type",
        "An ONNX model has tensors of elements that no space holds.",
        "Convert the tensors to a type of ONNX that has a space.",
    ),
    "E705": Code(
        "data does not fit",
        "Data given to an ONNX model is missing, unknown, or of another type or shape.",
        "Give the inputs that the message lists, in their types and shapes.",
    ),
    "E706": Code(
        "data out of reach",
        "An ONNX model keeps data in a file that is not there or not in its own folder.",
        "Keep the data in the folder of the model.",
    ),
}

WARNINGS: dict[str, Code] = {
    "W101": Code(
        "repeated work",
        "A loop computes the same value in every turn. Compiled code computes it once; EOPs count every turn.",
        "Name the value above the loop, as `m = mean(x)`, and read the name inside; editors do it by a quick fix.",
    ),
    "W102": Code(
        "rounded before exact",
        "A literal or a quotient of whole numbers is a float, and rounded, before it becomes an exact rational.",
        "Convert what is divided: `convert(1, [Q]) / 3`.",
    ),
}
"""What is right and could be better: told by `tol check`, the prompt and editors."""
