import type { Message } from './message.ts';

/** JSON of results that many requests share. An empty string is not serialized yet. */
const texts = new WeakMap<object, string>();

/** Marks a result to be serialized once for all its requests. It must not change any more. */
export function serializeOnce<T extends object>(result: T): T {
  if (!texts.has(result)) texts.set(result, '');
  return result;
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
