import { isPlainObject } from '../../../../kernel/index.ts';
import type { Change } from './change.ts';
import { providerChanges } from './provider-changes.ts';
import { toolChanges } from './tool-changes.ts';

/**
 * What a definition says in the words of the system that the specification describes: it loads unchanged all the same. `toolkit migrate` shows
 * the same changes for the file. None for a definition in our words.
 */
export function definitionChanges(written: unknown): readonly Change[] {
  if (!isPlainObject(written)) return [];
  return 'execution' in written ? toolChanges(written) : providerChanges(written);
}
