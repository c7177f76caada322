import { type Kernel, missingSecrets, Secret, type Tool } from '../../../kernel/index.ts';

/**
 * Returns true for a tool whose required secrets the resolvers have, or may come from a source (`CredentialSource`): one list is for all callers, and a
 * call says what its own caller lacks.
 */
export function hasSecrets(kernel: Pick<Kernel, 'secret' | 'hasSource'>, { credentials }: Tool): boolean {
  const isSourced = (name: string | undefined): boolean => credentials.some((need) => need.name === name && kernel.hasSource(need.secret));
  const missing = missingSecrets(
    credentials,
    (secret) => kernel.secret(secret) ?? (kernel.hasSource(secret) ? new Secret(secret, secret) : undefined),
  );
  // Only the value itself says what can be derived from it.
  return missing.every((secret) => credentials.some((need) => need.secret === secret && isSourced(need.deriveFrom?.parameter)));
}
