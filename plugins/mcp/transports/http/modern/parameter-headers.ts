import { isPlainObject, type Tool } from '../../../../../kernel/index.ts';
import type { Request } from '../../../../shared/json-rpc/message.ts';
import type { Catalog } from '../../../protocol/catalog/catalog.ts';
import { type ReadHeader, requestHeader, type WithHeaders } from '../request-headers.ts';
import { mismatch } from './header-checks.ts';
import { headerValue } from './header-value.ts';

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
