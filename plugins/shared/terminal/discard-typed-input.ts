import { setImmediate } from 'node:timers/promises';
import type { Terminal } from '../../../kernel/index.ts';

type KeyboardInput = Terminal['input'] & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };

/**
 * Discards input that was typed or pasted before a question was shown: it must not answer the question. Does nothing when the input is no
 * terminal.
 */
export async function discardTypedInput(terminalInput: Terminal['input']): Promise<void> {
  const input: KeyboardInput = terminalInput;
  if (input.isTTY !== true) return;
  const forget = (): void => {};
  // Otherwise the terminal delivers only whole lines.
  input.setRawMode?.(true);
  // An earlier question has paused the input.
  input.on('data', forget).resume();
  // Buffered input is read between these two.
  await setImmediate();
  await setImmediate();
  input.off('data', forget);
  input.pause();
  input.setRawMode?.(false);
}
