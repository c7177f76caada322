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
  /** Shows in the logs of every server on the way: a header is better where the service takes one. */
  Type.Object({ type: Type.Literal('query'), name: Text, value: Text }, closed),
  /** A field beside those of `form`. */
  Type.Object({ type: Type.Literal('form'), name: Text, value: Text }, closed),
  /** TLS client authentication, in PEM. */
  Type.Object({ type: Type.Literal('client_certificate'), certificate: Text, private_key: Text, passphrase: Type.Optional(Text) }, closed),
  /** Nothing, also where the provider says something. */
  Type.Object({ type: Type.Literal('none') }, closed),
]);

/** How a request proves who sends it. The texts hold placeholders; a style whose placeholder has no value is left out. */
export const AuthSchema = Type.Union([OneAuthSchema, Type.Array(OneAuthSchema, { minItems: 1 })]);

export type Auth = Readonly<Static<typeof OneAuthSchema>>;

export function stylesOf(auth: Auth | readonly Auth[] | undefined): readonly Auth[] {
  return auth === undefined ? [] : ([auth].flat() as Auth[]);
}
