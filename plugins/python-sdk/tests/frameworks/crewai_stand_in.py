"""The contract of CrewAI's ``BaseTool``, from its documentation: a Pydantic model with name, description and args_schema; ``run`` checks the
arguments with args_schema, hands those that were given to ``_run``, and asks ``cache_function`` whether to cache the result."""

from __future__ import annotations

import asyncio
import sys
import types
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict


class BaseTool(BaseModel, ABC):
    model_config = ConfigDict(arbitrary_types_allowed=True)

    name: str
    description: str
    args_schema: type[BaseModel]
    cache_function: Callable[..., bool] = lambda _arguments=None, _result=None: True

    def run(self, **arguments: Any) -> Any:
        return self._run(**self._checked(arguments))

    async def arun(self, **arguments: Any) -> Any:
        return await self._arun(**self._checked(arguments))

    def _checked(self, arguments: dict[str, Any]) -> dict[str, Any]:
        return self.args_schema.model_validate(arguments).model_dump()

    @abstractmethod
    def _run(self, **arguments: Any) -> Any: ...

    async def _arun(self, **arguments: Any) -> Any:
        return await asyncio.to_thread(self._run, **arguments)


def install() -> None:
    """Makes the stand-in importable as ``crewai.tools``."""
    package, tools = types.ModuleType("crewai"), types.ModuleType("crewai.tools")
    tools.BaseTool = BaseTool  # type: ignore[attr-defined]
    sys.modules.setdefault("crewai", package)
    sys.modules.setdefault("crewai.tools", tools)
