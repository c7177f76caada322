"""Every pattern of calling tools, for a core tool, an HTTP tool, a Python function and the seven tools for collections of requests."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import crewai_stand_in
import mcp
import pytest
from langchain_core.messages import ToolCall
from mcp.client import streamable_http
from support.clients import http_client
from support.loopback import Loopback
from support.tools import greet, loopback_options

from toolkit import AsyncToolkit, MCPServer, Toolkit, tool

crewai_stand_in.install()

from toolkit.crewai import crewai_tools  # noqa: E402
from toolkit.langchain import langchain_tools  # noqa: E402

Call = Callable[[str, dict[str, Any]], Awaitable[Any]]
Work = Callable[[Call], Awaitable[None]]


async def factory(options: dict[str, Any], work: Work) -> None:
    with Toolkit.init(**options, tools=[greet]) as toolkit:

        async def call(name: str, parameters: dict[str, Any]) -> Any:
            return toolkit.execute(name, parameters)

        await work(call)


async def factory_for_asyncio(options: dict[str, Any], work: Work) -> None:
    async with await AsyncToolkit.init(**options, tools=[greet]) as toolkit:
        await work(toolkit.execute)


class Everything:
    """Methods whose bodies never run."""

    def __init__(self, toolkit: Toolkit) -> None:
        self.toolkit = toolkit

    @tool("text_slugify")
    def text_slugify(self, text: str) -> Any: ...

    @tool("echo_path")
    def echo_path(self, word: str) -> Any: ...

    @tool("greet")
    def greet(self, name: str) -> Any: ...

    @tool("apiclient_create_collection")
    def apiclient_create_collection(self, collection_name: str, collection_path: str) -> Any: ...

    @tool("apiclient_add_request")
    def apiclient_add_request(self, **request: Any) -> Any: ...

    @tool("apiclient_get_collection_info")
    def apiclient_get_collection_info(self, collection_path: str) -> Any: ...

    @tool("apiclient_list_collections")
    def apiclient_list_collections(self, workspace_path: str) -> Any: ...

    @tool("apiclient_run_collection")
    def apiclient_run_collection(self, collection_path: str) -> Any: ...

    @tool("apiclient_run_request")
    def apiclient_run_request(self, collection_path: str, request_name: str) -> Any: ...

    @tool("apiclient_import_openapi")
    def apiclient_import_openapi(self, spec_source: str, output_directory: str) -> Any: ...


async def decorator(options: dict[str, Any], work: Work) -> None:
    with Toolkit.init(**options, tools=[greet]) as toolkit:
        everything = Everything(toolkit)

        async def call(name: str, parameters: dict[str, Any]) -> Any:
            return getattr(everything, name)(**parameters)

        await work(call)


async def langchain(options: dict[str, Any], work: Work) -> None:
    with Toolkit.init(**options, tools=[greet]) as toolkit:
        tools = {one.name: one for one in langchain_tools(toolkit)}

        async def call(name: str, parameters: dict[str, Any]) -> Any:
            message = await tools[name].ainvoke(ToolCall(name=name, args=parameters, id="1", type="tool_call"))
            assert message.status == "success", message.content
            return json.loads(message.content) if message.artifact is None else message.artifact

        await work(call)


async def crewai(options: dict[str, Any], work: Work) -> None:
    with Toolkit.init(**options, tools=[greet]) as toolkit:
        tools = {one.name: one for one in crewai_tools(toolkit)}

        async def call(name: str, parameters: dict[str, Any]) -> Any:
            return json.loads(tools[name].run(**parameters))

        await work(call)


async def over_mcp(options: dict[str, Any], work: Work) -> None:
    with MCPServer(transport="http", port=0, functions=[greet], **options) as server:
        assert server.url is not None
        headers = {"Authorization": f"Bearer {server.get_active_token()}"}
        async with http_client(streamable_http, server.url, headers) as streams, mcp.ClientSession(streams[0], streams[1]) as session:
            await session.initialize()

            async def call(name: str, parameters: dict[str, Any]) -> Any:
                return json.loads((await session.call_tool(name, parameters)).content[0].text)

            await work(call)


PATTERNS = [factory, factory_for_asyncio, decorator, langchain, crewai, over_mcp]


@dataclass(frozen=True)
class Runner:
    """Numbers of requests that a program named ``bru`` imports and runs."""

    imported: int
    ran: int


#: Numbers of the real program, which follows its arguments.
REAL = Runner(imported=1, ran=1)


def standing_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Runner:
    """Puts a stand-in with recorded answers on the path: the real program takes two seconds to start."""
    records = Path(__file__).parents[4] / "fixtures" / "apiclient"
    shutil.copy(records / "bru.cjs", folder)
    shutil.copy(records / "reports" / "4.1-all-passed.json", folder / "report.json")
    shutil.copytree(records / "imports" / "bru", folder / "import")
    (folder / "plan.json").write_text("{}")
    (folder / "bru").symlink_to("bru.cjs")
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    return Runner(imported=3, ran=2)


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.__name__.replace("_", " "))
async def test_tools_of_every_kind_are_called(
    pattern: Callable[..., Awaitable[None]],
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    loopback: Loopback,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runner = REAL if pattern is factory else standing_in(tmp_path_factory.mktemp("runner"), monkeypatch)
    specification = {
        "openapi": "3.0.0",
        "info": {"title": "Items", "version": "1"},
        "paths": {"/item": {"get": {"operationId": "getItem", "responses": {"200": {"description": "One"}}}}},
    }
    (tmp_path / "api.json").write_text(json.dumps(specification))
    shop = {"collection_path": "shop"}
    called = set()

    async def work(call: Call) -> None:
        async def of(name: str, /, **parameters: Any) -> Any:
            called.add(name)
            return await call(name, parameters)

        assert (await of("text_slugify", text="Hello World"))["slug"] == "hello-world"
        assert (await of("echo_path", word="there"))["path"] == "/echo/there"
        assert (await of("greet", name="Ada"))["greeting"] == "Hello Ada"
        assert (await of("apiclient_create_collection", collection_name="Shop", **shop))["success"]
        request = {"request_name": "get-item", "method": "GET", "url": f"{loopback.url}/item"}
        assert (await of("apiclient_add_request", **shop, **request))["success"]
        info = await of("apiclient_get_collection_info", **shop)
        assert [one["name"] for one in info["collection"]["requests"]] == ["get-item"]
        listed = await of("apiclient_list_collections", workspace_path=".")
        assert [one["name"] for one in listed["collections"]] == ["Shop"]
        needing_the_runner = [
            await of("apiclient_import_openapi", spec_source="api.json", output_directory="imported"),
            await of("apiclient_run_collection", **shop),
            await of("apiclient_run_request", **shop, request_name="get-item"),
        ]
        if shutil.which("bru") is None:
            assert all("bru" in str(told["errors"]) for told in needing_the_runner)
            return
        imported, collection, single = needing_the_runner
        assert imported["requests_created"] == runner.imported
        assert (collection["summary"]["total_requests"], collection["summary"]["failed"]) == (runner.ran, 0)
        assert single["response"]["status"] == 200

    await pattern({**loopback_options(tmp_path, loopback.url), "auto_discover": False}, work)
    assert len(called) == 10
