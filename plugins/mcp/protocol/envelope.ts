import { isPlainObject } from '../../../kernel/index.ts';

/** Why it is not a message (JSON-RPC 2.0, sections 4 and 5; MCP, Base Protocol, Messages); undefined when it is one. */
export function messageProblem(message: unknown): string | undefined {
  if (!isPlainObject(message) || message['jsonrpc'] !== '2.0') return 'expected an object with "jsonrpc": "2.0"';
  const { id, method, params, result, error } = message;
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) return 'expected "id" to be a text or a whole number';
  if (params !== undefined && !isPlainObject(params)) return 'expected "params" to be an object';
  if (method === 'initialize' && id === undefined) return 'expected an "id" in "initialize"';
  if (method !== undefined) return typeof method === 'string' ? undefined : 'expected "method" to be a text';
  const isAnswer = (isPlainObject(result) ? 1 : 0) + (isPlainObject(error) ? 1 : 0) === 1;
  return isAnswer && id !== undefined ? undefined : 'expected a "method", or an "id" with a "result" or an "error"';
}
