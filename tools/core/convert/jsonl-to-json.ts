import { type JsonValue, quoteNumbers } from '../../../kernel/index.ts';
import { jsonProblem } from '../../../plugins/shared/text/json-problem.ts';
import { badText } from '../json/bad-text.ts';
import { checkDocument } from '../json/check-document.ts';

interface JsonlParameters {
  readonly text: string;
  readonly skip_invalid: boolean;
}

interface JsonlError {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

interface JsonlResult {
  readonly rows: readonly JsonValue[];
  readonly errors: readonly JsonlError[];
}

type Visit = typeof import('jsonc-parser')['visit'];

/** Errors that a result has at most. */
const maxErrors = 100;

/** What may hold a number that a double cannot: 16 digits in a row, or an exponent of three. */
const suspicious = /\d{16}|\d[eE]\+?\d{3}/;

/** One JSON value in each line. Throws INVALID_PARAMETERS with line and column, and OUTPUT_TOO_LARGE. */
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

/** With integers beyond 2^53 and numbers beyond the range of a double as texts. */
function readExactly(written: string): JsonValue {
  const quoted = suspicious.test(written) ? quoteNumbers(written, (number) => !isKept(number)) : written;
  // Own text: what a double cannot hold is in quotes.
  return JSON.parse(quoted) as JsonValue;
}

function isKept(number: string): boolean {
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
    // Nested beyond the stack.
  }
  return first ?? { problem: 'it is nested too deeply', column: 1 };
}
