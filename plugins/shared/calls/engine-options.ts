import Type, { type Static, type TObject } from 'typebox';

/** Options that every engine of durable calls has. */
export const engineOptions = {
  /** Maximum durable calls that this process runs at the same time. 0: it only submits calls, and other processes run them. @default 4 */
  concurrency: Type.Optional(Type.Integer({ minimum: 0, maximum: 1000 })),
  /** Lifetime of a call after its end, in milliseconds. @default 604800000: a week */
  retentionMs: Type.Optional(Type.Integer({ minimum: 1000, mistaken_names: ['keepMs'] })),
  /** Maximum unfinished calls of one caller, calls that wait for a person included. More are refused (RATE_LIMITED). @default 10000 */
  maxCalls: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Maximum bytes of JSON of a call with its parameters, and of its result. @default 1048576 */
  maxBytes: Type.Optional(Type.Integer({ minimum: 1000, maximum: 4_000_000 })),
  /** Maximum attempts of a call that is refused for now (rate limit, open circuit, unavailable store) or whose process died. @default 10 */
  maxAttempts: Type.Optional(Type.Integer({ minimum: 1 })),
} as const;

export type EngineOptions = Required<Static<TObject<typeof engineOptions>>>;

const weekMs = 7 * 24 * 60 * 60 * 1000;

/** Fills in the defaults. */
export function engineOptionsOf({
  concurrency = 4,
  retentionMs = weekMs,
  maxCalls = 10_000,
  maxBytes = 1024 * 1024,
  maxAttempts = 10,
}: Static<TObject<typeof engineOptions>>): EngineOptions {
  return { concurrency, retentionMs, maxCalls, maxBytes, maxAttempts };
}
