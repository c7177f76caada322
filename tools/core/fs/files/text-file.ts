import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { type LineEnd, putLineEnds, type Replacement, replaceRanges, splitLineEnds } from '../../../../plugins/shared/text/line-ends.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';

/** A text file taken apart, so that the parts that stay as they are need not be thought of. */
export interface TextFile {
  /** Without the byte order mark, with LF for CR LF. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  readonly lineEnds: 'none' | 'lf' | 'crlf' | 'mixed';
  /** Line ends as they stand in the file, one for each LF of `text`, where `lineEnds` is `mixed`; otherwise none. */
  readonly ends: readonly LineEnd[];
}

/** Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
export function parseText(bytes: Buffer, path: string): TextFile {
  const whole = decodeText(bytes, path);
  const hasByteOrderMark = whole.startsWith('\uFEFF');
  const written = hasByteOrderMark ? whole.slice(1) : whole;
  const lineEnds = lineEndsOf(written);
  const { text, ends } = lineEnds === 'mixed' ? splitLineEnds(written) : { text: written, ends: [] };
  return { text: lineEnds === 'crlf' ? text.replaceAll('\r\n', '\n') : text, hasByteOrderMark, lineEnds, ends };
}

/** The file as it is written: with its byte order mark and its line ends. */
export function formatText({ text, hasByteOrderMark, lineEnds, ends }: TextFile): string {
  const written = lineEnds === 'mixed' ? putLineEnds({ text, ends }) : lineEnds === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
  return `${hasByteOrderMark ? '\uFEFF' : ''}${written}`;
}

/** Replaces parts of the text, in their order. New lines get the line ends of the place, see `replaceRanges`. */
export function replaceInFile(file: TextFile, replacements: Iterable<Replacement>): TextFile {
  return { ...file, ...replaceRanges(file, replacements) };
}

/** A part of a text, from the caller, with the line ends of `text`, where the file has any. */
export function fitLineEnds(part: string, { lineEnds }: TextFile): string {
  return lineEnds === 'none' ? part : part.replaceAll('\r\n', '\n');
}

/** Whether a file is one of text, by its beginning. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** All of it, as it is. Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
export function decodeText(bytes: Buffer, path: string): string {
  if (isBinary(bytes)) throw notText(path, 'it is a binary file (it has null bytes), expected text');
  const text = strictUtf8(bytes, { keepsMark: true });
  if (text === undefined)
    throw notText(path, 'it is not valid UTF-8, and a change would damage what else is in it. Convert it to UTF-8 first');
  return text;
}

function lineEndsOf(text: string): TextFile['lineEnds'] {
  let all = 0;
  let crlf = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    all += 1;
    if (text[at - 1] === '\r') crlf += 1;
  }
  if (all === 0) return 'none';
  if (crlf === 0) return 'lf';
  return crlf === all ? 'crlf' : 'mixed';
}

function notText(path: string, problem: string): ToolkitError {
  return new ToolkitError('EXECUTION_FAILED', `Cannot change "${excerpt(path)}": ${problem}.`, { file: path });
}
