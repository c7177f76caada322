"""The tools for a model, for adapters to frameworks and model APIs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

from . import _operations as operations
from . import async_toolkit, toolkit
from ._options import model_options
from .options import ModelOptions
from .results import ModelResult

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: ``mcp``: ``tools/list`` of MCP; ``responses`` and ``chat``: OpenAI's two APIs; ``anthropic``: Anthropic's Messages API.
Form = Literal["mcp", "responses", "chat", "anthropic"]


class ModelTools:
    """The tools of a toolkit that the options choose. Each method has a version for asyncio, whose name begins with ``a``.

    Calls count as calls of a model: they may need approval, and drafts and excluded tools do not exist. Every method raises ToolkitError.
    """

    def __init__(self, of: Union[toolkit.Toolkit, async_toolkit.AsyncToolkit], **options: Unpack[ModelOptions]) -> None:
        self._session = of._session
        self._options = model_options(options)

    def tools(self, form: Form) -> list[dict[str, Any]]:
        """Returns the list of tools in the form of an API."""
        return toolkit.wait(self._session, operations.model_tools(form, self._options))

    async def atools(self, form: Form) -> list[dict[str, Any]]:
        return await async_toolkit.wait(self._session, operations.model_tools(form, self._options))

    def call(
        self, name: str, arguments: Union[Mapping[str, Any], str, None] = None, on_progress: toolkit.OnProgress | None = None
    ) -> ModelResult:
        """Calls a tool and returns the result for the model, a failure included. ``arguments`` may be JSON text from a model."""
        operation = operations.model_call(name, arguments, self._options, on_progress is not None)
        return toolkit.wait(self._session, operation, on_progress)

    async def acall(
        self, name: str, arguments: Union[Mapping[str, Any], str, None] = None, on_progress: async_toolkit.OnProgress | None = None
    ) -> ModelResult:
        operation = operations.model_call(name, arguments, self._options, on_progress is not None)
        return await async_toolkit.wait(self._session, operation, on_progress)

    def run(self, form: Form, calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Runs the calls of a model, in the form of its API, and returns the results to send back. Not for the form ``mcp``."""
        return toolkit.wait(self._session, operations.model_run(form, calls, self._options))

    async def arun(self, form: Form, calls: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        return await async_toolkit.wait(self._session, operations.model_run(form, calls, self._options))
