import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalProof, Registry, Tool } from '../../../kernel/index.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import type { ListSize } from './exposure.ts';
import type { Offer } from './offer.ts';
import { providerCounts } from './provider-counts.ts';
import { listTool } from './tool-listing.ts';
import { traitsOf } from './tool-traits.ts';

/** A list of tools as a client sees it, sorted by name. Entries are created on request. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** Creates the entry of a tool anew. */
  readonly made: (tool: Tool) => ListedTool;
  /** Returns the entry of a tool, cached with the list. */
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

/** Returns the list of all allowed tools. */
export function allTools(tools: readonly Tool[], isOffered: Offer['isOffered'], listed: Listed): ToolList {
  return listOf(
    tools.filter((tool) => isOffered(tool) && traitsOf(tool).listed !== 'search'),
    listed,
  );
}

/** Returns the list for exposure `search`: tools that find and call others, and pinned tools. `tools`: all that a client may call. */
export function searchedTools(tools: readonly Tool[], isPinned: Offer['isPinned'], listed: Listed): ToolList {
  const few = tools.filter((tool) => traitsOf(tool).listed !== null || isPinned(tool) || isCompanion(tool));
  return listOf(few, (tool) => {
    const entry = listed(tool);
    if (tool.definition.overview !== true) return entry;
    const others = tools.filter((other) => traitsOf(other).listed === null && !isCompanion(other));
    return { ...entry, description: `${tool.description} There are: ${providerCounts(others)}.` };
  });
}

/** Estimates the tokens of a listed tool: name, description and input schema. */
export function tokensOf({ name, description = '', inputSchema }: Pick<ListedTool, 'name' | 'description' | 'inputSchema'>): number {
  return estimatedTokens(name + description + JSON.stringify(inputSchema));
}

/** Returns the size of a list, with all its tools. */
export function sizeOf(list: ToolList): ListSize {
  return { tools: list.tools.length, tokens: tokensOfAll(list, list.tools) };
}

/** Number of tools by which the size of a long list is estimated. */
const sampleSize = 300;

/** Estimates the size of the operator's list, without companion tools. The tokens of a long list are extrapolated from an even sample. */
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

/** The lists of both exposures. */
export interface ToolLists {
  readonly all: ToolList;
  readonly search: ToolList;
}

/** Returns the lists of both exposures, for a tool access that allows search. */
export function exposedLists(registry: Registry, { isOffered, isVisible, isPinned }: Offer, proof: ApprovalProof): ToolLists {
  const tools = withCompanions(registry).filter(isVisible);
  const listed = (tool: Tool): ListedTool => listTool(tool, proof);
  return { all: allTools(tools, isOffered, listed), search: searchedTools(tools, isPinned, listed) };
}
