import type { KeptOutputs } from './kept-outputs.ts';

/** The options of the plugin, and the stored outputs. */
export interface Budget {
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly keepMs: number;
  readonly kept: KeptOutputs;
}

/**
 * Returns the characters of compact JSON that a tool may return. The rest is for a note, and for the text that a tool that
 * calls others adds.
 */
export function roomOf({ maxCharacters }: Pick<Budget, 'maxCharacters'>): number {
  return maxCharacters - Math.min(1000, Math.floor(maxCharacters / 4));
}
