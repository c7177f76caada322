import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, type ProgramStart, ToolkitError } from '../../kernel/index.ts';
import type { Mounts } from './mounts.ts';

/** Throws DEPENDENCY_MISSING for a program that does not exist, or that the sandbox does not show. */
export async function requireProgram({ program, env, cwd }: ProgramStart, mounts: Mounts): Promise<void> {
  const { default: which } = await import('which');
  const folders = (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.resolve(cwd, folder));
  const found = program.includes('/')
    ? path.resolve(cwd, program)
    : await which(program, { path: folders.join(path.delimiter), nothrow: true });
  const file = found === null ? undefined : await realpath(found).catch(() => undefined);
  const shown = excerpt(program, 100);
  if (found === null || file === undefined)
    throw new ToolkitError(
      'DEPENDENCY_MISSING',
      `The program "${shown}" is not installed or not on the PATH. Install it, then try again.`,
      { program },
    );
  if (mounts.isVisible(found) && mounts.isVisible(file)) return;
  const message = `The program "${shown}" is at "${excerpt(file)}", which the sandbox does not show. Add its folder to "readable" of sandbox-bwrap.`;
  throw new ToolkitError('DEPENDENCY_MISSING', message, { program, file });
}
