import { ToolkitError } from '../../../kernel/index.ts';

/** A text that a tool refuses. */
export interface ParameterText {
  /** Name of the parameter. */
  readonly parameter: string;
  readonly text: string;
}

/**
 * Builds INVALID_PARAMETERS for a mistake at `index`, in UTF-16 code units from 0; the length of the text means its end. Messages and details
 * count from 1. `expected` is what should be there, `advice` a sentence on what to do, and `received` the actual text when it is longer than a
 * character.
 */
export function malformed(
  { parameter, text }: ParameterText,
  index: number,
  expected: string,
  advice: string,
  received: string = shownAt(text, index),
): ToolkitError {
  const position = index + 1;
  const message = `is wrong at character ${position}: expected ${expected}, received ${received}`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${parameter}" ${message}. ${advice}`, {
    issues: [{ path: parameter, message }],
    position,
  });
}

/** Returns the character at an index, or its number when it is invisible. */
function shownAt(text: string, index: number): string {
  const code = text.codePointAt(index);
  if (code === undefined) return 'the end';
  const character = String.fromCodePoint(code);
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}"` : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Throws for half of a surrogate pair, which UTF-8 cannot hold. */
export function refuseHalfSurrogates(input: ParameterText): void {
  const index = input.text.search(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/);
  const advice = 'It has no form in UTF-8. A text that was cut in the middle of an emoji begins or ends so.';
  if (index >= 0) throw malformed(input, index, 'a whole character', advice);
}
