import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { OutputRoom } from '../../../../plugins/shared/output-room/output-room.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { fileError } from '../files/file-error.ts';
import { openFile } from '../files/open-file.ts';
import { isBinary } from '../files/text-file.ts';
import { type KeptLine, LineCollector } from './line-collector.ts';

interface ReadLinesParameters {
  readonly path: string;
  /** First line, from 1; `end` is inclusive. */
  readonly start: number;
  readonly end?: number;
  /** Column in the first line, in UTF-16 units, from 1. */
  readonly column?: number;
}

interface ReadLinesResult {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly total_lines: number;
  readonly truncated: boolean;
  readonly next_start?: number;
  readonly next_column?: number;
  readonly cut?: readonly number[];
}

const chunkBytes = 262_144;
const progressEveryBytes = 134_217_728;

/**
 * Returns a range of lines of a UTF-8 text file. Memory: the lines of the result and one chunk. Throws INVALID_PARAMETERS,
 * NOT_FOUND, EXECUTION_FAILED.
 */
export async function readLines({ path, start, end, column = 1 }: ReadLinesParameters, context: FunctionContext): Promise<ReadLinesResult> {
  if (end !== undefined && end < start) throw wrongRange(start, end);
  const { budget } = context.output;
  // A character of JSON is at most three bytes of a file.
  const maxLineBytes = budget === undefined ? shownBytes : 3 * budget + 4;
  const collector = new LineCollector({ start, end: end ?? Number.POSITIVE_INFINITY, column, maxLineBytes });
  await scan(path, collector, context);
  const total = collector.totalLines;
  const { texts, cut, nextColumn } =
    budget === undefined ? cutLines(collector, start, path) : wholeLines(collector, { start, column, path, total, budget });
  const last = start + texts.length - 1;
  const next = nextColumn === undefined ? last + 1 : last;
  const truncated = next <= Math.min(end ?? total, total);
  return {
    lines: texts,
    start,
    end: last,
    total_lines: total,
    truncated,
    ...(truncated ? { next_start: next } : {}),
    ...(nextColumn === undefined ? {} : { next_column: nextColumn }),
    ...(cut.length === 0 ? {} : { cut }),
  };
}

interface ShownLines {
  readonly texts: readonly string[];
  /** Numbers of the lines that are cut. */
  readonly cut: readonly number[];
  /** Column at which the last cut line continues. */
  readonly nextColumn?: number;
}

/** Returns all lines for host code; of long lines the beginning. */
function cutLines(collector: LineCollector, start: number, path: string): ShownLines {
  const lines = collector.lines.map((line, index) => shownLine(line, start + index, path));
  return { texts: lines.map(({ text }) => text), cut: lines.flatMap(({ isCut }, index) => (isCut ? [start + index] : [])) };
}

interface LineRoom {
  readonly start: number;
  readonly column: number;
  readonly path: string;
  readonly total: number;
  readonly budget: number;
}

/** Returns whole lines for a model, as many as fit. A first line that does not fit is cut, and continues at a column. */
function wholeLines({ lines }: LineCollector, { start, column, path, total, budget }: LineRoom): ShownLines {
  const [last, lastColumn] = [total, Number.MAX_SAFE_INTEGER];
  const overhead = { lines: [''], start: last, end: last, total_lines: last, truncated: false, next_start: last, next_column: lastColumn };
  const room = new OutputRoom(budget, overhead);
  const texts: string[] = [];
  for (const { bytes, isWhole } of lines) {
    const text = decode(bytes, start + texts.length, path);
    if (isWhole && room.take(text)) texts.push(text);
    else if (texts.length > 0) break;
    else {
      const beginning = room.takeText(text);
      return { texts: [beginning], cut: [], nextColumn: column + beginning.length };
    }
  }
  return { texts, cut: [] };
}

async function scan(path: string, collector: LineCollector, { signal, progress }: FunctionContext): Promise<void> {
  const { file, stats } = await openFile(path);
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes);
    let position = 0;
    for (;;) {
      signal.throwIfAborted();
      const { bytesRead } = await file.read(buffer, 0, chunkBytes, position);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      if (position === 0 && isBinary(chunk)) throw binary(path);
      // Removed before columns are counted: a byte order mark is no part of the text.
      collector.take(position === 0 ? chunk.subarray(markBytes(chunk)) : chunk);
      position += bytesRead;
      if (position % progressEveryBytes === 0) progress({ progress: position, total: stats.size, message: 'counting lines' });
    }
    collector.finish();
  } catch (error) {
    signal.throwIfAborted();
    throw fileError(error, 'read', path);
  } finally {
    await file.close();
  }
}

function markBytes(chunk: Buffer): number {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
}

/** Length of a line for host code, in UTF-16 code units. */
const shownUnits = 2000;

/** Enough bytes for these units in UTF-8, and one more character. */
const shownBytes = 6004;

function shownLine({ bytes, isWhole }: KeptLine, number: number, path: string): { text: string; isCut: boolean } {
  const text = decode(bytes, number, path);
  if (isWhole && text.length <= shownUnits) return { text, isCut: false };
  return { text: `${text.slice(0, shownUnits).replace(/[\uD800-\uDBFF]$/, '')}…`, isCut: true };
}

function decode(bytes: Buffer, number: number, path: string): string {
  const text = strictUtf8(bytes, { keepsMark: true });
  if (text === undefined) {
    const message = `Cannot read "${excerpt(path)}": line ${number} is not valid UTF-8. Ask for the lines before or after it, or read the file with fs_read_file and encoding "latin1".`;
    throw new ToolkitError('EXECUTION_FAILED', message, { file: path, line: number });
  }
  return text;
}

function binary(path: string): ToolkitError {
  const message = `Cannot read the lines of "${excerpt(path)}": it is a binary file (it has null bytes). Read it with fs_read_file and encoding "base64".`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: path });
}

function wrongRange(start: number, end: number): ToolkitError {
  const message = `expected the last line to read, at or after start (${start}), received ${end}`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "end": ${message}.`, { issues: [{ path: 'end', message }] });
}
