import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type CheckServices, type Finding, messageOf, type StateStore } from '../../../kernel/index.ts';
import { keyVariables } from '../keys/key-variables.ts';

/** Time limit for the store, in milliseconds: longer than the limit for connecting to it. */
const timeoutMs = 15_000;

const check = 'Store';

/** Facts about a store that its check needs. */
export interface CheckedStore {
  /** Plugin that provides the store. */
  readonly name: string;
  /** True when processes of other machines use the store, which therefore need the same key. */
  readonly isRemote: boolean;
}

/** Reports whether the configured store can be used with this process's key. Empty without a store. */
export async function checkStore(
  { name, isRemote }: CheckedStore,
  { state, env }: Pick<CheckServices, 'state' | 'env'>,
): Promise<readonly Finding[]> {
  if (state?.isShared !== true) return [];
  const startedAt = performance.now();
  try {
    await Promise.race([roundTrip(state), rejectAfterTimeout()]);
  } catch (error) {
    const hint = 'Until it can be used, what depends on it is refused (STATE_UNAVAILABLE), and /ready answers 503.';
    return [{ check, state: 'problem', message: `${name}: ${messageOf(error).replace(/\.$/, '')}`, hint }];
  }
  const durationMs = Math.ceil(performance.now() - startedAt);
  const message = `${name}: opened, written, read and deleted in ${durationMs} ms; the versions of its tables and its key match this program`;
  if (!isRemote || (env[keyVariables.current] ?? '').trim() !== '') return [{ check, state: 'ok', message }];
  return [
    {
      check,
      state: 'warning',
      message: `${message}, which only this account of this machine has`,
      hint: `Give all processes that use the store the same ${keyVariables.current}: the others are refused.`,
    },
  ];
}

async function roundTrip(state: StateStore): Promise<void> {
  const [key, value] = [`check/${randomUUID()}`, randomUUID()];
  await state.set(key, value, { ttlMs: timeoutMs });
  if ((await state.get(key)) !== value) throw new Error('what was written could not be read again');
  await state.delete(key);
}

async function rejectAfterTimeout(): Promise<never> {
  await setTimeout(timeoutMs, undefined, { ref: false });
  throw new Error(`no answer within ${timeoutMs / 1000} s`);
}
