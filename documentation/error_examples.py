"""One small example for each error: a program, or a call in Python or on the command line, that meets it."""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Example:
    """What to run: ToLang source and the call of it in Python; or, without source, a command.

    `files` are written beside a command before it is run.
    """

    program: str = ""
    call: str = "program()"
    command: str = ""
    files: dict[str, str] = field(default_factory=dict)


ADD = "tol a: R [n]\ny := a + 2\n"

WITHOUT_EXAMPLE = {
    "E108": "A text may have 2^20 characters. Large data is given as an input instead of written out.",
    "E210": "Calls that double at each of twenty levels, say. A call on whole ToLs is checked once, for all its uses.",
    "E212": "A chain of some hundred functions, each of which calls the next.",
    "E507": "As E312, where the lengths are known only when data is given.",
    "E510": "A `ToL` made in Python from arrays of different shapes.",
    "E512": "A ToL with lists, exact fractions or text asked for as a DLPack tensor, say.",
    "E518": "`tol check --laws` draws values and looks for a case that breaks the law.",
    "E519": "Compiled code reports what is out of range, and where. Which value it was is told by the interpreter, in "
    "runs of at most twenty million EOPs.",
    "E621": "A program whose lengths are read from data, written out for given sizes but without that data.",
    "E609": "The folder of an output file does not exist, or may not be written to.",
    "E613": "Parquet and Arrow need pyarrow, PNG needs Pillow; the message says what to install.",
    "E614": "Text or lists asked for as tensors, arrays of two libraries in one call, a tensor that needs a gradient "
    "given to a program itself, say. [In PyTorch and JAX](in-pytorch-and-jax.md) says more.",
    "E615": "Nothing is copied between devices behind the caller's back; `x.cpu()` copies a tensor of PyTorch.",
    "E616": "`tol run --memory` and `program.within` cut programs into pieces; the message says what would do.",
    "E617": "All workers were ended, say, or one has another version of ToLang. One worker that is lost is no error.",
    "E618": (
        "Exact fractions are interpreted, and what is interpreted is not cut into pieces; text that a program gives is "
        "not written piece by piece."
    ),
    "E701": "The message names the operator and its domain.",
    "E702": "Such a file would also be refused by `onnx.checker`.",
    "E703": "A sequence where a tensor is needed, or a position in a sequence that only running tells, say.",
    "E704": "The element types of ONNX 1.23 all have a space.",
    "E705": "The model's inputs are those of its graph that no initializer gives.",
    "E706": "`location: ../weights.bin`, an absolute path, or a link that leads out of the folder.",
}
"""Codes that an example would not make clearer, or cannot meet everywhere alike, and what to say instead."""

EXAMPLES = {
    "E101": Example("y := (1 +) * 2"),
    "E102": Example("y := [1, 2)"),
    "E103": Example("y := 1 $ 2"),
    "E104": Example("y := 'abc"),
    "E105": Example("y := " + "(" * 201 + "1" + ")" * 201),
    "E106": Example("1 + x = 3"),
    "E107": Example("x = 2\ny := x ** 2"),
    "E109": Example("y := 1e999999999"),
    "E110": Example("f(x, k=1) = x + k\ny := f(k=2, 3)"),
    "E201": Example("total = 3\ny := totl + 1"),
    "E202": Example('use "helper.tol"\ny := 1'),
    "E203": Example("f(x, y) = x + y\nz := f(1)"),
    "E204": Example("y := sqrt + 1"),
    "E205": Example("f(x) = x\ny := f(1, k=2)"),
    "E206": Example("a = 1\na = 2\ny := a"),
    "E207": Example("f(n) = if n < 2 then 1 else n * f(n - 1)\ny := f(5)"),
    "E208": Example("y := map([1,2], *, 2*3)"),
    "E209": Example("y := reduce([1,2], 3, 0)"),
    "E211": Example("y := * + 1"),
    "E213": Example("f(x, k) = x * k\nderivative f(x, d) = d\ny := f(2.5, 3)"),
    "E214": Example("use linalg as m\ny := map([1,2], m -> m + 1)"),
    "E215": Example(
        command="tol check main.tol", files={"main.tol": "use other\ny := f(1)", "other.tol": "use main\nf(x) = x"}
    ),
    "E216": Example(
        command="tol check main.tol", files={"main.tol": "use other\ny := f(1)", "other.tol": "tol x: R\nf(k) = k * x"}
    ),
    "E301": Example("tol a: R [n,m]\ntol b: R [m]\ny := a + b"),
    "E302": Example("tol t: R [n]\ny := t[1,1]"),
    "E303": Example("tol t: R [n]\ny := t[n+1]"),
    "E304": Example("tol t: R [n]\ny := t[Inf]"),
    "E305": Example("y := tol[2-3]"),
    "E306": Example("b = ([1,2], 3)\ny := b + 1"),
    "E307": Example("tol t: R [n]\ny := map(t, tol[i], i)"),
    "E308": Example("tol t: R [n]\ny := reduce(t, (s,x) -> [s,x], 0)"),
    "E309": Example("tol k: N\ny := if k > 4 then tol[1,2] else tol[2,1]"),
    "E310": Example("tol t: R [n]\ny := tile(t)"),
    "E311": Example("y := swap([1,2,3], 1, [1,1,2])"),
    "E312": Example("y := tol[10000000000,10000000000]"),
    "E401": Example("y := [[1,'a'],[2,'b']]"),
    "E402": Example("y := 'a' + 1"),
    "E403": Example("y := (1,2) + (1,2,3)"),
    "E404": Example("tol x: float32\ny := x"),
    "E405": Example("tol t: [width: R, depth: R] [n]\ny := t[height]'"),
    "E406": Example("tol x: Z\ny := if x then 1 else 2"),
    "E407": Example("tol x: u8 [n]\ny := x + 300"),
    "E501": Example("space byte: N [0,255]\ntol x: byte [n]\ny := x", "program([1,300])"),
    "E502": Example("tol x: R [n]\ny := x", "program([{}])"),
    "E503": Example("tol x: R [n,m]\ny := x", "program([[1,2],[3]])"),
    "E504": Example("tol x: [R,R] [n]\ny := x", "program([(1,2,3)])"),
    "E505": Example("tol x: Z\ny := x + 1", "program(9223372036854775807)"),
    "E506": Example("tol x: Q\ny := 1 / x", "program(0)"),
    "E508": Example(
        command="tol run made.tol k=[1000000] --max-memory 1M",
        files={"made.tol": "tol k: N [n]\nmade := map(tol[k[1]], iter)\n"},
    ),
    "E509": Example("tol k: Z\ny := tol[k]", "program(-1)"),
    "E511": Example("tol x: R [n]\ny := x", "program([1,None])"),
    "E513": Example("tol t: R [n]\ntol k: N\ny := t[k]", "program([1,2,3], 4)"),
    "E514": Example("tol order: N [2]\ny := swap([[1,2],[3,4]], 1, order)", "program([1,1])"),
    "E515": Example("tol a: R [n]\ntol b: R [m]\ny := a + b", "program([1,2], [1,2,3])"),
    "E516": Example("tol a: R [n]\ntol b: R [n]\ny := a + b", "program([1,2], [1,2,3])"),
    "E517": Example("tol result = [n]\nresult := map(result, iter)"),
    "E520": Example(
        command="tol check --derivatives cube.tol",
        files={"cube.tol": "cube(x) := x * x * x\nderivative cube(x, d) = 2 * d * x * x\n"},
    ),
    "E601": Example("y := 1", "tolang.compile('y := 1', engine='warp')"),
    "E602": Example("f(x) := x"),
    "E603": Example("tol a: R [n]\ntol b: R [n]\ny := a + b", "program([1,2])"),
    "E604": Example(command="tol run missing.tol"),
    "E605": Example("tol result = [n]\nresult := map(result, iter)", "program(n=2.5)"),
    "E606": Example(command="tol run add.tol -f sub", files={"add.tol": "add2(x) := x + 2\n"}),
    "E607": Example(command="tol run add.tol a=data.xyz", files={"add.tol": ADD, "data.xyz": ""}),
    "E608": Example(command="tol run add.tol a=data.json", files={"add.tol": ADD, "data.json": "[1,"}),
    "E611": Example(command="tol run add.tol a=[1,2,3] --max-eops 2", files={"add.tol": ADD}),
    "E612": Example(
        command="tol run pay.tol staff=staff.csv",
        files={
            "pay.tol": "list staff: [name: S, pay: R]\ntol staff: staff [n]\ny := reduce(staff[pay]', add, 0)\n",
            "staff.csv": "name,Pay\nAda,3\n",
        },
    ),
    "E620": Example(
        command="tol atoms sum.tol n=100 --limit 10", files={"sum.tol": "tol a: R [n]\ny := reduce(a, add, 0)\n"}
    ),
    "E801": Example(
        "tol x: R [n]\nkept(s,e) = if e > 0 then [s, e * reduce(s,add,1)] else s\n"
        "loss := reduce(reduce(x,kept,[]), add, 0)",
        "program.gradient('loss', by='x')",
    ),
    "E802": Example("tol k: Z\ny := k*k", "program.gradient('y', by='k')"),
    "E803": Example("tol y: R\ntol d_y: R\nz := y*d_y", "program.pullback('z', by='y', names={'z': 'd_y'})"),
    "E610": Example("tol x: Q\ny := x + x", "tolang.compile(source, engine='cpu', fallback=False)(1)"),
}  # fmt: skip
"""Examples by code.  In a call, `program` is the compiled program and `source` its text."""
