"""The page of a report: one file that needs nothing else, with its data, its style and its script inside it.

What the page may do is limited to just that: its policy allows this one style and this one script, by their digests,
and nothing from anywhere else.  Names come from programs and models, which may be hostile; they are data only, and
the script puts them on the page as text.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from importlib.resources import files
from pathlib import Path

from tolang.data.files import replace_file
from tolang.faces.report.content import CostReport
from tolang.ground.reporting.escaping import visible

_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&"}


def write_page(report: CostReport, goal: Path) -> None:
    """Writes the page, whole or not at all."""
    text = page_of(report)
    replace_file(goal, lambda file: file.write(text.encode("utf-8", "replace")))


def page_of(report: CostReport) -> str:
    """The text of the page."""
    style, script = _template("page.css"), _template("page.js")
    slots = {  # in the order of the template
        "{{title}}": html.escape(visible(f"{report.title} – cost")),
        "{{style-digest}}": _digest(style),
        "{{script-digest}}": _digest(script),
        "{{style}}": style,
        "{{data}}": json_inside_html(report.data()),
        "{{script}}": script,
    }
    parts = [_template("page.html")]
    for slot, value in slots.items():
        before, _, after = parts.pop().partition(slot)
        parts += [before, value, after]
    return "".join(parts)


def json_inside_html(data: object) -> str:
    """JSON that no text in it can end the element of."""
    return json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":")).translate(_UNSAFE)


def _template(name: str) -> str:
    return files("tolang.faces.report").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"
