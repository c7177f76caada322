import Type, { type Static } from 'typebox';

/** Pattern of an account's name, such as `work` or `ada@example.com`. */
export const accountNamePattern = '^[\\w.@+-]{1,100}$';

/** Options of `accounts()`. */
export const AccountsOptionsSchema = Type.Object(
  {
    /** The account that calls use, by the name of its provider, such as `{ gmail: 'work' }`. @default a caller's only account, else its account `default` */
    use: Type.Optional(Type.Record(Type.String(), Type.String({ pattern: accountNamePattern }))),
  },
  { additionalProperties: false },
);

export type AccountsOptions = Static<typeof AccountsOptionsSchema>;
