import { readFile } from 'node:fs/promises';
import { describeValue, excerpt, isPlainObject, messageOf, ToolkitError } from '../../../../../kernel/index.ts';
import { textOfFile } from '../../../../shared/text/utf8.ts';
import type { AcceptedToken } from './accepted-tokens.ts';

const maxBytes = 1024 * 1024;

const members: readonly string[] = ['name', 'token', 'sha256', 'operator'];

/**
 * Reads the tokens of a file, a list in YAML or JSON. `operator` defaults to false. Throws CONFIG_NOT_FOUND and CONFIG_INVALID; no
 * message quotes a token.
 */
export async function readTokensFile(file: string): Promise<readonly AcceptedToken[]> {
  const bytes = await readFile(file).catch((error: unknown) => {
    throw new ToolkitError('CONFIG_NOT_FOUND', `The file of tokens cannot be read: ${messageOf(error)}.`, {}, { cause: error });
  });
  if (bytes.length > maxBytes) throw invalid(file, `has ${bytes.length} bytes; at most ${maxBytes} are taken`);
  const list = await parsed(file, bytes);
  if (!Array.isArray(list)) throw invalid(file, 'is no list: expected entries such as "- { name: ann, token: … }"');
  return list.map((entry, index) => tokenIn(entry, (message) => invalid(file, `entry ${index + 1}: ${message}`)));
}

async function parsed(file: string, bytes: Uint8Array): Promise<unknown> {
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  try {
    const document = parseDocument(textOfFile(bytes, file), { prettyErrors: false, lineCounter: lines });
    const [problem] = document.errors;
    // Its message may quote the line, with the token in it.
    if (problem !== undefined) throw invalid(file, `is no YAML at line ${lines.linePos(problem.pos[0]).line} (${problem.code})`);
    return document.toJS({ maxAliasCount: 0 }) ?? [];
  } catch (error) {
    throw ToolkitError.is(error) ? error : invalid(file, 'cannot be read as YAML in UTF-8 without aliases');
  }
}

function tokenIn(entry: unknown, wrong: (message: string) => ToolkitError): AcceptedToken {
  if (!isPlainObject(entry)) throw wrong(`expected an object with "name" and "token" or "sha256", received ${typeof entry}`);
  const unknown = Object.keys(entry).find((key) => !members.includes(key));
  if (unknown === 'credentials') throw wrong('"credentials" are for "tokens" of the configuration');
  if (unknown !== undefined) throw wrong(`"${excerpt(unknown, 40)}" is not known here. Expected ${members.join(', ')}`);
  const { name, token, sha256, operator = false } = entry;
  if (typeof name !== 'string' || name === '') throw wrong(`"name" must be a text, received ${describeValue(name)}`);
  if (typeof operator !== 'boolean') throw wrong(`"operator" must be true or false, received ${describeValue(operator)}`);
  if ((token === undefined) === (sha256 === undefined)) throw wrong('expected either "token" or "sha256"');
  if (sha256 === undefined) {
    if (typeof token !== 'string' || token === '') throw wrong('"token" must be a text: write it in quotes');
    return { name, token, operator };
  }
  if (typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/i.test(sha256)) throw wrong('"sha256" must have 64 hexadecimal digits, in quotes');
  return { name, sha256: sha256.toLowerCase(), operator };
}

function invalid(file: string, message: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The file of tokens ${file} ${message}.`);
}
