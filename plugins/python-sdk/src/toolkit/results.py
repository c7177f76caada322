"""Results of the methods of a toolkit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from .errors import ToolkitError

Risk = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Credential:
    """A credential that a tool uses, without its value."""

    name: str
    required: bool


@dataclass(frozen=True)
class ToolInfo:
    """One tool, from its definition."""

    name: str
    description: str
    risk: Risk
    #: JSON Schema of the parameters, without credentials.
    input_schema: dict[str, Any]
    version: str | None = None
    #: None for a tool without a provider.
    provider: str | None = None
    tags: tuple[str, ...] = ()
    #: True when every call needs approval, else the parameters and values that make a call need it.
    requires_approval: bool | dict[str, Any] = False
    #: True for a draft, which code can call and models cannot see.
    is_draft: bool = False
    output_schema: dict[str, Any] | None = None
    #: Annotations of MCP, such as ``readOnlyHint``.
    annotations: dict[str, Any] = field(default_factory=dict)
    credentials: tuple[Credential, ...] = ()
    #: Source of the tool: ``plugin``, and ``file`` or ``package``.
    origin: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ToolInfo:
        """Reads the program's description of a tool."""
        return cls(
            name=data["name"],
            description=data["description"],
            risk=data["risk"],
            input_schema=data["input_schema"],
            version=data.get("version"),
            provider=data.get("provider"),
            tags=tuple(data.get("tags", ())),
            requires_approval=data.get("requires_approval", False),
            is_draft=data.get("is_draft", False),
            output_schema=data.get("output_schema"),
            annotations=data.get("annotations", {}),
            credentials=tuple(Credential(name=one["name"], required=one["required"]) for one in data.get("credentials", ())),
            origin=data.get("origin", {}),
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
    def of(cls, data: Mapping[str, Any]) -> ToolHit:
        return cls(data["name"], data["description"], data["risk"], data["score"], data.get("provider"))


@dataclass(frozen=True)
class Skill:
    """Instructions for a model."""

    name: str
    description: str
    #: The whole text; None in a list.
    text: str | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Skill:
        return cls(data["name"], data["description"], data.get("text"))


class Provider(TypedDict, total=False):
    """A provider definition: ``name`` and the members of its file."""

    name: str
    description: str
    documentation_url: str
    #: ``auth_url``, ``token_url``, ``scopes``, ``redirect_uri`` and further members of the definition.
    oauth2: dict[str, Any]
    definition: dict[str, Any]


@dataclass(frozen=True)
class Progress:
    """Progress of a call."""

    progress: float | None = None
    total: float | None = None
    message: str | None = None


@dataclass(frozen=True)
class Reloaded:
    """Result of a reload."""

    #: Number of tools after the reload.
    tools: int
    #: Problems of definitions, as text for people.
    problems: tuple[str, ...]


@dataclass(frozen=True)
class ModelResult:
    """Result of a call for a model."""

    #: Parts as in MCP, at least one.
    content: list[dict[str, Any]]
    is_error: bool
    #: The output as data, if the tool declares an object.
    structured: dict[str, Any] | None = None
    #: The error of a failed call.
    error: ToolkitError | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> ModelResult:
        error = data.get("error")
        return cls(data["content"], data["isError"], data.get("structured"), None if error is None else ToolkitError.from_dict(error))


@dataclass(frozen=True)
class AuthorizationUrl:
    """The URL at which a person grants access."""

    url: str
    #: Compare it with the ``state`` of the answer.
    state: str
    #: Send it with the code (RFC 7636). None if the provider accepts no code challenge.
    code_verifier: str | None = None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> AuthorizationUrl:
        return cls(data["url"], data["state"], data.get("codeVerifier"))
