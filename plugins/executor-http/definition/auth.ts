import Type, { type Static } from 'typebox';

const closed = { additionalProperties: false, patternProperties: { '^x-': {} } } as const;
const Text = Type.String({ minLength: 1 });
const HeaderName = Type.String({ pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" });

const OneAuthSchema = Type.Union([
  /** RFC 7617. */
  Type.Object({ type: Type.Literal('basic'), username: Text, password: Type.Optional(Text) }, closed),
  /** RFC 6750, 2.1. */
  Type.Object({ type: Type.Literal('bearer'), token: Text }, closed),
  Type.Object({ type: Type.Literal('header'), name: HeaderName, value: Text }, closed),
  /** A query parameter appears in the logs of every server on the way: prefer a header where the service accepts one. */
  Type.Object({ type: Type.Literal('query'), name: Text, value: Text }, closed),
  /** A cookie beside those of `cookies`. Its value is sent as it is. */
  Type.Object({ type: Type.Literal('cookie'), name: HeaderName, value: Text }, closed),
  /** A field beside those of `form`. */
  Type.Object({ type: Type.Literal('form'), name: Text, value: Text }, closed),
  /** A TLS client certificate, in PEM. */
  Type.Object({ type: Type.Literal('client_certificate'), certificate: Text, private_key: Text, passphrase: Type.Optional(Text) }, closed),
  /** No authentication, even where the provider has some. */
  Type.Object({ type: Type.Literal('none') }, closed),
]);

const AllOfSchema = Type.Union([OneAuthSchema, Type.Array(OneAuthSchema, { minItems: 1 })]);

/**
 * The authentication of a request. The texts hold placeholders; a style whose placeholder has no value is left out. All styles
 * of a list are sent. Of `any_of`, the first whose placeholders all have values is sent:
 * `any_of: [{ type: bearer, token: '{TOKEN}' }, { type: basic, username: '{USER}', password: '{PASSWORD}' }]`.
 */
export const AuthSchema = Type.Union([
  OneAuthSchema,
  Type.Array(OneAuthSchema, { minItems: 1 }),
  Type.Object({ any_of: Type.Array(AllOfSchema, { minItems: 1 }) }, closed),
]);

/** One style of authentication. */
export type Auth = Readonly<Static<typeof OneAuthSchema>>;

/** The authentication as a definition declares it. */
export type AuthDefinition = Static<typeof AuthSchema>;

/** Returns every style, including alternatives. */
export function stylesOf(auth: AuthDefinition | undefined): readonly Auth[] {
  return alternativesOf(auth).flat();
}

/** Returns the alternatives, of which one is sent: more than one only with `any_of`. */
export function alternativesOf(auth: AuthDefinition | undefined): readonly (readonly Auth[])[] {
  if (auth === undefined) return [];
  return 'any_of' in auth ? auth.any_of.map((alternative) => [alternative].flat() as Auth[]) : [[auth].flat() as Auth[]];
}
