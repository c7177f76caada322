import { excerpt, ToolkitError } from '../../../../kernel/index.ts';

/** A text file taken apart, so that the parts that stay as they are need not be thought of. */
export interface TextFile {
  /** Without the byte order mark; with LF where all line ends are CR LF. */
  readonly text: string;
  readonly hasByteOrderMark: boolean;
  readonly lineEnds: 'none' | 'lf' | 'crlf' | 'mixed';
}

/** Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
export function parseText(bytes: Buffer, path: string): TextFile {
  const whole = decodeText(bytes, path);
  const hasByteOrderMark = whole.startsWith('\uFEFF');
  const text = hasByteOrderMark ? whole.slice(1) : whole;
  const lineEnds = lineEndsOf(text);
  return { text: lineEnds === 'crlf' ? text.replaceAll('\r\n', '\n') : text, hasByteOrderMark, lineEnds };
}

/** Another text in the form of this file. */
export function formatText(text: string, { hasByteOrderMark, lineEnds }: TextFile): string {
  return `${hasByteOrderMark ? '\uFEFF' : ''}${lineEnds === 'crlf' ? text.replaceAll('\n', '\r\n') : text}`;
}

/** A part of a text, from the caller, with the line ends that `text` of this file has, where it has only one kind. */
export function fitLineEnds(part: string, { lineEnds }: TextFile): string {
  return lineEnds === 'lf' || lineEnds === 'crlf' ? part.replaceAll('\r\n', '\n') : part;
}

/** Whether a file is one of text, by its beginning. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** All of it, as it is. Throws EXECUTION_FAILED for a binary file and for one that is not UTF-8. */
export function decodeText(bytes: Buffer, path: string): string {
  if (isBinary(bytes)) throw notText(path, 'it is a binary file (it has null bytes), expected text');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notText(path, 'it is not valid UTF-8, and a change would damage what else is in it. Convert it to UTF-8 first');
  }
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
