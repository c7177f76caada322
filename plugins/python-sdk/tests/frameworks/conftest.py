"""Tests with third-party libraries. They run if the libraries are installed; the header of the run names the missing ones."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

#: Required packages by file.
_NEEDED = {
    "test_pydantic.py": ("pydantic",),
    "test_crewai.py": ("pydantic",),
    "test_langchain.py": ("langchain_core",),
    "test_openai.py": ("openai",),
    "test_patterns.py": ("langchain_core", "mcp", "pydantic"),
    "test_anthropic.py": ("anthropic",),
    "test_framework_examples.py": ("langchain_core", "openai"),
    "test_types.py": ("mypy",),
}

collect_ignore = [name for name, packages in _NEEDED.items() if any(find_spec(package) is None for package in packages)]


def pytest_report_header() -> str:
    return f"not run, because what they need is not installed: {', '.join(collect_ignore)}" if collect_ignore else "all frameworks are installed"
