import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from '../loopback.ts';
import type { Members, Parameters } from './token-grants.ts';

export type Script =
  /** Answers this instead of tokens; a string as it is, else JSON. The server does not act. */
  | { readonly answer: { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body: unknown } }
  /** Acts (rotates), and ends the connection without an answer. */
  | 'lose'
  /** Acts, and changes the answer. */
  | { readonly change: (answer: Members) => unknown }
  /** Refuses with what is made of the request. The server does not act. */
  | { readonly refuse: (parameters: Parameters) => unknown; readonly status?: number }
  /** Writes to the response itself. The server does not act. */
  | { readonly respond: (response: ServerResponse, request: IncomingMessage) => void };

/** Writes a scripted answer. */
export function write(
  response: ServerResponse,
  { status = 200, headers = {}, body }: Extract<Script, { answer: unknown }>['answer'],
): void {
  if (typeof body === 'string') response.writeHead(status, headers).end(body);
  else json(response, body, status, headers);
}
