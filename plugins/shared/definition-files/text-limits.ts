import { yaml } from './yaml-library.ts';

/** The longest text that is parsed, as bytes of UTF-8; the longest that comes with this program has 15 KiB. */
export const maxTextBytes = 256 * 1024;

/** Levels of maps and lists within each other. Checks and schemas walk through them as well. */
export const maxLevels = 64;

/** Keys, values and punctuation. */
const maxTokens = 20_000;

/** Anchors and aliases together. */
const maxAnchors = 1000;

/** What keeps a text from being used, and where in it. */
export interface Flaw {
  readonly message: string;
  /** In characters. */
  readonly offset: number;
}

/** What a text that is not read is told. */
export function tooLong(bytes: number): string {
  return `is too long: expected at most ${maxTextBytes} bytes, received ${bytes}. Split it, or move what is no definition elsewhere`;
}

export const tooDeep = `is nested too deeply: expected at most ${maxLevels} levels, received more. Make it flatter`;

const blank = new Set(['byte-order-mark', 'space', 'newline', 'comment']);
const indicators = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Holds a text against the limits before it is parsed. The parser of the library calls itself for every level, its lexer does not: one
 * passage over the lexer's tokens is linear, and it sees the very tokens that would be parsed.
 */
export function overLimit(text: string): Flaw | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxTextBytes) return { message: tooLong(bytes), offset: 0 };
  const { Lexer, CST } = yaml();
  const levels = new Levels();
  const seen = { tokens: 0, anchors: 0 };
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    // What follows this mark is the text of a scalar, whatever it looks like.
    const type: string = isScalar ? 'text' : (CST.tokenType(token) ?? 'text');
    isScalar = type === 'scalar';
    if (type === 'flow-error-end') levels.endFlow();
    if (isScalar || type === 'doc-mode' || type === 'flow-error-end') continue;
    if (!blank.has(type)) {
      seen.tokens++;
      if (type === 'anchor' || type === 'alias') seen.anchors++;
      if (levels.with(type, offset) > maxLevels) return { message: tooDeep, offset };
      if (seen.tokens > maxTokens) return { message: tooMany('keys, values and punctuation marks', maxTokens), offset };
      if (seen.anchors > maxAnchors) return { message: tooMany('anchors and aliases', maxAnchors), offset };
    }
    levels.pass(token, type, offset);
    offset += token.length;
  }
  return undefined;
}

/** The levels that are open in a passage over tokens. Lists at the column of the map around them count with the map. */
class Levels {
  /** Where block maps and lists begin that are open. */
  readonly #columns: number[] = [];
  #flow = 0;
  #lineStart = 0;
  #startsNode = true;

  with(type: string, offset: number): number {
    if (type === 'flow-seq-start' || type === 'flow-map-start') this.#flow++;
    if (type === 'flow-seq-end' || type === 'flow-map-end') this.#flow = Math.max(0, this.#flow - 1);
    if (this.#flow === 0 && this.#startsNode) this.#open(offset - this.#lineStart);
    return this.#columns.length + this.#flow;
  }

  endFlow(): void {
    this.#flow = 0;
  }

  pass(token: string, type: string, offset: number): void {
    const end = token.lastIndexOf('\n');
    if (end >= 0) this.#lineStart = offset + end + 1;
    if (type !== 'space') this.#startsNode = end >= 0 || indicators.has(type);
  }

  #open(column: number): void {
    while ((this.#columns.at(-1) ?? -1) > column) this.#columns.pop();
    if (this.#columns.at(-1) !== column) this.#columns.push(column);
  }
}

function tooMany(what: string, most: number): string {
  return `has too many ${what}: expected at most ${most}, received more up to here. Split it`;
}
