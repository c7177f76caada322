"""What the toolkit returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from .errors import ToolkitError

Risk = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Credential:
    """A credential that a tool uses; its value is nowhere in the list."""

    name: str
    required: bool


@dataclass(frozen=True)
class ToolInfo:
    """One tool, as its definition has it."""

    name: str
    description: str
    risk: Risk
    #: JSON Schema of the parameters, without credentials.
    input_schema: dict[str, Any]
    version: str | None = None
    #: None for a tool that belongs to none.
    provider: str | None = None
    tags: tuple[str, ...] = ()
    #: True where every call needs approval, else the parameters and values with which one does.
    requires_approval: bool | dict[str, Any] = False
    #: Drafts can be called here; no model is offered one.
    is_draft: bool = False
    output_schema: dict[str, Any] | None = None
    #: Those of MCP, such as ``readOnlyHint``.
    annotations: dict[str, Any] = field(default_factory=dict)
    credentials: tuple[Credential, ...] = ()
    #: Where it comes from: ``plugin``, and ``file`` or ``package``.
    origin: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> ToolInfo:
        """From the program's description."""
        return cls(
            name=told["name"],
            description=told["description"],
            risk=told["risk"],
            input_schema=told["input_schema"],
            version=told.get("version"),
            provider=told.get("provider"),
            tags=tuple(told.get("tags", ())),
            requires_approval=told.get("requires_approval", False),
            is_draft=told.get("is_draft", False),
            output_schema=told.get("output_schema"),
            annotations=told.get("annotations", {}),
            credentials=tuple(Credential(name=one["name"], required=one["required"]) for one in told.get("credentials", ())),
            origin=told.get("origin", {}),
        )


@dataclass(frozen=True)
class ToolHit:
    """A tool that a search has found."""

    name: str
    description: str
    risk: Risk
    #: Higher is better; it compares hits of one search only.
    score: float
    provider: str | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> ToolHit:
        return cls(told["name"], told["description"], told["risk"], told["score"], told.get("provider"))


@dataclass(frozen=True)
class Skill:
    """Instructions for a model."""

    name: str
    description: str
    #: The whole text; None in a list.
    text: str | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Skill:
        return cls(told["name"], told["description"], told.get("text"))


class Provider(TypedDict, total=False):
    """A provider definition, ``name`` and all that its file says, in the words of the file."""

    name: str
    description: str
    documentation_url: str
    #: ``auth_url``, ``token_url``, ``scopes``, ``redirect_uri`` and what else the definition has.
    oauth2: dict[str, Any]
    definition: dict[str, Any]


@dataclass(frozen=True)
class Progress:
    """How far a call is."""

    progress: float | None = None
    total: float | None = None
    message: str | None = None


@dataclass(frozen=True)
class Reloaded:
    """What a reload has found."""

    #: How many tools there are now.
    tools: int
    #: What is wrong with definitions, for people.
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ModelResult:
    """What a model gets of a call."""

    #: Parts as in MCP, at least one.
    content: list[dict[str, Any]]
    is_error: bool
    #: The output as data, where the tool says that it is an object.
    structured: dict[str, Any] | None = None
    #: Why the call has failed.
    error: ToolkitError | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> ModelResult:
        error = told.get("error")
        return cls(told["content"], told["isError"], told.get("structured"), None if error is None else ToolkitError.from_dict(error))


@dataclass(frozen=True)
class AuthorizationUrl:
    """Where a person grants access."""

    url: str
    #: Comes back with the answer; compare it.
    state: str
    #: Send it with the code (RFC 7636). None where the provider takes no code challenge.
    code_verifier: str | None = None

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> AuthorizationUrl:
        return cls(told["url"], told["state"], told.get("codeVerifier"))
