import type { Readable } from 'node:stream';
import { byteOrderMarkLength } from '../text/byte-order-mark.ts';
import type { LineGate } from './line-gate.ts';

/** Lines that are taken before others get their turn: the answers to all of them may be there at once. */
export const maxInTurn = 32;

/**
 * Gives `take` the lines that come through the gate, each without a byte order mark before it. Where it gives a promise, the next ones wait for
 * it. Gives what ends this.
 */
export function takeLines(input: Readable, gate: LineGate, take: (line: string) => Promise<void> | undefined): () => void {
  let taken = 0;
  const goOn = (): void => void gate.resume();
  gate.on('data', (line: Buffer) => {
    if (taken === 0) setImmediate(() => (taken = 0));
    taken++;
    const held = take(line.toString('utf8', byteOrderMarkLength(line)));
    if (held === undefined && taken < maxInTurn) return;
    gate.pause();
    if (held === undefined) setImmediate(goOn);
    else void held.then(goOn, goOn);
  });
  input.pipe(gate);
  return () => void input.unpipe(gate).pause();
}
