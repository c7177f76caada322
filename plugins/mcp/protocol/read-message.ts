import { isPlainObject, isUnsafeInteger, mayRound, readJson } from '../../../kernel/index.ts';

/**
 * Reads a message of JSON-RPC, or a list of them, with integers beyond ±(2^53−1) as texts of their digits. Where such an integer names a request
 * (`id`, `progressToken`, `requestId`) it stays a number, which `messageProblem` refuses: a text would be another name. Throws SyntaxError.
 */
export function readMessage(text: string): unknown {
  // No number: of 16 digits stands in it, as in nearly every message
  if (!mayRound(text)) return JSON.parse(text);
  const message = readJson(text);
  const messages = [message].flat();
  if (!messages.some((each) => namesOf(each).some(({ holder, key }) => isDigits(holder[key])))) return message;
  // No number: only which of these are numbers.
  const numbers = [JSON.parse(text) as unknown].flat();
  for (const [index, each] of messages.entries()) {
    const written = namesOf(numbers[index]);
    for (const [at, { holder, key }] of namesOf(each).entries()) {
      const value = written[at]?.holder[key];
      if (isDigits(holder[key]) && typeof value === 'number') holder[key] = value;
    }
  }
  return message;
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && isUnsafeInteger(value);
}

interface Name {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** The places of a message by which requests are named. */
function namesOf(message: unknown): readonly Name[] {
  if (!isPlainObject(message)) return [];
  const { params } = message;
  if (!isPlainObject(params)) return [{ holder: message, key: 'id' }];
  const { _meta: meta } = params;
  return [
    { holder: message, key: 'id' },
    { holder: params, key: 'requestId' },
    { holder: params, key: 'progressToken' },
    ...(isPlainObject(meta) ? [{ holder: meta, key: 'progressToken' }] : []),
  ];
}
