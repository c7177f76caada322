import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { DecodedText } from '../../../../plugins/shared/text/utf8.ts';
import { isUnmoved, moved } from '../files/unmoved.ts';
import { type Line, linesOf } from './text-lines.ts';

export interface LineMatch {
  /** Counts from 1, like `column`. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Absent where there are none, like `after`. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FoundLine {
  readonly match: LineMatch;
  /** Characters U+FFFD in its texts that stand in place of bytes that were not UTF-8. */
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

/** Bytes that are read at once. */
const chunkBytes = 65_536;

/** Syntax with which a match may depend on, or reach into, other lines. */
const beyondLine = /\(\?<?[=!]|\[\^|\\[sWDPnrvfxuc0]/;

/** Searches one file after the other, in the memory of one chunk. */
export class FileSearch {
  readonly #pattern: RegExp;
  /** Finds in several lines together those that may match; undefined where each must be tried. */
  readonly #suspect: RegExp | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);

  /** `pattern`: for one line, without flag `g`. */
  constructor(pattern: RegExp) {
    const { source, flags } = pattern;
    this.#pattern = pattern;
    this.#suspect = beyondLine.test(source) ? undefined : new RegExp(source, `${flags}gm`);
  }

  /** The matching lines of a text file, one entry a line; none of a binary file. Throws what `node:fs` throws. */
  matchesOf(file: string, { context, limit }: SearchFileOptions): readonly FoundLine[] {
    const suspect = context === 0 ? this.#suspect : undefined;
    return this.#within(file, suspect, (lines) => matchesIn(lines, this.#pattern, context, limit));
  }

  /** Counts the matching lines of a text file, up to a limit; 0 for a binary file. Throws what `node:fs` throws. */
  countOf(file: string, limit = Number.POSITIVE_INFINITY): number {
    return this.#within(file, this.#suspect, (lines) => {
      let count = 0;
      for (const { text } of lines) {
        if (this.#pattern.test(text)) count += 1;
        if (count >= limit) break;
      }
      return count;
    });
  }

  #within<T>(file: string, suspect: RegExp | undefined, work: (lines: Iterable<Line>) => T): T {
    // O_NOFOLLOW: what was listed as a file may have become a link, as may a folder above it. O_NONBLOCK: or a pipe.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!isUnmoved(descriptor, file)) throw moved(file);
      const stats = fstatSync(descriptor);
      return work(stats.isFile() ? linesOf(descriptor, stats, this.#buffer, suspect) : []);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** A match whose lines after it may be still to come. */
interface OpenMatch {
  readonly line: number;
  readonly column: number;
  readonly shown: Shown;
  readonly before: readonly Shown[];
  readonly after: Shown[];
}

function matchesIn(lines: Iterable<Line>, pattern: RegExp, context: number, limit: number): readonly FoundLine[] {
  const found: OpenMatch[] = [];
  const before: Shown[] = [];
  let waiting: OpenMatch[] = [];
  for (const line of lines) {
    const around = waiting.length > 0 || context > 0 ? shownOf(line) : nothing;
    for (const { after } of waiting) after.push(around);
    waiting = waiting.filter(({ after }) => after.length < context);
    const match = found.length < limit ? pattern.exec(line.text) : null;
    if (match !== null) {
      const open = { line: line.number, column: match.index + 1, shown: shownOf(line, match.index), before: [...before], after: [] };
      found.push(open);
      if (context > 0) waiting.push(open);
    }
    if (found.length >= limit && waiting.length === 0) break;
    before.push(around);
    if (before.length > context) before.shift();
  }
  return found.map(foundLine);
}

/** Most matches have nothing around them, and empty lists are what a model pays for. */
function foundLine({ line, column, shown: { text, replaced }, before, after }: OpenMatch): FoundLine {
  const texts = (lines: readonly Shown[]): string[] => lines.map((around) => around.text);
  const match = {
    ...{ line, column, text },
    ...(before.length === 0 ? {} : { before: texts(before) }),
    ...(after.length === 0 ? {} : { after: texts(after) }),
  };
  return { match, replaced: [...before, ...after].reduce((sum, around) => sum + around.replaced, replaced) };
}

type Shown = DecodedText;

const nothing: Shown = { text: '', replaced: 0 };

function shownOf({ text, replaced }: DecodedText, index = 0): Shown {
  const part = cut(text, index);
  return { text: part, replaced: replaced === 0 ? 0 : part.split('\uFFFD').length - 1 };
}

function cut(line: string, index = 0): string {
  if (line.length <= shown) return line;
  const start = Math.max(0, Math.min(index - leading, line.length - shown));
  const part = line.slice(start, start + shown).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + shown < line.length ? '…' : ''}`;
}
