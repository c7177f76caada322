/** Matches a string or a number of a JSON text. */
const token = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Parses JSON without rounding: an integer beyond ±(2^53−1) becomes a text of its digits. Throws the SyntaxError of `JSON.parse`. */
export function parseExactly(text: string): unknown {
  // No number: with one that it would round, the text is parsed again below.
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  // No number: those that it would round are texts here.
  return JSON.parse(text.replace(token, (found) => (isUnsafeInteger(found) ? `"${found}"` : found)));
}

/** True for the text of an integer beyond ±(2^53−1). */
export function isUnsafeInteger(text: string): boolean {
  return /^-?[1-9]\d{15,}$/.test(text) && !Number.isSafeInteger(Number(text));
}

/** Returns parameters as indented JSON; an empty object for none. */
export function parametersToText(parameters: unknown): string {
  return JSON.stringify(parameters ?? {}, null, 2);
}

/** Parameters, or the reason why a text holds none. */
export type ParsedParameters = { readonly parameters: Readonly<Record<string, unknown>> } | { readonly problem: string };

/** Reads parameters from JSON. */
export function textToParameters(text: string): ParsedParameters {
  if (text.trim() === '') return { parameters: {} };
  try {
    const value = parseExactly(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { parameters: value as Record<string, unknown> };
    return { problem: 'The parameters must be one JSON object, such as {"name": "value"}.' };
  } catch (error) {
    return { problem: jsonProblem(error, text) };
  }
}

/** Returns what is wrong with a JSON text, with its line. Browsers name the position in different ways. */
export function jsonProblem(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, position, line] = /position (\d+)|line (\d+)/.exec(message) ?? [];
  const at = line ?? (position === undefined ? undefined : String(text.slice(0, Number(position)).split('\n').length));
  const where = at === undefined || message.includes('line') ? '' : ` (line ${at})`;
  return `This is no JSON yet${where}: ${message}.`;
}
