import { isPlainObject } from '../../kernel/index.ts';
import type { SeenRequest } from '../support/loopback.ts';
import type { ProviderFixture, Sent } from './fixture-shapes.ts';

/** A request without what the transport adds to it. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Headers that the transport adds to every request. */
const ofTransport = ['host', 'connection', 'accept-encoding', 'accept-language', 'sec-fetch-mode', 'content-length', 'transfer-encoding'];
const defaults: Readonly<Record<string, string>> = { accept: '*/*', 'user-agent': 'node' };

export function shown({ method, url, headers, body }: SeenRequest): WireRequest {
  const own = Object.entries(headers).filter(([name, value]) => !ofTransport.includes(name) && defaults[name] !== value);
  return {
    method,
    path: url,
    headers: Object.fromEntries(own),
    body: isJson(headers['content-type']) && body !== '' ? JSON.parse(body) : body,
  };
}

/** Returns the request that a fixture expects. A placeholder for any text is replaced by the received text. */
export function expected(sent: Sent, { base_path: basePath = '', headers: common }: ProviderFixture, seen?: SeenRequest): WireRequest {
  const received = seen === undefined ? undefined : shown(seen).body;
  return {
    method: sent.method,
    path: basePath + sent.path,
    headers: { ...common, ...sent.headers },
    body: sent.body === undefined ? '' : withTextOf(sent.body, received),
  };
}

/** The expected value, with what was received wherever it says `*` and that is a text. */
function withTextOf(wanted: unknown, received: unknown): unknown {
  if (wanted === '*' && typeof received === 'string' && received !== '') return received;
  if (!isPlainObject(wanted) || !isPlainObject(received)) return wanted;
  return Object.fromEntries(Object.entries(wanted).map(([key, value]) => [key, withTextOf(value, received[key])]));
}

function isJson(contentType: string | undefined): boolean {
  return contentType !== undefined && /[/+]json\b/.test(contentType);
}
