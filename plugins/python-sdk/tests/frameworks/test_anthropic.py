"""Tools for Anthropic's Messages API, with the types of its SDK."""

from __future__ import annotations

import json
from typing import Any

import pytest
from anthropic.types import Message, ToolParam
from pydantic import TypeAdapter

from toolkit import AsyncToolkit, Toolkit
from toolkit.anthropic import anthropic_tools

USE = {"type": "tool_use", "id": "toolu_1", "name": "text_slugify", "input": {"text": "Two Words"}}
MESSAGE = {
    "id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "tool_use", "stop_sequence": None,
    "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [{"type": "text", "text": "I look."}, USE],
}  # fmt: skip

message = Message.model_validate(MESSAGE)


@pytest.mark.parametrize("said", [message, message.content, MESSAGE, [USE]], ids=["message", "content", "dict", "list of dicts"])
def test_tool_uses_are_run(toolkit: Toolkit, said: Any) -> None:
    [result] = anthropic_tools(toolkit, tools=["text_slugify"]).run(said)
    assert (result["type"], result["tool_use_id"]) == ("tool_result", "toolu_1")
    assert json.loads(result["content"][0]["text"]) == {"slug": "two-words"} and "is_error" not in result


def test_a_failure_has_is_error(toolkit: Toolkit) -> None:
    [result] = anthropic_tools(toolkit, tools=["text_slugify"]).run([{**USE, "input": {}}])
    assert result["is_error"] is True and result["content"][0]["text"].startswith("INVALID_PARAMETERS: ")


def test_a_message_without_calls_gives_nothing(toolkit: Toolkit) -> None:
    assert anthropic_tools(toolkit).run(Message.model_validate({**MESSAGE, "content": [{"type": "text", "text": "Done."}]})) == []


def test_the_tools_are_what_the_sdk_takes(toolkit: Toolkit) -> None:
    [tool, _reads_on] = anthropic_tools(toolkit, tools=["text_slugify"]).tools
    assert TypeAdapter(ToolParam).validate_python(tool)["name"] == "text_slugify"


async def test_the_async_twins_do_the_same() -> None:
    async with await AsyncToolkit.init(log_level="error") as toolkit:
        tools = anthropic_tools(toolkit, tools=["text_slugify"])
        assert [one["name"] for one in await tools.atools()] == ["text_slugify", "toolkit_get_output"]
        [result] = await tools.arun(message)
        assert json.loads(result["content"][0]["text"]) == {"slug": "two-words"}
