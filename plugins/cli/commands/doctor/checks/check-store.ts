import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Kernel, messageOf, type StateStore } from '../../../../../kernel/index.ts';
import { keyVariables } from '../../../../shared/keys/key-variables.ts';
import type { Finding } from './finding.ts';

/** Time limit for the store, in milliseconds: longer than the limit for connecting to it. */
const timeoutMs = 15_000;

const check = 'Store';

/** Reports whether the configured store can be used with this process's key. Empty without a store. */
export async function checkStore(
  kernel: Pick<Kernel, 'plugins'>,
  state: StateStore | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding[]> {
  if (state?.isShared !== true) return [];
  const name = kernel.plugins.find((plugin) => plugin.name.startsWith('store-'))?.name ?? 'the store';
  const startedAt = performance.now();
  try {
    await Promise.race([roundTrip(state), rejectAfterTimeout()]);
  } catch (error) {
    const hint = 'Until it can be used, what depends on it is refused (STATE_UNAVAILABLE), and /ready answers 503.';
    return [{ check, state: 'problem', message: `${name}: ${messageOf(error).replace(/\.$/, '')}`, hint }];
  }
  const durationMs = Math.ceil(performance.now() - startedAt);
  const message = `${name}: opened, written, read and deleted in ${durationMs} ms; the versions of its tables and its key match this program`;
  if (name !== 'store-postgres' || (env[keyVariables.current] ?? '').trim() !== '') return [{ check, state: 'ok', message }];
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
