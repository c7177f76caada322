import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Logger } from '../../kernel/index.ts';

/** A failure of code that a call left running. */
export interface Stray {
  readonly file: string;
  readonly error: string;
}

/** Logs the failures that threads report on the channel of this name, after the calls that caused them had ended. */
export function listenForStrays(logger: Logger): { readonly name: string; close(): void } {
  const channel = new BroadcastChannel(`toolkit-threads-${randomUUID()}`);
  channel.onmessage = (event) => logger.warn('a function failed after its call had ended', { ...(event as { data: Stray }).data });
  channel.unref();
  return { name: channel.name, close: () => channel.close() };
}
