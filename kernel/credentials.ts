import type { Provider } from './link.ts';
import type { Parameter, ToolDefinition } from './tool.ts';

/** A value that the service supplies: `name` is the placeholder, `secret` the name asked of the resolvers. */
export interface CredentialNeed {
  readonly name: string;
  readonly secret: string;
  readonly required: boolean;
  /** False for a value that may be seen, such as a host: it is not masked. */
  readonly isSecret: boolean;
}

/** The naming rule of the specification, Credential injection, 2. */
const credentialName = /TOKEN|KEY|SECRET|PASSWORD|CREDENTIAL|APIKEY|AUTH/;

/** The credentials of a tool: placeholders that the rule, the mapping of the provider or `auth` make so, and its `secrets`. */
export function credentialsOf(
  definition: ToolDefinition,
  parameters: Readonly<Record<string, Parameter>>,
  placeholders: readonly string[],
  provider: Provider | undefined,
): CredentialNeed[] {
  const mapping = new Map((provider?.definition.parameter_mapping ?? []).map((entry) => [entry.parameter, entry]));
  const isCredential = (name: string): boolean => {
    const declared = parameters[name]?.auth;
    return declared ?? (mapping.has(name) || isSecretName(name));
  };
  const names = [...new Set([...placeholders.filter(isCredential), ...(definition.secrets ?? [])])];
  return names.map((name) => {
    const entry = mapping.get(name);
    const secret = entry?.env_pattern ?? name;
    // What is named like a secret is one, whatever a package says.
    const isSecret = entry?.secret !== false || isSecretName(name) || isSecretName(secret);
    return { name, secret, required: entry?.required ?? true, isSecret };
  });
}

export function isSecretName(name: string): boolean {
  return credentialName.test(name.toUpperCase());
}
