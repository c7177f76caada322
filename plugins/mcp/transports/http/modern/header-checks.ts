import type { Request } from '../../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../../shared/json-rpc/rpc-error.ts';
import { requestedVersion } from '../../../protocol/clients/envelope.ts';
import { mcpErrorCodes } from '../../../protocol/errors.ts';
import { requestHeader, type WithHeaders } from '../request-headers.ts';
import { headerValue } from './header-value.ts';

/** Member of the parameters that Mcp-Name repeats, by method. */
const nameMembers: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
]);

/**
 * Throws -32020 unless the headers match the body (MCP 2026-07-28, Streamable HTTP, Standard Headers): a proxy that decides by
 * headers must decide about the same request.
 */
export function checkHeaders(request: WithHeaders, { method, params }: Request): void {
  const version = requestedVersion(params);
  if (version !== undefined) compare('MCP-Protocol-Version', requestHeader(request, 'mcp-protocol-version'), version);
  compare('Mcp-Method', requestHeader(request, 'mcp-method'), method);
  const member = nameMembers.get(method);
  const name = member === undefined ? undefined : params?.[member];
  if (typeof name === 'string') compare('Mcp-Name', requestHeader(request, 'mcp-name'), name);
}

function compare(name: string, header: string | undefined, expected: unknown): void {
  if (header === undefined) throw mismatch(`${name} is missing: expected ${displayText(expected)}`);
  const value = name === 'Mcp-Name' ? headerValue(header) : header;
  if (value !== expected) throw mismatch(`${name} is ${displayText(header)}, and the body says ${displayText(expected)}`);
}

export function mismatch(problem: string): RpcError {
  return new RpcError(mcpErrorCodes.headerMismatch, `The headers of the request are not those of its body: ${problem}.`);
}

function displayText(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 100));
}
