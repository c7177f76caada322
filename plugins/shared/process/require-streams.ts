import type { ChildProcess } from 'node:child_process';
import { outOfDescriptorsError } from '../../../kernel/index.ts';

/**
 * Throws when no descriptor was left for the streams of a process. Node returns such a process without streams. Its `error` event comes in
 * the next tick, and would end this process without a listener.
 */
export function requireStreams(child: ChildProcess): void {
  if ((child.stdio as unknown) !== undefined) return;
  child.once('error', () => {});
  throw outOfDescriptorsError(Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));
}
