import { isPlainObject } from '../../../kernel/index.ts';
import type { Connection } from './connection.ts';
import type { Exchange } from './exchange.ts';
import { errorCodes, protocolVersions, type Request } from './messages.ts';
import { ProtocolError, toProtocolError } from './protocol-error.ts';
import { callTool, listTools } from './tools.ts';

/** What answers a request. It throws ProtocolError, or anything else, which the client is told as an internal error. */
export type Answer = (connection: Connection, params: Readonly<Record<string, unknown>>, exchange: Exchange) => object | Promise<object>;

const instructions =
  'Tools are named <provider>_<verb>_<noun>. Before you first use the tools of a provider, read its skill with toolkit_get_skill, where that tool is listed, or as the resource skill://<provider>/SKILL.md.';

/** What this program calls itself. */
export const serverIdentity = (version: string) => ({ name: 'toolkit', version });

/** What a server says of itself. */
export const serverFacts = (version: string) => ({
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

/** By method, what is answered without the protocol library: what clients ask when they begin, and most often afterwards. */
export const answers: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['initialize', initialize],
  ['ping', () => ({})],
  ['tools/list', counted(listTools)],
  // It counts itself: too many are a result that a model can read.
  ['tools/call', callTool],
]);

function initialize({ version }: Connection, params: Readonly<Record<string, unknown>>): object {
  const wrong = openingFlaw(params);
  if (wrong !== undefined) throw new ProtocolError(errorCodes.invalidParams, wrong);
  return { protocolVersion: agreedVersion(params['protocolVersion']), ...serverFacts(version) };
}

/** The version that a client asks for, where it is spoken here; otherwise the newest one. */
export function agreedVersion(asked: unknown): string {
  const [newest = ''] = protocolVersions;
  return protocolVersions.find((known) => known === asked) ?? newest;
}

/** Whether it is an `initialize` that can be answered. */
export function isOpening(message: Readonly<Record<string, unknown>>): message is Request {
  const { method, id, params } = message;
  return method === 'initialize' && id !== undefined && openingFlaw(params) === undefined;
}

/** What is wrong with the parameters of an `initialize`, in words; undefined where nothing is. */
export function openingFlaw(params: unknown): string | undefined {
  const wrong = openingProblems(isPlainObject(params) ? params : {});
  return wrong.length === 0 ? undefined : `The request initialize is wrong: ${wrong.join('; ')}`;
}

function openingProblems({ protocolVersion, capabilities, clientInfo }: Readonly<Record<string, unknown>>): readonly string[] {
  const { name, version } = (isPlainObject(clientInfo) ? clientInfo : {}) as Readonly<Record<string, unknown>>;
  return [
    ...(typeof protocolVersion === 'string' ? [] : ['protocolVersion: expected a text']),
    ...(isPlainObject(capabilities) ? [] : ['capabilities: expected an object']),
    ...(typeof name === 'string' && typeof version === 'string' ? [] : ['clientInfo: expected an object with "name" and "version"']),
  ];
}

/** An answer that counts among the requests of its tenant while it is made. */
export function counted(answer: (connection: Connection, params: Readonly<Record<string, unknown>>) => object | Promise<object>): Answer {
  return (connection, params) => {
    const end = takeRequest(connection);
    let result: object | Promise<object> | undefined;
    try {
      result = answer(connection, params);
      return result instanceof Promise ? result.finally(end) : result;
    } finally {
      if (!(result instanceof Promise)) end();
    }
  };
}

/** Counts a request among those of its tenant, until what is returned is called. Throws what its client is told where too many run. */
export function takeRequest({ catalog, shares, tenant }: Connection): () => void {
  try {
    return shares.take(tenant, 'requests');
  } catch (error) {
    throw toProtocolError(catalog.kernel, error);
  }
}
