"""The credentials of a call, and the places where a secret may appear."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from support.loopback import Loopback
from support.tools import tools_folder

from toolkit import AsyncToolkit, ModelTools, Toolkit, ToolkitError, ToolkitLogger

PLANTED = "planted-7f3d9c-secret"


def options(folder: Path, loopback: Loopback) -> dict[str, Any]:
    return {"tool_paths": [tools_folder(folder, loopback.url)], "allow_hosts": ["127.0.0.1"], "include_core": False, "log_level": "error"}


async def test_calls_of_two_tenants_at_once_never_use_each_others_credentials(tmp_path: Path, loopback: Loopback) -> None:
    async with await AsyncToolkit.init(**options(tmp_path, loopback)) as toolkit:

        async def call(tenant: str, number: int) -> None:
            word = f"{tenant}-{number}"
            await toolkit.execute("echo_path", {"word": word}, caller=tenant, credentials={"ECHO_TOKEN": f"credential-of-{tenant}"})

        await asyncio.gather(*(call(tenant, number) for number in range(100) for tenant in ("ada", "bob")))
    assert len(loopback.requests) == 200
    for request in loopback.requests:
        tenant = request.path.split("/")[-1].split("-")[0]
        assert request.headers["Authorization"] == f"Bearer credential-of-{tenant}"


def test_each_caller_has_the_credentials_that_credentials_of_gives_and_others_none(tmp_path: Path, loopback: Loopback) -> None:
    known = {"ada": {"ECHO_TOKEN": "credential-of-ada"}, "bob": {"ECHO_TOKEN": "credential-of-bob"}}
    with Toolkit.init(credentials_of=known.get, secret_resolver={"ECHO_TOKEN": "of-the-chain"}, **options(tmp_path, loopback)) as toolkit:
        for caller in ("ada", "bob", "ada"):
            toolkit.execute("echo_path", {"word": caller}, caller=caller)
        with pytest.raises(ToolkitError) as caught:
            toolkit.execute("echo_path", {"word": "eve"}, caller="eve")
    assert caught.value.code == "MISSING_PARAMETER"
    assert [request.headers["Authorization"] for request in loopback.requests] == [
        "Bearer credential-of-ada",
        "Bearer credential-of-bob",
        "Bearer credential-of-ada",
    ]


def test_a_planted_secret_is_in_nothing_that_python_sees(
    tmp_path: Path, loopback: Loopback, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ECHO_TOKEN", PLANTED)
    seen: list[Any] = []

    class Logger(ToolkitLogger):
        def info(self, message: str, meta: Any = None, **fields: Any) -> None:
            seen.append((message, meta, fields))

        warn = error = debug = info

    def ask(request: dict[str, Any]) -> bool:
        seen.append(request)
        return True

    given = {**options(tmp_path, loopback), "log_level": "debug"}
    with Toolkit.init(
        logger=Logger(), on_hitl=ask, policy_config={"enable_hitl": True, "hitl_min_risk_level": "low"}, **given
    ) as toolkit:
        seen += toolkit.list_tools() + toolkit.search_tools("path") + [toolkit.get_tool("echo_path")]
        seen.append(toolkit.execute("echo_path", {"word": "x"}, on_progress=seen.append))
        seen.append(ModelTools(toolkit).call("echo_path", {"word": "x"}))
        seen.append(ModelTools(toolkit).tools("mcp"))
        for status in (401, 500):
            loopback.status = status
            loopback.body = {"message": f"what you sent: {PLANTED}"}
            with pytest.raises(ToolkitError) as caught:
                toolkit.execute("echo_path", {"word": "x"})
            seen += [caught.value.to_dict(), str(caught.value), repr(caught.value)]
            seen.append(ModelTools(toolkit).call("echo_path", {"word": "x"}))
        seen.append(toolkit.reload())
    assert any(PLANTED in request.headers["Authorization"] for request in loopback.requests)
    assert len(seen) > 10
    assert PLANTED not in repr(seen)
    captured = capfd.readouterr()
    assert PLANTED not in captured.out + captured.err
    kept = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not [file for file in kept if PLANTED in file.read_text(errors="replace")]
    json.dumps([one for one in seen if isinstance(one, dict)])
