import { type Call, type CallContext, excerpt, type Kernel, type Parameter, ToolkitError } from '../../../kernel/index.ts';
import { readStoredOutput } from '../../shared/kept-outputs/read-stored-output.ts';
import { invalidPathError } from '../confine.ts';
import { namesOutput, parseOutputReference, valueAt } from './output-reference.ts';
import { ParseError } from './parse-error.ts';
import { parseJsonValue } from './parse-json-value.ts';
import { parseTable } from './parse-table.ts';
import { readTextPieces } from './text-pieces.ts';
import { unreadableError } from './unreadable-error.ts';

/** Limit of a text that is read as a whole, in characters, where its parameter has no smaller `maxLength`. */
const maxTextCharacters = 32 * 1024 * 1024;

/** Limit of the JSON of a value, in characters. */
const maxJsonCharacters = 16 * 1024 * 1024;

interface Reference {
  readonly name: string;
  readonly by: string;
}

/**
 * Reads the value of one parameter (`from: path`) from the file or stored output that a call names in its place. The path was
 * confined, and is compared once more when it is opened. Throws INVALID_PARAMETERS for a value that is too long, NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function readReference({ name, by }: Reference, call: Call, context: CallContext, kernel: Kernel): Promise<unknown> {
  const parameter = call.tool.parameters[name] ?? {};
  const path = String(call.parameters[by]);
  const refuse = (message: string): ToolkitError => invalidPathError({ tool: call.tool, name: by }, message);
  if (namesOutput(path)) return readFromOutput(path, parameter, { context, kernel, refuse });
  const pieces = readTextPieces(path, context.signal);
  if (parameter.streamed === true) return pieces;
  const maxLength = maxLengthOf(parameter);
  // Two UTF-16 units for each character; characters are counted exactly later.
  const text = await joinWithin(pieces, isText(parameter) ? maxLength * 2 : maxLength);
  if (text === undefined)
    throw refuse(
      `"${excerpt(path, 100)}" has more than ${maxLength} characters, the most that "${name}" takes from a file. Give a smaller one, or a part of it`,
    );
  if (isText(parameter)) return text;
  const [, ending = ''] = /\.(jsonl|ndjson|csv|tsv)(?:\.gz)?$/i.exec(path) ?? [];
  return parseValue(text, parameter, path, ending.toLowerCase());
}

function isText({ type }: Parameter): boolean {
  return type === 'string';
}

function maxLengthOf(parameter: Parameter): number {
  const { maxLength } = parameter;
  if (!isText(parameter)) return maxJsonCharacters;
  return typeof maxLength === 'number' ? Math.min(maxLength, maxTextCharacters) : maxTextCharacters;
}

/** Joins the pieces; returns undefined for more than `maxUnits`, and reads no further. */
async function joinWithin(pieces: AsyncIterable<string>, maxUnits: number): Promise<string | undefined> {
  const parts: string[] = [];
  let units = 0;
  for await (const piece of pieces) {
    units += piece.length;
    if (units > maxUnits) return undefined;
    parts.push(piece);
  }
  return parts.join('');
}

interface OutputReading {
  readonly context: CallContext;
  readonly kernel: Kernel;
  readonly refuse: (message: string) => ToolkitError;
}

async function readFromOutput(uri: string, parameter: Parameter, { context, kernel, refuse }: OutputReading): Promise<unknown> {
  const reference = parseOutputReference(uri);
  if (reference === undefined)
    throw refuse(`expected output://<id>, or output://<id>#/member for a part of its JSON, received "${excerpt(uri)}"`);
  const text = await readStoredOutput(kernel, reference.id, context);
  if (text === undefined) throw noOutputError(reference.id);
  const { pointer } = reference;
  if (pointer === undefined && isText(parameter)) return parameter.streamed === true ? singlePiece(text) : text;
  const value = await parseValue(text, parameter, uri);
  const found = pointer === undefined ? value : valueAt(value, pointer);
  if (!isText(parameter)) return found;
  const part = typeof found === 'string' ? found : JSON.stringify(found);
  return parameter.streamed === true ? singlePiece(part) : part;
}

async function* singlePiece(text: string): AsyncGenerator<string, void> {
  if (text !== '') yield text;
}

async function parseValue(text: string, { type, tables }: Parameter, source: string, ending = ''): Promise<unknown> {
  const takesLines = type === undefined || [type].flat().includes('array');
  try {
    if (tables === true && (ending === 'csv' || ending === 'tsv')) return await parseTable(text, ending === 'tsv');
    return await parseJsonValue(text, { takesLines, isLines: ending === 'jsonl' || ending === 'ndjson' });
  } catch (error) {
    throw error instanceof ParseError ? unreadableError(error.message, source) : error;
  }
}

function noOutputError(id: string): ToolkitError {
  const message = `There is no output "${excerpt(id, 60)}": it was never kept for this caller, or its time is over. Make the call again.`;
  return new ToolkitError('NOT_FOUND', message);
}
