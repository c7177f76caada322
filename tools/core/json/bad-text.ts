import { excerpt, ToolkitError } from '../../../kernel/index.ts';

/** A place in a text, both from 1; columns in UTF-16 code units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** Where an offset (in UTF-16 code units from 0) is. Lines end with LF, CRLF or CR. */
export function placeAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** INVALID_PARAMETERS for the parameter `text`, which is not what it should be. Without a place where there is none. */
export function badText(format: string, problem: string, place?: TextPosition): ToolkitError {
  const at = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`;
  const reason = excerpt(problem).replace(/\.$/, '');
  return new ToolkitError('INVALID_PARAMETERS', `The ${format} is wrong${at}: ${reason}. Correct it there and call again.`, {
    issues: [{ path: 'text', message: `is wrong${at}: ${reason}` }],
    ...place,
  });
}
