import Type, { type Static, type TObject } from 'typebox';

/** Options of every remote store. */
export const remoteOptions = {
  /** Time to live of values, and of the absence of a value, in milliseconds. At least 1000. @default 300000 */
  ttlMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  /** Timeout of one read in milliseconds, including login, finding credentials, redirects and retries. @default 5000 */
  timeoutMs: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  /** Effect of a failure: `fail` ends the call, `skip` warns and asks the next resolver. @default 'fail' */
  onError: Type.Optional(Type.Enum(['fail', 'skip'])),
} as const;

export type RemoteOptions = Static<TObject<typeof remoteOptions>>;
