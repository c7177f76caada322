"""Requests of the program: approvals, secrets, credentials, log lines."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import threading
from pathlib import Path
from typing import Any

import pytest
from support.loopback import Loopback
from support.tools import tools_folder

from toolkit import AsyncToolkit, ModelTools, Toolkit, ToolkitError, ToolkitLogger, set_global_toolkit_logger

ASKING: Any = {"policy_config": {"enable_hitl": True, "hitl_min_risk_level": "low"}, "log_level": "error"}


@pytest.mark.parametrize(
    ("answer", "runs"), [(True, True), (False, False), (None, False), (1, False), ("yes", False)], ids=lambda value: repr(value)
)
def test_only_true_of_a_person_runs_a_call(answer: Any, runs: bool) -> None:
    asked: list[dict[str, Any]] = []

    def ask(request: dict[str, Any]) -> Any:
        asked.append(request)
        return answer

    with Toolkit.init(on_hitl=ask, **ASKING) as toolkit:
        if runs:
            assert toolkit.execute("text_slugify", {"text": "Yes"}, caller="ada") == {"slug": "yes"}
        else:
            with pytest.raises(ToolkitError) as caught:
                toolkit.execute("text_slugify", {"text": "No"}, caller="ada")
            assert caught.value.code == "APPROVAL_DENIED"
    assert [(one["tool"], one["caller"], one["risk"]) for one in asked] == [("text_slugify", "ada", "low")]


def test_a_callback_that_raises_refuses_the_call() -> None:
    def broken(_request: dict[str, Any]) -> bool:
        raise RuntimeError("the dialog is gone")

    with Toolkit.init(on_hitl=broken, **ASKING) as toolkit, pytest.raises(ToolkitError, match="the dialog is gone"):
        toolkit.execute("text_slugify", {"text": "x"})


@pytest.mark.parametrize("is_async", [False, True], ids=["in a toolkit that waits", "in a toolkit for asyncio"])
def test_coroutine_callbacks_run_in_a_loop(is_async: bool) -> None:
    async def ask(_request: dict[str, Any]) -> bool:
        await asyncio.sleep(0)
        return True

    async def call() -> Any:
        async with await AsyncToolkit.init(on_hitl=ask, **ASKING) as toolkit:
            return await toolkit.execute("text_slugify", {"text": "Yes"})

    if is_async:
        assert asyncio.run(call()) == {"slug": "yes"}
    else:
        with Toolkit.init(on_hitl=ask, **ASKING) as toolkit:
            assert toolkit.execute("text_slugify", {"text": "Yes"}) == {"slug": "yes"}


def test_callbacks_see_the_context_variables_of_where_the_toolkit_was_made() -> None:
    tenant = contextvars.ContextVar("tenant", default="none")
    seen: list[str] = []

    def ask(_request: dict[str, Any]) -> bool:
        seen.append(tenant.get())
        return True

    tenant.set("one")
    with Toolkit.init(on_hitl=ask, **ASKING) as toolkit:
        toolkit.execute("text_slugify", {"text": "x"})
    assert seen == ["one"]


def test_a_callback_may_call_the_toolkit_again() -> None:
    holder: dict[str, Toolkit] = {}

    def ask(request: dict[str, Any]) -> bool:
        return request["tool"] == "text_count" or holder["toolkit"].execute("text_count", {"text": request["parameters"]["text"]}) is not None

    with Toolkit.init(on_hitl=ask, **ASKING) as toolkit:
        holder["toolkit"] = toolkit
        assert toolkit.execute("text_slugify", {"text": "Yes"}) == {"slug": "yes"}


@pytest.mark.parametrize(
    ("answer", "code"), [(True, None), (False, "APPROVAL_DENIED"), (None, "APPROVAL_REQUIRED")], ids=lambda value: repr(value)
)
def test_an_approval_of_a_models_call_is_asked_for(answer: bool | None, code: str | None, tmp_path: Path, loopback: Loopback) -> None:
    asked: list[dict[str, Any]] = []

    def ask(request: dict[str, Any]) -> bool | None:
        asked.append(request)
        return answer

    with Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], on_approval=ask, approval={"mode": "elicit"}, log_level="error"
    ) as toolkit:
        result = ModelTools(toolkit).call("open_path", {"word": "x"})
    assert (None if result.error is None else result.error.code) == code
    assert [one["tool"] for one in asked] == ["open_path"]
    assert len(loopback.requests) == (1 if answer else 0)


class Chain:
    """The four kinds of ``secret_resolver`` that give ECHO_TOKEN the same value."""

    @staticmethod
    def function(names: list[str]) -> dict[str, str]:
        return {name: "value-of-the-secret" for name in names if name == "ECHO_TOKEN"}

    @staticmethod
    async def coroutine(names: list[str]) -> dict[str, str]:
        await asyncio.sleep(0)
        return Chain.function(names)


@pytest.mark.parametrize("kind", ["dict", "function", "coroutine", "chain"])
def test_secrets_come_from(kind: str, tmp_path: Path, loopback: Loopback) -> None:
    (tmp_path / "values.env").write_text("ECHO_TOKEN=value-of-the-secret\n")
    kinds: dict[str, Any] = {
        "dict": {"ECHO_TOKEN": "value-of-the-secret"},
        "function": Chain.function,
        "coroutine": Chain.coroutine,
        "chain": {"resolvers": [{"type": "env"}, {"type": "dotenv", "path": str(tmp_path / "values.env")}]},
    }
    with Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], include_core=False, secret_resolver=kinds[kind], log_level="error"
    ) as toolkit:
        toolkit.execute("echo_path", {"word": "x"})
    assert loopback.requests[0].headers["Authorization"] == "Bearer value-of-the-secret"


def test_a_secret_that_nobody_has_is_named(tmp_path: Path, loopback: Loopback) -> None:
    with Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], include_core=False, secret_resolver={}, log_level="error"
    ) as toolkit:
        with pytest.raises(ToolkitError, match="ECHO_TOKEN") as caught:
            toolkit.execute("echo_path", {"word": "x"})
    assert caught.value.code == "MISSING_PARAMETER"


def test_a_resolver_that_gives_something_else_says_so_without_a_value(tmp_path: Path, loopback: Loopback) -> None:
    with Toolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)],
        allow_hosts=["127.0.0.1"],
        include_core=False,
        secret_resolver=lambda names: {"ECHO_TOKEN": 112233445566},  # type: ignore[dict-item,return-value]
        log_level="error",
    ) as toolkit:
        with pytest.raises(ToolkitError) as caught:
            toolkit.execute("echo_path", {"word": "x"})
    assert caught.value.code == "SECRET_STORE_UNAVAILABLE"
    assert "112233445566" not in repr(caught.value.to_dict())


class Records(ToolkitLogger):
    def __init__(self) -> None:
        self.records: list[tuple[str, str, Any]] = []

    def _add(self, level: str, message: str, meta: Any) -> None:
        self.records.append((level, message, meta))

    def info(self, message: str, meta: Any = None, **_fields: Any) -> None:
        self._add("info", message, meta)

    def warn(self, message: str, meta: Any = None, **_fields: Any) -> None:
        self._add("warn", message, meta)

    def error(self, message: str, meta: Any = None, **_fields: Any) -> None:
        self._add("error", message, meta)

    def debug(self, message: str, meta: Any = None, **_fields: Any) -> None:
        self._add("debug", message, meta)


def test_a_logger_gets_every_record_before_close_returns_and_the_program_writes_none(capfd: pytest.CaptureFixture[str]) -> None:
    logger = Records()
    with Toolkit.init(logger=logger, log_level="debug") as toolkit:
        toolkit.execute("text_slugify", {"text": "x"})
        assert toolkit.get_logger() is logger
    assert "debug" in {level for level, _, _ in logger.records}
    assert capfd.readouterr().err == ""


def test_the_global_logger_is_taken_where_none_is_given() -> None:
    logger = Records()
    set_global_toolkit_logger(logger)
    try:
        Toolkit.init(log_level="debug").close()
    finally:
        set_global_toolkit_logger(None)
    assert logger.records


def test_standard_logging_may_be_the_target(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, "tools"):
        Toolkit.init(logger=logging.getLogger("tools"), log_level="debug").close()
    assert {record.name for record in caplog.records} == {"tools"}


def test_a_logger_that_raises_or_calls_a_tool_holds_up_nothing() -> None:
    done = threading.Event()
    holder: dict[str, Toolkit] = {}

    class Strange(Records):
        def _add(self, level: str, message: str, meta: Any) -> None:
            if "toolkit" in holder and not done.is_set():
                done.set()
                holder["toolkit"].execute("text_count", {"text": "x"})
            raise RuntimeError("no room")

    with Toolkit.init(logger=Strange(), log_level="debug") as toolkit:
        holder["toolkit"] = toolkit
        for _ in range(3):
            toolkit.execute("text_slugify", {"text": "x"})
    assert done.is_set()
