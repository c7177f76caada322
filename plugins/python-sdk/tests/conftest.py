"""What the tests share."""

from __future__ import annotations

import asyncio
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolkit import Toolkit

sys.path.insert(0, str(Path(__file__).parent))

from support.loopback import Loopback  # noqa: E402


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing of this machine's settings, and a folder of its own."""
    for name in ("TOOLKIT_LOG_LEVEL", "TOOLKIT_LOG_FORMAT", "TOOLKIT_MCP_TOKEN", "TOOLKIT_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture
def toolkit() -> Iterator[Toolkit]:
    with Toolkit.init(log_level="error") as made:
        yield made


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs tests that are coroutine functions."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
