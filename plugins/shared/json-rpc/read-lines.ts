import type { Readable } from 'node:stream';
import { byteOrderMarkLength } from '../text/byte-order-mark.ts';
import type { LineGate } from './line-gate.ts';

/** Maximum lines handled before yielding to the event loop: all their answers may be ready at once. */
export const maxLinesPerTick = 32;

/**
 * Passes each line of the gate to `onLine`, without byte order mark. When `onLine` returns a promise, later lines wait for it. Returns a
 * function that ends this.
 */
export function readLines(input: Readable, gate: LineGate, onLine: (line: string) => Promise<void> | undefined): () => void {
  let taken = 0;
  const goOn = (): void => void gate.resume();
  gate.on('data', (line: Buffer) => {
    if (taken === 0) setImmediate(() => (taken = 0));
    taken++;
    const held = onLine(line.toString('utf8', byteOrderMarkLength(line)));
    if (held === undefined && taken < maxLinesPerTick) return;
    gate.pause();
    if (held === undefined) setImmediate(goOn);
    else void held.then(goOn, goOn);
  });
  input.pipe(gate);
  return () => void input.unpipe(gate).pause();
}
