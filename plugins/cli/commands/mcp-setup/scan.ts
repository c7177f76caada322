import { type Kernel, type Tool, ToolkitError } from '../../../../kernel/index.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { toolFilter } from '../../../shared/exposure/tool-filter.ts';
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

export interface Scan {
  readonly groups: readonly ToolGroup[];
  /** Names of all tools, also of those that the configuration does not offer. */
  readonly known: readonly string[];
  /** Tools that require approval. */
  readonly gated: readonly string[];
  /** The configuration says who approves, so that the setup need not. */
  readonly saysApproval: boolean;
  /** Options of the MCP server in the configuration. */
  readonly server: ServerOptions;
}

export interface ServerOptions {
  readonly transport?: string;
  readonly port?: number;
  readonly host?: string;
  readonly tools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly mcpToken?: string;
  readonly https?: boolean;
  readonly selfSigned?: boolean;
  readonly certPath?: string;
}

/** What the server of this configuration would offer, and what it needs. Throws CONFIG_INVALID when that is nothing. */
export async function scan(kernel: Kernel): Promise<Scan> {
  const server = optionsOf(kernel, 'mcp') as ServerOptions;
  const { tools: registered } = kernel.registry;
  const tools = [...registered.values()].filter(toolFilter(server.tools, server.excludeTools, registered.keys()));
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
    known: [...registered.keys()],
    gated: tools.filter(({ definition }) => (definition.requires_approval ?? false) !== false).map(({ name }) => name),
    saysApproval: optionsOf(kernel, 'approval-gate')['mode'] !== undefined || !kernel.plugins.some(({ name }) => name === 'approval-gate'),
    server,
  };
}

function groupWith(kernel: Kernel, name: string, tools: readonly Tool[]): ToolGroup {
  const definition = tools[0]?.provider?.definition;
  const documentationUrl = definition?.provider.documentation_url;
  const scopes = tools.flatMap((tool) => tool.definition.authentication?.required_scopes ?? []);
  const variables = knownSecrets(kernel, tools).map(({ secret, required, resolver }) => {
    const description = definition?.parameter_mapping?.find(({ env_pattern: pattern }) => pattern === secret)?.description;
    return {
      name: secret,
      isRequired: required,
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

/** `env` for `secret-resolver:secrets-env`: the name as `--secrets` has it. */
export function sourceOf(resolver: string): string {
  return resolver.replace(/^secret-resolver:/, '').replace(/^secrets-/, '');
}

/** Required and nowhere. */
export function missingOf({ variables }: ToolGroup): readonly Variable[] {
  return variables.filter(({ isRequired, source }) => isRequired && source === undefined);
}
