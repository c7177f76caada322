import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { checkValue, type Kernel, messageOf, type Tool, ToolkitError } from '../../../../../kernel/index.ts';
import { displayPath } from '../../../../shared/terminal/display-path.ts';
import { readTextIfThere } from '../../../../shared/text/read-text.ts';
import { type Cassette, CassetteSchema } from './cassette.ts';

/**
 * Returns the path of a tool's cassette: next to its definition, for a tool of a source in `cassettes/<source>` of the working directory. Undefined for
 * any other tool that was not read from a file.
 */
export function cassetteFile({ name, origin: { directory, source } }: Pick<Tool, 'name' | 'origin'>): string | undefined {
  const folder = source === undefined ? directory : path.resolve('cassettes', source.name);
  return folder === undefined ? undefined : path.join(folder, `${name}.cassette.json`);
}

/** Reads a cassette; undefined when there is none. Throws TOOL_INVALID for a file that is not a cassette of this tool. */
export async function readCassette(tool: Tool): Promise<Cassette | undefined> {
  const file = cassetteFile(tool);
  const text = file === undefined ? undefined : await readTextIfThere(file);
  if (file === undefined || text === undefined) return undefined;
  const refuse = (problem: string): never => {
    throw new ToolkitError(
      'TOOL_INVALID',
      `${displayPath(file, process.cwd())} ${problem}. Correct it, or delete it and record anew: toolkit test ${tool.name} --record`,
      { tool: tool.name },
    );
  };
  let value: unknown;
  try {
    // Own text: a cassette, in which integers are texts already.
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`is not JSON: ${messageOf(error)}`);
  }
  const issues = checkValue(CassetteSchema, value);
  if (issues.length > 0) refuse(`is no cassette: ${issues.map((issue) => `${issue.path} ${issue.message}`).join('; ')}`);
  const cassette = value as Cassette;
  if (cassette.tool !== tool.name) refuse(`is a cassette of "${cassette.tool}"`);
  return cassette;
}

/** Writes a cassette and returns its path. Throws POLICY_DENIED, and writes nothing, when it contains a secret that this kernel knows. */
export async function writeCassette(tool: Tool, cassette: Cassette, kernel: Pick<Kernel, 'mask'>): Promise<string> {
  const file = cassetteFile(tool);
  if (file === undefined)
    throw new ToolkitError('EXECUTION_FAILED', `"${tool.name}" was not read from a file, so there is no place beside it for a cassette.`, {
      tool: tool.name,
    });
  const text = `${JSON.stringify(cassette, null, 2)}\n`;
  if (kernel.mask(text) !== text)
    throw new ToolkitError(
      'POLICY_DENIED',
      `The cassette of "${tool.name}" would hold the value of a secret, and was not written. Look whether a parameter of an example, or a file, holds it.`,
      { tool: tool.name },
    );
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
  return file;
}
