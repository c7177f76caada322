"""Fixtures of the tests."""

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


def isolate(patch: pytest.MonkeyPatch, folder: Path) -> None:
    """Removes the settings of this machine, and gives each test a folder of its own."""
    for name in ("TOOLKIT_LOG_LEVEL", "TOOLKIT_LOG_FORMAT", "TOOLKIT_MCP_TOKEN", "TOOLKIT_KEY"):
        patch.delenv(name, raising=False)
    patch.setenv("XDG_STATE_HOME", str(folder / "state"))
    patch.chdir(folder)


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    isolate(monkeypatch, tmp_path)


@pytest.fixture
def loopback() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


@pytest.fixture(scope="module")
def toolkit(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Toolkit]:
    """One toolkit for all tests of a file, because starting the program takes longer than most of them."""
    with pytest.MonkeyPatch.context() as patch:
        isolate(patch, tmp_path_factory.mktemp("toolkit"))
        made = Toolkit.init(log_level="error")
    with made:
        yield made


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs tests that are coroutine functions."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True
