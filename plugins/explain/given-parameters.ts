import { readFile } from 'node:fs/promises';
import { isPlainObject, messageOf, ToolkitError } from '../../kernel/index.ts';

/** The parameters of `--args` or `--args-file`. Throws INVALID_PARAMETERS; the text itself is never repeated, it may hold secrets. */
export async function givenParameters(args: string | undefined, file: string | undefined): Promise<Record<string, unknown>> {
  if (args !== undefined && file !== undefined) throw invalid('--args', 'cannot stand beside --args-file. Keep one of the two');
  if (args !== undefined) return parse('--args', args);
  return file === undefined ? {} : parse('--args-file', await read(file));
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw invalid('--args-file', `names a file that cannot be read: ${messageOf(error)}`);
  }
}

function parse(flag: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid(flag, `is not JSON: expected an object such as {"text": "hello"}, received ${text.length} characters of something else`);
  }
  if (isPlainObject(value)) return value;
  throw invalid(flag, `expected a JSON object such as {"text": "hello"}, received ${Array.isArray(value) ? 'an array' : typeof value}`);
}

function invalid(flag: string, problem: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `${flag} ${problem}.`, { issues: [{ path: flag, message: problem }] });
}
