import { isPlainObject } from '../../../../kernel/index.ts';
import { errorCodes, protocolVersions, type Request } from '../../../shared/json-rpc/message.ts';
import type { Connection } from '../clients/connection.ts';
import type { Exchange } from '../clients/exchange.ts';
import { ProtocolError, toProtocolError } from '../protocol-error.ts';
import { callTool, listTools } from './tools.ts';

/** Handler of a request. Throws ProtocolError; any other error reaches the client as an internal error. */
export type Answer = (connection: Connection, params: Readonly<Record<string, unknown>>, exchange: Exchange) => object | Promise<object>;

const instructions =
  'Tools are named <provider>_<verb>_<noun>. Before you first use the tools of a provider, read its skill with toolkit_get_skill, where that tool is listed, or as the resource skill://<provider>/SKILL.md.';

/** Returns the name and version of this program. */
export const serverIdentity = (version: string) => ({ name: 'toolkit', version });

/** Returns the server's description of itself. */
export const describeServer = (version: string) => ({
  serverInfo: serverIdentity(version),
  capabilities: {
    tools: { listChanged: true },
    resources: { listChanged: true, subscribe: true },
    prompts: { listChanged: true },
    completions: {},
    logging: {},
  },
  instructions,
});

/** Handlers by method for the requests that need no protocol library: the first and the most frequent requests of clients. */
export const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['initialize', initialize],
  ['ping', () => ({})],
  ['tools/list', counted(listTools)],
  // `callTool` counts its request itself: when too many run, the model gets a result that it can read.
  ['tools/call', callTool],
]);

function initialize({ version }: Connection, params: Readonly<Record<string, unknown>>): object {
  const invalidReason = initializeError(params);
  if (invalidReason !== undefined) throw new ProtocolError(errorCodes.invalidParams, invalidReason);
  return { protocolVersion: negotiateVersion(params['protocolVersion']), ...describeServer(version) };
}

/** Returns the requested protocol version if the server supports it, else the newest version. */
export function negotiateVersion(requestedVersion: unknown): string {
  const [newest = ''] = protocolVersions;
  return protocolVersions.find((known) => known === requestedVersion) ?? newest;
}

/** Returns true for a valid `initialize` request. */
export function isInitialize(message: object): message is Request {
  const { method, id, params } = message as Partial<Request>;
  return method === 'initialize' && id !== undefined && initializeError(params) === undefined;
}

/** Describes the issue in the parameters of an `initialize` request; undefined when they are valid. */
export function initializeError(params: unknown): string | undefined {
  const issues = initializeIssues(isPlainObject(params) ? params : {});
  return issues.length === 0 ? undefined : `The request initialize is wrong: ${issues.join('; ')}`;
}

function initializeIssues({ protocolVersion, capabilities, clientInfo }: Readonly<Record<string, unknown>>): readonly string[] {
  const { name, version } = (isPlainObject(clientInfo) ? clientInfo : {}) as Readonly<Record<string, unknown>>;
  return [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion: expected a text']),
    ...(isPlainObject(capabilities) ? [] : ['capabilities: expected an object']),
    ...(typeof name === 'string' && typeof version === 'string' ? [] : ['clientInfo: expected an object with "name" and "version"']),
  ];
}

/** Returns a handler that counts its request against the tenant's limit while it runs. */
export function counted(answer: (connection: Connection, params: Readonly<Record<string, unknown>>) => object | Promise<object>): Answer {
  return (connection, params) => {
    const end = countRequest(connection);
    let result: object | Promise<object> | undefined;
    try {
      result = answer(connection, params);
      return result instanceof Promise ? result.finally(end) : result;
    } finally {
      if (!(result instanceof Promise)) end();
    }
  };
}

/** Counts a request against the tenant's limit. Returns the function that ends this. Throws the client's error when too many run. */
export function countRequest({ catalog, shares, tenant }: Connection): () => void {
  try {
    return shares.take(tenant, 'requests');
  } catch (error) {
    throw toProtocolError(catalog.kernel, error);
  }
}
