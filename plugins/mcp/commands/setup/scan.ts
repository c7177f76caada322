import { type ApprovalProof, type CredentialNeed, type Kernel, type Provider, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { approvalPractice } from '../../../shared/approval/approval-practice.ts';
import type { Exposure, ListSize } from '../../../shared/exposure/exposure.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { decideToolAccess, searchTools } from '../../../shared/exposure/tool-access.ts';
import { toolFilter } from '../../../shared/exposure/tool-filter.ts';
import { exposedLists, sizeOf } from '../../../shared/exposure/tool-lists.ts';
import { clientValues, refreshTokenName } from '../../../shared/oauth/client-values.ts';
import { connectedSecrets } from '../../../shared/oauth/connected-secrets.ts';
import { loginProvider } from '../../../shared/oauth/login-hint.ts';
import { findSecrets, secretNames } from '../../../shared/secrets/secret-findings.ts';
import type { McpOptions } from '../../options.ts';
import { configuredOptions } from '../configured-options.ts';

/** Value that tools need for a service: a credential, a host, an account id. */
export interface Variable {
  readonly name: string;
  /** True when at least one tool cannot run without it. */
  readonly isRequired: boolean;
  /** Resolver that has the value, such as `env`, or `account`, whose value comes first; absent when it is missing. */
  readonly source?: string;
  /** Command of the login that would supply it; absent when it is not missing, or no login supplies it. */
  readonly login?: string;
  readonly description?: string;
  /** False for a value that may be shown, such as a host. */
  readonly isSecret: boolean;
  /** Variables that make this one unnecessary when they are set. */
  readonly alternatives: readonly string[];
}

/** The tools of one provider. */
export interface ToolGroup {
  /** Provider name; `core` for the built-in tools, `none` for tools without a provider. */
  readonly name: string;
  readonly tools: readonly string[];
  /** Page that explains how to get the credentials. */
  readonly documentationUrl?: string;
  /** Scopes that the credentials need, of all tools together. */
  readonly scopes: readonly string[];
  readonly variables: readonly Variable[];
}

/** Group name of the built-in tools. */
export const core = 'core';

export interface Scan {
  readonly groups: readonly ToolGroup[];
  /** Names of all tools, including those that the configuration does not offer. */
  readonly known: readonly string[];
  /** Tools that require approval. */
  readonly gated: readonly string[];
  /** True when the configuration decides who approves, so that the setup need not. */
  readonly configuresApproval: boolean;
  /** True when there are search tools, so that a client can be listed only those. */
  readonly canSearch: boolean;
  /** Options of the MCP server in the configuration. */
  readonly server: McpOptions;
  /** Returns the sizes of the tool lists of a server that offers these tools. @default proof: that of the configuration */
  listSizes(chosen: readonly string[], proof?: ApprovalProof): ListSizes;
}

/** `search` is absent without search tools. */
export type ListSizes = Partial<Record<Exposure, ListSize>> & { readonly all: ListSize };

/** Collects the tools that the configured server would offer, and the secrets that they need. Throws CONFIG_INVALID when there are none. */
export async function scan(kernel: Kernel): Promise<Scan> {
  const server = configuredOptions(kernel);
  const { registry, approvalProof } = kernel;
  const known = [...registry.tools.values()].filter(({ definition }) => definition.listed !== 'search');
  const tools = known.filter(toolFilter(server.tools, server.excludeTools, registry.tools.keys()));
  const canSearch = searchTools(server.excludeTools, registry).length > 0;
  if (tools.length === 0)
    throw new ToolkitError(
      'CONFIG_INVALID',
      'There are no tools to offer. "toolkit new tool" writes one, "toolkit doctor" shows where tools are searched.',
    );
  await kernel.resolveSecrets(secretNames(tools));
  const connected = await connectedSecrets(kernel, secretNames(tools));
  const names = [...new Set(tools.map(providerOf))].sort();
  const groups = await Promise.all(
    names.map((name) => {
      const own = tools.filter((tool) => providerOf(tool) === name);
      return createGroup(kernel, { name, tools: own, connected });
    }),
  );
  return {
    groups,
    known: known.map(({ name }) => name),
    gated: tools.filter(({ definition }) => (definition.requires_approval ?? false) !== false).map(({ name }) => name),
    configuresApproval: !kernel.facts(approvalPractice).some(({ value }) => value.kind === 'gate' && value.isDefault),
    canSearch,
    server,
    listSizes(chosen, proof = approvalProof) {
      const offer = decideToolAccess({ ...server, tools: chosen, expose: canSearch ? 'search' : 'all' }, registry);
      const { all, search } = exposedLists(registry, offer, proof);
      return { all: sizeOf(all), ...(canSearch ? { search: sizeOf(search) } : {}) };
    },
  };
}

interface GroupParts {
  readonly name: string;
  readonly tools: readonly Tool[];
  /** Secrets that an account supplies. */
  readonly connected: ReadonlySet<string>;
}

async function createGroup(kernel: Kernel, { name, tools, connected }: GroupParts): Promise<ToolGroup> {
  const definition = tools[0]?.provider?.definition;
  const documentationUrl = definition?.provider.documentation_url;
  const scopes = tools.flatMap((tool) => tool.definition.authentication?.required_scopes ?? []);
  const variables = findSecrets(kernel, tools, connected).map(({ secret, required, resolver, account, login }) => {
    const source = account === true ? 'account' : resolver === undefined ? undefined : sourceOf(resolver);
    const description = definition?.parameter_mapping?.find(({ env_pattern: pattern }) => pattern === secret)?.description;
    const needs = tools.flatMap(({ credentials }) =>
      credentials.filter((need) => need.secret === secret).map((need) => ({ need, others: credentials })),
    );
    return {
      name: secret,
      isRequired: required,
      isSecret: needs.some(({ need }) => need.isSecret),
      alternatives: [...new Set(needs.flatMap(({ need, others }) => alternativesOf(need, others)))],
      ...(source === undefined ? {} : { source }),
      ...(login === undefined ? {} : { login }),
      ...(description === undefined ? {} : { description }),
    };
  });
  return {
    name,
    tools: tools.map((tool) => tool.name),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
    scopes: [...new Set(scopes)].sort(),
    variables: [...variables, ...(await loginVariables(kernel, variables, tools[0]?.provider))],
  };
}

/** Returns the variables that keep a connected account alive: without the client that it belongs to no server can use it. */
async function loginVariables(kernel: Kernel, variables: readonly Variable[], own: Provider | undefined): Promise<readonly Variable[]> {
  const supplied = variables.filter(({ source }) => source === 'account').map(({ name }) => name);
  const provider = supplied.length === 0 ? undefined : loginProvider(kernel, supplied, own);
  if (provider === undefined) return [];
  const refreshToken = refreshTokenName(provider.name);
  await kernel.resolveSecrets([refreshToken]);
  const names = [...(await clientValues(kernel, provider)).map(({ name }) => name), refreshToken];
  return names.flatMap((name) => {
    const resolver = kernel.resolverOf(name);
    const isKnown = resolver === undefined || variables.some((variable) => variable.name === name);
    return isKnown ? [] : [{ name, isRequired: true, isSecret: true, alternatives: [], source: sourceOf(resolver) }];
  });
}

/** Lists the secrets that make this one unnecessary. */
function alternativesOf({ name: own, unless, deriveFrom, anyOf = [] }: CredentialNeed, others: readonly CredentialNeed[]): string[] {
  const alone = anyOf.filter((group) => group.length === 1 && !group.includes(own)).flat();
  return others.filter(({ name }) => name === unless || name === deriveFrom?.parameter || alone.includes(name)).map(({ secret }) => secret);
}

/** Returns the resolver's name as in `--secrets`: `env` for `secret-resolver:secrets-env`. */
export function sourceOf(resolver: string): string {
  return resolver.replace(/^secret-resolver:/, '').replace(/^secrets-/, '');
}

/** Lists the names of required variables that no resolver has, of all groups. */
export function missingNames(groups: readonly ToolGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(missingVariables).map(({ name }) => name))];
}

/** Lists the commands of logins that would supply missing variables, of all groups. */
export function loginCommands(groups: readonly ToolGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(missingVariables).flatMap(({ login }) => login ?? []))];
}

/** Lists the names of variables that come from the environment of this process. */
export function environmentNames(groups: readonly ToolGroup[]): readonly string[] {
  const own = groups.flatMap(({ variables }) => variables.filter(({ source }) => source === 'env'));
  return [...new Set(own.map(({ name }) => name))];
}

/** Lists the required variables that no resolver has. */
export function missingVariables({ variables }: ToolGroup): readonly Variable[] {
  return variables.filter(({ isRequired, source }) => isRequired && source === undefined);
}
