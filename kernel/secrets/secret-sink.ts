import type { SecretLife } from './secret-life.ts';

export interface SecretSink {
  /** Names that no earlier resolver has provided. */
  readonly missing: readonly string[];
  /** True when a service refused the known values: ask the store itself, not a cache. */
  readonly isFresh: boolean;
  /** Provides a value. The first one of a name counts; an empty one counts as missing. `life`: its lifetime; a number is the time until it is stale, in milliseconds. */
  provide(name: string, value: string, life?: number | SecretLife): void;
}
