import Type, { type Static } from 'typebox';

const Text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;

const ListenSchema = Type.Object(
  {
    /** Port; 0 takes a free one. */
    port: Type.Integer({ minimum: 0, maximum: 65_535 }),
    /** Address that it listens on. One beyond loopback needs `tls`. @default '127.0.0.1' */
    host: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    /** PEM files of a certificate and its key, or `selfSigned: true` for one that is made and kept in `.toolkit/certs`. @default none: HTTP */
    tls: Type.Optional(
      Type.Union([Type.Object({ cert: Text, key: Text }, closed), Type.Object({ selfSigned: Type.Literal(true) }, closed)]),
    ),
    /** Host names in the Host header, in addition to loopback and `host`. @default none */
    allowedHosts: Type.Optional(Type.Array(Text, { maxItems: 100 })),
  },
  closed,
);

const OpenidSchema = Type.Object(
  {
    /** URL of the OpenID provider, as in its metadata and tokens. */
    issuer: Text,
    /** Id of the client that is registered there, with the redirect address `/console/login/callback` of this server. */
    clientId: Text,
    /** Its secret: a value, or `{ secret: NAME }` of the resolver chain. @default none, for a public client */
    clientSecret: Type.Optional(Type.Union([Text, Type.Object({ secret: Type.String({ pattern: '^\\w+$' }) }, closed)])),
    /** Scopes of the sign-in, in addition to `openid`, such as the one that adds the claim of `operators`. @default none */
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }), { maxItems: 100 })),
    /**
     * Persons who get in, by a claim of their id_token, such as `{ groups: ['operations'] }`: its value, or one of its values, is in the list. With
     * several claims one of them suffices. `email` counts only where the issuer has verified it.
     */
    operators: Type.Record(
      Type.String({ minLength: 1, maxLength: 200 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { minItems: 1 }),
      {
        minProperties: 1,
      },
    ),
  },
  closed,
);

/** Options of `console()`. */
export const ConsoleOptionsSchema = Type.Object(
  {
    /** A listener of its own for the console, also where the MCP server is on stdio. @default the MCP server over HTTP has the console */
    listen: Type.Optional(ListenSchema),
    /** Time after which a person must log in again, in hours. @default 8 */
    sessionHours: Type.Optional(Type.Number({ minimum: 0.1, maximum: 168 })),
    /** Persons log in at an OpenID provider. @default they log in with one-time codes, as `operator` */
    openid: Type.Optional(OpenidSchema),
  },
  closed,
);

export type ConsoleOptions = Static<typeof ConsoleOptionsSchema>;

export type OpenidOptions = Readonly<Static<typeof OpenidSchema>>;

export type ListenOptions = Readonly<Static<typeof ListenSchema>>;
