import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { DecodedText } from '../../../../plugins/shared/text/utf8.ts';
import { isStillAt, movedError } from '../files/path-race.ts';
import { type Line, linesOf } from './text-lines.ts';

export interface LineMatch {
  /** Line number from 1; `column` counts from 1 too. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
  /** Lines before the match. Absent when there are none; so is `after`. */
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

export interface FoundLine {
  readonly match: LineMatch;
  /** Number of characters U+FFFD in the texts that replace bytes that were not UTF-8. */
  readonly replaced: number;
}

interface SearchFileOptions {
  /** Number of lines before and after a match. */
  readonly context: number;
  /** Maximum number of matching lines. */
  readonly limit: number;
}

/**
 * Maximum length of a line in the result, in UTF-16 code units. When the match begins later, `leading` units before it are
 * included.
 */
const maxShownLength = 500;
const leading = 100;

/** Bytes that are read at once. */
const chunkBytes = 65_536;

/** Syntax with which a match may depend on, or extend into, other lines. */
const beyondLine = /\(\?<?[=!]|\[\^|\\[sWDPnrvfxuc0]/;

/** Searches files one after the other, in the memory of one chunk. */
export class FileSearch {
  readonly #pattern: RegExp;
  /** Finds lines that may match in several lines at once; undefined when each line must be tried. */
  readonly #suspect: RegExp | undefined;
  readonly #buffer = Buffer.allocUnsafeSlow(chunkBytes);

  /** `pattern`: for one line, without flag `g`. */
  constructor(pattern: RegExp) {
    const { source, flags } = pattern;
    this.#pattern = pattern;
    this.#suspect = beyondLine.test(source) ? undefined : new RegExp(source, `${flags}gm`);
  }

  /** Returns the matching lines of a text file, one entry a line; empty for a binary file. Throws what `node:fs` throws. */
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
    // O_NOFOLLOW: the listed file, or a folder above it, may have become a link. O_NONBLOCK: or a pipe.
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!isStillAt(descriptor, file)) throw movedError(file);
      const stats = fstatSync(descriptor);
      return work(stats.isFile() ? linesOf(descriptor, stats, this.#buffer, suspect) : []);
    } finally {
      closeSync(descriptor);
    }
  }
}

/** Match whose following lines may not have been read yet. */
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

/** Returns a match without empty lists: most matches have no context, and a model pays for every character. */
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
  if (line.length <= maxShownLength) return line;
  const start = Math.max(0, Math.min(index - leading, line.length - maxShownLength));
  const part = line.slice(start, start + maxShownLength).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${start + maxShownLength < line.length ? '…' : ''}`;
}
