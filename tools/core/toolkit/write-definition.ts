import { rm } from 'node:fs/promises';
import nodePath from 'node:path';
import { ToolkitError } from '../../../kernel/index.ts';
import { statIfThere } from '../fs/files/stat-if-there.ts';
import { writeFile } from '../fs/writing/write.ts';

/** A file that belongs to a tool. The name has no folder. */
export interface DefinitionFile {
  readonly name: string;
  readonly content: string;
}

/** Writes the files of a tool in this order, or none of them. No other code of a tool writes into a folder of tools. */
export async function writeDefinition(directory: string, files: readonly DefinitionFile[], overwrite: boolean): Promise<void> {
  refuseTwins(files);
  const written: string[] = [];
  for (const { name } of files) if (!overwrite) await refuseExisting(nodePath.join(directory, name));
  try {
    for (const { name, content } of files) {
      const path = nodePath.join(directory, name);
      const { created } = await writeFile({ path, content, encoding: 'utf8', create_directories: true, overwrite });
      if (created) written.push(path);
    }
  } catch (error) {
    await Promise.all(written.map((path) => rm(path, { force: true })));
    throw error;
  }
}

/** Refuses names that differ in case only: on some file systems the second file would replace the first. */
function refuseTwins(files: readonly DefinitionFile[]): void {
  const names = files.map(({ name }) => name.toLowerCase());
  const twin = files.find(({ name }, index) => names.indexOf(name.toLowerCase()) !== index);
  if (twin === undefined) return;
  const message = `two files have the name "${twin.name}". Give each its own`;
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "files": ${message}.`, { issues: [{ path: 'files', message }] });
}

async function refuseExisting(path: string): Promise<void> {
  if ((await statIfThere(path)) === undefined) return;
  throw new ToolkitError('EXECUTION_FAILED', `"${path}" exists already and nothing was written. Set overwrite to true to replace it.`, {
    file: path,
  });
}
