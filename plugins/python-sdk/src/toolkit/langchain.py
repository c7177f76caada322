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
    """A tool that has failed. The text begins with the code, and says what to do next."""

    def __init__(self, text: str, error: ToolkitError | None) -> None:
        super().__init__(text)
        #: The same with details, where they are known.
        self.error = error


class ToolkitTool(BaseTool):
    """One tool, as LangChain runs it. The arguments are checked by the toolkit, which says what is wrong with them.

    A failure is a ToolMessage with the status ``error`` where there is a tool call to answer, else it raises ToolkitToolException.
    ``handle_tool_error`` changes that, as of every tool. Progress comes as the custom event ``toolkit/progress``.
    """

    response_format: Literal["content", "content_and_artifact"] = "content_and_artifact"
    handle_tool_error: Any = True

    def __init__(self, listed: dict[str, Any], tools: ModelTools) -> None:
        super().__init__(name=listed["name"], description=listed.get("description", ""), args_schema=listed["inputSchema"])
        # No field: traces have those.
        object.__setattr__(self, "_tools", tools)

    def run(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
        return super(ToolkitTool, self._for(tool_call_id)).run(*args, tool_call_id=tool_call_id, **kwargs)

    async def arun(self, *args: Any, tool_call_id: str | None = None, **kwargs: Any) -> Any:
        return await super(ToolkitTool, self._for(tool_call_id)).arun(*args, tool_call_id=tool_call_id, **kwargs)

    # Without parameters of the framework (run_manager, config), which a tool might have as parameters of its own.
    def _run(self, /, **arguments: Any) -> tuple[Any, Any]:
        return _answer(self._model_tools.call(self.name, arguments, self._tell))

    async def _arun(self, /, **arguments: Any) -> tuple[Any, Any]:
        return _answer(await self._model_tools.acall(self.name, arguments, self._atell))

    def _tell(self, progress: Progress) -> None:
        """To those who stream events."""
        with suppress(RuntimeError):  # nobody could be told: it runs outside a run of the framework
            dispatch_custom_event("toolkit/progress", {"tool": self.name, **asdict(progress)})

    async def _atell(self, progress: Progress) -> None:
        with suppress(RuntimeError):
            await adispatch_custom_event("toolkit/progress", {"tool": self.name, **asdict(progress)})

    @property
    def _model_tools(self) -> ModelTools:
        tools: ModelTools = object.__getattribute__(self, "_tools")
        return tools

    def _for(self, tool_call_id: str | None) -> ToolkitTool:
        """The same tool; one that raises where nobody could tell a failure from a result."""
        if tool_call_id is not None or self.handle_tool_error is not True:
            return self
        copy = self.model_copy(update={"handle_tool_error": False})
        object.__setattr__(copy, "_tools", self._model_tools)
        return copy


def langchain_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[BaseTool]:
    """The tools of a toolkit for LangChain: those of this moment, so make them again after a reload. Raises ToolkitError.

    The options choose the tools, and say for whom they are called. Each has ``invoke`` and ``ainvoke``, whichever kind of toolkit it is of.

    >>> model.bind_tools(langchain_tools(toolkit, providers=["github"], max_risk="medium"))
    """
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in tools.tools("mcp")]


async def alangchain_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[BaseTool]:
    """``langchain_tools`` for asyncio."""
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in await tools.atools("mcp")]


def _answer(result: ModelResult) -> tuple[Any, Any]:
    """What the model is shown, and the output as data where the tool says that it is an object."""
    if result.is_error:
        raise ToolkitToolException(text_of(result.content), result.error)
    if all(part["type"] != "image" for part in result.content):
        return text_of(result.content), result.structured
    return [_block(part) for part in result.content], result.structured


def _block(part: dict[str, Any]) -> dict[str, Any]:
    if part["type"] != "image":
        return {"type": "text", "text": part_text(part)}
    return {"type": "image_url", "image_url": {"url": f"data:{part['mimeType']};base64,{part['data']}"}}
