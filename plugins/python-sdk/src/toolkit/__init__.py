"""Declarative tools that AI assistants and Python programs can call safely."""

from __future__ import annotations

from ._version import __version__
from .async_toolkit import AsyncToolkit
from .context import Context
from .errors import ErrorCode, ToolkitError
from .function_tool import FunctionTool
from .functions import tool
from .loggers import (
    ToolkitLogger,
    get_global_toolkit_logger,
    set_global_toolkit_logger,
    setup_logger,
)
from .methods import get_global_toolkit, set_global_toolkit
from .model_tools import ModelTools
from .results import (
    AuthorizationUrl,
    Credential,
    ModelResult,
    Progress,
    Provider,
    Reloaded,
    Risk,
    Skill,
    ToolHit,
    ToolInfo,
)
from .server import MCPServer, create_mcp_server
from .toolkit import Toolkit

__all__ = [
    "AsyncToolkit",
    "AuthorizationUrl",
    "Context",
    "Credential",
    "ErrorCode",
    "FunctionTool",
    "MCPServer",
    "ModelResult",
    "ModelTools",
    "Progress",
    "Provider",
    "Reloaded",
    "Risk",
    "Skill",
    "ToolHit",
    "ToolInfo",
    "Toolkit",
    "ToolkitError",
    "ToolkitLogger",
    "__version__",
    "create_mcp_server",
    "get_global_toolkit",
    "get_global_toolkit_logger",
    "set_global_toolkit",
    "set_global_toolkit_logger",
    "setup_logger",
    "tool",
]
