import type { ProcessKind } from './open-code.ts';

/**
 * Writes the compiled code for later processes. Does nothing when sources run: the build replaces this module by one that opens the script it has
 * written.
 */
export async function keepCode(_by: ProcessKind): Promise<void> {}

/** Returns the code compiled so far, for the build; undefined when sources run. */
export function compiledCode(): Buffer | undefined {
  return undefined;
}
