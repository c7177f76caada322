"""The toolkit in an event loop."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.loopback import Loopback
from support.tools import tools_folder

from toolkit import AsyncToolkit, Progress, ToolkitError


async def test_a_thousand_calls_at_once_get_their_own_answers() -> None:
    async with await AsyncToolkit.init(log_level="error") as toolkit:
        outputs = await asyncio.gather(*(toolkit.execute("text_slugify", {"text": f"Text {number}"}) for number in range(1000)))
    assert [output["slug"] for output in outputs] == [f"text-{number}" for number in range(1000)]


async def test_those_of_a_thousand_calls_that_are_cancelled_are_cancelled_and_the_others_answered() -> None:
    started: asyncio.Queue[int] = asyncio.Queue()
    release = asyncio.Event()
    cancelled: set[int] = set()

    async def hold(number: int) -> int:
        """Waits."""
        started.put_nowait(number)
        try:
            await release.wait()
        except asyncio.CancelledError:
            cancelled.add(number)
            raise
        return number

    async with await AsyncToolkit.init(tools=[hold], include_core=False, log_level="error") as toolkit:
        tasks = [asyncio.create_task(toolkit.execute("hold", {"number": number})) for number in range(1000)]
        for _ in tasks:
            await started.get()
        for task in tasks[::2]:
            task.cancel()
        results = await asyncio.gather(*tasks[::2], return_exceptions=True)
        assert all(isinstance(result, asyncio.CancelledError) for result in results)
        # Each call whose function is still there ends with its own answer.
        release_after = asyncio.create_task(_until(lambda: len(cancelled) == 500))
        await release_after
        release.set()
        assert await asyncio.gather(*tasks[1::2]) == list(range(1, 1000, 2))
    assert cancelled == set(range(0, 1000, 2))


async def _until(holds: object) -> None:
    while not holds():  # type: ignore[operator]
        await asyncio.sleep(0.005)


async def test_cancelling_a_task_ends_the_request_of_its_tool(tmp_path: Path, loopback: Loopback) -> None:
    loopback.answers.clear()
    async with await AsyncToolkit.init(
        tool_paths=[tools_folder(tmp_path, loopback.url)], allow_hosts=["127.0.0.1"], include_core=False, log_level="error"
    ) as toolkit:
        task = asyncio.create_task(toolkit.execute("open_path", {"word": "x"}))
        assert await asyncio.to_thread(loopback.asked.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(loopback.gone.wait, 60)
        # The toolkit goes on.
        loopback.answers.set()
        assert (await toolkit.execute("open_path", {"word": "y"}))["path"] == "/open/y"


async def test_coroutine_functions_run_in_the_loop_of_the_toolkit() -> None:
    loops: list[asyncio.AbstractEventLoop] = []

    async def where() -> str:
        """Says where it runs."""
        loops.append(asyncio.get_running_loop())
        return "here"

    async with await AsyncToolkit.init(tools=[where], include_core=False, log_level="error") as toolkit:
        assert await toolkit.execute("where") == "here"
    assert loops == [asyncio.get_running_loop()]


async def test_progress_may_be_awaited_and_what_it_raises_cancels_the_call() -> None:
    from toolkit import Context

    ended = asyncio.Event()

    async def endless(context: Context) -> None:
        """Never ends by itself."""
        context.progress(message="begun")
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def enough(progress: Progress) -> None:
        await asyncio.sleep(0)
        raise LookupError(progress.message)

    async with await AsyncToolkit.init(tools=[endless], include_core=False, log_level="error") as toolkit:
        with pytest.raises(LookupError, match="begun"):
            await toolkit.execute("endless", on_progress=enough)
        await ended.wait()


async def test_a_toolkit_that_is_closed_says_so() -> None:
    toolkit = await AsyncToolkit.init(log_level="error")
    await toolkit.close()
    await toolkit.close()
    with pytest.raises(ToolkitError, match="closed") as caught:
        await toolkit.execute("text_slugify", {"text": "x"})
    assert caught.value.code == "ABORTED"
