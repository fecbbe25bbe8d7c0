"""The prompt: `tol repl` in a terminal, with history, completion and several lines, or reading from a pipe."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from tolang.faces.terminal import (
    OUT_OF_MEMORY,
    coloured,
    note,
    progress,
    show_error,
    show_internal,
    show_warnings,
    styled,
    terminal_width,
)
from tolang.ground.reporting.diagnostics import Source, ToLangError
from tolang.ground.reporting.escaping import visible, visible_lines
from tolang.ground.values.printing import type_notation
from tolang.ground.version import VERSION
from tolang.program.session import AcceptedDefinition, Answer, Session
from tolang.syntax.parser import is_unfinished, parse_expression

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.history import History
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    from tolang.data.results import Result

LINE = 88
LEAVING = ("exit", "quit", "exit()", "quit()")
"""What other prompts are left by."""
_ASKING = re.compile(r"\?|help(?: +(?P<after>\S+)| *\((?P<within>[^()]*)\))?")
"""How other prompts are asked for help."""
HELP = """Type an expression to see its value, or a definition to keep it:
  [1,2,3] / 2                     a value, shown with its type
  n = 3                           a definition; defining a name again replaces it
  double(x) = map(x, * * 2)       a function
  tol a: R [n]                    an input; a = [1,2,3] or :read gives it data
  use linalg                      a module of the library
  it * 2                          it is the value of the expression before; x = it keeps it
A line goes on while a bracket is open or its last operator waits; an empty line ends it anyway.

  :type EXPR        the type of an expression, which is not evaluated
  :core EXPR        the checked core of an expression
  :cost EXPR        how many elementary operations an expression takes
  :load FILE        add the statements of a program
  :read NAME FILE   data for an input, from a file: .npy, .npz, .json, .csv, .parquet, .arrow, .txt, .png
  :list             the program so far
  :save FILE        write the program so far
  :forget NAME      remove a name
  :reset            remove everything
  :help             this text
  :help NAME        what a name stands for: how it is called, what it costs, how it is written
  :quit             leave, as quit, exit and Ctrl-D do

Tab completes names, arrows go through the history, Ctrl-C cancels a line or stops a computation."""


class Repl:
    """One session at a prompt."""

    def __init__(self, session: Session, interactive: bool) -> None:
        self.session = session
        self.interactive = interactive
        self.failed = False
        self.orders: dict[str, tuple[int, Callable[..., None]]] = {  # how many words follow; -1: one, or none
            "type": (1, self._type),
            "core": (1, self._core),
            "cost": (1, self._cost),
            "load": (1, self._load),
            "read": (2, self._read),
            "list": (0, self._list),
            "save": (1, self._save),
            "forget": (1, self._forget),
            "reset": (0, session.reset),
            "help": (-1, self._help),
            "quit": (0, _quit),
        }

    def answer(self, text: str) -> None:
        """Takes one entry; whatever is wrong with it is told, and the session goes on."""
        try:
            if text.lstrip().startswith(":"):
                self._order(text.strip()[1:])
            elif text.strip() in LEAVING and not self._is_own(text.strip()):
                _quit()
            elif (asked := _ASKING.fullmatch(text.strip())) and not self._is_own("help"):
                self._help(asked["after"] or asked["within"] or None)
            elif text.strip():
                self._enter(text)
        except ToLangError as error:
            self.failed = True
            sys.stdout.flush()
            show_error(error)
        except KeyboardInterrupt:
            if not self.interactive:
                raise
            note("interrupted")
        except MemoryError:
            self._refuse(OUT_OF_MEMORY)
        except (_Leave, BrokenPipeError):
            raise
        except Exception as error:
            if not self.interactive or "--debug" in sys.argv:
                raise
            show_internal(error)  # what was defined is worth more than this entry

    def _enter(self, text: str) -> None:
        answers = iter(self.session.enter(text))
        while True:
            with progress("evaluating"):
                answer = next(answers, None)
            if answer is None:
                return
            self._show(answer)

    def _show(self, answer: Answer) -> None:
        self._tell(answer)
        show_warnings(answer.warnings)

    def _tell(self, answer: Answer) -> None:
        if isinstance(answer, AcceptedDefinition):
            if self.interactive:
                print(styled(f"{answer.text}{' (replaced)' if answer.replaced else ''}", "dim"))
        else:
            print(value_text(answer.value))

    def _order(self, text: str) -> None:
        name, _, rest = text.partition(" ")
        matching = [order for order in self.orders if order.startswith(name)] if name else []
        if name in self.orders:
            matching = [name]
        if len(matching) != 1:
            known = ", ".join(f":{order}" for order in self.orders)
            self._refuse(f":{name} is not a command here; there are {known}")
            return
        count, action = self.orders[matching[0]]
        words = [rest.strip()] if count == 1 and rest.strip() else _words(rest)
        if len(words) != count and not (count < 0 and len(words) <= -count):
            wanted = ("nothing", "one thing", "a name and a file", "a name, or nothing")[count]
            self._refuse(f":{matching[0]} takes {wanted}; see :help")
            return
        action(*words)

    def _refuse(self, message: str) -> None:
        self.failed = True
        print(visible(message), file=sys.stderr)

    def _is_own(self, name: str) -> bool:
        """Whether a name stands for something that was typed here."""
        return any(key[1] == name for key in self.session.statements)

    def _help(self, name: str | None = None) -> None:
        if name is None:
            print(HELP)
            return
        order = name.removeprefix(":")
        lines = [one for one in HELP.split("\n") if one.startswith(f"  :{order} ")] if order in self.orders else []
        print("\n".join(lines) if lines else visible_lines(self.session.help(name, terminal_width())))

    def _type(self, text: str) -> None:
        print(self.session.type_of(text))

    def _core(self, text: str) -> None:
        from tolang.core.printer import print_program

        print(print_program(self.session.core_of(parse_expression(Source("<core>", text)))))

    def _cost(self, text: str) -> None:
        from tolang.program.cost import Cost

        print(Cost(self.session.core_of(parse_expression(Source("<cost>", text)))).eops)

    def _load(self, file: str) -> None:
        names = self.session.load(_path(file))
        if self.interactive:
            print(styled(", ".join(names), "dim"))

    def _read(self, name: str, file: str) -> None:
        described = self.session.read(name, _path(file))
        if self.interactive:
            print(styled(described, "dim"))

    def _list(self) -> None:
        print(visible_lines(self.session.text()), end="")

    def _save(self, file: str) -> None:
        self.session.save(_path(file))

    def _forget(self, name: str) -> None:
        self.session.forget(name)


class _Leave(Exception):
    """The user wants to leave."""


def _quit() -> None:
    raise _Leave


def _path(text: str) -> Path:
    return Path(text.strip().strip("\"'")).expanduser()


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def value_text(value: Result) -> str:
    """A value and its type on one line, or the type above where the value needs more."""
    if isinstance(value, tuple):
        return "\n".join(value_text(part) for part in value)
    text, kind = str(value), styled(type_notation(value), "name")
    if "\n" not in text and len(text) + len(type_notation(value)) + 3 <= LINE:
        return f"{text} : {kind}"
    return f"{kind}\n{text}"


def repeat(session: Session) -> bool:
    """Reads and answers until the end; returns whether nothing was wrong with what a pipe said."""
    interactive = sys.stdin.isatty() and sys.stdout.isatty()
    repl = Repl(session, interactive)
    try:
        for entry in _typed(repl) if interactive else _piped():
            repl.answer(entry)
    except _Leave:
        pass
    return interactive or not repl.failed


def _piped() -> Iterator[str]:
    """Entries from a pipe: lines, put together while they are unfinished."""
    waiting = ""
    for line in sys.stdin:
        waiting += line
        if waiting.lstrip().startswith(":") or not _waits(waiting):
            yield waiting.rstrip("\n")
            waiting = ""
    if waiting.strip():
        yield waiting


def _waits(text: str) -> bool:
    """Whether a text needs further lines."""
    try:
        return is_unfinished(Source("<entry>", text))
    except ToLangError:
        return False


def history_file() -> Path:
    """Where the history is kept: in the user's state directory."""
    state = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    return Path(state).expanduser() / "tolang" / "history"


def _typed(repl: Repl) -> Iterator[str]:
    """Entries from a terminal, until Ctrl-D."""
    prompt = _prompt(repl)
    print(f"ToLang {VERSION}. :help tells what can be typed, Ctrl-D leaves.")
    while True:
        try:
            yield prompt.prompt("tol> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return


def _prompt(repl: Repl) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
    from prompt_toolkit.lexers import PygmentsLexer
    from prompt_toolkit.output import ColorDepth

    from tolang.faces.completion import NameCompleter
    from tolang.faces.highlighting import ToLangLexer

    orders = [f":{order} " if count else f":{order}" for order, (count, _) in repl.orders.items()]
    return PromptSession(
        history=_history(),
        completer=NameCompleter(repl.session, orders),
        lexer=PygmentsLexer(ToLangLexer),
        complete_while_typing=False,
        auto_suggest=AutoSuggestFromHistory(),
        multiline=True,
        prompt_continuation="...  ",
        key_bindings=_keys(),
        color_depth=None if coloured(sys.stdout) else ColorDepth.DEPTH_1_BIT,
    )


def _history() -> History:
    """The history of earlier sessions, or of this one alone where it cannot be kept."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    from tolang.ground.system.ownership import make_folder

    path = history_file()
    try:
        make_folder(path.parent)
        os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def _keys() -> KeyBindings:
    """Enter ends an entry, unless it needs further lines; an empty line ends it anyway."""
    from prompt_toolkit.key_binding import KeyBindings

    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        text = buffer.text
        at_end = not buffer.document.text_after_cursor.strip()
        ended = not text.split("\n")[-1].strip() or text.lstrip().startswith(":") or not _waits(text)
        if at_end and ended:
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=True)

    return keys
