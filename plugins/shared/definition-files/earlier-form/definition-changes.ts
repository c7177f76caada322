import { isPlainObject } from '../../../../kernel/index.ts';
import type { Change } from './change.ts';
import { providerChanges } from './provider-changes.ts';
import { toolChanges } from './tool-changes.ts';

/**
 * Returns the changes that turn a definition of the system in the specification into its current form. Such definitions load unchanged;
 * `toolkit migrate` shows the same changes for a file. Empty for a definition in the current form.
 */
export function definitionChanges(written: unknown): readonly Change[] {
  if (!isPlainObject(written)) return [];
  return 'execution' in written ? toolChanges(written) : providerChanges(written);
}
