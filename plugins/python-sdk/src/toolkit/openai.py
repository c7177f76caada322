"""The tools for the OpenAI API: Responses, and Chat Completions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

from ._model_response import calls_in
from .errors import ToolkitError
from .model_tools import Form, ModelTools

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .async_toolkit import AsyncToolkit
    from .options import ModelOptions
    from .toolkit import Toolkit


def _calls_of_chat(said: Mapping[str, Any]) -> Any:
    message = said["choices"][0]["message"] if "choices" in said else said
    return message.get("tool_calls") if message["role"] == "assistant" else None


_CALLS: dict[str, Callable[[Mapping[str, Any]], Any]] = {"responses": lambda said: said["output"], "chat": _calls_of_chat}
_WHAT = {"responses": "a response, or the items of its output", "chat": "a completion, its message, or the tool_calls of that"}


class OpenAITools:
    """Definitions of functions for the API, and a runner of their calls. ``atools`` and ``arun`` are the same for asyncio. Every method raises ToolkitError."""

    def __init__(self, tools: ModelTools, api: Literal["responses", "chat"]) -> None:
        self._tools = tools
        self._form: Form = api

    @property
    def tools(self) -> list[Any]:
        """The current tools for ``tools=`` of a request. Read it for each request, to see reloads."""
        return self._tools.tools(self._form)

    async def atools(self) -> list[Any]:
        return await self._tools.atools(self._form)

    def run(self, said: Any) -> list[Any]:
        """Runs the function calls of a response in parallel, and returns one output for each, in their order.

        ``said``: the object that the SDK returned, or its list with the calls, of objects or dicts. A failing tool raises nothing: its output
        tells the model the reason.
        """
        return self._tools.run(self._form, self._calls(said))

    async def arun(self, said: Any) -> list[Any]:
        return await self._tools.arun(self._form, self._calls(said))

    def _calls(self, said: Any) -> list[dict[str, Any]]:
        return calls_in(said, _CALLS[self._form], _WHAT[self._form])


def openai_tools(
    toolkit: Union[Toolkit, AsyncToolkit], *, api: Literal["responses", "chat"] = "responses", **options: Unpack[ModelOptions]
) -> OpenAITools:
    """Returns the tools of a toolkit for one of OpenAI's two APIs. The options choose the tools and the caller.

    >>> functions = openai_tools(toolkit, providers=["github"])
    >>> response = client.responses.create(model=model, input=messages, tools=functions.tools)
    >>> messages += [*response.output, *functions.run(response)]
    """
    if api not in _CALLS:
        raise ToolkitError("CONFIG_INVALID", f'The option api expected "responses" or "chat", received {api!r}.')
    return OpenAITools(ModelTools(toolkit, **options), api)
