import { isPlainObject, ToolkitError } from '../../kernel/index.ts';

/** What the SDK gives; a server that is not AWS may have put anything there. */
interface SecretAnswer {
  readonly SecretString?: unknown;
  readonly SecretBinary?: unknown;
}

/** The JSON object in an answer, by name. Throws SECRET_STORE_UNAVAILABLE, not retryable, and never shows what is there instead. */
export function valuesIn({ SecretString: text, SecretBinary: binary }: SecretAnswer, place: string): ReadonlyMap<string, unknown> {
  const refuse = (received: string): ToolkitError => {
    const message = `${place} cannot be used: expected text with a JSON object of names and values, received ${received}. Store {"NAME": "value"} as its secret string.`;
    return new ToolkitError('SECRET_STORE_UNAVAILABLE', message, { retryable: false });
  };
  if (typeof text !== 'string') throw refuse(binary === undefined ? 'no text' : 'a binary value');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw refuse('text that is not JSON');
  }
  if (!isPlainObject(parsed)) throw refuse(Array.isArray(parsed) ? 'a JSON array' : 'another JSON value');
  return new Map(Object.entries(parsed));
}
