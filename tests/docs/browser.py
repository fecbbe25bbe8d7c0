"""A site on a server of its own, opened in a browser without a window."""

from __future__ import annotations

import json
import os
import select
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any

from tolang.faces.playground import answer

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PATIENCE = 60.0
"""Seconds until a browser that does not answer is given up."""
STAND_IN = """\
export const loadPyodide = async () => ({
  loadPackage: async () => {},
  unpackArchive: (archive) => { if (archive.byteLength < 1000) throw new Error("no archive"); },
  runPython: () => (text, inputs) => {
    const request = new XMLHttpRequest();
    request.open("POST", "/answer", false);
    request.send(JSON.stringify([text, inputs]));
    return request.responseText;
  },
});
"""
"""Python for browsers where it was not fetched: everything but Python itself, which answers from outside."""


def browser() -> str | None:
    """The command of a browser, if one is installed."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


class _Handler(SimpleHTTPRequestHandler):
    def do_POST(self) -> None:
        text, inputs = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = answer(text, inputs).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder on a server."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=str(folder)))
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class Browser:
    """A browser without a window that reaches this machine alone, told what to do through two pipes."""

    def __init__(self, profile: Path) -> None:
        command = browser()
        assert command is not None
        told, self.tell = os.pipe()
        self.hear, said = os.pipe()
        script = f'exec "$0" "$@" 3<&{told} 4>&{said}'
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"]
        options += [f"--user-data-dir={profile}", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
        self.process = subprocess.Popen(
            ["bash", "-c", script, command, *options, "about:blank"], pass_fds=(told, said),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(told)
        os.close(said)
        self.numbers = count(1)
        self.waiting = b""
        self.loaded: list[str] = []
        self.session: str | None = None

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.tell)
        os.close(self.hear)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer to one command; addresses that pages load meanwhile are noted."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": params}
        if self.session is not None:
            message["sessionId"] = self.session
        os.write(self.tell, json.dumps(message).encode() + b"\0")
        while True:
            found = self._next()
            if found.get("method") == "Network.requestWillBeSent":
                self.loaded.append(found["params"]["request"]["url"])
            if found.get("id") == number:
                assert "error" not in found, found
                result: dict[str, Any] = found["result"]
                return result

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.hear], [], [], PATIENCE)
            assert ready, "the browser does not answer"
            self.waiting += os.read(self.hear, 1 << 16)
        message, _, self.waiting = self.waiting.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        return found

    def open(self, address: str) -> None:
        target = self.ask("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Network.enable")
        self.ask("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """The value of an expression of JavaScript in the page."""
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait_for(self, expression: str) -> None:
        """Waits until an expression holds."""
        end = time.monotonic() + PATIENCE
        while not self.value(expression):
            assert time.monotonic() < end, f"never: {expression}"
            time.sleep(0.05)
