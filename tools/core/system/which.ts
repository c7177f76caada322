import path from 'node:path';
import { excerpt, ToolkitError } from '../../../kernel/index.ts';
import { minimalEnvironment } from '../../../plugins/shared/process/program.ts';

interface FoundProgram {
  readonly found: boolean;
  readonly path: string | null;
}

/** Finds a program on the PATH with which programs are started. Throws INVALID_PARAMETERS for anything but a plain name. */
export async function findProgram({ command }: { readonly command: string }): Promise<FoundProgram> {
  if (/[/\\:\0]/.test(command) || /^\.+$/.test(command) || command.trim() !== command) throw badName(command);
  const { default: which } = await import('which');
  const folders = foldersOf(minimalEnvironment()['PATH'] ?? '');
  const found = (await which(command, { path: folders.join(path.delimiter), all: true, nothrow: true })) ?? [];
  // On Windows the library also searches the working directory.
  const first = found.find((file) => folders.includes(path.dirname(file)));
  return { found: first !== undefined, path: first ?? null };
}

/** Returns the absolute folders of a PATH. Others are in the working directory, where any program may have been put. */
function foldersOf(searchPath: string): string[] {
  const folders = searchPath.split(path.delimiter).map((folder) => folder.replace(/^"(.*)"$/, '$1'));
  return folders.filter((folder) => path.isAbsolute(folder)).map((folder) => path.resolve(folder));
}

function badName(command: string): ToolkitError {
  const message = `expected the name of a program, without folder and surrounding spaces, received "${excerpt(command)}"`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "command": ${message}. For a file use fs_tree.`, {
    issues: [{ path: 'command', message }],
  });
}
