"""Options under their Python names."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import pytest

from toolkit import MCPServer, ModelTools, Toolkit, ToolkitError
from toolkit._options import camel, server_options, toolkit_options
from toolkit.options import MCPServerOptions, ModelOptions, ToolkitOptions

CLONE = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("given", "advice"),
    [
        ({"tool_path": []}, 'Did you mean "tool_paths"?'),
        ({"toolPaths": []}, 'Did you mean "tool_paths"?'),
        ({"policyConfig": {}}, 'Did you mean "policy_config"?'),
        ({"policy_config": {"enableHITL": True}}, 'Did you mean "enable_hitl"?'),
        ({"mcp_token": "x"}, "has no option"),
    ],
    ids=lambda value: str(value),
)
def test_an_option_that_there_is_not_is_named_with_one_that_it_resembles(given: dict[str, Any], advice: str) -> None:
    with pytest.raises(ToolkitError) as caught:
        Toolkit.init(**given)
    assert caught.value.code == "CONFIG_INVALID" and advice in caught.value.message


@pytest.mark.parametrize("name", ["on_hitl", "on_approval", "credentials_of", "secret_resolver", "logger"])
def test_what_is_no_function_is_refused(name: str) -> None:
    with pytest.raises(ToolkitError, match=name) as caught:
        Toolkit.init(**{name: 7})
    assert caught.value.code == "CONFIG_INVALID"


def test_an_option_of_the_wrong_type_is_refused_by_the_program_and_nothing_runs_on() -> None:
    with pytest.raises(ToolkitError, match="includeCore") as caught:
        Toolkit.init(include_core="yes")
    assert caught.value.code == "CONFIG_INVALID"


#: A preset, which a plugin of the same name overrides.
OWN_PYTHON = [["toolkit/plugins/executor-function", {"python": sys.executable}]]


def test_names_are_translated_and_names_of_the_user_stay() -> None:
    given: ToolkitOptions = {
        "tool_paths": ["a"],
        "policy_config": {"enable_hitl": True, "hitl_min_risk_level": "medium"},
        "secret_resolver": {"resolvers": [{"type": "vault", "secret_path": "x"}]},
        "providers": {"my_shop": {"base_url": "https://shop.example"}},
        "secrets_of": {"toolkit-my_shop": ["MY_KEY"]},
        "sandbox": {"max_entries": 5, "tools": {"system_execute": {"network": True}}},
        "timeouts_ms": {"before_execute": 10},
        "config": False,
    }
    settings, functions, tools = toolkit_options(given)
    assert settings == {
        "toolPaths": ["a"],
        "policyConfig": {"enableHITL": True, "hitlMinRiskLevel": "medium"},
        "secretResolver": {"resolvers": [{"type": "vault", "secretPath": "x"}]},
        "providers": {"my_shop": {"base_url": "https://shop.example"}},
        "secretsOf": {"toolkit-my_shop": ["MY_KEY"]},
        "sandbox": {"maxEntries": 5, "tools": {"system_execute": {"network": True}}},
        "timeoutsMs": {"beforeExecute": 10},
        "config": False,
        "plugins": [OWN_PYTHON],
    }
    assert functions.names() == [] and tools == []
    settings, _, _ = server_options({"mcp_token": "x", "tokens_file": "t", "cert_path": "c", "self_signed": False, "session_idle_ms": 5})
    assert settings == {"mcpToken": "x", "tokensFile": "t", "certPath": "c", "selfSigned": False, "sessionIdleMs": 5, "plugins": [OWN_PYTHON]}


def test_handlers_run_in_this_python_before_what_the_user_lists_unless_a_configuration_says_it() -> None:
    assert toolkit_options({"plugins": ["mine"]})[0]["plugins"] == [OWN_PYTHON, "mine"]
    assert toolkit_options({"config": True, "plugins": ["mine"]})[0]["plugins"] == ["mine"]


def documented(heading: str) -> set[str]:
    """Returns the names of the options in a table of the reference."""
    page = (CLONE / "plugins/toolkit/reference/options.md").read_text()
    section = re.split(r"\n## ", page.split(f"## {heading}\n")[1])[0]
    return set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE))


def python_names(options: type) -> set[str]:
    special = {"onHitl": "onHITL"}
    return {special.get(camel(name), camel(name)) for name in options.__annotations__}


OF_TOOLKIT = {"logLevel", "logFormat", "logger", "plugins", "timeoutsMs", "cwd", "config"}


@pytest.mark.skipif(not (CLONE / "plugins/toolkit/reference").is_dir(), reason="needs the clone")
def test_every_option_of_the_program_has_its_python_name() -> None:
    common = documented("`toolkit/standard`") | OF_TOOLKIT | {"approval", "onApproval"}
    assert python_names(ToolkitOptions) == common | {"tools"}
    assert python_names(MCPServerOptions) == common | documented("`toolkit/plugins/mcp`") | {"functions"}
