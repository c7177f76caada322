import { messageOf } from '../errors.ts';
import type { Origin } from './check-definition.ts';
import type { Problem } from './problem.ts';

/**
 * Runs the checks of one definition. Where one of them fails instead of saying what is wrong, that is a problem of this definition, and the others
 * are checked.
 */
export function attempt({ plugin, file }: Origin, problems: Problem[], check: () => void): void {
  try {
    check();
  } catch (error) {
    const message = `cannot be checked: ${messageOf(error)}. This is a fault of the program or of a plugin: report it with this definition`;
    problems.push({ severity: 'error', code: 'TOOL_INVALID', plugin, message, ...(file === undefined ? {} : { file }) });
  }
}
