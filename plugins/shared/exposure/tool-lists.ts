import type { ApprovalProof, Registry, Tool } from '../../../kernel/index.ts';
import type { ListedTool } from '../mcp-sdk/types.ts';
import { isCompanion, withCompanions } from './companions.ts';
import { estimatedTokens } from './estimated-tokens.ts';
import { isSearchTool, type ListSize } from './exposure.ts';
import { providerCounts } from './provider-counts.ts';
import type { ToolAccess } from './tool-access.ts';
import { listTool } from './tool-listing.ts';
import { traitsOf } from './tool-traits.ts';
import { cutMeta } from './written-out/listed-input.ts';

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

/** The tool that shows another tool whole. */
const wholeTool = 'toolkit_get_tool';

/**
 * Returns the list of all allowed tools. `tools`: all that a client may call. Beside tools that are only found by searching, the search tools are listed; beside
 * tools that are listed in part, the one that shows them whole.
 */
export function allTools(
  tools: readonly Tool[],
  isAllowed: ToolAccess['isAllowed'],
  createEntry: ListEntry,
  isPinned: ToolAccess['isPinned'] = () => false,
): ToolList {
  const found = tools.filter((tool) => isAllowed(tool) && traitsOf(tool).listed === 'found' && !isPinned(tool));
  const isShown = (tool: Tool): boolean => {
    const { listed } = traitsOf(tool);
    if (found.length > 0 && isSearchTool(tool)) return true;
    return isAllowed(tool) && listed !== 'search' && (listed !== 'found' || isPinned(tool));
  };
  const shown = tools.filter(isShown);
  const list = listOf(shown, withOverview(createEntry, found, 'There are also'));
  const whole = tools.find((tool) => tool.name === wholeTool && isSearchTool(tool));
  const isGuided = whole === undefined || shown.includes(whole);
  if (isGuided || !shown.some((tool) => traitsOf(tool).isWrittenOut && list.cachedEntry(tool)._meta?.[cutMeta] === true)) return list;
  return { ...list, tools: tools.filter((tool) => tool === whole || shown.includes(tool)) };
}

/** Returns the list for exposure `search`: tools that find and call others, and pinned tools. `tools`: all that a client may call. */
export function searchedTools(tools: readonly Tool[], isPinned: ToolAccess['isPinned'], createEntry: ListEntry): ToolList {
  const isFound = (tool: Tool): boolean => [null, 'found'].includes(traitsOf(tool).listed as string | null);
  const few = tools.filter((tool) => !isFound(tool) || isPinned(tool) || isCompanion(tool));
  const others = tools.filter((tool) => isFound(tool) && !isCompanion(tool));
  return listOf(few, withOverview(createEntry, others, 'There are'));
}

/** Adds the providers of tools that are found by searching to the description of the tool that searches. */
function withOverview(createEntry: ListEntry, found: readonly Tool[], words: string): ListEntry {
  return (tool) => {
    const entry = createEntry(tool);
    if (tool.definition.overview !== true || found.length === 0) return entry;
    return { ...entry, description: `${tool.description} ${words}: ${providerCounts(found)}.` };
  };
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
  return { all: allTools(tools, isOffered, listed, isPinned), search: searchedTools(tools, isPinned, listed) };
}
