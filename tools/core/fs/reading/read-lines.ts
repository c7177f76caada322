import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { fileError } from '../files/file-error.ts';
import { openFile } from '../files/open-file.ts';
import { isBinary } from '../files/text-file.ts';
import { type KeptLine, LineCollector } from './line-collector.ts';

interface ReadLinesParameters {
  readonly path: string;
  /** Counts from 1, like `end`, which belongs to the range. */
  readonly start: number;
  readonly end?: number;
}

interface ReadLinesResult {
  readonly lines: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly total_lines: number;
  readonly cut?: readonly number[];
}

const chunkBytes = 262_144;
const progressEveryBytes = 134_217_728;

/** A range of lines of a text file in UTF-8. Memory: the lines of the answer and one chunk. Throws INVALID_PARAMETERS, NOT_FOUND, EXECUTION_FAILED. */
export async function readLines({ path, start, end }: ReadLinesParameters, context: FunctionContext): Promise<ReadLinesResult> {
  if (end !== undefined && end < start) throw wrongRange(start, end);
  const collector = new LineCollector(start, end ?? Number.POSITIVE_INFINITY);
  await scan(path, collector, context);
  const lines = collector.lines.map((line, index) => shownLine(line, start + index, path));
  const cut = lines.flatMap(({ isCut }, index) => (isCut ? [start + index] : []));
  return {
    lines: lines.map(({ text }) => text),
    start,
    end: start + lines.length - 1,
    total_lines: collector.totalLines,
    ...(cut.length === 0 ? {} : { cut }),
  };
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
      collector.take(chunk);
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

/** UTF-16 code units of a line that are shown. */
const shownUnits = 2000;

function shownLine({ bytes, isWhole }: KeptLine, number: number, path: string): { text: string; isCut: boolean } {
  const text = decode(bytes, number, path);
  if (isWhole && text.length <= shownUnits) return { text, isCut: false };
  return { text: `${text.slice(0, shownUnits).replace(/[\uD800-\uDBFF]$/, '')}…`, isCut: true };
}

function decode(bytes: Buffer, number: number, path: string): string {
  const text = strictUtf8(bytes, { keepsMark: number > 1 });
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
