"""Connections of the official Python client to a server over HTTP, for both of its versions."""

from __future__ import annotations

from typing import Any


def http_client(module: Any, url: str, headers: dict[str, str]) -> Any:
    """Connects to the server. Version 2 of the client takes an HTTP client in place of headers."""
    if hasattr(module, "streamablehttp_client"):
        return module.streamablehttp_client(url, headers=headers)
    from mcp.shared._httpx_utils import create_mcp_http_client

    return module.streamable_http_client(url, http_client=create_mcp_http_client(headers=headers))
