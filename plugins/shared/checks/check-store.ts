import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type CheckServices, type Finding, messageOf, type StateStore } from '../../../kernel/index.ts';
import { keyVariables } from '../keys/key-variables.ts';

/** Time limit for the store, in milliseconds: longer than the limit for connecting to it. */
const timeoutMs = 15_000;

const check = 'Store';

/** Reports problems of the configured store with this process's key. Empty without a store. `plugin`: the one that provides it. */
export async function checkStore(plugin: string, { state, env }: Pick<CheckServices, 'state' | 'env'>): Promise<readonly Finding[]> {
  if (state?.isShared !== true) return [];
  const startedAt = performance.now();
  try {
    await Promise.race([roundTrip(state), rejectAfterTimeout()]);
  } catch (error) {
    const hint = 'Until it can be used, what depends on it is refused (STATE_UNAVAILABLE), and /ready answers 503.';
    return [{ check, state: 'problem', message: `${plugin}: ${messageOf(error).replace(/\.$/, '')}`, hint }];
  }
  const durationMs = Math.ceil(performance.now() - startedAt);
  const message = `${plugin}: opened, written, read and deleted in ${durationMs} ms; the versions of its tables and its key match this program`;
  // Processes of other machines need the same key.
  if (state.spansMachines !== true || (env[keyVariables.current] ?? '').trim() !== '') return [{ check, state: 'ok', message }];
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
