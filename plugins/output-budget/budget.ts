import type { StoredOutputs } from './stored-outputs.ts';

/** The options of the plugin, and the stored outputs. */
export interface Budget {
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly retentionMs: number;
  readonly storedOutputs: StoredOutputs;
}

/**
 * Returns the characters of compact JSON that a tool may return. The rest is for a note, and for the text that a tool that
 * calls others adds.
 */
export function outputRoom({ maxCharacters }: Pick<Budget, 'maxCharacters'>): number {
  return maxCharacters - Math.min(1000, Math.floor(maxCharacters / 4));
}
