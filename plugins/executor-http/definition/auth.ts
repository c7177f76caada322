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

const AllOfSchema = Type.Union([OneAuthSchema, Type.Array(OneAuthSchema, { minItems: 1 })]);

/**
 * The proof of who sends a request. The texts hold placeholders; a style whose placeholder has no value is left out. Of a list all are sent, of `any_of` the
 * first of which every placeholder has a value: `any_of: [{ type: bearer, token: '{TOKEN}' }, { type: basic, username: '{USER}', password: '{PASSWORD}' }]`.
 */
export const AuthSchema = Type.Union([
  OneAuthSchema,
  Type.Array(OneAuthSchema, { minItems: 1 }),
  Type.Object({ any_of: Type.Array(AllOfSchema, { minItems: 1 }) }, closed),
]);

/** One style. */
export type Auth = Readonly<Static<typeof OneAuthSchema>>;

/** As a definition writes it. */
export type WrittenAuth = Static<typeof AuthSchema>;

/** Every style, also those that are sent in place of others. */
export function stylesOf(auth: WrittenAuth | undefined): readonly Auth[] {
  return alternativesOf(auth).flat();
}

/** Ways to prove it, of which one is taken: more than one where the definition says `any_of`. */
export function alternativesOf(auth: WrittenAuth | undefined): readonly (readonly Auth[])[] {
  if (auth === undefined) return [];
  return 'any_of' in auth ? auth.any_of.map((way) => [way].flat() as Auth[]) : [[auth].flat() as Auth[]];
}
