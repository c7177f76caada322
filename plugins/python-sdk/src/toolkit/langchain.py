"""The tools for LangChain and LangGraph."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, Union

from ._model_content import part_text, text_of
from .errors import ToolkitError
from .model_tools import ModelTools
from .results import ModelResult, Progress

try:
    from langchain_core.callbacks import adispatch_custom_event, dispatch_custom_event
    from langchain_core.tools import BaseTool, ToolException
except ImportError as error:
    raise ImportError(f"toolkit.langchain needs LangChain: pip install langchain-core ({error})") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .async_toolkit import AsyncToolkit
    from .options import ModelOptions
    from .toolkit import Toolkit


class ToolkitToolException(ToolException):
    """A failed tool call. The text begins with the error code and says what to do next."""

    def __init__(self, text: str, error: ToolkitError | None) -> None:
        super().__init__(text)
        #: The error with details, if they are known.
        self.error = error


class ToolkitTool(BaseTool):
    """One tool of LangChain. The toolkit checks the arguments and reports their problems.

    A failure becomes a ToolMessage with the status ``error`` when there is a tool call to answer, else it raises ToolkitToolException.
    ``handle_tool_error`` changes that, as for every tool. Progress arrives as the custom event ``toolkit/progress``.
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: Any = True

    def __init__(self, listed: dict[str, Any], tools: ModelTools) -> None:
        super().__init__(name=listed["name"], description=listed.get("description", ""), args_schema=listed["inputSchema"])
        # Not a field, which traces would contain.
        object.__setattr__(self, "_tools", tools)

    def run(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
        return super(ToolkitTool, self._for(tool_call_id)).run(*args, tool_call_id=tool_call_id, **kwargs)

    async def arun(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
        return await super(ToolkitTool, self._for(tool_call_id)).arun(*args, tool_call_id=tool_call_id, **kwargs)

    # Without parameters of the framework (run_manager, config): a tool may have parameters with these names.
    def _run(self, /, **arguments: Any) -> tuple[Any, Any]:
        return _answer(self._model_tools.call(self.name, arguments, self._notify))

    async def _arun(self, /, **arguments: Any) -> tuple[Any, Any]:
        return _answer(await self._model_tools.acall(self.name, arguments, self._anotify))

    def _notify(self, progress: Progress) -> None:
        """Sends progress to the event stream."""
        with suppress(RuntimeError):  # there is no event stream outside a run of the framework
            dispatch_custom_event("toolkit/progress", {"tool": self.name, **asdict(progress)})

    async def _anotify(self, progress: Progress) -> None:
        with suppress(RuntimeError):
            await adispatch_custom_event("toolkit/progress", {"tool": self.name, **asdict(progress)})

    @property
    def _model_tools(self) -> ModelTools:
        tools: ModelTools = object.__getattribute__(self, "_tools")
        return tools

    def _for(self, tool_call_id: str | None) -> ToolkitTool:
        """Returns the tool, or a copy that raises on failure when the caller could not tell a failure from a result."""
        if tool_call_id is not None or self.handle_tool_error is not True:
            return self
        copy = self.model_copy(update={"handle_tool_error": False})
        object.__setattr__(copy, "_tools", self._model_tools)
        return copy


def langchain_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[BaseTool]:
    """Returns the current tools of a toolkit for LangChain. Call it again after a reload. Raises ToolkitError.

    The options choose the tools and the caller. Each tool has ``invoke`` and ``ainvoke``, for both kinds of toolkit.

    >>> model.bind_tools(langchain_tools(toolkit, providers=["github"], max_risk="medium"))
    """
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in tools.tools("mcp")]


async def alangchain_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[BaseTool]:
    """Does the same as ``langchain_tools``, for asyncio."""
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in await tools.atools("mcp")]


def _answer(result: ModelResult) -> tuple[Any, Any]:
    """Returns the content for the model, and the output as data if the tool declares an object."""
    if result.is_error:
        raise ToolkitToolException(text_of(result.content), result.error)
    if all(part["type"] != "image" for part in result.content):
        return text_of(result.content), result.structured
    return [_block(part) for part in result.content], result.structured


def _block(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] != "image":
        return {"type": "text", "text": part_text(part)}
    return {"type": "image_url", "image_url": {"url": f"data:{part['mimeType']};base64,{part['data']}"}}
