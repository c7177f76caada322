import Type from 'typebox';
import { checkValue, isPlainObject } from '../../../../kernel/index.ts';
import type { Parameters, Request } from '../../../shared/json-rpc/message.ts';
import { malformedRequest } from '../../../shared/json-rpc/rpc-error.ts';
import { Capabilities, ClientInfo, isCapabilities, isClientInfo } from '../clients/client-description.ts';
import type { Connection } from '../clients/connection.ts';
import { negotiateRevision, type Revision, requestVersions } from '../revisions.ts';
import { tasksCapability } from '../tasks/extension.ts';
import { isMeta, listCaching, type Method, method, paramsOf } from './method.ts';
import { skillsCapability } from './skills.ts';

const instructions =
  'Tools are named <provider>_<verb>_<noun>. Before you first use the tools of a provider, read its skill with toolkit_get_skill, where that tool is listed, or as the resource skill://<provider>/SKILL.md.';

const capabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
} as const;

/** Returns the name and version of this program. */
export const serverIdentity = (version: string) => ({ name: 'toolkit', version });

const hasSessions = (revision: Revision): boolean => revision.hasSessions;

const InitializeParams = paramsOf({
  protocolVersion: Type.String(),
  capabilities: Capabilities,
  clientInfo: ClientInfo,
});

/** The first requests of a client. */
export const lifecycleMethods: Readonly<Record<string, Method>> = {
  initialize: {
    params: InitializeParams,
    fits: fitsInitialize,
    isIn: hasSessions,
    isCounted: false,
    answer: ({ version, catalog }, { protocolVersion }) => ({
      protocolVersion: negotiateRevision(protocolVersion).version,
      serverInfo: serverIdentity(version),
      capabilities,
      instructions: instructionsOf(catalog),
    }),
  },
  ping: method({ params: paramsOf({}), isIn: hasSessions, isCounted: false, answer: () => ({}) }),
  'server/discover': {
    params: paramsOf({}),
    isIn: (revision) => !revision.hasSessions,
    isCounted: false,
    caching: listCaching,
    answer: ({ catalog }) => ({
      supportedVersions: requestVersions,
      capabilities: { ...capabilities, extensions: { ...tasksCapability.extensions, ...skillsCapability } },
      instructions: instructionsOf(catalog),
    }),
  },
};

/** Returns the instructions, with a notice when tools or skills are withheld: a client must not take the shorter list for all there is. */
function instructionsOf({ kernel }: Connection['catalog']): string {
  const { withheld, withheldSkills } = kernel.registry;
  const count = withheld.size + withheldSkills.size;
  if (count === 0) return instructions;
  const notice = `${count === 1 ? 'One tool or skill is' : `${count} tools or skills are`} withheld until a person accepts ${count === 1 ? 'it' : 'them'}: tell the person you work for that "toolkit tools pending" shows the operator what differs.`;
  return `${instructions} ${notice}`;
}

/** Returns true for a valid `initialize` request. */
export function isInitialize(message: object): message is Request {
  const { method: name, id, params } = message as Partial<Request>;
  return name === 'initialize' && id !== undefined && initializeError(params) === undefined;
}

/** Describes the issue in the parameters of an `initialize` request; undefined when they are valid. */
export function initializeError(params: unknown): string | undefined {
  const given = isPlainObject(params) ? params : {};
  return fitsInitialize(given) ? undefined : malformedRequest('initialize', checkValue(InitializeParams, given)).message;
}

/** Returns true for parameters that match the schema, without its compiler: a start waits for this. */
function fitsInitialize({ protocolVersion, capabilities: declared, clientInfo, _meta }: Parameters): boolean {
  return typeof protocolVersion === 'string' && isCapabilities(declared) && isClientInfo(clientInfo) && isMeta(_meta);
}

/** Returns the client's description of itself in an `initialize` request. */
export function clientIn({ params = {} }: Request): Connection['client'] {
  const { capabilities: declared, clientInfo } = params as Readonly<Record<string, Parameters | undefined>>;
  const name = clientInfo?.['name'];
  return { capabilities: declared ?? {}, ...(typeof name === 'string' ? { name } : {}) };
}
