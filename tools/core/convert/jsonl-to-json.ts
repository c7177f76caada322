import { type JsonValue, quoteNumbers } from '../../../kernel/index.ts';
import { jsonProblem } from '../../../plugins/shared/text/json-problem.ts';
import { badText } from '../json/bad-text.ts';
import { checkDocument } from '../json/check-document.ts';

interface JsonlParameters {
  readonly text: string;
  readonly skip_invalid: boolean;
}

interface JsonlError {
  /** Line number, from 1. */
  readonly line: number;
  readonly message: string;
}

interface JsonlResult {
  readonly rows: readonly JsonValue[];
  readonly errors: readonly JsonlError[];
}

type Visit = typeof import('jsonc-parser')['visit'];

/** Maximum number of errors in a result. */
const maxErrors = 100;

/** Matches a line that may hold a number beyond a double: 16 digits in a row, or an exponent of three digits. */
const maybeInexactNumber = /\d{16}|\d[eE]\+?\d{3}/;

/** Reads one JSON value from each line. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
export async function jsonlToJson({ text, skip_invalid }: JsonlParameters): Promise<JsonlResult> {
  const { visit } = await import('jsonc-parser');
  const rows: JsonValue[] = [];
  const errors: JsonlError[] = [];
  for (const [index, written] of text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .entries()) {
    if (written.trim() === '') continue;
    try {
      rows.push(readExactly(written));
    } catch {
      const { problem, column } = mistakeIn(written, visit);
      if (!skip_invalid) throw badText('JSON', problem, { line: index + 1, column });
      if (errors.length < maxErrors) errors.push({ line: index + 1, message: `column ${column}: ${problem}` });
    }
  }
  checkDocument(rows, { parameter: 'text', advice: 'Convert fewer lines at a time.' });
  return { rows, errors };
}

/** Reads JSON. Integers beyond 2^53 and numbers beyond the range of a double become texts. */
function readExactly(written: string): JsonValue {
  const quoted = maybeInexactNumber.test(written) ? quoteNumbers(written, (number) => !isExact(number)) : written;
  // Own text: numbers that a double cannot hold are quoted.
  return JSON.parse(quoted) as JsonValue;
}

function isExact(number: string): boolean {
  return /^-?\d+$/.test(number) ? Number.isSafeInteger(Number(number)) : Number.isFinite(Number(number));
}

function mistakeIn(written: string, visit: Visit): { readonly problem: string; readonly column: number } {
  let first: { problem: string; column: number } | undefined;
  const onError = (code: number, offset: number): void => {
    first ??= { problem: jsonProblem(code), column: offset + 1 };
  };
  try {
    visit(written, { onError }, { disallowComments: true });
  } catch {
    // The nesting exceeds the stack.
  }
  return first ?? { problem: 'it is nested too deeply', column: 1 };
}
