"""Functions for OpenAI's API, with the types of its SDK."""

from __future__ import annotations

import json
from typing import Any

import pytest
from openai.types.chat import ChatCompletion, ChatCompletionMessage
from openai.types.responses import FunctionToolParam, Response, ResponseFunctionToolCall
from pydantic import TypeAdapter

from toolkit import AsyncToolkit, Toolkit, ToolkitError
from toolkit.openai import openai_tools

ITEM = {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "text_slugify", "arguments": '{"text": "Two Words"}', "status": "completed"}
RESPONSE = {
    "id": "r", "created_at": 0, "model": "m", "object": "response", "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, ITEM],
}  # fmt: skip
CALL = {"id": "call_1", "type": "function", "function": {"name": "text_slugify", "arguments": '{"text": "Two Words"}'}}
COMPLETION = {
    "id": "c", "created": 0, "model": "m", "object": "chat.completion",
    "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {"role": "assistant", "content": None, "tool_calls": [CALL]}}],
}  # fmt: skip

response = Response.model_validate(RESPONSE)
completion = ChatCompletion.model_validate(COMPLETION)


@pytest.mark.parametrize(
    "said",
    [response, response.output, [ResponseFunctionToolCall.model_validate(ITEM)], RESPONSE, [ITEM]],
    ids=["response", "output", "item", "dict", "list of dicts"],
)
def test_calls_of_responses_are_run(toolkit: Toolkit, said: Any) -> None:
    [output] = openai_tools(toolkit, tools=["text_slugify"]).run(said)
    assert (output["type"], output["call_id"], json.loads(output["output"])) == ("function_call_output", "call_1", {"slug": "two-words"})


@pytest.mark.parametrize(
    "said",
    [completion, completion.choices[0].message, completion.choices[0].message.tool_calls, COMPLETION, [CALL]],
    ids=["completion", "message", "tool_calls", "dict", "list of dicts"],
)
def test_calls_of_chat_are_run(toolkit: Toolkit, said: Any) -> None:
    [message] = openai_tools(toolkit, api="chat", tools=["text_slugify"]).run(said)
    assert (message["role"], message["tool_call_id"], json.loads(message["content"])) == ("tool", "call_1", {"slug": "two-words"})


@pytest.mark.parametrize("said", [None, [], ChatCompletionMessage(role="assistant", content="Done."), {"role": "assistant", "content": "Done."}])
def test_nothing_is_run_of_what_has_no_calls(toolkit: Toolkit, said: Any) -> None:
    assert openai_tools(toolkit, api="chat").run(said) == []


def test_the_tools_are_what_the_sdk_takes(toolkit: Toolkit) -> None:
    [function, _reads_on] = openai_tools(toolkit, tools=["text_slugify"]).tools
    assert TypeAdapter(FunctionToolParam).validate_python(function)["strict"] is True


async def test_the_async_twins_do_the_same() -> None:
    async with await AsyncToolkit.init(log_level="error") as toolkit:
        functions = openai_tools(toolkit, tools=["text_slugify"])
        assert [one["name"] for one in await functions.atools()] == ["text_slugify", "toolkit_get_output"]
        [output] = await functions.arun(response)
        assert json.loads(output["output"]) == {"slug": "two-words"}


@pytest.mark.parametrize("said", ["text", 7, [7]])
def test_what_no_model_says_is_refused(toolkit: Toolkit, said: Any) -> None:
    with pytest.raises(ToolkitError, match="expected a response, or the items of its output"):
        openai_tools(toolkit).run(said)


def test_an_unknown_api_is_refused(toolkit: Toolkit) -> None:
    with pytest.raises(ToolkitError, match="expected \"responses\" or \"chat\""):
        openai_tools(toolkit, api="assistants")  # type: ignore[arg-type]
