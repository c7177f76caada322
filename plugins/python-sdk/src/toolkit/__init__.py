"""Declarative tools that AI assistants and Python programs can call safely."""

from __future__ import annotations

from ._version import __version__
from .async_toolkit import AsyncToolkit
from .errors import ErrorCode, ToolkitError
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
    "Credential",
    "ErrorCode",
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
    "__version__",
    "create_mcp_server",
]
