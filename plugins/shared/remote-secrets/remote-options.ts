import Type, { type Static, type TObject } from 'typebox';

/** Options that every remote store has. */
export const remoteOptions = {
  /** How long values, and the absence of a value, are remembered, in milliseconds. At least 1000. @default 300000 */
  ttlMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  /** Limit of one read, in milliseconds: what it takes to log in or to find credentials, redirects and repetitions included. @default 5000 */
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  /** What a failure does: `fail` ends the call, `skip` warns and asks the next resolver. @default 'fail' */
  onError: Type.Optional(Type.Enum(['fail', 'skip'])),
} as const;

export type RemoteOptions = Static<TObject<typeof remoteOptions>>;
