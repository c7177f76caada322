import { jsonTypes } from './bind-values.ts';

/** Finds an integer beyond 2^53 that is a text in a JSON parameter, and returns its path, such as `$2.user.id`. Undefined when there is none. */
export function largeIntegerIn(values: readonly unknown[], types: readonly number[]): string | undefined {
  for (const [index, value] of values.entries()) {
    const found = findPath(value, `$${index + 1}`, jsonTypes.has(types[index] ?? 0) && typeof value === 'object');
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Searches a value. Lists are arrays of the database, except inside a document; objects are documents everywhere. */
function findPath(value: unknown, path: string, isDocument: boolean): string | undefined {
  if (typeof value === 'string') return isDocument && isLargeInteger(value) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, member] of Object.entries(value)) {
    const found = findPath(member, isList ? `${path}[${key}]` : `${path}.${key}`, isDocument || !isList);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isLargeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}
