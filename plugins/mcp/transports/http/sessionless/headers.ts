import { isPlainObject, type Tool } from '../../../../../kernel/index.ts';
import type { Request } from '../../../../shared/json-rpc/message.ts';
import { RpcError } from '../../../../shared/json-rpc/rpc-error.ts';
import type { Catalog } from '../../../protocol/catalog/catalog.ts';
import { requestedVersion } from '../../../protocol/clients/envelope.ts';
import { mcpErrorCodes } from '../../../protocol/errors.ts';
import { type ReadHeader, requestHeader, type WithHeaders } from '../request-headers.ts';

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

/** A parameter that clients repeat in a header. `x-mcp-header` in its schema names the header. */
interface RepeatedParameter {
  readonly path: readonly string[];
  /** Name of the header in lower case. */
  readonly header: ReadHeader;
}

const known = new WeakMap<Tool, readonly RepeatedParameter[]>();

/** Throws -32020 unless the headers repeat the parameters as the tool requires (MCP 2026-07-28, Streamable HTTP, Custom Headers). */
export function checkParameterHeaders(
  request: WithHeaders,
  { method, params }: Request,
  { kernel, isVisible }: Pick<Catalog, 'kernel' | 'isVisible'>,
): void {
  if (method !== 'tools/call') return;
  const { name, arguments: sentParameters } = params as Readonly<Record<string, unknown>>;
  const tool = kernel.registry.tools.get(name as string);
  for (const { path, header } of tool !== undefined && isVisible(tool) ? repeatedParameters(tool) : []) {
    const value = path.reduce<unknown>((at, key) => (isPlainObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), sentParameters);
    const sent = requestHeader(request, header);
    if (value === undefined || value === null) {
      if (sent !== undefined) throw mismatch(`${header} is there, and the body has no "${path.join('.')}"`);
      continue;
    }
    if (sent === undefined) throw mismatch(`${header} is missing: the body has "${path.join('.')}"`);
    if (headerValue(sent) !== String(value)) throw mismatch(`${header} is not what the body has as "${path.join('.')}"`);
  }
}

function repeatedParameters(tool: Tool): readonly RepeatedParameter[] {
  let found = known.get(tool);
  if (found === undefined) {
    found = [...parametersIn(tool.inputSchema, [])];
    known.set(tool, found);
  }
  return found;
}

function* parametersIn(schema: unknown, path: readonly string[]): Generator<RepeatedParameter> {
  const properties = isPlainObject(schema) ? schema['properties'] : undefined;
  for (const [name, property] of isPlainObject(properties) ? Object.entries(properties) : []) {
    const header = isPlainObject(property) ? property['x-mcp-header'] : undefined;
    if (typeof header === 'string') yield { path: [...path, name], header: `mcp-param-${header.toLowerCase()}` };
    yield* parametersIn(property, [...path, name]);
  }
}

/** Encoded form of a value that no header can hold (MCP 2026-07-28, Streamable HTTP, Value Encoding). */
const encoded = /^=\?base64\?(.*)\?=$/s;

/** Returns the decoded value of a header; undefined when its Base64 is not canonical (RFC 4648, 4). */
function headerValue(header: string): string | undefined {
  const text = encoded.exec(header)?.[1];
  if (text === undefined) return header;
  const bytes = Buffer.from(text, 'base64');
  // Own text: it must equal a parameter, so a replaced character makes it differ.
  return bytes.toString('base64') === text ? bytes.toString('utf8') : undefined;
}

function mismatch(problem: string): RpcError {
  return new RpcError(mcpErrorCodes.headerMismatch, `The headers of the request are not those of its body: ${problem}.`);
}

function displayText(value: unknown): string {
  return JSON.stringify(String(value).slice(0, 100));
}
