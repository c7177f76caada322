/**
 * The hooks in the order of a call, each with the default time limit of its stage in milliseconds. The taps of those marked `ofCalls` run
 * in calls. A hook of `HookSignatures` that is missing here does not compile.
 */
const hooks = {
  discover: { timeoutMs: 60_000 },
  resolveSecrets: { timeoutMs: 30_000 },
  injectAuth: { timeoutMs: 10_000, ofCalls: true },
  beforeExecute: { timeoutMs: 30_000, ofCalls: true },
  approve: { timeoutMs: 300_000, ofCalls: true },
  execute: { timeoutMs: 60_000, ofCalls: true },
  validateOutput: { timeoutMs: 30_000, ofCalls: true },
  settled: { timeoutMs: 10_000, ofCalls: true },
  serve: { timeoutMs: 30_000 },
  dispose: { timeoutMs: 10_000 },
} satisfies Readonly<Record<string, { readonly timeoutMs: number; readonly ofCalls?: true }>>;

export type HookName = keyof typeof hooks;

/** The names of all hooks, in the order of a call. */
export const hookNames = Object.keys(hooks) as readonly HookName[];

/** The hooks whose taps run in calls, and may be limited to some of them (`appliesTo`, `onlyOnce`). */
export const hooksOfCalls: readonly HookName[] = hookNames.filter((name) => 'ofCalls' in hooks[name]);

/** Default time limits in milliseconds. `execute` is the limit of a tool without `timeout_ms`. */
export const defaultTimeoutsMs = Object.fromEntries(hookNames.map((name) => [name, hooks[name].timeoutMs])) as Readonly<
  Record<HookName, number>
>;

/** The signatures of hooks. Refused by the compiler when a signature has no name in `hookNames`. */
export type Listed<Signatures extends { readonly [Name in Exclude<keyof Signatures, HookName>]: never }> = Signatures;
