import type { KeptOutputs } from './kept-outputs.ts';

/** The options of the plugin, and what they make of them. */
export interface Budget {
  readonly maxCharacters: number;
  readonly maxBytes: number;
  readonly keepMs: number;
  readonly kept: KeptOutputs;
}

/** Returns the characters of compact JSON that a tool may give: beside them are a note, and what a tool that calls others puts around. */
export function roomOf({ maxCharacters }: Pick<Budget, 'maxCharacters'>): number {
  return maxCharacters - Math.min(1000, Math.floor(maxCharacters / 4));
}
