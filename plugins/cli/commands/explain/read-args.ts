import { ToolkitError } from '../../../../kernel/index.ts';
import { parseJsonObject, readJsonFile } from '../../parameters/json-object.ts';

/** Reads the parameters of `--args` or `--args-file`. Throws INVALID_PARAMETERS without repeating the text, which may hold secrets. */
export async function readArgs(args: string | undefined, file: string | undefined): Promise<Record<string, unknown>> {
  if (args !== undefined && file !== undefined) {
    const problem = 'cannot be combined with --args-file. Keep one of the two';
    throw new ToolkitError('INVALID_PARAMETERS', `--args ${problem}.`, { issues: [{ path: '--args', message: problem }] });
  }
  if (args !== undefined) return parseJsonObject('--args', args);
  return file === undefined ? {} : readJsonFile('--args-file', file);
}
