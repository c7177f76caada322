import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { IdentityPart } from '../../../kernel/index.ts';
import { programState } from '../code/file-state.ts';

export interface ProgramLocation {
  /** The complete environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path. */
  readonly cwd: string;
}

/** Finds the program that would be started: its real path, and the current state of that file. */
export async function findProgram(program: string, location: ProgramLocation): Promise<IdentityPart> {
  const found = await fileOf(program, location);
  if (found === undefined) return { shown: program, state: 'missing' };
  const file = await realpath(found).catch(() => found);
  return { shown: file, state: await programState(file) };
}

/** Searches as the system does (POSIX, exec): a name on the PATH, whose relative folders start at the working directory. */
async function fileOf(program: string, { env, cwd }: ProgramLocation): Promise<string | undefined> {
  if (program.includes('/') || program.includes(path.sep)) return path.resolve(cwd, program);
  const { default: which } = await import('which');
  const folders = (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.resolve(cwd, folder));
  return (await which(program, { path: folders.join(path.delimiter), nothrow: true })) ?? undefined;
}
