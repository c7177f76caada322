import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type DecodedText, decodeUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { isBinary } from '../files/text-file.ts';
import { isUnmoved, moved } from '../files/unmoved.ts';

export interface LineMatch {
  /** Counts from 1, like `column`. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface FileMatches {
  readonly matches: readonly LineMatch[];
  /** Characters U+FFFD in the texts of all matches that stand in place of bytes that were not UTF-8. */
  readonly replaced: number;
}

interface SearchFileOptions {
  /** Lines shown before and after a match. */
  readonly context: number;
  /** Matching lines at most. */
  readonly limit: number;
}

/** UTF-16 code units of a line that are shown; a match that begins later in the line has `leading` of them before it. */
const shown = 500;
const leading = 100;

/** Bytes of a line that are searched, about: a file without line ends must not fill the memory. */
const searched = 4_194_304;

/** The matching lines of a text file, one entry a line; none of a binary file. Throws what `node:fs` throws. */
export function searchFile(file: string, pattern: RegExp, { context, limit }: SearchFileOptions): FileMatches {
  // O_NOFOLLOW: what was listed as a file may have become a link, as may a folder above it. O_NONBLOCK: or a pipe.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isUnmoved(descriptor, file)) throw moved(file);
    return fstatSync(descriptor).isFile() ? matchesIn(linesOf(descriptor), pattern, context, limit) : { matches: [], replaced: 0 };
  } finally {
    closeSync(descriptor);
  }
}

function matchesIn(lines: Iterable<DecodedText>, pattern: RegExp, context: number, limit: number): FileMatches {
  const found: LineMatch[] = [];
  const before: Shown[] = [];
  let waiting: string[][] = [];
  let [number, replaced] = [0, 0];
  for (const line of lines) {
    number += 1;
    const around = waiting.length > 0 || context > 0 ? shownOf(line) : nothing;
    for (const after of waiting) after.push(around.text);
    replaced += waiting.length * around.replaced;
    waiting = waiting.filter((after) => after.length < context);
    const match = found.length < limit ? pattern.exec(line.text) : null;
    if (match !== null) {
      const after: string[] = [];
      const { text, replaced: inText } = shownOf(line, match.index);
      found.push({ line: number, column: match.index + 1, text, before: before.map((earlier) => earlier.text), after });
      replaced += before.reduce((sum, earlier) => sum + earlier.replaced, inText);
      if (context > 0) waiting.push(after);
    }
    if (found.length >= limit && waiting.length === 0) break;
    before.push(around);
    if (before.length > context) before.shift();
  }
  return { matches: found, replaced };
}

type Shown = DecodedText;

const nothing: Shown = { text: '', replaced: 0 };

function shownOf({ text, replaced }: DecodedText, index = 0): Shown {
  const part = cut(text, index);
  return { text: part, replaced: replaced === 0 ? 0 : part.split('\uFFFD').length - 1 };
}

const lineFeed = 10;

/** Lines without their ends and without a byte order mark; nothing when the beginning has a null byte. Memory: one line and one chunk. */
function* linesOf(descriptor: number): Generator<DecodedText> {
  const buffer = Buffer.allocUnsafe(65_536);
  let rest: Buffer = Buffer.alloc(0);
  for (let isStart = true; ; isStart = false) {
    const chunk = buffer.subarray(0, readSync(descriptor, buffer));
    if (isStart && isBinary(chunk)) return;
    // Of a line that is too long the end is not taken.
    const taken = rest.length < searched ? chunk : chunk.subarray(chunk.includes(lineFeed) ? chunk.indexOf(lineFeed) : chunk.length);
    const all = rest.length === 0 ? taken : Buffer.concat([rest, taken]);
    const end = chunk.length === 0 ? all.length : all.lastIndexOf(lineFeed) + 1;
    yield* decodedLines(all.subarray(0, end), isStart);
    if (chunk.length === 0) return;
    rest = Buffer.from(all.subarray(end));
  }
}

/** Lines decoded together, where that replaces nothing. */
function* decodedLines(bytes: Buffer, isStart: boolean): Generator<DecodedText> {
  if (bytes.length === 0) return;
  const { text, replaced } = decodeUtf8(bytes, { keepsMark: !isStart });
  const lines = text.split('\n');
  if (text.endsWith('\n')) lines.pop();
  let from = 0;
  for (const line of lines) {
    const end = replaced === 0 ? 0 : endOfLine(bytes, from);
    const ofLine = replaced === 0 ? 0 : decodeUtf8(bytes.subarray(from, end)).replaced;
    from = end + 1;
    yield { text: line.endsWith('\r') ? line.slice(0, -1) : line, replaced: ofLine };
  }
}

function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineFeed, from);
  return end === -1 ? bytes.length : end;
}

function cut(line: string, index = 0): string {
  if (line.length <= shown) return line;
  const start = Math.max(0, Math.min(index - leading, line.length - shown));
  const part = line.slice(start, start + shown).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + shown < line.length ? '…' : ''}`;
}
