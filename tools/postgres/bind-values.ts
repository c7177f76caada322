import { Failure } from './failure.ts';

/** Oids of json and jsonb. */
export const jsonTypes: ReadonlySet<number> = new Set([114, 3802]);

/**
 * Returns the values for the placeholders in the server's text form. A list becomes an array, or JSON when the placeholder is json or jsonb; an
 * object becomes JSON; text stays. Throws BAD_REQUEST when there are more or fewer values than placeholders.
 */
export function bindValues(values: readonly unknown[], types: readonly number[]): (string | null)[] {
  if (values.length !== types.length) throw countFailure(values.length, types.length);
  return values.map((value, index) => (Array.isArray(value) && !jsonTypes.has(types[index] ?? 0) ? arrayText(value) : scalarText(value)));
}

function scalarText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Writes an array constant (PostgreSQL documentation, 8.15.2). */
function arrayText(items: readonly unknown[]): string {
  const elements = items.map((item) => {
    if (Array.isArray(item)) return arrayText(item);
    const text = scalarText(item);
    return text === null ? 'NULL' : `"${text.replace(/["\\]/g, '\\$&')}"`;
  });
  return `{${elements.join(',')}}`;
}

function countFailure(given: number, expected: number): Failure {
  const placeholders =
    expected === 0 ? 'no placeholders' : expected === 1 ? 'one placeholder, $1' : `${expected} placeholders, $1 to $${expected}`;
  return new Failure(
    'BAD_REQUEST',
    `The statement has ${placeholders}, and params has ${given} ${given === 1 ? 'value' : 'values'}. Give one value for each number; $1 may stand several times.`,
    { placeholders: expected, values: given },
  );
}
