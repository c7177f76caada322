import Type, { type Static, type TObject } from 'typebox';

/** Options that every engine of durable calls has. */
export const engineOptions = {
  /** Durable calls that this process makes at the same time; 0: it submits them, and others make them. @default 4 */
  concurrency: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** How long a call is kept after its end, in milliseconds. @default 604800000: a week */
  keepMs: Type.Optional(Type.Integer({ minimum: 1000 })),
  /** Calls of one caller that have not ended, those that wait for a person too; more are refused (RATE_LIMITED). @default 10000 */
  maxCalls: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Of a call with its parameters, and of its result, in bytes of JSON. @default 1048576 */
  maxBytes: Type.Optional(Type.Integer({ minimum: 1000, maximum: 4_000_000 })),
  /** How often a call is made that is refused for now (rate limit, open circuit, a store that is away) or whose process died. @default 10 */
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1 })),
} as const;

export type EngineOptions = Required<Static<TObject<typeof engineOptions>>>;

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Options as they hold. */
export function engineOptionsOf({
  concurrency = 4,
  keepMs = weekMs,
  maxCalls = 10_000,
  maxBytes = 1024 * 1024,
  maxAttempts = 10,
}: Static<TObject<typeof engineOptions>>): EngineOptions {
  return { concurrency, keepMs, maxCalls, maxBytes, maxAttempts };
}
