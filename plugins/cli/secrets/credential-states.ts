import type { CredentialNeed, Kernel, Tool } from '../../../kernel/index.ts';

/** A credential of a tool, and who has it: never its value. */
export interface CredentialState extends CredentialNeed {
  /** The resolver that has it; absent when nobody has. */
  readonly resolver?: string;
  /** The tool cannot do without, as things are: nothing that is there takes its place, or holds it. */
  readonly isNeeded: boolean;
  /** It is needed, and nobody has it. */
  readonly isMissing: boolean;
}

/** Names of `given` count as known, beside what resolvers have. Secrets must be resolved before (`kernel.resolveSecrets`). */
export function credentialStates(
  { credentials }: Tool,
  kernel: Pick<Kernel, 'resolverOf'>,
  given: ReadonlySet<string> = new Set(),
): readonly CredentialState[] {
  const isKnown = ({ name, secret }: CredentialNeed): boolean => given.has(name) || kernel.resolverOf(secret) !== undefined;
  return credentials.map((need) => {
    const resolver = kernel.resolverOf(need.secret);
    const others = credentials.filter(({ name }) => name === need.unless || name === need.deriveFrom?.parameter);
    const isNeeded = need.required && !others.some(isKnown);
    return { ...need, ...(resolver === undefined ? {} : { resolver }), isNeeded, isMissing: isNeeded && !isKnown(need) };
  });
}
