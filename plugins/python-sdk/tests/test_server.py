"""MCP servers started from Python, used by the official Python client."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from support.clients import http_client

from toolkit import MCPServer, ToolkitError, create_mcp_server

mcp = pytest.importorskip("mcp", reason="needs the package mcp")


def shout(text: str) -> str:
    """Says it loud.

    Args:
        text: What is said.
    """
    return text.upper()


async def ask(streams: Any) -> tuple[set[str], str, str]:
    """Returns the names of the tools, and the results of a core tool and a Python function."""
    async with mcp.ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        names = {tool.name for tool in (await session.list_tools()).tools}
        slug = await session.call_tool("text_slugify", {"text": "Hello World"})
        loud = await session.call_tool("shout", {"text": "hello"})
        return names, slug.content[0].text, loud.content[0].text


async def test_the_official_client_calls_tools_over_http() -> None:
    from mcp.client import streamable_http

    with MCPServer(transport="http", port=0, functions=[shout], tools=["text_*", "shout"], log_level="error", auto_discover=False) as server:
        assert server.url is not None
        headers = {"Authorization": f"Bearer {server.get_active_token()}"}
        async with http_client(streamable_http, server.url, headers) as streams:
            names, slug, loud = await ask(streams)
    assert {"text_slugify", "shout"} <= names and "fs_read_file" not in names
    assert "hello-world" in slug and "HELLO" in loud


SCRIPT = """
from toolkit import MCPServer, tool

@tool
def shout(text: str) -> str:
    '''Says it loud.

    Args:
        text: What is said.
    '''
    return text.upper()

with MCPServer(tools=["text_*", "shout"], auto_discover=False, log_level="error") as server:
    server.wait()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no socket is handed to a child there")
async def test_the_official_client_calls_tools_over_stdio(tmp_path: Path) -> None:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    script = tmp_path / "server.py"
    script.write_text(SCRIPT)
    async with stdio_client(StdioServerParameters(command=sys.executable, args=[str(script)], env=environment())) as streams:
        names, slug, loud = await ask(streams)
    assert names == {name for name in names if name.startswith("text_")} | {"shout", "toolkit_get_output"}
    assert "hello-world" in slug and "HELLO" in loud


async def test_python_dash_m_toolkit_runs_the_program(tmp_path: Path) -> None:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(command=sys.executable, args=["-m", "toolkit", "mcp"], env=environment())
    async with stdio_client(parameters) as streams, mcp.ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        result = await session.call_tool("text_slugify", {"text": "Hello World"})
    assert "hello-world" in result.content[0].text


def environment() -> dict[str, str]:
    import os

    return {**os.environ, "TOOLKIT_LOG_LEVEL": "error"}


def test_a_server_over_stdio_ends_with_its_client(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SCRIPT)
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
    }
    process = subprocess.run(
        [sys.executable, str(script)], input=json.dumps(initialize) + "\n", capture_output=True, text=True, timeout=120, check=False
    )
    assert process.returncode == 0, process.stderr
    assert [json.loads(line)["id"] for line in process.stdout.splitlines()] == [1]


def status(url: str, token: str | None) -> tuple[int, dict[str, str]]:
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Origin": "http://localhost:5000"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers)) as answer:
            return answer.status, dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers)


def test_http_wants_the_bearer_token_and_tells_browsers_of_loopback_that_they_may_ask() -> None:
    server = create_mcp_server(transport="http", port=0, mcp_token="a-token-of-my-own", include_core=False, auto_discover=False, log_level="error")
    try:
        assert server.get_active_token() == "a-token-of-my-own"
        assert server.url is not None
        assert status(server.url, None)[0] == 401
        assert status(server.url, "another")[0] == 401
        code, headers = status(server.url, "a-token-of-my-own")
        assert code != 401
        assert {name.lower(): value for name, value in headers.items()}["access-control-allow-origin"] == "http://localhost:5000"
    finally:
        server.stop()
    server.stop()
    with pytest.raises(urllib.error.URLError):
        status(server.url, "a-token-of-my-own")


def test_a_port_that_is_taken_is_told_and_nothing_runs_on() -> None:
    given: Any = {"transport": "http", "include_core": False, "auto_discover": False, "log_level": "error"}
    with MCPServer(port=0, **given) as server:
        assert server.url is not None
        port = int(server.url.split(":")[2].split("/")[0])
        with pytest.raises(ToolkitError, match=str(port)):
            MCPServer(port=port, **given).start()


def test_a_server_is_started_once() -> None:
    server = MCPServer(transport="http", port=0, include_core=False, auto_discover=False, log_level="error")
    assert server.url is None and server.get_active_token() is None
    with server, pytest.raises(ToolkitError, match="started before"):
        server.start()


def test_a_server_without_sessions_answers_each_request_for_itself() -> None:
    with MCPServer(transport="http", port=0, stateless=True, functions=[shout], log_level="error", auto_discover=False) as server:
        assert server.url is not None
        asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "shout", "arguments": {"text": "hello"}}}
        headers = {
            "Authorization": f"Bearer {server.get_active_token()}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        request = urllib.request.Request(server.url, json.dumps(asked).encode(), headers)
        with urllib.request.urlopen(request) as answer:
            assert "Mcp-Session-Id" not in answer.headers
            assert "HELLO" in answer.read().decode()
