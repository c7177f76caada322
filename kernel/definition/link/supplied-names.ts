import type { CredentialNeed } from '../schema/credentials.ts';
import type { Parameter } from '../schema/parameter.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import { placeholdersIn } from '../schema/template.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';

export interface SuppliedOptions {
  readonly execution: ToolDefinition['execution'];
  readonly credentials: readonly CredentialNeed[];
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly provider: ProviderDefinition | undefined;
}

/**
 * Returns the names that only the service fills in: the credentials of a tool, and the names of its provider's `parameter_mapping` such as a host, with
 * or without a value. A parameter with `auth: false` is left to the caller. An execution without placeholders fills in nothing by name, so all its
 * parameters belong to the caller.
 */
export function suppliedNames({ execution, credentials, parameters, provider }: SuppliedOptions): readonly string[] {
  if (placeholdersIn(execution).length === 0) return [];
  const mapped = provider?.parameter_mapping ?? [];
  const names = new Set([...credentials.map(({ name }) => name), ...mapped.map(({ parameter }) => parameter)]);
  return [...names].filter((name) => parameters[name]?.auth !== false);
}
