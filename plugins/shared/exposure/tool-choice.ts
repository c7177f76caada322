import { excerpt, type Risk, type Tool } from '../../../kernel/index.ts';
import { groupOf } from './group-of.ts';
import { providerCounts } from './provider-counts.ts';
import { providerOf } from './provider-of.ts';

/** Which tools are looked at. @default all */
export interface ToolChoice {
  /** A provider, or a group of tools, by which their names begin: `core` for the built-in tools, `fs` for some of them, `none` for those without one. */
  readonly provider?: string;
  readonly risk?: Risk;
}

export function isChosen(tool: Tool, { provider, risk: level }: ToolChoice): boolean {
  return (provider === undefined || provider === providerOf(tool) || provider === groupOf(tool)) && (level ?? tool.risk) === tool.risk;
}

/** Says which providers and groups there are, where a choice names none of them. */
export function unknownProvider(tools: readonly Tool[], { provider }: ToolChoice): string | undefined {
  if (provider === undefined || tools.some((tool) => isChosen(tool, { provider }))) return undefined;
  return `There is no provider and no group of tools "${excerpt(provider, 100)}". There are: ${providerCounts(tools)}.`;
}
