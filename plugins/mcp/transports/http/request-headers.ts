import type { IncomingMessage } from 'node:http';
import type { Arrival } from '../../protocol/clients/arrival.ts';
import { grantOf } from './authorization/grant.ts';

/** Request headers that a page can set and the endpoint reads, in their usual case. */
const readHeaders = {
  accept: 'Accept',
  authorization: 'Authorization',
  'content-encoding': 'Content-Encoding',
  'content-type': 'Content-Type',
  'last-event-id': 'Last-Event-ID',
  'mcp-method': 'Mcp-Method',
  'mcp-name': 'Mcp-Name',
  'mcp-protocol-version': 'MCP-Protocol-Version',
  'mcp-session-id': 'Mcp-Session-Id',
  traceparent: 'Traceparent',
  tracestate: 'Tracestate',
} as const;

/** Prefix of the headers for parameters whose schema has `x-mcp-header`. */
const parameterPrefix = 'mcp-param-';

/** Name of such a header in lower case. */
export type ReadHeader = keyof typeof readHeaders | `${typeof parameterPrefix}${string}`;

export type WithHeaders = Pick<IncomingMessage, 'headers'>;

/** Returns a header of a request. Only this function reads headers, so a preflight allows exactly those that are read. */
export function requestHeader({ headers }: WithHeaders, name: ReadHeader): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns what a request tells beside its message. Its place in a trace is read on first use. */
export function arrivalOf(request: IncomingMessage, session?: string): Arrival {
  return {
    scopes: grantOf(request)?.scopes,
    network: 'tcp',
    ...(session === undefined ? {} : { session }),
    get trace() {
      const traceparent = requestHeader(request, 'traceparent');
      const tracestate = requestHeader(request, 'tracestate');
      return traceparent === undefined ? undefined : { traceparent, ...(tracestate === undefined ? {} : { tracestate }) };
    },
  };
}

/** Returns the header names that a preflight allows: those that the endpoint reads, and the requested headers of parameters. */
export function allowedHeaders({ headers }: WithHeaders): readonly string[] {
  const asked = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  return [...Object.values(readHeaders), ...asked.filter(isParameterHeader)];
}

/** Allows token characters only (RFC 9110, 5.6.2), because the name goes back in a header. */
function isParameterHeader(name: string): boolean {
  return name.toLowerCase().startsWith(parameterPrefix) && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name);
}
