import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const ToolNames = Type.Array(Text);

/** Replaces members of a tool, and says what the operator knows about it. */
const OverrideSchema = Type.Object(
  {
    title: Type.Optional(Text),
    description: Type.Optional(Text),
    /** True for a tool that changes nothing: it needs no approval. False for one that does, whatever the server says. */
    readOnly: Type.Optional(Type.Boolean()),
    risk: Type.Optional(Type.Enum(['low', 'medium', 'high'])),
    /** True or false to require an approval, whatever `gate` says. */
    requiresApproval: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** The login at a server with `auth: oauth`. */
const OAuthSchema = Type.Object(
  {
    /**
     * The account whose token is sent. `operator`: the one of `toolkit auth login <server>`, for all callers. `caller`: that of each caller, who gets a
     * connection of its own, and tools alone.
     * @default 'operator'
     */
    account: Type.Optional(Type.Enum(['operator', 'caller'])),
    /**
     * The identifier of the authorization server. Its origin may be private, and tokens of another one are refused.
     * @default the first one that the server's metadata names
     */
    issuer: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** The id of a client that was registered by hand. @default `clientMetadata` where the authorization server takes one, else a client is registered */
    clientId: Type.Optional(Text),
    /** The secret of that client. */
    clientSecret: Type.Optional(Type.Object({ secret: Type.String({ pattern: '^\\w+$' }) }, closed)),
    /** The https address of a client id metadata document, which is the client's id at servers that take one. */
    clientMetadata: Type.Optional(Type.String({ pattern: '^https://' })),
    /** Scopes that a login asks for. @default those that the server names */
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { minItems: 1 })),
  },
  closed,
);

export type ServerOAuth = Readonly<Static<typeof OAuthSchema>>;

const ServerSchema = Type.Object(
  {
    /** The program of a server on standard input and output. There is no shell. */
    command: Type.Optional(Text),
    args: Type.Optional(Type.Array(Type.String())),
    /** Variables of the program, beside the few that every program gets. `{NAME}` stands for a secret. */
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** The folder of the program, relative to that of the configuration. @default the folder of the configuration */
    cwd: Type.Optional(Text),
    /** The address of a server over HTTP. Its host may be private. */
    url: Type.Optional(Type.String({ pattern: '^https?://' })),
    /** Headers of each request. `{NAME}` stands for a secret. */
    headers: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** `sse`: HTTP with SSE as of 2024-11-05. @default `stdio` with `command`; `http` with `url`, and `sse` where a server refuses that */
    transport: Type.Optional(Type.Enum(['stdio', 'http', 'sse'])),
    /** The tools that are taken. Names are those of the server; `*` stands for any characters. */
    tools: Type.Optional(
      Type.Object(
        {
          /** @default all */
          include: Type.Optional(ToolNames),
          /** @default none */
          exclude: Type.Optional(ToolNames),
          /** Other names, by the name that the server gives. The prefix is added to them as well. */
          rename: Type.Optional(Type.Record(Type.String(), Text)),
          overrides: Type.Optional(Type.Record(Type.String(), OverrideSchema)),
        },
        closed,
      ),
    ),
    /**
     * The owner of the secrets in `env` and `headers`. `header`: the operator. `caller`: each caller, who gets a connection of its own. `none`: there
     * are none. `oauth`: a person logs in, and the token is sent beside the headers; their secrets are the operator's.
     * @default `header` where there are placeholders
     */
    auth: Type.Optional(Type.Enum(['none', 'header', 'caller', 'oauth'])),
    /** Only with `auth: oauth`, which needs no more where the server describes its login. */
    oauth: Type.Optional(OAuthSchema),
    /** One process or session for each caller, so that questions reach the right one. @default true with `auth: caller` and `oauth: { account: caller }` */
    perCaller: Type.Optional(Type.Boolean()),
    /** Calls at the same time. @default 8 */
    concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    /** Calls that wait for a slot; others are refused. @default 32 */
    queue: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })),
    /** Time limit of a call, in milliseconds. @default that of `execute` */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 })),
    /** Time limit of the handshake, in milliseconds: the program may have to be downloaded first. @default 30000 */
    startTimeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 })),
    /** Ends a connection without calls after this time, in milliseconds. @default 300000 with `perCaller`, else never */
    idleStopMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 86_400_000 })),
    /** Believes the hints of the server, such as `readOnlyHint`. @default false */
    trustAnnotations: Type.Optional(Type.Boolean()),
    /** The tools that need an approval. `writes`: all that are not known to be read-only. @default 'writes' */
    gate: Type.Optional(Type.Enum(['writes', 'all', 'none'])),
    /**
     * `lock`: only what `toolkit.lock` has. `first-use`: the first list becomes its entry, later changes are withheld. `off`: whatever the server
     * lists, at any time.
     * @default 'lock'
     */
    pin: Type.Optional(Type.Enum(['lock', 'first-use', 'off'])),
    /** Lets the server ask the model of the caller (sampling). @default false */
    sampling: Type.Optional(Type.Boolean()),
    /** Checks results against the output schemas of the server: `warn` logs, `strict` refuses. @default 'warn' */
    outputSchemas: Type.Optional(Type.Enum(['off', 'warn', 'strict'])),
    /** Gives the program network access where a sandbox runs it. @default false */
    network: Type.Optional(Type.Boolean()),
  },
  closed,
);

/** One server, in the form of `mcpServers` that clients have, with the settings of this program. */
export type UpstreamServer = Static<typeof ServerSchema>;

export const UpstreamsOptionsSchema = Type.Object(
  {
    /** MCP servers by the name of the source, the prefix of its tools. */
    servers: Type.Optional(Type.Record(Type.String(), ServerSchema)),
  },
  closed,
);

export type UpstreamsOptions = Static<typeof UpstreamsOptionsSchema>;
