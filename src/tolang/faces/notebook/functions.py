"""Functions that a cell exports, as Python calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tolang.faces.notebook.workspace import in_python
from tolang.program.session import head_text

if TYPE_CHECKING:
    from tolang.faces.notebook.workspace import CellOptions, Workspace
    from tolang.program.cost import Cost
    from tolang.syntax import tree


class NotebookFunction:
    """A function of the notebook's cells, called with data.

    As a function of Python does, it sees other definitions and variables of the notebook as they are when it is called.
    """

    def __init__(self, workspace: Workspace, definition: tree.Definition, options: CellOptions) -> None:
        self._workspace, self._options = workspace, options
        self._head = head_text(definition)
        self.__name__ = self.__qualname__ = definition.id
        self.__doc__ = definition.span.text
        self.__signature__ = workspace.function(definition.id, options).__signature__

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        function = self._workspace.function(self.__name__, self._options)
        return in_python(function(*arguments, **{"seed": self._options.seed, **named}))

    def cost(self, *arguments: Any, **named: Any) -> Cost:
        """What one call costs, by the shapes of its arguments: `f.cost((512, "n"))`."""
        return self._workspace.function(self.__name__, self._options).cost(*arguments, **named)

    def __repr__(self) -> str:
        return f"<tolang function {self._head}>"
