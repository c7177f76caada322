import { setImmediate } from 'node:timers/promises';
import type { Terminal } from '../../../kernel/index.ts';

type KeyboardInput = Terminal['input'] & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/**
 * Throws away what was typed, or pasted, before a question is there to be read: it must not be the answer. Nothing where the input is no
 * terminal.
 */
export async function discardTypedInput(terminalInput: Terminal['input']): Promise<void> {
  const input: KeyboardInput = terminalInput;
  if (input.isTTY !== true) return;
  const forget = (): void => {};
  // Else only whole lines can be read.
  input.setRawMode?.(true);
  // A question that was answered before has paused it.
  input.on('data', forget).resume();
  // What waits is read between two of these.
  await setImmediate();
  await setImmediate();
  input.off('data', forget);
  input.pause();
  input.setRawMode?.(false);
}
