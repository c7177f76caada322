"""Imports between the files of the package."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import toolkit

PACKAGE = Path(toolkit.__file__).parent


def imports_of(folder: Path) -> dict[str, set[str]]:
    """Returns the imports of each module within the package, including those for types only."""
    files = {".".join(file.relative_to(folder).with_suffix("").parts): file for file in folder.rglob("*.py")}
    modules = {name.removesuffix("__init__").removesuffix("."): file for name, file in files.items()}
    return {name: _imported(name, file, set(modules)) - {name} for name, file in modules.items() if "_program" not in name.split(".")}


def _imported(name: str, file: Path, modules: set[str]) -> set[str]:
    package = name.split(".") if file.name == "__init__.py" else name.split(".")[:-1]
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            above = package[: len(package) - node.level + 1]
            base = ".".join([*filter(None, above), *([node.module] if node.module else [])])
            below = {f"{base}.{alias.name}".removeprefix(".") for alias in node.names} & modules
            found |= below or {base}
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.module.split(".")[0] == PACKAGE.name:
            found.add(".".join(node.module.split(".")[1:]))
        elif isinstance(node, ast.Import):
            found |= {".".join(alias.name.split(".")[1:]) for alias in node.names if alias.name.split(".")[0] == PACKAGE.name}
    return found & modules


def circles_in(imports: dict[str, set[str]]) -> set[frozenset[str]]:
    """Returns the largest sets of modules that import each other, directly or not."""
    reached = {name: _reached(name, imports) for name in imports}
    return {
        frozenset(other for other in reached[name] if name in reached.get(other, set()))
        for name in imports
        if name in reached[name]
    }


def _reached(start: str, imports: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    waiting = [*imports[start]]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting.extend(imports.get(name, set()))
    return seen


def test_no_files_of_the_package_import_each_other() -> None:
    imports = imports_of(PACKAGE)
    assert len(imports) > 30
    assert sum(len(names) for names in imports.values()) > 100
    assert {tuple(sorted(circle)) for circle in circles_in(imports)} == set()


@pytest.mark.parametrize(
    ("files", "circles"),
    [
        pytest.param({"a.py": "from . import b", "b.py": ""}, set(), id="one way"),
        pytest.param({"a.py": "from .b import B", "b.py": "from . import a"}, {("a", "b")}, id="both ways"),
        pytest.param(
            {"a.py": "from .b import B", "b.py": "from .c import C", "c.py": "if TYPE_CHECKING:\n    from .a import A"},
            {("a", "b", "c")},
            id="round by a third, for types",
        ),
        pytest.param({"a.py": "def f():\n    from toolkit.b import B", "b.py": "import toolkit.a"}, {("a", "b")}, id="by the name of the package"),
        pytest.param({"room/__init__.py": "from .a import A", "room/a.py": "from .. import b", "b.py": "from .room import A"}, {("b", "room", "room.a")}, id="through a room"),
    ],
)
def test_a_circle_is_found(tmp_path: Path, files: dict[str, str], circles: set[tuple[str, ...]]) -> None:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert {tuple(sorted(circle)) for circle in circles_in(imports_of(tmp_path))} == circles
