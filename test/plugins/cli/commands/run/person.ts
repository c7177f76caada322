import { PassThrough } from 'node:stream';
import type { Terminal } from '../../../../../kernel/index.ts';
import { noTerminal } from '../../../../support/invocation.ts';

/** A person who types the keys of each pair once its text is shown, in order. */
export function person(...replies: readonly (readonly [string, string])[]): Terminal & { shown(): string } {
  const input = new PassThrough();
  const error = new PassThrough({ encoding: 'utf8' });
  const left = [...replies];
  let shown = '';
  error.on('data', (text: string) => {
    shown += text;
    const [next] = left;
    if (next === undefined || !shown.includes(next[0])) return;
    left.shift();
    shown = '';
    setImmediate(() => input.write(next[1]));
  });
  return { ...noTerminal, isInteractive: true, input, error, shown: () => shown };
}
