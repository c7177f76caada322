import { createHash } from 'node:crypto';
import type { SpanAttributes } from '../../../../kernel/index.ts';
import type { Request } from '../../../shared/json-rpc/message.ts';
import { shownUri } from '../../../shared/telemetry/shown-uri.ts';
import { methodsOf } from '../methods/methods.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';

/** Maximum length of an id or a URI in an attribute. */
const maxText = 200;

/** A known tool or prompt, which is in the name of the span too, or a resource. */
export interface SpanTarget {
  readonly attribute: string;
  readonly value: string;
  readonly isInName: boolean;
}

/** Returns the target of a request. Undefined for a name that nothing has: it is the client's own text. */
export function targetOf({ catalog: { kernel } }: Connection, { method, params = {} }: Request): SpanTarget | undefined {
  const { name, uri } = params;
  if (method === 'resources/read' || method === 'resources/subscribe' || method === 'resources/unsubscribe')
    return typeof uri === 'string' ? { attribute: 'mcp.resource.uri', value: shownUri(kernel.mask(uri)), isInName: false } : undefined;
  if (typeof name !== 'string') return undefined;
  if (method === 'tools/call' && kernel.registry.tools.has(name)) return { attribute: 'gen_ai.tool.name', value: name, isInName: true };
  if (method === 'prompts/get' && kernel.registry.prompts.has(name))
    return { attribute: 'gen_ai.prompt.name', value: name, isInName: true };
  return undefined;
}

/** Returns the name of the span, which is one of a few. */
export function nameOf(connection: Connection, request: Request, target: SpanTarget | undefined): string {
  const method = methodOf(connection, request);
  return target?.isInName === true ? `${method} ${target.value}` : method;
}

/** Returns the attributes of the span. Secrets are masked, before long texts are cut. There is no argument and no result. */
export function attributesOf(
  connection: Connection,
  request: Request,
  { context }: Exchange,
  target: SpanTarget | undefined,
): SpanAttributes {
  const { kernel } = connection.catalog;
  const { network = 'pipe', session } = context.arrival;
  const shown = (text: string): string => kernel.mask(text).slice(0, maxText).toWellFormed();
  return {
    'mcp.method.name': methodOf(connection, request),
    'mcp.protocol.version': connection.revision.version,
    'jsonrpc.request.id': typeof request.id === 'number' ? String(request.id) : shown(request.id),
    'network.transport': network,
    ...(network === 'tcp' ? { 'network.protocol.name': 'http' } : {}),
    ...(request.method === 'tools/call' ? { 'gen_ai.operation.name': 'execute_tool' } : {}),
    ...(target === undefined ? {} : { [target.attribute]: target.value }),
    ...(session === undefined ? {} : { 'mcp.session.id': hashed(session) }),
  };
}

/** Returns the method, or `_OTHER` for one that the revision does not have. */
function methodOf({ revision }: Connection, { method }: Request): string {
  return methodsOf(revision).has(method) ? method : '_OTHER';
}

/** Returns 16 hexadecimal digits of the SHA-256 of a session's id. With the id itself a reader of the traces could use the session. */
function hashed(session: string): string {
  return createHash('sha256').update(session).digest('hex').slice(0, 16);
}
