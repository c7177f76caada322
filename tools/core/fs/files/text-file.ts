import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { type LineEnd, putLineEnds, type Replacement, replaceRanges, splitLineEnds } from '../../../../plugins/shared/text/line-ends.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';

/** Text file in parts: edits change `text` only, and the rest is written back unchanged. */
export interface TextFile {
  /** Text without the byte order mark, with LF for CR LF. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  readonly lineEnds: 'none' | 'lf' | 'crlf' | 'mixed';
  /** Line ends of the file, one for each LF of `text`, where `lineEnds` is `mixed`; otherwise empty. */
  readonly ends: readonly LineEnd[];
}

/** Parses the bytes of a file. Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
export function parseText(bytes: Buffer, path: string): TextFile {
  const whole = decodeText(bytes, path);
  const hasByteOrderMark = whole.startsWith('\uFEFF');
  const written = hasByteOrderMark ? whole.slice(1) : whole;
  const lineEnds = lineEndsOf(written);
  const { text, ends } = lineEnds === 'mixed' ? splitLineEnds(written) : { text: written, ends: [] };
  return { text: lineEnds === 'crlf' ? text.replaceAll('\r\n', '\n') : text, hasByteOrderMark, lineEnds, ends };
}

/** Returns the text to write: with byte order mark and original line ends. */
export function formatText({ text, hasByteOrderMark, lineEnds, ends }: TextFile): string {
  const written = lineEnds === 'mixed' ? putLineEnds({ text, ends }) : lineEnds === 'crlf' ? text.replaceAll('\n', '\r\n') : text;
  return `${hasByteOrderMark ? '\uFEFF' : ''}${written}`;
}

/** Replaces parts of the text, in order. New lines get the line ends around them, see `replaceParts`. */
export function replaceInFile(file: TextFile, replacements: Iterable<Replacement>): TextFile {
  return { ...file, ...replaceRanges(file, replacements) };
}

/** Converts the line ends of a part from the caller to those of `text`, where the file has any. */
export function fitLineEnds(part: string, { lineEnds }: TextFile): string {
  return lineEnds === 'none' ? part : part.replaceAll('\r\n', '\n');
}

/** Returns true when the beginning of a file has a null byte. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Decodes a whole file without changing it. Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
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
