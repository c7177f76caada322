import { bindCredentials, type CredentialNeed, type Kernel, missingCredentials, Secret, type Tool } from '../../../kernel/index.ts';

/** A credential of a tool, and who has it: never its value. */
export interface CredentialState extends CredentialNeed {
  /** The resolver that has it; absent when nobody has. */
  readonly resolver?: string;
  /** The tool cannot do without, as things are: nothing that is there takes its place, or holds it. */
  readonly isNeeded: boolean;
  /** It is needed, and nobody has it. */
  readonly isMissing: boolean;
}

/** `given`: values that a call brings, by name. Secrets must be resolved before (`kernel.resolveSecrets`). */
export function credentialStates(
  { credentials }: Tool,
  kernel: Pick<Kernel, 'resolverOf' | 'secret'>,
  given: ReadonlyMap<string, string> = new Map(),
): readonly CredentialState[] {
  const own = new Map([...given].map(([name, value]) => [name, new Secret(name, value)]));
  const bound = bindCredentials(credentials, own, (secret) => kernel.secret(secret));
  return credentials.map((need) => {
    const resolver = kernel.resolverOf(need.secret);
    const isMissing = missingCredentials([need], bound).length > 0;
    const others = [need.unless, need.deriveFrom?.parameter].filter((name) => name !== undefined);
    const taken = need.anyOf?.find((group) => group.every((name) => bound.has(name)));
    const isReplaced = others.some((name) => bound.has(name)) || taken?.includes(need.name) === false;
    const isNeeded = isMissing || (need.required && !isReplaced);
    return { ...need, ...(resolver === undefined ? {} : { resolver }), isNeeded, isMissing };
  });
}
