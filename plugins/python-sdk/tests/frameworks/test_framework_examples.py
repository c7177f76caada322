"""Examples of the documentation for frameworks, with scripted models."""

from __future__ import annotations

from typing import Any

import crewai_stand_in
from langchain_core.messages import AIMessage, ToolCall
from openai.types.responses import Response
from support.examples import example
from test_openai import RESPONSE, response

crewai_stand_in.install()


class ChatModel:
    def bind_tools(self, tools: list[Any]) -> ChatModel:
        assert all(tool.name for tool in tools)
        return self

    def invoke(self, _question: str) -> AIMessage:
        return AIMessage("", tool_calls=[ToolCall(name="text_slugify", args={"text": "Two Words"}, id="1", type="tool_call")])


class Responses:
    def __init__(self) -> None:
        self.said = [response, Response.model_validate({**RESPONSE, "output": []})]

    def create(self, *, model: str, input: list[Any], tools: list[Any]) -> Response:
        assert model and input and tools
        return self.said.pop(0)


class OpenAI:
    def __init__(self) -> None:
        self.responses = Responses()


def names(word: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec(example(word), found)  # noqa: S102
    return found


def test_langchain() -> None:
    [message] = names("langchain_tools")["answer"](ChatModel(), "?")
    assert message.artifact == {"slug": "two-words"}


def test_openai() -> None:
    messages = names("openai_tools")["converse"](OpenAI(), [{"role": "user", "content": "?"}])
    assert [one["type"] if isinstance(one, dict) and "type" in one else type(one).__name__ for one in messages] == [
        "dict",
        "ResponseReasoningItem",
        "ResponseFunctionToolCall",
        "function_call_output",
    ]


def test_crewai() -> None:
    assert "text_slugify" in [tool.name for tool in names("crewai_tools")["tools"]]
