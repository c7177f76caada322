import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
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

interface SearchFileOptions {
  /** Lines shown before and after a match. */
  readonly context: number;
  /** Matching lines at most. */
  readonly limit: number;
}

/** UTF-16 code units of a line that are shown; a match that begins later in the line has `leading` of them before it. */
const shown = 500;
const leading = 100;

/** UTF-16 code units of a line that are searched, about: a file without line ends must not fill the memory. */
const searched = 4_194_304;

/** The matching lines of a text file, one entry a line; none of a binary file. Throws what `node:fs` throws. */
export function searchFile(file: string, pattern: RegExp, { context, limit }: SearchFileOptions): LineMatch[] {
  // O_NOFOLLOW: what was listed as a file may have become a link, as may a folder above it. O_NONBLOCK: or a pipe.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!isUnmoved(descriptor, file)) throw moved(file);
    return fstatSync(descriptor).isFile() ? matchesIn(linesOf(descriptor), pattern, context, limit) : [];
  } finally {
    closeSync(descriptor);
  }
}

function matchesIn(lines: Iterable<string>, pattern: RegExp, context: number, limit: number): LineMatch[] {
  const found: LineMatch[] = [];
  const before: string[] = [];
  let waiting: string[][] = [];
  let number = 0;
  for (const line of lines) {
    number += 1;
    for (const after of waiting) after.push(cut(line));
    waiting = waiting.filter((after) => after.length < context);
    const match = found.length < limit ? pattern.exec(line) : null;
    if (match !== null) {
      const after: string[] = [];
      found.push({ line: number, column: match.index + 1, text: cut(line, match.index), before: [...before], after });
      if (context > 0) waiting.push(after);
    }
    if (found.length >= limit && waiting.length === 0) break;
    before.push(cut(line));
    if (before.length > context) before.shift();
  }
  return found;
}

/** Lines without their ends and without a byte order mark; nothing when the beginning has a null byte. Memory: one line and one chunk. */
function* linesOf(descriptor: number): Generator<string> {
  const buffer = Buffer.allocUnsafe(65_536);
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let isFirst = true;
  for (;;) {
    const chunk = buffer.subarray(0, readSync(descriptor, buffer));
    if (isFirst && isBinary(chunk)) return;
    const text = chunk.length === 0 ? decoder.end() : decoder.write(chunk);
    const lines = (isFirst ? text.replace(/^\uFEFF/, '') : text).split('\n');
    lines[0] = rest.length < searched ? rest + (lines[0] ?? '') : rest;
    rest = lines.pop() ?? '';
    for (const line of lines) yield line.endsWith('\r') ? line.slice(0, -1) : line;
    if (chunk.length === 0) break;
    isFirst = false;
  }
  if (rest !== '') yield rest;
}

function cut(line: string, index = 0): string {
  if (line.length <= shown) return line;
  const start = Math.max(0, Math.min(index - leading, line.length - shown));
  const part = line.slice(start, start + shown).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + shown < line.length ? '…' : ''}`;
}
