import type { Origin } from './check-definition.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import type { Reporter } from './reporter.ts';
import { withSharedParameters } from './shared-parameters.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Returns the definition with its provider's shared parameters and authentication, not with its shared schemas. */
export function withProvider(
  definition: ToolDefinition,
  origin: Origin,
  provider: { readonly definition: ProviderDefinition; readonly origin: Origin } | undefined,
  report: Reporter,
): ToolDefinition {
  const inherited = provider?.definition.authentication;
  const authentication = inherited === undefined ? {} : { authentication: { ...inherited, ...definition.authentication } };
  return withSharedParameters({ ...definition, ...authentication }, origin, provider, report);
}
