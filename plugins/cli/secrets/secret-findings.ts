import type { Kernel, Tool } from '../../../kernel/index.ts';
import { credentialStates } from './credential-states.ts';

/** What is known about one name: never its value. */
export interface SecretFinding {
  readonly secret: string;
  /** The resolver that has it; absent when nobody has. */
  readonly resolver?: string;
  /** Some tool cannot do without. */
  readonly required: boolean;
  readonly tools: readonly string[];
}

/** The names of the secrets that these tools need. */
export function secretNames(tools: readonly Tool[]): readonly string[] {
  return [...new Set(tools.flatMap((tool) => tool.credentials.map(({ secret }) => secret)))];
}

/** Which secrets these tools need and who has them, by name, as far as it is known: secrets must be resolved before (`kernel.resolveSecrets`). */
export function knownSecrets(kernel: Kernel, tools: readonly Tool[]): SecretFinding[] {
  const bySecret = new Map<string, SecretFinding>();
  for (const tool of tools)
    for (const { secret, resolver, isNeeded } of credentialStates(tool, kernel)) {
      const { required = false, tools: others = [] } = bySecret.get(secret) ?? {};
      const finding = { secret, required: required || isNeeded, tools: [...others, tool.name] };
      bySecret.set(secret, resolver === undefined ? finding : { ...finding, resolver });
    }
  return [...bySecret.values()].sort((one, other) => (one.secret < other.secret ? -1 : 1));
}
