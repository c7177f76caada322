import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Logger } from '../../kernel/index.ts';

/** A failure of code that a call left running. */
export interface LateError {
  readonly file: string;
  readonly error: string;
}

/** Logs the failures that threads report on the channel of this name, after the calls that caused them had ended. */
export function logLateErrors(logger: Logger): { readonly name: string; close(): void } {
  const channel = new BroadcastChannel(`toolkit-threads-${randomUUID()}`);
  channel.onmessage = (event) => logger.warn('a function failed after its call had ended', { ...(event as { data: LateError }).data });
  channel.unref();
  return { name: channel.name, close: () => channel.close() };
}
