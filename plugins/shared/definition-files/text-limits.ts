import { yaml } from './yaml-library.ts';

/** Maximum bytes of UTF-8 of a text to parse. The longest definition of this program has 15 KiB. */
export const maxTextBytes = 256 * 1024;

/** Maximum nesting of maps and lists. Checks and schemas recurse through them too. */
export const maxLevels = 64;

/** Maximum keys, values and punctuation marks. */
const maxTokens = 20_000;

/** Maximum anchors and aliases together. */
const maxAnchors = 1000;

/** An issue in a YAML text, with its position. */
export interface YamlIssue {
  readonly message: string;
  /** Position in characters. */
  readonly offset: number;
}

/** Returns the message for a text above the length limit. */
export function tooLong(bytes: number): string {
  return `is too long: expected at most ${maxTextBytes} bytes, received ${bytes}. Split it, or move what is no definition elsewhere`;
}

export const tooDeep = `is nested too deeply: expected at most ${maxLevels} levels, received more. Make it flatter`;

const blank = new Set(['byte-order-mark', 'space', 'newline', 'comment']);
const indicators = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind']);

/**
 * Checks a text against the limits before it is parsed. The library's parser recurses at every level, its lexer does not: one linear pass
 * over the lexer's tokens sees the tokens that would be parsed.
 */
export function overLimit(text: string): YamlIssue | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes > maxTextBytes) return { message: tooLong(bytes), offset: 0 };
  const { Lexer, CST } = yaml();
  const levels = new Levels();
  const seen = { tokens: 0, anchors: 0 };
  let offset = 0;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    // The next token is the text of a scalar, whatever it looks like.
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

/** Counts open levels in a pass over tokens. A list in the column of its parent map counts with the map. */
class Levels {
  /** Columns of the open block maps and lists. */
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

function tooMany(what: string, limit: number): string {
  return `has too many ${what}: expected at most ${limit}, received more up to here. Split it`;
}
