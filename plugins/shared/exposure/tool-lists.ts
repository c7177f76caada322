import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalProof, Registry, Tool } from '../../../kernel/index.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import type { ListSize } from './exposure.ts';
import type { Offer } from './offer.ts';
import { providerCounts } from './provider-counts.ts';
import { listTool } from './tool-listing.ts';
import { traitsOf } from './tool-traits.ts';

/** Tools as a client is listed them, in the order of their names. What is said of one is made when it is asked for. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** What is said of a tool, made anew. */
  readonly made: (tool: Tool) => ListedTool;
  /** The same, made once and kept with the list. */
  readonly kept: (tool: Tool) => ListedTool;
}

type Listed = (tool: Tool) => ListedTool;

function listOf(tools: readonly Tool[], made: Listed): ToolList {
  const entries = new Map<Tool, ListedTool>();
  return {
    tools,
    made,
    kept: (tool) => {
      const entry = entries.get(tool) ?? made(tool);
      entries.set(tool, entry);
      return entry;
    },
  };
}

/** The list of all tools that are offered. */
export function allTools(tools: readonly Tool[], isOffered: Offer['isOffered'], listed: Listed): ToolList {
  return listOf(
    tools.filter((tool) => isOffered(tool) && traitsOf(tool).listed !== 'search'),
    listed,
  );
}

/** The list of those that find and call the others, and of pinned ones. `tools` are all that a client may call. */
export function searchedTools(tools: readonly Tool[], isPinned: Offer['isPinned'], listed: Listed): ToolList {
  const few = tools.filter((tool) => traitsOf(tool).listed !== null || isPinned(tool) || isCompanion(tool));
  return listOf(few, (tool) => {
    const entry = listed(tool);
    if (tool.definition.overview !== true) return entry;
    const others = tools.filter((other) => traitsOf(other).listed === null && !isCompanion(other));
    return { ...entry, description: `${tool.description} There are: ${providerCounts(others)}.` };
  });
}

/** About how many tokens a listed tool takes: its name, description and input schema. */
export function tokensOf({ name, description = '', inputSchema }: Pick<ListedTool, 'name' | 'description' | 'inputSchema'>): number {
  return estimatedTokens(name + description + JSON.stringify(inputSchema));
}

/** Returns how large a list is, with all that is in it. */
export function sizeOf(list: ToolList): ListSize {
  return { tools: list.tools.length, tokens: tokensOfAll(list, list.tools) };
}

/** Of so many tools a long list is judged. */
const sampleSize = 300;

/**
 * Returns about how large the list of what the operator offers is, without what goes with every list; of a long list the tokens are those of every so
 * manieth tool, counted for all.
 */
export function roughSizeOf(list: ToolList): ListSize {
  const { length } = list.tools;
  const tools = list.tools.filter((tool) => !isCompanion(tool)).length;
  if (length <= sampleSize) return { ...sizeOf(list), tools };
  const sample = Array.from({ length: sampleSize }, (_, place) => list.tools[Math.floor((place * length) / sampleSize)] as Tool);
  return { tools, tokens: Math.round((tokensOfAll(list, sample) * length) / sampleSize) };
}

function tokensOfAll({ kept }: ToolList, tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(kept(tool)), 0);
}

/** Both lists as a client gets them. */
export interface ToolLists {
  readonly all: ToolList;
  readonly search: ToolList;
}

/** What clients are listed of an offer that may be searched. */
export function exposedLists(registry: Registry, { isOffered, isVisible, isPinned }: Offer, proof: ApprovalProof): ToolLists {
  const tools = withCompanions(registry).filter(isVisible);
  const listed = (tool: Tool): ListedTool => listTool(tool, proof);
  return { all: allTools(tools, isOffered, listed), search: searchedTools(tools, isPinned, listed) };
}
