"""Completion of names in `%%tol` cells and `%tol` lines."""

from __future__ import annotations

import re
from collections.abc import Callable

from IPython.core.completer import CompletionContext, SimpleCompletion, SimpleMatcherResult, context_matcher

from tolang.faces.notebook.workspace import Workspace

_CELL = re.compile(r"\s*%%tol(?:_cost)?\b[^\n]*\n", re.ASCII)
_LINE = re.compile(r"(?:^|\n)[^\n]*%tol(?:_cost)? [^\n]*$")
_WORD = re.compile(r"[A-Za-z_]\w*$", re.ASCII)


def matcher(workspace: Workspace) -> Callable[[CompletionContext], SimpleMatcherResult]:
    """What completes the word before the cursor, where it is a word of ToLang."""

    @context_matcher()  # type: ignore[untyped-decorator]  # IPython has no types
    def tolang_matcher(context: CompletionContext) -> SimpleMatcherResult:
        lines = context.full_text.split("\n")[: context.cursor_line + 1]
        before = "\n".join([*lines[:-1], lines[-1][: context.cursor_position]])
        word = _WORD.search(before)
        if word is None or not (_CELL.match(before) or _LINE.search(before)):
            return {"completions": []}
        found = [name for name in workspace.names() if name.startswith(word[0])]
        completions = [SimpleCompletion(name, type="tolang") for name in found]
        return {"completions": completions, "matched_fragment": word[0]}

    tolang_matcher.workspace = workspace
    return tolang_matcher  # type: ignore[no-any-return]  # IPython has no types
