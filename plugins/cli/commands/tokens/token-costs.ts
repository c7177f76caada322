import type { Kernel } from '../../../../kernel/index.ts';
import type { Exposure, ListSize } from '../../../shared/exposure/exposure.ts';
import { providerOf } from '../../../shared/exposure/provider-of.ts';
import { serverListing } from '../../../shared/exposure/server-listing.ts';
import { decideToolAccess, searchTools } from '../../../shared/exposure/tool-access.ts';
import { isChosen } from '../../../shared/exposure/tool-choice.ts';
import { exposedLists, sizeOf, tokensOf } from '../../../shared/exposure/tool-lists.ts';
import { toolChoice } from '../../../shared/flags/tool-choice.ts';

interface TokenCost {
  readonly name: string;
  readonly tokens: number;
}

export interface ToolCost extends TokenCost {
  readonly provider: string;
}

export interface ProviderCost extends TokenCost {
  /** Number of its tools. */
  readonly tools: number;
}

export interface TokenCosts {
  /** The chosen tools, the largest first. */
  readonly tools: readonly ToolCost[];
  readonly providers: readonly ProviderCost[];
  /** Sizes of the lists of all offered tools, chosen or not. `search` is absent without search tools. */
  readonly lists: Partial<Record<Exposure, ListSize>> & { readonly all: ListSize };
}

/** Estimates the tokens that the listed tools take. Throws INVALID_PARAMETERS for a provider without tools. */
export function tokenCosts(kernel: Kernel, flags: Readonly<Record<string, unknown>>): TokenCosts {
  const { registry, approvalProof, sources } = kernel;
  const options = kernel.facts(serverListing)[0]?.value ?? {};
  const isSearched = searchTools(options.excludeTools, registry).length > 0;
  const lists = exposedLists(registry, decideToolAccess({ ...options, expose: isSearched ? 'search' : 'all' }, registry), approvalProof);
  const { tools: listed, cachedEntry: kept } = lists.all;
  const offered = listed.map((tool) => ({ tool, name: tool.name, provider: providerOf(tool), tokens: tokensOf(kept(tool)) }));
  const choice = toolChoice(
    flags,
    offered.map(({ tool }) => tool),
    sources,
  );
  const tools = offered.filter(({ tool }) => isChosen(tool, choice)).map(({ tool: _tool, ...cost }) => cost);
  const names = [...new Set(tools.map(({ provider }) => provider))];
  return {
    tools: largestFirst(tools),
    providers: largestFirst(
      names.map((name) => {
        const own = tools.filter(({ provider }) => provider === name);
        return { name, tools: own.length, tokens: own.reduce((sum, { tokens }) => sum + tokens, 0) };
      }),
    ),
    lists: { all: sizeOf(lists.all), ...(isSearched ? { search: sizeOf(lists.search) } : {}) },
  };
}

function largestFirst<T extends TokenCost>(costs: readonly T[]): T[] {
  return [...costs].sort((one, other) => other.tokens - one.tokens || (one.name < other.name ? -1 : 1));
}
