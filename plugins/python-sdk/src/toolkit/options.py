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
#: The same for calls that need approval; None leaves it undecided. In strict mode the request has the ``token`` of a later yes.
OnApproval = Callable[[dict[str, Any]], Union[bool, None, Awaitable[Union[bool, None]]]]
#: ``(names)``: a dict with the values of those that it knows.
ResolveSecrets = Callable[[list[str]], Union[Credentials, Awaitable[Credentials]]]
#: ``(caller)``: the credentials of that caller, ``"chain"`` for those of the resolver chain, None for none.
CredentialsOf = Callable[[str], Union[Credentials, Literal["chain"], None, Awaitable[Union[Credentials, Literal["chain"], None]]]]


class PolicyConfig(TypedDict, total=False):
    """The human policy."""

    #: Whether ``on_hitl`` is asked. Default: False.
    enable_hitl: bool
    #: The lowest risk that it is asked about. Default: ``high``.
    hitl_min_risk_level: Risk


class ResolverChain(TypedDict, total=False):
    """Where secrets come from: the first resolver that has a value wins."""

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
    """What toolkits and servers have in common."""

    #: Directories with your own tools. Relative paths start at ``cwd``.
    tool_paths: Sequence[StrPath]
    skill_paths: Sequence[StrPath]
    #: Find installed provider packages. Default: False for a toolkit, True for a server.
    auto_discover: bool
    #: Installed packages that are taken although the project does not name them.
    allow_packages: Sequence[str]
    #: By package, secrets that its tools may use beside those that its provider declares.
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
    #: A dict of values, a function of names, or a resolver chain. Values of a dict and a function are asked for after those of the environment.
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
    #: Takes the records, secrets masked. Default: they are written to ``sys.stderr``.
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

    #: Python functions that become tools, beside those that ``@tool`` has registered.
    tools: Sequence[Any]


class MCPServerOptions(CommonOptions, total=False):
    """The options of ``MCPServer``."""

    #: Default: ``stdio``.
    transport: Literal["stdio", "http"]
    #: 0 takes a free one. Default: 3000.
    port: int
    #: Default: ``127.0.0.1``.
    host: str
    #: Tools to offer, by name or with ``*``. Default: all.
    tools: Sequence[str]
    exclude_tools: Sequence[str]
    #: Python functions that become tools, beside those that ``@tool`` has registered.
    functions: Sequence[Any]
    #: Default: ``all``.
    expose: Literal["all", "search", "auto"]
    pinned: Sequence[str]
    output_schemas: Literal["full", "compact", "none"]
    only_available: bool
    #: How long running calls may take to end when the server stops, in milliseconds.
    drain_ms: int
    max_requests: int
    max_subscriptions: int
    page_size: int
    #: Bearer token. Default: TOOLKIT_MCP_TOKEN, else one that is made at the start.
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
    #: Clients of 2025 get no session: each request is answered for itself, by any of several servers. Default: False.
    stateless: bool
    max_sessions: int
    max_connections: int
    #: Connections that have shown no valid token. Default: half of the descriptors, 4000 at most.
    max_unauthenticated: int
    #: Addresses or networks of proxies before the server.
    proxies: Sequence[str]
    #: A file to which a line is added for each request, or ``log``. Default: none.
    access_log: str
    session_idle_ms: int
    resume_timeout_ms: int
    #: How long the server goes on taking requests after SIGTERM, so that a proxy notices. Default: 5000 where processes share a store, else 0.
    shutdown_delay_ms: int


class ModelOptions(TypedDict, total=False):
    """Which tools a model is offered, and for whom it calls them."""

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
    #: Those of the user for whom the model works, in place of the resolver chain.
    credentials: Credentials
