import { readFile, writeFile } from 'node:fs/promises';
import { type CommandInvocation, type Registry, ToolkitError } from '../../../../kernel/index.ts';
import { displayPath } from '../../../shared/terminal/display-path.ts';
import { toolCount } from '../../../shared/terminal/format-number.ts';
import type { TypesFile } from './types-file.ts';

/** Writes, checks or prints the types. Throws EXECUTION_FAILED for a file that is out of date or was not generated. */
export async function writeTypes({ flags, createKernel, write, note }: CommandInvocation, types: TypesFile, file: string): Promise<void> {
  const kernel = await createKernel();
  try {
    const { registry } = kernel;
    refuseBroken(registry);
    const tools = [...registry.tools.values()];
    const text = types.textOf(tools);
    if (flags['print'] === true) return write(text);
    const shown = displayPath(file, process.cwd());
    const former = await readText(file);
    if (flags['check'] === true) {
      if (former === text) return note(`${shown} is up to date.\n`);
      throw new ToolkitError(
        'EXECUTION_FAILED',
        `${shown} ${former === undefined ? 'is not there' : 'is out of date'}. Write it: toolkit types${flags['python'] === true ? ' --python' : ''} --out ${shown}`,
      );
    }
    if (former !== undefined && !former.startsWith(types.firstLine))
      throw new ToolkitError(
        'EXECUTION_FAILED',
        `${shown} was not written by this command, and is left alone. Name another file with --out.`,
      );
    await writeFile(file, text);
    write(`Written: ${shown}, with the types of ${toolCount(tools.length)}.\n`);
  } finally {
    await kernel.close();
  }
}

/** Throws TOOL_INVALID when a definition does not load: the file would lack its types without a sign of that. */
function refuseBroken({ problems }: Registry): void {
  const files = new Set(problems.filter(({ severity }) => severity === 'error').map(({ file = '' }) => file));
  if (files.size === 0) return;
  throw new ToolkitError(
    'TOOL_INVALID',
    `${files.size === 1 ? 'A definition does' : `${files.size} definitions do`} not load, and no types are written without what they define. "toolkit validate" says what is wrong with them.`,
  );
}

async function readText(file: string): Promise<string | undefined> {
  try {
    // Own text: types that were written by this command
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
