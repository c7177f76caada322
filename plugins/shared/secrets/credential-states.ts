import { bindCredentials, type CredentialNeed, type Kernel, missingCredentials, Secret, type Tool } from '../../../kernel/index.ts';

/** A credential of a tool with its resolver. Never holds the value. */
export interface CredentialState extends CredentialNeed {
  /** Resolver that has the value; absent when none has. */
  readonly resolver?: string;
  /** True when the tool cannot run without it: no other credential that is set replaces or contains it. */
  readonly isNeeded: boolean;
  /** True when it is needed and has no value. */
  readonly isMissing: boolean;
}

/**
 * Returns the state of each credential. `given`: values passed with the call, by name. Secrets must be resolved before
 * (`kernel.resolveSecrets`).
 */
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
