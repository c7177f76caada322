import type { StateChange } from '../../../kernel/index.ts';
import { codePrefix, liveKey, ownerKey, unconfirmedPrefix } from './connect-keys.ts';
import { isEnded, type PendingConnect } from './pending-connect.ts';

/** Life of a link, and of a code. */
export const linkTtlMs = 10 * 60_000;

/** A record outlives its link: calls that wait read how it ended. */
export const recordTtlMs = 2 * linkTtlMs;

/** Returns the entry by which a caller's codes are found; with ten more minutes for a new code. */
export function codeChanges(digest: string, before: PendingConnect, after: PendingConnect): readonly StateChange[] {
  const key = `${codePrefix(after.owner)}${digest}`;
  const had = before.stage.kind === 'code';
  const has = after.stage.kind === 'code';
  if (had === has) return [];
  const unconfirmed = `${unconfirmedPrefix}${digest}`;
  if (!has) return [key, unconfirmed].map((ended) => ({ key: ended, value: undefined }));
  return [
    { key, value: '1', ttlMs: linkTtlMs },
    { key: unconfirmed, value: '1', ttlMs: recordTtlMs },
    { key: liveKey(digest), value: '1', ttlMs: linkTtlMs },
  ];
}

/** Returns the changes of a connect that ends. A login that waited for its code may have been followed by another link of its owner. */
export function endChanges(digest: string, before: PendingConnect, after: PendingConnect): readonly StateChange[] {
  if (!isEnded(after)) return [];
  const live = { key: liveKey(digest), value: undefined };
  return before.stage.kind === 'code' ? [live] : [live, { key: ownerKey(after.owner), value: undefined }];
}
