import type { ChildProcess } from 'node:child_process';
import { outOfDescriptors } from '../../../kernel/index.ts';

/**
 * Throws where no descriptor was left for the streams of a process: Node gives it without them, and its `error` event, which would end this
 * process if nobody heard it, comes in the next turn.
 */
export function requireStreams(child: ChildProcess): void {
  if ((child.stdio as unknown) !== undefined) return;
  child.once('error', () => {});
  throw outOfDescriptors(Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));
}
