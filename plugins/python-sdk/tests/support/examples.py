"""The examples of the documentation."""

from __future__ import annotations

import re
from pathlib import Path

_TEXT = Path(__file__).parent.parent.parent.joinpath("README.md").read_text()


def example(word: str) -> str:
    """Returns the first Python example that contains ``word``."""
    return next(block for block in re.findall(r"```python\n(.*?)```", _TEXT, re.DOTALL) if word in block)
