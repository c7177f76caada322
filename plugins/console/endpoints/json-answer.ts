import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { safeHeaders } from '../headers.ts';

/** Returns a response in JSON. */
export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpRouteResponse {
  return {
    status,
    headers: { ...safeHeaders, 'content-type': 'application/json', ...headers },
    body: `${JSON.stringify(value) ?? 'null'}\n`,
  };
}

/** Returns a response with an error. */
export function errorAnswer(
  status: number,
  code: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): HttpRouteResponse {
  return jsonAnswer(status, { error: { code, message } }, headers);
}
