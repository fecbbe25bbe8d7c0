"""The report of a cost: what is on it, held against the cost itself; and the page, in a real browser where there is one."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import pytest
from onnx import TensorProto, helper
from tests.faces.conftest import Tol

import tolang
from tolang.faces.report.building import CHOSEN, at_all_sizes, report_of
from tolang.faces.report.content import CostBranch, CostReport
from tolang.faces.report.page import page_of
from tolang.faces.report.peaks import Peaks, peaks_of
from tolang.faces.report.scaling import Over, scaling_of
from tolang.faces.report.sites import Sites
from tolang.faces.report.terminal import bar, chart
from tolang.ground.dataclasses import replace
from tolang.ground.reporting.escaping import visible
from tolang.onnx import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "paper"
PEAKS = Peaks(1e12, 1e11, "given")
HOSTILE = '</script><script>throw "out"</script>'
IMAGE = '"><img src=x onerror="throw 1">&amp;\u2028'
BROWSER = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


def of_program(text: str | Path, **sizes: int) -> CostReport:
    program = tolang.compile(text if isinstance(text, str) else str(text))
    return report_of(program.cost(), program.cost(**sizes), "program.tol", PEAKS)


def model_of(names: tuple[str, str, str]) -> onnx.ModelProto:
    """A product, a sum and a Relu, with names given to them."""
    weight = helper.make_tensor("w", TensorProto.FLOAT, [4, 5], [0.5] * 20)
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["p"], name=names[0]),
        helper.make_node("Add", ["p", "p"], ["q"], name=names[1]),
        helper.make_node("Relu", ["q"], ["y"], name=names[2]),
    ]
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", 4])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["batch", 5])
    graph = helper.make_graph(nodes, "g", [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 21)])


def of_model(names: tuple[str, str, str], **sizes: int) -> CostReport:
    model = load(model_of(names))
    return report_of(model.cost(), model.cost(**sizes), "model.onnx", PEAKS)


def data_on(page: str) -> Any:
    """The data of a page, as a browser finds it: up to the first end of the element."""
    return json.loads(page.partition('id="data">')[2].partition("</script")[0])


def branches(branch: CostBranch) -> Iterator[CostBranch]:
    yield branch
    for part in branch.parts:
        yield from branches(part)


@pytest.mark.parametrize("name", ["matmul", "resnet_block", "kmeans", "shortest_paths", "pooling", "convolution"])
def test_totals_and_parts_are_those_of_the_cost(name: str) -> None:
    program = tolang.compile(str(EXAMPLES / f"{name}.tol"))
    report = of_program(EXAMPLES / f"{name}.tol")
    here, chosen = at_all_sizes(program.cost())
    assert report.chosen == chosen
    assert set(chosen.values()) == {CHOSEN}
    page = data_on(page_of(report))
    for total, measure in zip(
        page["totals"], ("eops", "macs", "flops", "bytes_read", "bytes_written", "memory", "span"), strict=False
    ):
        assert int(total["value"]) == getattr(here, measure), measure
    assert page["totals"][0]["formula"] == str(program.cost().eops)
    by_function = next(table for table in report.tables if table.name == "by function")
    assert sum(row[1] for row in by_function.rows) == here.eops  # type: ignore[misc]
    (tree,) = report.trees
    assert tree.root.value == sum(part.value for part in tree.root.parts) == here.eops
    for branch in branches(tree.root):
        assert sum(part.value for part in branch.parts) <= branch.value, branch.name


def test_places_of_one_definition_are_told_apart() -> None:
    program = tolang.compile("tol v: R [n]\ntwice(x) := map(x, * * 2)\nr := twice(v)\ns := twice(v[2:])\n")
    sites = Sites(program.cost(n=10))
    found = [(one.name, one.value) for one in branches(sites.branch("the whole", 19))]
    assert found == [("the whole", 19), ("r", 10), ("twice", 10), ("s", 9), ("twice", 9)]
    block = Sites(at_all_sizes(tolang.compile(str(EXAMPLES / "resnet_block.tol")).cost())[0])
    labels = [point.name for point in block.points()]
    assert labels == ["conv1", "bn", "relu", "conv2", "bn", "out+residual", "relu"]
    picture, kernels = 8 * CHOSEN**4, 8 * 9 * CHOSEN**2
    convolved = 2 * picture + kernels
    moved = [convolved, 2 * picture, 2 * picture, convolved, 2 * picture, 3 * picture, 2 * picture]
    assert [point.bytes for point in block.points()] == moved


def test_sizes_that_are_given_are_told_from_those_chosen() -> None:
    report = of_program(EXAMPLES / "matmul.tol", n=512, k=256)
    assert (report.given, report.chosen) == ({"n": 512, "k": 256}, {"m": CHOSEN})
    assert report.totals[0].value == 2 * 512 * 256 * CHOSEN
    assert report.scaling is not None
    assert report.scaling.size == "m"


def test_models_are_broken_down_by_node() -> None:
    report = of_model(("/block/product", "/block/sum", "/top/relu"), batch=3)
    by_node = report.tables[0]
    assert [row[:4] for row in by_node.rows] == [
        ("/block/product", "MatMul", 2 * 3 * 4 * 5, 3 * 4 * 5), ("/block/sum", "Add", 15, 0), ("/top/relu", "Relu", 15, 0),
    ]  # fmt: skip
    assert [row[5] for row in by_node.rows] == [4 * (12 + 20 + 15), 4 * (15 + 15), 4 * (15 + 15)]
    assert [tree.name for tree in report.trees] == ["by name", "by operator"]
    assert [(one.name, one.value) for one in report.trees[0].root.parts] == [("block", 135), ("top", 15)]
    assert [table.name for table in report.tables] == ["by node", "by operator", "by function", "by definition"]


def test_curves_are_exact() -> None:
    cost = tolang.compile(str(EXAMPLES / "matmul.tol")).cost()
    scaling = scaling_of(cost, Over.of("k=3:10000"), {"n": 7, "m": 5, "k": 9})
    assert scaling.sizes[0] == 3
    assert scaling.sizes[-1] == 10000
    assert scaling.held == {"n": 7, "m": 5}
    assert scaling.series[0].values == tuple(2 * 7 * 5 * k for k in scaling.sizes)
    assert [one.growth for one in scaling.series] == ["k", "k", "k", "constant", "k"]
    squares = scaling_of(tolang.compile("tol a: R [n,n]\nr := map(a, exp(*))\n").cost(), Over("n"), {})
    assert squares.series[0].growth == "n^2"


def test_curves_over_lengths_that_running_tells() -> None:
    """A number of rounds is an input, not a size; its formula is no polynomial of the sizes alone."""
    cost = tolang.compile(str(EXAMPLES / "shortest_paths.tol")).cost()
    scaling = scaling_of(cost, Over("n", 1, 64), {})
    assert scaling.series[0].values == tuple(cost.at(n=n).eops for n in scaling.sizes)


def test_roofline_tells_what_bounds() -> None:
    report = of_program(EXAMPLES / "matmul.tol", n=512, k=512, m=512)
    assert report.roofline is not None
    (whole,) = report.roofline.points
    assert (whole.eops, whole.bytes) == (2 * 512**3, 3 * 8 * 512**2)
    assert report.bound == "arithmetic"
    program = tolang.compile(str(EXAMPLES / "matmul.tol"))
    slow = report_of(program.cost(), program.cost(n=512, k=512, m=512), "", Peaks(1e14, 1e10, "given"))
    assert slow.bound == "memory"


def test_peaks() -> None:
    assert peaks_of(None, None).origin == "assumed"
    assert peaks_of("2T", "300G") == Peaks(2e12, 3e11, "given")
    measured = peaks_of("measure", "measure")
    assert measured.origin == "measured on this machine"
    assert min(measured.flops, measured.bandwidth) > 1e6
    for wrong in ("fast", "0"):
        with pytest.raises(tolang.ToLangError, match="--peak-flops"):
            peaks_of(wrong, None)


def test_programs_without_operations_or_sizes() -> None:
    idle = of_program("tol v: R [n]\nr := v[2:]\n")
    assert (idle.trees, idle.roofline, idle.totals[0].value) == ((), None, 0)
    fixed = of_program("r := 1 + 2\n")
    assert fixed.scaling is None
    assert "no sizes" in fixed.remarks[-1]
    for report in (idle, fixed):
        assert data_on(page_of(report))["totals"]


def test_numbers_longer_than_floats() -> None:
    size = 10**40
    report = of_program(EXAMPLES / "matmul.tol", n=size, k=size, m=size)
    assert data_on(page_of(report))["totals"][0]["value"] == str(2 * size**3)
    assert report.totals[0].value == 2 * size**3


def test_the_page_needs_nothing_else_and_allows_nothing_else() -> None:
    page = page_of(of_program(EXAMPLES / "matmul.tol"))
    assert not re.search(r"\b(?:src|href|action)\s*=|@import|url\(|https?://(?!www\.w3\.org/2000/svg)", page)
    for kind in ("style", "script"):
        inside = page.partition(f"<{kind}>")[2].partition(f"</{kind}>")[0]
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in page
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", page)
    assert page == page_of(of_program(EXAMPLES / "matmul.tol"))


def test_hostile_names_stay_names() -> None:
    page = page_of(of_model((HOSTILE, IMAGE, "<!--")))
    assert HOSTILE not in page
    assert "<img" not in page
    assert page.count("<script") == 2
    assert [row[0] for row in data_on(page)["tables"][0]["rows"]] == [HOSTILE, visible(IMAGE), "<!--"]
    titled = page_of(replace(of_program("r := 1\n"), title="</title><script>"))
    assert "<title>&lt;/title&gt;&lt;script&gt; – cost</title>" in titled


def test_command_writes_a_report(tol: Tol, folder: Path) -> None:
    done = tol("cost", "product.tol", "n=8", "--html", "report.html", "--over", "k=1:100", "--peak-flops", "2T")
    assert done.exit_code == 0, done.output
    found = data_on((folder / "report.html").read_text("utf-8"))
    assert (found["given"], found["scaling"]["size"], found["roofline"]["flops"]) == ({"n": "8"}, "k", 2e12)
    assert [path.name for path in folder.iterdir() if path.name.endswith(".part")] == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--html", "none/report.html"], "E609"),
        (["--html", "."], "E609"),
        (["--over", "n=9:3"], "E605"),
        (["--over", "n=0:3", "--html", "r.html"], "E605"),
        (["--over", "z=1:9"], "E603"),
        (["--over", "z=1:9", "--html", "old.html"], "E603"),
        (["--html", "old.html", "--peak-bandwidth", "much"], "E605"),
    ],
)
def test_wrong_calls_write_nothing(tol: Tol, folder: Path, words: list[str], message: str) -> None:
    (folder / "old.html").write_text("old")
    done = tol("cost", "product.tol", *words)
    assert done.exit_code == 2
    assert message in done.output
    assert (folder / "old.html").read_text() == "old"
    assert not (folder / "r.html").exists()


def test_charts_of_text(tol: Tol) -> None:
    done = tol("cost", "product.tol", "n=8", "k=4", "m=2", "--by", "function", "--over", "n=1:1000")
    assert done.exit_code == 0, done.output
    assert done.output.count("████████") == 2
    assert "EOPs over n = 1 to 1000, k = 4, m = 2" in done.output
    assert "grows as  EOPs: n,  span: constant" in done.output
    assert (bar(0, 9), bar(1, 10**9), bar(9, 9, 4), bar(1, 2, 1)) == ("", "▏", "████", "▌")


def test_charts_of_constants_and_of_huge_numbers() -> None:
    cost = tolang.compile("tol a: R [n,m]\nr := map(a, exp(*))\n").cost()
    assert "5 ┤" in chart(scaling_of(cost.at(m=5), Over("n", 1, 2), {"m": 5}))
    assert "no EOPs" in chart(scaling_of(tolang.compile("tol a: R [n]\nr := a[2:]\n").cost(), Over("n"), {}))
    assert "10^63" in chart(scaling_of(cost, Over("n", 1, 1000), {"m": 10**60}))


CLICKS = """
const found = {};
const rows = () => [...document.querySelectorAll("#table tbody tr")].map((row) => row.cells[0].textContent);
const cells = () => [...document.querySelectorAll("#icicle button")].map((one) => one.getAttribute("aria-label"));
const press = (target, key) => target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const sorts = () => [...document.querySelectorAll("#table thead th")].map((one) => one.getAttribute("aria-sort"));
const head = (place) => document.querySelectorAll("#table thead button")[place];
const type = (text) => { const box = document.getElementById("filter"); box.value = text; box.dispatchEvent(new Event("input")); };
found.start = rows();
found.sort = sorts();
head(0).click();
found.names = rows();
found.namesSort = sorts();
found.focused = document.activeElement.textContent;
head(0).click();
found.namesDown = rows();
type("b");
found.filtered = rows();
type("");
const more = document.getElementById("more");
found.more = more.hidden ? null : more.textContent;
if (!more.hidden) more.click();
found.all = rows().length;
found.tabs = [...document.querySelectorAll("#table-tabs button")].map((one) => { one.click(); return [one.textContent, rows().length]; });
found.cells = cells();
const deep = document.querySelectorAll("#icicle button")[2];
if (deep) {
  deep.click();
  found.zoomed = cells();
  press(document.activeElement, "Escape");
  found.back = cells();
}
const curve = document.querySelector("#scaling [tabindex]");
if (curve) {
  found.curve = document.querySelector(".chart-title").textContent;
  press(curve, "End");
  found.curveEnd = document.querySelector(".chart-title").textContent;
}
found.totals = [...document.querySelectorAll("#totals .value")].map((one) => one.textContent);
found.points = document.querySelectorAll("#roofline .dot").length;
found.hidden = [...document.querySelectorAll("section[hidden]")].map((one) => one.id);
found.wide = document.documentElement.scrollWidth - innerWidth;
const outcome = document.createElement("pre");
outcome.id = "outcome";
outcome.textContent = JSON.stringify(found);
document.body.append(outcome);
"""


def in_browser(report: CostReport, folder: Path) -> Any:
    """What the test's own script finds on the page, whose policy is told to allow it; errors on the console fail."""
    assert BROWSER is not None
    digest = base64.b64encode(hashlib.sha256(CLICKS.encode()).digest()).decode()
    page = page_of(report).replace("script-src ", f"script-src 'sha256-{digest}' ", 1)
    path = folder / "page.html"
    path.write_text(page.replace("</body>", f"<script>{CLICKS}</script></body>"), "utf-8")
    done = subprocess.run(
        [
            BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr",
            f"--user-data-dir={folder / 'profile'}", "--window-size=1280,900", "--dump-dom", path.as_uri(),
        ],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    outcome = re.search(r'<pre id="outcome">(.*?)</pre>', done.stdout, re.DOTALL)
    assert outcome, done.stderr[-2000:]
    return json.loads(html.unescape(outcome[1]))


needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium on this machine")


@needs_browser
def test_page_of_a_program_in_a_browser(tmp_path: Path) -> None:
    found = in_browser(of_program(EXAMPLES / "resnet_block.tol", batch=8, channel=64, height=56, width=56), tmp_path)
    assert found["start"][:3] == ["result", "forward", "forward.out"]
    assert found["sort"] == ["none", "none", "descending", "none", "none", "none"]
    assert found["names"] == sorted(found["start"], key=str.lower)
    assert found["namesSort"][0] == "ascending"
    assert found["focused"] == "definition"
    assert found["namesDown"] == found["names"][::-1]
    assert found["filtered"] == [name for name in found["namesDown"] if "b" in name]
    assert [name for name, _ in found["tabs"]] == ["by definition", "by function"]
    assert found["cells"][:3] == ["the whole: 100.0 %", "result: 100.0 %", "forward: 100.0 %"]
    assert found["zoomed"][:3] == found["cells"][:3]
    assert found["back"] == found["cells"]
    assert found["totals"][0] == "3.72 G"
    assert found["points"] == 8
    assert (found["curve"], found["curveEnd"]) == ("Functions at batch = 8", "Functions at batch = 4\u202f096")
    assert found["wide"] <= 0


@needs_browser
def test_page_of_hostile_names_in_a_browser(tmp_path: Path) -> None:
    found = in_browser(of_model((HOSTILE, IMAGE, "a" * 500), batch=10**30), tmp_path)
    assert set(found["start"]) == {HOSTILE, visible(IMAGE), "a" * 500}
    assert found["totals"][0] == "50 Q"
    assert found["wide"] <= 0


@needs_browser
def test_pages_of_no_rows_and_of_thousands_in_a_browser(tmp_path: Path) -> None:
    report = of_model(("p", "q", "r"), batch=3)
    nodes = report.tables[0]
    many = tuple((f"node {place}", "Add", place * 10**40, None, 0, None, None, "1") for place in range(3000))
    found = in_browser(replace(report, tables=(replace(nodes, rows=many),)), tmp_path)
    assert found["start"][0] == "node 2999"
    assert (len(found["start"]), found["more"], found["all"]) == (100, "Show all 3000 rows", 3000)
    assert found["names"][:3] == ["node 0", "node 1", "node 2"]
    empty = in_browser(replace(of_program("r := 1\n"), tables=(replace(nodes, rows=()),)), tmp_path)
    assert (empty["start"], empty["more"]) == ([], None)
    assert empty["hidden"] == ["tree-section", "roofline-section", "scaling-section"]
