import { isPlainObject, readJson, type ToolkitError } from '../../kernel/index.ts';
import type { StoredValues } from '../shared/remote-secrets/remote-store.ts';
import { refusal } from '../shared/remote-secrets/store-failure.ts';

/** The answer of the SDK. A server that is not AWS may have put anything there. */
interface SecretAnswer {
  readonly SecretString?: unknown;
  readonly SecretBinary?: unknown;
}

/**
 * Returns the values of the JSON object in an answer, by name. Throws SECRET_STORE_UNAVAILABLE, not retryable, for any other
 * content, which the message never shows.
 */
export function valuesIn({ SecretString: text, SecretBinary: binary }: SecretAnswer, label: string): StoredValues {
  const refuse = (received: string): ToolkitError =>
    refusal(
      `${label} cannot be used: expected text with a JSON object of names and values, received ${received}. Store {"NAME": "value"} as its secret string.`,
    );
  if (typeof text !== 'string') throw refuse(binary === undefined ? 'no text' : 'a binary value');
  let parsed: unknown;
  try {
    parsed = readJson(text);
  } catch {
    throw refuse('text that is not JSON');
  }
  if (!isPlainObject(parsed)) throw refuse(Array.isArray(parsed) ? 'a JSON array' : 'another JSON value');
  return new Map(Object.entries(parsed));
}
