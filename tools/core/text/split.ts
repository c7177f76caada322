import { ToolkitError } from '../../../kernel/index.ts';
import { chunksOf } from './chunks.ts';
import { compileRegex } from './compile-regex.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { matchesOf } from './matches.ts';
import { OutputSize } from './output-size.ts';

interface SplitParameters {
  readonly text: string;
  readonly separator?: string;
  /** True when the separator is a regular expression. */
  readonly regex: boolean;
  /** Length in code points, like `overlap`. */
  readonly chunk_size?: number;
  readonly overlap?: number;
}

const maxParts = 100_000;

/** Divides a text at a separator or into chunks. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. */
export function split(parameters: SplitParameters): { parts: readonly string[] } {
  checkTogether(parameters);
  const size = new OutputSize('Give a part of the text, or lower overlap.');
  const parts: string[] = [];
  for (const part of partsOf(parameters)) {
    if (parts.length === maxParts) throw tooManyParts();
    size.add(part.length);
    parts.push(part);
  }
  return { parts };
}

function partsOf({ text, separator, regex, chunk_size, overlap = 0 }: SplitParameters): Iterable<string> {
  if (separator === undefined) return chunksOf(text, { size: chunk_size ?? 1, overlap });
  return regex ? partsBetween(text, separator) : text.split(separator);
}

/** Splits like `String.prototype.split`, but without the text of groups. An empty match splits only between two characters. */
function* partsBetween(text: string, separator: string): Generator<string> {
  let start = 0;
  for (const { 0: found, index } of matchesOf(text, pattern(separator))) {
    if (found === '' && (index === start || index === text.length)) continue;
    yield text.slice(start, index);
    start = index + found.length;
  }
  yield text.slice(start);
}

function pattern(separator: string): RegExp {
  try {
    return compileRegex({ pattern: separator });
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    throw invalidParameter('separator', (error.details.issues?.[0]?.message ?? error.message).replace(/\.$/, ''));
  }
}

function checkTogether({ separator, regex, chunk_size, overlap }: SplitParameters): void {
  if ((separator === undefined) === (chunk_size === undefined)) {
    const received = separator === undefined ? 'neither' : 'both';
    throw invalidParameter('separator', `expected either "separator" or "chunk_size", received ${received}. Give one of them`);
  }
  if (regex && separator === undefined)
    throw invalidParameter('regex', 'expected a "separator" with it, received "chunk_size". Leave "regex" out');
  if (overlap === undefined) return;
  if (chunk_size === undefined)
    throw invalidParameter('overlap', 'expected "chunk_size" with it, received "separator". Leave "overlap" out');
  if (overlap >= chunk_size)
    throw invalidParameter('overlap', `expected less than "chunk_size" (${chunk_size}), received ${overlap}. Lower it`);
}

function tooManyParts(): ToolkitError {
  const message = `The text has more than ${maxParts} parts. Split at something rarer, raise chunk_size, or give a part of the text.`;
  return new ToolkitError('OUTPUT_TOO_LARGE', message, { maxParts });
}
