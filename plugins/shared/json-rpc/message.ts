import { isPlainObject, isUnsafeInteger, mayRound, readJson } from '../../../kernel/index.ts';

export type RequestId = string | number;

export type Parameters = Readonly<Record<string, unknown>>;

export interface Request {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Parameters | undefined;
}

export interface Notification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Parameters | undefined;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

/** Outcome of a request, as a member of its response. */
export type Outcome = { readonly result: object } | { readonly error: ErrorObject };

export type Response = { readonly jsonrpc: '2.0'; readonly id: RequestId } & Outcome;

export type Message = Request | Notification | Response;

/** Sends messages to the other side. */
export interface Wire {
  /** Sends a message, or drops it when it cannot be sent. `request`: id of the request that it belongs to, if any. */
  send(message: Message, request?: RequestId): void;
}

/** Error codes of JSON-RPC 2.0, section 5.1. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
} as const;

export function isRequest(message: object | undefined): message is Request {
  const { method, id } = (message ?? {}) as Partial<Request>;
  return method !== undefined && id !== undefined;
}

/** Describes why a value is not a message (JSON-RPC 2.0, sections 4 and 5; MCP, Base Protocol, Messages); undefined for a message. */
export function messageProblem(message: unknown): string | undefined {
  if (!isPlainObject(message) || message['jsonrpc'] !== '2.0') return 'expected an object with "jsonrpc": "2.0"';
  const { id, method, params, result, error } = message;
  const large = unsafeIdMember(message);
  if (large !== undefined) return `expected "${large}" to be a text, or an integer up to 2^53−1, because a larger one loses digits`;
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) return 'expected "id" to be a text or a whole number';
  if (params !== undefined && !isPlainObject(params)) return 'expected "params" to be an object';
  if (method === 'initialize' && id === undefined) return 'expected an "id" in "initialize"';
  if (method !== undefined) return typeof method === 'string' ? undefined : 'expected "method" to be a text';
  const isAnswer = (isPlainObject(result) ? 1 : 0) + (isPlainObject(error) ? 1 : 0) === 1;
  return isAnswer && id !== undefined ? undefined : 'expected a "method", or an "id" with a "result" or an "error"';
}

/** Returns the name of the member whose request id or progress token is a number too large for a double; undefined for none. */
function unsafeIdMember({ id, params }: Parameters): string | undefined {
  if (isLarge(id)) return 'id';
  if (!isPlainObject(params)) return undefined;
  const { requestId, progressToken, _meta: meta } = params;
  if (isLarge(requestId)) return 'requestId';
  return isLarge(progressToken) || (isPlainObject(meta) && isLarge(meta['progressToken'])) ? 'progressToken' : undefined;
}

function isLarge(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
}

/** Returns true for a notification or a response, even a malformed one: they never get a response (JSON-RPC 2.0, 4.1 and 5). */
export function isUnanswered(message: unknown): boolean {
  if (!isPlainObject(message)) return false;
  const { id, method } = message;
  return method === undefined
    ? 'result' in message || 'error' in message
    : typeof method === 'string' && id === undefined && method !== 'initialize';
}

/** Returns the id for an error about a message: the request id where it can be read, else null (JSON-RPC 2.0, 5). */
export function errorResponseId(message: unknown): RequestId | null {
  const id = isPlainObject(message) && !isUnanswered(message) ? message['id'] : undefined;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as RequestId) : null;
}

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
