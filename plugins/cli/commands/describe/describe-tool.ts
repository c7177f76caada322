import { type Kernel, messageOf, type Tool } from '../../../../kernel/index.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { argumentsOf, listTool } from '../../../shared/exposure/tool-listing.ts';
import { type OutputCheck, outputCheckOf } from '../../../shared/exposure/tool-output.ts';
import { connectedSecrets } from '../../../shared/oauth/connected-secrets.ts';
import { loginHint } from '../../../shared/oauth/login-hint.ts';
import { credentialStates } from '../../../shared/secrets/credential-states.ts';
import { standIns } from '../../../shared/secrets/secret-findings.ts';

export interface CredentialDescription {
  /** The name in the definition. */
  readonly name: string;
  /** The name in the secret chain, such as an environment variable. */
  readonly secret: string;
  /** `connected`: an account supplies it (`toolkit auth status`). `replaced`: another credential takes its place. `unknown`: the secret stores could not be reached. */
  readonly state: 'set' | 'connected' | 'missing' | 'optional' | 'replaced' | 'unknown';
  readonly required: boolean;
  /** The plugin that provides the value. */
  readonly resolver?: string;
  readonly description?: string;
}

/** Definition keys of plugins that the page shows. */
interface PluginKeys {
  readonly rate_limit?: { readonly requests?: number; readonly per_ms?: number; readonly concurrency?: number };
  readonly cache?: { readonly ttl_ms: number };
  readonly retry?: { readonly attempts: number };
  readonly select?: string;
  readonly save_to?: { readonly parameter: string };
  readonly output_headers?: readonly string[];
  readonly poll?: Readonly<Record<string, unknown>>;
  readonly output_check?: OutputCheck;
}

export type ToolDescription = Awaited<ReturnType<typeof describeTool>>;

/** Collects all facts about a tool, as `--json` prints them. Never contains the value of a secret. */
export async function describeTool(tool: Tool, kernel: Kernel) {
  const { definition, execution, provider, origin } = tool;
  const toolKeys = definition as PluginKeys;
  const providerKeys = (provider?.definition ?? {}) as PluginKeys;
  const { title, description, annotations } = listTool(tool, kernel.approvalProof);
  const { credentials, problem, login } = await credentialsOf(tool, kernel);
  return {
    name: tool.name,
    title,
    description,
    version: definition.version ?? null,
    provider: providerOf(tool),
    documentation_url: provider?.definition.provider.documentation_url ?? null,
    risk: tool.risk,
    requires_approval: definition.requires_approval ?? false,
    annotations,
    authentication: definition.authentication ?? null,
    credentials,
    ...(problem === undefined ? {} : { credentials_problem: problem }),
    ...(login === undefined ? {} : { credentials_login: login }),
    input_schema: argumentsOf(tool, kernel.approvalProof),
    output_schema: tool.outputSchema ?? null,
    execution_type: execution.type,
    program_rights: programRights(execution),
    limits: {
      timeout_ms: execution.timeout_ms ?? null,
      rate_limit: toolKeys.rate_limit ?? null,
      provider_rate_limit: providerKeys.rate_limit ?? null,
      cache: toolKeys.cache ?? null,
      retry: toolKeys.retry ?? null,
    },
    ...outputSteps(toolKeys, tool),
    examples: definition.examples ?? [],
    tags: definition.tags ?? [],
    file: origin.file ?? null,
    plugin: origin.plugin,
    ...(origin.source === undefined ? {} : { source: origin.source.name }),
  };
}

type OutputSteps = Pick<PluginKeys, 'select' | 'poll' | 'save_to' | 'output_headers' | 'output_check'>;

/** Returns the steps that turn an answer into the output. Most tools have none. */
function outputSteps(keys: PluginKeys, tool: Tool): { readonly answer?: OutputSteps } {
  const { select, poll, save_to: saveTo, output_headers: headers, output_check: written } = keys;
  const inherited = tool.outputSchema === undefined || outputCheckOf(tool) === 'error' ? undefined : outputCheckOf(tool);
  const check = written ?? inherited;
  const answer = {
    ...(poll === undefined ? {} : { poll }),
    ...(select === undefined ? {} : { select }),
    ...(saveTo === undefined ? {} : { save_to: saveTo }),
    ...(headers === undefined ? {} : { output_headers: headers }),
    ...(check === undefined ? {} : { output_check: check }),
  };
  return Object.keys(answer).length === 0 ? {} : { answer };
}

/** Keys of executions that start programs. */
interface ProgramRights {
  readonly network?: boolean;
  readonly writes?: readonly string[];
}

/** Returns what the sandbox allows to the tool's program; null when the execution does not say. */
function programRights(execution: Tool['execution']): Required<ProgramRights> | null {
  const { network, writes } = execution as ProgramRights;
  return network === undefined && writes === undefined ? null : { network: network ?? false, writes: writes ?? [] };
}

async function credentialsOf(
  tool: Tool,
  kernel: Kernel,
): Promise<{ readonly credentials: readonly CredentialDescription[]; readonly problem?: string; readonly login?: string }> {
  const problem = await kernel.resolveSecrets(tool.credentials.map(({ secret }) => secret)).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
  const mapping = tool.provider?.definition.parameter_mapping ?? [];
  const connected = await connectedSecrets(
    kernel,
    tool.credentials.map(({ secret }) => secret),
  );
  const credentials = credentialStates(tool, kernel, standIns(tool, connected)).map((state) => {
    const { name, secret, required, resolver } = state;
    const description = mapping.find(({ parameter }) => parameter === name)?.description;
    return {
      name,
      secret,
      state: stateIn(state, { isUnknown: problem !== undefined, isConnected: connected.has(secret) }),
      required,
      ...(resolver === undefined ? {} : { resolver }),
      ...(description === undefined ? {} : { description }),
    };
  });
  const missing = credentials.filter(({ state }) => state === 'missing').map(({ secret }) => secret);
  const login = loginHint(kernel, missing, tool.provider);
  return { credentials, ...(problem === undefined ? {} : { problem }), ...(login === undefined ? {} : { login }) };
}

function stateIn(
  state: ReturnType<typeof credentialStates>[number],
  { isUnknown, isConnected }: { readonly isUnknown: boolean; readonly isConnected: boolean },
): CredentialDescription['state'] {
  if (state.resolver !== undefined) return 'set';
  if (isConnected) return 'connected';
  return isUnknown ? 'unknown' : stateOf(state);
}

function stateOf({ resolver, required, isMissing }: ReturnType<typeof credentialStates>[number]): CredentialDescription['state'] {
  if (resolver !== undefined) return 'set';
  if (isMissing) return 'missing';
  return required ? 'replaced' : 'optional';
}
