import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { IdentityPart } from '../../../kernel/index.ts';
import { programState } from '../code/file-state.ts';

export interface ProgramPlace {
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

/** The program that would be started: its file, links followed, and what that file is at this moment. */
export async function findProgram(program: string, place: ProgramPlace): Promise<IdentityPart> {
  const found = await fileOf(program, place);
  if (found === undefined) return { shown: program, state: 'missing' };
  const file = await realpath(found).catch(() => found);
  return { shown: file, state: await programState(file) };
}

/** As the system looks for it (POSIX, exec): a name on the PATH, where relative folders start at the working directory as paths do. */
async function fileOf(program: string, { env, cwd }: ProgramPlace): Promise<string | undefined> {
  if (program.includes('/') || program.includes(path.sep)) return path.resolve(cwd, program);
  const { default: which } = await import('which');
  const folders = (env['PATH'] ?? '').split(path.delimiter).map((folder) => path.resolve(cwd, folder));
  return (await which(program, { path: folders.join(path.delimiter), nothrow: true })) ?? undefined;
}
