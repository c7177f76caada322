"""Every way to call a tool, for each kind of tool."""

from __future__ import annotations

import asyncio
import concurrent.futures
import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.loopback import Loopback
from support.tools import greet, loopback_options, tools_folder

from toolkit import AsyncToolkit, ModelTools, Progress, Toolkit, ToolkitError


def options(folder: Path, loopback: Loopback) -> dict[str, Any]:
    return {**loopback_options(folder, loopback.url), "tools": [greet]}


#: One tool of each kind, parameters, and a part of its output.
TOOLS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    # A core tool.
    ("text_slugify", {"text": "Hello World"}, {"slug": "hello-world"}),
    # An HTTP tool.
    ("echo_path", {"word": "there"}, {"path": "/echo/there"}),
    # A Python function.
    ("greet", {"name": "Ada"}, {"greeting": "Hello Ada"}),
    # A collection tool.
    ("apiclient_create_collection", {"collection_name": "Shop", "collection_path": "shop"}, {"success": True}),
]

CALLS = [(name, parameters) for name, parameters, _ in TOOLS]


def sync_call(given: dict[str, Any]) -> list[Any]:
    with Toolkit.init(**given) as toolkit:
        return [toolkit.execute(name, parameters) for name, parameters in CALLS]


def without_context_manager(given: dict[str, Any]) -> list[Any]:
    toolkit = Toolkit.init(**given)
    try:
        return [toolkit.execute(name, parameters) for name, parameters in CALLS]
    finally:
        toolkit.close()


def async_call(given: dict[str, Any]) -> list[Any]:
    async def call() -> list[Any]:
        async with await AsyncToolkit.init(**given) as toolkit:
            return [await toolkit.execute(name, parameters) for name, parameters in CALLS]

    return asyncio.run(call())


def under_a_running_loop(given: dict[str, Any]) -> list[Any]:
    async def cell() -> list[Any]:  # as in a notebook
        return sync_call(given)

    return asyncio.run(cell())


def in_another_thread(given: dict[str, Any]) -> list[Any]:
    with Toolkit.init(**given) as toolkit, concurrent.futures.ThreadPoolExecutor() as pool:
        return [pool.submit(toolkit.execute, name, parameters).result() for name, parameters in CALLS]


def by_a_model(given: dict[str, Any]) -> list[Any]:
    with Toolkit.init(**given) as toolkit:
        tools = ModelTools(toolkit, tools=[name for name, _ in CALLS])
        results = [tools.call(name, parameters) for name, parameters in CALLS]
        assert not any(result.is_error for result in results)
        return [result.structured or json.loads(result.content[0]["text"]) for result in results]


WAYS = [sync_call, without_context_manager, async_call, under_a_running_loop, in_another_thread, by_a_model]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__.replace("_", " "))
def test_calls_a_tool_of_each_kind(way: Callable[..., list[Any]], tmp_path: Path, loopback: Loopback) -> None:
    outputs = way(options(tmp_path, loopback))
    assert len(outputs) == len(TOOLS)
    for (name, _, expected), output in zip(TOOLS, outputs):
        assert expected.items() <= output.items(), name


def test_lists_describes_and_finds_tools(toolkit: Toolkit) -> None:
    names = [tool.name for tool in toolkit.list_tools()]
    assert names == sorted(names) and "text_slugify" in names
    tool = toolkit.get_tool("text_slugify")
    assert (tool.risk, tool.provider, tool.input_schema["type"]) == ("low", "core", "object")
    assert toolkit.search_tools("make a slug of a title", limit=3)[0].name == "text_slugify"
    assert len(toolkit.search_tools("text", limit=2)) == 2


def test_a_tool_that_is_not_there_is_named_with_one_that_it_resembles(toolkit: Toolkit) -> None:
    for ask in (toolkit.execute, toolkit.get_tool):
        with pytest.raises(ToolkitError, match='Did you mean "text_slugify"') as caught:
            ask("text_slugfy")
        assert caught.value.code == "TOOL_NOT_FOUND"


def test_wrong_parameters_are_told_with_their_places(toolkit: Toolkit) -> None:
    with pytest.raises(ToolkitError) as caught:
        toolkit.execute("text_slugify", {"txt": "Hello"})
    assert caught.value.code == "INVALID_PARAMETERS"
    assert not caught.value.retryable
    assert caught.value.details["issues"]


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), {1, 2}, b"bytes"], ids=repr)
def test_what_is_no_json_is_refused_before_it_is_sent(toolkit: Toolkit, value: object) -> None:
    with pytest.raises(ToolkitError, match="text_slugify") as caught:
        toolkit.execute("text_slugify", {"text": value})
    assert caught.value.code == "INVALID_PARAMETERS"


def test_texts_of_every_kind_come_back_as_they_were(tmp_path: Path, loopback: Loopback) -> None:
    def same(text: str) -> str:
        """Returns the text."""
        return text

    with Toolkit.init(tools=[same], include_core=False, log_level="error") as toolkit:
        for text in ("ä€😀", "line\nbreak\r\u2028\u2029", "\x00\x1f", "a" * 3_000_000, '"\\'):
            assert toolkit.execute("same", {"text": text}) == text


def test_many_threads_get_the_answers_to_their_own_calls(toolkit: Toolkit) -> None:
    with concurrent.futures.ThreadPoolExecutor(16) as pool:
        texts = [f"text {number}" for number in range(400)]
        slugs = list(pool.map(lambda text: toolkit.execute("text_slugify", {"text": text})["slug"], texts))
    assert slugs == [text.replace(" ", "-") for text in texts]


def test_a_time_limit_ends_a_call(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers.clear()
    with Toolkit.init(**options(tmp_path, loopback)) as toolkit:
        with pytest.raises(ToolkitError) as caught:
            toolkit.execute("open_path", {"word": "x"}, timeout=0.05)
        assert caught.value.code == "TIMEOUT" and caught.value.retryable


def test_progress_is_told_in_the_thread_that_waits_and_in_order() -> None:
    from toolkit import Context

    def steps(context: Context) -> str:
        """Takes three steps."""
        for step in range(3):
            context.progress(step, 3, f"step {step}")
        return "done"

    told: list[tuple[Progress, threading.Thread]] = []
    with Toolkit.init(tools=[steps], include_core=False, log_level="error") as toolkit:
        assert toolkit.execute("steps", on_progress=lambda one: told.append((one, threading.current_thread()))) == "done"
    assert [one.message for one, _ in told] == ["step 0", "step 1", "step 2"]
    assert {thread for _, thread in told} == {threading.current_thread()}


def test_adds_loads_and_removes_tools(tmp_path: Path, loopback: Loopback) -> None:
    with Toolkit.init(include_core=False, allow_hosts=["127.0.0.1"], log_level="error") as toolkit:
        assert toolkit.list_tools() == []
        assert toolkit.add_tools(greet) == ["greet"]
        assert toolkit.execute("greet", {"name": "Bob"}) == {"greeting": "Hello Bob"}
        loaded = toolkit.load_tools_from_directory(tools_folder(tmp_path, loopback.url))
        assert [tool.name for tool in loaded] == ["echo_path", "open_path"]
        assert toolkit.reload().tools == 3
        toolkit.remove_tools("greet")
        with pytest.raises(ToolkitError, match="greet"):
            toolkit.execute("greet", {"name": "Bob"})


def test_providers_are_added_read_and_lead_to_their_consent_page(toolkit: Toolkit) -> None:
    assert toolkit.get_provider("shop") is None
    toolkit.add_provider(
        "shop",
        {
            "oauth2": {
                "auth_url": "https://shop.example/auth",
                "token_url": "https://shop.example/token",
                "scopes": {"orders": ["orders.read"]},
                "redirect_uri": "https://app.example/back",
                "client_id": "app",
            }
        },
    )
    assert toolkit.load_provider("shop")["oauth2"]["token_url"] == "https://shop.example/token"
    assert "shop" in [provider["name"] for provider in toolkit.get_all_providers()]
    asked = toolkit.authorization_url("shop", groups=["orders"], state="abc")
    assert asked.state == "abc" and "scope=orders.read" in asked.url
    with pytest.raises(ToolkitError, match="shopp"):
        toolkit.load_provider("shopp")


def test_skills_are_listed_and_read(toolkit: Toolkit) -> None:
    names = [skill.name for skill in toolkit.list_skills()]
    assert names
    skill = toolkit.get_skill(names[0])
    assert skill.text
    with pytest.raises(ToolkitError) as caught:
        toolkit.get_skill("none-such")
    assert caught.value.code == "NOT_FOUND"


def test_a_handler_in_python_runs_in_the_python_of_this_process_unless_the_user_names_another(tmp_path: Path) -> None:
    tools = tmp_path / "own"
    tools.mkdir()
    (tools / "which.py").write_text("import sys\n\n\ndef run(params, context):\n    return sys.executable\n")
    (tools / "which_python.yaml").write_text(
        "name: which_python\ndescription: Tells which Python runs it.\nexecution: { type: function, code: ./which.py }\n"
    )
    with Toolkit.init(tool_paths=[tools], log_level="error") as toolkit:
        assert toolkit.execute("which_python") == sys.executable
    named = ["toolkit/plugins/executor-function", {"python": "no-such-python"}]
    with Toolkit.init(tool_paths=[tools], log_level="error", plugins=[named]) as toolkit:
        with pytest.raises(ToolkitError, match="no-such-python"):
            toolkit.execute("which_python")
