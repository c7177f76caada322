import Type, { type Static } from 'typebox';

/** Pattern of an account's name, such as `work` or `ada@example.com`. */
export const accountNamePattern = '^[\\w.@+-]{1,100}$';

const Text = Type.String({ minLength: 1 });
const closed = { additionalProperties: false } as const;

const SignInSchema = Type.Object(
  {
    /** The issuer among the `issuers` of the server. @default the only one */
    issuer: Type.Optional(Text),
    /** Id of the client that is registered there, with the redirect address `/accounts/sign-in` of this server. */
    clientId: Text,
    /** Its secret: a value, or `{ secret: NAME }` of the resolver chain. @default none, for a public client */
    clientSecret: Type.Optional(Type.Union([Text, Type.Object({ secret: Type.String({ pattern: '^\\w+$' }) }, closed)])),
    /** Scopes of the sign-in, in addition to `openid`. @default none */
    scopes: Type.Optional(Type.Array(Type.String({ pattern: '^[!#-\\[\\]-~]+$' }))),
  },
  closed,
);

/** A client by which persons sign in at the issuer of this server. */
export type SignInOptions = Readonly<Static<typeof SignInSchema>>;

/** Options of `accounts()`. */
export const AccountsOptionsSchema = Type.Object(
  {
    /** The account that calls use, by the name of its provider, such as `{ gmail: 'work' }`. @default a caller's only account, else its account `default` */
    use: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: accountNamePattern }))),
    /**
     * A client at the issuer by which the HTTP server names callers (`issuers`). With it, the person who opens the link of such a caller signs in
     * there first, and must be the caller. @default none: the caller types a code where the server has several callers
     */
    signIn: Type.Optional(SignInSchema),
  },
  { additionalProperties: false },
);

export type AccountsOptions = Static<typeof AccountsOptionsSchema>;
