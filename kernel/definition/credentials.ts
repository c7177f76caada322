import type { Parameter } from './parameter.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A value that the service supplies: `name` is the placeholder, `secret` the name asked of the resolvers. */
export interface CredentialNeed {
  readonly name: string;
  readonly secret: string;
  readonly required: boolean;
  /** False for a value that may be seen, such as a host: it is not masked. */
  readonly isSecret: boolean;
  /** Another credential that takes the place of this one where it has a value. */
  readonly unless?: string;
  /** The value where nobody has one. */
  readonly default?: string;
  /** The values that there may be. */
  readonly enum?: readonly string[];
  /** Groups of names of which one must have all of its values; this one stands in one or more, and nowhere else. */
  readonly anyOf?: readonly (readonly string[])[];
  /** Where the value is found when nobody has it: the first group of the pattern in the value of another credential. */
  readonly deriveFrom?: { readonly parameter: string; readonly pattern: string };
}

/** The naming rule of the specification, Credential injection, 2. */
const credentialName = /TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL|APIKEY|AUTH/;

/**
 * The credentials of a tool: placeholders that the rule, the mapping of the provider or `auth` make so, its `secrets`, and what these and
 * its parameters are filled from. A declared parameter says whether its tool can do without. `alternatives`: see `ExecutionType.alternatives`.
 */
export function credentialsOf(
  definition: ToolDefinition,
  parameters: Readonly<Record<string, Parameter>>,
  placeholders: readonly string[],
  provider: ProviderDefinition | undefined,
  alternatives: readonly (readonly string[])[] = [],
): CredentialNeed[] {
  const mapping = new Map((provider?.parameter_mapping ?? []).map((entry) => [entry.parameter, entry]));
  const isCredential = (name: string): boolean => {
    const declared = parameters[name]?.auth;
    return declared ?? (mapping.has(name) || isSecretName(name));
  };
  const used = [...placeholders.filter(isCredential), ...(definition.secrets ?? [])];
  const sources = used.flatMap((name) => mapping.get(name)?.derive_from?.parameter ?? []);
  const defaults = Object.values(parameters).flatMap(({ default_from: from }) => from?.parameter ?? []);
  const needed = new Set(used);
  const anyOf = alternatives.map((group) => group.filter((name) => needed.has(name)));
  const grouped = new Set(anyOf.flat());
  // One that needs nothing is always there.
  const isFree = anyOf.some((group) => group.length === 0);
  return [...new Set([...used, ...sources, ...defaults])].map((name) => {
    const entry = mapping.get(name);
    const secret = entry?.env_pattern ?? name;
    // What is named like a secret is one, whatever a package says.
    const isSecret = entry?.secret !== false || isSecretName(name) || isSecretName(secret);
    const { unless, derive_from: deriveFrom, default: value, enum: values } = entry ?? {};
    return {
      name,
      secret,
      required:
        needed.has(name) &&
        entry?.default === undefined &&
        !(isFree && grouped.has(name)) &&
        (parameters[name]?.required ?? entry?.required ?? true),
      isSecret,
      ...(unless === undefined ? {} : { unless }),
      ...(value === undefined || isSecret ? {} : { default: value }),
      ...(values === undefined ? {} : { enum: values }),
      ...(grouped.has(name) && !isFree ? { anyOf } : {}),
      ...(deriveFrom === undefined ? {} : { deriveFrom }),
    };
  });
}

export function isSecretName(name: string): boolean {
  return credentialName.test(name.toUpperCase());
}
