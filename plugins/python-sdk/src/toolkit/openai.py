"""The tools for the OpenAI API: Responses, and Chat Completions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, Union

from ._said import said_in
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
    """Functions of the API, and what runs them. ``atools`` and ``arun`` are the same for asyncio. Every method raises ToolkitError."""

    def __init__(self, tools: ModelTools, api: Literal["responses", "chat"]) -> None:
        self._tools = tools
        self._form: Form = api

    @property
    def tools(self) -> list[Any]:
        """For ``tools=`` of a request: those of this moment, so read it for each request, and a reload is seen."""
        return self._tools.tools(self._form)

    async def atools(self) -> list[Any]:
        return await self._tools.atools(self._form)

    def run(self, said: Any) -> list[Any]:
        """Runs the function calls in what the model has said, at the same time, and returns one output for each, in their order.

        ``said``: the object that the SDK returned, or the list in it that has the calls, of objects or dicts. A tool that fails raises nothing:
        the model reads why.
        """
        return self._tools.run(self._form, self._calls(said))

    async def arun(self, said: Any) -> list[Any]:
        return await self._tools.arun(self._form, self._calls(said))

    def _calls(self, said: Any) -> list[dict[str, Any]]:
        return said_in(said, _CALLS[self._form], _WHAT[self._form])


def openai_tools(
    toolkit: Union[Toolkit, AsyncToolkit], *, api: Literal["responses", "chat"] = "responses", **options: Unpack[ModelOptions]
) -> OpenAITools:
    """The tools of a toolkit for OpenAI's API. ``api``: which of the two. The options choose the tools, and say for whom they are called.

    >>> functions = openai_tools(toolkit, providers=["github"])
    >>> response = client.responses.create(model=model, input=messages, tools=functions.tools)
    >>> messages += [*response.output, *functions.run(response)]
    """
    if api not in _CALLS:
        raise ToolkitError("CONFIG_INVALID", f'The option api expected "responses" or "chat", received {api!r}.')
    return OpenAITools(ModelTools(toolkit, **options), api)
