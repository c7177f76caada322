import type { Work } from './open-code.ts';

/**
 * Leaves the compiled code to the processes that come. Sources are compiled by others: the build puts in place of this module one that opens
 * the script that it has written.
 */
export async function keepCode(_by: Work): Promise<void> {}

/** What is compiled by now, for the build; undefined where sources run. */
export function compiledCode(): Buffer | undefined {
  return undefined;
}
