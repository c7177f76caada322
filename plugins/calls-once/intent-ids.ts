import { hash } from 'node:crypto';
import type { Call } from '../../kernel/index.ts';

/** Beginning of the `once` that earlier versions gave to the first effect of a durable call, before its id. */
const earlierPrefix = 'durable call 1 ';

/** Ids of the intent of a call. */
export interface IntentIds {
  /** Id of the name. A durable call has its id as name, so that it shares the intent of a call with that `once`. */
  readonly id: string;
  /** Id under which an earlier version stored the intent of a durable call with this name. */
  readonly earlierId: string;
  /** Digest of the `once` as it is sent, from which the value of an idempotency header follows. */
  readonly sentAs: string;
}

/** Returns the ids of the intent of a call. They include the caller, so that callers cannot share a name. */
export function intentIdsOf({ caller, once = '' }: Pick<Call, 'caller' | 'once'>): IntentIds {
  const idOf = (name: string): string => hash('sha256', JSON.stringify([caller, name]), 'hex');
  const name = once.startsWith(earlierPrefix) ? once.slice(earlierPrefix.length) : once;
  return { id: idOf(name), earlierId: idOf(earlierPrefix + name), sentAs: idOf(once) };
}
