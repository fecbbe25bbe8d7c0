"""The 60 ONNX operators of the paper's Table 3: its rows, and how their EOPs stand beside those derived here.

`paper_operators.json` holds the rows as they are printed.  A row's figure is read over the inputs of the operator's
example, so that both are formulas of the same sizes; where they differ there is a reason.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tolang.ground.dataclasses import dataclass

ROWS = Path(__file__).parent / "paper_operators.json"
KINDS = {
    "row": "the figure is not what the row's own text gives",
    "specified": "ONNX specifies more than the row computes",
    "safe": "written so that nothing overflows on the way",
    "form": "the same values in other functions",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the table: the operator with its parameters, its text, FLOPs and EOPs."""

    operator: str
    representation: tuple[str, ...]
    flops: str
    eops: str

    @property
    def name(self) -> str:
        return self.operator.partition("(")[0]


@dataclass(frozen=True, slots=True)
class Figure:
    """A row's EOPs as a formula over an example's inputs and result; why those derived differ, and of which kind."""

    formula: str
    kind: str = ""
    reason: str = ""


@cache
def paper_rows() -> dict[str, Row]:
    """The rows by operator."""
    content = json.loads(ROWS.read_text(encoding="utf-8"))
    rows = [Row(one["operator"], tuple(one["representation"]), one["flops"], one["eops"]) for one in content]
    return {row.name: row for row in rows}


WINDOWS = "vol(result)*4"
FROM_ZERO = "ONNX counts places from 0 and ToLang from 1: one difference for each result."
DIVIDES = "The row divides, too, which its figure leaves out: one quotient for each result."
SHARED_SUM = "The row's figure does not follow from it: a sum is taken for each line, and each element divided. "

FIGURES: dict[str, Figure] = {
    **{
        name: Figure("0")
        for name in (
            "Concat", "DepthToSpace", "Expand", "EyeLike", "Flatten", "Identity", "Pad", "Reshape", "Shape", "Size",
            "Slice", "SpaceToDepth", "Split", "Transpose",
        )
    },
    **{name: Figure("vol(x)") for name in ("CumSum", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum", "Relu")},
    **{name: Figure("2*vol(x)") for name in ("Clip", "LeakyRelu", "PRelu", "ReduceL1", "ReduceSumSquare")},
    "ArgMax": Figure("vol(x)", "specified", FROM_ZERO),
    "ArgMin": Figure("vol(x)", "specified", FROM_ZERO),
    "AveragePool": Figure(WINDOWS, "row", DIVIDES),
    "BatchNormalization": Figure(
        "3*vol(x)", "specified",
        "ONNX scales and adds a bias, two more for each element, and takes the root of variance and epsilon, two for "
        "each channel. The row itself has two functions, not three.",
    ),
    "Celu": Figure("6*vol(x)", "row", "The row's own text has seven functions, as ours."),
    "Conv": Figure("vol(result)*2*vol(k)/|k|[1]"),
    "ConvTranspose": Figure(
        "|x|[1]*|k|[2]*(|x|[3] - 2)*(|x|[4] - 2)*2*9*|x|[2]", "row",
        "The row has the figure of Conv. The result of ConvTranspose is larger than its input, not smaller.",
    ),
    "Dropout": Figure(
        "vol(x)", "specified",
        "In training a number is drawn and compared with the ratio for each element, and what is kept is divided by "
        "1 - ratio. Without training it costs nothing.",
    ),
    "Elu": Figure(
        "5*vol(x)", "form",
        "A comparison chooses between x and alpha*(exp(x) - 1), which is four functions; the row's text has six.",
    ),
    "Gather": Figure(
        "0", "specified",
        "Indices are elements. Each may be negative, then counts from the end, and ONNX counts from 0: four functions "
        "for each index. Moving the elements is free in both.",
    ),
    "Gemm": Figure(
        "2*vol(a)*|b|[2]", "specified", "ONNX adds a third operand, one sum for each result; 0 where it is absent."
    ),
    "Hardmax": Figure(
        "1", "row",
        "The row takes a maximum along each line, vol(t) functions. Ours compares once more to put the 1 there.",
    ),
    "HardSigmoid": Figure("4*vol(x)"),
    "HardSwish": Figure("5*vol(x)"),
    "LogSoftmax": Figure(
        "2*vol(x) + 3", "safe",
        SHARED_SUM + "Ours subtracts the greatest element of a line first.",
    ),
    "LpNormalization": Figure(
        "3*vol(x)", "specified",
        "The row ends with the sums of powers. ONNX divides by the norm, unless it is 0: a product and a sum, a "
        "comparison and a quotient for each element, a root for each line.",
    ),
    "LpPool": Figure(
        "|x|[1]*|x|[2]*(floor((|x|[3] - 2)/2) + 2)*(floor((|x|[4] - 2)/2) + 2)*2*4 + 1", "specified",
        "ONNX takes magnitudes before powers and a root after the sum, and there are (|t|+2*p-k)/s+1 windows along an "
        "axis, not one more.",
    ),
    "MatMul": Figure("2*vol(a)*|b|[2]"),
    "MaxPool": Figure(WINDOWS),
    "MaxUnpool": Figure(
        "|x|[1]*|x|[2]*(floor((|x|[3] - 2)/2) + 1)*(floor((|x|[4] - 2)/2) + 1)*4", "row",
        "The row has the figure of MaxPool, but no function in it. ONNX gives the places as numbers, and placing each "
        "element is index arithmetic on these.",
    ),
    "Mean": Figure("3*vol(a)"),
    "OneHot": Figure(
        "0", "specified",
        "An index is an element, which is compared with each coordinate; it may count from the end. In the row the "
        "comparison is a value, which counts, too.",
    ),
    "Range": Figure(
        "vol(result)", "specified", "ONNX adds the start, and counts from 0: two more for each element."
    ),
    "ReduceL2": Figure("2*vol(x)", "row", "The root of the row's text is not in its figure: one for each result."),
    "ReduceLogSum": Figure("2*vol(x)", "row", "The logarithm is taken once for each sum, not for each element."),
    "ReduceLogSumExp": Figure(
        "3*vol(x)", "safe",
        "The greatest element is found and subtracted first, and added again. By the row's text it is 2*vol(t) and "
        "one for each result.",
    ),
    "ReduceMean": Figure("vol(x)", "row", DIVIDES),
    "Selu": Figure("6*vol(x)"),
    "Sigmoid": Figure("4*vol(x)"),
    "Softmax": Figure(
        "2*vol(x) + 2", "safe",
        SHARED_SUM + "Ours subtracts the greatest element of a line first, as everyone does.",
    ),
    "Softplus": Figure(
        "3*vol(x)", "safe", "max(x,0) + log(1 + exp(-|x|)) overflows nowhere, where the row's exp(x) does."
    ),
    "Softsign": Figure("3*vol(x)"),
    "Sum": Figure(
        "vol(a)*3", "form", "The row begins with zeros. Ours adds n tensors with n-1 sums for each element."
    ),
    "Swish": Figure("5*vol(x)", "specified", "ONNX multiplies x by alpha first."),
    "ThresholdedRelu": Figure(
        "2*vol(x)", "form", "A comparison chooses x or 0; the row multiplies by the truth value instead."
    ),
}  # fmt: skip
"""By operator, for the operator's example; the paper's Π is the number of windows, of all images and channels."""
