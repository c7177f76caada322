import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { CheckServices, Finding } from '../../../kernel/index.ts';

/** Warns about configured folders without a definition, which are easily overlooked. Discovery itself reports a missing folder. */
export async function checkDefinitionFolders(
  option: string,
  folders: readonly string[],
  { kernel, cwd }: Pick<CheckServices, 'kernel' | 'cwd'>,
): Promise<readonly Finding[]> {
  if (kernel === undefined) return [];
  const { tools, providers, skills, problems } = kernel.registry;
  const origins = [tools, providers, skills].flatMap((things) => [...things.values()].map(({ origin }) => origin.file ?? ''));
  const files = [...origins, ...problems.map(({ file }) => file ?? '')];
  const idle = folders
    .map((folder) => path.resolve(cwd, folder))
    .filter((folder) => !files.some((file) => file === folder || file.startsWith(folder + path.sep)));
  return Promise.all(
    idle.map(async (folder) => ({
      check: 'Folder',
      state: 'warning' as const,
      message: `${folder} (${option}) ${(await isNotEmpty(folder)) ? 'holds no definition' : 'is empty'}`,
      hint: 'Write a tool there with "toolkit new tool", or take the folder out of the configuration.',
    })),
  );
}

async function isNotEmpty(folder: string): Promise<boolean> {
  try {
    return !(await stat(folder)).isDirectory() || (await readdir(folder)).length > 0;
  } catch {
    return false;
  }
}
