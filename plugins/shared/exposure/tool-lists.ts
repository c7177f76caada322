import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalProof, Registry, Tool } from '../../../kernel/index.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import type { ListSize } from './exposure.ts';
import type { Offer } from './offer.ts';
import { providerCounts } from './provider-counts.ts';
import { listingOf, listTool } from './tool-listing.ts';

/** Tools as a client is listed them, by name. */
export type ToolList = readonly (readonly [string, ListedTool])[];

type Listed = (tool: Tool) => ListedTool;

/** The list of all tools that are offered. */
export function allTools(tools: readonly Tool[], isOffered: Offer['isOffered'], listed: Listed): ToolList {
  return tools.filter((tool) => isOffered(tool) && listingOf(tool).listed !== 'search').map((tool) => [tool.name, listed(tool)] as const);
}

/** The list of those that find and call the others, and of pinned ones. `tools` are all that a client may call. */
export function searchedTools(tools: readonly Tool[], isPinned: Offer['isPinned'], listed: Listed): ToolList {
  const few = tools.filter((tool) => listingOf(tool).listed !== null || isPinned(tool));
  return few.map((tool) => {
    const entry = listed(tool);
    if (tool.definition.overview !== true) return [tool.name, entry];
    return [
      tool.name,
      {
        ...entry,
        description: `${tool.description} There are: ${providerCounts(tools.filter((other) => listingOf(other).listed === null))}.`,
      },
    ];
  });
}

/** About how many tokens a listed tool takes: its name, description and input schema. */
export function tokensOf({ name, description = '', inputSchema }: Pick<ListedTool, 'name' | 'description' | 'inputSchema'>): number {
  return estimatedTokens(name + description + JSON.stringify(inputSchema));
}

export function sizeOf(list: ToolList): ListSize {
  return { tools: list.length, tokens: list.reduce((sum, [, entry]) => sum + tokensOf(entry), 0) };
}

/** Both lists as a client gets them. */
export interface ToolLists {
  readonly all: ToolList;
  readonly search: ToolList;
}

/** What clients are listed of an offer that may be searched. */
export function exposedLists(registry: Registry, { isOffered, isVisible, isPinned }: Offer, proof: ApprovalProof): ToolLists {
  const tools = [...registry.tools.values()].filter(isVisible);
  const listed = (tool: Tool): ListedTool => listTool(tool, proof);
  return { all: allTools(tools, isOffered, listed), search: searchedTools(tools, isPinned, listed) };
}
