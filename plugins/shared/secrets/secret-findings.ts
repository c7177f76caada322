import type { Kernel, Tool } from '../../../kernel/index.ts';
import { credentialStates } from './credential-states.ts';

/** State of one secret. Never holds the value. */
export interface SecretFinding {
  readonly secret: string;
  /** Resolver that has the value; absent when none has. */
  readonly resolver?: string;
  /** True when at least one tool cannot run without it. */
  readonly required: boolean;
  readonly tools: readonly string[];
}

/** Lists the names of the secrets that these tools use. */
export function secretNames(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.flatMap((tool) => tool.credentials.map(({ secret }) => secret)))];
}

/** Returns the secrets of these tools with their resolvers, sorted by name. Secrets must be resolved before (`kernel.resolveSecrets`). */
export function findSecrets(kernel: Kernel, tools: readonly Tool[]): SecretFinding[] {
  const bySecret = new Map<string, SecretFinding>();
  for (const tool of tools)
    for (const { secret, resolver, isNeeded } of credentialStates(tool, kernel)) {
      const { required = false, tools: others = [] } = bySecret.get(secret) ?? {};
      const finding = { secret, required: required || isNeeded, tools: [...others, tool.name] };
      bySecret.set(secret, resolver === undefined ? finding : { ...finding, resolver });
    }
  return [...bySecret.values()].sort((one, other) => (one.secret < other.secret ? -1 : 1));
}
