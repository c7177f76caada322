import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { describeValue, isPlainObject, readJson, ToolkitError } from '../../../kernel/index.ts';
import { jsonProblem } from '../../shared/text/json-problem.ts';
import { notUtf8, strictUtf8 } from '../../shared/text/utf8.ts';

/**
 * Parses the JSON object in the value of a flag. Throws INVALID_PARAMETERS with the position of the mistake, without repeating the text,
 * which may hold secrets.
 */
export async function parseJsonObject(flag: string, text: string): Promise<Record<string, unknown>> {
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = readJson(json);
  } catch {
    throw wrong(flag, `is not JSON: ${await findJsonMistake(json)}. Expected an object such as {"text": "hello"}`);
  }
  if (isPlainObject(value)) return value;
  throw wrong(flag, `expected a JSON object such as {"text": "hello"}, received ${kindOf(value)}`);
}

/** Reads and parses a JSON object from a file. */
export async function readJsonFile(flag: string, file: string): Promise<Record<string, unknown>> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw wrong(flag, `names a file that cannot be read: ${reasons[error.code ?? ''] ?? 'reading it failed'} (${error.code}). Correct it`);
  });
  return parseJsonObject(flag, decodeUtf8(flag, bytes));
}

/** Reads a stream to its end and parses it as a JSON object. */
export async function readJsonStream(flag: string, stream: Readable): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk as Buffer | string));
  return parseJsonObject(flag, decodeUtf8(flag, Buffer.concat(chunks)));
}

/** Describes the first JSON mistake with its line and column (1-based). */
export async function findJsonMistake(text: string): Promise<string> {
  if (text.trim() === '') return 'it is empty';
  const { visit } = await import('jsonc-parser');
  let first: { code: number; offset: number } | undefined;
  const onError = (code: number, offset: number): void => {
    first ??= { code, offset };
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch {
    return 'it is nested too deeply';
  }
  if (first === undefined) return 'it cannot be read';
  const lines = text.slice(0, first.offset).split(/\r\n|\n|\r/);
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}: ${jsonProblem(first.code)}`;
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
  ENOTDIR: 'a part of its path is not a folder',
};

function decodeUtf8(flag: string, bytes: Buffer): string {
  const text = strictUtf8(bytes);
  if (text === undefined) throw wrong(flag, `is not JSON in UTF-8: ${notUtf8(bytes)}`);
  return text;
}

function kindOf(value: unknown): string {
  return typeof value === 'object' ? describeValue(value) : `a ${typeof value}`;
}

function wrong(flag: string, problem: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `${flag} ${problem}.`, { issues: [{ path: flag, message: problem }] });
}
