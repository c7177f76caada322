import { didYouMean, excerpt, type Kernel, messageOf, type SourceStatus, type Tool, unseen } from '../../../../../kernel/index.ts';
import { connectedSecrets } from '../../../../shared/oauth/connected-secrets.ts';
import { loginHint } from '../../../../shared/oauth/login-hint.ts';
import { credentialStates } from '../../../../shared/secrets/credential-states.ts';
import { secretNames, standIns } from '../../../../shared/secrets/secret-findings.ts';
import { formatFew } from '../../../../shared/terminal/few.ts';

/**
 * `ready`: a call can run. `later`: something that it needs is down or starting, and may come by itself. `operator`: a person must act. `unknown`:
 * there is no such tool.
 */
export type ReadinessState = 'ready' | 'later' | 'operator' | 'unknown';

/** The readiness of one tool. */
export interface Readiness {
  readonly tool: string;
  readonly state: ReadinessState;
  /** The reason of every state but `ready`, with what to do. */
  readonly reason?: string;
}

type Reason = Omit<Readiness, 'tool'>;

const ready: Reason = { state: 'ready' };

/** Returns the readiness of each of these tools. Resolves their secrets, and runs no tool. */
export async function readinessOf(names: readonly string[], kernel: Kernel): Promise<readonly Readiness[]> {
  const tools = names.flatMap((name) => kernel.registry.tools.get(name) ?? []);
  const failure = await kernel.resolveSecrets(secretNames(tools)).then(() => undefined, messageOf);
  const connected = await connectedSecrets(kernel, secretNames(tools));
  return names.map((tool) => ({ tool, ...reasonOf(tool, kernel, { failure, connected }) }));
}

interface SecretsState {
  /** The reason for which the stores could not be asked; undefined when they were. */
  readonly failure: string | undefined;
  /** Secrets that an account supplies. */
  readonly connected: ReadonlySet<string>;
}

function reasonOf(name: string, kernel: Kernel, secrets: SecretsState): Reason {
  const { tools, withheld, problems, sources } = kernel.registry;
  const statuses = kernel.sources.list();
  const tool = tools.get(name);
  if (tool !== undefined) {
    const own = statuses.find((status) => status.name === tool.origin.source?.name);
    return byCode(tool) ?? bySecrets(tool, kernel, secrets) ?? (own === undefined ? undefined : bySource(own)) ?? ready;
  }
  const change = withheld.get(name);
  if (change !== undefined) return { state: 'operator', reason: `it ${change.how}: "toolkit tools pending" shows it` };
  const problem = problems.find((one) => one.severity === 'error' && one.tool === name);
  if (problem !== undefined) return { state: 'operator', reason: `its definition cannot be used: ${excerpt(problem.message, 200)}` };
  const owner = statuses.find((status) => name.startsWith(`${status.name}_`));
  const bySourceOfName = owner === undefined ? undefined : (bySource(owner) ?? byReport(owner));
  if (bySourceOfName !== undefined) return bySourceOfName;
  return { state: 'unknown', reason: `there is no such tool.${didYouMean(name, [...tools.keys(), ...sources])}` };
}

function byCode({ name, code = [] }: Tool): Reason | undefined {
  const file = code.find(({ sha256 }) => sha256 === unseen);
  if (file === undefined) return undefined;
  return { state: 'operator', reason: `a model wrote ${excerpt(file.file)}: look at it, then run "toolkit tools accept ${name}"` };
}

function bySecrets(tool: Tool, kernel: Kernel, { failure, connected }: SecretsState): Reason | undefined {
  const missing = credentialStates(tool, kernel, standIns(tool, connected)).filter(({ isMissing, required }) => isMissing && required);
  if (missing.length === 0) return undefined;
  // A store that cannot be asked may have the secret.
  if (failure !== undefined) return { state: 'later', reason: `its secrets could not be looked up: ${excerpt(failure, 200)}` };
  const names = missing.map(({ secret }) => secret);
  const login = loginHint(kernel, names, tool.provider);
  const how = login === undefined ? '"toolkit secrets check" shows more' : `log in: ${login}`;
  return { state: 'operator', reason: `missing: ${formatFew(names)}; ${how}` };
}

function bySource({ name, state, failure = '' }: SourceStatus): Reason | undefined {
  const shown = `the source "${name}" is ${state}${failure === '' ? '' : `: ${excerpt(failure, 200)}`}`;
  if (state === 'needs-auth') return { state: 'operator', reason: shown };
  return state === 'starting' || state === 'down' || (state === 'degraded' && failure !== '')
    ? { state: 'later', reason: shown }
    : undefined;
}

/** Returns the reason of a source that withholds something without a name of its own. */
function byReport({ name, state, reported: [first = ''] }: SourceStatus): Reason | undefined {
  if (state !== 'quarantined' || first === '') return undefined;
  return { state: 'operator', reason: `the source "${name}" withholds something: ${excerpt(first, 200)}` };
}
