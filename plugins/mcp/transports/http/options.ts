import Type, { type Static } from 'typebox';
import { IssuerSchema, ScopesSchema } from './authorization/options.ts';

const Name = Type.String({ minLength: 1 });
const Credentials = Type.Union([Type.Literal('chain'), Type.Record(Type.String({ pattern: '^\\w+$' }), Type.String())]);
const milliseconds = { minimum: 1, maximum: 2 ** 31 - 1 } as const;

/** Options that only this transport has. */
export const httpOptions = {
  /** HTTP port; 0 selects a free port. @default 3000 */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535, default: 3000 })),
  /** Address to bind. An address beyond loopback requires a configured token. @default '127.0.0.1' */
  host: Type.Optional(Name),
  /** Bearer token for HTTP; its caller is named `default`. @default TOOLKIT_MCP_TOKEN, else a UUID that is printed once */
  mcpToken: Type.Optional(Name),
  /**
   * Further bearer tokens. `name` is the caller in policy and audit trail. `operator: true` lets the caller see in `/health` how much each
   * caller uses; a single token is always the operator's. `credentials` are the secrets of that caller's calls, by name, in place of the
   * resolver chain; `chain` uses the chain. If one token has `credentials`, each of them must. @default none
   */
  tokens: Type.Optional(
    Type.Array(
      Type.Object(
        { name: Name, token: Name, operator: Type.Optional(Type.Boolean()), credentials: Type.Optional(Credentials) },
        { additionalProperties: false },
      ),
    ),
  ),
  /**
   * File of further bearer tokens: a list in YAML or JSON with `name`, `operator`, and `token` or `sha256` (SHA-256 of the token in 64
   * hexadecimal digits). SIGHUP reads the file again. Sessions, streams and running calls of a removed token end at once, in every process
   * that shares them. An invalid file changes nothing. Tools cannot read the file. @default none
   */
  tokensFile: Type.Optional(Name),
  /**
   * Authorization servers whose access tokens this server accepts, in addition to the configured plain tokens; no token is generated then.
   * The caller is `issuer:sub`. `issuer`: URL of the server, as in its metadata and tokens. `audience`: required audience of a token
   * (default: `resource`). `jwksUri`: URL of the keys for JWTs (default: from the metadata). `algorithms`: asymmetric algorithms (default: all
   * known ones). `tokenType: 'JWT'`: for issuers whose JWTs lack the type at+jwt (RFC 9068). `clockSkewS`: allowed clock difference in seconds
   * (default: 30). `introspection`: the issuer checks all other tokens (RFC 7662), at its `url` or that of the metadata; only one issuer may
   * have it. `clientSecret`: a value, or `{ secret: NAME }` of the resolver chain. @default none
   */
  issuers: Type.Optional(Type.Array(IssuerSchema, { minItems: 1 })),
  /**
   * URL of this server for clients and browsers, such as `https://tools.example/mcp` behind a proxy: the resource that tokens are issued for (RFC 8707),
   * and the address of pages that plugins add. @default the address that the server listens on
   */
  resource: Type.Optional(Name),
  /**
   * Scopes, separated by blanks, that calls need: by the tool's `risk` (`low`, `medium`, `high`; the scopes of a higher risk suffice), and
   * in addition by its `provider`. A call without them gets 403, which names them. Plain tokens need none. @default none: a valid token suffices
   */
  scopes: Type.Optional(ScopesSchema),
  /** Host names allowed in the Host header, in addition to loopback and `host`; `*` stands for any characters. @default none */
  allowedHosts: Type.Optional(Type.Array(Name)),
  /** Origins allowed in the Origin header, such as `https://app.example`; `*` stands for any characters. @default loopback */
  allowedOrigins: Type.Optional(Type.Array(Name)),
  /** Request headers that pages of those origins may send, in addition to the protocol's headers. @default none */
  allowedHeaders: Type.Optional(Type.Array(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }))),
  /** HTTPS; requires a certificate. @default false */
  https: Type.Optional(Type.Boolean()),
  /** HTTPS with a self-signed certificate, stored in `.toolkit/certs`. @default false */
  selfSigned: Type.Optional(Type.Boolean()),
  /** PEM file with the certificate and its chain. */
  certPath: Type.Optional(Name),
  /** PEM file with the private key of the certificate. */
  keyPath: Type.Optional(Name),
  /**
   * True: clients of 2025-11-25 and earlier get no session, so any of several servers behind one address can handle any request. Such a
   * client receives only responses, and notifications of its running requests: no elicitation, no sampling, no `list_changed`. Clients of
   * 2026-07-28 never have sessions. @default false
   */
  stateless: Type.Optional(Type.Boolean()),
  /**
   * Maximum number of open sessions. With several tokens, one caller may have half of them. At the limit, a new session ends the least
   * recently used session without an open connection, of the caller with most sessions. @default 1000
   */
  maxSessions: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Maximum number of open HTTP requests of one tenant, streams included. Further requests get 429. @default 1000 */
  maxConnections: Type.Optional(Type.Integer({ minimum: 1 })),
  /**
   * Maximum number of open connections without a valid token. A further one closes the oldest. One address may have a quarter of them;
   * loopback and `proxies` have no such limit. @default half of the process's descriptors, 4000 at most
   */
  maxUnauthenticated: Type.Optional(Type.Integer({ minimum: 1, mistaken_names: ['maxUnproven'] })),
  /** Addresses, or networks such as `10.0.0.0/8`, of proxies in front of the server. Their connections carry many clients. @default none */
  proxies: Type.Optional(Type.Array(Name)),
  /**
   * Access log: a file, or `log` for the server's log. Adds a line of JSON for each request (time, address, method, path, status, duration,
   * caller; neither token nor query). SIGHUP opens the file again. @default none
   */
  accessLog: Type.Optional(Name),
  /**
   * Time after SIGTERM in which the server still handles requests, in milliseconds. `/ready` and `/health` answer 503 and each connection
   * closes after its response, so that a proxy notices. Then `drainMs` begins. SIGINT (Ctrl-C) is not delayed.
   * @default 5000 where processes share a store, else 0
   */
  shutdownDelayMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, mistaken_names: ['leaveMs'] })),
  /** Time without a request after which a session ends, in milliseconds. Open streams and running calls keep it open. @default 1800000 */
  sessionIdleMs: Type.Optional(Type.Integer(milliseconds)),
  /** Time that a call continues after its client lost the connection, in milliseconds. The client may resume in that time. @default 10000 */
  resumeTimeoutMs: Type.Optional(Type.Integer({ ...milliseconds, mistaken_names: ['resumeMs'] })),
};

const HttpOptionsSchema = Type.Object(httpOptions);

export type HttpOptions = Static<typeof HttpOptionsSchema>;
