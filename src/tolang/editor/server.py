"""The language server, `tol lsp`: what editors ask in their protocol, answered from documents.

Each change of a text is taken at once, and checked in a thread of its own: first what is near the change, which is told
before the rest is looked at.  A further change stops a check that goes on, and what it has not told is never told.
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from tolang.editor.document import TOKENS, Document
from tolang.editor.knowledge import SearchStep, Stopped
from tolang.editor.positions import Lines
from tolang.ground.reporting.diagnostics import ToLangSyntaxError
from tolang.ground.version import VERSION
from tolang.syntax.formatter import format_text

if TYPE_CHECKING:
    from tolang.editor.pieces import TextPieces

_KINDS = {
    "value": lsp.CompletionItemKind.Variable, "function": lsp.CompletionItemKind.Function,
    "input": lsp.CompletionItemKind.Variable, "type": lsp.CompletionItemKind.Class,
    "size": lsp.CompletionItemKind.Constant, "parameter": lsp.CompletionItemKind.Variable,
    "iterator": lsp.CompletionItemKind.Variable, "definition": lsp.CompletionItemKind.Variable,
    "module": lsp.CompletionItemKind.Module, "primitive": lsp.CompletionItemKind.Operator,
    "keyword": lsp.CompletionItemKind.Keyword,
}  # fmt: skip
_SYMBOLS = {"function": lsp.SymbolKind.Function, "type": lsp.SymbolKind.Class, "input": lsp.SymbolKind.Field}

MOST_CHOICES = 200
"""So many names are offered at once; with more letters typed there are fewer."""


MOST_TOLD = 250
"""Of more problems than these, those nearest to the last change are told: each takes time to send and to show."""
BETWEEN_TELLINGS = 0.3
"""Seconds between two tellings of what is wrong with one version of a text."""


class Opened:
    """A document that an editor has open."""

    def __init__(self, uri: str, text: str, version: int, encoding: str) -> None:
        self.uri, self.version, self.encoding = uri, version, encoding
        self.document = Document(to_fs_path(uri) or Path(uri).name, text)
        self.lines = Lines(text, encoding)
        self.told = 0
        """How often something was told of this version."""
        self.told_last = 0.0

    def edit(self, text: str, version: int) -> None:
        self.document.edit(text)
        self.lines, self.version, self.told = Lines(text, self.encoding), version, 0

    def offset(self, position: lsp.Position) -> int:
        return self.lines.offset(position.line, position.character)

    def range(self, start: int, end: int) -> lsp.Range:
        return range_in(self.lines, start, end)


def range_in(lines: Lines, start: int, end: int) -> lsp.Range:
    """A stretch of a text as editors write one."""
    return lsp.Range(lsp.Position(*lines.position(start)), lsp.Position(*lines.position(end)))


class Server(LanguageServer):
    """A server of ToLang for one editor, over its standard streams."""

    def __init__(self) -> None:
        super().__init__("tol", VERSION, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.opened: dict[str, Opened] = {}
        self.checks = ThreadPoolExecutor(1, "check")

    def at(self, uri: str) -> Opened:
        return self.opened[uri]

    def take(self, uri: str) -> None:
        """Takes the text of a document as it is now, and has it checked."""
        text = self.workspace.get_text_document(uri)
        version = text.version or 0
        one = self.opened.get(uri)
        if one is None:
            encoding = str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
            one = self.opened[uri] = Opened(uri, text.source, version, encoding)
        else:
            one.edit(text.source, version)
        self.check(one)

    def check(self, one: Opened) -> None:
        """Tells what is wrong with a document, once that is known, unless it is another by then."""
        loop = asyncio.get_running_loop()
        self.checks.submit(self._check, one, one.document.pieces, one.version, loop)

    def _check(self, one: Opened, pieces: TextPieces, version: int, loop: asyncio.AbstractEventLoop) -> None:
        if pieces is not one.document.pieces:
            return
        try:
            for step in one.document.learn(pieces):
                loop.call_soon_threadsafe(self._take, one, pieces, version, step)
        except Stopped:
            return
        except Exception as error:
            loop.call_soon_threadsafe(self._failed, error)

    def _failed(self, error: Exception) -> None:
        message = f"tol: internal error: {type(error).__name__}: {error}; please report it"
        self.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, message))

    def _take(self, one: Opened, pieces: TextPieces, version: int, step: SearchStep) -> None:
        """Takes what was found, and tells it: what was changed, what is near it, all, and between only so often."""
        if version != one.version or one.uri not in self.opened or not one.document.take(pieces, step):
            return
        now = time.monotonic()
        if step.is_last or one.told < 2 or now - one.told_last > BETWEEN_TELLINGS:
            one.told, one.told_last = one.told + 1, now
            self._tell(one, version)

    def _tell(self, one: Opened, version: int) -> None:
        troubles = sorted(one.document.troubles(), key=lambda found: abs(found.start - one.document.changed_at))
        found = [_diagnostic(one, trouble) for trouble in troubles[:MOST_TOLD]]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(one.uri, found, version))
        refreshes = self.client_capabilities.workspace
        if refreshes is not None and refreshes.inlay_hint is not None and refreshes.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)


def _diagnostic(one: Opened, trouble: Any) -> lsp.Diagnostic:
    related = [
        lsp.DiagnosticRelatedInformation(lsp.Location(one.uri, one.range(start, end)), message)
        for start, end, message in trouble.notes
    ]
    return lsp.Diagnostic(
        one.range(trouble.start, trouble.end),
        trouble.message,
        lsp.DiagnosticSeverity.Warning if trouble.code.startswith("W") else lsp.DiagnosticSeverity.Error,
        trouble.code,
        source="tol",
        related_information=related or None,
    )


def make_server() -> Server:
    """A server that answers everything it says it can."""
    server = Server()
    _follow_texts(server)
    _tell_of_names(server)
    _tell_of_texts(server)
    return server


def _follow_texts(server: Server) -> None:
    """What keeps documents as the editor has them."""

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        server.take(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(_: lsp.DidSaveTextDocumentParams) -> None:
        for one in server.opened.values():
            one.document.forget()
            server.check(one)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        one = server.opened.pop(params.text_document.uri, None)
        if one is not None:
            one.document.knowledge.stop()
            server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(one.uri, []))


def _tell_of_names(server: Server) -> None:
    """Answers about the name at a place."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        one = server.at(params.text_document.uri)
        found = one.document.hover(one.offset(params.position))
        if found is None:
            return None
        start, end, text = found
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), one.range(start, end))

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(resolve_provider=True))
    def completion(params: lsp.CompletionParams) -> lsp.CompletionList:
        one = server.at(params.text_document.uri)
        choices = one.document.choices(one.offset(params.position))
        items = [
            lsp.CompletionItem(c.name, kind=_KINDS[c.kind], detail=c.detail or None, data=None if c.detail else one.uri)
            for c in choices[:MOST_CHOICES]
        ]
        return lsp.CompletionList(len(choices) > MOST_CHOICES, items)

    @server.feature(lsp.COMPLETION_ITEM_RESOLVE)
    def resolve(item: lsp.CompletionItem) -> lsp.CompletionItem:
        """What is told of a name of the text is found once it is looked at."""
        one = server.opened.get(str(item.data))
        fact = None if one is None else one.document.fact_of(item.label)
        item.detail = item.detail if fact is None else fact.hint
        return item

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        one = server.at(params.text_document.uri)
        found = one.document.definition(one.offset(params.position))
        if found is None:
            return None
        if found.path is None:
            return lsp.Location(one.uri, one.range(found.start, found.end))
        lines = Lines(found.text, one.encoding)
        return lsp.Location(from_fs_path(found.path) or "", range_in(lines, found.start, found.end))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        one = server.at(params.text_document.uri)
        found = one.document.references(one.offset(params.position))
        return [lsp.Location(one.uri, one.range(start, end)) for start, end in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        one = server.at(params.text_document.uri)
        found = one.document.renamable(one.offset(params.position))
        return None if found is None else one.range(*found)

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        one = server.at(params.text_document.uri)
        offset = one.offset(params.position)
        refused = one.document.refusal_of_name(offset, params.new_name)
        if refused is not None:
            server.window_show_message(lsp.ShowMessageParams(lsp.MessageType.Error, refused))
            return None
        edits = [lsp.TextEdit(one.range(*place), params.new_name) for place in one.document.references(offset)]
        return lsp.WorkspaceEdit({one.uri: edits})


def _tell_of_texts(server: Server) -> None:
    """Answers about a whole text, or a stretch of it."""

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        one = server.at(params.text_document.uri)
        found = one.document.hints(one.offset(params.range.start), one.offset(params.range.end))
        return [
            lsp.InlayHint(one.range(h.offset, h.offset).start, f": {h.text}", lsp.InlayHintKind.Type) for h in found
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        one = server.at(params.text_document.uri)
        text = one.document.text
        try:
            formatted = format_text(text)
        except ToLangSyntaxError:
            return None
        return [] if formatted == text else [lsp.TextEdit(one.range(0, len(text)), formatted)]

    @server.feature(
        lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    )
    def actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        one = server.at(params.text_document.uri)
        found = one.document.mendings(one.offset(params.range.start), one.offset(params.range.end))
        return [
            lsp.CodeAction(
                m.title,
                lsp.CodeActionKind.QuickFix,
                edit=lsp.WorkspaceEdit({one.uri: [lsp.TextEdit(one.range(m.start, m.end), m.text)]}),
            )
            for m in found
        ]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folds(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        one = server.at(params.text_document.uri)
        lines = {(one.lines.position(start)[0], one.lines.position(end)[0]) for start, end in one.document.folds()}
        return [lsp.FoldingRange(first, last) for first, last in sorted(lines)]

    @server.feature(
        lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend(token_types=list(TOKENS), token_modifiers=[])
    )
    def tokens(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        one = server.at(params.text_document.uri)
        data: list[int] = []
        line, character = 0, 0
        for start, length, kind in one.document.tokens():
            at_line, at = one.lines.position(start)
            wide = one.lines.units(one.document.text[start : start + length])
            data += [at_line - line, at - character if at_line == line else at, wide, TOKENS.index(kind), 0]
            line, character = at_line, at
        return lsp.SemanticTokens(data)

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        one = server.at(params.text_document.uri)
        return [
            lsp.DocumentSymbol(
                name,
                _SYMBOLS.get(kind, lsp.SymbolKind.Variable),
                one.range(start, end),
                one.range(place, place + len(name)),
            )
            for name, kind, start, end, place in one.document.outline()
        ]


def serve() -> None:
    """Answers an editor over the standard streams until it is done; nothing else is ever written to them."""
    server = make_server()
    server.checks.submit(Document("warm", "x = sum([1,2])\n").learn_all)
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as stream, redirect_stdout(sys.stderr):
        server.start_io(stdout=stream)
    server.checks.shutdown(cancel_futures=True)
