"""An editor as a language server sees it: a process of `tol lsp`, and messages over its standard streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import Any

PATIENCE = 30.0
"""Seconds until a server that does not answer is given up."""


class Client:
    """One server process, and the texts that are open in it."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tolang", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.numbers = count(1)
        self.versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.messages: Queue[dict[str, Any]] = Queue()
        self.told: list[dict[str, Any]] = []
        Thread(target=self._listen, daemon=True).start()
        self.capabilities = self.ask("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]
        self.tell("initialized")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        while line := self.process.stdout.readline():
            length = int(line.split(b":")[1])
            while self.process.stdout.readline().strip():
                pass
            self.messages.put(json.loads(self.process.stdout.read(length)))

    def _send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        content = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(content), content))
        self.process.stdin.flush()

    def tell(self, method: str, **params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, **params: Any) -> Any:
        """The answer to a request; what else the server says meanwhile is kept."""
        number = next(self.numbers)
        self._send({"id": number, "method": method, "params": params})
        while True:
            message = self.messages.get(timeout=PATIENCE)
            if message.get("id") == number and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self.told.append(message)

    def open(self, name: str, text: str) -> list[dict[str, Any]]:
        """Opens a text; returns what is wrong with it."""
        uri = f"file:///{name}"
        self.versions[uri], self.texts[uri] = 1, text
        self.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "tolang", "version": 1, "text": text})
        return self.wrong(uri)

    def type(self, name: str, place: tuple[int, int], text: str, removed: int = 0) -> None:
        """Types a text at a line and character, after removing so many characters there."""
        uri = f"file:///{name}"
        self.versions[uri] += 1
        line, character = place
        lines = self.texts[uri].split("\n")
        lines[line] = lines[line][:character] + text + lines[line][character + removed :]
        self.texts[uri] = "\n".join(lines)
        span = {"start": position(line, character), "end": position(line, character + removed)}
        self.tell(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": self.versions[uri]},
            contentChanges=[{"range": span, "text": text}],
        )

    def wrong(self, uri: str) -> list[dict[str, Any]]:
        """What is wrong with a text as it is now, once the server has told it."""
        while True:
            for message in self.told:
                params = message.get("params", {})
                if params.get("uri") == uri and params.get("version") == self.versions[uri]:
                    found: list[dict[str, Any]] = params["diagnostics"]
                    return found
            self.told.append(self.messages.get(timeout=PATIENCE))

    def until(self, name: str, holds: Callable[[list[dict[str, Any]]], bool]) -> None:
        """Waits until what the server has told of a text as it is now is as expected."""
        uri = f"file:///{name}"
        seen = 0
        while True:
            for message in self.told[seen:]:
                params = message.get("params", {})
                is_current = params.get("uri") == uri and params.get("version") == self.versions[uri]
                if is_current and holds(params["diagnostics"]):
                    return
            seen = len(self.told)
            self.told.append(self.messages.get(timeout=PATIENCE))

    def at(self, name: str, method: str, place: tuple[int, int], **params: Any) -> Any:
        """The answer about a place of a text."""
        document = {"uri": f"file:///{name}"}
        return self.ask(f"textDocument/{method}", textDocument=document, position=position(*place), **params)

    def of(self, name: str, method: str, **params: Any) -> Any:
        """The answer about a text."""
        return self.ask(f"textDocument/{method}", textDocument={"uri": f"file:///{name}"}, **params)

    def seconds(self) -> float:
        """The time of the processor that the server has taken so far, which a busy machine does not change."""
        used = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.wait(PATIENCE) == 0


def position(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def written(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after edits that an editor makes all at once."""
    lines = text.split("\n")
    starts = [sum(len(one) + 1 for one in lines[:n]) for n in range(len(lines) + 1)]

    def offset(place: dict[str, int]) -> int:
        return starts[place["line"]] + place["character"]

    for edit in sorted(edits, key=lambda one: -offset(one["range"]["start"])):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


LIBRARY = Path(__file__).resolve().parents[2] / "src" / "tolang" / "library"
