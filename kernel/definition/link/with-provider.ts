import type { Reporter } from '../check/reporter.ts';
import type { Origin } from '../schema/origin.ts';
import type { ProviderDefinition } from '../schema/provider-definition.ts';
import type { ToolDefinition } from '../schema/tool-definition.ts';
import { withSharedParameters } from './shared-parameters.ts';

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
