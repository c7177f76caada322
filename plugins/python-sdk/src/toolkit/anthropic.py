"""The tools for the Messages API of Anthropic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ._model_response import calls_in
from .model_tools import ModelTools

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .async_toolkit import AsyncToolkit
    from .options import ModelOptions
    from .toolkit import Toolkit


class AnthropicTools:
    """Definitions of tools for the API, and a runner of their calls. ``atools`` and ``arun`` are the same for asyncio. Every method raises ToolkitError."""

    def __init__(self, tools: ModelTools) -> None:
        self._tools = tools

    @property
    def tools(self) -> list[Any]:
        """The current tools for ``tools=`` of a request. Read it for each request, to see reloads."""
        return self._tools.tools("anthropic")

    async def atools(self) -> list[Any]:
        return await self._tools.atools("anthropic")

    def run(self, said: Any) -> list[Any]:
        """Runs the ``tool_use`` blocks of a message in parallel, and returns one ``tool_result`` for each, in their order.

        ``said``: the message that the SDK returned, or its content, of objects or dicts. A failing tool raises nothing: its result has
        ``is_error`` and tells the model the reason.
        """
        return self._tools.run("anthropic", _blocks(said))

    async def arun(self, said: Any) -> list[Any]:
        return await self._tools.arun("anthropic", _blocks(said))


def anthropic_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> AnthropicTools:
    """Returns the tools of a toolkit for Anthropic's API. The options choose the tools and the caller.

    >>> tools = anthropic_tools(toolkit, providers=["github"])
    >>> message = client.messages.create(model=model, max_tokens=1000, messages=messages, tools=tools.tools)
    >>> messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": tools.run(message)}]
    """
    return AnthropicTools(ModelTools(toolkit, **options))


def _blocks(said: Any) -> list[dict[str, Any]]:
    return calls_in(said, lambda message: message["content"], "a message, or its content")
