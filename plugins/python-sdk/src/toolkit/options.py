"""The options of toolkits, servers and models, under their Python names. Those of the program are described in its reference (options.md)."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

from .results import Risk

if TYPE_CHECKING:
    import logging

    from .loggers import ToolkitLogger

StrPath = Union[str, "os.PathLike[str]"]
Credentials = Mapping[str, str]

#: ``(request)``: True runs the call, anything else refuses it. The request has tool, description, risk, reason, parameters, caller and more.
OnHITL = Callable[[dict[str, Any]], Union[bool, Awaitable[bool]]]
#: The same for calls that need approval; None leaves it undecided. In strict mode the request has the ``token`` for a later approval.
OnApproval = Callable[[dict[str, Any]], Union[bool, None, Awaitable[Union[bool, None]]]]
#: ``(names)``: returns a dict with the values of the known names.
ResolveSecrets = Callable[[list[str]], Union[Credentials, Awaitable[Credentials]]]
#: ``(caller)``: returns the credentials of that caller, ``"chain"`` for those of the resolver chain, or None for none.
CredentialsOf = Callable[[str], Union[Credentials, Literal["chain"], None, Awaitable[Union[Credentials, Literal["chain"], None]]]]


class PolicyConfig(TypedDict, total=False):
    """The human policy."""

    #: True calls ``on_hitl`` for approval. Default: False.
    enable_hitl: bool
    #: The lowest risk that needs it. Default: ``high``.
    hitl_min_risk_level: Risk


class ResolverChain(TypedDict, total=False):
    """Sources of secrets: the first resolver that has a value wins."""

    #: ``{"type": "env" | "dotenv" | "vault" | "aws", …}``, with the options of that resolver. Default: the environment.
    resolvers: Sequence[Mapping[str, Any]]


class ApprovalOptions(TypedDict, total=False):
    """The approval gate."""

    #: Default: ``flag``.
    mode: Literal["flag", "elicit", "strict"]
    elicit_fallback: Literal["flag"]
    ttl_ms: int
    key: str
    state_folder: StrPath


class CommonOptions(TypedDict, total=False):
    """Options of toolkits and servers."""

    #: Directories with your own tools. Relative paths start at ``cwd``.
    tool_paths: Sequence[StrPath]
    skill_paths: Sequence[StrPath]
    #: Find installed provider packages. Default: False for a toolkit, True for a server.
    auto_discover: bool
    #: Installed packages to use although the project does not name them.
    allow_packages: Sequence[str]
    #: By package: secrets that its tools may use in addition to those that its provider declares.
    secrets_of: Mapping[str, Sequence[str]]
    #: Default: True.
    include_core: bool
    #: Directories that file tools may read and write. Default: ``cwd``, unless it is ``/`` or the home folder.
    roots: Sequence[StrPath]
    #: Hosts, addresses and CIDR ranges that tools may reach although they are not on the public internet.
    allow_hosts: Sequence[str]
    #: Runs the programs of tools in a sandbox of the operating system (Linux, bubblewrap): True, or ``readable``, ``hidden``, ``max_entries`` and more.
    #: Default: False.
    sandbox: bool | Mapping[str, Any]
    #: Settings of providers, by name: ``base_url``, ``headers``.
    providers: Mapping[str, Any]
    #: A dict of values, a function of names, or a resolver chain. The environment comes before a dict and a function.
    secret_resolver: Credentials | ResolveSecrets | ResolverChain
    #: Gives each caller credentials of its own, in place of those of the chain.
    credentials_of: CredentialsOf
    #: Names of secrets that tools such as crypto_hmac_sign may be asked to use.
    named_secrets: Sequence[str]
    policy_config: PolicyConfig
    on_hitl: OnHITL
    approval: ApprovalOptions
    on_approval: OnApproval
    #: ``silent``, ``error``, ``warn``, ``info`` or ``debug``; TOOLKIT_LOG_LEVEL wins over it. Default: ``info``.
    log_level: Literal["silent", "error", "warn", "info", "debug"]
    #: ``json`` or ``simple``; TOOLKIT_LOG_FORMAT wins over it.
    log_format: Literal["json", "simple"]
    #: Logger of the records, in which secrets are masked. Default: one that writes to ``sys.stderr``.
    logger: ToolkitLogger | logging.Logger
    #: Plugins of the program by module name, with options: ``["toolkit/plugins/policy-rules", {"file": "policy.yaml"}]``.
    plugins: Sequence[Any]
    #: Time limits of hooks in milliseconds, by hook.
    timeouts_ms: Mapping[str, int]
    #: Where relative paths start. Default: the folder of the configuration, else the working directory.
    cwd: StrPath
    #: Reads the configuration of the project as well: True searches for one, a path names it. Default: False.
    config: bool | StrPath


class ToolkitOptions(CommonOptions, total=False):
    """The options of ``Toolkit.init`` and ``AsyncToolkit.init``."""

    #: Python functions that become tools, in addition to those that ``@tool`` has registered.
    tools: Sequence[Any]


class MCPServerOptions(CommonOptions, total=False):
    """The options of ``MCPServer``."""

    #: Default: ``stdio``.
    transport: Literal["stdio", "http"]
    #: 0 chooses a free port. Default: 3000.
    port: int
    #: Default: ``127.0.0.1``.
    host: str
    #: Tools to offer, by name or with ``*``. Default: all.
    tools: Sequence[str]
    exclude_tools: Sequence[str]
    #: Python functions that become tools, in addition to those that ``@tool`` has registered.
    functions: Sequence[Any]
    #: Default: ``all``.
    expose: Literal["all", "search", "auto"]
    pinned: Sequence[str]
    output_schemas: Literal["full", "compact", "none"]
    only_available: bool
    #: Time for running calls when the server stops, in milliseconds.
    drain_ms: int
    max_requests: int
    max_subscriptions: int
    page_size: int
    #: Bearer token. Default: TOOLKIT_MCP_TOKEN, else a random one.
    mcp_token: str
    tokens: Sequence[Mapping[str, Any]]
    issuers: Sequence[Mapping[str, Any]]
    #: File of further bearer tokens, each with ``name`` and ``token`` or ``sha256``; read again at SIGHUP.
    tokens_file: StrPath
    resource: str
    scopes: Mapping[str, Any]
    allowed_hosts: Sequence[str]
    allowed_origins: Sequence[str]
    allowed_headers: Sequence[str]
    https: bool
    self_signed: bool
    cert_path: StrPath
    key_path: StrPath
    #: True gives clients of 2025 no session, so that any of several servers can answer each request. Default: False.
    stateless: bool
    max_sessions: int
    max_connections: int
    #: Maximum connections without a valid token so far. Default: half of the descriptors, at most 4000.
    max_unauthenticated: int
    #: Addresses or networks of proxies in front of the server.
    proxies: Sequence[str]
    #: A file that gets a line for each request, or ``log``. Default: none.
    access_log: str
    session_idle_ms: int
    resume_timeout_ms: int
    #: Time to accept requests after SIGTERM, so that a proxy notices, in milliseconds. Default: 5000 when processes share a store, else 0.
    shutdown_delay_ms: int


class ModelOptions(TypedDict, total=False):
    """The tools of a model, and the caller that it acts for."""

    #: By name or with ``*``. Default: all.
    tools: Sequence[str]
    exclude_tools: Sequence[str]
    providers: Sequence[str]
    tags: Sequence[str]
    max_risk: Risk
    #: ``search``: the tools that find, describe and call the others. Default: ``all``.
    expose: Literal["all", "search"]
    caller: str
    tenant: str
    #: Credentials of the user for whom the model acts, in place of the resolver chain.
    credentials: Credentials
