"""Tools for LangChain, with the real langchain-core."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage, ToolCall, ToolMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import BaseTool, ToolException
from langchain_core.utils.function_calling import convert_to_openai_tool

from toolkit import AsyncToolkit, Toolkit
from toolkit.context import Context
from toolkit.langchain import ToolkitToolException, alangchain_tools, langchain_tools


def call(name: str, **arguments: Any) -> ToolCall:
    return ToolCall(name=name, args=arguments, id="call-1", type="tool_call")


def work(config: str, run_manager: str, self_: str, context: Context) -> dict[str, str]:
    """Has parameters with names of the framework."""
    context.progress(1, 2, "half")
    return {"config": config, "run_manager": run_manager, "self": self_}


@pytest.fixture
def slugify(toolkit: Toolkit) -> BaseTool:
    [tool, _reads_on] = langchain_tools(toolkit, tools=["text_slugify"])
    return tool


def test_it_is_bound_as_listed(slugify: BaseTool) -> None:
    function = convert_to_openai_tool(slugify)["function"]
    assert function["name"] == "text_slugify"
    assert {"text", "text_path"} <= set(function["parameters"]["properties"])
    assert function["parameters"]["properties"]["max_length"]["maximum"] == 10000


def test_invoke_gives_the_content_and_a_tool_call_a_message(slugify: BaseTool) -> None:
    assert slugify.invoke({"text": "Two Words"}) == '{"slug":"two-words"}'
    message = slugify.invoke(call("text_slugify", text="Two Words"))
    assert isinstance(message, ToolMessage)
    assert (message.status, message.tool_call_id, message.artifact) == ("success", "call-1", {"slug": "two-words"})


async def test_ainvoke_does_the_same_with_either_kind_of_toolkit(slugify: BaseTool) -> None:
    assert await slugify.ainvoke({"text": "Two Words"}) == '{"slug":"two-words"}'
    async with await AsyncToolkit.init(log_level="error") as toolkit:
        [tool, _reads_on] = await alangchain_tools(toolkit, tools=["text_slugify"])
        message = await tool.ainvoke(call("text_slugify", text="Two Words"))
        assert message.artifact == {"slug": "two-words"}


async def test_a_failure_is_a_message_with_the_status_error_or_raised(slugify: BaseTool) -> None:
    wrong = {"txt": "a"}
    for message in (slugify.invoke(call("text_slugify", **wrong)), await slugify.ainvoke(call("text_slugify", **wrong))):
        assert message.status == "error" and message.content.startswith("INVALID_PARAMETERS: ")
    with pytest.raises(ToolkitToolException, match="^INVALID_PARAMETERS: ") as caught:
        slugify.invoke(wrong)
    assert isinstance(caught.value, ToolException)
    assert caught.value.error is not None and caught.value.error.code == "INVALID_PARAMETERS"
    with pytest.raises(ToolException):
        await slugify.ainvoke(wrong)
    slugify.handle_tool_error = "It failed."
    assert slugify.invoke(wrong) == "It failed."


async def test_progress_is_a_custom_event_and_parameters_may_have_any_name(toolkit: Toolkit) -> None:
    toolkit.add_tools(work)
    [tool] = [one for one in langchain_tools(toolkit, tools=["work"]) if one.name == "work"]
    given = {"config": "a", "run_manager": "b", "self_": "c"}
    assert tool.invoke(call("work", **given)).artifact == {"config": "a", "run_manager": "b", "self": "c"}
    events = [event async for event in tool.astream_events(given, version="v2")]
    custom = [event["data"] for event in events if event["event"] == "on_custom_event"]
    assert custom == [{"tool": "work", "progress": 1, "total": 2, "message": "half"}]


def test_an_agent_calls_until_the_model_is_done(toolkit: Toolkit) -> None:
    tools = {tool.name: tool for tool in langchain_tools(toolkit, tools=["text_slugify", "crypto_hash"])}
    said = iter(
        [
            AIMessage("", tool_calls=[call("text_slugify", text="Two Words")]),
            AIMessage("", tool_calls=[call("crypto_hash", text="two-words", algorithm="sha256")]),
            AIMessage("Done."),
        ]
    )
    model = RunnableLambda(lambda _messages: next(said))
    messages: list[Any] = [HumanMessage("Hash the slug of Two Words.")]
    while True:
        answer = model.invoke(messages)
        messages.append(answer)
        if not answer.tool_calls:
            break
        messages += [tools[one["name"]].invoke(one) for one in answer.tool_calls]
    assert [type(one).__name__ for one in messages] == ["HumanMessage", "AIMessage", "ToolMessage", "AIMessage", "ToolMessage", "AIMessage"]
    assert messages[2].content == '{"slug":"two-words"}' and messages[4].status == "success"


def test_nothing_of_the_toolkit_is_in_a_trace(slugify: BaseTool) -> None:
    assert "_tools" not in slugify.model_dump()
