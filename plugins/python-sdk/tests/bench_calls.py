"""Time of a call from Python and of the same call in Node: 1,000 in sequence, warm, medians of one run in turns.

``python tests/bench_calls.py`` in a clone that is built.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import time
from pathlib import Path

from toolkit import Toolkit
from toolkit._program import find_node

CLONE = Path(__file__).parents[3]
CALLS = 1000

NODE = """
import { Toolkit } from '%s';
const toolkit = await Toolkit.init({ logLevel: 'error' });
const times = [];
for (let call = 0; call < %d * 2; call += 1) {
  const before = performance.now();
  await toolkit.execute('text_slugify', { text: 'Hello World' });
  times.push(performance.now() - before);
}
console.log(JSON.stringify(times.slice(%d)));
await toolkit.close();
"""


def in_node() -> list[float]:
    code = NODE % ((CLONE / "dist/plugins/toolkit/index.js").as_uri(), CALLS, CALLS)
    told = subprocess.run([find_node(), "--input-type=module", "--eval", code], capture_output=True, text=True, check=True)
    return list(json.loads(told.stdout))


def in_python() -> list[float]:
    times = []
    with Toolkit.init(log_level="error") as toolkit:
        for _ in range(CALLS * 2):
            before = time.perf_counter()
            toolkit.execute("text_slugify", {"text": "Hello World"})
            times.append((time.perf_counter() - before) * 1000)
    return times[CALLS:]


if __name__ == "__main__":
    node, python = statistics.median(in_node()), statistics.median(in_python())
    print(f"median of {CALLS} calls: {node:.3f} ms in Node, {python:.3f} ms from Python, {python - node:.3f} ms more")
