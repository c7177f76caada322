import { readSync, type Stats } from 'node:fs';
import { type DecodedText, decodeUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { isBinary } from '../files/text-file.ts';

/** Approximate maximum of searched bytes in a line: a file without line ends must not fill the memory. */
const maxLineBytes = 4_194_304;

const lineFeed = 10;

/** Line without its end. */
export interface Line extends DecodedText {
  /** Line number from 1. */
  readonly number: number;
}

/**
 * Yields lines without their ends and without a byte order mark; only those that `suspect` finds when it is set. Yields nothing
 * when the beginning has a null byte. Memory: one line and one chunk.
 */
export function* linesOf(descriptor: number, { size }: Stats, buffer: Buffer, suspect: RegExp | undefined): Generator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for (let [isStart, isEnd, position] = [true, false, 0]; !isEnd; isStart = false) {
    const chunk = buffer.subarray(0, readSync(descriptor, buffer));
    if (isStart && isBinary(chunk)) return;
    position += chunk.length;
    // Files in /proc report size 0, whatever they hold.
    isEnd = chunk.length === 0 || (chunk.length < buffer.length && size > 0 && position >= size);
    // The end of a line that is too long is skipped.
    const taken = rest.length < maxLineBytes ? chunk : chunk.subarray(chunk.includes(lineFeed) ? chunk.indexOf(lineFeed) : chunk.length);
    const all = rest.length === 0 ? taken : Buffer.concat([rest, taken]);
    const end = isEnd ? all.length : all.lastIndexOf(lineFeed) + 1;
    number = yield* decodedLines(all.subarray(0, end), { isStart, number, suspect });
    // Copied, because the next chunk overwrites the buffer.
    if (!isEnd) rest = Buffer.from(all.subarray(end));
  }
}

interface LinesOptions {
  readonly isStart: boolean;
  /** Number of the first line. */
  readonly number: number;
  readonly suspect: RegExp | undefined;
}

/** Decodes several lines at once, where that replaces no bytes. Returns the number of the line after them. */
function* decodedLines(bytes: Buffer, { isStart, number, suspect }: LinesOptions): Generator<Line, number> {
  if (bytes.length === 0) return number;
  const { text, replaced } = decodeUtf8(bytes, { keepsMark: !isStart });
  if (suspect !== undefined && replaced === 0) return yield* suspectLines(text, number, suspect);
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  let from = 0;
  for (const [index, line] of lines.entries()) {
    const end = replaced === 0 ? 0 : endOfLine(bytes, from);
    const ofLine = replaced === 0 ? 0 : decodeUtf8(bytes.subarray(from, end)).replaced;
    from = end + 1;
    yield { number: number + index, text: withoutReturn(line), replaced: ofLine };
  }
  return number + lines.length;
}

/** Yields the lines in which a match may begin, as found in the joined text. */
function* suspectLines(text: string, first: number, suspect: RegExp): Generator<Line, number> {
  let [number, counted] = [first, 0];
  const countTo = (index: number): void => {
    for (let at = text.indexOf('\n', counted); at !== -1 && at < index; at = text.indexOf('\n', counted)) {
      number += 1;
      counted = at + 1;
    }
  };
  for (let from = 0; from < text.length; ) {
    suspect.lastIndex = from;
    const found = suspect.exec(text);
    if (found === null) break;
    countTo(found.index);
    const end = text.indexOf('\n', found.index);
    const to = end === -1 ? text.length : end;
    // There is no line after the last line end.
    if (counted < text.length) yield { number, text: withoutReturn(text.slice(counted, to)), replaced: 0 };
    from = to + 1;
  }
  countTo(text.length);
  return text.endsWith('\n') ? number : number + 1;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end === -1 ? bytes.length : end;
}
