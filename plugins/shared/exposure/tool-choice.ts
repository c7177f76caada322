import { excerpt, type Risk, type Tool } from '../../../kernel/index.ts';
import { groupOf } from './group-of.ts';
import { providerCounts } from './provider-counts.ts';
import { providerOf } from './provider-of.ts';

/** A selection of tools. @default all */
export interface ToolChoice {
  /**
   * A provider, or a group of tools with a common prefix: `core` for the built-in tools, `fs` for some of them, `none` for tools without
   * provider.
   */
  readonly provider?: string;
  readonly risk?: Risk;
}

export function isChosen(tool: Tool, { provider, risk: level }: ToolChoice): boolean {
  return (provider === undefined || provider === providerOf(tool) || provider === groupOf(tool)) && (level ?? tool.risk) === tool.risk;
}

/** Returns a message that lists the providers and groups, when a selection names none of them. Undefined otherwise. */
export function unknownProvider(tools: readonly Tool[], { provider }: ToolChoice): string | undefined {
  if (provider === undefined || tools.some((tool) => isChosen(tool, { provider }))) return undefined;
  return `There is no provider and no group of tools "${excerpt(provider, 100)}". There are: ${providerCounts(tools)}.`;
}
