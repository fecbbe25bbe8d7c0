"""A call of every ONNX operator of the library with inputs of open sizes, at which its EOPs are derived."""

from __future__ import annotations

from tolang.ground.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Example:
    """Declarations of inputs, apart by `;`, and a call of an operator."""

    inputs: str
    call: str

    @property
    def program(self) -> str:
        """The call as a program."""
        declared = [f"tol {one.strip()}" for one in self.inputs.split(";") if one.strip()]
        return "\n".join(["use onnx", *declared, f"result := {self.call}"])


def each(names: str, inputs: str, arguments: str) -> dict[str, Example]:
    """Operators that are called alike, their names apart by spaces."""
    return {name: Example(inputs, f"{name}({arguments})") for name in names.split()}


IMAGES = "x: f32 [n,c,h,w]"
BITS = "a: i32 [n,m]; b: i32 [n,m]"
TRUTH = "a: B [n,m]; b: B [n,m]"
PER_CHANNEL = f"{IMAGES}; scale: f32 [c]; b: f32 [c]"
STEPS = "x: f32 [t,n,k]"
REGIONS = f"{IMAGES}; rois: f32 [r,4]; batches: i64 [r]"
TRAINED = "r: f32; t: i64; x: f32 [n]; g: f32 [n]"

ELEMENTWISE = {
    **each(
        "Abs Neg Sign Floor Ceil Round Clip IsNaN IsInf Reciprocal Sqrt Exp Log Erf Sin Cos Tan Asin Acos Atan Sinh "
        "Cosh Tanh Asinh Acosh Atanh Relu LeakyRelu Elu Selu Celu Gelu Softplus Mish Sigmoid Swish Softsign "
        "HardSigmoid HardSwish ThresholdedRelu Shrink",
        "x: f32 [n,m]",
        "x",
    ),
    **each(
        "Add Sub Mul Div Mod Max Min Equal Greater GreaterOrEqual Less LessOrEqual",
        "a: f32 [n,m]; b: f32 [m]",
        "a, b",
    ),
    **each("And Or Xor", TRUTH, "a, b"),
    **each("BitwiseAnd BitwiseOr BitwiseXor", BITS, "a, b"),
    "Sum": Example("a: f32 [n,m]; b: f32 [n,m]; c: f32 [n,m]", "Sum(Sum(a, b), c)"),
    "Mean": Example("a: f32 [n,m]; b: f32 [n,m]; c: f32 [n,m]", "Mean(Sum(Sum(a, b), c), n=3)"),
    "Pow": Example("x: f32 [n,m]; y: f32", "Pow(x, y)"),
    "BitShift": Example("a: u32 [n,m]; b: u32 [n,m]", "BitShift(a, b, direction='LEFT')"),
    "Not": Example("x: B [n,m]", "Not(x)"),
    "BitwiseNot": Example("x: i32 [n,m]", "BitwiseNot(x)"),
    "Where": Example("mask: B [n,m]; x: f32 [n,m]; y: f32 [m]", "Where(mask, x, y)"),
    "PRelu": Example("x: f32 [n,m]; slope: f32 [m]", "PRelu(x, slope)"),
    "PRelu_6": Example("x: f32 [n,m]; slope: f32 [1]", "PRelu_6(x, slope)"),
    "Dropout": Example("x: f32 [n,m]", "Dropout(x, ratio=0.5, training_mode=true)"),
    "Cast": Example("x: f32 [n,m]", "Cast(x, to='i32')"),
    "CastLike": Example("x: f32 [n,m]; y: f64 [k]", "CastLike(x, y)"),
}

REDUCTION = {
    **each(
        "ReduceSum ReduceMean ReduceProd ReduceMax ReduceMin ReduceL1 ReduceSumSquare ReduceL2 ReduceLogSum "
        "ReduceLogSumExp",
        "x: f32 [n,m]",
        "x, axes=[1]",
    ),
    **each("ArgMax ArgMin", "x: f32 [n,m]", "x, axis=1"),
    **each("CumSum CumProd", "x: f32 [n,m]", "x, 1"),
    **each("Softmax Softmax_12 LogSoftmax LogSoftmax_12 Hardmax Hardmax_12", "x: f32 [n,m]", "x, axis=1"),
}

MOVEMENT = {
    **each("Identity Shape Size EyeLike Trilu NonZero", "x: f32 [n,m]", "x"),
    **each("Reshape Reshape_4", "x: f32 [n,m,k]", "x, [0,-1]"),
    "Flatten": Example(IMAGES, "Flatten(x)"),
    "Squeeze": Example("x: f32 [n,1,m]", "Squeeze(x, axes=[1])"),
    "Unsqueeze": Example("x: f32 [n,m]", "Unsqueeze(x, [1])"),
    "Transpose": Example("x: f32 [n,m,k]", "Transpose(x, perm=[1,2,0])"),
    "Expand": Example("x: f32 [1,m]", "Expand(x, [8,1])"),
    "Tile": Example("x: f32 [n,m]", "Tile(x, [2,3])"),
    "DepthToSpace": Example("x: f32 [n,16,h,w]", "DepthToSpace(x, 2)"),
    "SpaceToDepth": Example("x: f32 [n,c,32,32]", "SpaceToDepth(x, 2)"),
    "Concat": Example("a: f32 [n,m]; b: f32 [n,k]", "Concat(a, b, axis=1)"),
    "Split": Example("x: f32 [12,m]", "Split(x, axis=0, num_outputs=3, part=2)"),
    "Slice": Example("x: f32 [n,m]", "Slice(x, [0], [-1], [1])"),
    "Pad": Example("x: f32 [n,m]", "Pad(x, [0,1,0,1])"),
    "Pad_10": Example("x: f32 [n,m]", "Pad_10(x, [0,1,0,1])"),
    "CenterCropPad": Example("x: f32 [n,m]", "CenterCropPad(x, [16,16])"),
    "Gather": Example("x: f32 [n,m]; i: i64 [k]", "Gather(x, i)"),
    "GatherElements": Example("x: f32 [n,m]; i: i64 [n,k]", "GatherElements(x, i, axis=1)"),
    "GatherND": Example("x: f32 [n,m,k]; i: i64 [p,2]", "GatherND(x, i)"),
    "ScatterElements": Example(
        "x: f32 [n,m]; i: i64 [n,k]; u: f32 [n,k]", "ScatterElements(x, i, u, axis=1, reduction='add')"
    ),
    "Scatter": Example("x: f32 [n,m]; i: i64 [n,k]; u: f32 [n,k]", "Scatter(x, i, u, axis=1)"),
    "ScatterND": Example("x: f32 [n,m]; i: i64 [p,1]; u: f32 [p,m]", "ScatterND(x, i, u)"),
    "TensorScatter": Example("x: f32 [n,s,k]; u: f32 [n,t,k]; i: i64 [n]", "TensorScatter(x, u, i)"),
    "ConstantOfShape": Example("", "ConstantOfShape([8,16])"),
    "Range": Example("", "Range(2, 32, 3)"),
    "OneHot": Example("i: i64 [n]; v: f32 [2]", "OneHot(i, 10, v)"),
    "Compress": Example("x: f32 [n,m]; mask: B [n]", "Compress(x, mask, axis=0)"),
    "TopK": Example("x: f32 [n,m]", "TopK(x, [5])"),
    "ReverseSequence": Example("x: f32 [t,n]; lengths: i64 [n]", "ReverseSequence(x, lengths)"),
    "Unique": Example("x: f32 [n]", "Unique(x)"),
    "BitCast": Example("x: f32 [n]", "BitCast(x, to='i32')"),
    "ArrayFeatureExtractor": Example("x: f32 [n,m]; i: i64 [k]", "ArrayFeatureExtractor(x, i)"),
    "Binarizer": Example("x: f32 [n,m]", "Binarizer(x)"),
    "Scaler": Example("x: f32 [n,m]; offset: f32 [m]; scale: f32 [m]", "Scaler(x, offset, scale)"),
    "Imputer": Example("x: f32 [n,m]; values: f32 [m]", "Imputer(x, values)"),
    "Normalizer": Example("x: f32 [n,m]", "Normalizer(x, norm='L2')"),
    "OneHotEncoder": Example("x: i64 [n]; cats: i64 [k]", "OneHotEncoder(x, cats)"),
    "LinearRegressor": Example("x: f32 [n,m]; w: f32 [k,m]; b: f32 [k]", "LinearRegressor(x, w, b)"),
    "LinearClassifier": Example(
        "x: f32 [n,m]; w: f32 [k,m]; b: f32 [k]; labels: i64 [k]", "LinearClassifier(x, w, b, labels)"
    ),
    "SVMRegressor": Example(
        "x: f32 [n,m]; w: f32 [1,k]; b: f32 [1]; v: f32 [k,m]",
        "SVMRegressor(x, w, b, v, kernel_type='RBF', kernel_params=[0.5,0,3])",
    ),
    "SVMClassifier": Example(
        "x: f32 [n,m]; w: f32 [p,k]; b: f32 [p]; v: f32 [k,m]; pairs: i64 [p,2]; labels: i64 [c]",
        "SVMClassifier(x, w, b, v, pairs, labels)",
    ),
}

WINDOWS = {
    "Conv": Example(f"{IMAGES}; k: f32 [m,c,3,3]", "Conv(x, k, pads=[1,1,1,1])"),
    "ConvTranspose": Example(f"{IMAGES}; k: f32 [c,m,3,3]", "ConvTranspose(x, k)"),
    "DeformConv": Example(f"{IMAGES}; k: f32 [m,c,2,2]; o: f32 [n,8,p,q]", "DeformConv(x, k, o)"),
    "Col2Im": Example("x: f32 [n,12,l]", "Col2Im(x, [6,3], [2,2])"),
    "CausalConvWithState": Example("x: f32 [n,c,t]; k: f32 [c,1,4]", "CausalConvWithState(x, k)"),
    "MaxPool": Example(IMAGES, "MaxPool(x, kernel_shape=[2,2], strides=[2,2], outputs=1)"),
    **each("AveragePool LpPool", IMAGES, "x, kernel_shape=[2,2], strides=[2,2]"),
    **each("GlobalAveragePool GlobalMaxPool GlobalLpPool", IMAGES, "x"),
    "MaxUnpool": Example("x: f32 [n,c,h,w]; i: i64 [n,c,h,w]", "MaxUnpool(x, i, kernel_shape=[2,2], strides=[2,2])"),
    "RoiAlign": Example(REGIONS, "RoiAlign(x, rois, batches, output_height=7, output_width=7, sampling_ratio=2)"),
    "RoiAlign_15": Example(REGIONS, "RoiAlign_15(x, rois, batches, output_height=7, output_width=7, sampling_ratio=2)"),
    "MaxRoiPool": Example(f"{IMAGES}; rois: f32 [r,5]", "MaxRoiPool(x, rois, pooled_shape=[7,7])"),
    "Resize": Example(IMAGES, "Resize(x, scales=[1,1,2,2], mode='linear')"),
    "Resize_10": Example(IMAGES, "Resize_10(x, [1,1,2,2], mode='linear')"),
    "Upsample": Example(IMAGES, "Upsample(x, [1,1,2,2])"),
    "Upsample_6": Example(IMAGES, "Upsample_6(x, height_scale=2, width_scale=2)"),
    "GridSample": Example(f"{IMAGES}; grid: f32 [n,p,q,2]", "GridSample(x, grid)"),
    "AffineGrid": Example("theta: f32 [n,2,3]", "AffineGrid(theta, [8,3,32,32])"),
    "NonMaxSuppression": Example(
        "boxes: f32 [n,k,4]; scores: f32 [n,c,k]", "NonMaxSuppression(boxes, scores, [5], [0.5], [0.1])"
    ),
}

LEARNING = {
    "MatMul": Example("a: f32 [n,k]; b: f32 [k,m]", "MatMul(a, b)"),
    "Gemm": Example("a: f32 [n,k]; b: f32 [k,m]", "Gemm(a, b)"),
    "Gemm_6": Example("a: f32 [n,k]; b: f32 [k,m]; c: f32 [n,m]", "Gemm_6(a, b, c)"),
    "Einsum": Example(
        "a: f32 [n,k]; b: f32 [k,m]", "Einsum(a, b, left=[1,3], right=[3,2], output=[1,2], summed=[3])"
    ),
    "Det": Example("x: f32 [n,4,4]", "Det(x)"),
    **each("BatchNormalization BatchNormalization_13", f"{PER_CHANNEL}; e: f32 [c]; v: f32 [c]",
           "x, scale, b, e, v"),
    "InstanceNormalization": Example(PER_CHANNEL, "InstanceNormalization(x, scale, b)"),
    "GroupNormalization": Example(
        "x: f32 [n,8,h,w]; scale: f32 [8]; b: f32 [8]", "GroupNormalization(x, scale, b, num_groups=2)"
    ),
    "GroupNormalization_20": Example(
        "x: f32 [n,8,h,w]; scale: f32 [2]; b: f32 [2]", "GroupNormalization_20(x, scale, b, num_groups=2)"
    ),
    "LayerNormalization": Example("x: f32 [n,m]; scale: f32 [m]; b: f32 [m]", "LayerNormalization(x, scale, b)"),
    "RMSNormalization": Example("x: f32 [n,m]; scale: f32 [m]", "RMSNormalization(x, scale)"),
    "LRN": Example(IMAGES, "LRN(x, size=5)"),
    "LpNormalization": Example("x: f32 [n,m]", "LpNormalization(x)"),
    "MeanVarianceNormalization": Example(IMAGES, "MeanVarianceNormalization(x)"),
    "Attention": Example("q: f32 [n,h,l,d]; k: f32 [n,h,s,d]; v: f32 [n,h,s,e]", "Attention(q, k, v)[1]'"),
    "FlexAttention": Example("q: f32 [n,h,l,d]; k: f32 [n,h,s,d]; v: f32 [n,h,s,e]", "FlexAttention(q, k, v)"),
    "RotaryEmbedding": Example(
        "x: f32 [n,h,l,64]; cosines: f32 [n,l,32]; sines: f32 [n,l,32]", "RotaryEmbedding(x, cosines, sines)"
    ),
    "LinearAttention": Example(
        "q: f32 [n,t,64]; k: f32 [n,t,64]; v: f32 [n,t,64]",
        "LinearAttention(q, k, v, q_num_heads=4, kv_num_heads=4, update_rule='linear')",
    ),
    "RNN": Example(f"{STEPS}; w: f32 [1,h,k]; r: f32 [1,h,h]", "RNN(x, w, r)"),
    "GRU": Example(f"{STEPS}; w: f32 [1,24,k]; r: f32 [1,24,8]", "GRU(x, w, r)"),
    "LSTM": Example(f"{STEPS}; w: f32 [1,32,k]; r: f32 [1,32,8]", "LSTM(x, w, r)"),
    "NegativeLogLikelihoodLoss": Example("x: f32 [n,c]; t: i64 [n]", "NegativeLogLikelihoodLoss(x, t)"),
    "SoftmaxCrossEntropyLoss": Example("x: f32 [n,c]; t: i64 [n]", "SoftmaxCrossEntropyLoss(x, t)[1]'"),
    "Adagrad": Example(f"{TRAINED}; h: f32 [n]", "Adagrad(r, t, x, g, h)"),
    "Adam": Example(f"{TRAINED}; v: f32 [n]; h: f32 [n]", "Adam(r, t, x, g, v, h)"),
    "Momentum": Example(f"{TRAINED}; v: f32 [n]", "Momentum(r, t, x, g, v)"),
}  # fmt: skip

FURTHER = {
    "QuantizeLinear": Example("x: f32 [n,m]; s: f32; z: u8", "QuantizeLinear(x, s, z)"),
    "DequantizeLinear": Example("x: u8 [n,m]; s: f32; z: u8", "DequantizeLinear(x, s, z)"),
    "DynamicQuantizeLinear": Example("x: f32 [n,m]", "DynamicQuantizeLinear(x)"),
    "MatMulInteger": Example("a: u8 [n,k]; b: u8 [k,m]", "MatMulInteger(a, b)"),
    "QLinearMatMul": Example(
        "a: u8 [n,k]; s: f32; z: u8; b: u8 [k,m]", "QLinearMatMul(a, s, z, b, s, z, s, z)"
    ),
    "ConvInteger": Example("x: u8 [n,c,h,w]; k: u8 [m,c,3,3]", "ConvInteger(x, k)"),
    "QLinearConv": Example("x: u8 [n,c,h,w]; k: u8 [m,c,3,3]; s: f32; z: u8", "QLinearConv(x, s, z, k, s, z, s, z)"),
    **each("RandomUniform RandomNormal", "", "[8,16]"),
    **each("RandomUniformLike RandomNormalLike Bernoulli", "x: f32 [n,m]", "x"),
    "Multinomial": Example("x: f32 [n,m]", "Multinomial(x, sample_size=5)"),
    "DFT": Example("x: f32 [n,l,1]", "DFT(x)"),
    "DFT_19": Example("x: f32 [n,l,1]", "DFT_19(x)"),
    "STFT": Example("x: f32 [n,256,1]", "STFT(x, 64, frame_length=128)"),
    **each("HannWindow HammingWindow BlackmanWindow", "", "64"),
    "MelWeightMatrix": Example("", "MelWeightMatrix(8, 64, 8192, 0, 4096)"),
}  # fmt: skip

MICROSOFT = {
    "com_microsoft_Gelu": Example("x: f32 [n,m]", "com_microsoft_Gelu(x)"),
    "com_microsoft_BiasGelu": Example("x: f32 [n,m]; b: f32 [m]", "com_microsoft_BiasGelu(x, b)"),
    "com_microsoft_FastGelu": Example("x: f32 [n,m]; b: f32 [m]", "com_microsoft_FastGelu(x, b)"),
    "com_microsoft_QuickGelu": Example("x: f32 [n,m]", "com_microsoft_QuickGelu(x)"),
    "com_microsoft_FusedMatMul": Example(
        "a: f32 [n,k]; b: f32 [m,k]", "com_microsoft_FusedMatMul(a, b, alpha=0.125, transB=1)"
    ),
    "com_microsoft_FusedGemm": Example(
        "a: f32 [n,k]; b: f32 [k,m]; c: f32 [m]", "com_microsoft_FusedGemm(a, b, c, activation='Relu')"
    ),
    "com_microsoft_FusedConv": Example(
        "x: f32 [n,c,h,w]; k: f32 [m,c,3,3]; b: f32 [m]", "com_microsoft_FusedConv(x, k, b, activation='Relu')"
    ),
    "SimplifiedLayerNormalization": Example("x: f32 [n,m]; s: f32 [m]", "SimplifiedLayerNormalization(x, s)"),
    "com_microsoft_SkipLayerNormalization": Example(
        "x: f32 [n,m]; y: f32 [n,m]; s: f32 [m]", "com_microsoft_SkipLayerNormalization(x, y, s, outputs=1)"
    ),
    "com_microsoft_SkipSimplifiedLayerNormalization": Example(
        "x: f32 [n,m]; y: f32 [n,m]; s: f32 [m]", "com_microsoft_SkipSimplifiedLayerNormalization(x, y, s, outputs=1)"
    ),
    "com_microsoft_QLinearAdd": Example(
        "a: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearAdd(a, s, z, a, s, z, s, z)"
    ),
    "com_microsoft_QLinearMul": Example(
        "a: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearMul(a, s, z, a, s, z, s, z)"
    ),
    "com_microsoft_QLinearSigmoid": Example(
        "x: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearSigmoid(x, s, z, s, z)"
    ),
    "com_microsoft_QLinearLeakyRelu": Example(
        "x: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearLeakyRelu(x, s, z, s, z)"
    ),
    "com_microsoft_MatMulIntegerToFloat": Example(
        "a: u8 [n,k]; b: i8 [k,m]; s: f32", "com_microsoft_MatMulIntegerToFloat(a, b, s, s)"
    ),
    "com_microsoft_DynamicQuantizeMatMul": Example(
        "a: f32 [n,k]; b: i8 [k,m]; s: f32", "com_microsoft_DynamicQuantizeMatMul(a, b, s)"
    ),
}  # fmt: skip

_AUTOMATON = "low: i32 [128]; b: i64 [c]; k: i32 [c]; a: i32 [p,d]; m: i32 [s,d]; e: B [s,d]"
_FOREST = "x: f32 [n,m]; r: i32 [t]; f: i32 [k]; s: f32 [k]; a: i32 [k,2]; w: f32 [l,c]"
TREES = {
    "LabelEncoder": Example("x: i64 [n]; k: i64 [m]; v: f32 [m]; o: f32 [1]", "LabelEncoder(x, k, v, o, o)"),
    "StringNormalizer": Example("x: S [n]; w: S [k]", "StringNormalizer(x, case_change_action='LOWER', stopwords=w)"),
    "TfIdfVectorizer": Example(
        "x: i64 [n,m]; w: i64 [k]; o: i64 [k+1]; b: i64 [l]; p: i64 [l]; s: f32 [c]",
        "TfIdfVectorizer(x, w, o, b, p, s, 1, 2, 0)",
    ),
    "RegexFullMatch": Example(f"x: S [n]; {_AUTOMATON}", "RegexFullMatch(x, low, b, k, a[1], m, e)"),
    "StringConcat": Example("x: S [n]; y: S [n]", "StringConcat(x, y)"),
    "StringSplit": Example("x: S [n]", "StringSplit(x, ',')"),
    "com_microsoft_Tokenizer": Example(
        f"x: S [n]; {_AUTOMATON}", "com_microsoft_Tokenizer(x, low, b, k, a, m, e, '', ['',''], 'words')"
    ),
    "TreeEnsemble": Example(_FOREST, "TreeEnsemble(x, r, f, s, a, w, depth=6)"),
    "TreeEnsembleRegressor": Example(_FOREST, "TreeEnsembleRegressor(x, r, f, s, a, w, depth=6)"),
    "TreeEnsembleClassifier": Example(
        f"{_FOREST}; y: i64 [c]", "TreeEnsembleClassifier(x, r, f, s, a, w, y, depth=6, share='SOFTMAX')"
    ),
}
_QUANTISED = "x: u8 [n,c,h,w]; s: f32; z: u8"
MICROSOFT_FURTHER = {
    "com_microsoft_Attention": Example(
        "x: f32 [n,t,64]; w: f32 [64,192]; b: f32 [192]", "com_microsoft_Attention(x, w, b, num_heads=8, outputs=1)"
    ),
    "com_microsoft_QAttention": Example(
        "x: u8 [n,t,64]; w: i8 [64,192]; b: f32 [192]; s: f32",
        "com_microsoft_QAttention(x, w, b, s, s, num_heads=8, outputs=1)",
    ),
    "com_microsoft_MultiHeadAttention": Example(
        "q: f32 [n,t,64]; k: f32 [n,l,64]", "com_microsoft_MultiHeadAttention(q, k, k, num_heads=8, outputs=1)"
    ),
    "com_microsoft_GroupQueryAttention": Example(
        "q: f32 [n,1,64]; k: f32 [n,1,16]; p: f32 [n,2,l,8]; e: i32 [n]",
        "com_microsoft_GroupQueryAttention(q, k, k, p, p, e, |p|[3] + 1, num_heads=8, kv_num_heads=2, outputs=1)",
    ),
    "com_microsoft_RotaryEmbedding": Example(
        "x: f32 [n,8,t,16]; p: i64 [n,t]; c: f32 [l,8]", "com_microsoft_RotaryEmbedding(x, p, c, c)"
    ),
    "com_microsoft_EmbedLayerNormalization": Example(
        "i: i32 [n,t]; w: f32 [v,m]; p: f32 [l,m]; g: f32 [m]",
        "com_microsoft_EmbedLayerNormalization(i, 0, w, p, 0, g, g, outputs=1)",
    ),
    "com_microsoft_QLinearConcat": Example(
        "x: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearConcat(s, z, x, s, z, before=x)"
    ),
    "com_microsoft_QLinearSoftmax": Example(
        "x: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearSoftmax(x, s, z, s, z)"
    ),
    "com_microsoft_QLinearAveragePool": Example(
        _QUANTISED, "com_microsoft_QLinearAveragePool(x, s, z, s, z, kernel_shape=[2,2])"
    ),
    "com_microsoft_QLinearGlobalAveragePool": Example(
        _QUANTISED, "com_microsoft_QLinearGlobalAveragePool(x, s, z, s, z)"
    ),
    "com_microsoft_QLinearWhere": Example(
        "b: B [n,m]; x: u8 [n,m]; s: f32; z: u8", "com_microsoft_QLinearWhere(b, x, s, z, x, s, z, s, z)"
    ),
    "com_microsoft_QGemm": Example(
        "a: u8 [n,k]; b: u8 [k,m]; s: f32; z: u8", "com_microsoft_QGemm(a, s, z, b, s, z, 0, s, z)"
    ),
    "com_microsoft_QLinearConv": Example(
        "x: u8 [n,h,w,c]; k: u8 [m,c,3,3]; s: f32; z: u8",
        "com_microsoft_QLinearConv(x, s, z, k, s, z, s, z, channels_last=1)",
    ),
    "com_microsoft_DynamicQuantizeLSTM": Example(
        f"{STEPS}; w: i8 [1,k,32]; r: i8 [1,8,32]; s: f32 [1]",
        "com_microsoft_DynamicQuantizeLSTM(x, w, r, 0, 0, 0, 0, 0, s, 0, s, 0)",
    ),
    "com_microsoft_NhwcMaxPool": Example("x: u8 [n,h,w,c]", "com_microsoft_NhwcMaxPool(x, kernel_shape=[2,2])"),
    "com_microsoft_QuantizeLinear": Example(
        "x: f32 [n,m]; s: f32; z: u16", "com_microsoft_QuantizeLinear(x, s, z)"
    ),
    "com_microsoft_DequantizeLinear": Example(
        "x: u16 [n,m]; s: f32; z: u16", "com_microsoft_DequantizeLinear(x, s, z)"
    ),
    "com_microsoft_MatMulNBits": Example(
        "a: f32 [n,256]; b: u8 [m,8,16]; s: f32 [m,8]", "com_microsoft_MatMulNBits(a, b, s, block_size=32)"
    ),
    "com_microsoft_GatherBlockQuantized": Example(
        "x: u8 [m,128]; i: i64 [n]; s: f32 [m,8]", "com_microsoft_GatherBlockQuantized(x, i, s, block_size=32)"
    ),
    "com_microsoft_ExpandDims": Example("x: f32 [n,m]", "com_microsoft_ExpandDims(x, 1)"),
    "com_microsoft_Pad": Example("x: f32 [n,m]", "com_microsoft_Pad(x, [1,0,0,1])"),
    "com_microsoft_GatherND": Example("x: f32 [n,m]; i: i64 [k,2]", "com_microsoft_GatherND(x, i)"),
    "com_microsoft_Trilu": Example("x: f32 [n,m]", "com_microsoft_Trilu(x)"),
    "com_microsoft_Range": Example("", "com_microsoft_Range(1, 9, 2)"),
    "com_microsoft_TransposeMatMul": Example(
        "a: f32 [n,k]; b: f32 [m,k]", "com_microsoft_TransposeMatMul(a, b, transB=1)"
    ),
    "com_microsoft_Inverse": Example("x: f32 [n,m,m]", "com_microsoft_Inverse(x)"),
    "com_microsoft_GridSample": Example("x: f32 [n,c,h,w]; g: f32 [n,8,8,2]", "com_microsoft_GridSample(x, g)"),
    "com_microsoft_UnfoldTensor": Example("x: f32 [n,m]", "com_microsoft_UnfoldTensor(x, size=3)"),
    "com_microsoft_CDist": Example("a: f32 [n,k]; b: f32 [m,k]", "com_microsoft_CDist(a, b)"),
    "com_microsoft_MatMulInteger16": Example("a: i16 [n,k]; b: i16 [k,m]", "com_microsoft_MatMulInteger16(a, b)"),
    "com_microsoft_Unique": Example("x: f32 [n]", "com_microsoft_Unique(x)"),
    "com_microsoft_MoE": Example(
        "x: f32 [n,m]; r: f32 [n,8]; a: f32 [8,h,m]; b: f32 [8,m,h]", "com_microsoft_MoE(x, r, a, 0, b, k=2)"
    ),
}  # fmt: skip

EXAMPLES = {
    **ELEMENTWISE,
    **REDUCTION,
    **MOVEMENT,
    **WINDOWS,
    **LEARNING,
    **FURTHER,
    **TREES,
    **MICROSOFT,
    **MICROSOFT_FURTHER,
}
