import Type, { type Static } from 'typebox';

const Name = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;

/** Scopes separated by blanks (RFC 6749, 3.3). */
const Scopes = Type.String({ pattern: '^[!#-\\[\\]-~]+( [!#-\\[\\]-~]+)*$' });

/** Asymmetric algorithms. HS256 could be signed with the issuer's public key, and `none` proves nothing. */
export const signatureAlgorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

const IntrospectionSchema = Type.Object(
  {
    url: Type.Optional(Name),
    clientId: Name,
    clientSecret: Type.Union([Name, Type.Object({ secret: Type.String({ pattern: '^\\w+$' }) }, closed)]),
  },
  closed,
);

export const IssuerSchema = Type.Object(
  {
    issuer: Name,
    audience: Type.Optional(Name),
    jwksUri: Type.Optional(Name),
    algorithms: Type.Optional(Type.Array(Type.Enum([...signatureAlgorithms]), { minItems: 1 })),
    tokenType: Type.Optional(Type.Enum(['at+jwt', 'JWT'])),
    clockSkewS: Type.Optional(Type.Integer({ minimum: 0, maximum: 300 })),
    introspection: Type.Optional(IntrospectionSchema),
  },
  closed,
);

/** An authorization server whose access tokens this server accepts. */
export type IssuerOptions = Readonly<Static<typeof IssuerSchema>>;

export type IntrospectionOptions = Readonly<Static<typeof IntrospectionSchema>>;

export const ScopesSchema = Type.Object(
  {
    risk: Type.Optional(Type.Object({ low: Type.Optional(Scopes), medium: Type.Optional(Scopes), high: Type.Optional(Scopes) }, closed)),
    provider: Type.Optional(Type.Record(Type.String(), Scopes)),
  },
  closed,
);

/** Scopes that calls need, by tool. */
export type ScopeOptions = Readonly<Static<typeof ScopesSchema>>;

/** Options of the transport for authorization. */
export interface AuthorizationOptions {
  readonly issuers?: readonly IssuerOptions[];
  readonly resource?: string;
  readonly scopes?: ScopeOptions;
}
