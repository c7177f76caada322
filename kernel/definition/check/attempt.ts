import { messageOf } from '../../errors.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';

/** Runs the checks of one definition. If a check throws, that becomes a problem of this definition, and the other definitions are still checked. */
export function attempt({ plugin, file }: Origin, problems: Problem[], check: () => void): void {
  try {
    check();
  } catch (error) {
    const message = `cannot be checked: ${messageOf(error)}. This is a fault of the program or of a plugin: report it with this definition`;
    problems.push({ severity: 'error', code: 'TOOL_INVALID', plugin, message, ...(file === undefined ? {} : { file }) });
  }
}
