import type { RemoteStore, StoredValues } from './remote-store.ts';
import { unlessAborted } from './unless-aborted.ts';

/**
 * Reads a store once, with a timeout in milliseconds. Throws what the read throws, the store's own timeout error, or the reason of the
 * signal.
 */
export async function readWithTimeout(store: RemoteStore, timeoutMs: number, signal: AbortSignal): Promise<StoredValues> {
  signal.throwIfAborted();
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const within = AbortSignal.any([signal, limit.signal]);
  try {
    return await unlessAborted(store.read(within), within);
  } catch (error) {
    throw limit.signal.aborted ? store.createTimeoutError(timeoutMs) : error;
  } finally {
    clearTimeout(timer);
  }
}
