import type { CheckServices, Finding, Kernel, Tool } from '../../../kernel/index.ts';
import { count } from './count.ts';
import { readProgramVersion, type VersionCommand } from './program-version.ts';

/** A program that tools or plugins start. */
export interface NeededProgram extends VersionCommand {
  readonly check: string;
  /** The users of the program, such as `3 tools in Python`; undefined when nothing needs it. */
  readonly neededBy: string | undefined;
  /** Next step when the program is missing. */
  readonly install: string;
}

/** Time limit for a program that prints its version, in milliseconds. */
const versionTimeoutMs = 5000;

/** Reports the version of a program, or that it is missing: a warning when something needs it. */
export async function checkProgram(
  { check, neededBy: user, install, ...question }: NeededProgram,
  { env }: Pick<CheckServices, 'env'>,
): Promise<Finding> {
  const found = await readProgramVersion(question, { env, timeoutMs: versionTimeoutMs, cwd: existingFolder() });
  const { program } = question;
  if (found.type === 'found') return { check, state: 'ok', message: `${program} ${found.version}` };
  const what = found.type === 'missing' ? `${program} is not on the PATH` : `${program} ${found.message}`;
  if (user === undefined) return { check, state: 'ok', message: `${what}; nothing here needs it` };
  return {
    check,
    state: 'warning',
    message: `${what}; ${user} need${user.startsWith('1 ') || user.startsWith('the ') ? 's' : ''} it`,
    hint: install,
  };
}

/** Returns the number of tools that need a program, such as `3 tools in Python`; undefined when there are none. */
export function neededBy(kernel: Kernel | undefined, kind: string, needs: (tool: Tool) => boolean): string | undefined {
  const number = [...(kernel?.registry.tools.values() ?? [])].filter(needs).length;
  return number === 0 ? undefined : `${count(number, 'tool')} ${kind}`;
}

/** Returns a folder in which a program can start: the root folder when the working directory was removed. */
function existingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
