import { excerpt, LongWork, messageOf, readJson, textExcess } from '../../../kernel/index.ts';
import { ParseError } from './parse-error.ts';

/** The ways in which a text may be parsed. */
export interface JsonParseOptions {
  /** True when a list of the values of all lines suits the parameter. */
  readonly takesLines: boolean;
  /** True when the file name says that each line is a value. */
  readonly isLines: boolean;
}

/**
 * Parses a text as JSON, or, where a list suits and the text is no JSON, as JSON lines: the list of their values. Integers
 * beyond ±(2^53−1) become texts of their digits. Parses a long text in steps. Throws ParseError.
 */
export async function parseJsonValue(text: string, { takesLines, isLines }: JsonParseOptions): Promise<unknown> {
  const work = new LongWork();
  const excess = textExcess(Buffer.from(text));
  if (excess !== undefined) throw new ParseError(`it holds ${excess}. Take a part of it`);
  if (work.isDue) await work.yieldToEventLoop();
  if (takesLines && isLines) return parseLines(text, work);
  try {
    return readJson(text);
  } catch (error) {
    if (takesLines && isFirstLineJson(text)) return parseLines(text, work);
    throw new ParseError(`it is no JSON: ${excerpt(messageOf(error), 150)}`);
  }
}

/** True for a text of several lines whose first line is a JSON value by itself. */
function isFirstLineJson(text: string): boolean {
  const end = text.indexOf('\n');
  if (end === -1 || text.slice(end).trim() === '') return false;
  try {
    readJson(text.slice(0, end));
    return true;
  } catch {
    return false;
  }
}

async function parseLines(text: string, work: LongWork): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  let number = 0;
  for (let from = 0; from <= text.length; ) {
    const found = text.indexOf('\n', from);
    const end = found === -1 ? text.length : found;
    const line = text.slice(from, end).trim();
    from = end + 1;
    number += 1;
    try {
      if (line !== '') values.push(readJson(line));
    } catch (error) {
      throw new ParseError(`line ${number} is no JSON: ${excerpt(messageOf(error), 150)}`);
    }
    if (work.isDue) await work.yieldToEventLoop();
  }
  return values;
}
