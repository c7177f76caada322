import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import type { ApprovalProof, Registry, Tool } from '../../../kernel/index.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import type { ListSize } from './exposure.ts';
import { providerCounts } from './provider-counts.ts';
import type { ToolAccess } from './tool-access.ts';
import { listTool } from './tool-listing.ts';
import { traitsOf } from './tool-traits.ts';

/** A list of tools as a client sees it, sorted by name. Entries are created on request. */
export interface ToolList {
  readonly tools: readonly Tool[];
  /** Creates the entry of a tool anew. */
  readonly createEntry: (tool: Tool) => ListedTool;
  /** Returns the entry of a tool, cached with the list. */
  readonly cachedEntry: (tool: Tool) => ListedTool;
}

type ListEntry = (tool: Tool) => ListedTool;

function listOf(tools: readonly Tool[], createEntry: ListEntry): ToolList {
  const entries = new Map<Tool, ListedTool>();
  return {
    tools,
    createEntry,
    cachedEntry: (tool) => {
      const entry = entries.get(tool) ?? createEntry(tool);
      entries.set(tool, entry);
      return entry;
    },
  };
}

/** Returns the list of all allowed tools. */
export function allTools(tools: readonly Tool[], isAllowed: ToolAccess['isAllowed'], createEntry: ListEntry): ToolList {
  return listOf(
    tools.filter((tool) => isAllowed(tool) && traitsOf(tool).listed !== 'search'),
    createEntry,
  );
}

/** Returns the list for exposure `search`: tools that find and call others, and pinned tools. `tools`: all that a client may call. */
export function searchedTools(tools: readonly Tool[], isPinned: ToolAccess['isPinned'], createEntry: ListEntry): ToolList {
  const few = tools.filter((tool) => traitsOf(tool).listed !== null || isPinned(tool) || isCompanion(tool));
  return listOf(few, (tool) => {
    const entry = createEntry(tool);
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
  const sample = Array.from({ length: sampleSize }, (_, index) => list.tools[Math.floor((index * length) / sampleSize)] as Tool);
  return { tools, tokens: Math.round((tokensOfAll(list, sample) * length) / sampleSize) };
}

function tokensOfAll({ cachedEntry }: ToolList, tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(cachedEntry(tool)), 0);
}

/** The lists of both exposures. */
export interface ToolLists {
  readonly all: ToolList;
  readonly search: ToolList;
}

/** Returns the lists of both exposures, for a tool access that allows search. */
export function exposedLists(
  registry: Registry,
  { isAllowed: isOffered, isCallable: isVisible, isPinned }: ToolAccess,
  proof: ApprovalProof,
): ToolLists {
  const tools = withCompanions(registry).filter(isVisible);
  const listed = (tool: Tool): ListedTool => listTool(tool, proof);
  return { all: allTools(tools, isOffered, listed), search: searchedTools(tools, isPinned, listed) };
}
