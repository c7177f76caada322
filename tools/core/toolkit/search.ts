import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { rankedTools, type Wanted } from '../../../plugins/shared/search/ranked-tools.ts';

interface SearchResult {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly score: number }[];
}

/** The tools that fit best, among those that the caller may see. */
export async function searchTools(wanted: Omit<Wanted, 'risk'>, { tools }: FunctionContext): Promise<SearchResult> {
  const found = await rankedTools(tools.list(), wanted);
  return { tools: found.map(({ tool: { name, description }, score }) => ({ name, description, score })) };
}
