"""`tol lsp`: the language server, which editors start."""

from __future__ import annotations


def language_server() -> None:
    """Answer an editor over the standard streams: the language server.

    Editors start it by themselves; it needs `pip install 'tolang[lsp]'`.
    """
    from tolang.ground.reporting.diagnostics import usage

    try:
        from tolang.editor.server import serve
    except ModuleNotFoundError as error:
        if error.name not in ("pygls", "lsprotocol"):
            raise
        raise usage("E604", "the language server needs the package pygls", fix="pip install 'tolang[lsp]'") from None
    serve()
