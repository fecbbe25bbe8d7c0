"""The models that are tried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.models.architectures import ARCHITECTURES, IMAGES, PICTURE
from benchmarks.models.inputs import Input, numbers, words
from benchmarks.models.sources import Wheel
from benchmarks.models.ways import Fetched, Learned, Model, Network, Optimised, Quantised

RAPIDOCR = Wheel("rapidocr", "3.10.0", "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050", "Apache-2.0")
MAGIKA = Wheel("magika", "1.0.3", "938d8e033953f2ddeb8c35dc423aa289ca116bfa7a71a778f6e77460f9025803", "Apache-2.0")
SILERO = Wheel("silero-vad", "6.2.3", "7b7f5436cfcb02fae583a05b512ea96467fd449fe54cb49a5e4f06c51a1e43b8", "MIT")
DDDDOCR = Wheel("ddddocr", "1.6.1", "c7c70f4ae2d0335440ae8b272eea48c9f6888ecef46785fe2311f0c97a133935", "MIT")
ROWS = ({"batch": 1000}, {"batch": 1}, {"batch": 7})
TABLE = {"X": numbers("batch", 12)}
TEXTS = {"X": Input(("batch", 1), words=("red", "green", "blue", "cold", "warm", "wet", "dry", "old", "new"))}


def _fetched() -> Iterator[Model]:
    rapid = "rapidocr/models/PP-OCRv6_"
    yield Model("rapidocr-detection", Fetched(RAPIDOCR, f"{rapid}det_small.onnx"), {"x": numbers(1, 3, 320, 320)})
    yield Model("rapidocr-recognition", Fetched(RAPIDOCR, f"{rapid}rec_small.onnx"), {"x": numbers(1, 3, 48, 320)})
    read = {"bytes": Input((2, 2048), 256, kind="int32")}
    yield Model("magika", Fetched(MAGIKA, "magika/models/standard_v3_3/model.onnx"), read)
    heard = {"input": numbers(1, 576), "state": numbers(2, 1, 128), "sr": words(16001, least=16000)}
    yield Model("silero-vad", Fetched(SILERO, "silero_vad/data/silero_vad.onnx"), heard)
    yield Model("ddddocr", Fetched(DDDDOCR, "ddddocr/common.onnx"), {"input1": numbers(1, 1, 64, 160)})
    yield Model("ddddocr-detection", Fetched(DDDDOCR, "ddddocr/common_det.onnx"), {"images": numbers(1, 3, 416, 416)})


def _networks() -> Iterator[Model]:
    image = {"x": numbers(1, 3, 224, 224)}
    yield Model("resnet-18", Network("residual_network", {"depths": [2, 2, 2, 2], "bottleneck": False}), image)
    yield Model("resnet-50", Network("residual_network", {"depths": [3, 4, 6, 3], "bottleneck": True}), image)
    lengths = {"batch": 1, "length": 128}, {"batch": 2, "length": 31}
    yield Model("encoder", Network("Encoder"), {"words": words(30522, "batch", "length")}, lengths)
    yield Model("lstm", Network("Recurrent"), {"x": numbers(1, 50, 64)})
    for name in (
        "squeezenet1_1", "mobilenet_v2", "mobilenet_v3_small", "shufflenet_v2_x0_5", "efficientnet_b0",
        "densenet121",
    ):  # fmt: skip
        yield Model(name.replace("_", "-"), Network("vision", {"name": name}), PICTURE, IMAGES)
    yield Model("mobilenet-v2-dynamo", Network("vision", {"name": "mobilenet_v2"}, "dynamo"), PICTURE, IMAGES)
    segmentation = {"name": "lraspp_mobilenet_v3_large", "group": "segmentation", "weights_backbone": None}
    yield Model("lraspp", Network("vision", segmentation), PICTURE, IMAGES)


def _learned() -> Iterator[Model]:
    def one(name: str, *steps: str | tuple[str, Mapping[str, Any]], task: str = "classes", **options: Any) -> Model:
        whole = tuple((step, {}) if isinstance(step, str) else step for step in steps)
        inputs = TEXTS if task == "topics" else TABLE
        return Model(name, Learned(whole, task, options), inputs, ROWS)

    scaled = "preprocessing.StandardScaler"
    trees = {"n_estimators": 20, "max_depth": 6, "random_state": 0}
    yield one("logistic-regression", "linear_model.LogisticRegression", zipmap=False)
    yield one("logistic-regression-names", "linear_model.LogisticRegression")
    yield one("linear-regression", "linear_model.LinearRegression", task="numbers")
    yield one("random-forest", ("ensemble.RandomForestClassifier", trees), zipmap=False)
    yield one("random-forest-regression", ("ensemble.RandomForestRegressor", trees), task="numbers")
    boosted = {"n_estimators": 20, "max_depth": 3, "random_state": 0}
    yield one("gradient-boosting", ("ensemble.GradientBoostingClassifier", boosted), zipmap=False)
    extra = ("ensemble.ExtraTreesRegressor", trees)
    yield one("extra-trees", extra, task="numbers")
    yield one("isolation-forest", ("ensemble.IsolationForest", {"n_estimators": 10, "random_state": 0}), task="groups")
    yield one("decision-tree", ("tree.DecisionTreeClassifier", {"max_depth": 6}), zipmap=False)
    yield one("svm", "svm.SVC", zipmap=False)
    yield one("svm-linear", "svm.LinearSVC")
    yield one("svm-regression", "svm.SVR", task="numbers")
    yield one("nearest-neighbours", "neighbors.KNeighborsClassifier", zipmap=False)
    yield one("perceptron", ("neural_network.MLPClassifier", {"hidden_layer_sizes": (32, 16)}), zipmap=False)
    yield one("naive-bayes", "naive_bayes.GaussianNB", zipmap=False)
    yield one("k-means", ("cluster.KMeans", {"n_clusters": 5, "random_state": 0}), task="groups")
    yield one("gaussian-process", "gaussian_process.GaussianProcessRegressor", task="numbers")
    yield one(
        "pipeline", scaled, ("decomposition.PCA", {"n_components": 6}), "linear_model.LogisticRegression", zipmap=False
    )
    polynomial = ("preprocessing.PolynomialFeatures", {"degree": 2})
    yield one("pipeline-polynomial", polynomial, scaled, ("linear_model.Ridge", {}), task="numbers")
    yield one(
        "pipeline-bins",
        ("preprocessing.KBinsDiscretizer", {"encode": "onehot-dense"}),
        "naive_bayes.BernoulliNB",
        zipmap=False,
    )
    texts = ("feature_extraction.text.TfidfVectorizer", {})
    yield one("text-tf-idf", texts, "linear_model.LogisticRegression", task="topics", zipmap=False)
    counts = ("feature_extraction.text.CountVectorizer", {"ngram_range": (1, 2)})
    yield one("text-counts", counts, "naive_bayes.MultinomialNB", task="topics", zipmap=False)


def _optimised() -> Iterator[Model]:
    for base in (
        "bert", "gpt2-cache", "llama-cache", "t5", "vit", "swin", "whisper", "resnet-18", "mobilenet-v3-small",
        "deberta",
    ):  # fmt: skip
        yield Model(f"{base}-extended", Optimised(base))
    yield Model("bert-fused", Optimised("bert", "bert", 4, 128))
    yield Model("gpt2-fused", Optimised("gpt2", "gpt2", 4, 128))
    yield Model("vit-fused", Optimised("vit", "vit", 4, 128))


def _quantised() -> Iterator[Model]:
    for base in ("resnet-18", "mobilenet-v2", "bert", "vit"):
        yield Model(f"{base}-static", Quantised(base, "static"), tolerance=0.05)
    yield Model("squeezenet1-1-operators", Quantised("squeezenet1-1", "operators"), tolerance=0.05)
    for base in ("bert", "gpt2-cache", "lstm", "whisper"):
        yield Model(f"{base}-dynamic", Quantised(base, "dynamic"), tolerance=0.05)
    for base in ("llama-cache", "gpt2", "t5"):
        yield Model(f"{base}-4-bit", Quantised(base, "blocks", 4), tolerance=0.01)
    yield Model("qwen2-cache-8-bit", Quantised("qwen2-cache", "blocks", 8), tolerance=0.01)


MODELS = (*_fetched(), *_networks(), *ARCHITECTURES, *_learned(), *_optimised(), *_quantised())
BY_NAME = {one.name: one for one in MODELS}
