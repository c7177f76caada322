import Type, { type Static } from 'typebox';
import { IssuerSchema, ScopesSchema } from './authorization/options.ts';

const Name = Type.String({ minLength: 1 });
const Credentials = Type.Union([Type.Literal('chain'), Type.Record(Type.String({ pattern: '^\\w+$' }), Type.String())]);
const Milliseconds = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

/** The options of the plugin that only this transport has. */
export const httpOptions = {
  /** HTTP port; 0 takes a free one. @default 3000 */
  port: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  /** Address to bind. Beyond loopback a token of your own is required. @default '127.0.0.1' */
  host: Type.Optional(Name),
  /** Bearer token for HTTP; its caller is named `default`. @default TOOLKIT_MCP_TOKEN, else a UUID that is printed once */
  mcpToken: Type.Optional(Name),
  /**
   * Further bearer tokens; the name is the caller in policy and trail. `operator: true` is for who runs the server: `/health` tells that one
   * what is in use, and by whom. Where there is one token it is the operator's. `credentials` are what the calls of that caller use, by the
   * name of the secret, and nothing of the resolver chain; `chain` is what the chain has. Where one of `tokens` says it, each of them must. @default none
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
   * File of further bearer tokens: a list in YAML or JSON of `name` and `token`, or `sha256`, which is the SHA-256 of the token in 64 hexadecimal digits,
   * and `operator`. It is read again at SIGHUP: sessions, streams and running calls of a token that is gone end at once, at every process that shares them; a file that is
   * broken changes nothing. Tools cannot read it. @default none
   */
  tokensFile: Type.Optional(Name),
  /**
   * Authorization servers whose access tokens open this server, beside the plain tokens that are configured: none is generated then. The caller
   * is `issuer:sub`. `issuer` is its URL, as its metadata and tokens have it. A token must be for `audience` (default: `resource`). JWTs are checked with the
   * keys that the metadata names, or `jwksUri`; `algorithms` are asymmetric ones (default: all that are known), `tokenType: 'JWT'` is for issuers whose
   * JWTs do not say at+jwt (RFC 9068), `clockSkewS` the leeway for clocks in seconds (default: 30). With `introspection`, which one issuer may have, it is asked about all
   * other tokens (RFC 7662), at the `url` of the metadata or this one; `clientSecret` is a value, or `{ secret: NAME }` of the resolver chain. @default none
   */
  issuers: Type.Optional(Type.Array(IssuerSchema, { minItems: 1 })),
  /** The URL under which clients reach this server, for which issuers issue tokens (RFC 8707). @default where it listens */
  resource: Type.Optional(Name),
  /**
   * Scopes, separated by blanks, that an access token needs for calls: of tools by their `risk` (`low`, `medium`, `high`; those of a higher risk do as well), and by
   * their `provider`, which come on top. A call without is refused with 403, which names them. Plain tokens need none. @default a valid token is enough
   */
  scopes: Type.Optional(ScopesSchema),
  /** Host names, beside loopback and `host`, that a request may give in its Host header; `*` stands for any characters. @default none */
  allowedHosts: Type.Optional(Type.Array(Name)),
  /** Origins, such as `https://app.example`, that a browser may send; `*` stands for any characters. @default loopback */
  allowedOrigins: Type.Optional(Type.Array(Name)),
  /** Request headers that pages of those origins may send, beside the ones of the protocol. @default none */
  allowedHeaders: Type.Optional(Type.Array(Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }))),
  /** HTTPS; needs a certificate. @default false */
  https: Type.Optional(Type.Boolean()),
  /** HTTPS with a certificate made here, kept in `.toolkit/certs`. @default false */
  selfSigned: Type.Optional(Type.Boolean()),
  /** File with the certificate, and its chain, in PEM. */
  certPath: Type.Optional(Name),
  /** File with the private key of that certificate in PEM. */
  keyPath: Type.Optional(Name),
  /**
   * Clients of 2025-11-25 and before get no session: each of their requests is answered for itself, so that any of several servers behind one address
   * answers it. Nothing reaches such a client but answers, and what is said while they are made: no question to its person or model, no `list_changed`. Those
   * of 2026-07-28 have no sessions anyway. @default false
   */
  stateless: Type.Optional(Type.Boolean()),
  /**
   * Sessions at the same time; half of them of one caller where there are several tokens. Where no place is left, the session that was not
   * used for longest, and has no open connection, gives way: one of the caller who has most. @default 1000
   */
  maxSessions: Type.Optional(Type.Integer({ minimum: 1 })),
  /** HTTP requests of one tenant that are open at the same time, streams included; more are answered with 429. @default 1000 */
  maxConnections: Type.Optional(Type.Integer({ minimum: 1 })),
  /**
   * Connections that have shown no valid token at the same time; for one more the oldest is closed. One address may have a quarter of them, but for
   * loopback and `proxies`. @default half of the descriptors that the process may have, 4000 at most
   */
  maxUnproven: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Addresses, or networks such as `10.0.0.0/8`, of proxies before the server: their connections are those of many clients. @default none */
  proxies: Type.Optional(Type.Array(Name)),
  /**
   * An access log: a file, to which a line of JSON is added for each request (time, address, method, path, status, duration, caller; neither token nor
   * query), or `log`, which writes them to the log of the server. SIGHUP opens the file again. @default none
   */
  accessLog: Type.Optional(Name),
  /**
   * How long the server goes on taking requests after SIGTERM, in milliseconds, while `/ready` and `/health` answer 503 and connections are closed after their
   * answer: a proxy needs so long to notice. Then `drainMs` begins. SIGINT (Ctrl-C) is not delayed. @default 5000 where processes share a store, else 0
   */
  leaveMs: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1 })),
  /** After how long without a request a session ends, in milliseconds. Open streams and running calls keep it. @default 1800000 */
  sessionIdleMs: Type.Optional(Milliseconds),
  /** How long a call goes on for a client that has no connection any more, in milliseconds; it may come back for the answer. @default 10000 */
  resumeMs: Type.Optional(Milliseconds),
};

const HttpOptionsSchema = Type.Object(httpOptions);

export type HttpOptions = Static<typeof HttpOptionsSchema>;
