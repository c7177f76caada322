import type { IncomingMessage } from 'node:http';

/** Headers of a request that a page can set and the endpoint reads, as they are written. */
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
} as const;

/** One for each parameter whose schema says `x-mcp-header`. */
const parameterPrefix = 'mcp-param-';

/** In lower case. */
export type ReadHeader = keyof typeof readHeaders | `${typeof parameterPrefix}${string}`;

export type WithHeaders = Pick<IncomingMessage, 'headers'>;

/** Returns a header of a request. The endpoint reads them here alone, so a preflight can allow all that it reads, and no other. */
export function requestHeader({ headers }: WithHeaders, name: ReadHeader): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the names that a preflight is answered with: what the endpoint reads, and of the headers of parameters those that it asks for. */
export function allowedHeaders({ headers }: WithHeaders): readonly string[] {
  const asked = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim());
  return [...Object.values(readHeaders), ...asked.filter(isParameterHeader)];
}

/** Token characters alone (RFC 9110, 5.6.2): nothing else may go back in a header. */
function isParameterHeader(name: string): boolean {
  return name.toLowerCase().startsWith(parameterPrefix) && /^[!#$%&'*+.^_`|~0-9a-z-]+$/i.test(name);
}
