import { type ApprovalProof, type CredentialNeed, type Kernel, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import type { Exposure, ExposureChoice, ListSize } from '../../../shared/exposure/exposure.ts';
import { offerOf, searchTools } from '../../../shared/exposure/offer.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { toolFilter } from '../../../shared/exposure/tool-filter.ts';
import { exposedLists, sizeOf } from '../../../shared/exposure/tool-lists.ts';
import { optionsOf } from '../../options-of.ts';
import { knownSecrets, secretNames } from '../../secrets/secret-findings.ts';

/** A value that tools need from the service: a credential, a host, an account id. */
export interface Variable {
  readonly name: string;
  /** Some tool cannot do without. */
  readonly isRequired: boolean;
  /** Who has it, such as `env`; absent when nobody has. */
  readonly source?: string;
  readonly description?: string;
  /** False for a value that may be seen, such as a host. */
  readonly isSecret: boolean;
  /** Others that take the place of this one, or hold it, where they have a value. */
  readonly insteadOf: readonly string[];
}

/** The tools of one provider. */
export interface ToolGroup {
  /** The provider, `core` for the tools of the program itself, `none` for tools without a provider. */
  readonly name: string;
  readonly tools: readonly string[];
  /** Where one reads how to obtain what the tools need. */
  readonly documentationUrl?: string;
  /** What the credentials must allow, over all tools. */
  readonly scopes: readonly string[];
  readonly variables: readonly Variable[];
}

/** The group of the tools of the program itself. */
export const core = 'core';

export interface Scan {
  readonly groups: readonly ToolGroup[];
  /** Names of all tools, also of those that the configuration does not offer. */
  readonly known: readonly string[];
  /** Tools that require approval. */
  readonly gated: readonly string[];
  /** The configuration says who approves, so that the setup need not. */
  readonly saysApproval: boolean;
  /** There are tools to search with, so that a client can be listed few. */
  readonly canSearch: boolean;
  /** Options of the MCP server in the configuration. */
  readonly server: ServerOptions;
  /** How large the lists of a server are that offers these tools. The proof is the one of the configuration unless it is given. */
  listSizes(chosen: readonly string[], proof?: ApprovalProof): ListSizes;
}

/** There is no `search` where there is no tool to search with. */
export type ListSizes = Partial<Record<Exposure, ListSize>> & { readonly all: ListSize };

export interface ServerOptions {
  readonly transport?: string;
  readonly port?: number;
  readonly host?: string;
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly pinned?: readonly string[];
  readonly expose?: ExposureChoice;
  readonly mcpToken?: string;
  readonly https?: boolean;
  readonly selfSigned?: boolean;
  readonly certPath?: string;
}

/** What the server of this configuration would offer, and what it needs. Throws CONFIG_INVALID when that is nothing. */
export async function scan(kernel: Kernel): Promise<Scan> {
  const server = optionsOf(kernel, 'mcp') as ServerOptions;
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
  const names = [...new Set(tools.map(providerOf))].sort();
  const groups = names.map((name) => {
    const own = tools.filter((tool) => providerOf(tool) === name);
    return groupWith(kernel, name, own);
  });
  return {
    groups,
    known: known.map(({ name }) => name),
    gated: tools.filter(({ definition }) => (definition.requires_approval ?? false) !== false).map(({ name }) => name),
    saysApproval: optionsOf(kernel, 'approval-gate')['mode'] !== undefined || !kernel.plugins.some(({ name }) => name === 'approval-gate'),
    canSearch,
    server,
    listSizes(chosen, proof = approvalProof) {
      const offer = offerOf({ ...server, tools: chosen, expose: canSearch ? 'search' : 'all' }, registry);
      const { all, search } = exposedLists(registry, offer, proof);
      return { all: sizeOf(all), ...(canSearch ? { search: sizeOf(search) } : {}) };
    },
  };
}

function groupWith(kernel: Kernel, name: string, tools: readonly Tool[]): ToolGroup {
  const definition = tools[0]?.provider?.definition;
  const documentationUrl = definition?.provider.documentation_url;
  const scopes = tools.flatMap((tool) => tool.definition.authentication?.required_scopes ?? []);
  const variables = knownSecrets(kernel, tools).map(({ secret, required, resolver }) => {
    const description = definition?.parameter_mapping?.find(({ env_pattern: pattern }) => pattern === secret)?.description;
    const needs = tools.flatMap(({ credentials }) =>
      credentials.filter((need) => need.secret === secret).map((need) => ({ need, others: credentials })),
    );
    return {
      name: secret,
      isRequired: required,
      isSecret: needs.some(({ need }) => need.isSecret),
      insteadOf: [...new Set(needs.flatMap(({ need, others }) => alternativesOf(need, others)))],
      ...(resolver === undefined ? {} : { source: sourceOf(resolver) }),
      ...(description === undefined ? {} : { description }),
    };
  });
  return {
    name,
    tools: tools.map((tool) => tool.name),
    ...(documentationUrl === undefined ? {} : { documentationUrl }),
    scopes: [...new Set(scopes)].sort(),
    variables,
  };
}

/** The secrets that make one superfluous. */
function alternativesOf({ name: own, unless, deriveFrom, anyOf = [] }: CredentialNeed, others: readonly CredentialNeed[]): string[] {
  const alone = anyOf.filter((group) => group.length === 1 && !group.includes(own)).flat();
  return others.filter(({ name }) => name === unless || name === deriveFrom?.parameter || alone.includes(name)).map(({ secret }) => secret);
}

/** `env` for `secret-resolver:secrets-env`: the name as `--secrets` has it. */
export function sourceOf(resolver: string): string {
  return resolver.replace(/^secret-resolver:/, '').replace(/^secrets-/, '');
}

/** The names that are required and nowhere, of all groups. */
export function missingNames(groups: readonly ToolGroup[]): readonly string[] {
  return [...new Set(groups.flatMap(missingOf).map(({ name }) => name))];
}

/** What only the environment of this program has. */
export function shellNames(groups: readonly ToolGroup[]): readonly string[] {
  const own = groups.flatMap(({ variables }) => variables.filter(({ source }) => source === 'env'));
  return [...new Set(own.map(({ name }) => name))];
}

/** Required and nowhere. */
export function missingOf({ variables }: ToolGroup): readonly Variable[] {
  return variables.filter(({ isRequired, source }) => isRequired && source === undefined);
}
