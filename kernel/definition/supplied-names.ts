import type { CredentialNeed } from './credentials.ts';
import type { Parameter } from './parameter.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { placeholdersIn } from './template.ts';
import type { ToolDefinition } from './tool-definition.ts';

export interface SuppliedOptions {
  readonly execution: ToolDefinition['execution'];
  readonly credentials: readonly CredentialNeed[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly provider: ProviderDefinition | undefined;
}

/**
 * Returns the names that the service alone fills in: the credentials of a tool and all names of its provider's `parameter_mapping`, such as a
 * host, whether they have a value or not. A parameter with `auth: false` is none of them. An execution without placeholders fills in nothing
 * by name, so its parameters are the caller's whatever they are called.
 */
export function suppliedNames({ execution, credentials, parameters, provider }: SuppliedOptions): readonly string[] {
  if (placeholdersIn(execution).length === 0) return [];
  const mapped = provider?.parameter_mapping ?? [];
  const names = new Set([...credentials.map(({ name }) => name), ...mapped.map(({ parameter }) => parameter)]);
  return [...names].filter((name) => parameters[name]?.auth !== false);
}
