"""The tools for CrewAI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Union

from ._model_content import text_of
from .model_tools import ModelTools

try:
    from crewai.tools import BaseTool  # type: ignore[import-not-found, unused-ignore]

    from ._pydantic_model import arguments_in, model_of
except ImportError as error:
    raise ImportError(f"toolkit.crewai needs CrewAI: pip install crewai ({error})") from error

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .async_toolkit import AsyncToolkit
    from .options import ModelOptions
    from .toolkit import Toolkit


def _never(_arguments: Any = None, _result: Any = None) -> bool:
    return False


class ToolkitTool(BaseTool):  # type: ignore[misc, unused-ignore]
    """One tool of CrewAI. It returns a text, also for a failure: that begins with the error code and says what to do next. CrewAI caches no results."""

    def __init__(self, listed: dict[str, Any], tools: ModelTools) -> None:
        schema = listed["inputSchema"]
        super().__init__(
            name=listed["name"],
            description=listed.get("description", ""),
            args_schema=model_of(f"{listed['name']}_arguments", schema),
            cache_function=_never,
        )
        # Not fields, which the framework logs.
        object.__setattr__(self, "_tools", tools)
        object.__setattr__(self, "_input_schema", schema)

    def _run(self, /, **arguments: Any) -> str:
        return text_of(self._own("_tools").call(self.name, self._given(arguments)).content)

    async def _arun(self, /, **arguments: Any) -> str:
        return text_of((await self._own("_tools").acall(self.name, self._given(arguments))).content)

    def _given(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return arguments_in(self.args_schema, arguments, self._own("_input_schema"))

    def _own(self, name: str) -> Any:
        return object.__getattribute__(self, name)


def crewai_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[Any]:
    """Returns the current tools of a toolkit for agents of CrewAI. Call it again after a reload. Raises ToolkitError.

    The options choose the tools and the caller.

    >>> Agent(role="Maintainer", goal="Answer issues", backstory="…", tools=crewai_tools(toolkit, providers=["github"]))
    """
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in tools.tools("mcp")]


async def acrewai_tools(toolkit: Union[Toolkit, AsyncToolkit], **options: Unpack[ModelOptions]) -> list[Any]:
    """Does the same as ``crewai_tools``, for asyncio."""
    tools = ModelTools(toolkit, **options)
    return [ToolkitTool(listed, tools) for listed in await tools.atools("mcp")]
