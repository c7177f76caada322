import type { Parameter } from './parameter.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** A value that the service supplies. `name` is the placeholder, `secret` the name in the secret stores. */
export interface CredentialNeed {
  readonly name: string;
  readonly secret: string;
  readonly required: boolean;
  /** False for a value that may be shown, such as a host: it is not masked. */
  readonly isSecret: boolean;
  /** Name of another credential, which replaces this one when it has a value. */
  readonly unless?: string;
  /** The value if there is no other. */
  readonly default?: string;
  /** The allowed values. */
  readonly enum?: readonly string[];
  /** Groups of credential names; all values of one group are required. This credential is used only in such groups. */
  readonly anyOf?: readonly (readonly string[])[];
  /** The source of a missing value: the first group of the pattern in the value of another credential. */
  readonly deriveFrom?: { readonly parameter: string; readonly pattern: string };
}

/** The naming rule of the specification, Credential injection, 2. */
const credentialName = /TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL|APIKEY|AUTH/;

/**
 * Returns the credentials of a tool: placeholders by the naming rule, the provider's mapping or `auth`, its `secrets`, and the sources of derived
 * and default values. A declared parameter decides whether it is required. `alternatives`: see `ExecutionType.alternatives`.
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
  // An empty group is always satisfied.
  const isFree = anyOf.some((group) => group.length === 0);
  return [...new Set([...used, ...sources, ...defaults])].map((name) => {
    const entry = mapping.get(name);
    const secret = entry?.env_pattern ?? name;
    // A name like a secret's is a secret, even if a package declares otherwise.
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

/** Returns the prefix of the names of a provider's secrets: `GMAIL_` of `gmail`. */
export function secretPrefixOf(provider: string): string {
  return `${provider.replaceAll('-', '_').toUpperCase()}_`;
}
