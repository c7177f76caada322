import { isPlainObject, isUnsafeInteger, mayRound, readJson } from '../../../kernel/index.ts';
import type { Message } from './message.ts';

/**
 * Parses a JSON-RPC message or a batch. Reads integers beyond ±(2^53−1) as strings of their digits. Such an integer stays a number
 * in `id`, `progressToken` and `requestId`, where a string would be another id; `messageProblem` refuses it. Throws SyntaxError.
 */
export function readMessage(text: string): unknown {
  // No number: this text has none of 16 digits, like nearly every message.
  if (!mayRound(text)) return JSON.parse(text);
  const message = readJson(text);
  const messages = [message].flat();
  if (!messages.some((each) => namesOf(each).some(({ holder, key }) => isDigits(holder[key])))) return message;
  // No number: parsed again only to see which of these ids are numbers.
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

/** Returns the members of a message that hold a request id or progress token. */
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

/** JSON of results that many requests share. An empty string is not serialized yet. */
const texts = new WeakMap<object, string>();

/** Marks a result to be serialized once for all its requests. It must not change any more. */
export function serializeOnce<T extends object>(result: T): T {
  if (!texts.has(result)) texts.set(result, '');
  return result;
}

/** Returns true for a result that is serialized once for all its requests. */
export function isSerializedOnce(result: object): boolean {
  return texts.has(result);
}

/** Returns the message as JSON. */
export function messageText(message: Message): string {
  const { id, result } = message as { readonly id?: unknown; readonly result?: object };
  const known = result === undefined ? undefined : texts.get(result);
  if (result === undefined || known === undefined) return JSON.stringify(message);
  const text = known === '' ? JSON.stringify(result) : known;
  if (known === '') texts.set(result, text);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${text}}`;
}

/** Returns the responses to a batch as JSON. */
export function batchText(messages: readonly Message[]): string {
  return `[${messages.map(messageText).join(',')}]`;
}
