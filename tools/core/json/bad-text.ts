import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** A position in a text. Line and column count from 1, columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Converts an offset (in UTF-16 code units from 0) to a position. Lines end with LF, CRLF or CR. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Builds INVALID_PARAMETERS for the parameter `text`, with a position where one is known. */
export function badText(format: string, problem: string, position?: TextPosition): ToolkitError {
  const at = position === undefined ? '' : ` at line ${position.line}, column ${position.column}`;
  const reason = excerpt(problem).replace(/\.$/, '');
  return new ToolkitError('INVALID_PARAMETERS', `The ${format} is wrong${at}: ${reason}. Correct it there and call again.`, {
    issues: [{ path: 'text', message: `is wrong${at}: ${reason}` }],
    ...position,
  });
}
