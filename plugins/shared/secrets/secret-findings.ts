import type { Kernel, Tool } from '../../../kernel/index.ts';
import { loginHint } from '../oauth/login-hint.ts';
import { credentialStates } from './credential-states.ts';

/** State of one secret. Never holds the value. */
export interface SecretFinding {
  readonly secret: string;
  /** Resolver that has the value; absent when none has. */
  readonly resolver?: string;
  /** True when a connected account supplies it, to calls of the caller `default`; absent when none does. */
  readonly account?: true;
  /** Command of the login that would supply it; absent when it has a value, or no login supplies it. */
  readonly login?: string;
  /** True when at least one tool cannot run without it. */
  readonly required: boolean;
  readonly tools: readonly string[];
}

/** Lists the names of the secrets that these tools use. */
export function secretNames(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.flatMap((tool) => tool.credentials.map(({ secret }) => secret)))];
}

/**
 * Returns the secrets of these tools with their resolvers, sorted by name. Secrets must be resolved before (`kernel.resolveSecrets`). `connected`:
 * those that an account supplies (`connectedSecrets`).
 */
export function findSecrets(kernel: Kernel, tools: readonly Tool[], connected: ReadonlySet<string> = new Set()): SecretFinding[] {
  const bySecret = new Map<string, FoundSecret>();
  for (const tool of tools)
    for (const { secret, resolver, isNeeded } of credentialStates(tool, kernel, standIns(tool, connected))) {
      const found = bySecret.get(secret) ?? { resolver, required: false, tools: [], provider: tool.provider };
      found.required ||= isNeeded;
      found.tools.push(tool.name);
      bySecret.set(secret, found);
    }
  return [...bySecret]
    .map(([secret, found]) => toFinding(kernel, secret, found, connected.has(secret)))
    .sort((one, other) => (one.secret < other.secret ? -1 : 1));
}

interface FoundSecret {
  readonly resolver: string | undefined;
  required: boolean;
  readonly tools: string[];
  /** Provider of the first tool. */
  readonly provider: Tool['provider'];
}

function toFinding(
  kernel: Kernel,
  secret: string,
  { resolver, required, tools, provider }: FoundSecret,
  isConnected: boolean,
): SecretFinding {
  const login = resolver === undefined && !isConnected ? loginHint(kernel, [secret], provider) : undefined;
  return {
    secret,
    ...(resolver === undefined ? {} : { resolver }),
    ...(isConnected ? { account: true } : {}),
    ...(login === undefined ? {} : { login }),
    required,
    tools,
  };
}

/** Returns true for a secret without which a tool cannot run, and that neither a resolver nor an account has. */
export function isMissing({ required, resolver, account }: SecretFinding): boolean {
  return required && resolver === undefined && account !== true;
}

/** Returns values for the credentials that an account supplies: only that they are there counts. */
export function standIns({ credentials }: Tool, connected: ReadonlySet<string>): ReadonlyMap<string, string> {
  return new Map(credentials.filter(({ secret }) => connected.has(secret)).map(({ name, secret }) => [name, secret]));
}
